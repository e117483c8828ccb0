/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/conform_tell.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char *rc_name(ompd_rc_t rc)
{
	static const char *const names[] = {
		"ok",
		"unavailable",
		"stale_handle",
		"bad_input",
		"error",
		"unsupported",
		"needs_state_tracking",
		"incompatible",
		"device_read_error",
		"device_write_error",
		"nomem",
		"incomplete",
		"callback_error",
	};
	size_t n = (size_t)rc;

	return n < sizeof(names) / sizeof(*names) ? names[n] : "no return code";
}

void conform_tell(struct conform *c, const char *asked, const char *expected, const char *got, ...)
{
	AUTO_FREE char *what = NULL;
	char *line = NULL;
	va_list args;

	va_start(args, got);
	bool whole = vasprintf(&what, got, args) >= 0;
	va_end(args);
	whole = whole && asprintf(&line, "%s: asked %s, got %s, expected %s", c->routine, asked,
				  what, expected) >= 0;
	if (whole && vec_push(&c->w->picture->contradictions, line))
		return;
	free(line);
	c->w->failed = true;
}

bool conform_expect_rc(struct conform *c, ompd_rc_t got, ompd_rc_t wanted, const char *asked)
{
	if (got != wanted)
		conform_tell(c, asked, rc_name(wanted), "%s", rc_name(got));
	return got == wanted;
}

void conform_expect_refused(struct conform *c, ompd_rc_t got, const char *asked)
{
	if (got == ompd_rc_ok)
		conform_tell(c, asked, "bad_input", "ok");
}

bool conform_is_answered(struct conform *c, ompd_rc_t got, const char *asked)
{
	if (got != ompd_rc_ok && got != ompd_rc_unavailable && got != ompd_rc_unsupported &&
	    got != ompd_rc_needs_state_tracking)
		conform_tell(c, asked, "ok", "%s", rc_name(got));
	return got == ompd_rc_ok;
}

void conform_expect_number(struct conform *c, int64_t got, int64_t wanted, const char *asked)
{
	char expected[32];

	snprintf(expected, sizeof(expected), "%" PRId64, wanted);
	if (got != wanted)
		conform_tell(c, asked, expected, "%" PRId64, got);
}

void conform_expect_same(struct conform *c, ompd_rc_t rc, int order, const char *asked)
{
	if (conform_expect_rc(c, rc, ompd_rc_ok, asked))
		conform_expect_number(c, order, 0, asked);
}

bool conform_expect_text(struct conform *c, ompd_rc_t rc, const char *text, const char *asked)
{
	bool is_text = conform_expect_rc(c, rc, ompd_rc_ok, asked) && text && *text;

	if (rc == ompd_rc_ok && !is_text)
		conform_tell(c, asked, "a text", "none");
	return is_text;
}
