/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_omp.h"

#include <string.h>

#include "debugger/output/forest.h"
#include "debugger/output/format.h"
#include "debugger/output/format_picture.h"

static void add_heading(struct buf *out, const char *text, const struct style *style)
{
	buf_addc(out, '\n');
	style_begin(out, INK_TITLE, style);
	buf_adds(out, text);
	style_end(out, style);
	buf_addc(out, '\n');
}

static void add_source(struct buf *out, enum fact_source source)
{
	if (source == SOURCE_INFERRED)
		buf_adds(out, " (inferred)");
}

/* ", at app.c:41"; with_function: ", at app.c:41 in work". */
static void add_place(struct buf *out, const struct place *place, bool with_function,
		      const struct style *style)
{
	if (!place->file && !place->function)
		return;
	buf_adds(out, ", ");
	style_begin(out, INK_WHERE, style);
	format_picture_place(out, place);
	if (with_function && place->file && place->function) {
		buf_adds(out, " in ");
		style_add_text(out, place->function);
	}
	style_end(out, style);
}

/* Runtimes -------------------------------------------------------------------------------- */

void format_omp_begin(struct buf *out, const struct view *v, const struct style *style)
{
	format_stacks_begin(out, v->stacks, style);
	add_heading(out, "runtimes", style);
	vec_for_each (r, &v->picture->runtimes) {
		buf_adds(out, "  ");
		format_picture_runtime(out, r, style);
		buf_adds(out, "\n    file          ");
		style_add_text(out, r->path ? r->path : "unknown");
		buf_adds(out, "\n    OMPD library  ");
		style_add_text(out, r->provider ? r->provider : "none");
		buf_addc(out, '\n');
	}
	if (!v->picture->runtimes.len)
		buf_adds(out, "  none\n");
}

/* Regions and their threads --------------------------------------------------------------- */

/* What all lines of a part have in common. */
struct drawing {
	const struct view *view;
	const struct style *style;
	struct forest forest;      /* of regions, or of tasks     */
	int lwp_width, task_width; /* of columns, for all threads */
};

static void drawing_fini(struct drawing *d)
{
	forest_fini(&d->forest);
}

static void measure(struct drawing *d)
{
	vec_for_each (t, &d->view->picture->threads) {
		int lwp = (int)style_digits(t->lwp > 0 ? (size_t)t->lwp : 0);
		int task = (int)style_digits(t->task > 0 ? (size_t)t->task : 0);
		d->lwp_width = lwp > d->lwp_width ? lwp : d->lwp_width;
		d->task_width = task > d->task_width ? task : d->task_width;
	}
}

static void add_wait(struct buf *out, const struct drawing *d, int thread)
{
	const struct picture_wait *w = &d->view->picture->threads.items[thread].wait;

	style_begin(out, format_picture_wait_ink(w->kind), d->style);
	format_picture_wait(out, d->view, thread, false);
	style_end(out, d->style);
	add_place(out, &w->place, false, d->style);
	if (w->kind != WAIT_NONE)
		add_source(out, w->source);
}

/* "LWP 4243  worker   task 1  waits at barrier" */
static void add_thread(struct buf *out, const struct drawing *d, int thread)
{
	const struct picture *p = d->view->picture;
	const struct picture_thread *t = &p->threads.items[thread];

	buf_addf(out, "LWP %-*d  %-7s  ", d->lwp_width, t->lwp, format_picture_role_word(t->role));
	if (p->tasks.len && t->task >= 0)
		buf_addf(out, "task %-*d  ", d->task_width, t->task);
	else if (p->tasks.len)
		style_add_spaces(out, (size_t)d->task_width + strlen("task   "));
	add_wait(out, d, thread);
	if (t->source == SOURCE_INFERRED && t->region >= 0)
		buf_adds(out, " (number inferred)");
	buf_addc(out, '\n');
}

/* A member that stands in a region further in has its row there. */
static void add_member(struct buf *out, const struct drawing *d, int region, size_t number)
{
	const struct picture_region *r = &d->view->picture->regions.items[region];
	int thread = r->members.items[number];
	const struct picture_thread *t = view_thread(d->view, thread);
	int digits = (int)style_digits(r->members.len - 1);

	buf_addf(out, "%d.%-*zu  ", region, digits, number);
	if (t && t->region == region) {
		add_thread(out, d, thread);
		return;
	}
	if (t)
		buf_addf(out, "LWP %-*d  ", d->lwp_width, t->lwp);
	if (t && t->region >= 0 && t->number >= 0)
		buf_addf(out, "goes on as %d.%ld\n", t->region, t->number);
	else
		buf_adds(out, t ? "has left\n" : "not found\n");
}

static void add_region(struct buf *out, struct drawing *d, int i)
{
	const struct picture_region *r = &d->view->picture->regions.items[i];
	int team;
	size_t number;

	forest_enter(&d->forest, i);
	forest_add_title_prefix(out, &d->forest, i, d->style);
	style_begin(out, INK_BORDER, d->style);
	format_picture_region(out, d->view, i);
	style_end(out, d->style);
	add_place(out, &r->place, true, d->style);
	if (view_starter(d->view, i, &team, &number))
		buf_addf(out, ", by %d.%zu", team, number);
	add_source(out, r->source);
	buf_addc(out, '\n');
}

static void add_members(struct buf *out, const struct drawing *d, int i)
{
	const struct picture_region *r = &d->view->picture->regions.items[i];
	AUTO_BUF prefix = { 0 };

	forest_add_prefix(&prefix, &d->forest, i, d->style);
	for (size_t n = 0; n < r->members.len; n++) {
		buf_adds(out, buf_text(&prefix));
		add_member(out, d, i, n);
	}
	out->failed |= prefix.failed;
}

/* Those in no region: the idle ones together, the others one by one. */
static void add_others(struct buf *out, const struct drawing *d)
{
	const struct picture *p = d->view->picture;
	VEC(int) idle = { 0 };
	bool titled = false;

	for (size_t i = 0; i < p->threads.len; i++) {
		const struct picture_thread *t = &p->threads.items[i];
		if (t->region >= 0)
			continue;
		if (t->role == ROLE_IDLE) {
			out->failed |= !vec_push(&idle, (int)i);
			continue;
		}
		if (!titled)
			add_heading(out, "threads in no region", d->style);
		titled = true;
		buf_adds(out, "  ");
		add_thread(out, d, (int)i);
	}
	if (idle.len) {
		style_begin(out, INK_IDLE, d->style);
		buf_addf(out, "\n%zu thread%s idle in the pool: ", idle.len,
			 idle.len == 1 ? "" : "s");
		format_picture_set(out, d->view, idle.items, idle.len);
		style_end(out, d->style);
		buf_addc(out, '\n');
	}
	vec_fini(&idle);
}

void format_omp_regions(struct buf *out, const struct view *v, const struct style *style)
{
	const struct picture *p = v->picture;
	AUTO(drawing_fini) struct drawing d = { .view = v, .style = style };

	if (!forest_init(&d.forest, p->regions.len)) {
		out->failed = true;
		return;
	}
	measure(&d);
	for (size_t i = 0; i < p->regions.len; i++)
		forest_add(&d.forest, (int)i, p->regions.items[i].parent);
	if (p->regions.len)
		add_heading(out, "regions", style);
	for (int i = forest_first(&d.forest); i >= 0; i = forest_after(&d.forest, i)) {
		add_region(out, &d, i);
		add_members(out, &d, i);
	}
	add_others(out, &d);
}

/* Tasks ----------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_alike(const struct picture_task *a, const struct picture_task *b)
{
	return a->kind == b->kind && a->state == b->state && a->region == b->region &&
	       a->source == b->source && a->waits == b->waits && !a->waits_for.len &&
	       !b->waits_for.len && (a->thread < 0) == (b->thread < 0) &&
	       a->place.line == b->place.line && same_text(a->place.file, b->place.file) &&
	       same_text(a->place.function, b->place.function);
}

/* The last of the tasks that begin with i and can share its line. */
static int last_alike(const struct view *v, const struct forest *f, int i)
{
	const struct picture_task *tasks = v->picture->tasks.items;
	int last = i;

	while (!forest_has_children(f, last) && f->nodes[last].next == last + 1 &&
	       !forest_has_children(f, last + 1) && is_alike(&tasks[i], &tasks[last + 1]))
		last++;
	return last;
}

static void add_executors(struct buf *out, const struct view *v, int first, int last)
{
	VEC(int) threads = { 0 };

	for (int i = first; i <= last; i++) {
		if (view_thread(v, v->picture->tasks.items[i].thread))
			out->failed |= !vec_push(&threads, v->picture->tasks.items[i].thread);
	}
	if (threads.len) {
		buf_adds(out, " on ");
		format_picture_set(out, v, threads.items, threads.len);
	}
	vec_fini(&threads);
}

static void add_awaited(struct buf *out, const struct picture_task *task)
{
	enum { SHOWN = 8 };

	if (task->waits_for.len)
		buf_addf(out, ", waits for task%s", task->waits_for.len == 1 ? "" : "s");
	else if (task->waits)
		buf_adds(out, ", waits for its tasks");
	for (size_t i = 0; i < task->waits_for.len && i < SHOWN; i++)
		buf_addf(out, " %d", task->waits_for.items[i]);
	if (task->waits_for.len > SHOWN)
		buf_addf(out, " and %zu more", task->waits_for.len - SHOWN);
}

static void add_tasks(struct buf *out, const struct drawing *d, int first, int last)
{
	const struct picture_task *task = &d->view->picture->tasks.items[first];

	forest_add_title_prefix(out, &d->forest, last, d->style);
	style_begin(out, INK_BORDER, d->style);
	if (first == last)
		buf_addf(out, "task %d", first);
	else
		buf_addf(out, "tasks %d-%d", first, last);
	style_end(out, d->style);
	buf_addf(out, ": %s, %s", picture_task_kind_name(task->kind),
		 picture_task_state_name(task->state));
	add_executors(out, d->view, first, last);
	if (task->region >= 0)
		buf_addf(out, ", region %d", task->region);
	add_awaited(out, task);
	if (task->kind != TASK_IMPLICIT)
		add_place(out, &task->place, true, d->style);
	add_source(out, task->source);
	buf_addc(out, '\n');
}

void format_omp_tasks(struct buf *out, const struct view *v, const struct style *style)
{
	const struct picture *p = v->picture;
	AUTO(drawing_fini) struct drawing d = { .view = v, .style = style };

	if (!p->tasks.len)
		return;
	if (!forest_init(&d.forest, p->tasks.len)) {
		out->failed = true;
		return;
	}
	for (size_t i = 0; i < p->tasks.len; i++)
		forest_add(&d.forest, (int)i, p->tasks.items[i].creator);
	add_heading(out, "tasks", style);
	for (int i = forest_first(&d.forest), last; i >= 0; i = forest_after(&d.forest, last)) {
		last = last_alike(v, &d.forest, i);
		forest_enter(&d.forest, last);
		add_tasks(out, &d, i, last);
	}
}

/* ICVs ------------------------------------------------------------------------------------ */

static int compare_icvs(const void *a, const void *b)
{
	const struct picture_icv *const *px = a, *const *py = b;
	const struct picture_icv *x = *px, *y = *py;
	int order = x->runtime - y->runtime;

	order = order ? order : (int)x->scope - (int)y->scope;
	order = order ? order : strcmp(x->name, y->name);
	order = order ? order : strcmp(x->value, y->value);
	return order ? order : (x->of > y->of) - (x->of < y->of);
}

static bool is_same_icv(const struct picture_icv *a, const struct picture_icv *b)
{
	return a->runtime == b->runtime && a->scope == b->scope && !strcmp(a->name, b->name) &&
	       !strcmp(a->value, b->value);
}

/* "regions 0-3 5" */
static void add_ids(struct buf *out, const char *what, struct picture_icv *const *icvs, size_t len)
{
	enum { RANGES = 8 };
	size_t ranges = 0;

	buf_addf(out, "%s%s", what, len == 1 ? "" : "s");
	for (size_t i = 0, end; i < len; i = end) {
		for (end = i + 1; end < len && icvs[end]->of == icvs[end - 1]->of + 1; end++)
			;
		if (ranges++ == RANGES) {
			buf_adds(out, " ...");
			return;
		}
		buf_addf(out, " %d", icvs[i]->of);
		if (end > i + 1)
			buf_addf(out, "-%d", icvs[end - 1]->of);
	}
}

static void add_owners(struct buf *out, const struct view *v, struct picture_icv *const *icvs,
		       size_t len)
{
	VEC(int) threads = { 0 };

	switch (icvs[0]->scope) {
	case ICV_REGION:
		add_ids(out, "region", icvs, len);
		return;
	case ICV_TASK:
		add_ids(out, "task", icvs, len);
		return;
	case ICV_THREAD:
		for (size_t i = 0; i < len; i++) {
			if (view_thread(v, icvs[i]->of))
				out->failed |= !vec_push(&threads, icvs[i]->of);
		}
		if (threads.len)
			format_picture_threads(out, v, threads.items, threads.len);
		vec_fini(&threads);
		return;
	case ICV_PROCESS:
	case NUM_ICV_SCOPES:
		buf_adds(out, "process");
		return;
	}
}

enum { ICV_NAME_WIDTH = 24, ICV_VALUE_WIDTH = 20 };

static void add_column(struct buf *out, const char *text, size_t width)
{
	size_t start = out->len;

	style_add_text(out, text);
	size_t used = style_width(out, start);
	style_add_spaces(out, (used < width ? width - used : 0) + 2);
}

static void add_icv_heading(struct buf *out, const struct view *v, int runtime,
			    const struct style *style)
{
	const struct picture *p = v->picture;
	bool known = runtime >= 0 && (size_t)runtime < p->runtimes.len;
	AUTO_BUF text = { 0 };

	buf_adds(&text, "internal control variables");
	if (known)
		buf_addf(&text, " of %s", p->runtimes.items[runtime].name);
	add_heading(out, buf_text(&text), style);
}

void format_omp_icvs(struct buf *out, const struct view *v, const struct style *style)
{
	const struct picture *p = v->picture;
	AUTO_FREE struct picture_icv **icvs = calloc(p->icvs.len + 1, sizeof(*icvs));

	if (!icvs) {
		out->failed = true;
		return;
	}
	for (size_t i = 0; i < p->icvs.len; i++)
		icvs[i] = &p->icvs.items[i];
	qsort(icvs, p->icvs.len, sizeof(*icvs), compare_icvs);
	for (size_t i = 0, end; i < p->icvs.len; i = end) {
		for (end = i + 1; end < p->icvs.len && is_same_icv(icvs[i], icvs[end]); end++)
			;
		if (!i || icvs[i]->runtime != icvs[i - 1]->runtime)
			add_icv_heading(out, v, icvs[i]->runtime, style);
		buf_adds(out, "  ");
		add_column(out, icvs[i]->name, ICV_NAME_WIDTH);
		add_column(out, icvs[i]->value, ICV_VALUE_WIDTH);
		add_owners(out, v, icvs + i, end - i);
		buf_addc(out, '\n');
	}
}

void format_omp_end(struct buf *out, const struct view *v, const struct style *style)
{
	format_picture_notes(out, v, style);
}
