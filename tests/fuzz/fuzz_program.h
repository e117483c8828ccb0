/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_program: a session with a program that does not run, for targets that need one.
 */
#ifndef FUZZ_FUZZ_PROGRAM_H
#define FUZZ_FUZZ_PROGRAM_H

#include <stdlib.h>

#include "debugger/session.h"
#include "target/core/program_file.h"

enum { FUZZ_RENEW = 500 }; /* types that were made stay: it begins anew after so many inputs */

/* ret_new, if not NULL: whether it is another one than before, whose place may be the same. */
static inline struct session *fuzz_session(bool *ret_new)
{
	static const struct session_options options;
	static struct session *session;
	static size_t uses;
	struct target *t = NULL;
	const bool is_new = uses++ % FUZZ_RENEW == 0;

	if (ret_new)
		*ret_new = is_new;
	if (!is_new)
		return session;
	session_free(session);
	session = NULL;
	struct error *err = program_open(FUZZ_PROGRAM, &t);
	if (!err)
		err = session_new(t, &options, &session);
	if (!err)
		err = module_list_update(session->modules);
	if (err)
		abort();
	return session;
}

#endif
