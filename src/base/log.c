/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"

unsigned int log_switch;

static const char *const names[LOG_DOMAINS] = {
	[LOG_PTRACE] = "ptrace", [LOG_MODULE] = "module", [LOG_SYMBOL] = "symbol",
	[LOG_UNWIND] = "unwind", [LOG_OMPD] = "ompd",
};

static unsigned int bit_of(const char *name, size_t len)
{
	if (len == strlen("all") && !strncmp(name, "all", len))
		return (1U << LOG_DOMAINS) - 1;
	for (unsigned int i = 0; i < LOG_DOMAINS; i++) {
		if (strlen(names[i]) == len && !strncmp(names[i], name, len))
			return 1U << i;
	}
	return 0;
}

static struct error *unknown_domain(const char *name, size_t len)
{
	AUTO_BUF known = { 0 };

	for (unsigned int i = 0; i < LOG_DOMAINS; i++)
		buf_addf(&known, ", %s", names[i]);
	return error_new(ERROR_USAGE, "no log domain '%.*s': use all%s", (int)len, name,
			 buf_text(&known));
}

struct error *log_enable(const char *domains)
{
	unsigned int bits = 0;

	for (const char *p = domains; *p;) {
		size_t len = strcspn(p, ",");
		unsigned int bit = bit_of(p, len);
		if (!bit)
			return unknown_domain(p, len);
		bits |= bit;
		p += len + (p[len] == ',');
	}
	log_switch |= bits;
	return NULL;
}

void log_print(enum log_domain domain, const char *fmt, ...)
{
	AUTO_BUF safe = { 0 };
	AUTO_FREE char *text = NULL;
	int saved_errno = errno; /* a log line between a call and its errno must not matter */
	va_list args;

	va_start(args, fmt);
	int n = vasprintf(&text, fmt, args);
	va_end(args);
	if (n < 0) {
		text = NULL;
		return;
	}
	text_escape(&safe, text, (size_t)n);
	fprintf(stderr, "ompdb: %s: %s\n", names[domain], buf_text(&safe));
	errno = saved_errno;
}
