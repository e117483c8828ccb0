/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json_report.h"

#include <string.h>

#include "base/text.h"
#include "debugger/job/outline.h"
#include "debugger/merge.h"
#include "debugger/output/format_frames.h"
#include "debugger/output/format_picture.h"
#include "debugger/output/format_tree.h"
#include "debugger/output/json.h"
#include "debugger/wait_words.h"

/* ---- stacks -------------------------------------------------------------------------------- */

enum { PATH_MAX_LINES = 1000 }; /* of one stack */

/* The threads that come through a line. */
struct passing {
	const struct outline_node *node;
	struct ints threads; /* owned */
};

struct outliner {
	const struct view *view;
	const struct style *style;
	struct outline outline;
	struct hash_map passing;   /* by line: numbers, from 1 on, in ... */
	VEC(struct passing) lines; /* ... this one                        */
	struct outline_node *at;   /* the line that was added last        */
	struct buf text, where;    /* of the line at hand                 */
	size_t depth;
	bool failed;
};

/* The thread at hand comes through the line whose texts are in o. */
static void add_line(struct outliner *o, enum outline_kind kind, int thread)
{
	struct outline_node *node = o->failed
					    ? NULL
					    : outline_add(&o->outline, o->at, kind,
							  buf_text(&o->text), buf_text(&o->where));
	struct map_item *item = node ? map_add(&o->passing, map_key(node)) : NULL;

	o->failed |= !item;
	if (item && !item->number) {
		o->failed |= !vec_push(&o->lines, (struct passing){ .node = node });
		item->number = (int64_t)o->lines.len;
	}
	if (!o->failed)
		o->failed |= !vec_push(&o->lines.items[item->number - 1].threads, thread);
	o->at = node;
	o->depth++;
	buf_clear(&o->text);
	buf_clear(&o->where);
}

/* Whether a frame is the MPI function that its thread is in: how that waits is its own affair. */
static bool ends_in_mpi(const struct outliner *o, const struct stitched_frame *f, int thread)
{
	const struct picture_thread *t = picture_thread(o->view->picture, thread);
	const char *name = f->function ? f->function : "";

	return t && t->wait.kind == WAIT_MPI && !o->view->all_frames &&
	       (text_starts_with(name, "MPI_") || text_starts_with(name, "PMPI_"));
}

static void add_stack(struct outliner *o, const struct stitched_stack *s)
{
	bool inside = false;

	o->at = NULL;
	o->depth = 0;
	for (size_t i = s->frames.len; i-- > 0 && !inside && o->depth < PATH_MAX_LINES;) {
		const struct stitched_frame *f = &s->frames.items[i];
		if (f->border.kind != BORDER_NONE) {
			format_picture_border(&o->text, o->view, &f->border);
			add_line(o, OUTLINE_BORDER, s->thread);
		}
		if (f->hidden && !o->view->all_frames)
			continue;
		format_frames_name(&o->text, o->view, f, o->style);
		format_frames_where(&o->where, f);
		add_line(o, OUTLINE_FRAME, s->thread);
		inside = ends_in_mpi(o, f, s->thread);
	}
	format_tree_say(&o->text, o->view, s->thread, !o->depth);
	if (!inside && o->depth == PATH_MAX_LINES)
		buf_adds(&o->text, " (further in)");
	add_line(o, OUTLINE_STATE, s->thread);
}

/*
 * "main", "0.[0-3] and 2 others": what has no number, but the first thread of the process, has
 * another LWP in each rank.
 */
static void add_set(struct buf *out, const struct view *v, const struct ints *threads)
{
	AUTO_INTS numbered = { 0 };
	size_t others = 0;
	bool first = false;

	vec_for_each (thread, threads) {
		const struct picture_thread *t = picture_thread(v->picture, *thread);
		if (picture_is_numbered(t))
			out->failed |= !vec_push(&numbered, *thread);
		else if (t && t->lwp == v->stacks->pid)
			first = true;
		else
			others++;
	}
	merge_add_thread_set(out, v->picture, numbered.items, numbered.len);
	if (first)
		buf_addf(out, "%smain", numbered.len ? " and " : "");
	if (others)
		buf_addf(out, "%s%zu other%s", numbered.len || first ? " and " : "", others,
			 others == 1 ? "" : "s");
}

static void add_node(struct json *j, struct outliner *o, const struct outline_node *node,
		     size_t depth)
{
	const struct ints *threads =
		&o->lines.items[map_find(&o->passing, map_key(node))->number - 1].threads;

	add_set(&o->text, o->view, threads);
	json_add_array(j, NULL);
	json_add_unsigned(j, NULL, depth);
	json_add_integer(j, NULL, node->kind);
	json_add_string(j, NULL, node->text);
	json_add_string(j, NULL, node->where);
	json_add_string(j, NULL, buf_text(&o->text));
	json_add_unsigned(j, NULL, threads->len);
	json_end(j);
	buf_clear(&o->text);
}

/* What is within a line stands behind it: from the outside in. */
static void add_nodes(struct json *j, struct outliner *o)
{
	struct {
		const struct outline_node *node;
		size_t next; /* of those within it */
	} path[PATH_MAX_LINES + 3] = { { .node = o->outline.root } };

	for (size_t depth = 0; path[depth].node;) {
		if (path[depth].next < path[depth].node->inside.len) {
			const struct outline_node *in =
				path[depth].node->inside.items[path[depth].next++];
			path[++depth].node = in;
			path[depth].next = 0;
			add_node(j, o, in, depth);
		} else if (!depth--) {
			break;
		}
	}
}

static void add_notes(struct json *j, const struct view *v, const struct style *style)
{
	json_add_array(j, "notes");
	vec_for_each (r, &v->picture->runtimes) {
		AUTO_BUF text = { 0 };
		format_picture_runtime(&text, r, style);
		json_add_string(j, NULL, buf_text(&text));
		j->out->failed |= text.failed;
	}
	vec_for_each (note, &v->picture->notes)
		json_add_string(j, NULL, *note);
	vec_for_each (note, &v->stacks->notes)
		json_add_string(j, NULL, *note);
	json_end(j);
}

void json_report_stacks(struct buf *out, const struct view *v, const struct style *style)
{
	const struct style plain = { .utf8 = style->utf8, .long_names = style->long_names };
	struct outliner o = { .view = v, .style = &plain };
	struct json j = { .out = out };

	vec_for_each (stack, &v->stitched->stacks)
		add_stack(&o, stack);
	json_add_object(&j, NULL);
	json_add_integer(&j, "v", 1);
	add_notes(&j, v, &plain);
	json_add_array(&j, "lines");
	if (!o.failed)
		add_nodes(&j, &o);
	json_end(&j);
	json_end(&j);
	out->failed |= o.failed || o.text.failed || o.where.failed;
	vec_for_each (line, &o.lines)
		ints_fini(&line->threads);
	vec_fini(&o.lines);
	map_fini(&o.passing);
	outline_fini(&o.outline);
	buf_fini(&o.text);
	buf_fini(&o.where);
}

/* ---- omp ----------------------------------------------------------------------------------- */

static const char *kind_of(const struct picture_wait *w)
{
	return wait_words(picture_wait_kind(w))->one;
}

/* The function that a thread is in; NULL: the kind says it all. */
static const char *call_of(const struct picture_wait *w)
{
	return wait_words(picture_wait_kind(w))->details & WITH_CALL ? w->name : NULL;
}

/* "waits at barrier", "in MPI_Recv()": without what differs between threads that do the same. */
static void add_kind(struct buf *out, const struct picture_wait *w)
{
	buf_adds(out, kind_of(w));
	if (call_of(w))
		style_add_between(out, " ", call_of(w), "()");
}

static void add_count(struct json *j, const char *what, size_t n)
{
	json_add_array(j, NULL);
	json_add_string(j, NULL, what);
	json_add_unsigned(j, NULL, n);
	json_end(j);
}

/* Whether add_kind() says the same of both. */
static bool is_same_kind(const struct picture_wait *a, const struct picture_wait *b)
{
	return text_same(kind_of(a), kind_of(b)) && text_same(call_of(a), call_of(b));
}

/* Once, where the first thread is that does it. */
static void add_doers(struct json *j, const struct picture *p, size_t first)
{
	const struct picture_wait *own = &p->threads.items[first].wait;
	AUTO_BUF text = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < p->threads.len; i++) {
		if (!is_same_kind(own, &p->threads.items[i].wait))
			continue;
		if (i < first)
			return;
		n++;
	}
	add_kind(&text, own);
	add_count(j, buf_text(&text), n);
	j->out->failed |= text.failed;
}

void json_report_omp(struct buf *out, const struct view *v)
{
	const struct picture *p = v->picture;
	struct json j = { .out = out };

	json_add_object(&j, NULL);
	json_add_integer(&j, "v", 1);
	json_add_array(&j, "counts");
	add_count(&j, "threads", p->threads.len);
	add_count(&j, "regions", p->regions.len);
	add_count(&j, "tasks", p->tasks.len);
	for (size_t i = 0; i < p->threads.len; i++) {
		if (p->threads.items[i].wait.kind != WAIT_NONE)
			add_doers(&j, p, i);
	}
	json_end(&j);
	json_end(&j);
}

/* ---- why ----------------------------------------------------------------------------------- */

static void add_thread(struct json *j, const struct view *v, int thread)
{
	AUTO_BUF text = { 0 };

	if (picture_is_numbered(picture_thread(v->picture, thread)))
		picture_add_thread_name(&text, v->picture, thread);
	json_add_string(j, "thread", buf_text(&text));
	j->out->failed |= text.failed;
}

/* "exchange at halo.c:31" */
static void add_place(struct json *j, const struct place *place)
{
	AUTO_BUF text = { 0 };

	if (place->function)
		style_add_between(&text, "", place->function, place->file ? " " : "");
	if (place->file || !place->function)
		format_picture_place(&text, place);
	json_add_string(j, "where", buf_text(&text));
	j->out->failed |= text.failed;
}

static void add_call(struct json *j, const struct view *v, const struct mpi_call *call)
{
	json_add_object(j, NULL);
	add_thread(j, v, call->thread);
	json_add_string(j, "name", call->name);
	json_add_integer(j, "peer", call->peer);
	json_add_integer(j, "tag", call->tag);
	if (call->kind == MPI_EXCHANGE) {
		json_add_integer(j, "to", call->to);
		json_add_integer(j, "to_tag", call->to_tag);
	}
	json_add_string(j, "comm", mpi_comm_name(call->comm));
	add_place(j, &picture_thread(v->picture, call->thread)->wait.place);
	json_end(j);
}

/* The thread to blame; where nobody is, the first. */
static int cause_of(const struct why *w)
{
	return w->blame.len ? w->blame.items->thread : 0;
}

/* What a thread does, as the end of a sentence: "is in read(0)". */
static void add_doing(struct buf *out, const struct view *v, int thread)
{
	const struct picture_wait *w = &v->picture->threads.items[thread].wait;
	const struct wait_words *words = wait_words(picture_wait_kind(w));
	AUTO_BUF text = { 0 };

	format_picture_wait(&text, v, thread, false);
	buf_adds(out, words->does);
	buf_adds(out, buf_text(&text) + (text.len ? strlen(words->one) : 0));
	out->failed |= text.failed;
}

/* What several threads do is said of their rank: "waits at", not "wait at". */
static void add_reason(struct buf *out, const struct view *v, const struct why_blame *b)
{
	const struct picture_thread *t = picture_thread(v->picture, b->thread);
	const struct wait_words *words = t ? wait_words(picture_wait_kind(&t->wait)) : NULL;
	const char *reason = b->reason ? b->reason : "";

	if (words && b->threads.len > 1 && text_starts_with(reason, words->do_)) {
		buf_adds(out, words->does);
		reason += strlen(words->do_);
	}
	buf_adds(out, reason);
}

static void add_cause(struct json *j, const struct view *v, const struct why *w)
{
	const struct why_blame *blame = w->blame.len ? w->blame.items : NULL;
	const struct picture_thread *t = picture_thread(v->picture, cause_of(w));
	AUTO_BUF does = { 0 };

	if (!blame && !t) {
		json_add_null(j, "cause");
		return;
	}
	json_add_object(j, "cause");
	add_thread(j, v, cause_of(w));
	if (blame)
		add_reason(&does, v, blame);
	else
		add_doing(&does, v, cause_of(w));
	json_add_string(j, "reason", buf_text(&does));
	add_place(j, blame ? &blame->place : &t->wait.place);
	json_add_bool(j, "outside", t && wait_kind_traits(t->wait.kind)->is_outside);
	json_end(j);
	j->out->failed |= does.failed;
}

/* What the rank waits for in the end; null: no call of MPI's. */
static void add_decisive(struct json *j, const struct why *w, bool halted,
			 const struct mpi_calls *calls)
{
	intmax_t ret = -1;

	for (size_t i = 0; !halted && !why_is_finding(w) && i < calls->list.len; i++) {
		if (calls->list.items[i].thread == cause_of(w))
			ret = (intmax_t)i;
	}
	json_add_natural(j, "decides", ret);
}

void json_report_why(struct buf *out, const struct view *v, const struct why *w,
		     const struct progress *p, const struct mpi_calls *calls)
{
	struct json j = { .out = out };
	bool moved = false, uncounted = false;

	vec_for_each (t, &p->threads) {
		moved |= t->moved;
		uncounted |= t->uncounted;
	}
	json_add_object(&j, NULL);
	json_add_integer(&j, "v", 1);
	json_add_string(&j, "verdict", why_verdict_name(w->verdict));
	json_add_string(&j, "confidence", why_confidence_name(w->confidence));
	json_add_string(&j, "summary", w->summary ? w->summary : "");
	json_add_unsigned(&j, "looks", p->looks);
	json_add_bool(&j, "moved", moved);
	json_add_bool(&j, "uncounted", uncounted);
	add_cause(&j, v, w);
	add_decisive(&j, w, p->halted, calls);
	json_add_integer(&j, "threads", calls->threads);
	json_add_array(&j, "calls");
	vec_for_each (call, &calls->list)
		add_call(&j, v, call);
	json_end(&j);
	json_end(&j);
}
