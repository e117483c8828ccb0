/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/views.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/control/task_values.h"
#include "debugger/output/format_listing.h"
#include "debugger/output/format_omp.h"
#include "debugger/output/format_picture.h"
#include "debugger/output/format_stack.h"
#include "debugger/output/format_tree.h"
#include "debugger/output/format_why.h"
#include "debugger/output/format_why_graph.h"
#include "debugger/output/format_worksharing.h"
#include "debugger/output/json_listing.h"
#include "debugger/output/json_omp.h"
#include "debugger/output/json_picture.h"
#include "debugger/output/json_report.h"
#include "debugger/output/json_stack.h"
#include "debugger/output/json_why.h"
#include "debugger/output/json_worksharing.h"
#include "debugger/values/lock_names.h"
#include "debugger/values/looked_at.h"
#include "debugger/values/work_rows.h"

static struct error *add_tree(struct buf *out, const struct view *v, const struct style *style)
{
	AUTO_MERGE *root = NULL;
	AUTO(branches_fini) struct branches branches = { 0 };

	struct error *err = merge_stacks(v->stitched, v->all_frames, v->values != NULL, &root);
	if (!err)
		err = branches_make(root, v->stitched, format_tree_say, v, &branches);
	if (!err)
		format_tree(out, v, &branches, style);
	return err;
}

struct error *views_add_stacks(struct buf *out, const struct snapshot *s,
			       const struct views_options *o, const struct style *style)
{
	const struct view view = {
		.stacks = s->stacks,
		.picture = &s->picture,
		.stitched = o->raw ? NULL : &s->stitched,
		.all_frames = o->all_frames,
		.raw = o->raw,
		.values = o->values,
	};

	if (!o->json && !o->flat && !o->raw)
		return add_tree(out, &view, style);
	if (o->json)
		json_stacks(out, &view);
	else
		format_stacks(out, &view, style);
	return NULL;
}

struct error *views_add_omp(struct buf *out, const struct snapshot *s,
			    const struct views_options *o, const struct style *style)
{
	const struct view view = { .stacks = s->stacks, .picture = &s->picture };
	const struct listing_wishes none = { 0 };
	const size_t before = out->len;
	AUTO(overview_fini) struct overview overview = { 0 };
	AUTO_CHOSEN chosen = { 0 };
	struct error *err = chosen_find(view.picture, o->wishes ? o->wishes : &none, &chosen);

	if (!err && o->json)
		json_omp(out, &view, &chosen);
	else if (!err)
		err = overview_make(view.picture, &chosen, &overview);
	if (err || o->json)
		return err;
	if (o->parts)
		format_omp_parts(out, &view, &overview, o->parts, style);
	else
		format_omp(out, &view, &overview, style);
	if (out->len == before)
		buf_adds(out, "None.\n");
	return NULL;
}

struct error *views_find_values(void *frame_values, struct session *s, struct snapshot *from)
{
	struct frame_values *ret = frame_values;
	struct task_values_last last = { .session = s };
	struct error *err = lock_names_find(NULL, s, from);

	if (err || !(ret->arguments || ret->locals))
		return err;
	ret->know = task_values_know_raw;
	ret->known = &last;
	err = frame_values_find(s, from, ret);
	ret->known = NULL;
	ret->know = NULL;
	task_values_fini(&last.values);
	return err;
}

void views_reasons_fini(struct views_reasons *r)
{
	deciding_fini(&r->deciding);
	mpi_calls_fini(&r->calls);
}

struct error *views_find_reasons(void *reasons, struct session *s, struct snapshot *from)
{
	struct views_reasons *ret = reasons;
	struct error *err = lock_names_find(NULL, s, from);

	if (!err)
		err = deciding_find(s, from, &ret->deciding);
	if (!err)
		err = looked_at_name(s, &ret->deciding, from);
	return err || !ret->tells ? err : mpi_calls_find(s, from, &ret->calls);
}

/* The thread that all others wait for, if it looks at memory that code of the program may change.
 */
static const struct picture_thread *find_looking(const struct look *l, const struct why *why)
{
	const bool may_change = why->verdict == WHY_WAITING && why->class == WHY_EXTERNAL;
	const bool is_asked = may_change || (why_is_finding(why) && why->class == WHY_BUSY_WAIT);
	const int thread = why->blame.len ? why->blame.items[0].thread : -1;

	if (!is_asked || thread < 0)
		return NULL;
	const struct picture_thread *th = picture_thread(&l->snapshot->picture, thread);
	return th->wait.kind == WAIT_MEMORY ? th : NULL;
}

struct error *views_add_reasons(struct session *s, const struct look *l, struct why *why)
{
	const struct picture_thread *th = find_looking(l, why);
	AUTO_BUF text = { 0 };

	struct error *err = th ? looked_at_writers(s, &th->wait, &text) : NULL;
	if (err || !text.len)
		return err;
	char *reason = strdup(buf_text(&text));
	if (reason && vec_push(&why->reasons, reason))
		return NULL;
	free(reason);
	return &error_nomem;
}

/* ---- loops, of which some rows are wished ------------------------------------------------- */

static bool wishes_any(const struct listing_wishes *w)
{
	return w->filters.len || w->group || w->sort;
}

/* What is common to them. */
struct some_loops {
	const struct view *view;
	const struct worksharing *all;
	const struct work_rows *rows;
	const struct listing_lines *lines;
	const struct listing_key *group; /* NULL: there are no groups */
	const struct style *style;
};

static struct error *add_groups(struct buf *out, const struct some_loops *s)
{
	struct error *err = NULL;

	for (size_t next = 0, first = 0; !err && next < s->lines->items.len; first = next) {
		AUTO(work_rows_drop) struct worksharing picked = { 0 };
		err = work_rows_pick(s->rows, s->all, s->lines, &next, &picked);
		if (first)
			buf_addc(out, '\n');
		if (s->group)
			format_listing_group(out, &s->rows->listing, s->lines, s->group, first,
					     s->style);
		format_worksharing_loops(out, s->view, &picked, s->style);
	}
	return err;
}

static struct error *add_json_groups(struct json *j, const struct some_loops *s)
{
	const struct listing *l = &s->rows->listing;
	struct error *err = NULL;

	if (!s->lines->items.len || s->group)
		json_add_array(j, s->group ? "groups" : "loops");
	for (size_t next = 0, first = 0; !err && next < s->lines->items.len; first = next) {
		AUTO(work_rows_drop) struct worksharing picked = { 0 };
		err = work_rows_pick(s->rows, s->all, s->lines, &next, &picked);
		if (s->group) {
			json_add_object(j, NULL);
			json_listing_cell(j, "group", l,
					  &l->rows.items[*s->lines->items.items[first].rows.items],
					  s->group);
		}
		json_worksharing_loops(j, s->view, &picked);
		if (s->group)
			json_end(j);
	}
	if (!s->lines->items.len || s->group)
		json_end(j);
	return err;
}

static struct error *add_json_loops(struct buf *out, const struct some_loops *s)
{
	struct json j = { .out = out };

	json_picture_begin(&j, s->view, "loops");
	if (s->group)
		json_add_string(&j, "key", s->group->name);
	struct error *err = add_json_groups(&j, s);
	json_picture_end(&j, s->view);
	return err;
}

static struct error *add_some_loops(struct buf *out, const struct view *view,
				    const struct worksharing *loops, const struct views_options *o,
				    const struct style *style)
{
	AUTO(work_rows_fini) struct work_rows rows = { 0 };
	AUTO_LISTING_LINES lines = { 0 };
	const struct some_loops some = { view, loops, &rows, &lines, o->wishes->group, style };
	struct listing_wishes each = *o->wishes;
	struct error *err = work_rows_make(loops, view->picture, &rows);

	each.each = true;
	if (!err)
		err = listing_lines_make(&rows.listing, &each, &lines);
	if (err)
		return err;
	if (o->json)
		return add_json_loops(out, &some);
	if (!lines.items.len)
		buf_adds(out, "None.\n");
	else if (o->each)
		format_listing_rows(out, &rows.listing, &lines, o->wishes->group, style);
	else
		err = add_groups(out, &some);
	format_picture_notes(out, view, style);
	return err;
}

struct error *views_add_loops(struct buf *out, const struct snapshot *s,
			      const struct worksharing *loops, const struct views_options *o,
			      const struct style *style)
{
	const struct view view = { .stacks = s->stacks, .picture = &s->picture };

	if (loops->items.len && o->wishes && (o->each || wishes_any(o->wishes)))
		return add_some_loops(out, &view, loops, o, style);
	if (o->json)
		json_worksharing(out, &view, loops);
	else
		format_worksharing(out, &view, loops, style);
	return NULL;
}

struct error *views_add_why(struct buf *out, const struct session *s, const struct look *l,
			    const struct why *why, const struct views_options *o,
			    const struct style *style)
{
	const struct view view = { .stacks = l->snapshot->stacks,
				   .picture = &l->snapshot->picture,
				   .sources = s->sources,
				   .deciding = o->deciding };
	AUTO(why_outline_fini) struct why_outline outline = { 0 };
	struct error *err = why_outline_init(&outline, view.picture, why);

	if (err)
		return err;
	if (o->json)
		json_why(out, &view, &outline.groups, &l->progress);
	else if (o->dot)
		format_why_dot(out, &view, &outline.groups);
	else
		format_why(out, &view, why, style);
	if (o->graph)
		format_why_graph(out, &view, &outline, style);
	return NULL;
}

struct error *views_report_stacks(struct buf *report, const struct snapshot *s, bool all_frames,
				  const struct style *style)
{
	const struct view view = { .stacks = s->stacks,
				   .picture = &s->picture,
				   .stitched = &s->stitched,
				   .all_frames = all_frames };

	json_report_stacks(report, &view, style);
	return report->failed ? &error_nomem : NULL;
}

struct error *views_report_omp(struct buf *report, const struct snapshot *s)
{
	const struct view view = { .stacks = s->stacks, .picture = &s->picture };

	json_report_omp(report, &view);
	return report->failed ? &error_nomem : NULL;
}

struct error *views_report_why(struct buf *report, const struct look *l, const struct why *why,
			       const struct mpi_calls *calls)
{
	const struct view view = { .stacks = l->snapshot->stacks,
				   .picture = &l->snapshot->picture };

	json_report_why(report, &view, why, &l->progress, calls);
	return report->failed ? &error_nomem : NULL;
}
