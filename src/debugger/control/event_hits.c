/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/event_hits.h"

#include <string.h>

#include "debugger/control/catching.h"
#include "debugger/control/left_place.h"
#include "debugger/control/place_names.h"
#include "debugger/control/probes.h"
#include "debugger/control/task_values.h"
#include "debugger/values/eval.h"
#include "debugger/values/lookup.h"
#include "debugger/values/omp_variables.h"
#include "ompd/names.h"
#include "ompd/own_numbers.h"

enum { DEPENDS_MAX = 8 }; /* that are named */

/* What facts are called in expressions. */
static const char *const variables[NUM_EVENT_FACTS] = {
	[EVENT_FACT_OBJECT] = "omp_object",
	[EVENT_FACT_FUNCTION] = "omp_function",
	[EVENT_FACT_TEAM] = "omp_requested_team_size",
	[EVENT_FACT_BEGIN] = "omp_chunk_begin",
	[EVENT_FACT_END] = "omp_chunk_end",
	[EVENT_FACT_CHUNK] = "omp_chunk_size",
	[EVENT_FACT_SECTION] = "omp_section",
	[EVENT_FACT_EXECUTES] = "omp_executes",
	[EVENT_FACT_TASKS] = "omp_num_tasks",
	[EVENT_FACT_DEPENDENCES] = "omp_num_dependences",
	[EVENT_FACT_KIND] = "omp_kind",
};

static struct breakpoint *find(const struct control *c, unsigned int wish)
{
	vec_for_each (b, &c->breakpoints.items) {
		if ((*b)->wish && (*b)->wish == wish)
			return *b;
	}
	return NULL;
}

void event_hits_forget(struct control *c)
{
	convenience_unset(c->values, variables[EVENT_FACT_BEGIN]);
	convenience_unset(c->values, variables[EVENT_FACT_END]);
	convenience_unset(c->values, "omp_schedule");
}

/* level: the frame that the program is in, if it has not left that: "left". */
static void tell_facts(struct control *c, const struct probe_event *e, size_t level,
		       const struct source_place *left)
{
	const struct frame *frame = NULL;
	struct error *err = frames_get(&c->frames, level, &frame);

	error_ignore(err);
	if (left->pc)
		convenience_set_int(c->values, "omp_line", left->line);
	else
		convenience_set_int(c->values, "omp_line", frame && frame->file ? frame->line : 0);
	for (unsigned int i = 0; i < NUM_EVENT_FACTS; i++) {
		if (variables[i] && e->known & UINT32_C(1) << i)
			convenience_set_int(c->values, variables[i], (int64_t)e->facts[i]);
		else if (variables[i])
			convenience_unset(c->values, variables[i]);
	}
}

/* Of a loop that begins. false: nothing is known of its schedule. */
static bool find_schedule(const struct probe_event *e, struct buf *ret)
{
	const bool told = e->known & UINT32_C(1) << EVENT_FACT_SCHEDULE;
	struct schedule s = { .kind = (enum schedule_kind)e->row->schedule };

	if (!s.kind && told && e->ops->schedule)
		s = e->ops->schedule(e->facts[EVENT_FACT_SCHEDULE]);
	/* Where the user gives the schedule at run time, what is passed is no size. */
	if (e->known & UINT32_C(1) << EVENT_FACT_CHUNK && s.kind != SCHEDULE_RUNTIME &&
	    s.kind != SCHEDULE_AUTO && (int64_t)e->facts[EVENT_FACT_CHUNK] > 0)
		s.chunk = e->facts[EVENT_FACT_CHUNK];
	if (s.kind)
		schedule_add(ret, &s);
	return s.kind;
}

static struct error *tell_schedule(struct control *c, const struct probe_event *e, size_t level)
{
	AUTO_BUF text = { 0 };
	struct scope scope;
	struct value value = { 0 };

	convenience_unset(c->values, "omp_schedule");
	if (!find_schedule(e, &text))
		return NULL;
	struct error *err = frames_scope(&c->frames, level, &scope);
	if (!err)
		err = omp_variable_text(&scope, buf_text(&text), &value);
	return err ? err : convenience_set(c->values, "omp_schedule", &value, lookup_types(&scope));
}

/* The innermost frame that is none of the runtime's. */
static struct error *find_frame(struct control *c, struct thread *th, size_t *ret)
{
	const struct frame *frame;

	frames_select(&c->frames, c->live, th, 0);
	*ret = 0;
	for (size_t i = 0;; i++) {
		struct error *err = frames_get(&c->frames, i, &frame);
		if (err || !frame)
			return err;
		if (!probes_in_runtime(c->probes, frame->pc)) {
			*ret = i;
			return NULL;
		}
	}
}

/* A condition that cannot be computed stops the program, so that somebody looks at it. */
static bool holds(struct decision *d, const struct breakpoint *b, size_t level,
		  const struct probe_event *e)
{
	struct control *c = d->c;
	struct scope scope;
	bool ret = true;

	if (!b->condition || (!b->asks && e->row->event != EVENT_BARRIER_ALL_ARRIVED))
		return true;
	control_tell_values(c, d->event->thread->lwp);
	struct error *err = strstr(b->condition, "$omp_") ? decision_stand(c) : NULL;
	if (!err)
		err = frames_scope(&c->frames, level, &scope);
	const struct eval_context where = control_evaluator(c, &scope);
	if (!err)
		task_values_know(&scope);
	if (!err)
		err = eval_condition(&where, b->condition, &ret);
	ret &= !c->call_stays;
	control_warn(c, error_add(err, "Error in testing condition for catchpoint %d", b->number));
	return ret;
}

/* Where code begins that the event is about. */
static struct error *find_code(struct control *c, taddr code, struct report_event *ret)
{
	const struct source_frame *levels;
	size_t len;
	struct error *err = symbol_locate(c->live->symbols, code, &levels, &len);

	if (err || !len || !levels[len - 1].file)
		return err;
	ret->line = levels[len - 1].line;
	ret->file = strdup(levels[len - 1].file);
	return ret->file ? NULL : &error_nomem;
}

static struct error *find_object(struct control *c, const struct probe_event *e,
				 struct report_event *ret)
{
	const event_set critical = EVENT_BIT(EVENT_CRITICAL_ENTER) |
				   EVENT_BIT(EVENT_CRITICAL_ACQUIRED) |
				   EVENT_BIT(EVENT_CRITICAL_RELEASED);
	const bool is_critical = critical & EVENT_BIT(e->row->event);

	return names_object(c->live->symbols, is_critical ? WAIT_CRITICAL : WAIT_LOCK,
			    e->facts[EVENT_FACT_OBJECT], &ret->object);
}

/* Corrects how many there are, which calls of some compilers tell in the list alone. */
static uint64_t read_dependences(struct control *c, struct probe_event *e, struct dependence *ret)
{
	const uint32_t list = UINT32_C(1) << EVENT_FACT_DEPEND_LIST;

	if (!e->row->dependences || !(e->known & list))
		return 0;
	e->facts[EVENT_FACT_DEPENDENCES] =
		e->row->dependences(c->live->target->memory, e->facts[EVENT_FACT_DEPEND_LIST],
				    e->facts[EVENT_FACT_DEPENDENCES], ret, DEPENDS_MAX);
	return e->facts[EVENT_FACT_DEPENDENCES];
}

/* Which tasks the one waits for that is about to be made, by what the runtime keeps of others. */
static struct error *find_awaited(struct decision *d, const struct dependence *all, uint64_t n,
				  struct report_event *ret)
{
	const struct dependences_wish wish = { d->event->thread->lwp, all,
					       n < DEPENDS_MAX ? n : DEPENDS_MAX };
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = true,
						  .depends = &wish };
	AUTO_SNAPSHOT *s = NULL;
	struct error *err = decision_stand(d->c);

	if (!err)
		err = snapshot_take(d->c->live, &options, &s);
	if (err)
		return err;
	ret->awaits_known = s->picture.predecessors_known && n <= DEPENDS_MAX;
	vec_for_each (task, &s->picture.predecessors) {
		if (!vec_push(&ret->awaited, picture_task_id(&s->picture, *task)))
			return &error_nomem;
	}
	return NULL;
}

static struct error *find_dependences(struct decision *d, const struct probe_event *e, size_t level,
				      struct report_event *ret)
{
	struct dependence all[DEPENDS_MAX];
	struct probe_event same = *e;
	struct control *c = d->c;
	const uint64_t n = read_dependences(c, &same, all);
	AUTO_BUF text = { 0 };
	struct scope scope;

	ret->facts[EVENT_FACT_DEPENDENCES] = same.facts[EVENT_FACT_DEPENDENCES];
	struct error *err = n ? frames_scope(&c->frames, level, &scope) : NULL;
	for (uint64_t i = 0; !err && i < n && i < DEPENDS_MAX; i++) {
		buf_addf(&text, "%s%s ", i ? ", " : "", all[i].kind ? all[i].kind : "on");
		err = place_names_add(&scope, all[i].object, &text);
	}
	if (n > DEPENDS_MAX)
		buf_adds(&text, ", ...");
	ret->dependences = !err && n ? strdup(buf_text(&text)) : NULL;
	return err || !n ? err : find_awaited(d, all, n, ret);
}

static struct error *fill(struct decision *d, const struct probe_event *e, size_t level)
{
	struct report_event *r = &d->report->event;
	const uint32_t function = UINT32_C(1) << EVENT_FACT_FUNCTION;
	const uint32_t object = UINT32_C(1) << EVENT_FACT_OBJECT;

	report_event_fini(r);
	r->name = runtime_event_names[e->row->event];
	r->known = e->known;
	memcpy(r->facts, e->facts, sizeof(r->facts));
	d->report->level = level;
	AUTO_BUF schedule = { 0 };
	struct error *err = e->known & object ? find_object(d->c, e, r) : NULL;

	if (!err)
		err = find_dependences(d, e, level, r);
	r->schedule = find_schedule(e, &schedule) ? strdup(buf_text(&schedule)) : NULL;
	if (!err && e->known & function)
		err = find_code(d->c, e->facts[EVENT_FACT_FUNCTION], r);
	return err;
}

/* Where a call before that of the event has told how many threads the region is to have. */
static void find_asked(struct control *c, struct thread *th, struct probe_event *e)
{
	const uint32_t team = UINT32_C(1) << EVENT_FACT_TEAM;
	const struct session *s = c->live;
	const struct own_numbers_source source = { s->modules, s->symbols, s->ompd_library };

	if (e->row->event != EVENT_PARALLEL_BEGIN || e->known & team)
		return;
	struct error *err = own_numbers_read(&source, OWN_ASKED, th, &e->facts[EVENT_FACT_TEAM]);
	e->known |= err ? 0 : team;
	error_ignore(err);
}

/* The program has jumped to the function that it is at the entry of: level is further out. Of who
 * has arrived at the end of a region: the region. */
static struct error *find_left(struct decision *d, const struct breakpoint *b,
			       const struct probe_event *e, size_t level, struct source_place *ret)
{
	const struct frame *called = NULL;
	const bool wanted = !b->counts || (b->condition && strstr(b->condition, "$omp_line"));
	const bool ended =
		e->row->event == EVENT_BARRIER_ALL_ARRIVED && e->row->when == WHEN_CODE_END;
	struct error *err =
		level > 1 && wanted && !ended ? frames_get(&d->c->frames, 1, &called) : NULL;

	if (err || !(ended ? wanted : called && probes_in_runtime(d->c->probes, called->pc)))
		return err;
	err = decision_stand(d->c);
	return err ? err : left_place_find(d->c->live, d->event->thread, ended, ret);
}

static struct error *tell(struct decision *d, struct breakpoint *b, struct probe_event *e)
{
	struct dependence all[DEPENDS_MAX];
	struct source_place left = { 0 };
	size_t level;
	struct error *err = find_frame(d->c, d->event->thread, &level);

	if (err)
		return err;
	if (e->row->imported) /* around the runtime's own code there is none of the program's */
		level = 0;
	find_asked(d->c, d->event->thread, e);
	struct probe_event counted = *e;
	read_dependences(d->c, &counted, all);
	err = find_left(d, b, e, level, &left);
	tell_facts(d->c, &counted, level, &left);
	if (!err)
		err = tell_schedule(d->c, e, level);
	if (err)
		return err;
	bool stops = holds(d, b, level, e);
	if (!stops)
		event_hits_forget(d->c);
	if (b->early) {
		err = decision_stand(d->c);
		if (!err)
			err = catching_update(d->c, b);
	}
	if (err || !stops)
		return err;
	b->hits++;
	if (b->counts)
		return probes_count_told(d->c->probes, e, d->event->thread->lwp);
	if (b->ignore) {
		b->ignore--;
		return NULL;
	}
	bool first = !d->stops || !d->report->number;
	err = decision_fill_hit(d, b, 0);
	if (!err && first)
		err = fill(d, e, level);
	if (first)
		d->report->event.left = left;
	return err ? err : decision_count_stop(d, b);
}

/* What barriers are to somebody who waits for the last one. *ret: it is what he wants to hear. */
static struct error *arrive(struct decision *d, struct breakpoint *b, const struct probe_event *e,
			    bool *ret)
{
	const enum runtime_event event = e->row->event;
	struct thread *th = d->event->thread;

	*ret = b->events & EVENT_BIT(event);
	if (event == EVENT_BARRIER_EXIT)
		arrivals_leave(&b->arrivals, th->lwp);
	if (event != EVENT_BARRIER_ALL_ARRIVED)
		return NULL;
	struct error *err = arrivals_enter(&b->arrivals, d->c->live, th, ret);
	if (error_is(err, ERROR_UNSUPPORTED) || error_is(err, ERROR_TOO_EARLY)) {
		control_warn(d->c, err);
		*ret = false;
		return NULL;
	}
	return err;
}

struct error *event_hits_answer(struct decision *d, unsigned int point)
{
	struct probe_event e;
	bool is_event;
	struct error *err = probes_learns(d->c->probes, point) ? decision_stand(d->c) : NULL;

	const struct probe_context context = control_probes(d->c);
	if (!err)
		err = probes_answer(d->c->probes, &context, d->event->thread, point, &e, &is_event);
	if (err || !is_event)
		return err;
	struct breakpoint *b = find(d->c, e.wish);
	bool counts = b && b->enabled;
	if (counts)
		err = arrive(d, b, &e, &counts);
	return err || !counts ? err : tell(d, b, &e);
}
