/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Invoke: what a call of a function of the program is made of: its arguments as its parameters want
 * them, laid out by the ABI, and its result as a value. Who lets it run is control/call.h.
 */
#ifndef DEBUGGER_INVOKE_H
#define DEBUGGER_INVOKE_H

#include "debugger/values/argument_fortran.h"

struct invocation {
	taddr entry;
	const struct type *result; /* never NULL; borrowed from a store                         */
	struct abi_way way;        /* of the result, unless that is void                       */
	struct argument_result placed; /* where it is instead, of functions of Fortran          */
	struct abi_call call;         /* owned                                                    */
	struct passing_copies copies; /* owned: to be made, and ended, by who runs it          */
	taddr kept; /* below it nothing has been written: texts and the like lie above          */
};
static inline void invocation_fini(struct invocation *i)
{
	abi_call_fini(&i->call);
	vec_fini(&i->copies);
}

/*
 * function: one, or a pointer to one. returns: what the user says that it returns; NULL: its type
 * tells. What has to lie in memory is written below "top": texts, what references refer to, room
 * for the result. USAGE: these are no arguments for it.
 */
MUST_CHECK struct error *invoke_prepare(const struct scope *s, const struct value *function,
					const struct type *returns, const struct value *args,
					size_t n, taddr top, struct invocation *ret);

/* What it has returned, where these are the registers then. */
MUST_CHECK struct error *invoke_result(const struct scope *s, const struct type *type,
				       const struct abi_way *way,
				       const struct abi_result *registers, struct value *ret);

/* The same of one that was prepared. The value does not depend on memory any longer. */
MUST_CHECK struct error *invoke_finish(const struct scope *s, const struct invocation *i,
				       const struct abi_result *registers, struct value *ret);

/* The registers of a thread in which functions return values. */
MUST_CHECK struct error *invoke_read_registers(struct target *t, struct thread *th,
					       struct abi_result *ret);

/* Sets those that a value needs. */
MUST_CHECK struct error *invoke_write_registers(struct target *t, struct thread *th,
						const struct abi_result *r);

/* Sets the vector register of that number: 32 bytes, or its lower half. UNSUPPORTED, BAD_DATA: the
 * processor has none so wide. */
MUST_CHECK struct error *invoke_write_vector(struct target *t, struct thread *th, size_t n,
					     const uint8_t bytes[ABI_VECTOR], bool wide);

#endif
