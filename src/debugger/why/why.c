/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why.h"

#include <stdlib.h>

static const struct {
	const char *name;
	bool finding;
	const char *openings[NUM_WHY_CONFIDENCES]; /* NULL: that of certainty */
} verdicts[NUM_WHY_VERDICTS] = {
	[WHY_DEADLOCK] = { "deadlock",
			   true,
			   { [WHY_CERTAIN] = "Deadlock: ",
			     [WHY_PROBABLE] = "Probably a deadlock: ",
			     [WHY_GUESS] = "Perhaps a deadlock: " } },
	[WHY_STUCK] = { "stuck",
			true,
			{ [WHY_CERTAIN] = "Stuck: ",
			  [WHY_PROBABLE] = "Probably stuck: ",
			  [WHY_GUESS] = "Perhaps stuck: " } },
	[WHY_CRASHED] = { "crashed", true, { [WHY_CERTAIN] = "Crashed: " } },
	[WHY_WAITING] = { "waiting", false, { [WHY_CERTAIN] = "Waiting: " } },
	[WHY_PROGRESSING] = { "progressing", false, { [WHY_CERTAIN] = "Not hung: " } },
	[WHY_IDLE] = { "idle", false, { [WHY_CERTAIN] = "Not in OpenMP: " } },
	[WHY_UNKNOWN] = { "unknown", false, { [WHY_CERTAIN] = "Not known: " } },
};

static const struct {
	const char *name, *hint; /* hint: a sentence; NULL: none */
} classes[NUM_WHY_CLASSES] = {
	[WHY_NONE] = { "none" },
	[WHY_BARRIER_MISMATCH] = { "barrier-mismatch",
				   "All threads of a team must come to the same barriers: look for "
				   "a branch, return or loop count that differs between them." },
	[WHY_WORKSHARING_MISMATCH] = { "worksharing-mismatch",
				       "All threads of a team must come to each for, sections and "
				       "single construct: look for a branch around it." },
	[WHY_LOCK_CYCLE] = { "lock-cycle", "Take the locks in the same order everywhere." },
	[WHY_SELF_DEADLOCK] = { "self-deadlock",
				"A lock that its holder may take again must be an omp_nest_lock_t; "
				"critical constructs of one name do not nest." },
	[WHY_LOST_LOCK] = { "lost-lock", "Look for a way out of the code behind the omp_set_lock() "
					 "that does not pass omp_unset_lock()." },
	[WHY_ORDERED] = { "ordered" },
	[WHY_TASK] = { "task" },
	[WHY_DETACH] = { "detach", "Look for the omp_fulfill_event() that was not called." },
	[WHY_LOST_WORKER] = { "lost-worker",
			      "After fork() the child has one thread; and threads of a team must "
			      "not end by pthread_exit() or cancellation." },
	[WHY_TWO_RUNTIMES] = { "two-runtimes" },
	[WHY_BUSY_WAIT] = { "busy-wait",
			    "Look for the thread that should have changed what the loop "
			    "reads, and for why it has not." },
	[WHY_EXTERNAL] = { "external" },
	[WHY_HELD] = { "held" },
	[WHY_IMBALANCE] = { "imbalance" },
};

static const char *const confidences[NUM_WHY_CONFIDENCES] = {
	[WHY_GUESS] = "guess",
	[WHY_PROBABLE] = "probable",
	[WHY_CERTAIN] = "certain",
};

static const char *const node_names[] = {
	[WHY_NODE_THREAD] = "thread",   [WHY_NODE_TASK] = "task",     [WHY_NODE_OBJECT] = "object",
	[WHY_NODE_BARRIER] = "barrier", [WHY_NODE_NOBODY] = "nobody",
};

static const char *const edge_names[NUM_WHY_EDGES] = {
	[WHY_WAITS_FOR] = "waits for",
	[WHY_HELD_BY] = "held by",
	[WHY_RUN_BY] = "run by",
	[WHY_MUST_COME] = "must come",
};

static const char *const knowledge_names[NUM_WHY_KNOWLEDGES] = {
	[WHY_KNOWN] = "known",
	[WHY_LIKELY] = "probable",
	[WHY_NOT_KNOWN] = "unknown",
};

static const char *known(const char *text)
{
	return text ? text : "unknown";
}

const char *why_verdict_name(enum why_verdict verdict)
{
	return known(verdicts[verdict].name);
}

const char *why_class_name(enum why_class class)
{
	return known(classes[class].name);
}

const char *why_confidence_name(enum why_confidence confidence)
{
	return known(confidences[confidence]);
}

const char *why_node_name(enum why_node_kind kind)
{
	return node_names[kind];
}

const char *why_edge_name(enum why_edge_kind kind)
{
	return edge_names[kind];
}

const char *why_knowledge_name(enum why_knowledge knowledge)
{
	return knowledge_names[knowledge];
}

bool why_verdict_is_finding(enum why_verdict verdict)
{
	return verdicts[verdict].finding;
}

bool why_is_finding(const struct why *w)
{
	return why_verdict_is_finding(w->verdict);
}

const char *why_opening(enum why_verdict verdict, enum why_confidence confidence)
{
	const char *const *openings = verdicts[verdict].openings;
	const char *its = openings[confidence];

	return its ? its : openings[WHY_CERTAIN] ? openings[WHY_CERTAIN] : "";
}

const char *why_hint(const struct why *w)
{
	return why_is_finding(w) ? classes[w->class].hint : NULL;
}

void why_clear_graph(struct why *w)
{
	vec_for_each (node, &w->nodes)
		free(node->name);
	vec_fini(&w->nodes);
	vec_fini(&w->edges);
}

void why_fini(struct why *w)
{
	vec_for_each (b, &w->blame) {
		vec_fini(&b->threads);
		free(b->reason);
	}
	vec_fini(&w->blame);
	vec_fini_all(&w->reasons);
	vec_fini_all(&w->hints);
	why_clear_graph(w);
	free(w->summary);
}

/* A counting sort: edges of one node keep their order. */
bool why_ends_init(struct why_ends *ends, const struct why *w, bool in)
{
	int *start = calloc(w->nodes.len + 2, sizeof(*start));

	ends->start = start;
	ends->edges = calloc(w->edges.len + 1, sizeof(*ends->edges));
	if (!start || !ends->edges)
		return false;
	vec_for_each (e, &w->edges)
		start[(in ? e->to : e->from) + 2]++;
	for (size_t n = 2; n < w->nodes.len + 2; n++)
		start[n] += start[n - 1];
	for (int i = 0; i < (int)w->edges.len; i++) {
		const struct why_edge *e = &w->edges.items[i];
		ends->edges[start[(in ? e->to : e->from) + 1]++] = i;
	}
	return true;
}

void why_ends_fini(struct why_ends *ends)
{
	free(ends->start);
	free(ends->edges);
}
