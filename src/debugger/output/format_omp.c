/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_omp.h"

#include <string.h>

#include "debugger/output/drawing.h"
#include "debugger/output/format_picture.h"

static void add_heading(struct buf *out, const char *text, const struct style *style)
{
	buf_addc(out, '\n');
	style_add_inked(out, INK_TITLE, text, style);
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
	if (!place_is_known(place))
		return;
	buf_adds(out, ", ");
	style_begin(out, INK_WHERE, style);
	format_picture_place(out, place);
	if (with_function && place->file && place->function)
		buf_adds(out, " in ");
	if (with_function && place->file && place->function)
		style_add_function(out, place->function, style);
	style_end(out, style);
}

/* Runtimes -------------------------------------------------------------------------------- */

static void add_runtimes(struct buf *out, const struct view *v, const struct style *style)
{
	add_heading(out, "runtimes", style);
	vec_for_each (r, &v->picture->runtimes) {
		buf_adds(out, "  ");
		format_picture_runtime(out, r, style);
		style_add_between(out, "\n    file          ", r->path ? r->path : "unknown", "");
		style_add_between(out, "\n    OMPD library  ", r->provider ? r->provider : "none",
				  "\n");
	}
	if (!v->picture->runtimes.len)
		buf_adds(out, "  none\n");
}

/* Regions and their threads --------------------------------------------------------------- */

/* What all lines have in common. */
struct page {
	const struct view *view;
	const struct overview *overview;
	const struct style *style;
	int lwp_width, task_width; /* of columns, for all threads */
};

static void measure(struct page *page)
{
	vec_for_each (t, &page->view->picture->threads) {
		int lwp = (int)style_digits(t->lwp > 0 ? (size_t)t->lwp : 0);
		long id = picture_task_id(page->view->picture, t->task);
		int task = (int)style_digits(id > 0 ? (size_t)id : 0);
		page->lwp_width = lwp > page->lwp_width ? lwp : page->lwp_width;
		page->task_width = task > page->task_width ? task : page->task_width;
	}
}

/* many: as of several threads. */
static void add_wait(struct buf *out, const struct page *page, int thread, bool many)
{
	const struct picture_wait *w = &page->view->picture->threads.items[thread].wait;

	style_begin(out, format_picture_wait_ink(w->kind), page->style);
	format_picture_state(out, page->view, thread, many);
	style_end(out, page->style);
	add_place(out, &w->place, false, page->style);
	if (w->kind != WAIT_NONE)
		add_source(out, w->source);
}

/* "LWP 4243  worker   task 1  waits at barrier" */
static void add_thread(struct buf *out, const struct page *page, int thread)
{
	const struct picture *p = page->view->picture;
	const struct picture_thread *t = &p->threads.items[thread];

	buf_addf(out, "LWP %-*d  %-7s  ", page->lwp_width, t->lwp,
		 t->role == ROLE_NONE ? "other" : picture_role_name(t->role));
	if (p->tasks.len && t->task >= 0)
		buf_addf(out, "task %-*ld  ", page->task_width, picture_task_id(p, t->task));
	else if (p->tasks.len)
		style_add_spaces(out, (size_t)page->task_width + strlen("task   "));
	add_wait(out, page, thread, false);
	if (t->source == SOURCE_INFERRED && t->region >= 0)
		buf_adds(out, " (number inferred)");
	buf_addc(out, '\n');
}

/* "0.[0-2,4-63]  63 threads  wait at barrier" */
static void add_alike(struct buf *out, const struct page *page, const struct ints *threads)
{
	const struct picture *p = page->view->picture;
	const struct picture_thread *t = &p->threads.items[*threads->items];

	format_picture_set(out, page->view, threads->items, threads->len);
	buf_addf(out, "  %zu threads  ", threads->len);
	add_wait(out, page, *threads->items, true);
	buf_adds(out, t->source == SOURCE_INFERRED ? " (numbers inferred)\n" : "\n");
}

/* A member that stands in another region, mostly one further in, has its row there. */
static void add_member(struct buf *out, const struct page *page, int region,
		       const struct overview_line *line)
{
	static const char *const words[] = {
		[MEMBER_WITHIN] = "goes on as ",
		[MEMBER_ELSEWHERE] = "has gone on as ",
		[MEMBER_DUE] = "not woken yet",
		[MEMBER_COMES] = "on its way",
		[MEMBER_COMES_OR_LEFT] = "has left, or is on its way",
		[MEMBER_UNKNOWN] = "not found",
	};
	const struct picture_region *r = &page->view->picture->regions.items[region];
	int thread = r->members.items[line->number];
	const struct picture_thread *t = picture_thread(page->view->picture, thread);
	int digits = (int)style_digits(r->members.len - 1);

	buf_addf(out, "%ld.%-*zu  ", picture_region_id(page->view->picture, region), digits,
		 line->number);
	if (line->where == MEMBER_HERE) {
		add_thread(out, page, thread);
		return;
	}
	if (t)
		buf_addf(out, "LWP %-*d  ", page->lwp_width, t->lwp);
	buf_adds(out, words[line->where]);
	if (line->where == MEMBER_WITHIN || line->where == MEMBER_ELSEWHERE)
		picture_add_thread_name(out, page->view->picture, thread);
	buf_addc(out, '\n');
}

static void add_region(struct buf *out, const struct page *page, int i)
{
	const struct picture_region *r = &page->view->picture->regions.items[i];
	long team;
	size_t number;

	style_begin(out, INK_BORDER, page->style);
	format_picture_region(out, page->view, i);
	style_end(out, page->style);
	add_place(out, &r->place, true, page->style);
	if (picture_starter(page->view->picture, i, &team, &number))
		buf_addf(out, ", by %ld.%zu", team, number);
	add_source(out, r->source);
	buf_adds(out, r->doubtful ? " (maybe seen before)" : "");
	buf_addc(out, '\n');
}

static void add_regions(struct buf *out, const struct page *page)
{
	struct drawing drawing = { 0 };

	if (page->overview->regions.len)
		add_heading(out, "regions", page->style);
	vec_for_each (r, &page->overview->regions) {
		drawing_enter(&drawing, r->at.depth, r->at.more);
		drawing_add_title(out, &drawing, page->style);
		add_region(out, page, r->region);
		vec_for_each (line, &r->lines) {
			drawing_add_prefix(out, &drawing, page->style);
			style_mark(out, r->at.children ? MARK_PASS : MARK_GAP, page->style);
			if (line->threads.len > 1)
				add_alike(out, page, &line->threads);
			else
				add_member(out, page, r->region, line);
		}
	}
}

/* Those in no region: the idle ones together, the others one by one. */
static void add_others(struct buf *out, const struct page *page)
{
	const struct ints *idle = &page->overview->idle;

	if (page->overview->outside.len)
		add_heading(out, "threads in no region", page->style);
	vec_for_each (thread, &page->overview->outside) {
		buf_adds(out, "  ");
		add_thread(out, page, *thread);
	}
	if (!idle->len)
		return;
	style_begin(out, INK_IDLE, page->style);
	buf_addf(out, "\n%zu thread%s idle in the pool: ", idle->len, idle->len == 1 ? "" : "s");
	format_picture_set(out, page->view, idle->items, idle->len);
	style_end(out, page->style);
	buf_addc(out, '\n');
}

/* Tasks ----------------------------------------------------------------------------------- */

/* " task 4", " tasks 4 5 6 and 12 more" */
static void add_ids(struct buf *out, const struct picture *p, const int *tasks, size_t len)
{
	enum { SHOWN = 8 };

	buf_addf(out, " task%s", len == 1 ? "" : "s");
	for (size_t i = 0; i < len && i < SHOWN; i++)
		buf_addf(out, " %ld", picture_task_id(p, tasks[i]));
	if (len > SHOWN)
		buf_addf(out, " and %zu more", len - SHOWN);
}

static void add_awaited(struct buf *out, const struct page *page, const struct listing_row *row)
{
	const struct picture *p = page->view->picture;
	const struct picture_task *task = picture_task(p, row->task);

	if (task->waits_for.len || task->waits)
		buf_adds(out, ", waits for");
	if (task->waits_for.len)
		add_ids(out, p, task->waits_for.items, task->waits_for.len);
	else if (task->waits)
		buf_adds(out, " its tasks");
	if (page->overview->each && row->followers.len) {
		buf_adds(out, ", awaited by");
		add_ids(out, p, row->followers.items, row->followers.len);
	}
	if (row->unfinished > 0)
		buf_addf(out, ", %ld unfinished child task%s", row->unfinished,
			 row->unfinished == 1 ? "" : "s");
}

static void add_task_line(struct buf *out, const struct page *page,
			  const struct overview_tasks *tasks)
{
	const struct picture *p = page->view->picture;
	const struct picture_task *task = &p->tasks.items[tasks->first];
	const long first = picture_task_id(p, tasks->first);

	style_begin(out, INK_BORDER, page->style);
	if (tasks->first == tasks->last)
		buf_addf(out, "task %ld", first);
	else
		buf_addf(out, "tasks %ld-%ld", first, picture_task_id(p, tasks->last));
	style_end(out, page->style);
	buf_addf(out, ": %s, %s", picture_task_kind_name(task->kind),
		 picture_task_state_name(task->state));
	if (tasks->threads.len) {
		buf_adds(out, " on ");
		format_picture_set(out, page->view, tasks->threads.items, tasks->threads.len);
	}
	if (task->region >= 0)
		buf_addf(out, ", region %ld", picture_region_id(p, task->region));
	add_awaited(out, page, tasks->row);
	if (task->kind != TASK_IMPLICIT)
		add_place(out, &task->place, true, page->style);
	add_source(out, task->source);
	buf_adds(out, task->doubtful ? " (maybe seen before)" : "");
	buf_addc(out, '\n');
}

static void add_tasks(struct buf *out, const struct page *page)
{
	struct drawing drawing = { 0 };

	if (page->overview->tasks.len)
		add_heading(out, "tasks", page->style);
	vec_for_each (tasks, &page->overview->tasks) {
		drawing_enter(&drawing, tasks->at.depth, tasks->at.more);
		drawing_add_title(out, &drawing, page->style);
		add_task_line(out, page, tasks);
	}
}

/* ICVs ------------------------------------------------------------------------------------ */

static void add_owners(struct buf *out, const struct view *v, const struct overview_icv *icv)
{
	switch (icv->icv->scope) {
	case ICV_REGION:
		format_picture_ids(out, v->picture, &format_ids_regions, icv->of.items,
				   icv->of.len);
		return;
	case ICV_TASK:
		format_picture_ids(out, v->picture, &format_ids_tasks, icv->of.items, icv->of.len);
		return;
	case ICV_THREAD:
		if (icv->of.len)
			format_picture_threads(out, v, icv->of.items, icv->of.len);
		return;
	case ICV_PROCESS:
	case NUM_ICV_SCOPES:
		buf_adds(out, "process");
		return;
	}
}

static void add_column(struct buf *out, const char *text, size_t width)
{
	const struct style plain = { 0 };
	AUTO_BUF escaped = { 0 };

	style_add_text(&escaped, text);
	style_add_column(out, INK_NAME, &escaped, width, &plain);
	buf_adds(out, "  ");
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

static void add_icvs(struct buf *out, const struct page *page)
{
	enum { NAME_WIDTH = 24, VALUE_WIDTH = 20 };

	vec_for_each (icv, &page->overview->icvs) {
		if (icv->first)
			add_icv_heading(out, page->view, icv->icv->runtime, page->style);
		buf_adds(out, "  ");
		add_column(out, icv->icv->name, NAME_WIDTH);
		add_column(out, icv->icv->value, VALUE_WIDTH);
		add_owners(out, page->view, icv);
		buf_addc(out, '\n');
	}
}

void format_omp_parts(struct buf *out, const struct view *v, const struct overview *overview,
		      unsigned int parts, const struct style *style)
{
	struct page page = { .view = v, .overview = overview, .style = style };

	measure(&page);
	if (parts & OMP_RUNTIMES)
		add_runtimes(out, v, style);
	if (parts & OMP_REGIONS) {
		add_regions(out, &page);
		add_others(out, &page);
	}
	if (parts & OMP_TASKS)
		add_tasks(out, &page);
	if (parts & OMP_ICVS)
		add_icvs(out, &page);
}

void format_omp(struct buf *out, const struct view *v, const struct overview *overview,
		const struct style *style)
{
	format_picture_target(out, v->stacks, style);
	format_omp_parts(out, v, overview, OMP_RUNTIMES | OMP_REGIONS | OMP_TASKS | OMP_ICVS,
			 style);
	format_picture_notes(out, v, style);
}
