/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_why_graph.h"

#include "debugger/output/forest.h"
#include "debugger/output/format_picture.h"
#include "debugger/output/why_groups.h"

static const struct {
	const char *one, *many; /* by what the edge comes from */
	const char *label;
} edge_words[NUM_WHY_EDGES] = {
	[WHY_WAITS_FOR] = { "waits for ", "wait for ", "waits for" },
	[WHY_HELD_BY] = { "held by ", "held by ", "held by" },
	[WHY_RUN_BY] = { "run by ", "run by ", "run by" },
	[WHY_MUST_COME] = { "must come: ", "must come: ", "must come" },
};

static const struct {
	const char *word, *dot_style;
} knowledges[] = {
	[WHY_KNOWN] = { "", "solid" },
	[WHY_LIKELY] = { " (probably)", "dashed" },
	[WHY_NOT_KNOWN] = { " (perhaps)", "dotted" },
};

/* The walk -------------------------------------------------------------------------------- */

enum visit {
	NOT_YET,
	ON_THE_WAY, /* from the root to where the walk is */
	SEEN,
};

/* A line of the tree. */
struct line {
	int edge; /* that leads here; -1: a root                                            */
	int node;
	enum visit before;         /* of the node, when the walk came here                  */
	const struct why_edge *to; /* what the node waits for, if it is on its line; or NULL */
	enum visit to_before;
	int parent; /* line */
};

/* Something that the walk is in. */
struct step {
	int line;
	int unfolds; /* node whose edges lead to the lines below                              */
	int next;    /* of its edges                                                          */
};

struct walk {
	struct why_groups groups;
	enum visit *visits;      /* owned; by node */
	VEC(struct line) lines;  /* as they are written */
	VEC(struct step) inside; /* innermost last */
};

static void walk_fini(struct walk *w)
{
	why_groups_fini(&w->groups);
	free(w->visits);
	vec_fini(&w->lines);
	vec_fini(&w->inside);
}

/* Adds the line for a node; what has not been shown yet is unfolded below it. */
static bool enter(struct walk *w, int edge, int node, int parent)
{
	struct line line = { .edge = edge,
			     .node = node,
			     .before = w->visits[node],
			     .to = why_groups_only_wait(&w->groups, node),
			     .parent = parent };
	struct step step = { .line = (int)w->lines.len, .unfolds = line.to ? line.to->to : node };

	if (line.before == NOT_YET) {
		w->visits[node] = ON_THE_WAY;
		line.to_before = line.to ? w->visits[line.to->to] : NOT_YET;
	}
	if (!vec_push(&w->lines, line))
		return false;
	if (line.before != NOT_YET)
		return true;
	if (line.to_before != NOT_YET) {
		w->visits[node] = SEEN;
		return true;
	}
	w->visits[step.unfolds] = ON_THE_WAY;
	step.next = w->groups.out.start[step.unfolds];
	return vec_push(&w->inside, step);
}

static void leave(struct walk *w)
{
	const struct step *step = &w->inside.items[--w->inside.len];

	w->visits[step->unfolds] = SEEN;
	w->visits[w->lines.items[step->line].node] = SEEN;
}

/* All that can be reached from a node. */
static bool walk_from(struct walk *w, int node)
{
	const struct why_groups *g = &w->groups;
	bool whole = enter(w, -1, node, -1);

	while (whole && w->inside.len) {
		struct step *step = &w->inside.items[w->inside.len - 1];
		if (step->next == g->out.start[step->unfolds + 1]) {
			leave(w);
			continue;
		}
		int edge = g->out.edges[step->next++];
		const struct why_edge *e = &g->why->edges.items[edge];
		if (why_groups_counts(g, e))
			whole = enter(w, edge, e->to, step->line);
	}
	return whole;
}

static bool is_thread(const struct why_groups *g, int node)
{
	return g->why->nodes.items[node].kind == WHY_NODE_THREAD;
}

static bool is_first_thread(const struct why_groups *g, int node)
{
	return !g->nin[node] && is_thread(g, node);
}

static bool is_first_of_all(const struct why_groups *g, int node)
{
	return !g->nin[node];
}

static bool is_blamed(const struct why_groups *g, int node)
{
	const struct why *w = g->why;

	return w->blame.len && is_thread(g, node) &&
	       w->nodes.items[node].index == w->blame.items[0].thread;
}

static bool is_anything(const struct why_groups *g, int node)
{
	(void)g, (void)node;
	return true;
}

/* What trees begin with, in this order, if they are in none yet. */
static bool (*const roots[])(const struct why_groups *g, int node) = {
	is_first_thread, is_first_of_all, is_blamed, is_thread, is_anything,
};

static bool walk_all(struct walk *w)
{
	const struct why_groups *g = &w->groups;
	int nnodes = (int)g->why->nodes.len;
	bool whole = true;

	for (size_t r = 0; r < sizeof(roots) / sizeof(*roots); r++) {
		for (int n = 0; whole && n < nnodes; n++) {
			if (w->visits[n] == NOT_YET && g->nout[n] && roots[r](g, n))
				whole = walk_from(w, n);
		}
	}
	return whole;
}

/* The lines ------------------------------------------------------------------------------- */

static void add_inked(struct buf *out, enum ink ink, const char *text, const struct style *style)
{
	style_begin(out, ink, style);
	buf_adds(out, text);
	style_end(out, style);
}

static void add_visit(struct buf *out, const struct why_groups *g, int node, enum visit before,
		      const struct style *style)
{
	if (before == ON_THE_WAY)
		add_inked(out, INK_BUSY, " (cycle)", style);
	else if (before == SEEN && g->nout[node])
		add_inked(out, INK_HIDDEN, " (see above)", style);
}

static void add_name(struct buf *out, const struct why_groups *g, int node,
		     const struct style *style)
{
	style_begin(out, g->why->nodes.items[node].stuck ? INK_BUSY : INK_TITLE, style);
	why_groups_add_name(out, g, node);
	style_end(out, style);
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
static void add_edge(struct buf *out, const struct why_groups *g, const struct why_edge *e,
		     const struct style *style)
{
	bool many = why_groups_is_many(g, e->from);

	add_inked(out, INK_WAIT, many ? edge_words[e->kind].many : edge_words[e->kind].one, style);
}

/* " (probably)"; of nobody that says nothing. */
static void add_knowledge(struct buf *out, const struct why_groups *g, const struct why_edge *e)
{
	if (g->why->nodes.items[e->to].kind != WHY_NODE_NOBODY)
		buf_adds(out, knowledges[e->knowledge].word);
}

/* " (3 of 4 arrived)", as the thread that waits there has it. */
static void add_arrived(struct buf *out, const struct why_groups *g, const struct why_edge *e)
{
	const struct why_node *from = &g->why->nodes.items[e->from];
	const struct picture_thread *t = view_thread(g->view, from->index);

	if (g->why->nodes.items[e->to].kind == WHY_NODE_BARRIER && t && t->wait.total > 0 &&
	    from->kind == WHY_NODE_THREAD)
		buf_addf(out, " (%ld of %ld arrived)", t->wait.arrived, t->wait.total);
}

/* "waits for lock 'L'" */
static void add_wait(struct buf *out, const struct why_groups *g, const struct line *line,
		     const struct style *style)
{
	const struct why_edge *e = line->to;

	add_edge(out, g, e, style);
	add_name(out, g, e->to, style);
	add_knowledge(out, g, e);
	add_arrived(out, g, e);
}

static bool has_state(const struct why_groups *g, int node)
{
	const struct why_node *n = &g->why->nodes.items[node];

	return (n->kind == WHY_NODE_THREAD && view_thread(g->view, n->index)) ||
	       (n->kind == WHY_NODE_TASK && view_task(g->view, n->index));
}

/* What a thread does that does not wait for one thing; in what state a task is. */
static void add_state(struct buf *out, const struct why_groups *g, int node,
		      const struct style *style)
{
	const struct why_node *n = &g->why->nodes.items[node];

	if (n->kind == WHY_NODE_TASK) {
		buf_adds(out, picture_task_state_name(view_task(g->view, n->index)->state));
		return;
	}
	style_begin(out, format_picture_wait_ink(view_thread(g->view, n->index)->wait.kind), style);
	format_picture_wait(out, g->view, n->index, why_groups_is_many(g, node));
	style_end(out, style);
}

static void add_line(struct buf *out, const struct walk *w, const struct line *line,
		     const struct style *style)
{
	const struct why_groups *g = &w->groups;
	const struct why_node *n = &g->why->nodes.items[line->node];
	const struct why_edge *e = line->edge < 0 ? NULL : &g->why->edges.items[line->edge];
	const struct place place = why_groups_place(g, line->node);

	if (e)
		add_edge(out, g, e, style);
	add_name(out, g, line->node, style);
	if (e)
		add_knowledge(out, g, e);
	add_visit(out, g, line->node, line->before, style);
	if (line->before == ON_THE_WAY || (line->before == SEEN && g->nout[line->node]) ||
	    (!line->to && !has_state(g, line->node)))
		return;
	buf_adds(out, e || n->kind == WHY_NODE_TASK ? ", " : " ");
	if (line->to)
		add_wait(out, g, line, style);
	else
		add_state(out, g, line->node, style);
	add_place(out, &place, n->kind == WHY_NODE_TASK ? ", created " : " ", style);
	if (line->to)
		add_visit(out, g, line->to->to, line->to_before, style);
}

static bool draw(struct buf *out, const struct walk *w, const struct style *style)
{
	AUTO(forest_fini) struct forest forest = { 0 };

	if (!forest_init(&forest, w->lines.len))
		return false;
	for (size_t i = 0; i < w->lines.len; i++)
		forest_add(&forest, (int)i, w->lines.items[i].parent);
	for (size_t i = 0; i < w->lines.len; i++) {
		forest_enter(&forest, (int)i);
		forest_add_title_prefix(out, &forest, (int)i, style);
		add_line(out, w, &w->lines.items[i], style);
		buf_addc(out, '\n');
	}
	return true;
}

void format_why_graph(struct buf *out, const struct view *v, const struct why *w,
		      const struct style *style)
{
	AUTO(walk_fini) struct walk walk = { 0 };
	struct error *err = why_groups_init(&walk.groups, v, w);

	buf_addc(out, '\n');
	add_inked(out, INK_TITLE, "who waits for what", style);
	buf_addc(out, '\n');
	walk.visits = calloc(w->nodes.len + 1, sizeof(*walk.visits));
	out->failed |= err || !walk.visits || !walk_all(&walk) || !draw(out, &walk, style);
	error_ignore(err);
	if (!walk.lines.len)
		buf_adds(out, "  nothing waits\n");
}

/* Graphviz -------------------------------------------------------------------------------- */

static const char *const shapes[] = {
	[WHY_NODE_THREAD] = "box",       [WHY_NODE_TASK] = "note",
	[WHY_NODE_OBJECT] = "ellipse",   [WHY_NODE_BARRIER] = "octagon",
	[WHY_NODE_NOBODY] = "plaintext",
};

/*
 * Lines of a label, inside quotes: quotes and backslashes mean something there, and so does "&lt;".
 */
static void add_quoted(struct buf *out, const struct buf *lines)
{
	for (size_t i = 0; i < lines->len; i++) {
		char c = lines->data[i];
		if (c == '"' || c == '\\')
			buf_addc(out, '\\');
		if (c == '\n')
			buf_adds(out, "\\n");
		else
			buf_addc(out, c);
		if (c == '&')
			buf_adds(out, "amp;");
	}
	out->failed |= lines->failed;
}

static void add_dot_label(struct buf *out, const struct why_groups *g, int node)
{
	const struct style plain = { 0 };
	const struct place place = why_groups_place(g, node);
	AUTO_BUF lines = { 0 };

	why_groups_add_name(&lines, g, node);
	if (has_state(g, node) && !why_groups_only_wait(g, node)) {
		buf_addc(&lines, '\n');
		add_state(&lines, g, node, &plain);
	}
	add_place(&lines, &place, "\n", &plain);
	add_quoted(out, &lines);
}

static void add_dot_node(struct buf *out, const struct why_groups *g, int node)
{
	const struct why_node *n = &g->why->nodes.items[node];

	buf_addf(out, "\tn%d [shape=%s, label=\"", node, shapes[n->kind]);
	add_dot_label(out, g, node);
	buf_adds(out, n->stuck ? "\", color=red, fontcolor=red];\n" : "\"];\n");
}

static void add_dot_edge(struct buf *out, const struct why_groups *g, const struct why_edge *e)
{
	bool stuck = g->why->nodes.items[e->from].stuck && g->why->nodes.items[e->to].stuck;

	buf_addf(out, "\tn%d -> n%d [label=\"%s\", style=%s%s];\n", e->from, e->to,
		 edge_words[e->kind].label, knowledges[e->knowledge].dot_style,
		 stuck ? ", color=red" : "");
}

void format_why_dot(struct buf *out, const struct view *v, const struct why *w)
{
	AUTO(why_groups_fini) struct why_groups g = { 0 };
	struct error *err = why_groups_init(&g, v, w);

	if (err) {
		error_ignore(err);
		out->failed = true;
		return;
	}
	buf_adds(out, "digraph why {\n");
	for (int n = 0; n < (int)w->nodes.len; n++) {
		if (g.nin[n] || g.nout[n])
			add_dot_node(out, &g, n);
	}
	vec_for_each (e, &w->edges) {
		if (why_groups_counts(&g, e))
			add_dot_edge(out, &g, e);
	}
	buf_adds(out, "}\n");
}
