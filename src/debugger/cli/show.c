/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/show.h"

#include "debugger/cli/console.h"
#include "debugger/output/format.h"
#include "debugger/output/format_omp.h"
#include "debugger/output/format_stack.h"
#include "debugger/output/format_tree.h"
#include "debugger/output/format_why.h"
#include "debugger/output/json.h"
#include "debugger/output/json_omp.h"
#include "debugger/output/json_stack.h"
#include "debugger/output/json_why.h"

/* Long output goes out in pieces of about this size. */
enum { PIECE = 64 * 1024 };

static struct error *flush_piece(struct buf *out)
{
	return out->len >= PIECE ? console_write(out) : NULL;
}

struct error *show_raw(const struct stacks *s, const struct style *style)
{
	AUTO_BUF out = { 0 };
	struct error *err = NULL;

	format_stacks_begin(&out, s, style);
	for (size_t i = 0; !err && i < s->threads.len; i++) {
		format_stacks_thread(&out, &s->threads.items[i], style);
		err = flush_piece(&out);
	}
	format_stacks_end(&out, s, style);
	return err ? err : console_write(&out);
}

struct error *show_raw_json(const struct stacks *s)
{
	AUTO_BUF out = { 0 };
	struct error *err = NULL;

	json_stacks_begin(&out, s);
	for (size_t i = 0; !err && i < s->threads.len; i++) {
		json_stacks_thread(&out, s, i);
		err = flush_piece(&out);
	}
	json_stacks_end(&out, s);
	return err ? err : console_write(&out);
}

struct error *show_stacks(const struct view *v, const struct style *style)
{
	AUTO_BUF out = { 0 };
	struct error *err = NULL;

	format_stack_begin(&out, v, style);
	for (size_t i = 0; !err && i < v->stitched->stacks.len; i++) {
		format_stack_thread(&out, v, i, style);
		err = flush_piece(&out);
	}
	format_stack_end(&out, v, style);
	return err ? err : console_write(&out);
}

struct error *show_stacks_json(const struct view *v)
{
	AUTO_BUF out = { 0 };
	struct error *err = NULL;

	json_stack_begin(&out, v);
	for (size_t i = 0; !err && i < v->stitched->stacks.len; i++) {
		json_stack_thread(&out, v, i);
		err = flush_piece(&out);
	}
	json_stack_end(&out, v);
	return err ? err : console_write(&out);
}

static struct error *write_tree(const struct view *v, struct merge_node *root,
				const struct style *style, struct buf *out)
{
	AUTO_FORMAT_TREE *tree = NULL;
	struct error *err = format_tree_new(v, root, style, &tree);

	while (!err && format_tree_next(tree, out))
		err = flush_piece(out);
	return err;
}

struct error *show_tree(const struct view *v, const struct style *style)
{
	const struct merge_options options = { .hidden = v->all_frames };
	AUTO_BUF out = { 0 };
	struct merge_node *root = NULL;

	format_stack_begin(&out, v, style);
	struct error *err = merge_stacks(v->stitched, &options, &root);
	if (!err)
		err = write_tree(v, root, style, &out);
	merge_free(root);
	format_stack_end(&out, v, style);
	return err ? err : console_write(&out);
}

struct error *show_omp(const struct view *v, const struct style *style)
{
	AUTO_BUF out = { 0 };

	format_omp_begin(&out, v, style);
	format_omp_regions(&out, v, style);
	format_omp_tasks(&out, v, style);
	format_omp_icvs(&out, v, style);
	format_omp_end(&out, v, style);
	return console_write(&out);
}

struct error *show_omp_json(const struct view *v)
{
	AUTO_BUF out = { 0 };
	struct error *err = NULL;

	json_omp_begin(&out, v);
	for (size_t i = 0; !err && i < v->picture->threads.len; i++) {
		json_omp_thread(&out, v, i);
		err = flush_piece(&out);
	}
	json_omp_regions(&out, v);
	for (size_t i = 0; !err && i < v->picture->regions.len; i++) {
		json_omp_region(&out, v, i);
		err = flush_piece(&out);
	}
	json_omp_tasks(&out, v);
	for (size_t i = 0; !err && i < v->picture->tasks.len; i++) {
		json_omp_task(&out, v, i);
		err = flush_piece(&out);
	}
	json_omp_end(&out, v);
	return err ? err : console_write(&out);
}

struct error *show_why(const struct view *v, const struct why *why, bool graph,
		       const struct style *style)
{
	AUTO_BUF out = { 0 };

	format_why(&out, v, why, style);
	if (graph)
		format_why_graph(&out, v, why, style);
	return console_write(&out);
}

struct error *show_why_dot(const struct view *v, const struct why *why)
{
	AUTO_BUF out = { 0 };

	format_why_dot(&out, v, why);
	return console_write(&out);
}

struct error *show_why_json(const struct view *v, const struct why *why,
			    const struct progress *progress)
{
	AUTO_BUF out = { 0 };

	json_why(&out, v, why, progress);
	return console_write(&out);
}
