/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loader: the dynamic linker tells debuggers when it has loaded or unloaded modules: it calls a
 * function for that (_dl_debug_state() in glibc and musl; r_brk in struct r_debug of <link.h>),
 * before the constructors of what is new run.
 */
#ifndef DEBUGGER_LOADER_H
#define DEBUGGER_LOADER_H

#include "debugger/control/control.h"

/* Sets the point there, if the dynamic linker is mapped and it is not set yet. All threads stand.
 */
MUST_CHECK struct error *loader_arm(struct control *c);

/* The same for any process, with the point's number: *next, counted up. *ret: 0: no linker. */
MUST_CHECK struct error *loader_watch(struct session *s, unsigned int *next, unsigned int *ret);

/* A process has begun, or been attached to: what is mapped is what is known. */
MUST_CHECK struct error *loader_begin(struct control *c);

/*
 * A thread is at the point: breakpoints are found anew if modules are others than before. *ret: a
 * catchpoint for that stops the program, and *ret_text, which is the caller's, says what was
 * loaded.
 */
MUST_CHECK struct error *loader_answer(struct control *c, struct breakpoint **ret, char **ret_text);

#endif
