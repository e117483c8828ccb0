/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Routine: a function of the program, decoded once, and those of its calls that matter: they take
 * or give back, or they call a function of the program that has such calls. Functions of other
 * libraries are not looked into. Calls of what never returns end their blocks: that is said of
 * other libraries' functions, and found of the program's, all of whose ways end so, or in no way
 * out.
 */
#ifndef TARGET_ROUTINE_H
#define TARGET_ROUTINE_H

#include "base/map.h"
#include "target/flow/cfg.h"
#include "target/flow/flow_call.h"

/* A call, or a jump to another function, that matters. */
struct routine_call {
	uint32_t insn;          /* in the graph                                           */
	struct flow_call does;  /* FLOW_NOTHING: what "callee" does                        */
	struct routine *callee; /* borrowed; NULL: none that is known                      */
};

struct routine {
	taddr start;     /* of its unwind tables' entry                                    */
	struct cfg *cfg; /* owned; NULL: it cannot be decoded                              */
	struct {
		struct routine_call *items; /* owned; in the order of the instructions     */
		size_t len, cap;
	} calls;
	bool ends;           /* it never returns                                          */
	unsigned int levels; /* of callees that have been looked at, plus 1; 0: nothing yet */
};

/* All that have been asked for. */
struct routines {
	struct target *target;     /* borrowed */
	struct unwinder *unwinder; /* borrowed */
	flow_classify *classify;
	void *context;       /* borrowed */
	struct hash_map all; /* struct routine, owned, by start */
};

void routines_fini(struct routines *r);

/* The function around pc. NULL: not known, or there have been too many. */
struct routine *routines_at(struct routines *r, taddr pc);

/* Finds the calls that matter, in it and so many levels below. Whether there are any. */
bool routines_look(struct routines *r, struct routine *f, unsigned int levels);

/* It throws an exception, or calls a function of the program, or one by a pointer, which may. */
bool routines_may_throw(struct routines *r, const struct insn *insn);

/* NULL: the instruction is no call that matters. */
static inline const struct routine_call *routine_call_at(const struct routine *f, uint32_t insn)
{
	uint32_t call = f->cfg->insns.items[insn].call;

	return call ? &f->calls.items[call - 1] : NULL;
}

#endif
