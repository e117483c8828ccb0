/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/views.h"

#include "debugger/output/format_omp.h"
#include "debugger/output/format_stack.h"
#include "debugger/output/format_tree.h"
#include "debugger/output/format_why.h"
#include "debugger/output/format_why_graph.h"
#include "debugger/output/format_worksharing.h"
#include "debugger/output/json_omp.h"
#include "debugger/output/json_report.h"
#include "debugger/output/json_stack.h"
#include "debugger/output/json_why.h"
#include "debugger/output/json_worksharing.h"
#include "debugger/values/lock_names.h"

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
	AUTO(overview_fini) struct overview overview = { 0 };

	if (o->json) {
		json_omp(out, &view);
		return NULL;
	}
	const size_t before = out->len;
	struct error *err = overview_make(view.picture, &overview);
	if (!err && o->parts)
		format_omp_parts(out, &view, &overview, o->parts, style);
	else if (!err)
		format_omp(out, &view, &overview, style);
	if (!err && out->len == before)
		buf_adds(out, "None.\n");
	return err;
}

struct error *views_find_values(void *frame_values, struct session *s, struct snapshot *from)
{
	struct frame_values *ret = frame_values;
	struct error *err = lock_names_find(NULL, s, from);

	return err || !(ret->arguments || ret->locals) ? err : frame_values_find(s, from, ret);
}

struct error *views_find_deciding(void *deciding, struct session *s, struct snapshot *from)
{
	struct error *err = lock_names_find(NULL, s, from);

	return err ? err : deciding_find(s, from, deciding);
}

struct error *views_add_loops(struct buf *out, const struct snapshot *s,
			      const struct worksharing *loops, const struct views_options *o,
			      const struct style *style)
{
	const struct view view = { .stacks = s->stacks, .picture = &s->picture };

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

struct error *views_report_why(struct buf *report, const struct look *l, const struct why *why,
			       const struct mpi_calls *calls)
{
	const struct view view = { .stacks = l->snapshot->stacks,
				   .picture = &l->snapshot->picture };
	bool moved = false;

	vec_for_each (t, &l->progress.threads)
		moved |= t->moved;
	json_report_why(report, &view, why, moved, calls);
	return report->failed ? &error_nomem : NULL;
}
