/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/holds.h"

#include <stdlib.h>

#include "ompd/callee.h"
#include "ompd/leaks.h"
#include "target/code/call_site.h"
#include "target/flow/flow.h"

enum {
	FRAMES_MAX = 1 << 14, /* that are analysed                                       */
	HOLDS_MAX = 1 << 12,
	UNHELD_SLOTS = 1 << 10,
	UNNAMED = 1, /* what stands for the lock of the unnamed construct: no address */
};

/* What a thread waits for. */
struct want {
	enum wait_kind kind; /* WAIT_NONE: nothing of the sort                        */
	taddr object;        /* the user's, or what stands for it; 0: not known       */
	taddr internal;      /* the runtime's own lock; 0: not known                  */
};

struct hold_search {
	struct walk *w;
	struct callee_search called;
	struct flow *flow;  /* owned */
	struct want *wants; /* owned; one for each thread */
	taddr *unnamed;     /* owned; one for each runtime: the lock of the unnamed construct */
	size_t frames;      /* that have been analysed */
	taddr unheld[UNHELD_SLOTS]; /* places in the code at which nothing is held */
};

/* ---- what calls do ---------------------------------------------------------------------- */

/* What a call of an entry of a runtime does. Its kind is of enum wait_kind. */
static struct flow_call classify(void *context, taddr target)
{
	struct hold_search *s = context;
	struct callee called = callee_find(&s->called, target);
	const struct runtime *r = called.runtime;
	const struct runtime_entry *e = r ? runtime_entry(r->ops, called.name) : NULL;

	if (!e || e->effect == FLOW_NOTHING)
		return (struct flow_call){ .effect = called.effect, .argument = FLOW_NO_ARGUMENT };
	return (struct flow_call){
		.effect = e->effect,
		.kind = (int)e->kind,
		.once = e->kind != WAIT_NEST_LOCK,
		.argument = e->object ? e->object - 1 : FLOW_NO_ARGUMENT,
		.object = e->object ? 0 : s->unnamed[r - s->w->runtimes.items],
	};
}

/* ---- what threads wait for -------------------------------------------------------------- */

/* The span in which a thread waits for something that can be held; NULL: in none. */
static const struct span *waiting_span(const struct picture_thread *th)
{
	const struct picture_wait *wait = &th->wait;

	if (!wait_kind_traits(wait->kind)->is_lock)
		return NULL;
	return spans_innermost(&th->spans);
}

static bool somebody_waits(const struct picture *p)
{
	vec_for_each (th, &p->threads) {
		if (waiting_span(th))
			return true;
	}
	return false;
}

/* The object of a call by the argument that it got; 0: not known. */
static taddr object_of_call(struct hold_search *s, size_t thread, size_t frame)
{
	const struct unwind_stack *raw = &s->w->raw[thread];
	struct flow_arguments arguments;

	if (frame >= raw->len)
		return 0;
	taddr to = call_site_before(s->w->calls, raw->items[frame].pc).target;
	struct flow_call call = to ? classify(s, to) : (struct flow_call){ 0 };
	if (call.effect == FLOW_NOTHING || call.argument == FLOW_NO_ARGUMENT)
		return 0;
	flow_arguments(s->flow, s->w->target->threads.items[thread], raw, frame, &arguments);
	return arguments.known >> call.argument & 1 ? arguments.items[call.argument] : 0;
}

/* The entry takes the lock of the unnamed construct: none is named. */
static bool is_unnamed(const struct span *span)
{
	return span->entry && span->entry->effect == FLOW_TAKE && !span->entry->object;
}

static taddr inner_lock(const struct hold_search *s, size_t thread, const struct span *span)
{
	const struct runtime_ops *ops = span->runtime->ops;

	return ops->inner_lock ? ops->inner_lock(s->w, (int)thread, span) : 0;
}

/* What can be said of a thread's wait without looking at the user's code. */
static void begin_want(struct hold_search *s, size_t thread)
{
	struct picture_thread *th = picture_thread(s->w->picture, (int)thread);
	const struct span *span = waiting_span(th);

	if (!span)
		return;
	s->wants[thread].kind = th->wait.kind;
	if (!is_unnamed(span))
		return;
	if (!th->wait.object)
		th->wait.object = inner_lock(s, thread, span);
	if (th->wait.object)
		s->unnamed[span->runtime - s->w->runtimes.items] = th->wait.object;
}

static bool lacks_object(const struct want *want)
{
	return want->kind && !want->object;
}

/* Threads that wait for one lock of the runtime's wait for one object: what one tells all know. */
static void share_object(const struct hold_search *s, struct want *want)
{
	for (size_t i = 0; want->internal && !want->object && i < s->w->picture->threads.len; i++) {
		if (s->wants[i].internal == want->internal)
			want->object = s->wants[i].object;
	}
}

static void finish_want(struct hold_search *s, size_t thread)
{
	struct picture_thread *th = picture_thread(s->w->picture, (int)thread);
	const struct span *span = waiting_span(th);
	struct want *want = &s->wants[thread];

	if (!span)
		return;
	if (is_unnamed(span)) {
		want->object = s->unnamed[span->runtime - s->w->runtimes.items];
		return;
	}
	want->object = th->wait.object;
	if (!want->object)
		want->internal = inner_lock(s, thread, span);
	share_object(s, want);
	if (!want->object && !span->nleft)
		want->object =
			object_of_call(s, thread, spans_behind_system(&th->spans, span->outer));
	th->wait.object = want->object;
}

/* The runtime's lock has not been looked for where the user's is a constant in the code. */
static void share_constants(struct hold_search *s)
{
	struct picture *p = s->w->picture;
	bool lacking = false;

	for (size_t i = 0; i < p->threads.len; i++)
		lacking |= lacks_object(&s->wants[i]);
	for (size_t i = 0; lacking && i < p->threads.len; i++) {
		const struct span *span = waiting_span(&p->threads.items[i]);
		if (span && !s->wants[i].internal)
			s->wants[i].internal = inner_lock(s, i, span);
	}
	for (size_t i = 0; lacking && i < p->threads.len; i++) {
		if (!lacks_object(&s->wants[i]))
			continue;
		share_object(s, &s->wants[i]);
		p->threads.items[i].wait.object = s->wants[i].object;
	}
}

static void find_wants(struct hold_search *s)
{
	size_t n = s->w->picture->threads.len;

	for (size_t i = 0; i < n; i++)
		begin_want(s, i);
	for (size_t i = 0; i < n; i++)
		finish_want(s, i);
	share_constants(s);
}

/* ---- what threads hold ------------------------------------------------------------------ */

static void add_hold(struct walk *w, int thread, const struct flow_hold *hold)
{
	struct picture *p = w->picture;
	struct picture_hold found = {
		.thread = thread,
		.kind = (enum wait_kind)hold->kind,
		.object = hold->object,
		.always = hold->always,
		.place.pc = hold->taken - 1,
	};

	if (p->holds.len == HOLDS_MAX)
		p->holds_complete = false;
	else
		w->failed |= !vec_push(&p->holds, found);
}

/* What frames further in have given back. */
struct gives {
	struct flow_hold items[FLOW_HOLDS_MAX];
	size_t len;
};

static void add_gives(struct gives *to, const struct flow_state *state)
{
	for (size_t i = 0; i < state->ngives && to->len < FLOW_HOLDS_MAX; i++)
		to->items[to->len++] = state->gives[i];
}

/* true: it is not held any more. It may be so: then not always. */
static bool is_given_back(const struct gives *gives, struct flow_hold *hold)
{
	for (size_t i = 0; i < gives->len; i++) {
		const struct flow_hold *give = &gives->items[i];
		bool unknown = !give->object || !hold->object;
		if (give->kind != hold->kind || (!unknown && give->object != hold->object))
			continue;
		if (give->always && !unknown)
			return true;
		hold->always = false;
	}
	return false;
}

static void look_at_frame(struct hold_search *s, size_t thread, size_t frame, struct gives *gives)
{
	struct picture *p = s->w->picture;
	const struct unwind_stack *raw = &s->w->raw[thread];
	taddr pc = raw->items[frame].pc;
	taddr *unheld = &s->unheld[pc % UNHELD_SLOTS];
	struct flow_state state;

	if (*unheld == pc)
		return;
	if (++s->frames > FRAMES_MAX) {
		p->holds_complete = false;
		return;
	}
	flow_at(s->flow, s->w->target->threads.items[thread], raw, frame, &state);
	p->holds_complete &= state.complete;
	if (state.never)
		*unheld = pc;
	for (size_t i = 0; i < state.nholds; i++) {
		if (!is_given_back(gives, &state.holds[i]))
			add_hold(s->w, (int)thread, &state.holds[i]);
	}
	add_gives(gives, &state);
}

static void find_holds(struct hold_search *s)
{
	struct picture *p = s->w->picture;

	p->holds_complete = true;
	for (size_t thread = 0; thread < p->threads.len; thread++) {
		const struct spans *spans = &picture_thread(p, (int)thread)->spans;
		const struct unwind_stack *raw = &s->w->raw[thread];
		struct gives gives = { .len = 0 };
		p->holds_complete &= raw->len && !raw->end && !raw->cut;
		for (size_t i = 0; i < raw->len && i < spans->len; i++) {
			if (spans->kinds[i] == CODE_USER && !spans->hidden[i])
				look_at_frame(s, thread, i, &gives);
		}
	}
}

/* ---- who holds what is waited for ------------------------------------------------------- */

/* How well a hold fits what a thread waits for, best first. */
enum fit { FIT_ALWAYS, FIT_SOMETIMES, FIT_UNKNOWN, FIT_NOT };

static enum fit fit_of(const struct want *want, const struct picture_hold *hold)
{
	if (hold->kind != want->kind)
		return FIT_NOT;
	if (!hold->object || !want->object)
		return FIT_UNKNOWN;
	if (hold->object != want->object)
		return FIT_NOT;
	return hold->always ? FIT_ALWAYS : FIT_SOMETIMES;
}

/* Whether a thread waits for the same thing. */
static bool waits_for(const struct hold_search *s, int thread, const struct want *want)
{
	const struct want *its = &s->wants[thread];

	if (its->kind != want->kind)
		return false;
	return want->object ? its->object == want->object
			    : want->internal && its->internal == want->internal;
}

/* Who may have what is wanted, likeliest first. */
static const struct rank {
	enum fit fit;
	bool that_wait; /* for it themselves */
} ranks[] = {
	{ FIT_ALWAYS, false },  { FIT_ALWAYS, true },    { FIT_SOMETIMES, false },
	{ FIT_UNKNOWN, false }, { FIT_SOMETIMES, true },
};

/* Of those that wait for what they themselves may have. */
static bool is_own(const struct rank *rank)
{
	return rank->that_wait && rank->fit == FIT_SOMETIMES;
}

/* All of a thread's team are in the region's code: nobody has left it, with a lock or without. */
static bool is_together(const struct picture *p, int thread)
{
	const struct picture_region *r = picture_region(p, p->threads.items[thread].region);

	for (size_t i = 0; r && i < r->members.len; i++) {
		int member = r->members.items[i];
		if (member < 0 || p->threads.items[member].wait.kind == WAIT_REGION_END)
			return false;
	}
	return true;
}

/* Adds the holds of one rank to the picture's candidates, one of each thread. */
static void add_candidates(const struct hold_search *s, const struct want *want,
			   const struct rank *rank)
{
	struct picture *p = s->w->picture;
	bool own = is_own(rank);
	int last = -1;

	for (size_t i = 0; i < p->holds.len; i++) {
		const struct picture_hold *hold = &p->holds.items[i];
		if (hold->thread == last || fit_of(want, hold) != rank->fit ||
		    waits_for(s, hold->thread, want) != rank->that_wait ||
		    (own && !is_together(p, hold->thread)))
			continue;
		last = hold->thread;
		s->w->failed |= !vec_push(&p->candidates, (int)i);
	}
}

/*
 * The hold by which somebody has what is wanted. Only one can; where the code leaves several, they
 * are the candidates. A thread that itself waits for it has it only if it has taken it before: in
 * a loop that is always possible, so it must be certain, or nobody else can have it: not even one
 * that has done the same and is gone.
 */
static void infer_hold(const struct hold_search *s, const struct want *want,
		       struct picture_wait *ret)
{
	struct picture *p = s->w->picture;
	size_t first = p->candidates.len, n = 0;

	for (size_t i = 0; !n && i < sizeof(ranks) / sizeof(*ranks); i++) {
		add_candidates(s, want, &ranks[i]);
		n = p->candidates.len - first;
		if (n > 1 && (is_own(&ranks[i]) ? p->holds_complete : !ranks[i].that_wait)) {
			ret->candidate = first;
			ret->ncandidates = n;
			return;
		}
	}
	if (n == 1)
		ret->hold = p->candidates.items[first];
	p->candidates.len = first;
}

/* Where a thread that is known to be the holder has taken it. */
static int hold_of(const struct hold_search *s, const struct want *want, int holder)
{
	const struct picture *p = s->w->picture;
	enum fit best = FIT_NOT;
	int found = -1;

	for (size_t i = 0; i < p->holds.len; i++) {
		enum fit fit = fit_of(want, &p->holds.items[i]);
		if (p->holds.items[i].thread != holder || fit >= best)
			continue;
		best = fit;
		found = (int)i;
	}
	return found;
}

static void find_holder(const struct hold_search *s, size_t thread, struct picture_wait *ret)
{
	const struct picture *p = s->w->picture;
	const struct want *want = &s->wants[thread];

	const struct span *span = waiting_span(picture_thread(p, (int)thread));
	const struct runtime_ops *ops = span->runtime->ops;

	/* More is known of the object than when the wait was looked at. */
	if (ret->holder < 0 && ops->holder)
		ret->holder = ops->holder(s->w, (int)thread, span);
	if (ret->holder >= 0) {
		ret->holder_source = SOURCE_MEMORY;
		ret->hold = hold_of(s, want, ret->holder);
		return;
	}
	infer_hold(s, want, ret);
	if (ret->hold < 0)
		return;
	ret->holder = p->holds.items[ret->hold].thread;
	ret->holder_source = SOURCE_INFERRED;
}

static bool same_want(const struct want *a, const struct want *b)
{
	return a->kind == b->kind && a->object == b->object &&
	       (a->object || a->internal == b->internal);
}

/* true: some have no holder. */
static bool find_holders(const struct hold_search *s)
{
	struct picture *p = s->w->picture;
	const struct want *last = NULL; /* as a rule many threads wait for the same */
	const struct picture_wait *answer = NULL;
	bool missing = false;

	for (size_t i = 0; i < p->threads.len; i++) {
		struct picture_wait *wait = &p->threads.items[i].wait;
		if (!s->wants[i].kind)
			continue;
		if (last && same_want(last, &s->wants[i]) && wait->holder < 0) {
			wait->holder = answer->holder;
			wait->holder_source = answer->holder_source;
			wait->hold = answer->hold;
			wait->candidate = answer->candidate;
			wait->ncandidates = answer->ncandidates;
		} else {
			find_holder(s, i, wait);
		}
		last = &s->wants[i];
		answer = wait;
		missing |= wait->holder < 0;
	}
	return missing;
}

/* ---- all -------------------------------------------------------------------------------- */

/* Of a signal it does not matter who has taken it, but who will give it. */
static void forget_holders_of_signals(struct picture *p)
{
	vec_for_each (th, &p->threads) {
		vec_for_each (giver, &p->givers) {
			if (th->wait.kind != giver->kind || th->wait.object != giver->object)
				continue;
			th->wait.holder = th->wait.hold = -1;
			th->wait.holder_source = SOURCE_NONE;
			th->wait.ncandidates = 0;
		}
	}
}

static void forget_unnamed(struct picture *p)
{
	vec_for_each (hold, &p->holds)
		hold->object = hold->object == UNNAMED ? 0 : hold->object;
	vec_for_each (leak, &p->leaks)
		leak->object = leak->object == UNNAMED ? 0 : leak->object;
}

static void hold_search_free(struct hold_search **s)
{
	if (!*s)
		return;
	flow_free((*s)->flow);
	callee_fini(&(*s)->called);
	free((*s)->wants);
	free((*s)->unnamed);
	free(*s);
}

static struct hold_search *hold_search_new(struct walk *w)
{
	AUTO(hold_search_free) struct hold_search *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->w = w;
	s->called.w = w;
	s->wants = calloc(w->picture->threads.len + 1, sizeof(*s->wants));
	s->unnamed = calloc(w->runtimes.len + 1, sizeof(*s->unnamed));
	s->flow = flow_new(w->target, w->unwinder, classify, s);
	for (size_t i = 0; s->unnamed && i < w->runtimes.len; i++)
		s->unnamed[i] = UNNAMED;
	return s->wants && s->unnamed && s->flow ? TAKE(s) : NULL;
}

void holds_find(struct walk *w)
{
	if (!w->holds && !somebody_waits(w->picture))
		return;
	AUTO(hold_search_free) struct hold_search *s = hold_search_new(w);
	w->failed |= !s;
	if (!s)
		return;
	find_wants(s);
	find_holds(s);
	if (!w->failed && find_holders(s))
		leaks_find(w, s->flow);
	leaks_find_givers(w, s->flow);
	forget_holders_of_signals(w->picture);
	forget_unnamed(w->picture);
}
