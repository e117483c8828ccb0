/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/routine.h"

#include <stdlib.h>

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
	map_for_each (item, &r->all)
		routine_free(item->pointer);
	map_fini(&r->all);
}

/* NULL: not known, or there have been too many. */
struct routine *routines_at(struct routines *r, taddr pc)
{
	taddr start, end;

	if (!unwind_function(r->unwinder, pc, &start, &end))
		return NULL;
	struct routine *fn = map_get(&r->all, start);
	if (fn || r->all.len == ROUTINES_MAX)
		return fn;
	fn = calloc(1, sizeof(*fn));
	struct map_item *item = fn ? map_add(&r->all, start) : NULL;
	if (!item) {
		free(fn);
		return NULL;
	}
	item->pointer = fn;
	fn->start = start;
	fn->cfg = cfg_new(r->target, r->unwinder, start);
	return fn;
}

/* A call, or a jump out of the function. */
static bool leaves(const struct cfg *cfg, const struct cfg_block *block,
		   const struct cfg_insn *insn)
{
	bool jumps = insn->insn.kind == INSN_JUMP || insn->insn.kind == INSN_BRANCH;

	return insn->insn.kind == INSN_CALL ||
	       (insn == cfg_last(cfg, block) && jumps && block->exits);
}

/* Calls to functions of the program are looked into, those to other libraries are not. */
static struct routine *find_callee(struct routines *r, const struct insn *insn, taddr target,
				   unsigned int levels)
{
	struct routine *callee = NULL;

	if (levels > 1 && target && insn->via == INSN_VIA_ADDRESS && insn->value == target)
		callee = routines_at(r, target);
	if (!callee || !callee->cfg || callee->cfg->start != target)
		return NULL;
	return routines_look(r, callee, levels - 1) || callee->ends ? callee : NULL;
}

static struct flow_call classify(struct routines *r, const struct insn *insn, taddr target)
{
	struct flow_call does = { .effect = FLOW_NOTHING };
	taddr slot = r->classify ? jump_slot(r->target, insn) : 0;

	if (r->classify && target)
		does = r->classify(r->context, target);
	return slot && does.effect == FLOW_NOTHING ? r->classify(r->context, slot) : does;
}

static void add_call(struct routines *r, struct routine *fn, struct cfg_block *block, uint32_t n,
		     unsigned int levels)
{
	const struct insn *insn = &fn->cfg->insns.items[n].insn;
	taddr target = jump_target(r->target, insn);
	struct routine_call call = { .insn = n, .does = classify(r, insn, target) };

	fn->cfg->insns.items[n].call = 0;
	if (call.does.effect == FLOW_NOTHING)
		call.callee = find_callee(r, insn, target, levels);
	if (call.does.effect == FLOW_END || call.does.effect == FLOW_THROW ||
	    (call.callee && call.callee->ends))
		block->ends |= insn->kind != INSN_BRANCH;
	else if ((call.does.effect != FLOW_NOTHING || call.callee) && vec_push(&fn->calls, call))
		fn->cfg->insns.items[n].call = (uint32_t)fn->calls.len;
}

bool routines_may_throw(struct routines *r, const struct insn *insn)
{
	taddr target = insn->kind == INSN_CALL ? jump_target(r->target, insn) : 0;
	enum flow_effect effect = target ? classify(r, insn, target).effect : FLOW_NOTHING;

	if (insn->kind != INSN_CALL || effect != FLOW_NOTHING)
		return effect == FLOW_THROW;
	return insn->via == INSN_VIA_OTHER ||
	       (insn->via == INSN_VIA_ADDRESS && insn->value == target);
}

/* No way leads from where it begins to where it could return. */
static bool never_returns(const struct cfg *cfg)
{
	AUTO_FREE bool *seen = calloc(cfg->blocks.len, sizeof(*seen));
	AUTO_FREE uint32_t *todo = calloc(cfg->blocks.len, sizeof(*todo));
	size_t ntodo = 0;

	if (!seen || !todo || !cfg->complete)
		return false;
	seen[0] = true;
	todo[ntodo++] = 0;
	while (ntodo) {
		const struct cfg_block *block = &cfg->blocks.items[todo[--ntodo]];
		if (block->exits && !block->ends)
			return false;
		for (uint32_t i = 0; i < block->nedges && !block->ends; i++) {
			uint32_t to = cfg->edges.items[block->first_edge + i].to;
			if (!seen[to])
				todo[ntodo++] = to;
			seen[to] = true;
		}
	}
	return true;
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
				add_call(r, fn, block, n, levels);
		}
	}
	fn->ends = never_returns(fn->cfg);
	return fn->calls.len > 0;
}
