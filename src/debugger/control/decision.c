/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/decision.h"

#include <string.h>

#include "debugger/control/placing.h"
#include "debugger/control/task_values.h"
#include "debugger/control/watch_hits.h"
#include "debugger/values/eval.h"
#include "debugger/whereabouts.h"

void decision_stop_for(struct decision *d, enum report_kind kind)
{
	d->report->kind = kind;
	d->stops = true;
}

struct error *decision_stand(struct control *c)
{
	if (c->stands)
		return NULL;
	struct error *err = target_stop_all(c->live->target);
	c->stands = !err;
	return err;
}

static bool add_text(char **to, const char *text)
{
	char *joined = NULL;

	if (!text)
		return true;
	size_t len = (*to ? strlen(*to) : 0) + strlen(text) + 1;
	joined = malloc(len);
	if (!joined)
		return false;
	joined[0] = '\0';
	if (*to)
		strcat(joined, *to);
	strcat(joined, text);
	free(*to);
	*to = joined;
	return true;
}

/* A condition that cannot be computed stops the program, so that somebody looks at it. */
static bool holds(struct decision *d, const struct breakpoint *b, size_t location)
{
	struct control *c = d->c;
	struct breakpoint_conditions conditions;
	struct scope scope;
	bool ret = true, openmp = false;

	breakpoint_conditions(b, &conditions);
	for (size_t i = 0; conditions.items[i]; i++)
		openmp |= strstr(conditions.items[i], "$omp_") != NULL;
	control_tell_values(c, d->event->thread->lwp);
	/* What OpenMP is doing is known of threads that stand. */
	struct error *err = openmp ? decision_stand(c) : NULL;
	if (!err)
		err = watch_hits_scope(c, b, location, d->event->thread, &scope);
	const struct eval_context where = control_evaluator(c, &scope);
	if (!err)
		task_values_know(&scope);
	for (size_t i = 0; !err && ret && conditions.items[i]; i++)
		err = eval_condition(&where, conditions.items[i], &ret);
	ret |= err != NULL;
	ret &= !c->call_stays; /* it has stopped there, and that has been told */
	control_warn(c, error_add(err, "Error in testing condition for breakpoint %d", b->number));
	return ret;
}

/* Nobody of its region has stopped there yet; who is in none always does. */
static struct error *is_first_of_region(struct decision *d, struct breakpoint *b, bool *ret)
{
	struct control *c = d->c;
	const struct unwind_frame *raw;
	struct whereabouts w;
	struct error *err = decision_stand(c);

	frames_select(&c->frames, c->live, d->event->thread, 0);
	if (!err)
		err = frames_raw(&c->frames, UNWIND_FRAMES_DEFAULT - 1, &raw);
	if (!err)
		err = whereabouts_find(c->live, d->event->thread, &c->frames.raw, &w);
	*ret = true;
	if (err || w.region < 0)
		return err;
	vec_for_each (region, &b->regions)
		*ret &= *region != w.region;
	return *ret && !vec_push(&b->regions, w.region) ? &error_nomem : NULL;
}

/* What could not be judged where the program is traced can be when OpenMP has begun. */
static struct error *judge_there(struct decision *d, struct breakpoint *b)
{
	struct error *err = decision_stand(d->c);

	return err ? err : placing_update(d->c, b);
}

/* Whether one whose hits are judged here stops. */
static struct error *judge_here(struct decision *d, struct breakpoint *b, size_t location,
				unsigned int point, bool *ret)
{
	*ret = true;
	if (!b->asks)
		return NULL;
	*ret = holds(d, b, location);
	struct error *err = b->early ? judge_there(d, b) : NULL;
	if (!err && *ret && b->omp.once)
		err = is_first_of_region(d, b, ret);
	if (err || !*ret)
		return err;
	err = target_count_hit(d->c->live->target, point, ret);
	if (!err && *ret && b->ignore) {
		b->ignore--;
		*ret = false;
	}
	return err;
}

/* What exceptions do, as stop lines tell it. */
static const char *const told[NUM_CATCHES] = {
	[CATCH_THROW] = "exception thrown",
	[CATCH_CATCH] = "exception caught",
	[CATCH_RETHROW] = "exception rethrown",
};

/* The breakpoint may be none any more when that is read. */
struct error *decision_fill_hit(struct decision *d, struct breakpoint *b, size_t location)
{
	struct stop_report *r = d->report;
	bool first = !d->stops || !r->number;

	if (!vec_push(&r->hits, b->number) || !add_text(&r->commands, b->commands))
		return &error_nomem;
	if (!first)
		return NULL;
	decision_stop_for(d, breakpoint_is_watch(b)   ? STOPPED_WATCHPOINT
			     : b->kind == BREAK_CATCH ? STOPPED_CATCHPOINT
						      : STOPPED_BREAKPOINT);
	r->number = b->number;
	r->location = b->locations.len > 1 ? (int)location + 1 : 0;
	r->temporary = b->fate == FATE_DELETE;
	r->hardware = b->hard;
	free(r->expression);
	r->expression =
		strdup(told[b->catches] && b->kind == BREAK_CATCH ? told[b->catches] : b->text);
	return r->expression ? NULL : &error_nomem;
}

static void print_format(struct decision *d, const struct breakpoint *b)
{
	d->c->level = 0;
	control_notice(d->c, &(struct notice){ .kind = NOTICE_PRINT,
					       .lwp = d->event->thread->lwp,
					       .number = b->number,
					       .text = b->format });
}

struct error *decision_count_stop(struct decision *d, struct breakpoint *b)
{
	bool counts = b->enable_count;
	bool over = counts ? !--b->enable_count : b->fate == FATE_DISABLE;

	if (!over)
		return NULL;
	b->enabled = false;
	struct error *err = decision_stand(d->c);
	return err ? err : placing_update(d->c, b);
}

struct error *decision_hit(struct decision *d, struct breakpoint *b, size_t location,
			   unsigned int point)
{
	bool stops = true;
	struct report_watch watch = { 0 };
	struct error *err = NULL;

	if (b->enabled && b->reckoned)
		err = decision_stand(d->c);
	if (!err && b->enabled && b->reckoned)
		err = watch_hits_look(d->c, b, location, &watch, &stops);
	if (!err && b->enabled && stops)
		err = judge_here(d, b, location, point, &stops);

	if (err || !b->enabled || !stops)
		return err;
	breakpoint_count(b, d->c->live->target);
	if (b->kind == BREAK_PRINT) {
		frames_select(&d->c->frames, d->c->live, d->event->thread, 0);
		print_format(d, b);
		return NULL;
	}
	if (breakpoint_is_watch(b))
		err = watch_hits_add(d->c, b, location, &watch, d->report);
	if (!err)
		err = decision_fill_hit(d, b, location);
	return err ? err : decision_count_stop(d, b);
}
