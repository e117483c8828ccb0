/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_graph.h"

#include <stdlib.h>

#include "debugger/why/why_tasks.h"
#include "ompd/picture/arrivals.h"

/* Threads of a league that are looked at. */
enum { LEAGUE_MAX = 64 };

static void set_end(struct why_graph *g, int node, enum why_end end)
{
	why_nodes_state(g, node)->end = end;
}

/* ---- barriers --------------------------------------------------------------------------- */

/*
 * A thread that is being made, or not known yet: it may be the one that is missing. So may one, in
 * one look, that is in no team and spins: it is about to be taken into one, or has just left it.
 */
static bool has_newcomer(const struct why_graph *g)
{
	vec_for_each (th, &g->picture->threads) {
		if (!th->wait.settled &&
		    (th->role == ROLE_NONE || (th->role == ROLE_IDLE && g->progress->looks <= 1)))
			return true;
	}
	return false;
}

static void add_missing(struct why_graph *g, int node, int region)
{
	const struct picture_region *r = picture_region(g->picture, region);
	enum arrival wanted = why_nodes_state(g, node)->plain ? ARRIVED_PLAIN : ARRIVED_END;
	bool lost = false, idle = false;

	vec_for_each (member, &r->members) {
		if (*member < 0) {
			lost = true;
			continue;
		}
		idle |= wait_kind_whom(why_nodes_wait(g, *member)->kind) == FOR_WORK &&
			!picture_thread(g->picture, *member)->held;
		enum arrival its = arrivals_of(g->picture, *member, region);
		if ((its != wanted && its != ARRIVED_SOMEWHERE) ||
		    why_thread_is_held(picture_thread(g->picture, *member)))
			why_nodes_add_edge(g, node, *member, WHY_MUST_COME, WHY_KNOWN);
	}
	/* A member without work has not been woken yet, or has gone already. */
	if (idle || (lost && has_newcomer(g)))
		set_end(g, node, END_BUSY);
	else if (lost)
		why_nodes_add_end(g, node, END_WORKER);
}

static void connect_barrier(struct why_graph *g, int node)
{
	int region = why_nodes_get(g, node)->index;
	size_t before = g->why->edges.len;

	add_missing(g, node, region);
	if (g->why->edges.len == before && why_nodes_state(g, node)->end == END_NONE)
		why_tasks_add_all(g, node, region);
}

/* ---- locks and turns -------------------------------------------------------------------- */

/* Somebody who waits for the same thing is not at rest: it may just have got it. */
static bool is_changing_hands(const struct why_graph *g, const struct picture_wait *w)
{
	vec_for_each (th, &g->contenders) {
		const struct picture_wait *its = why_nodes_wait(g, *th);
		if (its->kind == w->kind &&
		    (!its->object || !w->object || its->object == w->object))
			return true;
	}
	return false;
}

/* No thread has taken it and not given it back, nor anything that it could be. */
static bool is_lost(const struct why_graph *g)
{
	return g->picture->holds_complete && !why_nodes_unknown_hold(g->picture);
}

/* One of them holds it. */
static void add_candidates(struct why_graph *g, int node, const struct picture_wait *w)
{
	why_nodes_state(g, node)->any = true;
	for (size_t i = 0; i < w->ncandidates; i++)
		why_nodes_add_edge(g, node, picture_candidate(g->picture, w, i), WHY_HELD_BY,
				   WHY_LIKELY);
}

/* Nobody waits for a nest lock of his own: its holder has just given it back, or got it. */
static bool waits_for_own(const struct why_graph *g, const struct picture_wait *w)
{
	const struct picture_wait *its = w->holder >= 0 ? why_nodes_wait(g, w->holder) : NULL;

	return its && w->kind == WAIT_NEST_LOCK && its->kind == w->kind && its->object == w->object;
}

static void add_holder(struct why_graph *g, int node, int waiter)
{
	const struct picture_wait *w = why_nodes_wait(g, waiter);
	const int giver = why_nodes_giver(g->picture, waiter);

	if (waits_for_own(g, w))
		set_end(g, node, END_BUSY);
	else if (giver >= 0)
		why_tasks_add_giver(g, node, giver);
	else if (w->holder >= 0)
		why_nodes_add_edge(g, node, w->holder, WHY_HELD_BY,
				   w->holder_source == SOURCE_INFERRED ? WHY_LIKELY : WHY_KNOWN);
	else if (why_nodes_is_own(g->picture, w) && is_changing_hands(g, w))
		set_end(g, node, END_BUSY);
	else if (w->ncandidates)
		add_candidates(g, node, w);
	else if (!wait_kind_traits(w->kind)->is_lock)
		why_nodes_add_end(g, node, END_HOLDER);
	else if (is_changing_hands(g, w))
		set_end(g, node, END_BUSY);
	else
		why_nodes_add_end(g, node, is_lost(g) ? END_LOST : END_HOLDER);
}

/* The turn of one of them has come, and it has not seen that yet. */
static bool has_come(const struct why_graph *g, const struct picture_region *r, enum wait_kind kind)
{
	vec_for_each (member, &r->members) {
		const struct picture_wait *w = *member >= 0 ? why_nodes_wait(g, *member) : NULL;
		if (w && w->kind == kind && w->over)
			return true;
	}
	return false;
}

/* It is the turn of one who does not wait for it, or of one who may be about to go on. */
static void add_possible_turns(struct why_graph *g, int node, const struct picture_region *r,
			       enum wait_kind kind)
{
	why_nodes_state(g, node)->any = true;
	if (has_come(g, r, kind)) {
		set_end(g, node, END_BUSY);
		return;
	}
	vec_for_each (member, &r->members) {
		bool waits = *member >= 0 && why_nodes_wait(g, *member)->kind == kind;
		if (waits && !why_thread_is_at_rest(g, *member))
			set_end(g, node, END_BUSY);
		if (*member >= 0 && !waits)
			why_nodes_add_edge(g, node, *member, WHY_HELD_BY, WHY_LIKELY);
	}
}

/* Whose turn it is. */
static void add_turn(struct why_graph *g, int node, int waiter)
{
	const struct picture_wait *w = why_nodes_wait(g, waiter);
	const struct picture_region *r =
		picture_region(g->picture, picture_thread(g->picture, waiter)->region);

	if (w->holder >= 0 && (why_nodes_wait(g, w->holder)->kind != w->kind ||
			       why_thread_is_held(picture_thread(g->picture, w->holder))))
		why_nodes_add_edge(g, node, w->holder, WHY_HELD_BY, WHY_KNOWN);
	else if (w->holder >= 0)
		set_end(g, node, END_BUSY); /* it has just become its turn */
	else if (!r)
		set_end(g, node, END_UNKNOWN);
	else
		add_possible_turns(g, node, r, w->kind);
}

static void add_joined(struct why_graph *g, int node, int waiter)
{
	why_nodes_add_edge(g, node, why_nodes_wait(g, waiter)->holder, WHY_HELD_BY, WHY_KNOWN);
}

/* ---- threads ---------------------------------------------------------------------------- */

static void add_wait(struct why_graph *g, int thread, int node)
{
	why_nodes_add_edge(g, thread, node, WHY_WAITS_FOR, WHY_KNOWN);
}

/* The node for a key, made if there is none yet. */
static int get_node(struct why_graph *g, struct hash_map *map, uint64_t key,
		    enum why_node_kind kind, int index, int waiter)
{
	struct map_item *item = map_add(map, key);

	if (!item) {
		g->why->failed = true;
		return 0;
	}
	if (!item->number) /* node 0 is a thread's */
		item->number = why_nodes_add(g, kind, index, waiter);
	return (int)item->number;
}

/* The node of one kind that all who wait in a team share. */
static int get_shared(struct why_graph *g, enum wait_kind kind, enum why_node_kind node, int waiter)
{
	int region = picture_thread(g->picture, waiter)->region;
	int index = node == WHY_NODE_BARRIER ? region : waiter;

	if (region < 0)
		return why_nodes_add(g, WHY_NODE_OBJECT, waiter, waiter);
	return get_node(g, &g->by_team, why_nodes_team_key(region, kind), node, index, waiter);
}

static void connect_to_team(struct why_graph *g, int thread)
{
	bool end = why_nodes_wait(g, thread)->kind == WAIT_REGION_END;
	int node = get_shared(g, end ? WAIT_REGION_END : WAIT_BARRIER, WHY_NODE_BARRIER, thread);

	if (picture_thread(g->picture, thread)->region >= 0)
		why_nodes_state(g, node)->plain = !end;
	add_wait(g, thread, node);
}

static void connect_to_turn(struct why_graph *g, int thread)
{
	enum wait_kind kind = why_nodes_wait(g, thread)->kind;

	add_wait(g, thread, get_shared(g, kind, WHY_NODE_OBJECT, thread));
}

static void connect_to_lock(struct why_graph *g, int thread)
{
	const struct picture_wait *w = why_nodes_wait(g, thread);
	uint64_t key = w->object * NUM_WAIT_KINDS + w->kind;

	add_wait(g, thread,
		 w->object ? get_node(g, &g->by_lock, key, WHY_NODE_OBJECT, thread, thread)
			   : why_nodes_add(g, WHY_NODE_OBJECT, thread, thread));
}

/* The workers of a team that is about to begin are on their way, if they exist. */
static void connect_to_runtime(struct why_graph *g, int thread)
{
	int region = picture_thread(g->picture, thread)->region;
	bool starts = why_nodes_wait(g, thread)->kind == WAIT_TEAM_START;

	if (starts && why_nodes_missing(g->picture, region) && !has_newcomer(g))
		why_nodes_add_end(g, thread, END_WORKER);
	else
		set_end(g, thread, END_BUSY);
}

static void connect_to_event(struct why_graph *g, int thread)
{
	why_nodes_add_end(g, thread, END_EVENT);
}

static void connect_to_league(struct why_graph *g, int thread)
{
	const struct picture_thread *th = picture_thread(g->picture, thread);
	int left = LEAGUE_MAX;

	why_nodes_state(g, thread)->any = true;
	for (int i = 0; left > 0 && i < (int)g->picture->threads.len; i++) {
		const struct picture_thread *its = picture_thread(g->picture, i);
		if (its->runtime != th->runtime || its->region < 0 || its->wait.kind == WAIT_TEAMS)
			continue;
		left--;
		why_nodes_add_edge(g, thread, i, WHY_MUST_COME, WHY_LIKELY);
	}
	if (!left || left == LEAGUE_MAX)
		set_end(g, thread, END_UNKNOWN);
}

/* What becomes of a thread, and of the object that it waits for. */
static const struct {
	void (*connect)(struct why_graph *g, int thread); /* NULL: it is an end */
	enum why_end end;
	void (*connect_object)(struct why_graph *g, int node, int waiter);
} relations[NUM_WAIT_WHOM] = {
	[FOR_NOBODY] = { .end = END_COMPUTES },
	[FOR_TEAM] = { connect_to_team },
	[FOR_CHILDREN] = { why_tasks_add_children },
	[FOR_HOLDER] = { connect_to_lock, .connect_object = add_holder },
	[FOR_TURN] = { connect_to_turn, .connect_object = add_turn },
	[FOR_ENDING] = { connect_to_lock, .connect_object = add_joined },
	[FOR_EVENT] = { connect_to_event },
	[FOR_LEAGUE] = { connect_to_league },
	[FOR_SIGNAL] = { .end = END_SIGNAL },
	[FOR_WRITER] = { .end = END_WRITER },
	[FOR_WORLD] = { .end = END_OUTSIDE },
	[FOR_RUNTIME] = { connect_to_runtime },
	[FOR_WORK] = { .end = END_IDLE },
	[FOR_NOT_KNOWN] = { .end = END_UNKNOWN },
};

/* What the loop looks at may change though no thread of this process goes on: by a handler, or by
 * another process. Who sleeps in its loop and is in no region may well do so until then, as far as
 * it is not known that it stays as it is. */
static bool waits_for_others(const struct why_graph *g, int thread)
{
	const struct picture_thread *th = picture_thread(g->picture, thread);
	const struct progress_thread *pace = progress_thread(g->progress, thread);

	if (th->wait.kind != WAIT_MEMORY)
		return false;
	if ((th->wait.shared || g->progress->handlers) && why_thread_is_at_rest(g, thread))
		return true;
	return !th->wait.spinning && th->region < 0 && !(pace && pace->unchanged);
}

static void connect_thread(struct why_graph *g, int thread)
{
	enum wait_whom whom = why_thread_waits_for(why_nodes_wait(g, thread));

	if (why_thread_is_held(picture_thread(g->picture, thread)))
		set_end(g, thread, END_HELD);
	else if (relations[whom].connect)
		relations[whom].connect(g, thread);
	else if (waits_for_others(g, thread))
		set_end(g, thread, END_OUTSIDE);
	else
		set_end(g, thread, relations[whom].end);
}

static void connect_object(struct why_graph *g, int node)
{
	int waiter = why_nodes_state(g, node)->waiter;
	enum wait_whom whom = wait_kind_whom(why_nodes_wait(g, waiter)->kind);

	if (relations[whom].connect_object)
		relations[whom].connect_object(g, node, waiter);
	else
		set_end(g, node, END_UNKNOWN); /* the barrier of a team that is not known */
}

/* ---- all -------------------------------------------------------------------------------- */

static void connect(struct why_graph *g, int node)
{
	static void (*const connects[NUM_WHY_NODES])(struct why_graph *, int) = {
		[WHY_NODE_THREAD] = connect_thread,
		[WHY_NODE_TASK] = why_tasks_connect,
		[WHY_NODE_OBJECT] = connect_object,
		[WHY_NODE_BARRIER] = connect_barrier,
	};
	size_t first = g->why->edges.len;
	enum why_node_kind kind = why_nodes_get(g, node)->kind;

	if (connects[kind])
		connects[kind](g, node);
	why_nodes_state(g, node)->first = first;
	why_nodes_state(g, node)->count = g->why->edges.len - first;
}

void why_graph_make(struct why_graph *g)
{
	why_tasks_prepare(g);
	for (int i = 0; i < (int)g->picture->threads.len; i++) {
		why_nodes_add(g, WHY_NODE_THREAD, i, i);
		if (wait_kind_whom(why_nodes_wait(g, i)->kind) == FOR_HOLDER &&
		    !why_thread_is_at_rest(g, i))
			g->why->failed |= !vec_push(&g->contenders, i);
	}
	/* Nodes are added on the way. */
	for (int i = 0; !g->why->failed && i < (int)g->states.len; i++)
		connect(g, i);
}

void why_graph_fini(struct why_graph *g)
{
	free(g->tasks);
	free(g->first_task);
	map_fini(&g->by_team);
	map_fini(&g->by_lock);
	vec_fini(&g->contenders);
	vec_fini(&g->states);
}
