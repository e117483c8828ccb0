/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sandbox: an OMPD library in a process of its own, which can do nothing but answer.
 *
 * A library that is not the system's, and any that reads what a stranger may have put into memory,
 * does not run in ompdb. Its calls cross over a pair of sockets (wire.h), and so do the callbacks
 * that it needs, which the parent serves meanwhile; what it reads of the target it keeps until the
 * next stop. The process is in jail (jail.h) before the library is loaded, so before its
 * constructors run.
 *
 * Whatever comes from there may be a lie: its size is bounded by that of a message, its handles are
 * numbers that go back there alone, and it has a few seconds for all answers of a stop. A library
 * that is late, dies, or says what makes no sense has failed: it is killed, and every call fails.
 */
#ifndef OMPD_SANDBOX_H
#define OMPD_SANDBOX_H

#include <sys/stat.h>

#include "base/error.h"
#include "ompd/client/entries.h"

struct sandbox;

/*
 * Loads the library of that file, which st is of, into a new process. UNSUPPORTED: it cannot be
 * loaded, is no OMPD library that ompdb can use, or has failed already.
 */
MUST_CHECK struct error *sandbox_new(const char *real_path, const struct stat *st,
				     struct sandbox **ret);
/* Ends the process. NULL is fine. */
void sandbox_free(struct sandbox *s);

/* The target may have run since the last call. */
void sandbox_begin_stop(struct sandbox *s);

/* Calls an entry that has a form, with the parameters that it has. */
ompd_rc_t sandbox_call(struct sandbox *s, enum entry_number entry, ...);

/* How it failed, as a sentence, borrowed; NULL: it did not. */
const char *sandbox_failure(const struct sandbox *s);

#endif
