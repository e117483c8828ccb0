/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/leaks.h"

#include <stdlib.h>

#include "target/code/call_site.h"
#include "target/code/code.h"
#include "target/code/lsda.h"

enum {
	FUNCTIONS_MAX = 256,
	CODE_MAX = 64 * 1024, /* bytes of one function                                 */
	LEAKS_MAX = 64,
	GIVERS_MAX = 64, /* tasks whose code is looked at for what it gives back     */
};

struct function {
	taddr start, end;
};

struct leak_search {
	struct walk *w;
	struct flow *flow;
	struct function functions[FUNCTIONS_MAX]; /* those that are called after their callers */
	size_t len;
	bool catches; /* some frame would catch an exception */
};

static bool is_known(const struct leak_search *s, taddr start)
{
	for (size_t i = 0; i < s->len; i++) {
		if (s->functions[i].start == start)
			return true;
	}
	return false;
}

/* The user's function around pc, or (begins) only if it begins there. */
static void add_function(struct leak_search *s, taddr pc, bool begins)
{
	struct function f;

	if (!pc || s->len == FUNCTIONS_MAX || runtime_code_at(&s->w->runtimes, pc) != CODE_USER ||
	    !unwind_function(s->w->unwinder, pc, &f.start, &f.end) || f.start >= f.end ||
	    (begins && f.start != pc) || is_known(s, f.start))
		return;
	s->functions[s->len++] = f;
}

/* ---- where to begin --------------------------------------------------------------------- */

static void add_frames(struct leak_search *s, size_t thread)
{
	const struct spans *spans = &picture_thread(s->w->picture, (int)thread)->spans;
	const struct unwind_stack *raw = &s->w->raw[thread];
	taddr last = 0;

	for (size_t i = 0; s->len < FUNCTIONS_MAX && i < raw->len && i < spans->len; i++) {
		taddr pc = spans_pc(&raw->items[i]);
		if (spans->kinds[i] == CODE_USER && !spans->hidden[i] && pc != last)
			add_function(s, pc, false);
		if (spans->kinds[i] == CODE_USER && !raw->items[i].exact)
			s->catches = s->catches ||
				     lsda_catches(s->w->target, s->w->unwinder, raw->items[i].pc);
		last = pc;
	}
}

static void add_roots(struct leak_search *s)
{
	const struct picture *p = s->w->picture;

	vec_for_each (region, &p->regions)
		add_function(s, region->function, false);
	vec_for_each (task, &p->tasks)
		add_function(s, task->function, false);
	for (size_t i = 0; i < p->threads.len; i++)
		add_frames(s, i);
}

/* ---- what they call --------------------------------------------------------------------- */

static void add_callee(struct leak_search *s, const struct insn *insn)
{
	if (insn->kind == INSN_CALL)
		add_function(s, jump_target(s->w->target, insn), true);
	else if (insn->kind == INSN_JUMP && insn->via == INSN_VIA_ADDRESS)
		add_function(s, jump_follow(s->w->target, insn->value), true);
	else if (insn->kind == INSN_CONSTANT) /* for the runtime to call: a region, a task */
		add_function(s, insn->value, true);
}

static void add_callees(struct leak_search *s, const struct function *f)
{
	taddr end = f->end - f->start < CODE_MAX ? f->end : f->start + CODE_MAX;
	AUTO(code_fini) struct code code = { 0 };
	struct insn insn;

	if (!code_read(s->w->target, f->start, end, &code))
		return;
	for (taddr at = f->start; s->len < FUNCTIONS_MAX && code_decode(&code, at, &insn);
	     at += insn.size)
		add_callee(s, &insn);
}

/* ---- all -------------------------------------------------------------------------------- */

static void add_leaks(struct leak_search *s, const struct flow_state *state, bool thrown)
{
	struct picture *p = s->w->picture;

	for (size_t i = 0; i < state->nholds && p->leaks.len < LEAKS_MAX; i++) {
		const struct flow_hold *hold = &state->holds[i];
		struct picture_leak leak = {
			.kind = (enum wait_kind)hold->kind,
			.object = hold->object,
			.always = hold->always,
			.thrown = thrown,
			.place.pc = hold->taken - 1,
		};
		s->w->failed |= !vec_push(&p->leaks, leak);
	}
}

void leaks_find(struct walk *w, struct flow *flow)
{
	AUTO_FREE struct leak_search *s = calloc(1, sizeof(*s));

	w->failed |= !s;
	if (!s || !w->target->arch || !w->target->arch->decode)
		return;
	struct flow_state state;
	s->w = w;
	s->flow = flow;
	add_roots(s);
	for (size_t i = 0; i < s->len; i++) {
		flow_leaks(flow, s->functions[i].start, &state);
		add_leaks(s, &state, false);
		add_callees(s, &s->functions[i]);
	}
	for (size_t i = 0; i < s->len && s->catches; i++) {
		flow_thrown(flow, s->functions[i].start, &state);
		add_leaks(s, &state, true);
	}
}

static void add_givers(struct walk *w, int task, const struct flow_state *state)
{
	for (size_t i = 0; i < state->ngives; i++) {
		const struct flow_hold *give = &state->gives[i];
		struct picture_giver giver = { (enum wait_kind)give->kind, give->object, task };
		if (give->object && give->always)
			w->failed |= !vec_push(&w->picture->givers, giver);
	}
}

void leaks_find_givers(struct walk *w, struct flow *flow)
{
	const struct picture *p = w->picture;
	taddr last = 0; /* as a rule many tasks that follow one another are of one construct */
	size_t left = GIVERS_MAX;
	struct flow_state state = { 0 };

	for (int i = 0; i < (int)p->tasks.len && left; i++) {
		const struct picture_task *task = picture_task(p, i);
		bool begun = task->state != TASK_QUEUED && task->state != TASK_BLOCKED;
		if (begun || !task->function)
			continue;
		if (task->function != last) {
			flow_leaks(flow, task->function, &state);
			left--;
		}
		last = task->function;
		if (state.complete)
			add_givers(w, i, &state);
	}
}
