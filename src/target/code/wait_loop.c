/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/wait_loop.h"

#include "target/code/code.h"

enum { LOOP_MAX = 256 }; /* bytes */

static bool jumps_to(const struct insn *insn, taddr from, taddr to)
{
	return code_jumps(insn) && insn->value >= from && insn->value <= to;
}

/* What happens in a loop. */
struct loop {
	bool pauses, passes_pc, unclear;
	uint32_t writes;
	struct insn read; /* the one that reads memory of others; size 0: none */
	taddr looks;      /* the last one that may read it; 0: none            */
	bool acts;        /* does more than look: calls, stores, or it is not known what */
	bool ends;        /* it can be left                                    */
	uint32_t early;   /* registers that it reads before it writes to them  */
};

static bool same_place(const struct insn *a, const struct insn *b)
{
	return a->base == b->base && a->index == b->index && a->scale == b->scale &&
	       a->displacement == b->displacement;
}

/* Which of an instruction's registers it reads. */
enum registers {
	READS_NONE = 1 << 0, /* none, but those of an address in memory */
	READS_FROM = 1 << 1,
	READS_TO = 1 << 2,
};

/* Of what loops may be made that only look. */
static const uint8_t looking[] = {
	[INSN_NOTHING] = READS_NONE,
	[INSN_PAUSE] = READS_NONE,
	[INSN_CONSTANT] = READS_NONE,
	[INSN_COPY] = READS_FROM,
	[INSN_ADDRESS] = READS_NONE,
	[INSN_LOAD] = READS_NONE,
	[INSN_COMPUTE] = READS_FROM | READS_TO,
	[INSN_EXTEND] = READS_FROM,
	[INSN_SPREAD_SIGN] = READS_FROM,
	[INSN_COMPARE] = READS_FROM,
	[INSN_COMPARE_BOTH] = READS_FROM | READS_TO,
	[INSN_SET] = READS_TO,
	[INSN_CHOOSE] = READS_FROM | READS_TO,
	[INSN_JUMP] = READS_NONE,
	[INSN_BRANCH] = READS_NONE,
};

static uint32_t bit(uint8_t reg)
{
	return reg < 32 ? UINT32_C(1) << reg : 0;
}

/* How atomic_thread_fence() and flush are said: or $0 with what is on the stack. */
static bool is_fence(const struct insn *insn)
{
	return insn->kind == INSN_CHANGE && insn->operation == INSN_OR &&
	       insn->operand == INSN_VALUE && !insn->value && insn->reads == INSN_READS_OWN;
}

static void note_look(const struct insn *insn, taddr at, struct loop *ret)
{
	uint8_t how = insn->kind < sizeof(looking) ? looking[insn->kind] : 0;
	uint32_t reads = bit(insn->base) | bit(insn->index);

	if (is_fence(insn))
		return;
	if ((how & READS_FROM) && insn->operand == INSN_REGISTER)
		reads |= bit(insn->from);
	if (how & READS_TO)
		reads |= bit(insn->to);
	ret->acts |= !how || insn->stores ||
		     ((insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH) && !code_jumps(insn));
	ret->early |= reads & ~ret->writes;
	if (insn->reads == INSN_READS_SHARED || insn->reads == INSN_READS_SOMEWHERE)
		ret->looks = at;
}

static void note_insn(const struct insn *insn, struct loop *ret)
{
	ret->pauses |= insn->kind == INSN_PAUSE;
	ret->writes |= insn->writes;
	if (insn->reads == INSN_READS_SOMEWHERE)
		ret->unclear = true;
	if (insn->reads != INSN_READS_SHARED)
		return;
	if (ret->read.size && !same_place(&ret->read, insn))
		ret->unclear = true;
	ret->read = *insn;
}

static bool read_loop(const struct code *c, taddr start, taddr end, taddr pc, struct loop *ret)
{
	struct insn insn;

	*ret = (struct loop){ 0 };
	for (taddr at = start; at < end; at += insn.size) {
		if (!code_decode(c, at, &insn))
			return false;
		ret->passes_pc |= at == pc;
		note_look(&insn, at, ret);
		note_insn(&insn, ret);
		ret->ends |= insn.kind == INSN_BRANCH &&
			     (at + insn.size == end || !jumps_to(&insn, start, end - 1));
	}
	return ret->passes_pc;
}

/* Where the code that jumps back into [start, end) from behind it ends; end: none does. */
static taddr extended(const struct code *c, taddr start, taddr end)
{
	struct insn insn;

	for (taddr at = end; code_decode(c, at, &insn); at += insn.size) {
		if (jumps_to(&insn, start, end - 1))
			end = at + insn.size;
	}
	return end;
}

static bool pauses(const struct loop *loop)
{
	return loop->pauses;
}

static bool only_looks(const struct loop *loop)
{
	return loop->looks && loop->ends && !loop->acts && !(loop->early & loop->writes);
}

/* The smallest loop around pc that waits: from where a jump behind pc leads, to that jump. */
static bool find_loop(const struct code *c, taddr pc, bool (*waits)(const struct loop *),
		      taddr *ret_start, taddr *ret_end, struct loop *ret)
{
	struct insn insn;

	for (taddr at = pc; code_decode(c, at, &insn); at += insn.size) {
		taddr start = insn.value, end = at + insn.size;
		if (insn.kind == INSN_RETURN || insn.kind == INSN_END)
			return false;
		if (!jumps_to(&insn, c->start, pc) || !read_loop(c, start, end, pc, ret) ||
		    !waits(ret))
			continue;
		*ret_start = start;
		*ret_end = end;
		return true;
	}
	return false;
}

/* The value of a register that a loop leaves alone; no register is 0. */
static bool steady_value(struct target *t, struct thread *th, const struct loop *loop, uint8_t reg,
			 uint64_t *ret)
{
	*ret = 0;
	if (reg == INSN_NO_REG)
		return true;
	if (reg >= t->arch->ncode_regs || (loop->writes >> reg & 1))
		return false;
	struct error *err = target_get_uint(t, th, t->arch->code_regs[reg], ret);
	error_free(err);
	return !err;
}

/* The code on both sides of pc, or what there is of it up to the ends of its page. */
static bool read_around(struct target *t, taddr pc, struct code *ret)
{
	taddr page = pc & ~(taddr)(MEMORY_PAGE - 1), page_end = page + MEMORY_PAGE;

	return code_read(t, pc - LOOP_MAX, pc + LOOP_MAX, ret) ||
	       code_read(t, pc - LOOP_MAX, page_end, ret) ||
	       code_read(t, page, pc + LOOP_MAX, ret) || code_read(t, page, page_end, ret);
}

/* ---- a turn of it ------------------------------------------------------------------------- */

/* What is known on the way through a loop. */
struct turn {
	struct target *target;
	struct thread *thread;
	const struct loop *loop;
	uint64_t set[32]; /* of registers to which it has written before */
	uint32_t is_set;
	bool compared;
	uint64_t left, right;
	unsigned int bytes;
};

static bool register_value(const struct turn *turn, uint8_t reg, uint64_t *ret)
{
	if (!(turn->is_set & bit(reg)))
		return steady_value(turn->target, turn->thread, turn->loop, reg, ret);
	*ret = turn->set[reg];
	return true;
}

static bool operand_value(const struct turn *turn, const struct insn *insn, uint64_t *ret)
{
	uint64_t base, index;

	*ret = insn->operand == INSN_VALUE ? insn->value : 0;
	if (insn->operand == INSN_VALUE)
		return true;
	if (insn->operand == INSN_REGISTER)
		return register_value(turn, insn->from, ret);
	return !insn->thread_local && insn->bytes <= sizeof(*ret) &&
	       register_value(turn, insn->base, &base) &&
	       register_value(turn, insn->index, &index) &&
	       memory_try_read(turn->target->memory,
			       base + index * insn->scale + insn->displacement, ret, insn->bytes);
}

static void load(struct turn *turn, const struct insn *insn)
{
	uint64_t value;

	if (!bit(insn->to) || !operand_value(turn, insn, &value))
		return;
	turn->is_set |= bit(insn->to);
	turn->set[insn->to] = value;
}

static void compare(struct turn *turn, const struct insn *insn)
{
	uint64_t operand, other = insn->value;

	turn->compared = operand_value(turn, insn, &operand) &&
			 (insn->kind == INSN_COMPARE || register_value(turn, insn->to, &other));
	turn->left = insn->reversed ? other : operand;
	turn->right = insn->reversed ? operand : other;
	turn->bytes = insn->bytes;
}

/* What the instruction at "at" does; *ret_unknown: whether it jumps cannot be told. */
static void pass(struct turn *turn, const struct insn *insn, taddr *at, bool *ret_unknown)
{
	const bool branches = insn->kind == INSN_BRANCH;

	*ret_unknown = branches && (!turn->compared || insn->condition == INSN_IF_OTHER);
	const bool jumps =
		insn->kind == INSN_JUMP ||
		(branches && !*ret_unknown &&
		 insn_condition_holds(insn->condition, turn->left, turn->right, turn->bytes));
	*at = jumps ? insn->value : *at + insn->size;
	turn->compared = turn->compared && !insn->sets_flags;
	turn->is_set &= ~insn->writes;
	if (insn->kind == INSN_LOAD)
		load(turn, insn);
	else if (insn->kind == INSN_COMPARE || insn->kind == INSN_COMPARE_BOTH)
		compare(turn, insn);
}

/*
 * Whether a turn from the start on leads out of the loop, as memory is now. Where that depends on
 * what is not known, as on how many turns there have been, it is one more.
 */
static bool is_over(struct target *t, struct thread *th, const struct code *c,
		    const struct loop *loop, taddr start, taddr end)
{
	struct turn turn = { .target = t, .thread = th, .loop = loop };
	struct insn insn;
	bool unknown;

	for (taddr at = start, next = start; code_decode(c, at, &insn); at = next) {
		if (insn.stores || (code_ends(&insn) && !code_jumps(&insn)))
			return false;
		pass(&turn, &insn, &next, &unknown);
		const bool inside = next > at && next < end;
		if (unknown && inside && insn.value >= start && insn.value < end)
			return false;
		if (unknown && !inside)
			return false;
		if (!inside)
			return next < start || next >= end;
	}
	return false;
}

bool wait_loop_polls(struct target *t, struct thread *th, struct wait_loop *ret)
{
	uint64_t pc, base, index;
	AUTO(code_fini) struct code c = { 0 };
	taddr start, end;
	struct loop loop;
	struct error *err = target_get_uint(t, th, t->arch->pc, &pc);

	*ret = (struct wait_loop){ 0 };
	if (err) {
		error_free(err);
		return false;
	}
	if (!read_around(t, pc, &c) || !find_loop(&c, pc, pauses, &start, &end, &loop))
		return false;
	ret->pauses = true;
	/* With what jumps into it from behind: a loop within a larger one waits for what the larger
	   one looks at. */
	end = extended(&c, start, end);
	if (!read_loop(&c, start, end, pc, &loop) || loop.unclear || !loop.read.size ||
	    !steady_value(t, th, &loop, loop.read.base, &base) ||
	    !steady_value(t, th, &loop, loop.read.index, &index))
		return false;
	ret->polled = base + index * loop.read.scale + loop.read.displacement;
	ret->is_over = is_over(t, th, &c, &loop, start, end);
	return true;
}

/* ---- a loop of the program's ------------------------------------------------------------------
 */

bool wait_loop_watches(struct target *t, taddr pc, taddr *ret)
{
	AUTO(code_fini) struct code c = { 0 };
	taddr start, end;
	struct loop loop;

	if (!read_around(t, pc, &c) || !find_loop(&c, pc, only_looks, &start, &end, &loop))
		return false;
	*ret = loop.looks;
	return true;
}
