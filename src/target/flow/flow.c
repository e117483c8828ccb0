/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/flow.h"

#include <stdlib.h>

#include "target/flow/call_order.h"
#include "target/flow/paths.h"

enum {
	PASSES_MAX = 3,       /* until no more numbers come to light                          */
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

static void fill_arguments(const struct dataflow *r, const struct machine_state *s,
			   taddr ret[ARCH_ARGUMENTS])
{
	for (size_t i = 0; i < ARCH_ARGUMENTS; i++) {
		struct term value = s->regs[r->machine.target->arch->code_arguments[i]];
		if (!terms_number(r->machine.terms, value, &ret[i]))
			ret[i] = 0;
	}
}

static void fill(const struct dataflow *r, const struct machine_state *s, struct flow_state *ret)
{
	*ret = (struct flow_state){
		.complete = !r->incomplete && !s->held.overflow && !s->given.overflow,
	};
	ret->nholds = fill_holds(r, &s->held, ret->holds);
	ret->ngives = fill_holds(r, &s->given, ret->gives);
	fill_arguments(r, s, ret->arguments);
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

bool flow_entered_with(struct flow *f, struct thread *th, const struct unwind_stack *stack,
		       size_t index, unsigned int n, uint64_t *ret)
{
	const struct unwind_frame *frame = &stack->items[index];
	struct routine *fn = routines_at(&f->routines, frame->pc - !frame->exact);
	const struct arch *arch = f->routines.target->arch;
	struct machine_state s;
	struct actual at;
	struct dataflow r;

	if (!frame->cfa || !fn || !fn->cfg)
		return false;
	routines_look(&f->routines, fn, 1);
	actual_read(f->routines.unwinder, th, stack, index, fn->cfg, &at);
	dataflow_begin(f, fn, &r);
	r.machine.stack = term_of(frame->cfa - arch->stack_slot);
	bool found = pass(&r, &at, &s) && !r.incomplete &&
		     actual_number(&at, &r.machine, &s, r.begin.regs[arch->code_arguments[n]], ret);
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
