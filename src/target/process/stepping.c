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

	th->stepping.waits = th->stepping.runs = false;
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

/* It goes on to a trap of its own. */
static struct error *await(struct tracees *ts, struct thread *th, taddr at)
{
	struct error *err = sites_plant(&ts->sites, ts->target->arch, at);

	if (err)
		return err;
	struct site *site = sites_find(&ts->sites, at);
	site->inner++;
	site->alone |= !site->copy && ts->target->threads.len == 1;
	th->stepping.waits = true;
	th->stepping.back_at = at;
	return NULL;
}

/* The handler returns to a trap. */
static struct error *await_return(struct tracees *ts, struct thread *th, taddr pc)
{
	struct error *err = await(ts, th, pc);

	if (!err)
		th->passage = (struct passage){ pc, .arrived = true, .settled = true };
	return err;
}

/* ---- what can be run through ------------------------------------------------------------ */

static const uint8_t *code_at(struct tracees *ts, struct stepping *s, taddr pc, size_t *ret_size)
{
	size_t skip = pc - s->code_at;

	if (pc < s->code_at || skip >= s->ncode || s->ncode - skip < ARCH_INSN_MAX) {
		s->ncode = passing_read(ts, pc, s->code, sizeof(s->code));
		s->code_at = pc;
		skip = 0;
	}
	*ret_size = s->ncode - skip;
	return s->code + skip;
}

/* Code is read again by who has stepped back: a loop may have changed it. */
static void begin_at(struct stepping *s, taddr pc)
{
	if (pc <= s->last)
		s->ncode = 0;
	s->last = pc;
}

/* Whether the instruction at pc is a call or a return. */
static bool transfers(struct tracees *ts, struct stepping *s, taddr pc)
{
	struct insn insn;
	size_t size;
	const uint8_t *code = code_at(ts, s, pc, &size);

	return ts->target->arch->decode(code, size, pc, &insn) &&
	       (insn.kind == INSN_CALL || insn.kind == INSN_RETURN);
}

/* Nobody else comes by again and again; a trap in what many step through serves all of them. */
static bool all_step_or_stay(const struct tracees *ts)
{
	vec_for_each (th, &ts->target->threads) {
		bool stays = (*th)->held && thread_state_stands((*th)->state);
		if (!stays && !(*th)->stepping.active)
			return false;
	}
	return true;
}

/* Whether a trap disturbs nobody else, and nothing that has to be seen at each instruction. */
static bool may_run(const struct tracees *ts, const struct thread *th, taddr pc)
{
	return all_step_or_stay(ts) && !ts->children.len && !ts->sites.shared && !th->signal &&
	       !debug_registers_any(&ts->debug, th->lwp) && !sites_find(&ts->sites, pc);
}

/* Where what goes on to the next instruction ends; pc: it is not worth a trap. What works anywhere
 * else is neither a jump nor a system call. */
static taddr end_of_run(struct tracees *ts, struct stepping *s, taddr pc)
{
	const struct arch *arch = ts->target->arch;
	uint8_t copy[INSN_COPY_MAX];
	size_t ncopy, size, n = 0;
	taddr at = pc;

	for (; at < s->end && !(n && sites_find(&ts->sites, at)); n++) {
		const uint8_t *code = code_at(ts, s, at, &size);
		size_t insn = arch->copy(code, size, at, at, copy, &ncopy);
		if (!insn && n == 1 && !arch->emulate(code, size, at, NULL, NULL))
			return pc;
		if (!insn)
			break;
		at += insn;
	}
	return n > 1 || at < s->end ? at : pc;
}

/* It has run to the trap, and the instruction there can be done for it. */
static bool do_next(struct tracees *ts, struct thread *th, taddr pc)
{
	struct stepping *s = &th->stepping;
	struct site *site = s->runs && pc == s->back_at ? sites_find(&ts->sites, pc) : NULL;

	if (!site || site->wanted > site->inner || th->signal)
		return false;
	s->transfers = transfers(ts, s, pc);
	return passing_emulate(ts, th, site);
}

/* A jump, call or return that would have to be stepped over can be done for it. Not the next one,
 * too: signals come only to who runs. */
static bool do_first(struct tracees *ts, struct thread *th, taddr pc)
{
	struct stepping *s = &th->stepping;

	s->transfers = transfers(ts, s, pc);
	s->stood = !s->stood && may_run(ts, th, pc) && passing_emulate_at(ts, th, pc);
	return s->stood;
}

/* Where no trap can be planted it steps. */
static bool run(struct tracees *ts, struct thread *th, taddr pc)
{
	taddr end = may_run(ts, th, pc) ? end_of_run(ts, &th->stepping, pc) : pc;
	struct error *err = end > pc ? await(ts, th, end) : NULL;

	th->stepping.runs = end > pc && !err;
	th->stepping.stood = th->stepping.stood && !th->stepping.runs;
	error_ignore(err);
	return th->stepping.runs;
}

struct error *stepping_prepare(struct tracees *ts, struct thread *th, enum stepping_way *ret)
{
	bool returns = th->stepping.signalled;
	const uint8_t *general;
	bool done = false;
	taddr pc = 0;

	*ret = returns ? STEPPING_RUNS : STEPPING_STEPS;
	th->stepping.signalled = th->stepping.transfers = false;
	struct error *err = tracees_general(ts, th, &general);
	if (!err) {
		pc = arch_get(ts->target->arch->pc, general);
		begin_at(&th->stepping, pc);
		done = !returns && do_next(ts, th, pc);
	}
	struct error *taken = take_back_trap(ts, th);
	if (err || taken) {
		error_ignore(err ? taken : NULL);
		return tracees_unless_gone(err ? err : taken);
	}
	if (returns)
		return await_return(ts, th, pc);
	if (done)
		*ret = STEPPING_DONE;
	else if (run(ts, th, pc))
		*ret = STEPPING_RUNS;
	else if (do_first(ts, th, pc))
		*ret = STEPPING_DONE;
	return NULL;
}
