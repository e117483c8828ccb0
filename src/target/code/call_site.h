/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Call_site: what code around an address does, as far as single instructions tell: which function
 * a call called, with which constant argument, and which address a waiting loop looks at.
 *
 * Everything is read from the target's memory. Instructions are recognised by their bytes; bytes
 * that could be several things count as nothing. The decoding is a table of the processor
 * (struct arch), nothing here depends on it.
 */
#ifndef TARGET_CALL_SITE_H
#define TARGET_CALL_SITE_H

#include "target/process/target.h"

enum call_kind {
	CALL_NONE,     /* no call instruction ends there                      */
	CALL_DIRECT,   /* to a fixed place, or through a slot at a fixed place (PLT, GOT) */
	CALL_INDIRECT, /* through a register or a pointer in memory           */
};

struct call_site {
	enum call_kind kind;
	taddr function; /* of a call to a fixed place that is no stub: that place; else 0 */
	taddr target;   /* of a direct call: where it led to in the end, through PLT stubs; 0:
			   unknown, or by a stub that the dynamic linker has not bound yet */
};

/* The call that pushed this return address. */
struct call_site call_site_before(struct target *t, taddr return_address);

/*
 * Where a call or jump leads to in the end, through PLT stubs; 0: unknown, or by a stub that the
 * dynamic linker has not bound yet.
 */
taddr call_site_target(struct target *t, const struct insn *insn);

/*
 * Where execution at pc gets to without doing anything: through PLT stubs (endbr64, bnd, jump
 * through a slot) and plain jumps to elsewhere, at most a few. pc itself if it is no such thing;
 * 0: through a stub that the dynamic linker has not bound yet.
 */
taddr call_site_follow(struct target *t, taddr pc);

/*
 * The constant that code shortly before an address has loaded into a general register, also by way
 * of another one. false: nothing recognised, or a jump close by could bring along another value.
 */
bool call_site_constant(struct target *t, taddr at, const struct reg *r, uint64_t *ret);

/*
 * The constant that code shortly before a call loads into the register of argument n, from 0 to 5:
 * an address (lea disp(%rip),%rdi) or a number (mov $n,%edi). false: as call_site_constant().
 */
bool call_site_argument(struct target *t, taddr return_address, unsigned int n, taddr *ret);

/*
 * Where the function [start, end) jumps to instead of returning: the one place outside of itself
 * that "wanted" accepts. false: none, several, or instructions that are not known.
 */
bool call_site_tail(struct target *t, taddr start, taddr end,
		    bool (*wanted)(void *context, taddr target), void *context, taddr *ret);

/*
 * The address that a loop around the thread's pc polls: a loop with a pause instruction in which
 * nothing but one place in memory is read, at an address that the loop does not change; the
 * thread's own stack does not count. false: no such loop, or it looks at several places.
 */
bool call_site_polls(struct target *t, struct thread *th, taddr *ret);

#endif
