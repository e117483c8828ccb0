/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/flow.h"

#include <stdlib.h>

#include "target/code/jump.h"
#include "target/flow/call_order.h"
#include "target/flow/paths.h"

enum {
	PASSES_MAX = 3,       /* until no more numbers come to light                          */
	CALLERS_MAX = 4,      /* that are asked for an argument which was passed on           */
	STEPS_MAX = 400000,   /* instructions for one question                                */
	STEPS_ALL = 20000000, /* instructions for all questions                               */
};

struct flow {
	struct routines routines;
	struct terms terms;
	struct dataflow_budget budget;
};

struct flow *flow_new(struct target *t, struct unwinder *u, flow_classify *classify, void *context)
{
	struct flow *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->routines = (struct routines){
		.target = t, .unwinder = u, .classify = classify, .context = context
	};
	f->budget.all_steps = STEPS_ALL;
	return f;
}

void flow_free(struct flow *f)
{
	if (!f)
		return;
	routines_fini(&f->routines);
	terms_fini(&f->terms);
	free(f);
}

/* ---- questions ------------------------------------------------------------------------------ */

static int by_call(const void *a, const void *b)
{
	const struct flow_hold *x = a, *y = b;

	return x->call < y->call ? -1 : x->call > y->call;
}

static size_t fill_holds(const struct dataflow *r, const struct held *from,
			 struct flow_hold ret[FLOW_HOLDS_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < from->len && n < FLOW_HOLDS_MAX; i++) {
		const struct held_item *item = &from->items[i];
		struct flow_hold hold = { .call = item->by.call,
					  .taken = item->by.taken,
					  .kind = item->by.kind,
					  .always = item->least > 0 };
		if (!terms_number(r->machine.terms, item->object, &hold.object))
			hold.object = 0;
		ret[n++] = hold;
	}
	qsort(ret, n, sizeof(*ret), by_call);
	return n;
}

static void fill(const struct dataflow *r, const struct machine_state *s, struct flow_state *ret)
{
	*ret = (struct flow_state){
		.complete = !r->incomplete && !s->held.overflow && !s->given.overflow,
	};
	ret->nholds = fill_holds(r, &s->held, ret->holds);
	ret->ngives = fill_holds(r, &s->given, ret->gives);
}

/* Goes through the function once more. false: pc is not in it. */
static bool pass(struct dataflow *r, const struct actual *at, struct machine_state *ret)
{
	machine_begin(&r->machine, r->fn->cfg->start, &r->begin);
	return dataflow_go(r) && dataflow_at(r, at->pc, at->ends, ret);
}

/* Where the stack is, if that is not known. */
static struct term unknown_stack(struct terms *all)
{
	return (struct term){ .symbol = terms_get(all, 0, 0, TERM_ENTRY, true) };
}

static void dataflow_begin(struct flow *f, const struct routine *fn, struct dataflow *ret)
{
	f->budget.steps = STEPS_MAX;
	terms_clear(&f->terms);
	*ret = (struct dataflow){
		.budget = &f->budget,
		.fn = fn,
		.machine = { .target = f->routines.target,
			     .terms = &f->terms,
			     .dead_below = INT64_MIN / 2 },
	};
}

/* It is known what is held, always, and what objects that is. */
static bool is_exact(const struct flow_state *s)
{
	bool exact = true;

	for (size_t i = 0; i < s->nholds; i++)
		exact &= s->holds[i].always && s->holds[i].object;
	return exact;
}

/* What the graph says; then, where that is not enough, what each single way says. */
static void find_holds(struct dataflow *r, const struct actual *at, struct flow_state *ret)
{
	struct machine_state s;
	bool never = true; /* in the first pass all frames are alike */

	for (unsigned int n = 0; n < PASSES_MAX; n++) {
		bool reached = pass(r, at, &s);
		if (reached)
			fill(r, &s, ret);
		never &= reached && !ret->nholds && !ret->ngives;
		bool news = reached && actual_pin(at, &r->machine, &s);
		dataflow_fini(r);
		if (!news)
			break;
	}
	if (ret->complete && !is_exact(ret) && paths_find(r, at, &s.held))
		fill(r, &s, ret);
	ret->never = never;
}

void flow_at(struct flow *f, struct thread *th, const struct unwind_stack *stack, size_t index,
	     struct flow_state *ret)
{
	const struct unwind_frame *frame = &stack->items[index];
	struct routine *fn = routines_at(&f->routines, frame->pc - !frame->exact);
	struct actual at;
	struct dataflow r;

	*ret = (struct flow_state){ .never = true, .complete = fn && fn->cfg && fn->cfg->complete };
	if (!fn || !routines_look(&f->routines, fn, DATAFLOW_LEVELS + 1))
		return;
	*ret = (struct flow_state){ 0 };
	actual_read(f->routines.unwinder, th, stack, index, fn->cfg, &at);
	dataflow_begin(f, fn, &r);
	r.machine.stack = frame->cfa ? term_of(frame->cfa - r.machine.target->arch->stack_slot)
				     : unknown_stack(&f->terms);
	find_holds(&r, &at, ret);
}

/*
 * What is known where a frame stands, of a function in which no call need matter, after so many
 * passes at most. false: nothing.
 */
static bool begin_at(struct flow *f, struct thread *th, const struct unwind_stack *stack,
		     size_t index, unsigned int passes, struct actual *at, struct dataflow *ret,
		     struct machine_state *s)
{
	const struct unwind_frame *frame = &stack->items[index];
	struct routine *fn = routines_at(&f->routines, frame->pc - !frame->exact);

	if (!frame->cfa || !fn || !fn->cfg)
		return false;
	routines_look(&f->routines, fn, 1);
	actual_read(f->routines.unwinder, th, stack, index, fn->cfg, at);
	dataflow_begin(f, fn, ret);
	ret->machine.stack = term_of(frame->cfa - f->routines.target->arch->stack_slot);
	while (pass(ret, at, s)) {
		if (!--passes || !actual_pin(at, &ret->machine, s))
			return true;
		dataflow_fini(ret);
	}
	return false;
}

/* Whether a frame's function was entered by the call that the next frame out stands at. */
static bool is_called_there(struct flow *f, const struct unwind_stack *stack, size_t index)
{
	const struct unwind_frame *caller =
		index + 1 < stack->len ? &stack->items[index + 1] : NULL;
	const struct routine *own =
		routines_at(&f->routines, stack->items[index].pc - !stack->items[index].exact);
	const struct routine *fn =
		caller && !caller->exact ? routines_at(&f->routines, caller->pc - 1) : NULL;

	if (!own || !fn || !fn->cfg)
		return false;
	const struct cfg_insn *call = cfg_before(fn->cfg, caller->pc);
	return call && jump_target(f->routines.target, &call->insn) == own->start;
}

/* As flow_arguments(). levels: of callers that may be asked for what they have passed on. */
static void find_arguments(struct flow *f, struct thread *th, const struct unwind_stack *stack,
			   size_t index, unsigned int levels, struct flow_arguments *ret)
{
	const struct arch *arch = f->routines.target->arch;
	struct flow_arguments passed = { 0 };
	size_t passed_on[ARCH_ARGUMENTS]; /* which own argument it is, from 1 on; 0: none */
	uint64_t further[ARCH_ARGUMENTS]; /* what has been added to that                   */
	bool asks = false;
	struct machine_state s;
	struct actual at;
	struct dataflow r = { 0 };
	const bool reached = begin_at(f, th, stack, index, PASSES_MAX, &at, &r, &s);

	*ret = (struct flow_arguments){ 0 };
	for (size_t i = 0; reached && i < ARCH_ARGUMENTS; i++) {
		const struct term term = s.regs[arch->code_arguments[i]];
		uint64_t *number = &ret->items[i];
		if (actual_number(&at, &r.machine, &s, term, MACHINE_WORD, number))
			ret->known |= UINT32_C(1) << i;
		if (ret->known >> i & 1 ||
		    actual_number(&at, &r.machine, &s, term, MACHINE_WORD / 2, number))
			ret->halves |= UINT32_C(1) << i;
		passed_on[i] = 0;
		further[i] = term.offset;
		for (size_t k = 0; term.symbol > TERM_LOST && k < ARCH_ARGUMENTS; k++) {
			if (r.begin.regs[arch->code_arguments[k]].symbol == term.symbol)
				passed_on[i] = k + 1;
		}
		asks |= passed_on[i] && !(ret->known >> i & 1);
	}
	dataflow_fini(&r);
	if (!asks || !levels || !is_called_there(f, stack, index))
		return;
	find_arguments(f, th, stack, index + 1, levels - 1, &passed);
	for (size_t i = 0; i < ARCH_ARGUMENTS; i++) {
		const size_t own = passed_on[i] - 1;
		const uint32_t bit = UINT32_C(1) << i;
		if (!passed_on[i] || ret->known & bit || !(passed.halves >> own & 1))
			continue;
		ret->items[i] = passed.items[own] + further[i];
		ret->halves |= bit;
		ret->known |= passed.known >> own & 1 ? bit : 0;
	}
}

void flow_arguments(struct flow *f, struct thread *th, const struct unwind_stack *stack,
		    size_t index, struct flow_arguments *ret)
{
	find_arguments(f, th, stack, index, CALLERS_MAX, ret);
}

void flow_jump_arguments(struct flow *f, taddr pc, struct flow_arguments *ret)
{
	struct routine *fn = routines_at(&f->routines, pc);
	const struct actual at = { .pc = pc };
	struct machine_state s;
	struct dataflow r;

	*ret = (struct flow_arguments){ 0 };
	if (!fn || !fn->cfg)
		return;
	routines_look(&f->routines, fn, 1);
	dataflow_begin(f, fn, &r);
	r.machine.stack = unknown_stack(&f->terms);
	if (pass(&r, &at, &s)) {
		for (size_t i = 0; i < ARCH_ARGUMENTS; i++) {
			const struct term term = s.regs[r.machine.target->arch->code_arguments[i]];
			if (terms_number(r.machine.terms, term, &ret->items[i]))
				ret->known |= UINT32_C(1) << i;
		}
	}
	ret->halves = ret->known;
	dataflow_fini(&r);
}

bool flow_entered_with(struct flow *f, struct thread *th, const struct unwind_stack *stack,
		       size_t index, unsigned int n, uint64_t *ret)
{
	const struct arch *arch = f->routines.target->arch;
	struct machine_state s;
	struct actual at;
	struct dataflow r = { 0 };
	bool found = begin_at(f, th, stack, index, 1, &at, &r, &s) && !r.incomplete &&
		     actual_number(&at, &r.machine, &s, r.begin.regs[arch->code_arguments[n]],
				   MACHINE_WORD, ret);

	dataflow_fini(&r);
	return found;
}

void flow_sites(struct flow *f, const struct unwind_stack *stack, size_t index,
		struct flow_sites *ret)
{
	const struct unwind_frame *frame = &stack->items[index];
	struct routine *fn = routines_at(&f->routines, frame->pc - !frame->exact);
	struct dataflow r;

	*ret = (struct flow_sites){ .complete = fn && fn->cfg && fn->cfg->complete };
	if (!fn || !routines_look(&f->routines, fn, 1))
		return;
	dataflow_begin(f, fn, &r);
	r.machine.stack = frame->cfa ? term_of(frame->cfa - r.machine.target->arch->stack_slot)
				     : unknown_stack(&f->terms);
	machine_begin(&r.machine, fn->cfg->start, &r.begin);
	ret->complete = dataflow_go(&r) && call_order_find(&r, frame, ret) && !r.incomplete;
	dataflow_fini(&r);
}

void flow_leaks(struct flow *f, taddr pc, struct flow_state *ret)
{
	struct routine *fn = routines_at(&f->routines, pc);
	struct machine_state s;
	struct dataflow r;

	*ret = (struct flow_state){ .complete = fn && fn->cfg && fn->cfg->complete };
	if (!fn || !routines_look(&f->routines, fn, DATAFLOW_LEVELS + 1))
		return;
	ret->complete = false;
	dataflow_begin(f, fn, &r);
	r.machine.stack = unknown_stack(&f->terms);
	machine_begin(&r.machine, fn->cfg->start, &r.begin);
	if (dataflow_go(&r)) {
		ret->complete = !r.incomplete;
		if (dataflow_exits(&r, &s))
			fill(&r, &s, ret);
	}
	dataflow_fini(&r);
}

/* What is held there, too. */
static void add_thrown(const struct dataflow *r, const struct held *held, struct flow_state *ret)
{
	struct flow_hold holds[FLOW_HOLDS_MAX];
	size_t n = fill_holds(r, held, holds), known;

	for (size_t i = 0; i < n && ret->nholds < FLOW_HOLDS_MAX; i++) {
		for (known = 0; known < ret->nholds; known++) {
			if (ret->holds[known].call == holds[i].call)
				break;
		}
		holds[i].always = false;
		if (known == ret->nholds)
			ret->holds[ret->nholds++] = holds[i];
	}
}

void flow_thrown(struct flow *f, taddr pc, struct flow_state *ret)
{
	struct routine *fn = routines_at(&f->routines, pc);
	struct machine_state s;
	struct dataflow r;

	*ret = (struct flow_state){ 0 };
	if (!fn || !routines_look(&f->routines, fn, DATAFLOW_LEVELS + 1))
		return;
	dataflow_begin(f, fn, &r);
	r.machine.stack = unknown_stack(&f->terms);
	machine_begin(&r.machine, fn->cfg->start, &r.begin);
	bool done = dataflow_go(&r);
	for (size_t i = 0; done && i < fn->cfg->insns.len; i++) {
		const struct cfg_insn *insn = &fn->cfg->insns.items[i];
		if (routines_may_throw(&f->routines, &insn->insn) &&
		    dataflow_at(&r, insn->addr, false, &s))
			add_thrown(&r, &s.held, ret);
	}
	dataflow_fini(&r);
}
