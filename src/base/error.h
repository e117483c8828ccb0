/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Errors: a code for programs and a sentence for people.
 *
 * A function that can fail returns "struct error *": NULL is success, anything else is owned
 * by the caller, who hands it on (with error_add), looks at it, or frees it. Messages are
 * lower case without a full stop, so that callers can put what they were doing in front:
 * "reading link map entry 3: no memory at 0x7f2a10". Only a front end prints one.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

#include "base/cleanup.h"

enum error_code {
	ERROR_NOMEM,         /* ompdb itself is out of memory                       */
	ERROR_OS,            /* a system call failed                                */
	ERROR_USAGE,         /* the user asked for something that makes no sense    */
	ERROR_NO_ADDRESS,    /* the target has no readable memory there             */
	ERROR_BAD_DATA,      /* data of the target or of a file contradicts itself  */
	ERROR_NOT_FOUND,     /* no such file, process, symbol                       */
	ERROR_NOT_PERMITTED, /* the system refuses                                  */
	ERROR_GONE,          /* the process or thread exists no longer              */
	ERROR_UNSUPPORTED,   /* this target or this build cannot do that            */
	ERROR_TOO_EARLY,     /* as UNSUPPORTED, but only until the program has gone on      */
	ERROR_ABANDONED,     /* a function of the program did not return: a text of several lines */
};

struct error;

/* Returned where not even an error can be allocated; never freed. */
extern struct error error_nomem;

#define MUST_CHECK             __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

/* A new error with a formatted sentence. Never returns NULL. */
struct error *error_new(enum error_code code, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The same for a failed system call: the text of errnum is appended, its code derived. */
struct error *error_os(int errnum, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Takes err and returns it with "fmt: " in front of its message. NULL stays NULL. */
struct error *error_add(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * Takes err and returns it with ", " and what fmt says behind its message, which is where in what
 * was given the fault is; what was said first stays. NULL stays NULL.
 */
struct error *error_place(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* NULL and error_nomem are fine. */
void error_free(struct error *err);

/* Takes err, which the caller has decided not to care about. */
#define error_ignore(err) error_free(err)

enum error_code error_code(const struct error *err);
const char *error_message(const struct error *err);
bool error_is(const struct error *err, enum error_code code);

static inline void error_cleanup(struct error **err)
{
	error_free(*err);
}
/* A local error that is freed at the end of its scope. */
#define AUTO_ERROR AUTO(error_cleanup) struct error

#endif
