/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/worksharing.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/values/eval.h"
#include "debugger/values/iterations.h"
#include "debugger/values/lookup.h"
#include "debugger/values/raw_scope.h"
#include "ompd/outlined.h"

void worksharing_fini(struct worksharing *w)
{
	vec_for_each (work, &w->items)
		work_fini(work);
	vec_fini(&w->items);
	work_sources_fini(&w->sources);
	*w = (struct worksharing){ 0 };
}

/* What all threads have in common. */
struct finding {
	struct session *session;
	const struct snapshot *from;
	struct convenience *values; /* owned; there are none */
	struct worksharing *ret;
	bool failed; /* memory is out */
};

/* One thread in one loop. */
struct visit {
	struct finding *f;
	const struct picture_loop *loop;
	size_t frame;
	struct scope scope;
	uint64_t registers[SCOPE_REGISTERS_MAX];
	const struct construct *text; /* NULL: it cannot be read */
	int section;
	struct place place;
};

/* ---- where a thread is ------------------------------------------------------------------ */

static void make_scope(struct visit *v, size_t frame, size_t level)
{
	struct session *session = v->f->session;
	int thread = v->loop->thread;

	v->frame = frame;
	v->scope = raw_scope(session, session->target->threads.items[thread],
			     &v->f->from->stacks->raw[thread], frame, v->registers);
	v->scope.level = level;
}

/* Which loops an explicit task is not in, and which all others are not. */
static unsigned int unwanted(const struct visit *v)
{
	return v->loop->in_task ? DIRECTIVE_WORKSHARE | DIRECTIVE_LOOP : DIRECTIVE_TASK;
}

/* The construct in the source around a frame, in any of its levels. */
static bool read_text(struct visit *v, size_t frame)
{
	const struct unwind_frame *at = &v->f->from->stacks->raw[v->loop->thread].items[frame];
	const struct source_frame *levels;
	size_t len;

	make_scope(v, frame, 0);
	v->f->failed |= symbol_locate(v->f->session->symbols, spans_pc(at), &levels, &len) != NULL;
	for (size_t i = 0; !v->f->failed && i < len; i++) {
		int section = 0;
		const struct construct *text =
			work_source_find(&v->f->ret->sources, v->f->session, &levels[i],
					 unwanted(v), &section, &v->f->failed);
		/* The line of the directive itself is also that of code around it. */
		if (!text || (!v->loop->api && text->line >= levels[i].line))
			continue;
		v->text = text;
		v->section = section;
		v->scope.level = i;
		v->place.file = levels[i].file;
		v->place.line = text->line;
		return true;
	}
	if (len) {
		v->place.file = levels[len - 1].file;
		v->place.line = levels[len - 1].line;
	}
	return false;
}

/* Optimised code may seem to be in any line; the call that gives out chunks is the directive's. */
static void read_text_of_call(struct visit *v)
{
	const struct source_frame *levels;
	size_t len;

	make_scope(v, v->loop->frame, 0);
	v->f->failed |= symbol_locate(v->f->session->symbols, v->loop->site, &levels, &len) != NULL;
	for (size_t i = 0; !v->f->failed && i < len && !v->text; i++) {
		int section = 0;
		v->text = work_source_find(&v->f->ret->sources, v->f->session, &levels[i],
					   unwanted(v), &section, &v->f->failed);
		if (!v->text)
			continue;
		v->place.file = levels[i].file;
		v->place.line = v->text->line;
	}
}

/* false: nothing says that the thread is in a loop. */
static bool find_text(struct visit *v)
{
	const struct spans *spans = &picture_thread(&v->f->from->picture, v->loop->thread)->spans;
	size_t end = v->loop->api ? v->loop->frame + 1 : v->loop->end;

	/* gcc has what begins a loop in lines before it. */
	if (v->loop->facts.in_runtime)
		read_text_of_call(v);
	for (size_t i = v->loop->frame; i < end && i < spans->len && !v->text; i++) {
		if (spans->kinds[i] == CODE_USER && !spans->hidden[i] && read_text(v, i))
			return true;
	}
	if (v->loop->api && !v->text)
		read_text_of_call(v);
	return v->loop->api;
}

/* ---- what the source's words mean ------------------------------------------------------- */

static bool number_of(const struct visit *v, const char *text, uint64_t *ret)
{
	struct eval_context context = { .scope = &v->scope, .values = v->f->values };
	struct number number;
	struct value value;

	if (!text || !loop_header_is_harmless(text)) /* nothing is to happen by asking */
		return false;
	struct error *err = eval_text(&context, text, &value);
	if (!err)
		err = value_number(&value, &number);
	bool known = !err && !number.is_float;
	if (known)
		*ret = (uint64_t)number.bits;
	error_ignore(err);
	return known;
}

static struct iterations read_bounds(const struct visit *v, const struct loop_header *h,
				     bool is_unsigned)
{
	struct iterations b = { 0 };
	uint64_t begin, end, step;

	if (!number_of(v, h->begin, &begin) || !number_of(v, h->end, &end) ||
	    !number_of(v, h->step, &step) || !step)
		return b;
	bool down = (int64_t)step < 0;
	uint64_t width = down ? 0 - step : step;
	uint64_t from = down ? end : begin, to = down ? begin : end;
	b = (struct iterations){ .known = true, .begin = begin, .step = (int64_t)step };
	if (iterations_is_less(is_unsigned, from, to) || (h->includes_end && from == to))
		b.total = (to - from - !h->includes_end) / width + 1;
	b.end = begin + (b.total - 1) * step;
	return b;
}

/*
 * clang's own counter, from which the program's variable is computed, before each iteration; it has
 * several variables of that name.
 */
static bool read_counter(const struct visit *v, uint64_t *ret)
{
	struct number number;
	struct variable counter;
	struct value value;

	if (!lookup_variable(&v->scope, NULL, ".omp.iv", &counter))
		return false;
	struct error *err = value_of_variable(&v->scope, &counter, &value);
	if (!err)
		err = value_number(&value, &number);
	bool known = !err;
	if (known)
		*ret = (uint64_t)number.bits;
	error_ignore(err);
	return known;
}

static void read_now(const struct visit *v, const struct iterations *b, struct work_thread *ret)
{
	uint64_t counter;

	/* What is distributed to a team is handed on as a whole. */
	if (v->loop->facts.in_force.distributes && v->text &&
	    v->text->directive.parts & DIRECTIVE_PARALLEL)
		return;
	if (v->loop->facts.counts) {
		ret->has_now = b->known && read_counter(v, &counter);
		ret->nnow = ret->has_now;
		if (ret->has_now)
			ret->now[0] = b->begin + counter * (uint64_t)b->step;
		return;
	}
	for (size_t i = 0; v->text && i < v->text->loops.len && i < WORK_LEVELS; i++) {
		if (!number_of(v, v->text->loops.items[i].variable, &ret->now[i]))
			return;
		ret->nnow = i + 1;
	}
	ret->has_now = ret->nnow > 0;
}

/* ---- one thread's part ------------------------------------------------------------------ */

static const char *schedule_text(const struct visit *v)
{
	if (!v->text)
		return NULL;
	return v->loop->facts.in_force.distributes ? v->text->directive.dist_schedule
						   : v->text->directive.schedule;
}

/* A schedule as it is written: "monotonic: dynamic, 4". */
static struct schedule written(const struct visit *v)
{
	static const enum schedule_kind kinds[] = { SCHEDULE_STATIC, SCHEDULE_DYNAMIC,
						    SCHEDULE_GUIDED, SCHEDULE_AUTO,
						    SCHEDULE_RUNTIME };
	struct schedule ret = { 0 };
	const char *text = schedule_text(v);
	const char *comma = text ? strchr(text, ',') : NULL;

	if (v->text && !text)
		ret.kind = SCHEDULE_STATIC; /* as compilers have it */
	for (size_t i = 0; text && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcasestr(text, schedule_name(kinds[i])))
			ret.kind = kinds[i];
	}
	if (text && strrchr(text, ':') && comma)
		comma = strchr(strrchr(text, ':'), ',');
	if (comma)
		number_of(v, comma + 1, &ret.chunk);
	return ret;
}

/* Several loops are one, or it cannot be told whether. */
static bool collapses(const struct visit *v)
{
	return v->text && !(v->text->directive.parts & DIRECTIVE_SECTIONS) &&
	       v->text->directive.collapse != 1;
}

static long team_of(const struct visit *v)
{
	const struct picture_region *r = picture_region(&v->f->from->picture, v->loop->region);

	return r ? r->size : 1;
}

static void compute_chunk(const struct visit *v, struct work *work, const struct iterations *b,
			  struct work_thread *t)
{
	struct schedule s = written(v);
	uint64_t now = 0, first, last;
	bool is_static = s.kind == SCHEDULE_STATIC || s.kind == SCHEDULE_AUTO;
	bool in_chunks =
		v->text && v->text->directive.schedule && strchr(v->text->directive.schedule, ',');
	long team = team_of(v);
	bool has_now = t->has_now && b->known && iterations_number(b, t->now[0], &now);

	if (!is_static || (in_chunks && !s.chunk))
		return;
	s.kind = SCHEDULE_STATIC;
	work->in_force = s;
	work->assumed = true;
	/* Nothing tells which part of a distributed loop the team has. */
	if ((v->text && v->text->directive.parts & DIRECTIVE_DISTRIBUTE) || !b->known ||
	    team <= 0 || (v->loop->number < 0 && team > 1) || collapses(v) ||
	    (t->has_now && !has_now) ||
	    !iterations_static_part(&s, b, (uint64_t)team,
				    (uint64_t)(v->loop->number < 0 ? 0 : v->loop->number),
				    has_now ? &now : NULL, &first, &last))
		return;
	t->has_chunk = t->computed = true;
	t->first = b->begin + first * (uint64_t)b->step;
	t->last = b->begin + last * (uint64_t)b->step;
}

/* The type of a loop's variable; NULL: there is none, or it is not known. */
static const struct type *type_of(const struct visit *v, const struct loop_header *loop)
{
	struct eval_context context = { .scope = &v->scope, .values = v->f->values };
	struct value value;

	if (!loop->variable)
		return NULL;
	struct error *err = eval_text(&context, loop->variable, &value);
	const struct type *t = !err && value.type ? type_strip(value.type) : NULL;
	error_ignore(err);
	return t && t->kind == TYPE_REFERENCE && t->target ? type_strip(t->target) : t;
}

/* Iterators have no number, and in "for (x : all)" x is no place in the loop: gcc's runtime counts
 * steps of 1 from the beginning. */
static bool has_number(const struct loop_header *loop, const struct type *type)
{
	return loop->variable && loop->begin && !(type && type_is_struct(type));
}

/* What calls are passed need not be as the variable: gcc has constant bounds of unsigned numbers as
 * if they had a sign, where that is all the same, and clang counts some loops without a sign. */
static bool is_unsigned(const struct visit *v, const struct type *type)
{
	return type && type->kind == TYPE_INT ? !type->is_signed : v->loop->facts.is_unsigned;
}

/*
 * gfortran counts the iterations of loops whose step is no constant of 1 or -1 (trans-openmp.cc);
 * since GCC 14 only of those whose step is no constant. The runtime's step tells: counts go up
 * by 1.
 */
static bool counts(const struct visit *v)
{
	const struct loop_facts *facts = &v->loop->facts;
	const char *step = v->text && v->text->loops.len ? v->text->loops.items[0].step : NULL;

	if (facts->counts || collapses(v))
		return true;
	return step && (v->loop->api || v->loop->in_task) &&
	       enclosing_form(v->place.file) != SOURCE_C && strcmp(step, "1") != 0 &&
	       strcmp(step, "-1") != 0 && (!facts->has_step || facts->step == 1);
}

/* gcc's tasks of a taskloop know the number behind their last one. */
static void close_chunk(const struct visit *v, struct work *work, struct work_thread *t)
{
	const struct loop_header *loop = v->text->loops.len ? v->text->loops.items : NULL;
	uint64_t step = 1;

	work->has_step = work->counts || (loop && number_of(v, loop->step, &step));
	work->step = (int64_t)step;
	t->has_chunk &= work->has_step && t->first != t->last;
	t->last -= step;
}

static bool is_at_barrier(const struct picture_thread *th)
{
	return wait_kind_traits(th->wait.kind)->is_barrier;
}

/* In a loop there is no barrier (OpenMP 5.2, 17.1): one among its lines is that at its end. */
static enum work_state state_of(const struct visit *v)
{
	const struct picture_loop *loop = v->loop;
	const struct picture_thread *th = picture_thread(&v->f->from->picture, loop->thread);
	const struct span *innermost = spans_innermost(&th->spans);

	if (loop->facts.in_runtime)
		return WORK_ASKS;
	if (!loop->api && !loop->in_task && is_at_barrier(th) && innermost &&
	    innermost->outer == loop->frame)
		return WORK_AT_END;
	return WORK_INSIDE;
}

/* ---- all of them ------------------------------------------------------------------------ */

static void read_visit(struct visit *v, struct work *work, struct work_thread *t)
{
	const struct loop_facts *facts = &v->loop->facts;
	bool one = v->text && !collapses(v) && v->text->loops.len;
	const struct type *type = one ? type_of(v, &v->text->loops.items[0]) : NULL;
	struct iterations b = { 0 };

	*work = (struct work){
		.region = v->loop->region,
		.place = v->place,
		.text = v->text,
		.schedule = schedule_text(v),
		.sections = facts->sections ||
			    (v->text && v->text->directive.parts & DIRECTIVE_SECTIONS),
		.is_unsigned = is_unsigned(v, type),
		.counts = counts(v),
		.in_force = facts->in_force,
		.has_step = facts->has_step,
		.step = facts->step,
		.has_total = facts->has_total,
		.total = facts->total,
		.has_left = facts->has_left,
		.left_own = facts->left_own,
		.left = facts->left,
		.has_next = facts->has_next,
		.next = facts->next,
		.object = facts->object,
	};
	*t = (struct work_thread){
		.thread = v->loop->thread,
		.number = v->loop->number,
		.state = state_of(v),
		.has_chunk = facts->has_chunk,
		.first = facts->first,
		.last = facts->last,
		.section = v->section,
	};
	if (facts->open)
		close_chunk(v, work, t);
	const bool numbered = !one || has_number(&v->text->loops.items[0], type);
	if (!numbered && !work->counts)
		work_use_iterations(work, t);
	if (one && numbered)
		b = read_bounds(v, &v->text->loops.items[0], work->is_unsigned);
	if (t->state == WORK_INSIDE && numbered)
		read_now(v, &b, t);
	if (work->in_force.kind == SCHEDULE_STATIC && !work->in_force.distributes &&
	    written(v).kind == SCHEDULE_STATIC)
		work->in_force.chunk = written(v).chunk;
	if (!v->loop->api && !v->loop->in_task)
		compute_chunk(v, work, &b, t);
	if (one && numbered)
		work_use_values(work, &b, t);
	if (b.known && b.total) {
		work->has_bounds = work->has_total = work->has_step = true;
		work->begin = b.begin;
		work->end = b.end;
		work->step = b.step;
		work->total = b.total;
	}
	t->has_chunk &= t->state != WORK_AT_END;
	work_find_rest(work, t);
}

/* Threads share a loop if their region and the directive's line are the same. */
static struct work *find_work(struct worksharing *all, const struct work *like)
{
	vec_for_each (work, &all->items) {
		if (work->region == like->region && like->region >= 0 &&
		    work->place.line == like->place.line && work->place.file == like->place.file)
			return work;
	}
	return NULL;
}

/* What one thread knows of the loop others may not. */
static void complete(struct work *work, const struct work *from)
{
	if (work->left_own && from->left_own)
		work->left += from->left;
	work->has_left &= !work->left_own || from->left_own;
	if (!work->has_left && from->has_left && !from->left_own) {
		work->has_left = true;
		work->left = from->left;
		work->has_next = from->has_next;
		work->next = from->next;
		work->object = from->object;
	}
	if (!work->in_force.kind)
		work->in_force = from->in_force;
	if (!work->has_bounds && from->has_bounds) {
		work->has_bounds = work->has_total = true;
		work->begin = from->begin;
		work->end = from->end;
		work->total = from->total;
	}
}

static void name_function(const struct visit *v, struct work *work)
{
	const struct source_place at = {
		.pc = scope_lookup_pc(&v->scope),
		.level = v->scope.level,
		.file = v->place.file,
		.line = v->place.line,
	};
	const char *outlined;

	work->function = outlined_text(v->f->session->symbols, &at, false, &outlined);
}

static void add(struct finding *f, struct visit *v)
{
	struct work work;
	struct work_thread t;

	read_visit(v, &work, &t);
	name_function(v, &work);
	struct work *known = find_work(f->ret, &work);
	if (!known) {
		f->failed |= !vec_push(&f->ret->items, work);
		if (f->failed) {
			free(work.function);
			return;
		}
		known = &f->ret->items.items[f->ret->items.len - 1];
	} else {
		complete(known, &work);
		free(work.function);
	}
	f->failed |= !vec_push(&known->threads, t);
}

/* It waits at the end of a loop of that region, as far as the source tells. */
static bool is_at_an_end(const struct worksharing *all, int region, int thread)
{
	vec_for_each (work, &all->items) {
		const struct work_thread *t =
			work->region == region ? work_thread_in(work, thread) : NULL;
		if (t && t->state == WORK_AT_END)
			return true;
	}
	return false;
}

static int by_number(const void *a, const void *b)
{
	const struct work_thread *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* The others of the team: they are elsewhere. */
static void add_others(struct finding *f, struct work *work)
{
	const struct picture *p = &f->from->picture;
	const struct picture_region *r = picture_region(p, work->region);

	/* Who has not come yet has a part that he does not know of. */
	work->has_left &= !work->left_own || (r && work->threads.len == (size_t)r->size);
	for (size_t i = 0; r && !f->failed && i < r->members.len; i++) {
		const struct picture_thread *th = picture_thread(p, r->members.items[i]);
		struct work_thread t = { .thread = r->members.items[i],
					 .number = (long)i,
					 .state = WORK_AWAY };
		if (!th || work_thread_in(work, t.thread))
			continue;
		/* Others are in it: a barrier that it waits at, and that is not over, is behind it.
		 */
		if (th->region == work->region && is_at_barrier(th) && !th->wait.over &&
		    !is_at_an_end(f->ret, work->region, t.thread))
			t.state = WORK_AT_END;
		f->failed |= !vec_push(&work->threads, t);
	}
	qsort(work->threads.items, work->threads.len, sizeof(*work->threads.items), by_number);
}

/* Who still waits at the end of a loop that nobody is in is about to be let go. */
static void drop_left(struct worksharing *all)
{
	size_t n = 0;

	vec_for_each (work, &all->items) {
		bool used = false;
		vec_for_each (t, &work->threads)
			used |= t->state == WORK_INSIDE || t->state == WORK_ASKS;
		if (used)
			all->items.items[n++] = *work;
		else
			work_fini(work);
	}
	all->items.len = n;
}

struct error *worksharing_find(struct session *s, const struct snapshot *from,
			       struct worksharing *ret)
{
	struct finding f = { .session = s, .from = from, .ret = ret };

	f.values = convenience_new();
	f.failed = !f.values;
	vec_for_each (loop, &from->picture.loops) {
		struct visit v = { .f = &f, .loop = loop };
		if (!f.failed && find_text(&v) && !f.failed)
			add(&f, &v);
	}
	vec_for_each (work, &ret->items)
		add_others(&f, work);
	drop_left(ret);
	convenience_free(f.values);
	return f.failed ? &error_nomem : NULL;
}

static struct error *find_again(void *worksharing, struct session *s, struct snapshot *from)
{
	worksharing_fini(worksharing);
	return worksharing_find(s, from, worksharing);
}

struct snapshot_options worksharing_options(struct worksharing *ret, bool few_names)
{
	return (struct snapshot_options){ .max_frames = UNWIND_FRAMES_DEFAULT,
					  .no_stacks = true,
					  .few_names = few_names,
					  .loops = true,
					  .more = find_again,
					  .context = ret };
}
