/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/stepping.h"

#include "target/process/passing.h"

void stepping_begin(struct thread *th, taddr start, taddr end)
{
	th->stepping = (struct stepping){ .start = start, .end = end, .active = true };
}

static struct error *take_back_trap(struct tracees *ts, struct thread *th)
{
	struct site *site =
		th->stepping.waits ? sites_find(&ts->sites, th->stepping.back_at) : NULL;

	th->stepping.waits = false;
	if (!site)
		return NULL;
	site->inner--;
	return passing_unplant(ts, site->addr);
}

struct error *stepping_end(struct tracees *ts, struct thread *th)
{
	struct error *err = take_back_trap(ts, th);

	th->stepping = (struct stepping){ 0 };
	return err;
}

bool stepping_goes_on(struct tracees *ts, struct thread *th)
{
	const uint8_t *general;

	if (!th->stepping.active || th->stepping.transfers)
		return false;
	struct error *err = tracees_general(ts, th, &general);
	taddr pc = err ? 0 : arch_get(ts->target->arch->pc, general);
	error_ignore(err); /* it has been killed */
	return pc >= th->stepping.start && pc < th->stepping.end;
}

/* The handler returns to a trap. */
static struct error *await_return(struct tracees *ts, struct thread *th, taddr pc)
{
	struct error *err = sites_plant(&ts->sites, ts->target->arch, pc);

	if (err)
		return err;
	struct site *site = sites_find(&ts->sites, pc);
	site->inner++;
	site->alone |= !site->copy;
	th->stepping.waits = true;
	th->stepping.back_at = pc;
	th->passage = (struct passage){ pc, .arrived = true, .settled = true };
	return NULL;
}

/*
 * Whether the instruction at pc is a call or a return. Code is read again by who steps back: a loop
 * may have changed it.
 */
static bool transfers(struct tracees *ts, struct stepping *s, taddr pc)
{
	struct insn insn;
	size_t skip = pc - s->code_at;

	if (pc < s->code_at || skip >= s->ncode || pc <= s->last ||
	    s->ncode - skip < ARCH_INSN_MAX) {
		s->ncode = passing_read(ts, pc, s->code, sizeof(s->code));
		s->code_at = pc;
		skip = 0;
	}
	s->last = pc;
	return ts->target->arch->decode(s->code + skip, s->ncode - skip, pc, &insn) &&
	       (insn.kind == INSN_CALL || insn.kind == INSN_RETURN);
}

struct error *stepping_prepare(struct tracees *ts, struct thread *th, bool *ret_runs)
{
	const uint8_t *general;

	*ret_runs = th->stepping.signalled;
	th->stepping.signalled = th->stepping.transfers = false;
	struct error *err = take_back_trap(ts, th);
	if (!err)
		err = tracees_general(ts, th, &general);
	if (err)
		return tracees_unless_gone(err);
	taddr pc = arch_get(ts->target->arch->pc, general);
	if (*ret_runs)
		return await_return(ts, th, pc);
	th->stepping.transfers = transfers(ts, &th->stepping, pc);
	return NULL;
}
