/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_tasks.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/sorted.h"
#include "ompd/libomp/detached.h"
#include "ompd/libomp/libomp_barriers.h"
#include "ompd/libomp/libomp_taskdata.h"
#include "ompd/picture/by_address.h"

enum {
	DEPTH_MAX = 1 << 10,  /* of nested regions, of tasks that create tasks           */
	TASKS_MAX = 1 << 16,  /* of one runtime                                            */
	EDGES_MAX = 1 << 18,  /* dependences between them                                  */
	QUEUES_MAX = 1 << 18, /* two for each thread in a team                             */
};

/* A task in memory. */
struct task_entry {
	struct libomp_taskdata data;
	enum task_state state;
	int index; /* in the picture; -1: not in it yet */
};

/* A team in memory, and the region of the picture that it executes. */
struct team {
	struct libomp_team data;
	int region; /* -1: none */
};

struct edge {
	int from, to; /* entries; the first waits for the second */
};

struct adding {
	struct walk *w;
	struct picture *picture;
	int runtime;
	struct libomp_task_layout layout;
	struct by_address task_numbers, team_numbers; /* in the next two            */
	VEC(struct task_entry) entries;
	VEC(struct team) teams;
	VEC(struct edge) edges;
	int follows; /* entry whose successors are being read                          */
	bool all;    /* what was looked for was there and fitted                         */
};

/* ---- what the picture has already ------------------------------------------------------- */

static bool add_entry(struct adding *a, const struct libomp_taskdata *task, enum task_state state,
		      int index)
{
	struct task_entry entry = { *task, state, index };

	if (a->entries.len >= TASKS_MAX) {
		a->all = false;
		return false;
	}
	a->w->failed |= !vec_push(&a->entries, entry) ||
			!by_address_add(&a->task_numbers, task->address, (int)a->entries.len - 1);
	return !a->w->failed;
}

/* The memory of a task that has ended remains for those it created, and OMPD tells of it. */
static enum task_state state_of(const struct libomp_taskdata *data, enum task_state otherwise)
{
	if (data->ended)
		return TASK_STATE_UNKNOWN;
	return data->detached ? TASK_DETACHED : otherwise;
}

static void take_arguments(const struct adding *a, const struct libomp_taskdata *data,
			   struct picture_task *ret)
{
	if (!data->is_explicit)
		return;
	ret->arguments = data->shareds;
	ret->block = data->address + a->layout.size;
	ret->block_size = data->size - a->layout.size;
}

static int region_of_team(const struct adding *a, taddr team)
{
	const int number = by_address_find(&a->team_numbers, team);

	return number >= 0 ? a->teams.items[number].region : -1;
}

static void bring_together(struct adding *a, const struct libomp_taskdata *data, int index)
{
	struct picture_task *task = picture_task(a->picture, index);

	if (task->handle || data->is_explicit != (task->kind != TASK_IMPLICIT) ||
	    by_address_find(&a->task_numbers, data->address) >= 0)
		return;
	task->handle = data->address;
	task->state = state_of(data, task->state);
	task->unfinished = data->unfinished;
	task->deferred = data->is_explicit && data->deferred;
	if (task->region < 0)
		task->region = region_of_team(a, data->team);
	take_arguments(a, data, task);
	add_entry(a, data, task->state, index);
}

/* How many tasks there are from a task to the one known already, or to the outermost: in memory. */
static int chain_in_memory(const struct adding *a, taddr at)
{
	struct libomp_taskdata data;
	int n = 0;

	for (; at && n < DEPTH_MAX && by_address_find(&a->task_numbers, at) < 0;
	     at = data.parent, n++) {
		if (!libomp_taskdata_read(&a->layout, at, &data))
			return -1;
	}
	return n;
}

static int chain_in_picture(const struct picture *p, int task)
{
	int n = 0;

	for (; task >= 0 && !picture_task(p, task)->handle && n < DEPTH_MAX; n++)
		task = picture_task(p, task)->creator;
	return n;
}

/*
 * A task that is executed, and those around it. With state tracking, OMPD tells of more tasks than
 * there are in memory, where regions of one thread are nested: then only the innermost is certain.
 */
static void find_tasks_of_thread(struct adding *a, taddr at, int task)
{
	struct libomp_taskdata data;
	int n = chain_in_memory(a, at);

	if (n > 0 && n != chain_in_picture(a->picture, task))
		n = 1;
	for (int i = 0; i < n && task >= 0 && libomp_taskdata_read(&a->layout, at, &data); i++) {
		bring_together(a, &data, task);
		task = picture_task(a->picture, task)->creator;
		at = data.parent;
	}
	a->all &= n >= 0;
}

/* The region of that level at or around a region; nested regions of one thread share a team. */
static int region_of_level(const struct picture *p, int region, int level)
{
	const struct picture_region *r;

	while ((r = picture_region(p, region)) && r->level > level)
		region = r->parent;
	return r && r->level == level ? region : -1;
}

static void count_barriers(struct adding *a, taddr team, int region)
{
	struct picture_region *r = picture_region(a->picture, region);

	if (!r || r->generation >= 0)
		return;
	r->handle = team;
	r->generation = libomp_barriers_passed(a->layout.memory, team);
}

/*
 * What tells whether waits are over: before threads are stopped, for what has not been read before
 * costs another stop, and for what they wait is known then only.
 */
static void read_ahead(const struct adding *a, taddr at, size_t len)
{
	uint8_t bytes[LIBOMP_INFO_BYTES];

	memory_try_read(a->layout.memory, at, bytes, len < sizeof(bytes) ? len : sizeof(bytes));
}

/*
 * A team and those around it, as far as they are new. Those of level 0 execute no region that is
 * known: the one around everything, and those of a league.
 */
static void find_teams(struct adding *a, taddr at, int region)
{
	struct team team;

	for (int i = 0; at && i < DEPTH_MAX && by_address_find(&a->team_numbers, at) < 0; i++) {
		bool fits = libomp_taskdata_read_team(&a->layout, at, &team.data);
		team.region = fits ? region_of_level(a->picture, region, team.data.level) : -1;
		if (!fits || (team.region < 0 && team.data.level)) {
			a->all = false;
			return;
		}
		a->w->failed |= !vec_push(&a->teams, team) ||
				!by_address_add(&a->team_numbers, at, (int)a->teams.len - 1);
		count_barriers(a, at, team.region);
		read_ahead(a, team.data.threads, sizeof(taddr) * (size_t)team.data.size);
		at = team.data.parent;
		region = team.region >= 0 ? picture_region(a->picture, team.region)->parent : -1;
	}
}

/* The thread's kmp_info_t; 0: not known. */
static taddr info_of(const struct adding *a, int thread)
{
	return libomp_taskdata_info(&a->layout, a->w->known[a->runtime].openmp->context.own,
				    a->w->target->threads.items[thread]);
}

/* A thread's task team is one of the two of its team: that proves where a team has them. */
static bool has_task_team(const struct adding *a, const struct libomp_thread_tasks *tasks)
{
	int number = by_address_find(&a->team_numbers, tasks->team);

	if (number < 0 || !tasks->task_team)
		return !tasks->task_team;
	const taddr *two = a->teams.items[number].data.task_teams;
	return tasks->task_team == two[0] || tasks->task_team == two[1];
}

static bool is_its_thread(const struct adding *a, int thread)
{
	const struct picture_thread *th = picture_thread(a->picture, thread);

	return th->runtime == a->runtime && a->w->handles[thread] && th->role != ROLE_IDLE;
}

static void find_known(struct adding *a)
{
	struct libomp_thread_tasks tasks;

	for (size_t i = 0; !a->w->failed && i < a->picture->threads.len; i++) {
		const struct picture_thread *th = picture_thread(a->picture, i);
		if (!is_its_thread(a, (int)i))
			continue;
		const taddr info = info_of(a, (int)i);
		read_ahead(a, info, LIBOMP_INFO_BYTES);
		if (!libomp_taskdata_read_thread(&a->layout, info, &tasks)) {
			a->all = false;
			continue;
		}
		find_teams(a, tasks.team, th->region);
		find_tasks_of_thread(a, tasks.task, th->task);
		a->all &= has_task_team(a, &tasks);
	}
}

/* The number of a thread in a region; -1: none. */
static int number_in_region(const struct picture_region *r, int thread)
{
	for (size_t n = 0; n < r->members.len; n++) {
		if (r->members.items[n] == thread)
			return (int)n;
	}
	return -1;
}

/* The team of each region; -1: not known. The caller frees it. */
static int *teams_by_region(const struct adding *a)
{
	size_t n = a->picture->regions.len;
	int *numbers = calloc(n + 1, sizeof(*numbers));

	for (size_t i = 0; numbers && i < n; i++)
		numbers[i] = -1;
	for (size_t i = 0; numbers && i < a->teams.len; i++) {
		if (a->teams.items[i].region >= 0)
			numbers[a->teams.items[i].region] = (int)i;
	}
	return numbers;
}

/* The implicit task of a thread that executes another one now, which need not be around it. */
static void find_implicit_task(struct adding *a, const struct team *team, int index)
{
	int n = number_in_region(picture_region(a->picture, team->region),
				 picture_task(a->picture, index)->thread);
	struct libomp_taskdata data;

	if (n >= 0 && n < team->data.size &&
	    libomp_taskdata_read(&a->layout, team->data.implicit + a->layout.size * (taddr)n,
				 &data) &&
	    data.team == team->data.address)
		bring_together(a, &data, index);
}

static void find_implicit_tasks(struct adding *a)
{
	AUTO_FREE int *teams = teams_by_region(a);

	a->w->failed |= !teams;
	for (size_t i = 0; !a->w->failed && i < a->picture->tasks.len; i++) {
		const struct picture_task *task = picture_task(a->picture, i);
		int team = task->region >= 0 ? teams[task->region] : -1;
		if (task->kind == TASK_IMPLICIT && !task->handle && task->thread >= 0 && team >= 0)
			find_implicit_task(a, &a->teams.items[team], (int)i);
	}
}

/* ---- what it has not --------------------------------------------------------------------- */

static bool note_queued(void *context, const struct libomp_taskdata *task)
{
	struct adding *a = context;

	/* It is about to begin, or just has ended. */
	if (task->executing || task->ended || by_address_find(&a->task_numbers, task->address) >= 0)
		return true;
	return add_entry(a, task, TASK_QUEUED, -1);
}

static void find_queued(struct adding *a)
{
	long left = QUEUES_MAX;

	vec_for_each (team, &a->teams) {
		left -= 2 * team->data.size;
		a->all &= left >= 0;
		if (left < 0 || a->w->failed)
			return;
		for (size_t i = 0; i < 2; i++)
			a->all &= libomp_taskdata_queued(&a->layout, &team->data,
							 team->data.task_teams[i], note_queued, a);
	}
}

/*
 * The node is in the runtime's innermost frames on the stack of a thread: then what that thread
 * executes waits. Further out it would be something else that is suspended.
 */
static bool is_in_innermost_call(const struct adding *a, int thread, taddr node)
{
	const struct picture_thread *th = picture_thread(a->picture, thread);
	const struct unwind_stack *raw = &a->w->raw[thread];
	struct target *t = a->w->target;
	uint64_t sp = UINT64_MAX;
	taddr end = 0;

	error_ignore(target_get_uint(t, t->threads.items[thread], t->arch->sp, &sp));
	for (size_t i = 0; i < raw->len && i < th->spans.len && th->spans.kinds[i] != CODE_USER;
	     i++)
		end = raw->items[i].cfa;
	return th->runtime == a->runtime && node >= sp && node < end;
}

/* The entry of the task that waits for dependences by a node of that address; -1: not known. */
static int find_waiting(const struct adding *a, taddr node)
{
	for (size_t n = 0; n < a->picture->threads.len; n++) {
		const int task = picture_thread(a->picture, (int)n)->task;
		if (!is_in_innermost_call(a, (int)n, node))
			continue;
		for (size_t i = 0; task >= 0 && i < a->entries.len; i++) {
			if (a->entries.items[i].index == task)
				return (int)i;
		}
	}
	return -1;
}

static bool add_edge(struct adding *a, int waiter)
{
	if (a->edges.len >= EDGES_MAX)
		return false;
	a->w->failed |= !vec_push(&a->edges, (struct edge){ waiter, a->follows });
	return !a->w->failed;
}

static bool note_waiter(void *context, taddr node)
{
	struct adding *a = context;
	const int number = find_waiting(a, node);

	return number < 0 || add_edge(a, number);
}

static bool note_successor(void *context, const struct libomp_taskdata *task)
{
	struct adding *a = context;
	int number = by_address_find(&a->task_numbers, task->address);

	if (number < 0) {
		if (!add_entry(a, task, TASK_BLOCKED, -1))
			return false;
		number = (int)a->entries.len - 1;
	}
	return add_edge(a, number);
}

/* From an entry on; those found on the way are followed, too. */
static void find_blocked(struct adding *a, size_t from)
{
	for (size_t i = from; !a->w->failed && i < a->entries.len; i++) {
		const taddr depnode = a->entries.items[i].data.depnode;
		a->follows = (int)i;
		if (depnode)
			a->all &=
				libomp_taskdata_waiters(&a->layout, depnode, note_waiter, a) &&
				libomp_taskdata_successors(&a->layout, depnode, note_successor, a);
	}
}

/* mutexinoutset: who is in a queue does not begin while another one executes. */
static void find_kept_out(struct adding *a)
{
	vec_for_each (other, &a->entries) {
		a->follows = (int)(other - a->entries.items);
		if (!libomp_taskdata_excludes(&a->layout, other->data.depnode))
			continue;
		vec_for_each (entry, &a->entries) {
			if (entry->state != TASK_QUEUED ||
			    !libomp_taskdata_keeps_out(&a->layout, other->data.depnode,
						       entry->data.depnode))
				continue;
			entry->state = TASK_BLOCKED;
			a->all &= add_edge(a, (int)(entry - a->entries.items));
		}
	}
}

/* ---- detached tasks --------------------------------------------------------------------- */

static bool note_detached(void *context, const struct libomp_taskdata *task)
{
	struct adding *a = context;

	return by_address_find(&a->task_numbers, task->address) >= 0 ||
	       add_entry(a, task, TASK_DETACHED, -1);
}

static bool note_passed(void *context, const struct libomp_taskdata *task)
{
	return !task->detached || note_detached(context, task);
}

/* Nobody has to keep an event; but somebody has taken its task out of a queue. */
static void find_passed(struct adding *a)
{
	long left = QUEUES_MAX;

	vec_for_each (team, &a->teams) {
		left -= 2 * team->data.size;
		for (size_t i = 0; i < 2 && left >= 0 && !a->w->failed; i++)
			libomp_taskdata_passed(&a->layout, &team->data, team->data.task_teams[i],
					       note_passed, a);
	}
}

static void find_detached(struct adding *a)
{
	struct detached_search search = {
		.walk = a->w,
		.layout = &a->layout,
		.found = note_detached,
		.context = a,
	};

	detached_find(&search);
	for (size_t i = 0; i < a->entries.len && !search.ended; i++) {
		const struct libomp_taskdata task = a->entries.items[i].data;
		detached_find_in(&search, &task);
	}
	if (!search.ended)
		find_passed(a);
}

/* Of all tasks that are known. */
static long count_unfinished(const struct adding *a)
{
	long n = 0;

	vec_for_each (entry, &a->entries)
		n += entry->data.unfinished;
	return n;
}

static void find_all(struct adding *a, bool detaches)
{
	find_known(a);
	find_implicit_tasks(a);
	find_queued(a);
	find_blocked(a, 0);
	if (detaches && count_unfinished(a) > 0) {
		size_t before = a->entries.len;
		find_detached(a);
		find_blocked(a, before);
	}
	find_kept_out(a);
}

/* ---- into the picture ------------------------------------------------------------------- */

static int by_level(const void *a, const void *b)
{
	const struct task_entry *x = *(struct task_entry *const *)a,
				*y = *(struct task_entry *const *)b;

	return x->data.level != y->data.level ? sorted_order(x->data.level, y->data.level)
					      : sorted_order(x, y);
}

static void add_task(struct adding *a, struct task_entry *entry)
{
	const struct libomp_taskdata *data = &entry->data;
	int parent = by_address_find(&a->task_numbers, data->parent);
	bool user = runtime_code_at(&a->w->runtimes, data->function) == CODE_USER;
	struct picture_task task = {
		.kind = TASK_EXPLICIT,
		.state = entry->state,
		.source = SOURCE_MEMORY,
		.region = region_of_team(a, data->team),
		.creator = parent >= 0 ? a->entries.items[parent].index : -1,
		.thread = -1,
		.function = user ? data->function : 0,
		.handle = data->address,
		.unfinished = data->unfinished,
	};

	take_arguments(a, data, &task);
	a->w->failed |= !vec_push(&a->picture->tasks, task);
	entry->index = (int)a->picture->tasks.len - 1;
}

/* The new ones; a task's level is that of its creator and one. */
static void add_tasks(struct adding *a)
{
	AUTO_FREE struct task_entry **sorted = calloc(a->entries.len + 1, sizeof(*sorted));
	size_t n = 0;

	a->w->failed |= !sorted;
	if (!sorted)
		return;
	vec_for_each (entry, &a->entries) {
		if (entry->index < 0)
			sorted[n++] = entry;
	}
	qsort(sorted, n, sizeof(*sorted), by_level);
	for (size_t i = 0; !a->w->failed && i < n; i++)
		add_task(a, sorted[i]);
}

static bool waits_for(const struct picture_task *task, int other)
{
	vec_for_each (known, &task->waits_for) {
		if (*known == other)
			return true;
	}
	return false;
}

static void add_edges(struct adding *a)
{
	enum { MOST = 256 }; /* of one task */

	for (size_t i = 0; !a->w->failed && i < a->edges.len; i++) {
		const struct edge *edge = &a->edges.items[i];
		int other = a->entries.items[edge->to].index;
		struct picture_task *task =
			&a->picture->tasks.items[a->entries.items[edge->from].index];
		if (task->waits_for.len < MOST && !waits_for(task, other))
			a->w->failed |= !vec_push(&task->waits_for, other);
	}
}

static void adding_fini(struct adding *a)
{
	by_address_fini(&a->task_numbers);
	by_address_fini(&a->team_numbers);
	vec_fini(&a->entries);
	vec_fini(&a->teams);
	vec_fini(&a->edges);
}

static bool begin(struct adding *a, struct walk *w, int runtime)
{
	const struct openmp *o = w->known[runtime].openmp;

	*a = (struct adding){ .w = w, .picture = w->picture, .runtime = runtime, .all = true };
	if (libomp_task_layout_read(o->context.own, w->target->memory, &a->layout))
		return true;
	log_debug(LOG_OMPD, "%s: the layout of its tasks is not known",
		  w->picture->runtimes.items[runtime].path);
	return false;
}

bool libomp_tasks_add(struct walk *w, int runtime)
{
	struct picture_runtime *r = &w->picture->runtimes.items[runtime];
	struct adding a;

	if (!begin(&a, w, runtime))
		return false;
	find_all(&a, r->detaches);
	add_tasks(&a);
	add_edges(&a);
	r->lists_tasks = a.all;
	log_debug(LOG_OMPD, "%s: %zu teams, %zu tasks with %ld unfinished children%s", r->path,
		  a.teams.len, a.entries.len, count_unfinished(&a), a.all ? "" : ", not all");
	adding_fini(&a);
	return true;
}

void libomp_tasks_add_handles(struct walk *w, int runtime)
{
	struct adding a;

	if (!begin(&a, w, runtime))
		return;
	find_known(&a);
	adding_fini(&a);
}
