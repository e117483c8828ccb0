/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/jumped.h"

#include "target/code/call_site.h"
#include "target/code/code.h"

struct way {
	struct symbol_table *symbols;
	taddr goal;
};

static enum call_way way_to(void *context, taddr target)
{
	const struct way *way = context;

	if (target == way->goal)
		return WAY_GOAL;
	return symbol_has_dwarf(way->symbols, target) ? WAY_THROUGH : WAY_NOWHERE;
}

/* From the outside in; each by a jump that is known. */
static size_t find_by_code(struct session *s, taddr return_pc, taddr goal,
			   struct call_left ret[CALL_LEFT_MAX])
{
	struct way way = { s->symbols, goal };
	struct call_sites *calls = session_calls(s);
	taddr led_to, called = calls ? call_site_before(calls, return_pc).target : 0;

	if (!called || way_to(&way, called) != WAY_THROUGH)
		return 0;
	const size_t n = call_site_left(calls, called, way_to, &way, ret, &led_to);
	for (size_t i = 0; i < n; i++) {
		if (ret[i].njumps != 1)
			return 0;
	}
	return n;
}

size_t jumped_between(struct session *s, taddr return_pc, taddr callee_pc,
		      taddr ret[CALL_SITES_MAX])
{
	struct call_left left[CALL_LEFT_MAX];
	struct symbol callee;
	struct insn jump;
	size_t n = call_sites_left(s->symbols, return_pc, callee_pc, ret);

	if (n || symbol_has_dwarf(s->symbols, callee_pc) ||
	    !symbol_at(s->symbols, callee_pc, &callee) || !callee.function)
		return n;
	for (size_t i = find_by_code(s, return_pc, callee.addr, left); i-- > 0;) {
		if (!code_insn_at(s->target, *left[i].jumps, &jump))
			return 0;
		ret[n++] = *left[i].jumps + jump.size;
	}
	return n;
}
