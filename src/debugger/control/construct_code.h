/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Construct_code: what the code at an address is to a step: an OpenMP runtime's, an entry of one
 * that calls the program's code, or what the compiler has made of a construct.
 */
#ifndef DEBUGGER_CONSTRUCT_CODE_H
#define DEBUGGER_CONSTRUCT_CODE_H

#include "debugger/control/plan.h"

/* Whose it is; stubs (PLT) that lead into a runtime are that runtime's. */
MUST_CHECK struct error *construct_code_kind(struct session *s, taddr pc, enum code_kind *ret);

/* The entry that begins at pc, or that the stub there leads to, calls the program's code; NULL: it
 * does not. *ret_module: the runtime's; it may be NULL. */
MUST_CHECK struct error *construct_code_call(struct session *s, taddr pc,
					     const struct user_call **ret,
					     const struct module **ret_module);

enum construct_code {
	CODE_PLAIN,  /* the user's, or unknown                              */
	CODE_BODY,   /* a construct's                                       */
	CODE_HELPER, /* it copies, reduces: none of it is what the user wrote */
};

/* The function around pc, and not what is inlined in it. */
enum construct_code construct_code_at(struct session *s, taddr pc);
/* By its linkage name; NULL: unknown. */
enum construct_code construct_code_of(const char *function);
/* The two are of one construct: what the runtime calls only leads to what the user wrote. */
bool construct_code_is_one(const char *inner, const char *outer);
/* It says that it is a task's. */
bool construct_code_is_task(const char *function);

#endif
