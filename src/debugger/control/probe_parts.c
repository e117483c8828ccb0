/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/probe_parts.h"

#include "debugger/control/probe_program.h"
#include "target/process/opcode.h"

bool probe_is_code(const struct probe *at)
{
	return at->row->when == WHEN_CODE || at->row->when == WHEN_CODE_END;
}

void probe_add_caller(struct buf *out, const struct probes *p, const struct arch *arch,
		      const struct probe *at)
{
	if (at->returns || (at->role == ROLE_LEARNS_CODE && probe_is_code(at)))
		opcode_add_constant(out, 1);
	else
		probe_program_caller(out, arch, at->row->caller,
				     &p->functions.runtimes.items[at->runtime].range);
}

/* What has been seen of a function, as far as a program has room for it. */
static void add_unknown(struct buf *out, const struct seen *seen, size_t n, taddr function)
{
	enum { ROOM = 128 };
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
	if (probe_is_code(at))
		opcode_add_constant(out, at->returns ? at->returns : at->addr);
	else if (at->returns)
		opcode_add(out, CONDITION_PC);
	else
		probe_program_return(out, arch);
}
