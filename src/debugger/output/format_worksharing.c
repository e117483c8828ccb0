/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_worksharing.h"

#include <inttypes.h>
#include <string.h>

#include "debugger/output/format_picture.h"

static void add_number(struct buf *out, const struct work *w, uint64_t number)
{
	if (w->is_unsigned)
		buf_addf(out, "%" PRIu64, number);
	else
		buf_addf(out, "%" PRId64, (int64_t)number);
}

/* "i = 4", "iteration 4", "iterations 4" */
static void add_numbered(struct buf *out, const struct work *w, bool many, uint64_t number)
{
	const char *variable =
		w->text && w->text->loops.len ? w->text->loops.items[0].variable : NULL;

	if (w->sections)
		buf_addf(out, "section%s ", many ? "s" : "");
	else if (w->counts || !variable)
		buf_addf(out, "iteration%s ", many ? "s" : "");
	else
		style_add_between(out, "", variable, " = ");
	add_number(out, w, number);
}

static void add_schedule(struct buf *out, const struct schedule *s, bool assumed)
{
	buf_adds(out, "in force: ");
	schedule_add(out, s);
	if (assumed)
		buf_adds(out, " (assumed: compilers do so)");
}

/* "parallel for, schedule(dynamic, 4), in force: dynamic, 4"; "taskloop" */
static void add_directive(struct buf *out, const struct work *w)
{
	const bool has_schedule =
		!w->sections && !(w->text && w->text->directive.parts & DIRECTIVE_TASK);

	buf_adds(out, "  ");
	if (w->text)
		style_add_between(out, "", w->text->directive.name, ", ");
	else
		buf_adds(out, "source not known, ");
	if (w->schedule)
		style_add_between(out, w->in_force.distributes ? "dist_schedule(" : "schedule(",
				  w->schedule, "), ");
	else if (w->text && has_schedule)
		buf_adds(out, "no schedule is written, ");
	if (w->text && !w->sections && !w->text->directive.collapse)
		buf_adds(out, "collapse of a number that is not known, ");
	else if (w->text && !w->sections && w->text->directive.collapse > 1)
		buf_addf(out, "collapse(%u), ", w->text->directive.collapse);
	if (w->text && w->text->directive.ordered)
		buf_adds(out, "ordered, ");
	if (has_schedule)
		add_schedule(out, &w->in_force, w->assumed);
	else
		out->len -= strlen(", ");
	buf_addc(out, '\n');
}

static void add_bounds(struct buf *out, const struct work *w)
{
	if (w->sections && !w->has_total && !w->has_left)
		return;
	buf_adds(out, "  ");
	if (w->has_bounds) {
		const struct loop_header *h = &w->text->loops.items[0];
		style_add_between(out, "", h->variable ? h->variable : "?", " from ");
		add_number(out, w, w->begin);
		buf_adds(out, " to ");
		add_number(out, w, w->end);
		buf_addf(out, ", step %" PRId64 ": ", w->step);
	} else if (!w->sections) {
		buf_adds(out, "bounds not known");
		if (w->has_step && !w->counts)
			buf_addf(out, ", step %" PRId64, w->step);
		buf_adds(out, w->has_total ? ": " : "");
	}
	if (w->has_total)
		buf_addf(out, "%" PRIu64 " %s%s", w->total, w->sections ? "section" : "iteration",
			 w->total == 1 ? "" : "s");
	if (w->has_left)
		buf_addf(out, "; %" PRIu64 " not given to any thread yet", w->left);
	if (w->has_left && w->has_next && w->left) {
		buf_adds(out, ", from ");
		add_numbered(out, w, false, w->next);
		buf_adds(out, " on");
	}
	buf_addc(out, '\n');
}

/* "i = 4, j = 2" */
static void add_now(struct buf *out, const struct work *w, const struct work_thread *t)
{
	for (size_t i = 0; i < t->nnow; i++) {
		const char *variable = w->text->loops.items[i].variable;
		buf_adds(out, i ? ", " : "");
		style_add_between(out, "", variable ? variable : "?", " = ");
		add_number(out, w, t->now[i]);
	}
}

static void add_chunk(struct buf *out, const struct work *w, const struct work_thread *t)
{
	if (t->has_chunk) {
		add_numbered(out, w, t->first != t->last, t->first);
		if (t->first != t->last) {
			buf_adds(out, " to ");
			add_number(out, w, t->last);
		}
		buf_adds(out, t->computed ? " (computed)" : "");
	} else if (!t->section) {
		buf_adds(out, w->sections ? "which section is not known" : "chunk not known");
	}
	if (t->section)
		buf_addf(out, t->has_chunk ? " (of line %d)" : "the section of line %d",
			 t->section);
	if (t->has_now) {
		buf_adds(out, ", now ");
		add_now(out, w, t);
	}
	if (t->has_rest)
		buf_addf(out, ", %" PRIu64 " more", t->rest);
}

static void add_thread(struct buf *out, const struct view *v, const struct work *w,
		       const struct work_thread *t)
{
	const struct picture_thread *th = picture_thread(v->picture, t->thread);

	buf_adds(out, "    ");
	if (w->region >= 0 && t->number >= 0)
		buf_addf(out, "%ld.%ld  ", picture_region_id(v->picture, w->region), t->number);
	buf_addf(out, "LWP %d  ", th ? th->lwp : 0);
	switch (t->state) {
	case WORK_INSIDE:
		add_chunk(out, w, t);
		break;
	case WORK_ASKS:
		buf_adds(out, "asks for its next iterations");
		break;
	case WORK_AT_END:
		buf_adds(out, "has done its part, waits for the others");
		break;
	case WORK_AWAY:
		buf_adds(out, "is not in it");
		break;
	}
	buf_addc(out, '\n');
}

static void add_work(struct buf *out, const struct view *v, const struct work *w,
		     const struct style *style)
{
	style_begin(out, INK_BORDER, style);
	buf_adds(out, w->sections ? "sections" : "loop");
	if (w->region >= 0)
		buf_addf(out, " of region %ld", picture_region_id(v->picture, w->region));
	style_end(out, style);
	if (w->place.file) {
		buf_adds(out, ", at ");
		style_add_line(out, w->place.file, w->place.line);
	}
	if (w->function)
		style_add_between(out, " in ", w->function, "");
	buf_addc(out, '\n');
	add_directive(out, w);
	add_bounds(out, w);
	vec_for_each (t, &w->threads)
		add_thread(out, v, w, t);
}

void format_worksharing_loops(struct buf *out, const struct view *v, const struct worksharing *w,
			      const struct style *style)
{
	vec_for_each (work, &w->items) {
		if (work != w->items.items)
			buf_addc(out, '\n');
		add_work(out, v, work, style);
	}
}

void format_worksharing(struct buf *out, const struct view *v, const struct worksharing *w,
			const struct style *style)
{
	format_worksharing_loops(out, v, w, style);
	if (!w->items.len)
		buf_adds(out, "No thread is in a worksharing loop.\n");
	format_picture_notes(out, v, style);
}
