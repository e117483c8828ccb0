/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Call_site: what a call did, as far as the instructions before it tell: which function it called,
 * with which constant arguments.
 *
 * Code cannot be read backwards. So what stands before an address is found by decoding the function
 * from the start of its unwind entry on, where an instruction begins for certain. Without such an
 * entry a call counts if bytes can be read as one call only, and nothing is known of its arguments.
 *
 * Everything is read from the target's memory. The decoding is a table of the processor (struct
 * arch), nothing here depends on it.
 */
#ifndef TARGET_CALL_SITE_H
#define TARGET_CALL_SITE_H

#include "target/code/jump.h"
#include "target/code/unwind.h"

/* Remembers the functions that it has decoded and the calls in them; valid for one stop. */
struct call_sites;

/* NULL: out of memory. Borrows both. */
struct call_sites *call_sites_new(struct target *t, struct unwinder *u);
void call_sites_free(struct call_sites *s);

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
struct call_site call_site_before(struct call_sites *s, taddr return_address);

/*
 * The constant that code shortly before an address loads into a register, directly or by way of
 * another one. reg: its number in struct insn. false: none is found, or a jump could bring along
 * another value.
 */
bool call_site_constant(struct call_sites *s, taddr at, uint8_t reg, uint64_t *ret);

/*
 * The constant that code shortly before a call loads into the register of argument n, from 0 to 5:
 * an address (lea disp(%rip),%rdi) or a number (mov $n,%edi). false: as call_site_constant().
 */
bool call_site_argument(struct call_sites *s, taddr return_address, unsigned int n, taddr *ret);

/*
 * Argument n of a call, from 0 to 5, which may also be an address in the caller's frame, or what a
 * register holds that functions keep. registers: of the caller's frame (unwind_registers()), those
 * whose bits are set in known. false: as call_site_constant().
 */
bool call_site_passed(struct call_sites *s, taddr return_address, unsigned int n,
		      const uint64_t *registers, uint32_t known, uint64_t *ret);

/*
 * The first argument on the stack of the function of one of a thread's innermost frames, as long as
 * nobody has put something else there. false: the stack cannot be followed that far for certain.
 */
bool call_site_stack_argument(struct call_sites *s, struct thread *th, size_t frame, uint64_t *ret);

enum { CALL_LEFT_MAX = 6, CALL_JUMPS_MAX = 6 };

/* A function that was left by a jump instead of a call. */
struct call_left {
	taddr function;              /* its first instruction                             */
	taddr jumps[CALL_JUMPS_MAX]; /* those instructions, one of which it was              */
	size_t njumps;               /* 0: it is not known, or there are more               */
};

/* What a jump out of a function leads to. */
enum call_way { WAY_NOWHERE, WAY_THROUGH /* a function that may jump on */, WAY_GOAL };

/*
 * The constant that code shortly before its jumps loads into the register of argument n, from 0 to
 * 5: what the next function gets. false: as call_site_constant(), or the jumps do not agree.
 */
bool call_site_left_argument(struct call_sites *s, const struct call_left *left, unsigned int n,
			     taddr *ret);

/*
 * By which functions a thread that has entered the one around pc may have come to a goal, without
 * any of them having a frame left: from the outside in, each jumps into the next one, the last into
 * the goal. "way" says what a jump's end is. Returns how many; 0: no such way, or several, or not
 * all instructions are known of a function on the way. *ret_goal: where it leads to.
 */
size_t call_site_left(struct call_sites *s, taddr pc,
		      enum call_way (*way)(void *context, taddr target), void *context,
		      struct call_left ret[CALL_LEFT_MAX], taddr *ret_goal);

#endif
