/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/routine.h"

#include <stdlib.h>
#include <string.h>

#include "target/code/call_site.h"

enum { ROUTINES_MAX = 500 };

static void routine_free(struct routine *fn)
{
	cfg_free(fn->cfg);
	vec_fini(&fn->calls);
	free(fn);
}

void routines_fini(struct routines *r)
{
	vec_for_each (f, &r->all)
		routine_free(*f);
	vec_fini(&r->all);
}

static size_t place_of(const struct routines *r, taddr start)
{
	size_t low = 0, high = r->all.len;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (r->all.items[middle]->start < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct routine *add_routine(struct routines *r, taddr start)
{
	size_t place = place_of(r, start);
	struct routine *fn = calloc(1, sizeof(*fn));

	if (!fn || !vec_push(&r->all, fn)) {
		free(fn);
		return NULL;
	}
	memmove(&r->all.items[place + 1], &r->all.items[place],
		(r->all.len - 1 - place) * sizeof(fn));
	r->all.items[place] = fn;
	fn->start = start;
	fn->cfg = cfg_new(r->target, r->unwinder, start);
	return fn;
}

/* The function around pc. NULL: not known, or there have been too many. */
struct routine *routines_at(struct routines *r, taddr pc)
{
	taddr start, end;

	if (!unwind_function(r->unwinder, pc, &start, &end))
		return NULL;
	size_t place = place_of(r, start);
	if (place < r->all.len && r->all.items[place]->start == start)
		return r->all.items[place];
	return r->all.len < ROUTINES_MAX ? add_routine(r, start) : NULL;
}

/* A call, or a jump out of the function. */
static bool leaves(const struct cfg *cfg, const struct cfg_block *block,
		   const struct cfg_insn *insn)
{
	bool last = insn == &cfg->insns.items[block->first + block->len - 1];
	bool jumps = insn->insn.kind == INSN_JUMP || insn->insn.kind == INSN_BRANCH;

	return insn->insn.kind == INSN_CALL || (last && jumps && block->exits);
}

bool routines_look(struct routines *r, struct routine *fn, unsigned int levels);

/* Calls to functions of the program are looked into, those to other libraries are not. */
static struct routine *find_callee(struct routines *r, const struct insn *insn, taddr target,
				   unsigned int levels)
{
	struct routine *callee = NULL;

	if (levels > 1 && target && insn->via == INSN_VIA_ADDRESS && insn->value == target)
		callee = routines_at(r, target);
	return callee && callee->cfg && callee->cfg->start == target &&
			       routines_look(r, callee, levels - 1)
		       ? callee
		       : NULL;
}

static void add_call(struct routines *r, struct routine *fn, uint32_t n, unsigned int levels)
{
	const struct insn *insn = &fn->cfg->insns.items[n].insn;
	taddr target = call_site_target(r->target, insn);
	struct routine_call call = { .insn = n };

	if (target)
		call.does = r->classify(r->context, target);
	if (call.does.effect == FLOW_NOTHING)
		call.callee = find_callee(r, insn, target, levels);
	if (call.does.effect != FLOW_NOTHING || call.callee)
		vec_push(&fn->calls, call);
}

/* Finds the calls that matter, in the function and so many levels below. Whether there are any. */
bool routines_look(struct routines *r, struct routine *fn, unsigned int levels)
{
	if (fn->levels >= levels || !fn->cfg)
		return fn->calls.len > 0;
	fn->levels = levels;
	fn->calls.len = 0;
	vec_for_each (block, &fn->cfg->blocks) {
		for (uint32_t n = block->first; n < block->first + block->len; n++) {
			if (leaves(fn->cfg, block, &fn->cfg->insns.items[n]))
				add_call(r, fn, n, levels);
		}
	}
	return fn->calls.len > 0;
}

const struct routine_call *routine_call_at(const struct routine *fn, uint32_t insn)
{
	size_t low = 0, high = fn->calls.len;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (fn->calls.items[middle].insn < insn)
			low = middle + 1;
		else
			high = middle;
	}
	return low < fn->calls.len && fn->calls.items[low].insn == insn ? &fn->calls.items[low]
									: NULL;
}
