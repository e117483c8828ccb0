/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why_report.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/why_words.h"

enum { PLACES_MAX = 3 }; /* other ones of the same barrier */

/* Takes what is in a buffer as text of its own. */
static struct error *take_text(struct buf *b, char **ret)
{
	*ret = b->failed ? NULL : strdup(buf_text(b));
	return *ret ? NULL : &error_nomem;
}

static struct error *add_text(struct buf *b, struct why_texts *list)
{
	AUTO_FREE char *text = NULL;
	struct error *err = take_text(b, &text);

	if (err || !vec_push(list, text))
		return &error_nomem;
	text = NULL;
	return NULL;
}

static const struct picture *picture_of(const struct why_case *c)
{
	return c->graph.picture;
}

static bool is_cycle(const struct why_case *c)
{
	return c->path.cycle < c->path.nodes.len;
}

static const struct why_node *node_at(const struct why_case *c, size_t i)
{
	return &c->graph.why->nodes.items[c->path.nodes.items[i]];
}

static enum why_end last_end(const struct why_case *c)
{
	return c->graph.more.items[c->path.nodes.items[c->path.nodes.len - 1]].end;
}

/* ---- the summary ------------------------------------------------------------------------- */

static const char *opening(const struct why *why)
{
	static const char *const sure[NUM_WHY_VERDICTS] = {
		[WHY_DEADLOCK] = "Deadlock: ",  [WHY_STUCK] = "Stuck: ",
		[WHY_WAITING] = "Waiting: ",    [WHY_PROGRESSING] = "Not hung: ",
		[WHY_IDLE] = "Not in OpenMP: ", [WHY_UNKNOWN] = "Not known: ",
	};
	static const char *const likely[NUM_WHY_VERDICTS] = {
		[WHY_DEADLOCK] = "Probably a deadlock: ",
		[WHY_STUCK] = "Probably stuck: ",
	};
	static const char *const guessed[NUM_WHY_VERDICTS] = {
		[WHY_DEADLOCK] = "Perhaps a deadlock: ",
		[WHY_STUCK] = "Perhaps stuck: ",
	};
	const char *weak = why->confidence == WHY_GUESS      ? guessed[why->verdict]
			   : why->confidence == WHY_PROBABLE ? likely[why->verdict]
							     : NULL;

	return weak ? weak : sure[why->verdict];
}

/* Threads with one state of waiting, as a clause for each: for those who wait for nobody. */
static size_t count_threads(const struct picture *p, bool in_region)
{
	size_t n = 0;

	vec_for_each (th, &p->threads)
		n += in_region ? th->region >= 0 : th->role != ROLE_IDLE;
	return n;
}

static void add_pace(struct buf *out, const struct progress *p)
{
	if (p->barriers > 0 && p->seconds > 0)
		buf_addf(out, "%.0f barriers a second were passed while it was watched; ",
			 (double)p->barriers / p->seconds);
}

static void add_free_summary(struct buf *out, const struct why_case *c)
{
	const struct picture *p = picture_of(c);
	size_t n = count_threads(p, true);

	if (!p->runtimes.len) {
		buf_adds(out, "there is no OpenMP runtime in this process; ");
	} else if (c->root < 0) {
		buf_adds(out, "no OpenMP construct is being executed; ");
	} else {
		add_pace(out, c->graph.progress);
		if (n > 1)
			buf_addf(out,
				 "none of the %zu threads in parallel regions waits for another; ",
				 n);
	}
	int thread = c->root >= 0 ? c->root : 0;
	if (!p->threads.len) {
		buf_adds(out, "it has no threads");
		return;
	}
	why_words_threads(out, p, &thread, 1);
	buf_addc(out, ' ');
	why_words_wait(out, p, thread, false);
}

/* Tasks that no thread will come to, as all are blocked. */
static void add_queued(struct buf *out, const struct why_case *c)
{
	const struct picture *p = picture_of(c);
	int region = p->threads.items[c->path.nodes.items[c->path.nodes.len - 1]].region;
	size_t queued = 0;

	vec_for_each (task, &p->tasks)
		queued += task->state == TASK_QUEUED && task->region == region;
	buf_addf(out, "; %zu queued task%s cannot run, as every thread of the team is blocked",
		 queued, queued == 1 ? "" : "s");
}

static void add_summary_text(struct buf *out, const struct why_case *c, const struct why *why)
{
	buf_adds(out, opening(why));
	if (!c->path.nodes.len) {
		add_free_summary(out, c);
	} else {
		if (why->verdict == WHY_PROGRESSING)
			add_pace(out, c->graph.progress);
		why_words_path(out, &c->graph, &c->path);
		if (why->class == WHY_TASK && last_end(c) == END_SIGNAL)
			add_queued(out, c);
	}
	buf_addc(out, '.');
}

/* ---- the chain of blame ------------------------------------------------------------------ */

static struct error *add_blame(const struct why_blame *b, struct buf *reason, struct why *why)
{
	struct why_blame blame = *b;
	struct error *err = take_text(reason, &blame.reason);

	if (!err && !vec_push(&why->blame, blame)) {
		free(blame.reason);
		err = &error_nomem;
	}
	if (err)
		vec_fini(&blame.threads);
	return err;
}

/* Whom the thing that a thread waits for is held by, or who has not come to it. */
static void add_reason(struct buf *out, const struct why_case *c, int thread, bool many)
{
	const struct why_graph *g = &c->graph;
	const struct picture_wait *w = &g->picture->threads.items[thread].wait;

	why_words_does(out, g->picture, thread, many);
	if (w->total > 0)
		buf_addf(out, " (%ld of %ld have arrived)", w->arrived, w->total);
	if (w->holder < 0)
		return;
	buf_adds(out, w->kind == WAIT_ORDERED               ? "; it is the turn of "
		      : w->holder_source == SOURCE_INFERRED ? ", probably held by "
							    : ", held by ");
	if (w->holder == thread)
		buf_adds(out, "itself");
	else
		why_words_threads(out, g->picture, &w->holder, 1);
}

static bool is_blamed(const struct why_case *c, int thread, const struct why *why)
{
	vec_for_each (b, &why->blame) {
		for (size_t i = 0; i < b->threads.len; i++) {
			if (b->threads.items[i] == thread)
				return true;
		}
	}
	vec_for_each (node, &c->path.nodes) {
		if (*node == thread)
			return true;
	}
	return false;
}

/* Takes out those to whom a link of their own belongs. */
static void keep_new(const struct why_case *c, int thread, const struct why *why,
		     struct why_threads *threads)
{
	size_t kept = 0;

	for (size_t i = 0; i < threads->len; i++) {
		int other = threads->items[i];
		if (other == thread || !is_blamed(c, other, why))
			threads->items[kept++] = other;
	}
	threads->len = kept;
}

/* group: also the others that wait for the same. */
static struct error *blame_thread(const struct why_case *c, int thread, bool group, struct why *why)
{
	struct why_blame b = { .thread = thread,
			       .place = picture_of(c)->threads.items[thread].wait.place };
	AUTO_BUF reason = { 0 };

	bool ok = group ? why_graph_group(&c->graph, thread, &b.threads)
			: vec_push(&b.threads, thread);
	if (ok && group)
		keep_new(c, thread, why, &b.threads);
	if (ok)
		b.thread = b.threads.items[0];
	add_reason(&reason, c, thread, b.threads.len > 1);
	if (ok)
		return add_blame(&b, &reason, why);
	vec_fini(&b.threads);
	return &error_nomem;
}

/* Where a lock was taken that nobody is left to give back; none: not found. */
static struct place lost_at(const struct why_case *c, int waiter)
{
	const struct picture *p = picture_of(c);
	const struct picture_wait *w = &p->threads.items[waiter].wait;

	const struct picture_leak *leak = why_graph_leak(p, waiter);

	if (w->hold >= 0)
		return p->holds.items[w->hold].place;
	return leak ? leak->place : (struct place){ 0 };
}

static struct place place_of_end(const struct why_case *c, int node)
{
	const struct picture *p = picture_of(c);
	int waiter = c->graph.more.items[node].waiter;
	int region = p->threads.items[waiter].region;
	size_t len = c->path.nodes.len;
	const struct why_node *before = len > 1 ? node_at(c, len - 2) : NULL;

	switch (c->graph.more.items[node].end) {
	case END_HOLDER:
	case END_LOST:
		return lost_at(c, waiter);
	case END_WORKER:
		return region >= 0 ? p->regions.items[region].place : (struct place){ 0 };
	case END_EVENT:
		if (before && before->kind == WHY_NODE_TASK)
			return p->tasks.items[before->index].place;
		break;
	case END_TASK:
	case END_NONE:
	case END_COMPUTES:
	case END_BUSY:
	case END_OUTSIDE:
	case END_SIGNAL:
	case END_IDLE:
	case END_UNKNOWN:
		break;
	}
	return (struct place){ 0 };
}

static struct error *blame_nobody(const struct why_case *c, int node, struct why *why)
{
	struct why_blame b = { .thread = -1, .place = place_of_end(c, node) };
	AUTO_BUF end = { 0 }, reason = { 0 };

	why_words_end(&end, &c->graph, node);
	/* Without what joins it to a sentence. */
	const char *text = buf_text(&end);
	buf_adds(&reason, text + strspn(text, ":, "));
	reason.failed |= end.failed;
	return add_blame(&b, &reason, why);
}

static bool is_at_barrier(const struct why_case *c, int thread)
{
	const struct why_more *more = &c->graph.more.items[thread];

	return more->count == 1 &&
	       c->graph.why->nodes.items[c->graph.why->edges.items[more->first].to].kind ==
		       WHY_NODE_BARRIER;
}

/* Those who wait at the same barrier, but at other places. */
static struct error *blame_others(const struct why_case *c, int thread, struct why *why)
{
	const struct why_graph *g = &c->graph;
	int barrier = g->why->edges.items[g->more.items[thread].first].to, places = 0;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < g->picture->threads.len && places < PLACES_MAX; i++) {
		if (!is_at_barrier(c, (int)i) || is_blamed(c, (int)i, why) ||
		    g->why->edges.items[g->more.items[i].first].to != barrier)
			continue;
		err = blame_thread(c, (int)i, true, why);
		places++;
	}
	return err;
}

/* The other threads of a team that must be woken by somebody. */
static struct error *blame_sleepers(const struct why_case *c, int thread, struct why *why)
{
	const struct why_graph *g = &c->graph;
	int region = g->picture->threads.items[thread].region, more = 0;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < g->picture->threads.len && more < PLACES_MAX; i++) {
		if (g->picture->threads.items[i].region != region ||
		    g->more.items[i].end != END_SIGNAL || is_blamed(c, (int)i, why))
			continue;
		err = blame_thread(c, (int)i, false, why);
		more++;
	}
	return err;
}

static struct error *blame_node(const struct why_case *c, size_t i, struct why *why)
{
	const struct why_node *n = node_at(c, i);

	if (n->kind == WHY_NODE_NOBODY)
		return blame_nobody(c, c->path.nodes.items[i], why);
	if (n->kind != WHY_NODE_THREAD)
		return NULL;
	bool barrier = is_at_barrier(c, n->index);
	struct error *err = blame_thread(c, n->index, i == 0 || barrier, why);
	if (err)
		return err;
	if (c->graph.more.items[n->index].end == END_SIGNAL && why->class == WHY_TASK)
		return blame_sleepers(c, n->index, why);
	return barrier ? blame_others(c, n->index, why) : NULL;
}

static size_t group_size(const struct why_case *c, size_t i)
{
	struct why_threads list = { 0 };
	size_t n = why_graph_group(&c->graph, node_at(c, i)->index, &list) ? list.len : 0;

	vec_fini(&list);
	return n;
}

static bool is_thread(const struct why_case *c, size_t i)
{
	return node_at(c, i)->kind == WHY_NODE_THREAD;
}

/* In how far a thread of a cycle stands out: most to blame first. */
static size_t oddity(const struct why_case *c, size_t i, bool locks)
{
	bool barrier = is_at_barrier(c, node_at(c, i)->index);

	/* Who holds a lock at a barrier; at barriers alone, those who are fewest. */
	return locks ? !barrier : barrier ? group_size(c, i) : 1;
}

static bool has_lock(const struct why_case *c)
{
	for (size_t i = c->path.cycle; i < c->path.nodes.len; i++) {
		if (node_at(c, i)->kind == WHY_NODE_OBJECT)
			return true;
	}
	return false;
}

/* Of the threads of a cycle the first to blame; of equal ones at barriers the last, else the
 * lowest. */
static size_t first_of_cycle(const struct why_case *c)
{
	const struct why_path *path = &c->path;
	bool locks = has_lock(c);
	size_t best = path->nodes.len, least = 0;

	for (size_t i = path->nodes.len; i-- > path->cycle;) {
		if (!is_thread(c, i))
			continue;
		size_t its = oddity(c, i, locks);
		if (best == path->nodes.len || its < least ||
		    (its == least && locks && path->nodes.items[i] < path->nodes.items[best])) {
			best = i;
			least = its;
		}
	}
	return best;
}

static struct error *blame_cycle(const struct why_case *c, struct why *why)
{
	const struct why_path *path = &c->path;
	size_t n = path->nodes.len - path->cycle, first = first_of_cycle(c) - path->cycle;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < n; i++)
		err = blame_node(c, path->cycle + (first + i) % n, why);
	return err;
}

static struct error *blame_all(const struct why_case *c, struct why *why)
{
	struct error *err = NULL;
	size_t end = is_cycle(c) ? c->path.cycle : c->path.nodes.len;

	if (!c->path.nodes.len)
		return c->root < 0 ? NULL : blame_thread(c, c->root, false, why);
	if (is_cycle(c))
		err = blame_cycle(c, why);
	for (size_t i = end; !err && i-- > 0;)
		err = blame_node(c, i, why);
	return err;
}

/* ---- how sure ---------------------------------------------------------------------------- */

static struct error *add_sentence(struct why_texts *list, const char *text)
{
	AUTO_BUF b = { 0 };

	buf_adds(&b, text);
	return add_text(&b, list);
}

static struct error *explain_looks(const struct why_case *c, const struct why *why,
				   struct why_texts *list)
{
	const struct progress *p = c->graph.progress;
	AUTO_BUF b = { 0 };
	size_t moved = 0;

	if (c->core)
		return add_sentence(list, "A core file shows one moment.");
	if (p->looks < 2)
		return add_sentence(list, "This was one look: without --once ompdb takes several "
					  "and compares them.");
	vec_for_each (th, &p->threads)
		moved += th->moved;
	if (why_is_finding(why) || !moved)
		buf_addf(&b, "In %u looks, %.2g s in all, %s.", p->looks, p->seconds,
			 moved ? "none of these threads moved" : "no thread moved");
	else
		buf_addf(&b, "In %u looks, %.2g s in all, %zu of %zu threads moved.", p->looks,
			 p->seconds, moved, p->threads.len);
	return add_text(&b, list);
}

/* How busy the thread is that all wait for. */
static struct error *explain_load(const struct why_case *c, struct why_texts *list)
{
	const struct progress *p = c->graph.progress;
	int thread = c->path.nodes.len ? c->path.nodes.items[c->path.nodes.len - 1] : c->root;
	AUTO_BUF b = { 0 };

	if (p->looks < 2 || thread < 0 || (size_t)thread >= p->threads.len ||
	    c->graph.more.items[thread].end != END_COMPUTES || p->threads.items[thread].load < 0)
		return NULL;
	why_words_threads(&b, picture_of(c), &thread, 1);
	b.data[0] = 'T';
	buf_addf(&b, " used %.0f %% of a processor meanwhile.",
		 100 * p->threads.items[thread].load);
	return add_text(&b, list);
}

/* A holder that was inferred: from what. */
static struct error *explain_holder(const struct why_case *c, int waiter, struct why_texts *list)
{
	const struct picture *p = picture_of(c);
	const struct picture_wait *w = &p->threads.items[waiter].wait;
	AUTO_BUF b = { 0 };

	if (w->holder < 0 || w->holder_source != SOURCE_INFERRED)
		return NULL;
	buf_adds(&b, "That ");
	why_words_threads(&b, p, &w->holder, 1);
	buf_adds(&b, " holds ");
	why_words_object(&b, w);
	buf_adds(&b, " is inferred from its code, as the runtime does not record it");
	if (w->hold >= 0) {
		const struct picture_hold *h = &p->holds.items[w->hold];
		buf_adds(&b, h->always ? ": it took it" : ": it may have taken it");
		why_words_place(&b, &h->place);
		buf_adds(&b, " and has not given it back");
	}
	buf_addc(&b, '.');
	return add_text(&b, list);
}

static struct error *explain_end(const struct why_case *c, struct why_texts *list)
{
	int waiter = c->graph.more.items[c->path.nodes.items[c->path.nodes.len - 1]].waiter;

	switch (last_end(c)) {
	case END_LOST:
		if (why_graph_leak(picture_of(c), waiter))
			return add_sentence(list, "No thread is in a function that has taken it "
						  "and not given it back; the one that took it "
						  "can return without doing so.");
		return add_sentence(list,
				    "On no thread's stack is a function that has taken it and "
				    "not given it back: the thread that took it has "
				    "left that function.");
	case END_HOLDER:
		return add_sentence(list,
				    "The runtime does not record who holds it, and the code of "
				    "no thread tells.");
	case END_EVENT:
		return add_sentence(list, "A thread that is blocked outside of OpenMP, a signal "
					  "handler or another process may still fulfil it.");
	case END_SIGNAL:
		return add_sentence(list, "No thread of this process is left to wake it; a signal "
					  "handler or another process might.");
	case END_TASK:
		return add_sentence(list, "This runtime does not tell which tasks these are.");
	case END_NONE:
	case END_COMPUTES:
	case END_BUSY:
	case END_OUTSIDE:
	case END_IDLE:
	case END_UNKNOWN:
	case END_WORKER:
		break;
	}
	return NULL;
}

static struct error *explain(const struct why_case *c, const struct why *why,
			     struct why_texts *list)
{
	struct error *err = explain_looks(c, why, list);

	if (!err)
		err = explain_load(c, list);
	for (size_t i = 0; !err && i < c->path.nodes.len; i++) {
		if (node_at(c, i)->kind == WHY_NODE_OBJECT)
			err = explain_holder(c, node_at(c, i)->index, list);
	}
	if (!err && c->path.nodes.len && !is_cycle(c))
		err = explain_end(c, list);
	if (!err && c->graph.trusting)
		err = add_sentence(list,
				   "Some of these threads spin: they may have been about to go "
				   "on.");
	return err;
}

/* ---- what next --------------------------------------------------------------------------- */

static const char *const class_hints[NUM_WHY_CLASSES] = {
	[WHY_BARRIER_MISMATCH] = "All threads of a team must come to the same barriers: look for a "
				 "branch, return or loop count that differs between them.",
	[WHY_WORKSHARING_MISMATCH] =
		"All threads of a team must come to each for, sections and single construct: look "
		"for a branch around it.",
	[WHY_LOCK_CYCLE] = "Take the locks in the same order everywhere.",
	[WHY_SELF_DEADLOCK] = "A lock that its holder may take again must be an omp_nest_lock_t; "
			      "critical constructs of one name do not nest.",
	[WHY_LOST_LOCK] = "Look for a way out of the code behind the omp_set_lock() that does not "
			  "pass omp_unset_lock().",
	[WHY_DETACH] = "Look for the omp_fulfill_event() that was not called.",
	[WHY_LOST_WORKER] = "After fork() the child has one thread; and threads of a team must not "
			    "end by pthread_exit() or cancellation.",
};

static struct error *advise(const struct why_case *c, const struct why *why, struct why_texts *list)
{
	const struct stacks *s = c->snapshot->stacks;
	const char *hint = class_hints[why->class];
	struct error *err = hint && why_is_finding(why) ? add_sentence(list, hint) : NULL;
	AUTO_BUF b = { 0 };

	if (err)
		return err;
	if (s->core)
		buf_addf(&b, "'ompdb stack %s' shows all stacks.", s->core);
	else
		buf_addf(&b, "'ompdb stack %d' shows all stacks.", s->pid);
	return add_text(&b, list);
}

/* ---- all --------------------------------------------------------------------------------- */

static struct error *name_nodes(const struct why_case *c, struct why *why)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < why->nodes.len; i++) {
		AUTO_BUF name = { 0 };
		why_words_node(&name, &c->graph, (int)i);
		err = take_text(&name, &why->nodes.items[i].name);
	}
	return err;
}

struct error *why_report(const struct why_case *c, struct why *why)
{
	AUTO_BUF summary = { 0 };

	add_summary_text(&summary, c, why);
	struct error *err = take_text(&summary, &why->summary);
	if (!err)
		err = name_nodes(c, why);
	if (!err)
		err = blame_all(c, why);
	if (!err)
		err = explain(c, why, &why->reasons);
	if (!err)
		err = advise(c, why, &why->hints);
	return err;
}
