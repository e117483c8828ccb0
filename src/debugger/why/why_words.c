/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_words.h"

#include <string.h>

#include "base/text.h"
#include "debugger/merge.h"
#include "debugger/wait_words.h"

/* ---- threads ---------------------------------------------------------------------------- */

void why_words_threads(struct buf *out, const struct picture *p, const int *threads, size_t len)
{
	AUTO_BUF set = { 0 };

	merge_add_thread_set(&set, p, threads, len);
	if (!text_starts_with(buf_text(&set), "thread") &&
	    !text_starts_with(buf_text(&set), "hidden"))
		buf_adds(out, len == 1 ? "thread " : "threads ");
	buf_adds(out, buf_text(&set));
}

/* ---- what a thread does ----------------------------------------------------------------- */

void why_words_place(struct buf *out, const struct place *place)
{
	if (place->file && place->line)
		buf_addf(out, " at %s:%d", text_last_part(place->file), place->line);
	else if (place->function)
		buf_addf(out, strchr(place->function, '(') ? " in %s" : " in %s()",
			 place->function);
	else if (place->code)
		buf_addf(out, " at %s", place->code);
}

static void add_call(struct buf *out, const struct picture_wait *w, const struct wait_words *words)
{
	if (!w->name) {
		buf_addf(out, " %s", words->unnamed);
		return;
	}
	buf_addf(out, " %s(", w->name);
	if (w->fd >= 0)
		buf_addf(out, "%d", w->fd);
	buf_addc(out, ')');
}

static void add_object(struct buf *out, const struct picture_wait *w)
{
	/* The name of what is outside of OpenMP is that of the function called. */
	bool own = !wait_kind_traits(w->kind)->is_outside || (!w->variable && !w->object);
	const char *name = own ? w->name : w->variable;

	if (name)
		buf_addf(out, " '%s'", name);
	else if (w->object && w->kind != WAIT_CRITICAL)
		buf_addf(out, " 0x%" PRIxTADDR, w->object);
}

void why_words_does(struct buf *out, const struct picture *p, int thread, bool many)
{
	const struct picture_wait *w = &picture_thread(p, thread)->wait;
	const struct wait_words *words = wait_words(picture_wait_kind(w));

	if (why_thread_is_held(picture_thread(p, thread))) {
		buf_addf(out, "%s %s", many ? "are" : "is",
			 wait_words_held(picture_thread(p, thread)->held));
		return;
	}
	if (w->variable && words->named)
		buf_adds(out, many ? words->all_named : words->named);
	else if (w->variable)
		buf_adds(out, many ? words->many : words->one);
	else
		buf_adds(out, many ? words->do_ : words->does);
	if (wait_kind_traits(w->kind)->is_lock || w->variable)
		add_object(out, w);
	if (words->details & WITH_CALL)
		add_call(out, w, words);
}

/* It is the same in all looks, and nobody is awake who could have changed it meanwhile. */
static bool is_unchanged(const struct why_graph *g, int thread)
{
	const struct progress_thread *pace = progress_thread(g->progress, thread);
	bool ret = why_nodes_wait(g, thread)->kind == WAIT_MEMORY && pace && pace->unchanged;

	for (int i = 0; ret && i < (int)g->picture->threads.len; i++) {
		const struct picture_thread *th = picture_thread(g->picture, i);
		const bool has_no_work =
			th->role == ROLE_IDLE || wait_kind_whom(th->wait.kind) == FOR_WORK;
		ret = has_no_work || why_thread_is_at_rest(g, i);
	}
	return ret;
}

void why_words_wait(struct buf *out, const struct why_graph *g, int thread, bool many)
{
	const struct picture_wait *w = why_nodes_wait(g, thread);

	why_words_does(out, g->picture, thread, many);
	why_words_place(out, &w->place);
	if (is_unchanged(g, thread))
		buf_adds(out, ", which nobody has changed");
}

/* ---- nodes ------------------------------------------------------------------------------ */

void why_words_object(struct buf *out, const struct picture_wait *w)
{
	const struct wait_traits *traits = wait_kind_traits(w->kind);

	if (traits->whom != FOR_HOLDER && traits->whom != FOR_ENDING) {
		buf_adds(out, "barrier of an unknown team");
		return;
	}
	buf_adds(out, traits->name);
	add_object(out, w);
}

static void add_object_node(struct buf *out, const struct why_graph *g, int waiter)
{
	const struct picture_thread *th = picture_thread(g->picture, waiter);
	const char *turn = wait_words(th->wait.kind)->turn;

	if (turn)
		buf_addf(out, "%s of team %ld", turn, picture_region_id(g->picture, th->region));
	else
		why_words_object(out, &th->wait);
}

static void add_task_node(struct buf *out, const struct why_graph *g, int index)
{
	const struct picture_task *task = picture_task(g->picture, index);

	buf_addf(out, "%s task", picture_task_state_name(task->state));
	why_words_place(out, &task->place);
}

void why_words_node(struct buf *out, const struct why_graph *g, int node)
{
	const struct why_node *n = why_nodes_get(g, node);
	const struct why_state *state = why_nodes_state(g, node);
	const char *name;

	switch (n->kind) {
	case WHY_NODE_THREAD:
		why_words_threads(out, g->picture, &n->index, 1);
		break;
	case WHY_NODE_TASK:
		add_task_node(out, g, n->index);
		break;
	case WHY_NODE_OBJECT:
		add_object_node(out, g, n->index);
		break;
	case WHY_NODE_BARRIER:
		buf_addf(out, state->plain ? "barrier of team %ld" : "end of region %ld",
			 picture_region_id(g->picture, n->index));
		break;
	case WHY_NODE_NOBODY:
	case NUM_WHY_NODES:
		name = why_end_facts(state->end)->name;
		buf_adds(out, name ? name : "something unknown");
		break;
	}
}

/* ---- the sentence ----------------------------------------------------------------------- */

enum { THREADS_MAX = 8 }; /* that a sentence tells of, one after the other */

/* Which threads of a team do not exist any more. false: none is known to be missing. */
static bool add_missing_workers(struct buf *out, const struct picture *p, int region)
{
	const struct picture_region *r = picture_region(p, region);
	size_t missing = why_nodes_missing(p, region), last = 0;

	for (size_t i = 0; r && i < r->members.len; i++)
		last = r->members.items[i] < 0 ? i : last;
	if (missing == 1)
		buf_addf(out, ": thread %ld.%zu does not exist any more",
			 picture_region_id(p, region), last);
	else if (missing)
		buf_addf(out, ": %zu of the %ld threads of the team do not exist any more", missing,
			 r->size);
	return missing;
}

void why_words_end(struct buf *out, const struct why_graph *g, int node)
{
	const struct why_state *state = why_nodes_state(g, node);
	const struct picture *p = g->picture;
	const char *clause = why_end_facts(state->end)->clause;

	if (state->end == END_WORKER &&
	    add_missing_workers(out, p, picture_thread(p, state->waiter)->region))
		return;
	if (clause)
		buf_adds(out, clause);
	const struct picture_leak *leak = why_nodes_leak_of_end(g, node);
	if (leak && leak->place.file) {
		bool sure = state->end == END_LOST && leak == why_nodes_leak(p, state->waiter);
		buf_adds(out, leak->thrown ? ": an exception can have left it held, taken"
			      : sure       ? ": it was taken"
					   : ": it may have been left held, taken");
		why_words_place(out, &leak->place);
	} else if (state->end == END_LOST && why_nodes_gone_with(p, state->waiter)) {
		add_missing_workers(out, p, picture_thread(p, state->waiter)->region);
	}
}

/* A path being told. */
struct telling {
	struct buf *out;
	const struct why_case *c;
	int thread;   /* that the sentence is about */
	bool many;    /* and others, which wait alike */
	bool closing; /* the node that comes next has been told of */
};

static void tell_thread(struct telling *t, int thread)
{
	why_words_threads(t->out, why_case_picture(t->c), &thread, 1);
	if (t->closing)
		return;
	t->many = false;
	buf_adds(t->out, ", which ");
	why_words_wait(t->out, &t->c->graph, thread, false);
}

/* " and thread 0.2 at app.c:44": those who wait for the same team elsewhere. */
static void tell_elsewhere(struct telling *t, int thread)
{
	const struct picture *p = why_case_picture(t->c);
	int barrier = why_nodes_barrier(&t->c->graph, thread), places = 0;
	int line = why_nodes_wait(&t->c->graph, thread)->place.line;

	for (int i = 0; barrier >= 0 && i < (int)p->threads.len && places < WHY_PLACES_MAX; i++) {
		const struct place *place = &why_nodes_wait(&t->c->graph, i)->place;
		struct ints group = { 0 };
		if (why_nodes_barrier(&t->c->graph, i) != barrier || place->line == line ||
		    why_case_has(t->c, i))
			continue;
		why_case_add_group(t->c, i, true, &group);
		if (group.len && group.items[0] == i) {
			buf_adds(t->out, " and ");
			why_words_threads(t->out, p, group.items, group.len);
			why_words_place(t->out, place);
			places++;
		}
		vec_fini(&group);
	}
}

/* "threads 0.[0-2] wait at the barrier at app.c:40", with what joins threads and verb. */
static void tell_group(struct telling *t, int thread, const char *one, const char *many)
{
	struct ints group = { 0 };

	why_case_add_group(t->c, thread, true, &group);
	t->many = group.len > 1;
	why_words_threads(t->out, why_case_picture(t->c), group.items, group.len);
	buf_adds(t->out, group.len > 1 ? many : one);
	why_words_wait(t->out, &t->c->graph, thread, group.len > 1);
	tell_elsewhere(t, thread);
	vec_fini(&group);
}

static void tell_absent(struct telling *t, int thread)
{
	if (t->closing)
		return;
	buf_adds(t->out, "; ");
	tell_group(t, thread, " has not arrived: it ", " have not arrived: they ");
}

/* e: from what a thread waits for to a thread. */
static void tell_whose(struct telling *t, const struct why_edge *e, const struct wait_words *words)
{
	buf_addf(t->out, "%s%s%s", words->whose, e->knowledge == WHY_LIKELY ? "probably " : "",
		 words->of);
	tell_thread(t, e->to);
}

void why_words_held_by(struct buf *out, const struct picture *p, const struct picture_wait *w)
{
	const bool likely = w->ncandidates || w->holder_source == SOURCE_INFERRED;

	buf_addf(out, ", %sheld by ",
		 why_nodes_is_vague(p, w) ? "perhaps "
		 : likely                 ? "probably "
					  : "");
}

/* The thread itself, or one of those that the sentence is about, has what it waits for. */
static void tell_own(struct telling *t, const struct picture_wait *w, int holder)
{
	const struct picture *p = why_case_picture(t->c);
	const struct place *taken = w->hold >= 0 ? &p->holds.items[w->hold].place : NULL;

	if (t->many) {
		why_words_held_by(t->out, p, w);
		why_words_threads(t->out, p, &holder, 1);
		buf_adds(t->out, " itself");
	} else {
		buf_adds(t->out, w->holder_source == SOURCE_INFERRED
					 ? ", which it probably holds itself"
					 : ", which it holds itself");
	}
	if (taken && place_is_known(taken)) {
		buf_adds(t->out, ", taken");
		why_words_place(t->out, taken);
	}
}

void why_words_taken(struct buf *out, const struct picture *p, const struct picture_wait *w)
{
	const int *candidates = &p->candidates.items[w->candidate];
	const struct place *taken = &p->holds.items[candidates[0]].place;
	bool same = place_is_known(taken);

	for (size_t i = 1; i < w->ncandidates; i++)
		same = same && p->holds.items[candidates[i]].place.pc == taken->pc;
	if (same)
		why_words_place(out, taken);
}

/* What one of several that may hold it does. */
static void tell_candidate(struct telling *t, const struct picture_wait *w, int thread)
{
	const struct picture *p = why_case_picture(t->c);
	bool own = why_nodes_is_own(p, w);
	AUTO_BUF taken = { 0 };

	if (!t->closing && !own) {
		buf_adds(t->out, ", of which ");
		why_words_threads(t->out, p, &thread, 1);
		buf_addc(t->out, ' ');
		why_words_wait(t->out, &t->c->graph, thread, false);
		t->many = false;
		return;
	}
	if (own)
		buf_adds(t->out, ", which wait for it themselves");
	why_words_taken(&taken, p, w);
	if (taken.len)
		buf_addf(t->out, ", taken%s", buf_text(&taken));
}

static void tell_holder(struct telling *t, const struct why_edge *e, int waiter)
{
	const struct picture_wait *w = why_nodes_wait(&t->c->graph, waiter);
	const struct wait_words *words = wait_words(w->kind);

	if (words->whose) {
		tell_whose(t, e, words);
	} else if (w->ncandidates) {
		why_words_held_by(t->out, why_case_picture(t->c), w);
		merge_add_holder(t->out, why_case_picture(t->c), w);
		tell_candidate(t, w, e->to);
	} else if (e->to != t->thread) {
		why_words_held_by(t->out, why_case_picture(t->c), w);
		tell_thread(t, e->to);
	} else {
		tell_own(t, w, e->to);
	}
}

static void tell_task(struct telling *t, int index, bool further)
{
	const struct picture_task *task = picture_task(why_case_picture(t->c), index);

	buf_adds(t->out, further ? ", which depends on the task" : " for the task");
	if (place_is_known(&task->place))
		buf_adds(t->out, " created");
	why_words_place(t->out, &task->place);
}

static void tell_giver(struct telling *t, int index)
{
	buf_adds(t->out, ", probably to be given back by the task");
	if (place_is_known(&picture_task(why_case_picture(t->c), index)->place))
		buf_adds(t->out, " created");
	why_words_place(t->out, &picture_task(why_case_picture(t->c), index)->place);
}

static void tell_runner(struct telling *t, const struct picture_task *task, int thread)
{
	if (task->state == TASK_QUEUED) {
		buf_adds(t->out, ", which is queued: no thread of the team can execute it; ");
		t->closing = t->closing || thread == t->thread;
		if (t->closing)
			buf_adds(t->out, "not even ");
	} else {
		buf_adds(t->out,
			 task->state == TASK_SUSPENDED ? ", suspended by " : ", executed by ");
	}
	tell_thread(t, thread);
}

static void tell_step(struct telling *t, int from, int to)
{
	const struct why_graph *g = &t->c->graph;
	const struct why_node *a = why_nodes_get(g, from), *b = why_nodes_get(g, to);

	if (b->kind == WHY_NODE_NOBODY)
		why_words_end(t->out, g, to);
	else if (b->kind == WHY_NODE_TASK && a->kind == WHY_NODE_OBJECT)
		tell_giver(t, b->index);
	else if (b->kind == WHY_NODE_TASK)
		tell_task(t, b->index, a->kind == WHY_NODE_TASK);
	else if (b->kind != WHY_NODE_THREAD)
		return; /* the words for the wait have named it */
	else if (a->kind == WHY_NODE_OBJECT)
		tell_holder(t, why_nodes_edge(g, from, to), a->index);
	else if (a->kind == WHY_NODE_TASK)
		tell_runner(t, picture_task(g->picture, a->index), to);
	else
		tell_absent(t, to);
}

void why_words_path(struct buf *out, const struct why_case *c)
{
	struct telling t = { .out = out, .c = c, .thread = c->path.items[0] };
	size_t told = 1;

	tell_group(&t, t.thread, " ", " ");
	for (size_t i = 1; i < c->path.len && told < THREADS_MAX; i++) {
		tell_step(&t, c->path.items[i - 1], c->path.items[i]);
		if (why_case_node(c, i)->kind == WHY_NODE_THREAD) {
			t.thread = c->path.items[i];
			told++;
		}
	}
	if (told == THREADS_MAX) {
		buf_adds(out, ", and so on");
	} else if (why_case_is_cycle(c)) {
		t.closing = true;
		tell_step(&t, why_case_cause(c), c->path.items[c->cycle]);
	}
}
