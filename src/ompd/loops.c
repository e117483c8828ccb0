/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/loops.h"

#include "ompd/callee.h"
#include "target/flow/flow.h"

enum { FRAMES_MAX = 1 << 14 }; /* that are analysed */

struct loop_search {
	struct walk *w;
	struct flow *flow; /* owned */
	size_t frames;     /* that have been analysed */
	struct callee_search called;
};

/* The user's frames of one region on a thread's stack: from "begin" up to "end". */
struct piece {
	int thread;
	size_t begin, end;
	int region, inner; /* which they belong to, and the one that is left; -1: none */
	bool in_task;      /* an explicit task has called them                               */
	const struct picture_task *task; /* which one; NULL: not known                       */
	const struct runtime_ops *ops;   /* of who has called them; NULL: none               */
};

/* ---- what calls do ---------------------------------------------------------------------- */

/* What a call does for loops; NULL: nothing. */
static const struct loop_call *loop_call_of(struct callee called)
{
	return called.runtime ? runtime_loop_call(called.runtime->ops, called.name) : NULL;
}

static struct flow_call classify(void *context, taddr target)
{
	struct loop_search *s = context;
	struct callee called = callee_find(&s->called, target);
	const struct loop_call *c = loop_call_of(called);

	return (struct flow_call){ .effect = c ? FLOW_TAKE : called.effect,
				   .kind = c ? (int)c->role : LOOP_NONE,
				   .argument = FLOW_NO_ARGUMENT };
}

/* Sites of a role, of those whose bits are set. */
static uint64_t sites_of(const struct flow_sites *sites, uint64_t of, enum loop_role role)
{
	uint64_t ret = 0;

	for (size_t i = 0; i < sites->len; i++) {
		if (of >> i & 1 && sites->items[i].kind == (int)role)
			ret |= UINT64_C(1) << i;
	}
	return ret;
}

/* The first site that leads to one of those, or is one; NULL: none. */
static const struct flow_site *first_site(const struct flow_sites *sites, uint64_t of,
					  uint64_t leading)
{
	for (size_t i = 0; i < sites->len; i++) {
		if (of >> i & 1 && (!leading || sites->items[i].leads & leading))
			return &sites->items[i];
	}
	return NULL;
}

/* The call by which the frame is in a loop: it got the present chunk. NULL: it is in none. */
static const struct flow_site *site_of_loop(const struct flow_sites *sites)
{
	uint64_t next = sites_of(sites, sites->ahead, LOOP_NEXT);
	uint64_t ends = sites_of(sites, sites->ahead, LOOP_STATIC_END);

	if (next)
		return first_site(sites, next, 0);
	if (!ends || sites_of(sites, sites->ahead, LOOP_STATIC))
		return NULL;
	return first_site(sites, sites_of(sites, UINT64_MAX, LOOP_STATIC), ends);
}

/* ---- the chunk -------------------------------------------------------------------------- */

static bool read_number(const struct loop_search *s, const struct loop_call *c,
			const struct flow_site *site, uint8_t argument, uint64_t *ret)
{
	uint64_t number = 0;
	unsigned int unused = 64 - 8U * c->bytes;

	if (argument == LOOP_NO_ARGUMENT || !(site->known >> (argument - 1) & 1) ||
	    !memory_try_read(s->w->target->memory, site->arguments[argument - 1], &number,
			     c->bytes))
		return false;
	number <<= unused;
	*ret = c->is_unsigned ? number >> unused : (uint64_t)((int64_t)number >> unused);
	return true;
}

/* Those, and what comes behind calls for the next chunk among them. */
static uint64_t leads_on(const struct flow_sites *sites, uint64_t leads)
{
	uint64_t before;

	do {
		before = leads;
		for (size_t i = 0; i < sites->len; i++) {
			if (leads >> i & 1 && sites->items[i].kind == LOOP_NEXT)
				leads |= sites->items[i].leads;
		}
	} while (leads != before);
	return leads;
}

/* The call that begins the loop tells the schedule, that for the next chunk where that is. */
static void read_schedule(struct loop_search *s, const struct flow_sites *sites,
			  const struct flow_site *site, struct loop_facts *ret)
{
	uint64_t to = UINT64_C(1) << (site - sites->items);

	for (size_t i = 0; i < sites->len; i++) {
		const struct flow_site *from = &sites->items[i];
		uint64_t leads = leads_on(sites, from->leads);
		struct callee called = callee_find(&s->called, from->target);
		const struct loop_call *c = loop_call_of(called);
		uint8_t n = c && called.runtime->ops->schedule ? c->schedule : LOOP_NO_ARGUMENT;
		if (n != LOOP_NO_ARGUMENT && from->known >> (n - 1) & 1 &&
		    (from == site || leads & to))
			ret->in_force = called.runtime->ops->schedule(from->arguments[n - 1]);
	}
}

/* The call that the frame is in, of those that begin loops or ask for chunks; NULL: none. */
static const struct flow_site *site_at(const struct flow_sites *sites,
				       const struct unwind_frame *frame)
{
	for (size_t i = 0; i < sites->len && !frame->exact; i++) {
		if (sites->items[i].call == frame->pc && sites->items[i].kind != LOOP_END &&
		    sites->items[i].kind != LOOP_STATIC_END)
			return &sites->items[i];
	}
	return NULL;
}

/* What has begun the loop gives no chunk, and the call that does lies ahead. */
static bool is_prepared(struct loop_search *s, const struct flow_sites *sites)
{
	bool ret = false;

	for (size_t i = 0; i < sites->len; i++) {
		const struct loop_call *c =
			loop_call_of(callee_find(&s->called, sites->items[i].target));
		ret |= sites->behind >> i & 1 && c && c->prepares;
	}
	return ret;
}

static void read_facts(struct loop_search *s, const struct piece *p, const struct flow_sites *sites,
		       const struct flow_site *site, struct picture_loop *ret)
{
	const struct callee called = callee_find(&s->called, site->target);
	const struct loop_call *c = loop_call_of(called);
	struct loop_facts *facts = &ret->facts;
	const struct flow_site *in = site_at(sites, &s->w->raw[p->thread].items[ret->frame]);

	if (!c)
		return;
	ret->api = called.name;
	ret->site = site->call - 1;
	*facts = (struct loop_facts){
		.sections = c->sections,
		.is_unsigned = c->is_unsigned,
		.counts = c->counts,
		.bytes = c->bytes,
		.has_step = c->counts,
		.step = 1,
		.in_runtime = in || is_prepared(s, sites),
	};
	facts->has_chunk = !facts->in_runtime && read_number(s, c, site, c->lower, &facts->first) &&
			   read_number(s, c, site, c->upper, &facts->last);
	read_schedule(s, sites, site, facts);
	const struct runtime_ops *ops = called.runtime->ops;
	/* As long as it begins, the runtime's memory may be of the loop before. */
	if (ops->read_loop && !(in && in->kind == LOOP_BEGIN))
		ops->read_loop(s->w, p->thread, p->inner, facts);
}

/* ---- pieces of stacks ------------------------------------------------------------------- */

static long number_in(const struct picture *p, int thread, int region)
{
	const struct picture_thread *th = picture_thread(p, thread);
	const struct picture_region *r = picture_region(p, region);

	if (th->region == region && region >= 0)
		return th->number;
	for (size_t i = 0; r && i < r->members.len; i++) {
		if (r->members.items[i] == thread)
			return (long)i;
	}
	return -1;
}

static bool find_site(struct loop_search *s, const struct piece *p, struct picture_loop *ret)
{
	const struct spans *spans = &picture_thread(s->w->picture, p->thread)->spans;
	struct flow_sites sites;

	for (size_t i = p->begin; i < p->end && s->frames < FRAMES_MAX; i++) {
		if (spans->kinds[i] != CODE_USER || spans->hidden[i])
			continue;
		s->frames++;
		flow_sites(s->flow, &s->w->raw[p->thread], i, &sites);
		const struct flow_site *site = site_of_loop(&sites);
		if (!site)
			continue;
		ret->frame = i;
		read_facts(s, p, &sites, site, ret);
		return true;
	}
	return false;
}

static void add_piece(struct loop_search *s, const struct piece *p)
{
	struct picture_loop loop = { .thread = p->thread,
				     .region = p->region,
				     .number = number_in(s->w->picture, p->thread, p->region),
				     .in_task = p->in_task,
				     .frame = p->begin,
				     .end = p->end };

	if (p->begin < p->end) {
		if (!find_site(s, p, &loop) && p->task && p->ops->read_taskloop)
			p->ops->read_taskloop(s->w, p->task, &loop.facts);
		s->w->failed |= !vec_push(&s->w->picture->loops, loop);
	}
}

/* Which calls the frames further in than a span. */
static void set_caller(const struct loop_search *s, const struct picture_thread *th, size_t span,
		       struct piece *ret)
{
	const struct picture_border *border = &th->borders[span];

	ret->ops = th->spans.list.items[span].runtime->ops;
	ret->task = picture_task(s->w->picture, border->task);
	ret->in_task = ret->task || th->spans.list.items[span].call == SPAN_TASK;
	ret->region = ret->in_task ? -1 : border->region;
}

static void search_thread(struct loop_search *s, int thread)
{
	const struct picture_thread *th = picture_thread(s->w->picture, thread);
	struct piece p = { .thread = thread, .inner = -1 };
	const struct unwind_stack *raw = &s->w->raw[thread];

	for (size_t i = 0; th->borders && i < th->spans.list.len; i++) {
		const struct span *span = &th->spans.list.items[i];
		p.end = span->inner;
		set_caller(s, th, i, &p);
		add_piece(s, &p);
		p.begin = span->outer;
		if (th->borders[i].region >= 0)
			p.inner = th->borders[i].region;
	}
	p.end = raw->len < th->spans.len ? raw->len : th->spans.len;
	p.region = -1;
	p.in_task = false;
	p.task = NULL;
	add_piece(s, &p);
}

void loops_find(struct walk *w)
{
	struct loop_search s = { .w = w, .called.w = w };

	s.flow = flow_new(w->target, w->unwinder, classify, &s);
	w->failed |= !s.flow;
	for (size_t i = 0; !w->failed && i < w->picture->threads.len; i++)
		search_thread(&s, (int)i);
	flow_free(s.flow);
	callee_fini(&s.called);
}
