/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct error {
	char *message; /* owned */
	enum error_code code;
	bool placed; /* error_place() */
};

struct error error_nomem = { .message = "out of memory", .code = ERROR_NOMEM };

static struct error *wrap(enum error_code code, char *message)
{
	struct error *err = message ? malloc(sizeof(*err)) : NULL;

	if (!err) {
		free(message);
		return &error_nomem;
	}
	*err = (struct error){ .message = message, .code = code };
	return err;
}

static char *format(const char *fmt, va_list args)
{
	char *text = NULL;

	return vasprintf(&text, fmt, args) < 0 ? NULL : text;
}

struct error *error_new(enum error_code code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	char *text = format(fmt, args);
	va_end(args);
	return wrap(code, text);
}

static enum error_code code_of_errno(int errnum)
{
	static const struct {
		int errnum;
		enum error_code code;
	} table[] = {
		{ ENOMEM, ERROR_NOMEM },         { ENOENT, ERROR_NOT_FOUND },
		{ EACCES, ERROR_NOT_PERMITTED }, { EPERM, ERROR_NOT_PERMITTED },
		{ ESRCH, ERROR_GONE },           { ECHILD, ERROR_GONE },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (table[i].errnum == errnum)
			return table[i].code;
	}
	return ERROR_OS;
}

struct error *error_os(int errnum, const char *fmt, ...)
{
	va_list args;
	char *full = NULL;

	va_start(args, fmt);
	AUTO_FREE char *text = format(fmt, args);
	va_end(args);
	if (text && asprintf(&full, "%s: %s", text, strerror(errnum)) < 0)
		full = NULL;
	return wrap(code_of_errno(errnum), full);
}

/* Its message becomes that, if there is memory for it: owned here. */
static bool set_message(struct error *err, char *message)
{
	if (!message)
		return false;
	free(err->message);
	err->message = message;
	return true;
}

struct error *error_add(struct error *err, const char *fmt, ...)
{
	va_list args;
	char *full = NULL;

	if (!err || err == &error_nomem)
		return err;
	va_start(args, fmt);
	AUTO_FREE char *text = format(fmt, args);
	va_end(args);
	if (text && asprintf(&full, "%s: %s", text, err->message) >= 0)
		set_message(err, full);
	return err;
}

struct error *error_place(struct error *err, const char *fmt, ...)
{
	va_list args;
	char *full = NULL;

	if (!err || err == &error_nomem || err->placed)
		return err;
	va_start(args, fmt);
	AUTO_FREE char *text = format(fmt, args);
	va_end(args);
	if (text && asprintf(&full, "%s, %s", err->message, text) >= 0)
		err->placed = set_message(err, full);
	return err;
}

void error_free(struct error *err)
{
	if (!err || err == &error_nomem)
		return;
	free(err->message);
	free(err);
}

enum error_code error_code(const struct error *err)
{
	return err->code;
}

const char *error_message(const struct error *err)
{
	return err->message;
}

bool error_is(const struct error *err, enum error_code code)
{
	return err && err->code == code;
}
