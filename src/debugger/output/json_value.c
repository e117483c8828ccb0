/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json_value.h"

#include <string.h>

#include "base/text.h"

/* Puts a backslash before each quote and backslash in out from "start" on. */
static void quote(struct buf *out, size_t start)
{
	AUTO_BUF plain = { 0 };

	if (!buf_ok(out) || out->len == start || !strpbrk(out->data + start, "\"\\"))
		return;
	buf_add(&plain, out->data + start, out->len - start);
	out->len = start;
	for (size_t i = 0; i < plain.len; i++) {
		if (plain.data[i] == '"' || plain.data[i] == '\\')
			buf_addc(out, '\\');
		buf_addc(out, plain.data[i]);
	}
	out->failed |= plain.failed;
}

/* text_escape() leaves no control character and no invalid UTF-8 to escape. */
void json_value_string(struct buf *out, const char *s)
{
	if (!s) {
		buf_adds(out, "null");
		return;
	}
	buf_addc(out, '"');
	size_t start = out->len;
	text_escape(out, s, strlen(s));
	quote(out, start);
	buf_addc(out, '"');
}

static void add_number(struct buf *out, intmax_t n, bool known)
{
	if (known)
		buf_addf(out, "%" PRIdMAX, n);
	else
		buf_adds(out, "null");
}

void json_value_positive(struct buf *out, intmax_t n)
{
	add_number(out, n, n > 0);
}

void json_value_natural(struct buf *out, intmax_t n)
{
	add_number(out, n, n >= 0);
}

void json_value_address(struct buf *out, taddr address)
{
	if (address)
		buf_addf(out, "\"0x%" PRIxTADDR "\"", address);
	else
		buf_adds(out, "null");
}

void json_value_bool(struct buf *out, const char *before, bool value)
{
	buf_adds(out, before);
	buf_adds(out, value ? "true" : "false");
}

void json_value_target(struct buf *out, const struct stacks *s)
{
	buf_adds(out, "{\"pid\":");
	json_value_positive(out, s->pid);
	buf_adds(out, ",\"core\":");
	json_value_string(out, s->core);
	buf_adds(out, ",\"exe\":");
	json_value_string(out, s->exe);
	buf_addc(out, '}');
}
