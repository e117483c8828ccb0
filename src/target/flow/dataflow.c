/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/dataflow.h"

#include <stdlib.h>

enum {
	TURNS_MAX = 32,    /* times that a block is gone through                             */
	STEPS_OF_WAY = 16, /* that joining one way more costs as much as                     */
};

void dataflow_fini(struct dataflow *r)
{
	free(r->outs);
	free(r->turns);
	free(r->again);
	r->outs = NULL;
	r->turns = NULL;
	r->again = NULL;
	r->incomplete = false;
}

static uint64_t mixed(uint64_t context, taddr call)
{
	return (context ^ call) * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

static struct term object_of(const struct dataflow *r, const struct flow_call *call,
			     const struct machine_state *s)
{
	const struct arch *arch = r->machine.target->arch;

	if (call->argument >= ARCH_ARGUMENTS)
		return term_of(call->object);
	return s->regs[arch->code_arguments[call->argument]];
}

static struct held_by by_call(const struct dataflow *r, const struct flow_call *call, taddr back)
{
	return (struct held_by){
		.call = r->outer ? r->outer : back,
		.inner = r->machine.context ? mixed(r->machine.context, back) : 0,
		.kind = call->kind,
		.once = call->once,
		.taken = back,
	};
}

static void take(const struct dataflow *r, const struct flow_call *call, taddr back,
		 struct term object, struct machine_state *s)
{
	uint8_t result = r->machine.target->arch->code_result;

	/* The caller's is given back and taken again. */
	if (call->effect == FLOW_TAKE && held_give(&s->given, r->machine.terms, call->kind, object))
		return;
	held_take(&s->held, r->machine.terms, by_call(r, call, back), object,
		  call->effect == FLOW_TRY ? s->regs[result].symbol : TERM_NUMBER);
}

static void give(const struct dataflow *r, const struct flow_call *call, taddr back,
		 struct term object, struct machine_state *s)
{
	if (!held_give(&s->held, r->machine.terms, call->kind, object))
		held_take(&s->given, r->machine.terms, by_call(r, call, back), object, TERM_NUMBER);
}

/* Through a function of the program that a call calls, or a jump goes on to. */
static void follow_callee(struct dataflow *r, const struct routine *callee, taddr addr,
			  const struct insn *insn, struct machine_state *s)
{
	taddr back = addr + insn->size;
	struct machine_state before = *s;
	uint64_t sp = s->regs[r->machine.target->arch->code_sp].offset;
	AUTO(dataflow_fini)
	struct dataflow inner = {
		.budget = r->budget,
		.fn = callee,
		.machine = r->machine,
		.outer = r->outer ? r->outer : back,
		.level = r->level + 1,
		.begin = *s,
	};

	inner.machine.context = mixed(r->machine.context, back);
	if (!r->outer && insn->kind == INSN_CALL)
		inner.machine.dead_below = sp - r->machine.stack.offset;
	if (insn->kind == INSN_CALL)
		effect_enter(&inner.machine, &inner.begin);
	bool done = r->level < DATAFLOW_LEVELS && dataflow_go(&inner);
	r->incomplete |= !done || inner.incomplete;
	if (!done || !dataflow_exits(&inner, s)) {
		effect_apply(&r->machine, addr, insn, s);
		return;
	}
	effect_leave(&r->machine, &(struct effect_call){ &inner.machine, &before, addr, insn }, s);
	held_leave(&s->held, &before.held, back);
}

static bool out_of_steps(struct dataflow *r, unsigned long steps)
{
	struct dataflow_budget *b = r->budget;

	if (b->steps < steps || b->all_steps < steps) {
		r->incomplete = true;
		return true;
	}
	b->steps -= steps;
	b->all_steps -= steps;
	return false;
}

/* A call, or jump, that matters. */
static void apply_call(struct dataflow *r, const struct routine_call *call, struct machine_state *s)
{
	const struct cfg_insn *insn = &r->fn->cfg->insns.items[call->insn];
	struct term object = object_of(r, &call->does, s);

	if (call->callee) {
		follow_callee(r, call->callee, insn->addr, &insn->insn, s);
		return;
	}
	effect_apply(&r->machine, insn->addr, &insn->insn, s);
	switch (call->does.effect) {
	case FLOW_NOTHING:
	case FLOW_END:
	case FLOW_THROW:
		break;
	case FLOW_TAKE:
	case FLOW_TRY:
		take(r, &call->does, insn->addr + insn->insn.size, object, s);
		break;
	case FLOW_GIVE:
		give(r, &call->does, insn->addr + insn->insn.size, object, s);
		break;
	}
}

void dataflow_step(struct dataflow *r, uint32_t n, struct machine_state *s)
{
	const struct cfg_insn *insn = &r->fn->cfg->insns.items[n];
	const struct routine_call *call = routine_call_at(r->fn, n);

	if (out_of_steps(r, 1))
		return;
	if (call && insn->insn.kind != INSN_BRANCH)
		apply_call(r, call, s);
	else
		effect_apply(&r->machine, insn->addr, &insn->insn, s);
}

/* The state at the start of a block. false: no way there has been gone yet, or out of memory. */
static bool enter_block(struct dataflow *r, uint32_t number, struct machine_state *ret)
{
	const struct cfg *cfg = r->fn->cfg;
	const struct cfg_block *block = &cfg->blocks.items[number];
	AUTO_FREE struct machine_state *states = malloc((block->entries + 1) * sizeof(*states));
	size_t n = 0;

	if (!states || out_of_steps(r, STEPS_OF_WAY * (block->entries + 1)))
		return false;
	if (number == 0)
		states[n++] = r->begin;
	for (uint32_t i = 0; i < block->entries; i++) {
		const struct cfg_edge *edge =
			&cfg->edges.items[cfg->entries[block->first_entry + i]];
		const struct insn *last = &cfg_last(cfg, &cfg->blocks.items[edge->from])->insn;
		if (!r->turns[edge->from] || cfg->blocks.items[edge->from].ends)
			continue;
		states[n] = r->outs[edge->from];
		if (last->kind == INSN_BRANCH)
			effect_branch(&r->machine, last, edge->taken, &states[n]);
		n++;
	}
	if (!n)
		return false;
	machine_join(&r->machine, cfg->insns.items[block->first].addr, states, n);
	*ret = *states;
	return true;
}

static void queue_next(struct dataflow *r, uint32_t number)
{
	const struct cfg *cfg = r->fn->cfg;
	const struct cfg_block *block = &cfg->blocks.items[number];

	for (uint32_t i = 0; i < block->nedges && !block->ends; i++)
		r->again[cfg->edges.items[block->first_edge + i].to] = true;
}

static void turn(struct dataflow *r, uint32_t number)
{
	const struct cfg_block *block = &r->fn->cfg->blocks.items[number];
	struct machine_state s;

	r->again[number] = false;
	if (r->turns[number] == TURNS_MAX) {
		r->incomplete = true;
		return;
	}
	if (!enter_block(r, number, &s))
		return;
	for (uint32_t n = block->first; n < block->first + block->len; n++)
		dataflow_step(r, n, &s);
	if (!r->turns[number]++ || !machine_same(&s, &r->outs[number]))
		queue_next(r, number);
	r->outs[number] = s;
}

bool dataflow_go(struct dataflow *r)
{
	size_t n = r->fn->cfg->blocks.len;
	bool any = true;

	r->outs = malloc(n * sizeof(*r->outs));
	r->turns = calloc(n, sizeof(*r->turns));
	r->again = calloc(n, sizeof(*r->again));
	if (!n || !r->outs || !r->turns || !r->again)
		return false;
	r->incomplete |= !r->fn->cfg->complete;
	r->again[0] = true;
	while (any) {
		any = false;
		for (uint32_t i = 0; i < n && r->budget->steps > STEPS_OF_WAY; i++) {
			if (!r->again[i])
				continue;
			any = true;
			turn(r, i);
		}
	}
	return true;
}

/* The state where a block leaves the function. */
static struct machine_state at_exit(struct dataflow *r, uint32_t number)
{
	const struct cfg_block *block = &r->fn->cfg->blocks.items[number];
	uint32_t last = block->first + block->len - 1;
	const struct insn *insn = &cfg_last(r->fn->cfg, block)->insn;
	const struct routine_call *call = routine_call_at(r->fn, last);
	struct machine_state s = r->outs[number];

	if (insn->kind != INSN_BRANCH)
		return s;
	effect_branch(&r->machine, insn, true, &s);
	if (call)
		apply_call(r, call, &s);
	return s;
}

bool dataflow_exits(struct dataflow *r, struct machine_state *ret)
{
	const struct cfg *cfg = r->fn->cfg;
	size_t n = 0;
	AUTO_FREE struct machine_state *states = malloc(cfg->blocks.len * sizeof(*states));

	for (uint32_t i = 0; states && i < cfg->blocks.len; i++) {
		if (cfg->blocks.items[i].exits && !cfg->blocks.items[i].ends && r->turns[i])
			states[n++] = at_exit(r, i);
	}
	if (!n)
		return false;
	machine_join(&r->machine, cfg->start + 1, states, n);
	*ret = *states;
	return true;
}

bool dataflow_at(struct dataflow *r, taddr pc, bool ends, struct machine_state *ret)
{
	const struct cfg *cfg = r->fn->cfg;
	uint32_t number = cfg_find(cfg, pc, ends);

	if (number == CFG_NONE || !enter_block(r, number, ret))
		return false;
	for (uint32_t n = cfg->blocks.items[number].first;; n++) {
		const struct cfg_insn *insn = &cfg->insns.items[n];
		if (insn->addr + (ends ? insn->insn.size : 0) == pc)
			return true;
		dataflow_step(r, n, ret);
	}
}
