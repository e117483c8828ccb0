/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/progress.h"

#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/map.h"
#include "target/process/exec_counter.h"

enum {
	NS_PER_SECOND = 1000000000,
	SPIN_LOOKS = 4,    /* at threads that spin                                   */
	SPIN_NS = 1000000, /* CPU time in which one surely sees what it waits for   */
};

/* What stays the same while a thread stands still. 0: this look could not tell. */
enum fact {
	FACT_STACK, /* hash of the frames that count */
	FACT_WAIT,  /* its kind                      */
	FACT_OVER,  /* it has been let go            */
	FACT_OBJECT,
	FACT_API, /* hash of the name              */
	FACT_PLACE,
	FACT_REGION,
	FACT_FUNCTION, /* of the region                 */
	FACT_GENERATION,
	FACT_TASK,
	FACT_ARRIVED,
	FACT_FOOTPRINT,
	FACT_VALUES, /* that it looks at until they change */
	NUM_FACTS,
};

/* A thread of the last look. */
struct watched {
	pid_t lwp;
	uint64_t facts[NUM_FACTS]; /* enum fact */
	bool slept;
	bool moved; /* since the first look                                */
	bool uncounted;
	bool reread;      /* the values that it looks at, more than once            */
	taddr returns_to; /* from a call of MPI's; 0: it is in none */
	int counter;      /* owned; of that it does; -1: there is none */
	bool measured;    /* "since" and "since_ns" are of this progress_begin() */
	uint64_t since, since_ns;
	uint64_t used_ns, watched_ns; /* CPU time, and time */
};

struct watched_list {
	struct watched *items; /* in the order of lwp_rank() */
	size_t len, cap;
};

struct progress_meter {
	struct watched_list threads; /* owned; of the last look                        */
	struct hash_map generations; /* owned; the same, of regions, by their handles  */
	unsigned int looks, cpus;
	bool handlers, halted;
	long barriers;              /* -1: unknown */
	uint64_t first_ns, last_ns; /* of the looks */
};

struct progress_meter *progress_new(void)
{
	struct progress_meter *m = calloc(1, sizeof(*m));

	if (m)
		m->barriers = -1;
	return m;
}

void progress_free(struct progress_meter *m)
{
	if (!m)
		return;
	vec_for_each (th, &m->threads)
		cleanup_close(&th->counter);
	vec_fini(&m->threads);
	map_fini(&m->generations);
	free(m);
}

void progress_fini(struct progress *p)
{
	vec_fini(&p->threads);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_SECOND + (uint64_t)t.tv_nsec;
}

/* ---- one look --------------------------------------------------------------------------- */

/*
 * The first frame that counts. In user code all do; of a thread that waits it is the user's frame
 * that called, or, if a tail call has removed that, what is behind the runtime.
 */
static size_t first_frame(const struct picture_thread *th, const struct unwind_stack *raw)
{
	const struct span *inside = th->spans.list.len ? &th->spans.list.items[0] : NULL;

	/* In a loop of the program's the pc changes. */
	const bool looks = th->wait.kind == WAIT_MEMORY;

	if (th->wait.kind == WAIT_NONE)
		return 0;
	for (size_t i = 0; th->wait.place.pc && i < raw->len; i++) {
		if (spans_pc(&raw->items[i]) == th->wait.place.pc)
			return i + looks;
	}
	if (looks)
		return 1;
	return inside && !inside->inner ? inside->outer : raw->len;
}

static uint64_t hash_stack(const struct picture_thread *th, const struct unwind_stack *raw)
{
	uint64_t hash = HASH_START;

	for (size_t i = first_frame(th, raw); i < raw->len; i++)
		hash = hash_add(hash_add(hash, raw->items[i].pc), raw->items[i].cfa);
	return raw->len ? hash : 0;
}

/* A thread that polls may be seen on its way into the wait, or out of it for a moment. */
static uint64_t wait_fact(enum wait_kind kind)
{
	enum wait_whom whom = wait_kind_whom(kind);

	return whom == FOR_RUNTIME || whom == FOR_NOT_KNOWN ? 0 : (uint64_t)kind + 1;
}

static void find_facts(const struct picture *p, const struct picture_thread *th,
		       const struct unwind_stack *raw, uint64_t facts[NUM_FACTS])
{
	const struct picture_region *r = picture_region(p, th->region);
	const struct picture_task *task = picture_task(p, th->task);

	facts[FACT_STACK] = hash_stack(th, raw);
	facts[FACT_WAIT] = wait_fact(th->wait.kind);
	facts[FACT_OVER] = facts[FACT_WAIT] ? 1 + (uint64_t)th->wait.over : 0;
	facts[FACT_OBJECT] = th->wait.object;
	facts[FACT_API] = th->wait.api ? hash_text(HASH_START, th->wait.api) : 0;
	/* In a loop of the program's the pc changes. */
	facts[FACT_PLACE] = th->wait.kind == WAIT_MEMORY ? 0 : th->wait.place.pc;
	facts[FACT_REGION] = r ? r->handle : 0;
	facts[FACT_FUNCTION] = r ? r->function : 0;
	facts[FACT_GENERATION] = r ? (uint64_t)r->generation + 1 : 0;
	facts[FACT_TASK] = task ? task->handle : 0;
	facts[FACT_FOOTPRINT] = th->footprint;
	facts[FACT_VALUES] = th->wait.kind == WAIT_MEMORY ? th->wait.values : 0;
	facts[FACT_ARRIVED] = th->wait.total ? (uint64_t)th->wait.arrived + 1 : 0;
}

static bool differ(const uint64_t a[NUM_FACTS], const uint64_t b[NUM_FACTS])
{
	for (size_t i = 0; i < NUM_FACTS; i++) {
		if (a[i] && b[i] && a[i] != b[i])
			return true;
	}
	return false;
}

static taddr returns_to(const struct picture_thread *th, const struct unwind_stack *raw)
{
	const size_t i = th->wait.kind == WAIT_MPI ? first_frame(th, raw) : 0;

	return i && i < raw->len ? raw->items[i].pc : 0;
}

static bool sleeps(const struct picture_wait *wait)
{
	return wait->kind != WAIT_NONE && wait->kind != WAIT_UNKNOWN && !wait->spinning;
}

/* ---- two looks -------------------------------------------------------------------------- */

/* What has been found out about a thread so far. */
static void carry_over(const struct watched *before, struct watched *now)
{
	now->moved = before->moved || differ(before->facts, now->facts);
	now->uncounted = before->uncounted;
	now->reread = before->reread || (before->facts[FACT_VALUES] && now->facts[FACT_VALUES]);
	now->used_ns = before->used_ns;
	now->watched_ns = before->watched_ns;
	for (size_t i = 0; i < NUM_FACTS; i++) {
		if (!now->facts[i])
			now->facts[i] = before->facts[i];
	}
}

/* LWPs name the same threads in two looks: the kernel hands out all others before it reuses one. */
static bool add_threads(struct progress_meter *m, const struct picture *p,
			const struct unwind_stack *raw)
{
	const struct watched *before = m->threads.items;
	struct watched_list now = { 0 };
	size_t left = m->threads.len;
	bool ok = true;

	vec_for_each (th, &p->threads) {
		size_t gone = 0; /* since the look before */
		struct watched w = { .lwp = th->lwp,
				     .slept = sleeps(&th->wait),
				     .returns_to = returns_to(th, raw),
				     .counter = -1 };
		find_facts(p, th, raw++, w.facts);
		while (gone < left && before[gone].lwp != th->lwp)
			gone++;
		if (gone < left) {
			carry_over(&before[gone], &w);
			before += gone + 1, left -= gone + 1;
		} else {
			w.moved = m->looks > 0;
		}
		ok = ok && vec_push(&now, w);
	}
	vec_fini(&m->threads);
	m->threads = now;
	return ok;
}

/* A region with an earlier generation is a new one in the memory of another. */
static void add_barriers(struct progress_meter *m, long before, long now)
{
	if (before > now)
		return;
	if (m->barriers < 0)
		m->barriers = 0;
	if (__builtin_add_overflow(m->barriers, now - before, &m->barriers))
		m->barriers = LONG_MAX;
}

static bool add_regions(struct progress_meter *m, const struct picture *p)
{
	struct hash_map now = { 0 };
	bool ok = true;

	vec_for_each (r, &p->regions) {
		if (!r->handle || r->generation < 0)
			continue;
		const struct map_item *before = map_find(&m->generations, r->handle);
		struct map_item *item = map_add(&now, r->handle);
		if (before)
			add_barriers(m, before->number, r->generation);
		if (item)
			item->number = r->generation;
		ok = ok && item;
	}
	map_fini(&m->generations);
	m->generations = now;
	return ok;
}

struct error *progress_add(struct progress_meter *m, const struct picture *p,
			   const struct unwind_stack *raw)
{
	if (!add_threads(m, p, raw) || !add_regions(m, p))
		return &error_nomem;
	m->last_ns = now_ns();
	if (!m->looks++)
		m->first_ns = m->last_ns;
	return NULL;
}

/* ---- between looks ---------------------------------------------------------------------- */

enum {
	PAUSE_NS = 500 * 1000,
	SETTLE_NS = 100 * 1000 * 1000, /* for all threads together, where processors are busy */
	RESTART_NS = 1000 * 1000,      /* CPU time: no restart of a call takes as much        */
};

static void pause_briefly(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
}

static bool read_cpu(pid_t pid, pid_t lwp, uint64_t *ret_ns)
{
	struct proc_use use = { 0 };
	struct error *err = procfs_use(pid, lwp, &use);

	error_ignore(err);
	*ret_ns = use.cpu_ns;
	return !err;
}

/* The files may round: nothing goes backwards. */
static uint64_t risen(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

/* It has not run since it was stopped, or runs. */
static bool is_awake(pid_t pid, pid_t lwp)
{
	struct proc_stat stat = { 0 };

	error_ignore(procfs_stat(pid, lwp, &stat));
	return stat.state == 'R' || stat.state == 't';
}

/* Until a thread sleeps again, or really goes on. The kernel gives no notice of either. */
static void await_sleep(pid_t pid, pid_t lwp, uint64_t limit_ns)
{
	uint64_t first, now;

	if (!is_awake(pid, lwp) || !read_cpu(pid, lwp, &first))
		return;
	do {
		pause_briefly();
	} while (now_ns() < limit_ns && is_awake(pid, lwp) && read_cpu(pid, lwp, &now) &&
		 risen(first, now) < RESTART_NS);
}

static void await_sleepers(const struct progress_meter *m, pid_t pid)
{
	uint64_t limit_ns = now_ns() + SETTLE_NS;

	vec_for_each (th, &m->threads) {
		if (th->slept)
			await_sleep(pid, th->lwp, limit_ns);
	}
	/* A thread is said to sleep a moment before it has left the processor. */
	pause_briefly();
}

/* Of all threads together: OMP_PROC_BIND gives each its own. */
static unsigned int count_cpus(const struct progress_meter *m)
{
	cpu_set_t all[8], one[8]; /* 8192 processors: as many as Linux may have */

	CPU_ZERO_S(sizeof(all), all);
	vec_for_each (th, &m->threads) {
		if (!sched_getaffinity(th->lwp, sizeof(one), one))
			CPU_OR_S(sizeof(all), all, all, one);
	}
	return (unsigned int)CPU_COUNT_S(sizeof(all), all);
}

static bool is_halted(pid_t pid)
{
	struct proc_stat stat = { 0 };

	error_ignore(procfs_stat(pid, 0, &stat));
	return stat.state == 'T';
}

/* Of signals that come by themselves. Those of faults come of what a thread does; they, and what
 * ends a program, have handlers of the Fortran library; two are the C library's own. */
static bool has_handlers(pid_t pid)
{
	static const int others[] = { SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV,
				      SIGPIPE, SIGXCPU, SIGXFSZ, SIGSYS,  32,     33 };
	struct proc_status status = { 0 };

	error_ignore(procfs_status(pid, 0, &status));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		status.caught &= ~(UINT64_C(1) << (others[i] - 1));
	return status.caught;
}

void progress_begin(struct progress_meter *m, pid_t pid)
{
	if (!pid)
		return;
	m->cpus = count_cpus(m);
	m->handlers = has_handlers(pid);
	await_sleepers(m, pid);
	vec_for_each (th, &m->threads) {
		th->counter = th->returns_to ? exec_counter_open(th->lwp, th->returns_to) : -1;
		th->uncounted |= th->returns_to && th->counter < 0;
		th->since_ns = now_ns();
		th->measured = read_cpu(pid, th->lwp, &th->since);
	}
}

void progress_end(struct progress_meter *m, pid_t pid)
{
	uint64_t now;

	m->halted = pid && is_halted(pid);
	vec_for_each (th, &m->threads) {
		uint64_t ns = now_ns();
		th->moved |= th->counter >= 0 && exec_counter_is_risen(th->counter);
		cleanup_close(&th->counter);
		th->counter = -1;
		if (!pid || !th->measured || !read_cpu(pid, th->lwp, &now))
			continue;
		th->used_ns += risen(th->since, now);
		th->watched_ns += risen(th->since_ns, ns);
		th->measured = false;
	}
}

/* ---- the result ------------------------------------------------------------------------- */

bool progress_is_open(const struct progress_meter *m)
{
	vec_for_each (w, &m->threads) {
		bool spins = !w->slept && w->facts[FACT_FOOTPRINT] && !w->moved;
		if (spins && (m->looks < SPIN_LOOKS || w->used_ns < SPIN_NS))
			return true;
	}
	return false;
}

struct error *progress_get(const struct progress_meter *m, struct progress *ret)
{
	AUTO_PROGRESS p = {
		.looks = m->looks,
		.seconds = (double)(m->last_ns - m->first_ns) / NS_PER_SECOND,
		.barriers = m->barriers,
		.cpus = m->cpus,
		.handlers = m->handlers,
		.halted = m->halted,
	};

	vec_for_each (w, &m->threads) {
		double load = w->watched_ns ? (double)w->used_ns / (double)w->watched_ns : -1;
		struct progress_thread th = { .lwp = w->lwp,
					      .moved = w->moved,
					      .uncounted = w->uncounted,
					      .unchanged = w->reread && !w->moved,
					      .load = load };
		if (!vec_push(&p.threads, th))
			return &error_nomem;
	}
	*ret = p;
	p = (struct progress){ 0 };
	return NULL;
}
