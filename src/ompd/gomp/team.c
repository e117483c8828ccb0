/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/team.h"

/* The kernel has not more threads (PID_MAX_LIMIT). */
enum { MAX_THREADS = 1 << 22 };

uint64_t gomp_team_implicit_task(const ompd_address_space_handle_t *space, uint64_t team,
				 uint32_t num)
{
	return team + space->layout->team.implicit_task + (uint64_t)num * space->layout->task.size;
}

static bool is_team(const ompd_address_space_handle_t *space, const struct gomp_team *t)
{
	return t->nthreads && t->nthreads <= MAX_THREADS &&
	       t->ordered_release == gomp_team_implicit_task(space, t->address, t->nthreads) &&
	       t->total == t->nthreads && (t->prev_team || !t->prev_level);
}

ompd_rc_t gomp_team_read(const ompd_address_space_handle_t *space, uint64_t address,
			 struct gomp_team *ret)
{
	const struct gomp_layout *l = space->layout;
	uint8_t b[GOMP_TEAM_MAX];
	const uint8_t *prev = b + GOMP_TEAM_PREV_TS, *barrier = b + GOMP_TEAM_BARRIER;
	struct gomp_team t;

	if (!address || address & 7 ||
	    gomp_space_read(space, address, b, l->team.implicit_task) != ompd_rc_ok)
		return ompd_rc_unavailable;
	t = (struct gomp_team){
		.address = address,
		.nthreads = gomp_u32(b + GOMP_TEAM_NTHREADS),
		.prev_team = gomp_u64(prev + GOMP_TS_TEAM),
		.prev_id = gomp_u32(prev + GOMP_TS_TEAM_ID),
		.prev_level = gomp_u32(prev + GOMP_TS_LEVEL),
		.prev_active_level = gomp_u32(prev + GOMP_TS_ACTIVE_LEVEL),
		.ordered_release = gomp_u64(b + l->team.ordered_release),
		.total = gomp_u32(barrier + GOMP_BARRIER_TOTAL),
		.generation = gomp_u32(barrier + GOMP_BARRIER_GENERATION),
		.awaited = gomp_u32(barrier + GOMP_BARRIER_AWAITED),
		.awaited_final = gomp_u32(barrier + GOMP_BARRIER_AWAITED_FINAL),
		.task_lock = gomp_u32(b + GOMP_TEAM_TASK_LOCK),
		.task_count = gomp_u32(b + l->team.task_count),
		.queued = gomp_u32(b + l->team.queued),
		.running = gomp_u32(b + l->team.running),
		.cancelled = gomp_u32(b + l->team.cancelled) != 0,
	};
	memcpy(t.queue, b + GOMP_TEAM_TASK_QUEUE, sizeof(t.queue));
	t.level = t.prev_level + 1;
	t.active_level = t.prev_active_level + (t.nthreads > 1);
	if (!is_team(space, &t))
		return ompd_rc_unavailable;
	/*
	 * gomp_create_artificial_team(): a team of one thread for "target nowait" outside of all
	 * regions. It counts as no level and is no region.
	 */
	if (!t.prev_level)
		t.prev_team = 0;
	*ret = t;
	return ompd_rc_ok;
}

ompd_rc_t gomp_team_read_outer(const ompd_address_space_handle_t *space,
			       const struct gomp_team *team, struct gomp_team *ret)
{
	struct gomp_team outer;
	ompd_rc_t rc;

	if (!team->prev_team)
		return ompd_rc_unavailable;
	rc = gomp_team_read(space, team->prev_team, &outer);
	/* Levels fall by one from team to team, so that no chain is a circle, or without end. */
	if (rc != ompd_rc_ok || outer.level != team->prev_level || outer.level > GOMP_MAX_LEVELS ||
	    team->prev_id >= outer.nthreads)
		return ompd_rc_error;
	*ret = outer;
	return ompd_rc_ok;
}

static ompd_rc_t read_outermost(const ompd_address_space_handle_t *space, struct gomp_team *team)
{
	ompd_rc_t rc = ompd_rc_ok;

	while (rc == ompd_rc_ok && team->prev_team)
		rc = gomp_team_read_outer(space, team, team);
	return rc;
}

/* A pool, and the thread that it belongs to: the first in its array. */
struct pool {
	uint64_t last_team;
	struct gomp_thread master;
};

static bool read_pool(const ompd_address_space_handle_t *space, uint64_t address, struct pool *ret)
{
	uint8_t b[GOMP_POOL_READ];
	uint64_t threads, master;

	if (!address || gomp_space_read(space, address, b, sizeof(b)) != ompd_rc_ok)
		return false;
	threads = gomp_u64(b + GOMP_POOL_THREADS);
	ret->last_team = gomp_u64(b + GOMP_POOL_LAST_TEAM);
	return threads && gomp_space_read_word(space, threads, &master) == ompd_rc_ok &&
	       gomp_thread_read(space, master, &ret->master) == ompd_rc_ok;
}

/*
 * A team of pool threads lives as long as the owner of the pool is in it: it is the outermost team
 * of that thread. gomp_team_end() makes it the pool's last_team.
 */
static bool is_master_in(const ompd_address_space_handle_t *space, uint64_t pool_address,
			 const struct gomp_team *team)
{
	struct gomp_team outer;
	struct pool pool;

	if (!read_pool(space, pool_address, &pool) || pool.last_team == team->address)
		return false;
	/* In a target region that the host executes it has nothing for as long as that lasts. */
	if (pool.master.team == team->address || !gomp_thread_is_used(&pool.master))
		return true;
	return gomp_team_read(space, pool.master.team, &outer) == ompd_rc_ok &&
	       read_outermost(space, &outer) == ompd_rc_ok && outer.address == team->address;
}

/* gomp_team_start(): thread 0 waits for its turn at the team's semaphore, the others at their own.
 */
static bool is_member(const ompd_address_space_handle_t *space, const struct gomp_thread *t,
		      const struct gomp_team *team)
{
	uint64_t release;

	if (t->team_id >= team->nthreads || t->level != team->level)
		return false;
	if (!t->team_id)
		return true;
	return gomp_space_read_word(space, team->ordered_release + 8ULL * t->team_id, &release) ==
		       ompd_rc_ok &&
	       release == t->address + space->layout->thread.release;
}

static bool find_team(const ompd_address_space_handle_t *space, const struct gomp_thread *t,
		      struct gomp_team *ret)
{
	if (!t->level || gomp_team_read(space, t->team, ret) != ompd_rc_ok ||
	    !is_member(space, t, ret))
		return false;
	/* Workers of nested regions are in no pool: they end with their team. */
	return !t->team_id || ret->prev_level || is_master_in(space, t->pool, ret);
}

const struct gomp_team *gomp_team_of_handle(ompd_thread_handle_t *thread)
{
	if (!thread->has_looked)
		thread->is_in_team = find_team(thread->head.space, &thread->thread, &thread->team);
	thread->has_looked = true;
	return thread->is_in_team ? &thread->team : NULL;
}

bool gomp_team_is_idle(ompd_thread_handle_t *thread)
{
	const struct gomp_thread *t = &thread->thread;

	return t->team && t->level == 1 && t->team_id && !gomp_team_of_handle(thread);
}

ompd_rc_t gomp_team_new_handle(ompd_address_space_handle_t *space, const struct gomp_team *team,
			       uint64_t via, ompd_parallel_handle_t **ret)
{
	ompd_parallel_handle_t *h =
		gomp_space_new_handle(space, GOMP_MAGIC_PARALLEL, sizeof(*h), team->address);

	if (!h)
		return ompd_rc_nomem;
	h->team = *team;
	h->via = via;
	*ret = h;
	return ompd_rc_ok;
}

/* Whether a thread has made all the regions that it is in. */
static bool is_initial(const ompd_address_space_handle_t *space, const struct gomp_thread *t)
{
	uint32_t number = t->team_id;
	struct gomp_team team;
	ompd_rc_t rc = find_team(space, t, &team) ? ompd_rc_ok : ompd_rc_unavailable;

	while (rc == ompd_rc_ok && !number && team.prev_team) {
		number = team.prev_id;
		rc = gomp_team_read_outer(space, &team, &team);
	}
	return rc == ompd_rc_ok && !number;
}

/*
 * Thread 0 of an outermost team owns the pool. Pools have threads from the first outermost team of
 * several threads on: before, workers of inner teams lead to nobody.
 */
static ompd_rc_t find_initial(const ompd_parallel_handle_t *parallel, uint64_t *ret)
{
	const ompd_address_space_handle_t *space = parallel->head.space;
	struct gomp_thread via;
	struct pool pool;
	ompd_rc_t rc = gomp_thread_read(space, parallel->via, &via);

	if (rc != ompd_rc_ok)
		return rc;
	if (read_pool(space, via.pool, &pool))
		*ret = pool.master.address;
	else if (is_initial(space, &via))
		*ret = via.address;
	else
		return ompd_rc_unavailable;
	return ompd_rc_ok;
}

/*
 * A place of a team that nobody has come to yet may have what was there in an earlier team: whose
 * thread may be in another one by now. One that the host executes a target region on has nothing
 * for as long as that lasts.
 */
static bool has_come(const ompd_address_space_handle_t *space, uint64_t address,
		     const struct gomp_team *team, uint32_t num)
{
	struct gomp_thread t;
	struct gomp_team its;

	if (gomp_thread_read(space, address, &t) != ompd_rc_ok)
		return false;
	if (!gomp_thread_is_used(&t))
		return true;
	uint32_t number = t.team_id;
	ompd_rc_t rc = gomp_team_read(space, t.team, &its);
	while (rc == ompd_rc_ok && its.address != team->address) {
		number = its.prev_id;
		rc = gomp_team_read_outer(space, &its, &its);
	}
	return rc == ompd_rc_ok && number == num;
}

ompd_rc_t gomp_team_member(const ompd_parallel_handle_t *parallel, uint32_t num, uint64_t *ret)
{
	const ompd_address_space_handle_t *space = parallel->head.space;
	struct gomp_team team = parallel->team;
	uint64_t release;
	ompd_rc_t rc;

	/* Thread 0 is the member of the team outside that met the construct. */
	while (!num) {
		if (!team.prev_team)
			return find_initial(parallel, ret);
		num = team.prev_id;
		rc = gomp_team_read_outer(space, &team, &team);
		if (rc != ompd_rc_ok)
			return rc;
	}
	if (num >= team.nthreads)
		return ompd_rc_bad_input;
	rc = gomp_space_read_word(space, team.ordered_release + 8ULL * num, &release);
	if (rc != ompd_rc_ok)
		return rc;
	*ret = release - space->layout->thread.release;
	return has_come(space, *ret, &team, num) ? ompd_rc_ok : ompd_rc_unavailable;
}
