/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json_why.h"

#include "debugger/output/deciding_lines.h"
#include "debugger/output/format_why_graph.h"
#include "debugger/output/json_picture.h"

/* "lwp":N|null,"omp":"T.N"|null */
static void add_thread(struct json *j, const struct view *v, int thread)
{
	const struct picture_thread *t = picture_thread(v->picture, thread);
	AUTO_BUF name = { 0 };

	if (picture_is_numbered(t))
		picture_add_thread_name(&name, v->picture, thread);
	json_picture_lwp(j, "lwp", v, thread);
	json_add_string(j, "omp", name.data);
	j->out->failed |= name.failed;
}

/* Of each line and name a member for each value. */
static void add_values(struct json *j, const struct view *v, const struct why_blame *b)
{
	AUTO_DECIDING_LINES lines = { 0 };

	deciding_lines_find(j->out, v, b->threads.items, b->threads.len, &lines);
	json_add_array(j, "values");
	vec_for_each (line, &lines) {
		for (size_t i = 0; i < line->values.len; i++) {
			const struct merged_value *value = &line->values.items[i];
			vec_for_each (one, &value->values) {
				json_add_object(j, NULL);
				json_add_string(j, "file", line->file);
				json_add_integer(j, "line", line->line);
				json_add_string(j, "name", value->name);
				json_add_string(j, "text", buf_text(&one->text));
				json_picture_lwps(j, "threads", v, one->threads.items,
						  one->threads.len);
				json_end(j);
			}
		}
	}
	json_end(j);
}

static void add_blame(struct json *j, const struct view *v, const struct why_blame *b)
{
	json_add_object(j, NULL);
	add_thread(j, v, b->thread);
	json_picture_place(j, &b->place);
	json_add_string(j, "reason", b->reason ? b->reason : "");
	json_picture_lwps(j, "threads", v, b->threads.items, b->threads.len);
	add_values(j, v, b);
	json_end(j);
}

static const char *holder_confidence(const struct view *v, const struct picture_wait *w)
{
	if (!picture_thread(v->picture, w->holder))
		return "unknown";
	switch (w->holder_source) {
	case SOURCE_OMPD:
	case SOURCE_MEMORY:
		return "known";
	case SOURCE_INFERRED:
		return "probable";
	case SOURCE_NONE:
		return "unknown";
	}
	return "unknown";
}

/* The threads of which one is the holder. */
static void add_candidates(struct json *j, const struct view *v, const struct picture_wait *w)
{
	json_add_array(j, "candidates");
	for (size_t i = 0; i < w->ncandidates; i++)
		json_picture_lwp(j, NULL, v, picture_candidate(v->picture, w, i));
	json_end(j);
}

static void add_wait(struct json *j, const struct view *v, int thread)
{
	const struct picture_wait *w = &v->picture->threads.items[thread].wait;

	json_add_object(j, NULL);
	add_thread(j, v, thread);
	json_add_string(j, "kind", picture_wait_name(w));
	json_picture_object(j, w);
	json_add_string(j, "name", w->name);
	json_add_string(j, "variable", w->variable);
	json_add_object(j, "holder");
	json_picture_lwp(j, "lwp", v, w->holder);
	json_add_string(j, "confidence", holder_confidence(v, w));
	add_candidates(j, v, w);
	json_end(j);
	json_picture_place(j, &w->place);
	json_end(j);
}

static void add_waits(struct json *j, const struct view *v)
{
	json_add_array(j, "waits");
	for (size_t i = 0; i < v->picture->threads.len; i++) {
		if (wait_kind_is_wait(v->picture->threads.items[i].wait.kind))
			add_wait(j, v, (int)i);
	}
	json_end(j);
}

/* The graph with what is alike taken together: as graphviz gets it. */
static void add_node(struct json *j, const struct view *v, const struct why_groups *g, int node)
{
	const struct why_node *n = &g->why->nodes.items[node];
	const struct place place = why_groups_place(g, node);
	size_t len;
	const int *members = why_groups_members(g, node, &len);
	AUTO_BUF name = { 0 };
	AUTO_BUF state = { 0 };

	format_why_node(&name, v, g, node);
	format_why_state(&state, v, g, node);
	json_add_object(j, NULL);
	json_add_integer(j, "id", node);
	json_add_string(j, "kind", why_node_name(n->kind));
	json_add_string(j, "name", buf_text(&name));
	json_add_string(j, "state", state.data);
	json_picture_lwps(j, "lwps", v, members, n->kind == WHY_NODE_THREAD ? len : 0);
	json_add_array(j, "tasks");
	for (size_t i = 0; n->kind == WHY_NODE_TASK && i < len; i++)
		json_add_integer(j, NULL, picture_task_id(v->picture, members[i]));
	json_end(j);
	json_picture_place(j, &place);
	json_add_bool(j, "stuck", n->stuck);
	json_end(j);
	j->out->failed |= name.failed || state.failed;
}

static void add_graph(struct json *j, const struct view *v, const struct why_groups *g)
{
	json_add_object(j, "graph");
	json_add_array(j, "nodes");
	for (int n = 0; n < (int)g->why->nodes.len; n++) {
		if (why_groups_has(g, n))
			add_node(j, v, g, n);
	}
	json_end(j);
	json_add_array(j, "edges");
	vec_for_each (e, &g->why->edges) {
		if (!why_groups_counts(g, e))
			continue;
		json_add_object(j, NULL);
		json_add_integer(j, "from", e->from);
		json_add_integer(j, "to", e->to);
		json_add_string(j, "kind", why_edge_name(e->kind));
		json_add_string(j, "confidence", why_knowledge_name(e->knowledge));
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

static void add_sentences(struct json *j, const char *key, const struct why_texts *sentences)
{
	json_add_array(j, key);
	vec_for_each (sentence, sentences)
		json_add_string(j, NULL, *sentence);
	json_end(j);
}

static void add_progress(struct json *j, const struct progress *p)
{
	size_t moved = 0;
	double load = -1; /* of no thread it is known */

	vec_for_each (t, &p->threads) {
		moved += t->moved;
		if (t->load >= 0)
			load = t->load + (load < 0 ? 0 : load);
	}
	json_add_integer(j, "samples", p->looks);
	json_add_object(j, "progress");
	json_add_decimal(j, "seconds", p->seconds);
	json_add_natural(j, "barriers", p->barriers);
	json_add_unsigned(j, "moved", moved);
	json_add_unsigned(j, "threads", p->threads.len);
	json_add_decimal(j, "load", load);
	json_end(j);
}

static void add_crash(struct json *j, const struct view *v)
{
	const struct picture_crash *crash = &v->picture->crash;

	if (!crash->cause) {
		json_add_null(j, "crash");
		return;
	}
	json_add_object(j, "crash");
	json_add_string(j, "signal", crash_signal(crash->signal));
	json_add_string(j, "cause", crash_traits(crash->cause)->name);
	json_add_address(j, "address", crash->address);
	json_add_string(j, "message", crash->message);
	json_end(j);
}

void json_why(struct buf *out, const struct view *v, const struct why_groups *g,
	      const struct progress *progress)
{
	const struct why *w = g->why;
	struct json j = { .out = out };

	json_picture_begin(&j, v, "why");
	json_add_string(&j, "verdict", why_verdict_name(w->verdict));
	json_add_string(&j, "class", why_class_name(w->class));
	json_add_string(&j, "confidence", why_confidence_name(w->confidence));
	json_add_string(&j, "summary", w->summary ? w->summary : "");
	json_add_array(&j, "blame");
	vec_for_each (b, &w->blame)
		add_blame(&j, v, b);
	json_end(&j);
	add_crash(&j, v);
	add_waits(&j, v);
	add_graph(&j, v, g);
	add_sentences(&j, "reasons", &w->reasons);
	add_sentences(&j, "hints", &w->hints);
	add_progress(&j, progress);
	json_picture_end(&j, v);
}
