/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_why_graph.h"

#include "debugger/output/drawing.h"
#include "debugger/output/format_picture.h"

static const struct {
	const char *one, *many; /* by what the edge comes from */
} edge_words[NUM_WHY_EDGES] = {
	[WHY_WAITS_FOR] = { "waits for ", "wait for " },
	[WHY_HELD_BY] = { "held by ", "held by " },
	[WHY_RUN_BY] = { "run by ", "run by " },
	[WHY_MUST_COME] = { "must come: ", "must come: " },
};

static const struct {
	const char *word, *dot_style;
} knowledges[NUM_WHY_KNOWLEDGES] = {
	[WHY_KNOWN] = { "", "solid" },
	[WHY_LIKELY] = { " (probably)", "dashed" },
	[WHY_NOT_KNOWN] = { " (perhaps)", "dotted" },
};

/* Nodes ----------------------------------------------------------------------------------- */

void format_why_node(struct buf *out, const struct view *v, const struct why_groups *g, int node)
{
	const struct why_node *n = &g->why->nodes.items[node];
	size_t len;
	const int *members = why_groups_members(g, node, &len);

	if (n->kind == WHY_NODE_TASK) {
		format_picture_ids(out, v->picture, &format_ids_tasks, members, len);
	} else if (len > 1) {
		buf_adds(out, "threads ");
		format_picture_set(out, v, members, len);
	} else {
		style_add_text(out, n->name ? n->name : "");
	}
}

bool format_why_state(struct buf *out, const struct view *v, const struct why_groups *g, int node)
{
	const struct why_node *n = &g->why->nodes.items[node];
	const struct picture_task *task = picture_task(v->picture, n->index);

	if (n->kind == WHY_NODE_TASK && task)
		buf_adds(out, picture_task_state_name(task->state));
	else if (n->kind == WHY_NODE_THREAD && picture_thread(v->picture, n->index))
		format_picture_state(out, v, n->index, why_groups_is_many(g, node));
	else
		return false;
	return true;
}

/* The lines of the tree ------------------------------------------------------------------- */

/* What all lines have in common. */
struct page {
	const struct view *view;
	const struct why_groups *groups;
	const struct style *style;
};

static void add_visit(struct buf *out, const struct page *page, int node, enum why_visit visit)
{
	if (visit == WHY_ABOVE)
		style_add_inked(out, INK_BUSY, " (cycle)", page->style);
	else if (visit == WHY_SHOWN && page->groups->nout[node])
		style_add_inked(out, INK_HIDDEN, " (see above)", page->style);
}

static void add_name(struct buf *out, const struct page *page, int node)
{
	bool stuck = page->groups->why->nodes.items[node].stuck;

	style_begin(out, stuck ? INK_BUSY : INK_TITLE, page->style);
	format_why_node(out, page->view, page->groups, node);
	style_end(out, page->style);
}

static void add_place(struct buf *out, const struct place *place, const char *before,
		      const struct style *style)
{
	if (!place->file && !place->function)
		return;
	buf_adds(out, before);
	style_begin(out, INK_WHERE, style);
	format_picture_place(out, place);
	style_end(out, style);
}

/* "held by " */
static void add_edge(struct buf *out, const struct page *page, const struct why_edge *e)
{
	bool many = why_groups_is_many(page->groups, e->from);

	style_add_inked(out, INK_WAIT, many ? edge_words[e->kind].many : edge_words[e->kind].one,
			page->style);
}

/* " (probably)"; of nobody that says nothing. */
static void add_knowledge(struct buf *out, const struct page *page, const struct why_edge *e)
{
	if (page->groups->why->nodes.items[e->to].kind != WHY_NODE_NOBODY)
		buf_adds(out, knowledges[e->knowledge].word);
}

/* " (3 of 4 arrived)", as the thread that waits there has it. */
static void add_arrived(struct buf *out, const struct page *page, const struct why_edge *e)
{
	const struct why_node *nodes = page->groups->why->nodes.items;
	const struct picture_thread *t = picture_thread(page->view->picture, nodes[e->from].index);

	if (nodes[e->to].kind == WHY_NODE_BARRIER && nodes[e->from].kind == WHY_NODE_THREAD && t &&
	    t->wait.total > 0)
		buf_addf(out, " (%ld of %ld arrived)", t->wait.arrived, t->wait.total);
}

/* "waits for lock 'L'" */
static void add_wait(struct buf *out, const struct page *page, const struct why_edge *e)
{
	add_edge(out, page, e);
	add_name(out, page, e->to);
	add_knowledge(out, page, e);
	add_arrived(out, page, e);
}

/* What a thread does that does not wait for one thing; in what state a task is. */
static void add_state(struct buf *out, const struct page *page, int node, const struct buf *state)
{
	const struct why_node *n = &page->groups->why->nodes.items[node];

	if (n->kind == WHY_NODE_TASK) {
		buf_adds(out, buf_text(state));
	} else {
		const struct picture_thread *t = picture_thread(page->view->picture, n->index);
		style_add_column(out, format_picture_wait_ink(t->wait.kind), state, 0, page->style);
	}
}

static void add_line(struct buf *out, const struct page *page, const struct why_line *line)
{
	const struct why_groups *g = page->groups;
	const struct why_edge *e = line->edge < 0 ? NULL : &g->why->edges.items[line->edge];
	const struct place place = why_groups_place(g, line->node);
	bool task = g->why->nodes.items[line->node].kind == WHY_NODE_TASK;
	AUTO_BUF state = { 0 };

	if (e)
		add_edge(out, page, e);
	add_name(out, page, line->node);
	if (e)
		add_knowledge(out, page, e);
	add_visit(out, page, line->node, line->visit);
	if (line->visit == WHY_ABOVE || (line->visit == WHY_SHOWN && g->nout[line->node]) ||
	    (!format_why_state(&state, page->view, g, line->node) && !line->wait))
		return;
	buf_adds(out, e || task ? ", " : " ");
	if (line->wait)
		add_wait(out, page, line->wait);
	else
		add_state(out, page, line->node, &state);
	add_place(out, &place, task ? ", created " : " ", page->style);
	if (line->wait)
		add_visit(out, page, line->wait->to, line->wait_visit);
	out->failed |= state.failed;
}

void format_why_graph(struct buf *out, const struct view *v, const struct why_outline *outline,
		      const struct style *style)
{
	const struct page page = { .view = v, .groups = &outline->groups, .style = style };
	struct drawing drawing = { 0 };

	buf_addc(out, '\n');
	style_add_inked(out, INK_TITLE, "who waits for what", style);
	buf_addc(out, '\n');
	vec_for_each (line, &outline->lines) {
		drawing_enter(&drawing, line->depth, line->more);
		drawing_add_title(out, &drawing, style);
		add_line(out, &page, line);
		buf_addc(out, '\n');
	}
	if (!outline->lines.len)
		buf_adds(out, "  nothing waits\n");
}

/* Graphviz -------------------------------------------------------------------------------- */

static const char *const shapes[] = {
	[WHY_NODE_THREAD] = "box",       [WHY_NODE_TASK] = "note",
	[WHY_NODE_OBJECT] = "ellipse",   [WHY_NODE_BARRIER] = "octagon",
	[WHY_NODE_NOBODY] = "plaintext",
};

static void add_dot_label(struct buf *out, const struct view *v, const struct why_groups *g,
			  int node)
{
	const struct style plain = { 0 };
	const struct place place = why_groups_place(g, node);
	AUTO_BUF lines = { 0 };
	AUTO_BUF state = { 0 };

	format_why_node(&lines, v, g, node);
	if (format_why_state(&state, v, g, node) && !why_groups_only_wait(g, node))
		buf_addf(&lines, "\n%s", buf_text(&state));
	add_place(&lines, &place, "\n", &plain);
	drawing_add_quoted(out, buf_text(&lines));
	out->failed |= lines.failed;
	out->failed |= state.failed;
}

static void add_dot_edge(struct buf *out, const struct why *w, const struct why_edge *e)
{
	bool stuck = w->nodes.items[e->from].stuck && w->nodes.items[e->to].stuck;

	buf_addf(out, "\tn%d -> n%d [label=\"%s\", style=%s%s];\n", e->from, e->to,
		 why_edge_name(e->kind), knowledges[e->knowledge].dot_style,
		 stuck ? ", color=red" : "");
}

void format_why_dot(struct buf *out, const struct view *v, const struct why_groups *g)
{
	buf_adds(out, "digraph why {\n");
	for (int n = 0; n < (int)g->why->nodes.len; n++) {
		const struct why_node *node = &g->why->nodes.items[n];
		if (!why_groups_has(g, n))
			continue;
		buf_addf(out, "\tn%d [shape=%s, label=\"", n, shapes[node->kind]);
		add_dot_label(out, v, g, n);
		buf_adds(out, node->stuck ? "\", color=red, fontcolor=red];\n" : "\"];\n");
	}
	vec_for_each (e, &g->why->edges) {
		if (why_groups_counts(g, e))
			add_dot_edge(out, g->why, e);
	}
	buf_adds(out, "}\n");
}
