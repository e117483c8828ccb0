/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_taskdata.h"

#include <string.h>

enum {
	CACHE_LINE = 64,      /* to which the runtime aligns structures                        */
	TASKDATA_MOST = 4096, /* bytes of a kmp_taskdata_t; some 300 are usual              */
	UNFINISHED_MOST = 1 << 30,
	TASK_SIZE_MOST = 1 << 30, /* bytes, with all that belongs to it                        */
	QUEUE_MOST = 1 << 20,     /* places                                                    */
	PASSED_MOST = 1 << 8,     /* of one ring                                               */
	TEAM_MOST = 1 << 16,      /* threads                                                  */
	PRIORITIES_MOST = 1 << 10,
	SUCCESSORS_MOST = 1 << 16,
};

#define USER_END ((taddr)1 << 47) /* of what a program has in its address space */

/* kmp_tasking_flags_t, in the order of its declaration; of some of them there are words. */
enum { FLAG_TIED = 1 << 0, FLAG_FINAL = 1 << 1, FLAG_PROXY = 1 << 4, FLAG_EXPLICIT = 1 << 16 };

/* The end of kmp_taskdata_t up to ompt_task_info, behind the ICVs. */
struct taskdata_end {
	int32_t allocated_children, incomplete_children;
	taddr taskgroup, dephash, depnode, task_team;
	uint64_t size_alloc;
	int32_t size_loop_bounds, pad;
	taddr last_tied, copy_func;
	int32_t event_type, event_pad; /* td_allow_completion_event                      */
	uint64_t event_lock[2];
	taddr event_task;
};

/* kmp_ticket_lock, alone in its cache line. */
struct lock {
	uint64_t initialized;
	taddr self;
	uint8_t rest[CACHE_LINE - 16];
};

struct thread_data {
	taddr thread;
	uint8_t pad[CACHE_LINE - 8];
	struct lock lock;
	taddr deque;
	int32_t size;
	uint32_t head, tail;
	int32_t ntasks;
	uint8_t rest[CACHE_LINE - 24];
};

struct priority_queue {
	struct thread_data queue;
	int64_t priority;
	taddr next;
};

/* kmp_base_task_team. LLVM 13 and 14 have no priority_lock and no priority_list in it. */
struct task_team {
	struct lock lock, priority_lock;
	taddr priority_list;
	taddr next, threads_data;
	int32_t found_tasks, nproc;
};
enum { PRIORITY_MEMBERS = sizeof(struct lock) + sizeof(taddr) };

/* Locks of mutexinoutset, and how many; below 0: it has them. */
enum { MUTEXES_MOST = 4 };
struct mutexes {
	taddr locks[MUTEXES_MOST];
	int32_t count;
};

struct depnode {
	taddr successors, task;
	struct mutexes mutexes;
	uint8_t rest[CACHE_LINE - 16 - sizeof(struct mutexes)];
	struct lock lock;
	int32_t npredecessors, nrefs;
};

struct depnode_list {
	taddr node, next;
};

/* What fits into a variable, from an address in the target. false: it cannot be read. */
#define READ(memory, at, variable) memory_try_read(memory, at, variable, sizeof(*(variable)))

/* ---- layout ----------------------------------------------------------------------------- */

#define TASKDATA "ompd_access__kmp_taskdata_t__"
#define FLAGS    "ompd_bitfield__kmp_tasking_flags_t__"
#define INFO     "ompd_access__kmp_base_info_t__"
#define TEAM     "ompd_access__kmp_base_team_t__"
#define SLOT(of) offsetof(struct libomp_task_layout, of)

static const struct {
	const char *name;
	size_t slot;
} words[] = {
	{ TASKDATA "td_flags", SLOT(flags) },
	{ TASKDATA "td_team", SLOT(team) },
	{ TASKDATA "td_parent", SLOT(parent) },
	{ TASKDATA "td_icvs", SLOT(icvs) },
	{ "ompd_sizeof__kmp_taskdata_t__td_icvs", SLOT(icvs_size) },
	{ TASKDATA "ompt_task_info", SLOT(ompt) },
	{ "ompd_sizeof__kmp_taskdata_t", SLOT(size) },
	{ "ompd_access__kmp_task_t__routine", SLOT(routine) },
	{ FLAGS "tiedness", SLOT(tied) },
	{ FLAGS "final", SLOT(final) },
	{ FLAGS "tasktype", SLOT(is_explicit) },
	{ FLAGS "task_serial", SLOT(serial) },
	{ FLAGS "executing", SLOT(executing) },
	{ FLAGS "complete", SLOT(complete) },
	{ FLAGS "freed", SLOT(freed) },
	{ "ompd_access__kmp_info_t__th", SLOT(info) },
	{ INFO "th_team", SLOT(its_team) },
	{ INFO "th_current_task", SLOT(its_task) },
	{ "ompd_access__kmp_team_p__t", SLOT(team_base) },
	{ TEAM "t_parent", SLOT(team_parent) },
	{ TEAM "t_nproc", SLOT(team_size) },
	{ TEAM "t_level", SLOT(team_level) },
	{ TEAM "t_threads", SLOT(team_threads) },
	{ TEAM "t_implicit_task_taskdata", SLOT(team_implicit) },
};

static uint64_t end_offset(const struct libomp_task_layout *l)
{
	return l->ompt - sizeof(struct taskdata_end);
}

bool libomp_task_layout_fits(const struct libomp_task_layout *l)
{
	uint64_t icvs_end = l->icvs + l->icvs_size;
	uint64_t end = (icvs_end + CACHE_LINE - 1) & ~(uint64_t)(CACHE_LINE - 1);

	return l->size <= TASKDATA_MOST && l->ompt < l->size && end < l->ompt &&
	       end == end_offset(l) && l->flags + 4 == l->team && l->team + 16 == l->parent &&
	       l->parent < l->icvs && l->routine == 8 && l->tied == FLAG_TIED &&
	       l->final == FLAG_FINAL && l->is_explicit == FLAG_EXPLICIT;
}

bool libomp_task_layout_read(const struct libomp_symbols *symbols, struct memory *memory,
			     struct libomp_task_layout *ret)
{
	struct libomp_task_layout l = { .memory = memory };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		uint64_t value;
		taddr word;
		if (!libomp_symbols_find(symbols, words[i].name, NULL, &word) ||
		    !READ(memory, word, &value))
			return false;
		memcpy((uint8_t *)&l + words[i].slot, &value, sizeof(value));
	}
	taddr variable;
	if (!libomp_symbols_find(symbols, "__kmp_threads", NULL, &variable) ||
	    !READ(memory, variable, &l.table))
		l.table = 0;
	*ret = l;
	return libomp_task_layout_fits(&l);
}

/* ---- tasks, teams, threads -------------------------------------------------------------- */

static bool read_end(const struct libomp_task_layout *l, taddr at, struct taskdata_end *ret)
{
	return READ(l->memory, at + end_offset(l), ret) && ret->incomplete_children >= 0 &&
	       ret->incomplete_children < UNFINISHED_MOST;
}

static bool is_explicit_task(const struct libomp_task_layout *l, taddr at, uint32_t flags,
			     const struct taskdata_end *end)
{
	return end->size_alloc >= l->size + l->routine + sizeof(taddr) &&
	       end->size_alloc < TASK_SIZE_MOST && (!(flags & FLAG_TIED) || end->last_tied == at) &&
	       end->event_type >= 0 && end->event_type <= 1 &&
	       (!end->event_type || end->event_task == at + l->size);
}

/* Only explicit tasks have a kmp_task_t, dependences and events. */
static bool read_explicit(const struct libomp_task_layout *l, uint32_t flags,
			  const struct taskdata_end *end, struct libomp_taskdata *ret)
{
	ret->is_explicit = true;
	ret->deferred = !(flags & l->serial);
	ret->executing = flags & l->executing;
	ret->ended = flags & (l->complete | l->freed);
	ret->detached = end->event_type && (flags & FLAG_PROXY) && !ret->executing && !ret->ended;
	ret->depnode = end->depnode;
	ret->size = end->size_alloc;
	return is_explicit_task(l, ret->address, flags, end) &&
	       READ(l->memory, ret->address + l->size, &ret->shareds) &&
	       READ(l->memory, ret->address + l->size + l->routine, &ret->function);
}

bool libomp_taskdata_read(const struct libomp_task_layout *l, taddr at, struct libomp_taskdata *ret)
{
	struct libomp_taskdata task = { .address = at };
	struct taskdata_end end;
	uint32_t flags;

	if (!at || at % 8 || !READ(l->memory, at + l->flags, &flags) ||
	    !READ(l->memory, at + l->team, &task.team) ||
	    !READ(l->memory, at + l->parent, &task.parent) ||
	    !READ(l->memory, at + l->parent + sizeof(task.parent), &task.level) ||
	    !read_end(l, at, &end))
		return false;
	task.unfinished = end.incomplete_children;
	if ((flags & l->is_explicit) && !read_explicit(l, flags, &end, &task))
		return false;
	*ret = task;
	return true;
}

bool libomp_taskdata_read_team(const struct libomp_task_layout *l, taddr at,
			       struct libomp_team *ret)
{
	struct libomp_team team = { .address = at };
	taddr t = at + l->team_base;
	/* t_next_pool and t_dispatch are between t_parent and t_task_team. */
	taddr task_teams = t + l->team_parent + 3 * sizeof(taddr);

	if (!at || at % 8 || !READ(l->memory, t + l->team_parent, &team.parent) ||
	    !READ(l->memory, t + l->team_size, &team.size) ||
	    !READ(l->memory, t + l->team_level, &team.level) ||
	    !READ(l->memory, t + l->team_threads, &team.threads) ||
	    !READ(l->memory, t + l->team_implicit, &team.implicit) ||
	    !READ(l->memory, task_teams, &team.task_teams) || team.size < 1 ||
	    team.size > TEAM_MOST || team.level < 0)
		return false;
	*ret = team;
	return true;
}

bool libomp_taskdata_read_thread(const struct libomp_task_layout *l, taddr info,
				 struct libomp_thread_tasks *ret)
{
	struct libomp_thread_tasks tasks;
	taddr th = info + l->info;
	/* th_task_team is right before th_current_task. */
	taddr task_team = th + l->its_task - sizeof(taddr);

	if (!info || !READ(l->memory, th + l->its_team, &tasks.team) ||
	    !READ(l->memory, th + l->its_task, &tasks.task) ||
	    !READ(l->memory, task_team, &tasks.task_team))
		return false;
	*ret = tasks;
	return true;
}

taddr libomp_taskdata_info_of_number(const struct libomp_task_layout *l, int gtid)
{
	taddr info;

	return l->table && READ(l->memory, l->table + sizeof(taddr) * (taddr)gtid, &info) ? info
											  : 0;
}

taddr libomp_taskdata_info(const struct libomp_task_layout *l, const struct libomp_symbols *symbols,
			   const struct thread *th)
{
	int gtid;

	return libomp_symbols_gtid(symbols, th, &gtid) ? libomp_taskdata_info_of_number(l, gtid)
						       : 0;
}

bool libomp_taskdata_of_event(const struct libomp_task_layout *l, taddr event,
			      struct libomp_taskdata *ret)
{
	taddr at = event - end_offset(l) - offsetof(struct taskdata_end, event_type);

	/* Tasks are aligned: most words are none. */
	return event > at && at % CACHE_LINE == 0 && at < USER_END &&
	       libomp_taskdata_read(l, at, ret) && ret->is_explicit;
}

/* ---- queues ----------------------------------------------------------------------------- */

struct queues {
	const struct libomp_task_layout *layout;
	const struct libomp_team *team;
	libomp_taskdata_found *found;
	void *context;
	bool passed; /* those that have been in them */
};

static bool take_queued(const struct queues *q, taddr place)
{
	struct libomp_taskdata task;
	taddr address;

	return READ(q->layout->memory, place, &address) &&
	       libomp_taskdata_read(q->layout, address, &task) && task.is_explicit &&
	       task.team == q->team->address && q->found(q->context, &task);
}

/* Who takes a task out leaves its address there. The task may have ended, and its memory may be
 * another one's. */
static void take_passed(const struct queues *q, const struct thread_data *data)
{
	struct libomp_taskdata task;
	taddr address;

	for (uint32_t i = 0; i < (uint32_t)data->size && i < PASSED_MOST; i++) {
		if (!READ(q->layout->memory, data->deque + sizeof(taddr) * i, &address) || !address)
			return; /* they are used one after the other */
		if (libomp_taskdata_read(q->layout, address, &task) && task.is_explicit &&
		    !task.ended && task.team == q->team->address && !q->found(q->context, &task))
			return;
	}
}

/* A ring. While a thread changes it, the number and the ends may disagree. */
static bool read_queue(const struct queues *q, taddr at, const struct thread_data *data)
{
	uint32_t size = (uint32_t)data->size, n;

	if (!data->deque)
		return true;
	if (data->lock.self != at + offsetof(struct thread_data, lock) || !size ||
	    size > QUEUE_MOST || (size & (size - 1)) || data->head >= size || data->tail >= size)
		return false;
	if (q->passed) {
		take_passed(q, data);
		return true;
	}
	n = (uint32_t)data->ntasks == size ? size : (data->tail - data->head) & (size - 1);
	for (uint32_t i = 0; i < n; i++) {
		if (!take_queued(q, data->deque + sizeof(taddr) * ((data->head + i) & (size - 1))))
			return false;
	}
	return n == (uint32_t)data->ntasks;
}

static bool read_queue_of_thread(const struct queues *q, taddr at, int number)
{
	struct memory *memory = q->layout->memory;
	struct thread_data data;
	taddr thread;

	return READ(memory, at, &data) &&
	       READ(memory, q->team->threads + sizeof(taddr) * (taddr)number, &thread) &&
	       data.thread == thread && read_queue(q, at, &data);
}

static bool read_queues_by_priority(const struct queues *q, taddr at)
{
	struct priority_queue queue;

	for (size_t i = 0; at && i < PRIORITIES_MOST; i++, at = queue.next) {
		if (!READ(q->layout->memory, at, &queue) || !read_queue(q, at, &queue.queue))
			return false;
	}
	return !at;
}

/* Puts the members where LLVM 15 on has them. */
static bool read_task_team(struct memory *memory, taddr at, struct task_team *ret)
{
	const size_t begin = offsetof(struct task_team, next);
	struct task_team t;

	if (!READ(memory, at, &t) || t.lock.self != at)
		return false;
	if (t.priority_lock.self != at + offsetof(struct task_team, priority_lock)) {
		t.priority_list = 0;
		memcpy((uint8_t *)&t + begin, (uint8_t *)&t + begin - PRIORITY_MEMBERS,
		       sizeof(t) - begin);
	}
	*ret = t;
	return true;
}

static bool read_queues(const struct queues *q, taddr task_team)
{
	const struct libomp_team *team = q->team;
	struct task_team t;
	bool all;

	if (!task_team)
		return true;
	if (!read_task_team(q->layout->memory, task_team, &t) || t.nproc < 1 ||
	    t.nproc > TEAM_MOST || (t.found_tasks != 0 && t.found_tasks != 1))
		return false;
	all = read_queues_by_priority(q, t.priority_list);
	/* There are no queues before the first task; one task team may be left of a larger team. */
	for (int i = 0; t.found_tasks && i < t.nproc && i < team->size; i++) {
		taddr at = t.threads_data + sizeof(struct thread_data) * (taddr)i;
		all &= read_queue_of_thread(q, at, i);
	}
	return all;
}

bool libomp_taskdata_queued(const struct libomp_task_layout *l, const struct libomp_team *team,
			    taddr task_team, libomp_taskdata_found *found, void *context)
{
	const struct queues q = { l, team, found, context, .passed = false };

	return read_queues(&q, task_team);
}

void libomp_taskdata_passed(const struct libomp_task_layout *l, const struct libomp_team *team,
			    taddr task_team, libomp_taskdata_found *found, void *context)
{
	const struct queues q = { l, team, found, context, .passed = true };

	(void)!read_queues(&q, task_team);
}

/* ---- dependences ------------------------------------------------------------------------ */

static bool read_depnode(struct memory *memory, taddr at, struct depnode *ret)
{
	return at && READ(memory, at, ret) &&
	       ret->lock.self == at + offsetof(struct depnode, lock) && ret->npredecessors >= 0;
}

struct successors {
	const struct libomp_task_layout *layout;
	libomp_taskdata_found *task;               /* NULL: not asked for */
	bool (*waiter)(void *context, taddr node); /* likewise            */
	void *context;
};

/* A task without a node of its own to be blocked at is one that a thread waits for itself. */
static bool take_successor(const struct successors *s, taddr node)
{
	struct libomp_taskdata task;
	struct depnode its;

	if (!read_depnode(s->layout->memory, node, &its))
		return false;
	if (!its.npredecessors)
		return true;
	if (!its.task)
		return !s->waiter || s->waiter(s->context, node);
	return !s->task || (libomp_taskdata_read(s->layout, its.task - s->layout->size, &task) &&
			    task.is_explicit && task.depnode == node && s->task(s->context, &task));
}

bool libomp_taskdata_of_depnode(const struct libomp_task_layout *l, taddr depnode,
				struct libomp_taskdata *ret, bool *ret_there)
{
	struct depnode node;

	if (!read_depnode(l->memory, depnode, &node))
		return false;
	*ret_there = node.task != 0;
	return !node.task || libomp_taskdata_read(l, node.task - l->size, ret);
}

bool libomp_taskdata_dephash(const struct libomp_task_layout *l, taddr task, taddr *ret)
{
	struct taskdata_end end;
	const bool whole = read_end(l, task, &end);

	if (whole)
		*ret = end.dephash;
	return whole;
}

static bool read_successors(const struct successors *s, taddr depnode)
{
	struct memory *memory = s->layout->memory;
	struct depnode_list item;
	struct depnode node;

	if (!read_depnode(memory, depnode, &node))
		return false;
	taddr at = node.successors;
	for (size_t i = 0; at && i < SUCCESSORS_MOST; i++, at = item.next) {
		if (!READ(memory, at, &item) || !take_successor(s, item.node))
			return false;
	}
	return !at;
}

bool libomp_taskdata_successors(const struct libomp_task_layout *l, taddr depnode,
				libomp_taskdata_found *found, void *context)
{
	const struct successors s = { l, found, NULL, context };

	return read_successors(&s, depnode);
}

bool libomp_taskdata_waiters(const struct libomp_task_layout *l, taddr depnode,
			     bool (*found)(void *context, taddr node), void *context)
{
	const struct successors s = { l, NULL, found, context };

	return read_successors(&s, depnode);
}

/* false: there are none, or they cannot be read. */
static bool read_mutexes(const struct libomp_task_layout *l, taddr depnode, struct mutexes *ret)
{
	struct depnode node;

	if (!read_depnode(l->memory, depnode, &node))
		return false;
	*ret = node.mutexes;
	return ret->count && ret->count >= -MUTEXES_MOST && ret->count <= MUTEXES_MOST;
}

bool libomp_taskdata_excludes(const struct libomp_task_layout *l, taddr depnode)
{
	struct mutexes has;

	return read_mutexes(l, depnode, &has) && has.count < 0;
}

bool libomp_taskdata_keeps_out(const struct libomp_task_layout *l, taddr depnode, taddr other)
{
	struct mutexes has, needs;

	if (!read_mutexes(l, depnode, &has) || !read_mutexes(l, other, &needs))
		return false;
	for (int i = 0; i < -has.count; i++) {
		for (int k = 0; k < needs.count; k++) {
			if (has.locks[i] && has.locks[i] == needs.locks[k])
				return true;
		}
	}
	return false;
}
