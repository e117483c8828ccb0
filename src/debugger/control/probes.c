/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/probes.h"

#include <string.h>

#include "base/clock.h"
#include "debugger/control/probe_counts.h"
#include "debugger/control/probe_inside.h"
#include "debugger/control/probe_jumps.h"
#include "debugger/control/probe_parts.h"
#include "debugger/control/probe_program.h"
#include "debugger/control/probe_wants.h"
#include "target/code/call_site.h"
#include "target/process/opcode.h"

struct probes *probes_new(void)
{
	return calloc(1, sizeof(struct probes));
}

void probes_free(struct probes *p)
{
	if (!p)
		return;
	probe_functions_fini(&p->functions);
	vec_fini(&p->points);
	vec_fini(&p->backs);
	vec_fini(&p->codes);
	vec_fini(&p->jumps);
	while (p->wishes.len)
		probes_drop(p, p->wishes.items[0]->number);
	vec_fini(&p->wishes);
	free(p);
}

/* ---- wishes ----------------------------------------------------------------------------- */

static struct wished *find_wish(const struct probes *p, unsigned int number)
{
	vec_for_each (w, &p->wishes) {
		if ((*w)->number == number)
			return *w;
	}
	return NULL;
}

struct probe_wish *probes_wish(struct probes *p, unsigned int number)
{
	struct wished *w = find_wish(p, number);

	return w ? &w->wish : NULL;
}

struct probe_wish *probes_add(struct probes *p, unsigned int *ret)
{
	struct wished *w = calloc(1, sizeof(*w));

	if (!w || !vec_push(&p->wishes, w)) {
		free(w);
		return NULL;
	}
	w->number = *ret = ++p->last;
	return &w->wish;
}

void probes_drop(struct probes *p, unsigned int number)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->wishes.len; i++) {
		if (p->wishes.items[i]->number == number) {
			vec_fini(&p->wishes.items[i]->told);
			free(p->wishes.items[i]);
		} else
			p->wishes.items[kept++] = p->wishes.items[i];
	}
	p->wishes.len = kept;
}

/* ---- points ----------------------------------------------------------------------------- */

static size_t known_of(const struct probes *p, const struct probe *at)
{
	return at->role == ROLE_LEARNS_BACK   ? p->backs.len
	       : at->role == ROLE_LEARNS_CODE ? p->codes.len
					      : probe_passed_on(p, at);
}

static struct error *set_point(struct probes *p, const struct probe_context *c, struct probe *at)
{
	const struct wished *w = find_wish(p, at->wish);
	const struct probe_wish none = { 0 }, *wish = w ? &w->wish : &none;
	const struct arch *arch = c->session->target->arch;
	const bool counts = wish->counts && !(wish->told & EVENT_BIT(at->row->event));
	AUTO_BUF condition = { 0 }, tally = { 0 };

	probe_make_condition(&condition, p, arch, at, wish);
	if (counts)
		probe_make_tally(&tally, arch, at);
	if (!buf_ok(&condition) || !buf_ok(&tally))
		return &error_nomem;
	struct point point = {
		.id = at->point ? at->point : *c->next_point + 1,
		.kind = POINT_CODE,
		.addr = at->addr,
		.lwp = wish->lwp,
		.condition = (const uint8_t *)condition.data,
		.condition_size = condition.len,
		.asks = wish->asks,
		.quiet = at->role == ROLE_NOTES || counts,
		.notes = at->role == ROLE_NOTES,
		.returns = at->returns,
		.tally = counts ? (const uint8_t *)tally.data : NULL,
		.tally_size = tally.len,
	};
	struct error *err = target_set_point(c->session->target, &point);
	if (err)
		return err;
	*c->next_point += !at->point;
	at->point = point.id;
	at->known = known_of(p, at);
	at->changed = false;
	return NULL;
}

/* What has been counted at a point outlives it: its runtime may be gone, or another one have come.
 */
static struct error *clear_point(const struct probes *p, const struct probe_context *c,
				 const struct probe *at)
{
	struct wished *w = find_wish(p, at->wish);
	struct error *err =
		w && w->wish.counts ? probe_counts_read(&w->told, c->session, at) : NULL;
	struct error *failed = target_clear_point(c->session->target, at->point);

	if (err)
		error_ignore(failed);
	return err ? err : failed;
}

/* Something else may come to lie where one was counted: from now on that is counted anew. */
static struct error *part_counts(struct probes *p, const struct probe_context *c, struct probe *at)
{
	struct probe_counts now = { 0 };
	struct error *err = at->point ? probe_counts_read(&now, c->session, at) : NULL;
	bool any = probe_counts_mark_gone(&now, c->session);

	vec_fini(&now);
	if (!err && any) {
		err = clear_point(p, c, at);
		at->point = 0;
	}
	return err;
}

static struct error *part_all_counts(struct probes *p, const struct probe_context *c)
{
	struct error *err = NULL;

	vec_for_each (at, &p->points) {
		const struct wished *w = find_wish(p, at->wish);
		if (w && w->wish.counts && !err)
			err = part_counts(p, c, at);
	}
	vec_for_each (w, &p->wishes)
		(void)probe_counts_mark_gone(&(*w)->told, c->session);
	return err;
}

static bool is_stale(const struct probes *p, const struct probe *at)
{
	return at->changed || at->known != known_of(p, at);
}

/* Brings the points to what is wanted. One that cannot be set is left out, and told. */
static struct error *settle(struct probes *p, const struct probe_context *c)
{
	struct error *first = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < p->points.len; i++) {
		struct probe *at = &p->points.items[i];
		struct error *err = NULL;
		if (at->wanted && is_stale(p, at))
			err = set_point(p, c, at);
		else if (!at->wanted && at->point)
			err = clear_point(p, c, at);
		if (err && !first)
			first = err;
		else
			error_ignore(err);
		if (at->wanted && !err)
			p->points.items[kept++] = *at;
	}
	p->points.len = kept;
	return first;
}

static struct error *reckon(struct probes *p, const struct probe_context *c)
{
	return probe_wants_mark(p) ? settle(p, c) : &error_nomem;
}

/* What was seen of code that is gone says nothing of what is there now. */
static void forget_seen(struct probes *p)
{
	p->backs.len = p->codes.len = p->jumps.len = 0;
}

static void forget_unmapped(struct seen_list *l, const struct module_list *modules)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->len; i++) {
		if (module_at(modules, l->items[i].addr))
			l->items[kept++] = l->items[i];
	}
	l->len = kept;
}

static bool add_seen(struct seen_list *l, taddr function, taddr addr)
{
	const struct seen new = { function, addr };

	return probe_was_seen(l, function, addr) || vec_push(l, new);
}

struct jumps {
	struct probes *p;
	taddr from;
	bool failed;
};

static void add_jump(void *context, taddr to)
{
	struct jumps *j = context;

	vec_for_each (f, &j->p->functions.items) {
		if (f->addr == to && !j->failed)
			j->failed = !add_seen(&j->p->jumps, j->from, to);
	}
}

/*
 * Where a function returns to. What others jump to that return there, too, may be known by now: by
 * stubs that have been bound.
 */
static bool add_back(struct probes *p, const struct session *s, taddr function, taddr addr)
{
	bool fine = add_seen(&p->backs, function, addr);

	vec_for_each (back, &p->backs) {
		struct jumps j = { p, back->function, false };
		if (back->addr == addr && probe_in_runtime(p, addr))
			probe_jumps_find(s, back->function, add_jump, &j);
		fine &= !j.failed;
	}
	return fine;
}

/* ---- who is inside already ------------------------------------------------------------------ */

/* It has begun to note who enters something: who is in it has not been seen. */
static bool notes_anew(struct probes *p)
{
	bool ret = false;

	vec_for_each (at, &p->points) {
		bool learns = at->role == ROLE_NOTES || at->role == ROLE_LEARNS_CODE;
		ret |= learns && !at->scanned;
	}
	return ret;
}

/* The function that was given code of that end: any will do, they are of the same rows. */
static taddr giver(const struct probes *p, enum runtime_event end)
{
	vec_for_each (f, &p->functions.items) {
		if (f->row->event == end && f->row->when == WHEN_CODE_END)
			return f->addr;
	}
	return 0;
}

static bool is_noted_anew(const struct probes *p, taddr function)
{
	vec_for_each (at, &p->points) {
		if (at->role == ROLE_NOTES && at->addr == function && !at->returns)
			return !at->scanned;
	}
	return false;
}

/* What they will return from and to. Their arguments are gone. */
static struct error *note_those_inside(struct probes *p, const struct probe_context *c)
{
	struct inside_calls inside = { 0 };
	struct error *err = probe_inside_find(c->session, &inside);

	vec_for_each (call, &inside) {
		taddr from = call->code ? giver(p, call->end) : 0;
		if (!err && from && !add_seen(&p->codes, from, call->function))
			err = &error_nomem;
	}
	if (!err)
		err = reckon(p, c);
	vec_for_each (call, &inside) {
		const struct note note = {
			.lwp = call->lwp, .function = call->function, .sp = call->sp, .blank = true
		};
		if (err || !is_noted_anew(p, call->function))
			continue;
		err = add_back(p, c->session, call->function, call->back)
			      ? target_note(c->session->target, &note)
			      : &error_nomem;
	}
	vec_fini(&inside);
	vec_for_each (at, &p->points)
		at->scanned = true;
	return err ? err : reckon(p, c);
}

struct error *probes_renew(struct probes *p, const struct probe_context *c)
{
	bool changed = false;

	if (!c->session || (!p->wishes.len && !p->points.len))
		return NULL;
	struct error *err = probe_functions_find(&p->functions, c->session, &changed);
	if (err)
		return err;
	if (changed)
		forget_seen(p);
	forget_unmapped(&p->backs, c->session->modules);
	forget_unmapped(&p->codes, c->session->modules);
	err = part_all_counts(p, c);
	vec_for_each (at, &p->points)
		at->changed = true;
	if (!err)
		err = reckon(p, c);
	if (!err && notes_anew(p))
		err = note_those_inside(p, c);
	return error_add(err, "watching the OpenMP runtime");
}

void probes_forget(struct probes *p)
{
	p->points.len = 0;
	vec_for_each (w, &p->wishes)
		(*w)->told.len = (*w)->told.rest = 0;
	forget_seen(p);
	probe_functions_fini(&p->functions);
}

/* ---- what threads come to ----------------------------------------------------------------- */

static struct probe *find_point(const struct probes *p, unsigned int point)
{
	vec_for_each (at, &p->points) {
		if (at->point == point)
			return at;
	}
	return NULL;
}

bool probes_has(const struct probes *p, unsigned int point)
{
	return find_point(p, point);
}

bool probes_learns(const struct probes *p, unsigned int point)
{
	const struct probe *at = find_point(p, point);

	return at && at->role != ROLE_EVENT;
}

static size_t read_target(void *context, taddr from, void *ret, size_t len)
{
	struct target *t = context;

	return memory_try_read(t->memory, from, ret, len) ? len : 0;
}

/* What a program comes to for a thread that stands. */
static bool compute(const struct probe_context *c, struct thread *th, const struct buf *program,
		    const uint64_t *arguments, uint64_t *ret)
{
	struct target *t = c->session->target;
	struct condition_subject subject = {
		.arch = t->arch, .read = read_target, .context = t, .arguments = arguments
	};
	struct error *err = target_general(t, th, &subject.general);
	bool done = !err && buf_ok(program) &&
		    condition_value((const uint8_t *)program->data, program->len, &subject, ret);
	error_ignore(err);
	return done;
}

static struct error *learn(struct probes *p, const struct probe_context *c, struct thread *th,
			   const struct probe *at)
{
	const struct arch *arch = c->session->target->arch;
	struct seen new = { .function = at->addr };
	AUTO_BUF program = { 0 };
	bool code = at->role == ROLE_LEARNS_CODE;

	if (code)
		probe_program_value(&program, arch, &at->row->facts[EVENT_FACT_FUNCTION],
				    PLACE_ENTRY);
	else
		probe_program_return(&program, arch);
	if (!compute(c, th, &program, NULL, &new.addr) || !new.addr)
		return NULL;
	/* What is the same as another construct's code may just jump there. */
	if (code && jump_follow(c->session->target, new.addr))
		new.addr = jump_follow(c->session->target, new.addr);
	const bool added = code ? add_seen(&p->codes, new.function, new.addr)
				: add_back(p, c->session, new.function, new.addr);
	struct error *err = added ? reckon(p, c) : &error_nomem;
	/* What has just been learnt nobody has been in before. */
	vec_for_each (probe, &p->points)
		probe->scanned = true;
	return err;
}

static struct error *find_facts(const struct probe_context *c, struct thread *th,
				const struct probe *at, struct probe_event *ret)
{
	enum probe_place place = at->returns ? PLACE_RETURN : PLACE_ENTRY;
	struct point_state state = { 0 };
	struct error *err =
		at->returns ? target_point_state(c->session->target, at->point, &state) : NULL;

	for (unsigned int i = 0; i < NUM_EVENT_FACTS && !err; i++) {
		const struct event_value *v = &at->row->facts[i];
		AUTO_BUF program = { 0 };
		if (v->what == VALUE_NONE || probe_is_code(at))
			continue;
		probe_program_value(&program, c->session->target->arch, v, place);
		if (compute(c, th, &program, state.argued ? state.arguments : NULL, &ret->facts[i]))
			ret->known |= UINT32_C(1) << i;
	}
	if (probe_is_code(at)) {
		ret->facts[EVENT_FACT_FUNCTION] = at->returns ? at->returns : at->addr;
		ret->known |= UINT32_C(1) << EVENT_FACT_FUNCTION;
	}
	return err;
}

/* What is told because a condition went wrong need not be one. */
static bool is_event(struct probes *p, const struct probe_context *c, struct thread *th,
		     const struct probe *at)
{
	const struct arch *arch = c->session->target->arch;
	struct point_state state = { 0 };
	AUTO_BUF program = { 0 };
	uint64_t holds = 0;

	probe_add_caller(&program, p, arch, at);
	probe_program_test(&program, arch, at->row, at->returns ? PLACE_RETURN : PLACE_ENTRY);
	probe_program_and(&program);
	if (at->returns)
		error_ignore(target_point_state(c->session->target, at->point, &state));
	return compute(c, th, &program, state.argued ? state.arguments : NULL, &holds) && holds;
}

struct error *probes_answer(struct probes *p, const struct probe_context *c, struct thread *th,
			    unsigned int point, struct probe_event *ret, bool *ret_is_event)
{
	const struct probe *found = find_point(p, point);
	AUTO_BUF key = { 0 };

	*ret_is_event = false;
	if (!found)
		return NULL;
	const struct probe at = *found;
	if (at.role != ROLE_EVENT)
		return learn(p, c, th, &at);
	if (!is_event(p, c, th, &at))
		return NULL;
	*ret = (struct probe_event){ .wish = at.wish,
				     .row = at.row,
				     .ops = p->functions.runtimes.items[at.runtime].ops };
	probe_make_tally(&key, c->session->target->arch, &at);
	if (!compute(c, th, &key, NULL, &ret->at))
		ret->at = 0;
	ret->at -= ret->at && !probe_is_code(&at);
	*ret_is_event = true;
	return find_facts(c, th, &at, ret);
}

bool probes_in_runtime(const struct probes *p, taddr pc)
{
	if (probe_in_runtime(p, pc))
		return true;
	/* Of one that is a part of the program no more is known than where it was called. */
	vec_for_each (f, &p->functions.items) {
		if (f->addr == pc)
			return true;
	}
	return false;
}

/* ---- counts ----------------------------------------------------------------------------- */

struct error *probes_count_told(struct probes *p, const struct probe_event *e, pid_t lwp)
{
	const struct probe_count new = {
		.event = e->row->event, .at = e->at, .lwp = lwp, .count = 1, .last = clock_us()
	};
	struct wished *w = find_wish(p, e->wish);

	return w ? probe_counts_add(&w->told, &new) : NULL;
}

struct error *probes_count(const struct probes *p, const struct probe_context *c, unsigned int wish,
			   struct probe_counts *ret)
{
	const struct wished *w = find_wish(p, wish);
	struct error *err = NULL;

	vec_for_each (told, w ? &w->told : ret)
		err = err || !w ? err : probe_counts_add(ret, told);
	ret->rest += w ? w->told.rest : 0;
	for (size_t i = 0; w && c->session && i < p->points.len; i++) {
		if (p->points.items[i].wish == wish && !err)
			err = probe_counts_read(ret, c->session, &p->points.items[i]);
	}
	probe_counts_drop_none(ret);
	return err;
}

/* ---- tables ----------------------------------------------------------------------------- */

struct error *probes_rows(const struct probe_context *c,
			  bool (*found)(void *context, const struct runtime_ops *ops,
					const char *module, const struct event_row *row,
					size_t functions),
			  void *context)
{
	struct probe_functions functions = { 0 };
	bool changed, more = true;
	struct error *err = probe_functions_find(&functions, c->session, &changed);

	for (size_t r = 0; !err && r < functions.runtimes.len && more; r++) {
		const struct probe_runtime *rt = &functions.runtimes.items[r];
		const struct event_row *row = NULL;
		bool own = true;
		while (more && (row = runtime_event_next(rt->ops->events, row))) {
			size_t n = 0;
			own &= row != rt->ops->events[1];
			if (row->when == WHEN_NEVER && !own)
				continue; /* what another runtime cannot tell */
			vec_for_each (f, &functions.items)
				n += f->runtime == r && f->row == row;
			more = found(context, rt->ops, rt->module, row, n);
		}
	}
	probe_functions_fini(&functions);
	return err;
}
