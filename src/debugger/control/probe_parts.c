/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/probe_parts.h"

#include "debugger/control/probe_program.h"
#include "target/process/opcode.h"

bool probe_is_code(const struct probe *at)
{
	return at->row->minus || at->row->when == WHEN_CODE || at->row->when == WHEN_CODE_END;
}

static bool gives(const struct probes *p, taddr function, const struct probe *like)
{
	vec_for_each (f, &p->functions.items) {
		if (f->addr == function && f->runtime == like->runtime &&
		    f->row->event == like->row->event && f->row->when == like->row->when)
			return true;
	}
	return false;
}

bool probe_was_seen(const struct seen_list *l, taddr function, taddr addr)
{
	vec_for_each (seen, l) {
		if (seen->function == function && seen->addr == addr)
			return true;
	}
	return false;
}

bool probe_in_runtime(const struct probes *p, taddr pc)
{
	vec_for_each (r, &p->functions.runtimes) {
		if (pc >= r->range.start && pc < r->range.end)
			return true;
	}
	return false;
}

/*
 * The outer function was seen first. Behind a call of the runtime's there is code of the program's
 * that may have jumped to either: what was seen says nothing, but for what jumps there are.
 */
bool probe_is_passed_on(const struct probes *p, const struct probe *at, taddr back)
{
	const taddr function = at->returns ? at->returns : at->addr;
	const bool by_program = probe_in_runtime(p, back);

	vec_for_each (seen, &p->backs) {
		if (seen->addr == back && seen->function == function && !by_program)
			return false;
		if (seen->addr == back && gives(p, seen->function, at) &&
		    (!by_program || probe_was_seen(&p->jumps, seen->function, function)))
			return true;
	}
	return false;
}

/* Only what other compilers call jumps on to functions that have such a row, too. */
static bool may_be_jumped_to(const struct probes *p, const struct probe *at)
{
	const struct runtime_ops *ops = p->functions.runtimes.items[at->runtime].ops;

	return at->role == ROLE_EVENT && at->row->when == WHEN_ENTERED && ops->events[1];
}

size_t probe_passed_on(const struct probes *p, const struct probe *at)
{
	size_t n = 0;

	for (size_t i = 0; i < p->backs.len && may_be_jumped_to(p, at); i++)
		n += probe_is_passed_on(p, at, p->backs.items[i].addr);
	return n;
}

enum { ROOM = 128 }; /* of a program, for what has been seen */

static void add_not_passed_on(struct buf *out, const struct probes *p, const struct arch *arch,
			      const struct probe *at)
{
	taddr known[ROOM];
	size_t len = 0;

	for (size_t i = p->backs.len; i-- > 0 && len < ROOM && may_be_jumped_to(p, at);) {
		if (probe_is_passed_on(p, at, p->backs.items[i].addr))
			known[len++] = p->backs.items[i].addr;
	}
	if (!len)
		return;
	probe_program_return(out, arch);
	probe_program_unknown(out, known, len);
	probe_program_and(out);
}

void probe_add_caller(struct buf *out, const struct probes *p, const struct arch *arch,
		      const struct probe *at)
{
	if (at->returns || (at->role == ROLE_LEARNS_CODE && probe_is_code(at)))
		opcode_add_constant(out, 1);
	else
		probe_program_caller(out, arch, at->row->caller,
				     &p->functions.runtimes.items[at->runtime].range);
	add_not_passed_on(out, p, arch, at);
}

/* What has been seen of a function, as far as a program has room for it. */
static void add_unknown(struct buf *out, const struct seen *seen, size_t n, taddr function)
{
	taddr known[ROOM];
	size_t len = 0;

	for (size_t i = n; i-- > 0 && len < ROOM;) {
		if (seen[i].function == function)
			known[len++] = seen[i].addr;
	}
	probe_program_unknown(out, known, len);
}

void probe_make_condition(struct buf *out, const struct probes *p, const struct arch *arch,
			  const struct probe *at, const struct probe_wish *wish)
{
	enum probe_place place = at->returns ? PLACE_RETURN : PLACE_ENTRY;

	if (at->role == ROLE_EVENT && wish->condition_size &&
	    !(wish->told & EVENT_BIT(at->row->event)))
		buf_add(out, wish->condition, wish->condition_size);
	else
		opcode_add_constant(out, 1);
	opcode_add(out, CONDITION_NOT);
	opcode_add(out, CONDITION_NOT);
	probe_add_caller(out, p, arch, at);
	probe_program_and(out);
	if (at->role == ROLE_EVENT) {
		probe_program_test(out, arch, at->row, place);
	} else if (at->role == ROLE_LEARNS_BACK) {
		probe_program_return(out, arch);
		add_unknown(out, p->backs.items, p->backs.len, at->addr);
	} else if (at->role == ROLE_LEARNS_CODE) {
		probe_program_value(out, arch, &at->row->facts[EVENT_FACT_FUNCTION], place);
		add_unknown(out, p->codes.items, p->codes.len, at->addr);
	} else {
		opcode_add_constant(out, 1);
	}
	probe_program_and(out);
}

void probe_make_tally(struct buf *out, const struct arch *arch, const struct probe *at)
{
	if (at->row->minus)
		probe_program_value(out, arch, &at->row->facts[EVENT_FACT_FUNCTION], PLACE_ENTRY);
	else if (probe_is_code(at))
		opcode_add_constant(out, at->returns ? at->returns : at->addr);
	else if (at->returns)
		opcode_add(out, CONDITION_PC);
	else
		probe_program_return(out, arch);
}
