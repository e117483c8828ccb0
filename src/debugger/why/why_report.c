/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_report.h"

#include <stdlib.h>

#include "debugger/why/why_blame.h"
#include "debugger/why/why_words.h"

static struct error *add_text(struct buf *b, struct why_texts *list)
{
	AUTO_FREE char *text = NULL;
	struct error *err = why_case_take_text(b, &text);

	if (err || !vec_push(list, text))
		return &error_nomem;
	text = NULL;
	return NULL;
}

/* ---- the summary ------------------------------------------------------------------------- */

static const char *opening(const struct why_case *c, const struct why *why)
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

	if (why->verdict == WHY_UNKNOWN && c->graph.progress->looks < 2)
		return "One look does not tell: ";
	return weak ? weak : sure[why->verdict];
}

static size_t count_in_regions(const struct picture *p)
{
	size_t n = 0;

	vec_for_each (th, &p->threads)
		n += th->region >= 0;
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
	const struct picture *p = why_case_picture(c);
	size_t n = count_in_regions(p);

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
	const struct picture *p = why_case_picture(c);
	int region = p->threads.items[c->path.nodes.items[c->path.nodes.len - 1]].region;
	size_t queued = 0;

	vec_for_each (task, &p->tasks)
		queued += task->state == TASK_QUEUED && task->region == region;
	buf_addf(out, "; %zu queued task%s cannot run, as every thread of the team is blocked",
		 queued, queued == 1 ? "" : "s");
}

static void add_summary_text(struct buf *out, const struct why_case *c, const struct why *why)
{
	buf_adds(out, opening(c, why));
	if (!c->path.nodes.len) {
		add_free_summary(out, c);
	} else {
		if (why->verdict == WHY_PROGRESSING)
			add_pace(out, c->graph.progress);
		why_words_path(out, &c->graph, &c->path);
		if (why->class == WHY_TASK && why_case_last_end(c) == END_SIGNAL)
			add_queued(out, c);
	}
	buf_addc(out, '.');
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
	    c->graph.states.items[thread].end != END_COMPUTES || p->threads.items[thread].load < 0)
		return NULL;
	why_words_threads(&b, why_case_picture(c), &thread, 1);
	if (b.len)
		b.data[0] = 'T'; /* a sentence begins with it */
	buf_addf(&b, " used %.0f %% of a processor meanwhile.",
		 100 * p->threads.items[thread].load);
	return add_text(&b, list);
}

/* A holder that was inferred: from what. */
static struct error *explain_holder(const struct why_case *c, int waiter, struct why_texts *list)
{
	const struct picture *p = why_case_picture(c);
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
	int waiter = c->graph.states.items[c->path.nodes.items[c->path.nodes.len - 1]].waiter;

	switch (why_case_last_end(c)) {
	case END_LOST:
		if (why_nodes_leak(why_case_picture(c), waiter))
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
		if (why_case_node(c, i)->kind == WHY_NODE_OBJECT)
			err = explain_holder(c, why_case_node(c, i)->index, list);
	}
	if (!err && c->path.nodes.len && !why_case_is_cycle(c))
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

/* CPU time of a thread that wants a processor, even if it must share it with many. */
#define BUSY_LOAD 0.02

/* Threads that spin where they wait take processors from those that they wait for. */
static struct error *advise_spinners(const struct why_case *c, struct why_texts *list)
{
	const struct progress *p = c->graph.progress;
	const struct picture *picture = why_case_picture(c);
	size_t spinning = 0, busy = 0;
	AUTO_BUF b = { 0 };

	for (size_t i = 0; i < p->threads.len && i < picture->threads.len; i++) {
		bool works = p->threads.items[i].load > BUSY_LOAD;
		busy += works;
		spinning += works && picture->threads.items[i].wait.spinning;
	}
	if (!spinning || !p->cpus || busy <= p->cpus)
		return NULL;
	buf_addf(&b,
		 "%zu threads want %u processors, %zu of them to spin while they wait: "
		 "OMP_WAIT_POLICY=passive lets those sleep%s.",
		 busy, p->cpus, spinning,
		 picture->runtimes.len > 1 ? "; two OpenMP runtimes in one process make it worse"
					   : "");
	return add_text(&b, list);
}

static struct error *advise(const struct why_case *c, const struct why *why, struct why_texts *list)
{
	const struct stacks *s = c->snapshot->stacks;
	const char *hint = class_hints[why->class];
	struct error *err = hint && why_is_finding(why) ? add_sentence(list, hint) : NULL;
	if (!err && !why_is_finding(why))
		err = advise_spinners(c, list);
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
		err = why_case_take_text(&name, &why->nodes.items[i].name);
	}
	return err;
}

struct error *why_report(const struct why_case *c, struct why *why)
{
	AUTO_BUF summary = { 0 };

	add_summary_text(&summary, c, why);
	struct error *err = why_case_take_text(&summary, &why->summary);
	if (!err)
		err = name_nodes(c, why);
	if (!err)
		err = why_blame_find(c, why);
	if (!err)
		err = explain(c, why, &why->reasons);
	if (!err)
		err = advise(c, why, &why->hints);
	return err;
}
