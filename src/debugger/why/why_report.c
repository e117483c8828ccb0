/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_report.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/merge.h"
#include "debugger/why/why_blame.h"
#include "debugger/why/why_tasks.h"
#include "debugger/why/why_words.h"

/* text: NULL: nothing. */
static void add_sentence(const struct why_case *c, struct why_texts *list, const char *text)
{
	AUTO_BUF b = { 0 };

	if (!text)
		return;
	buf_adds(&b, text);
	why_case_add_text(c, list, &b);
}

/* ---- the summary ------------------------------------------------------------------------- */

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

	if (p->code.hidden) {
		buf_adds(out, "no OpenMP runtime was found, but one may be in the program; ");
	} else if (!p->runtimes.len) {
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
	if (!p->threads.len) {
		buf_adds(out, "it has no threads");
		return;
	}
	int thread = c->root >= 0 ? c->root : 0;
	why_words_threads(out, p, &thread, 1);
	buf_addc(out, ' ');
	why_words_wait(out, &c->graph, thread, false);
}

/* Tasks that no thread will come to, as all are blocked. */
static void add_queued(struct buf *out, const struct why_case *c)
{
	const struct picture *p = why_case_picture(c);
	size_t queued = why_tasks_queued(p, picture_thread(p, why_case_cause(c))->region);

	buf_addf(out, "; %zu queued task%s cannot run, as every thread of the team is blocked",
		 queued, queued == 1 ? "" : "s");
}

static void add_summary(struct buf *out, const struct why_case *c)
{
	const struct why *why = c->graph.why;
	bool one_look = why->verdict == WHY_UNKNOWN && c->graph.progress->looks < 2;

	buf_adds(out, one_look ? "One look does not tell: "
			       : why_opening(why->verdict, why->confidence));
	if (!c->path.len) {
		add_free_summary(out, c);
	} else {
		if (why->verdict == WHY_PROGRESSING)
			add_pace(out, c->graph.progress);
		why_words_path(out, c);
		if (why->class == WHY_TASK && why_end_facts(why_case_last_end(c))->needs_thread)
			add_queued(out, c);
	}
	buf_addc(out, '.');
}

/* ---- how sure ---------------------------------------------------------------------------- */

static void explain_looks(const struct why_case *c, struct why_texts *list)
{
	const struct progress *p = c->graph.progress;
	AUTO_BUF b = { 0 };
	size_t moved = 0;

	if (c->core) {
		add_sentence(c, list, "A core file shows one moment.");
		return;
	}
	if (p->stands) {
		add_sentence(c, list, "A program that stands still shows one moment.");
		return;
	}
	if (p->looks < 2) {
		add_sentence(c, list,
			     "This was one look: without --once ompdb takes several and compares "
			     "them.");
		return;
	}
	vec_for_each (th, &p->threads)
		moved += th->moved;
	buf_addf(&b, "In %u looks, %.2g s in all, ", p->looks, p->seconds);
	if (!moved)
		buf_adds(&b, "no thread moved.");
	else if (why_is_finding(c->graph.why))
		buf_adds(&b, "none of these threads moved.");
	else
		buf_addf(&b, "%zu of %zu threads moved.", moved, p->threads.len);
	why_case_add_text(c, list, &b);
}

/* How busy the thread is that all wait for. */
static void explain_load(const struct why_case *c, struct why_texts *list)
{
	int thread = why_case_cause(c);
	const struct progress_thread *pace = progress_thread(c->graph.progress, thread);
	AUTO_BUF b = { 0 };

	if (!pace || pace->load < 0 || why_nodes_state(&c->graph, thread)->end != END_COMPUTES)
		return;
	why_words_threads(&b, why_case_picture(c), &thread, 1);
	if (b.len)
		b.data[0] = 'T'; /* a sentence begins with it */
	buf_addf(&b, " used %.0f %% of a processor meanwhile.", 100 * pace->load);
	why_case_add_text(c, list, &b);
}

/* Where several may hold a lock: why no one is told. */
static void explain_candidates(const struct why_case *c, const struct picture_wait *w,
			       struct why_texts *list)
{
	AUTO_BUF b = { 0 };

	buf_adds(&b, "The runtime does not record who holds ");
	why_words_object(&b, w);
	buf_adds(&b, "; by their code ");
	merge_add_holder(&b, why_case_picture(c), w);
	buf_adds(&b, " has taken it");
	why_words_taken(&b, why_case_picture(c), w);
	buf_adds(&b, " and not given it back.");
	why_case_add_text(c, list, &b);
}

/* Where it was inferred who holds a lock: from what. */
static void explain_holder(const struct why_case *c, int waiter, struct why_texts *list)
{
	const struct picture *p = why_case_picture(c);
	const struct picture_wait *w = why_nodes_wait(&c->graph, waiter);
	AUTO_BUF b = { 0 };

	if (why_nodes_giver(p, waiter) >= 0)
		add_sentence(c, list,
			     "The task gives the lock back without having taken it, by its code: "
			     "the lock is a signal.");
	if (w->ncandidates) {
		explain_candidates(c, w, list);
		return;
	}
	if (w->holder < 0 || w->holder_source != SOURCE_INFERRED)
		return;
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
		if (why_nodes_is_vague(p, w))
			buf_adds(&b, "; it may have been another lock");
	}
	buf_addc(&b, '.');
	why_case_add_text(c, list, &b);
}

static void explain_end(const struct why_case *c, struct why_texts *list)
{
	enum why_end end = why_case_last_end(c);
	int waiter = why_nodes_state(&c->graph, why_case_cause(c))->waiter;

	const struct picture_leak *leak = why_nodes_leak(why_case_picture(c), waiter);

	if (end == END_LOST && leak && leak->thrown)
		add_sentence(c, list,
			     "No thread is in a function that has taken it and not given it back, "
			     "and none returns without doing so; but an exception that leaves the "
			     "one that took it does not give it back, and exceptions are caught.");
	else if (end == END_LOST && leak)
		add_sentence(c, list,
			     "No thread is in a function that has taken it and not given it back; "
			     "the one that took it can return without doing so.");
	else if (end == END_LOST && why_nodes_gone_with(why_case_picture(c), waiter))
		add_sentence(c, list,
			     "No thread is in a function that has taken it and not given it back; "
			     "one that does not exist may have had it.");
	else if (!why_end_facts(end)->needs_thread || why_case_node(c, c->path.len - 1)->stuck)
		add_sentence(c, list, why_end_facts(end)->reason);
}

/* Of a thread in a loop that only looks at memory: why that may yet change. */
static void explain_flag(const struct why_case *c, struct why_texts *list)
{
	const int thread = why_case_cause(c);
	const bool is_thread = thread >= 0 && why_nodes_is_thread(&c->graph, thread);
	const struct picture_wait *w = is_thread ? why_nodes_wait(&c->graph, thread) : NULL;

	if (!w || w->kind != WAIT_MEMORY || c->graph.progress->looks < 2 ||
	    why_nodes_state(&c->graph, thread)->end != END_OUTSIDE)
		return;
	add_sentence(
		c, list,
		w->shared ? "The loop only looks at memory that other processes may have, too: "
			    "one of them might change it."
			  : "The loop only looks at memory, and no thread of this process is left "
			    "to change that; a signal handler might, and the program has some.");
}

static void explain(const struct why_case *c, struct why_texts *list)
{
	explain_looks(c, list);
	explain_load(c, list);
	for (size_t i = 0; i < c->path.len; i++) {
		if (why_case_node(c, i)->kind == WHY_NODE_OBJECT)
			explain_holder(c, why_case_node(c, i)->index, list);
	}
	if (c->path.len && !why_case_is_cycle(c))
		explain_end(c, list);
	explain_flag(c, list);
	if (c->graph.spin_is_wait)
		add_sentence(c, list,
			     "Some of these threads spin: they may have been about to go on.");
}

/* ---- what next --------------------------------------------------------------------------- */

/* CPU time of a thread that wants a processor, even if it must share it with many. */
#define BUSY_LOAD 0.02

/* Threads that spin where they wait take processors from those that they wait for. */
static void advise_spinners(const struct why_case *c, struct why_texts *list)
{
	const struct picture *p = why_case_picture(c);
	unsigned int cpus = c->graph.progress->cpus;
	size_t spinning = 0, busy = 0;
	AUTO_BUF b = { 0 };

	for (int i = 0; i < (int)p->threads.len; i++) {
		const struct progress_thread *pace = progress_thread(c->graph.progress, i);
		bool works = pace && pace->load > BUSY_LOAD;
		busy += works;
		spinning += works && picture_thread(p, i)->wait.spinning;
	}
	if (!spinning || !cpus || busy <= cpus)
		return;
	buf_addf(&b,
		 "%zu threads want %u processors, %zu of them to spin while they wait: "
		 "OMP_WAIT_POLICY=passive lets those sleep%s.",
		 busy, cpus, spinning,
		 p->runtimes.len > 1 ? "; two OpenMP runtimes in one process make it worse" : "");
	why_case_add_text(c, list, &b);
}

/* Whoever is to blame is somewhere in code of which nothing tells the lines. */
static void advise_debug(const struct why_case *c, struct why_texts *list)
{
	AUTO_BUF b = { 0 };

	vec_for_each (blame, &c->graph.why->blame) {
		const char *code = blame->place.code;
		if (!code)
			continue;
		buf_addf(&b,
			 "%.*s has no debug information: built with -g, its functions and lines "
			 "are named here.",
			 (int)(strrchr(code, '+') - code), code);
		why_case_add_text(c, list, &b);
		return;
	}
}

/* Mutexes have types. Of one lock alone there is no order: its holder waits for who wants it. */
static const char *hint_of(const struct why_case *c)
{
	size_t locks = 0, mutexes = 0;

	for (size_t i = c->cycle; i < c->path.len; i++) {
		const struct why_node *n = why_case_node(c, i);
		if (n->kind != WHY_NODE_OBJECT)
			continue;
		const enum wait_kind kind = why_nodes_wait(&c->graph, n->index)->kind;
		locks += wait_kind_whom(kind) == FOR_HOLDER;
		mutexes += kind == WAIT_MUTEX;
	}
	if (c->graph.why->class == WHY_SELF_DEADLOCK && mutexes)
		return "A mutex that its holder may take again must be of type "
		       "PTHREAD_MUTEX_RECURSIVE.";
	if (c->graph.why->class == WHY_LOCK_CYCLE && locks == 1)
		return "Give the lock back before waiting for threads that want it: at a barrier, "
		       "for tasks, for a turn, at the end of a region.";
	return why_hint(c->graph.why);
}

static void advise(const struct why_case *c, struct why_texts *list)
{
	const struct stacks *s = c->snapshot->stacks;
	AUTO_BUF b = { 0 };

	if (why_is_finding(c->graph.why))
		add_sentence(c, list, hint_of(c));
	else
		advise_spinners(c, list);
	advise_debug(c, list);
	if (c->graph.progress->stands)
		buf_adds(&b, "'stack' shows all stacks.");
	else if (s->core)
		buf_addf(&b, "'ompdb stack %s' shows all stacks.", s->core);
	else
		buf_addf(&b, "'ompdb stack %d' shows all stacks.", s->pid);
	why_case_add_text(c, list, &b);
}

/* ---- all --------------------------------------------------------------------------------- */

void why_report(const struct why_case *c)
{
	struct why *why = c->graph.why;
	AUTO_BUF summary = { 0 };

	add_summary(&summary, c);
	why->summary = why_case_take_text(c, &summary);
	for (size_t i = 0; i < why->nodes.len; i++) {
		AUTO_BUF name = { 0 };
		why_words_node(&name, &c->graph, (int)i);
		why->nodes.items[i].name = why_case_take_text(c, &name);
	}
	why_blame_find(c);
	explain(c, &why->reasons);
	advise(c, &why->hints);
}
