/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Each row of "cases" is a world that one function makes, how it is looked at, and what is to be
 * said of it. Where nothing else is said all threads sleep and do not move.
 */
#include "debugger/why/why_end.h"
#include "debugger/why/why_verdict.h"
#include "debugger/why/why_words.h"

#include "ompd/libgomp/libgomp.h"
#include "picture_fixture.h"

enum { LOCK_A = 0xa0, LOCK_B = 0xb0, LOCK_C = 0xc0 };

/* How the world is looked at; set by makers. Each test has a process of its own. */
static struct {
	int moving;    /* thread that moves; -1: none */
	long barriers; /* passed meanwhile */
	double load;   /* of each thread */
} watched = { .moving = -1 };

/* ---- making worlds ---------------------------------------------------------------------- */

static struct picture_thread *thread_at(int thread)
{
	return &world.picture.threads.items[thread];
}

static struct picture_region *region_at(int region)
{
	return &world.picture.regions.items[region];
}

static struct picture_task *task_at(int task)
{
	return &world.picture.tasks.items[task];
}

static struct picture_runtime *gomp(void)
{
	return &world.picture.runtimes.items[0];
}

static struct picture_wait *wait_at(int thread, enum wait_kind kind, int line)
{
	struct picture_wait *w = &thread_at(thread)->wait;

	w->kind = kind;
	w->source = SOURCE_MEMORY;
	w->settled = true;
	w->place = world_place("work", line);
	return w;
}

static void wait_all(int from, int to, enum wait_kind kind, int line)
{
	for (int i = from; i <= to; i++)
		wait_at(i, kind, line);
}

static struct picture_wait *call(int thread, enum wait_kind kind, const char *name, int line)
{
	struct picture_wait *w = wait_at(thread, kind, line);

	w->name = strdup(name);
	return w;
}

static void lock(int thread, enum wait_kind kind, taddr object, int holder, int line)
{
	static const char *const names[] = { "A", "B", "C" };
	struct picture_wait *w = call(thread, kind, names[(object - LOCK_A) >> 4], line);

	w->object = object;
	w->holder = holder;
	w->holder_source = holder < 0 ? SOURCE_NONE : SOURCE_MEMORY;
}

/* The holder is inferred: its code takes the lock in that line. */
static void infer(int waiter, int line)
{
	struct picture_wait *w = &thread_at(waiter)->wait;
	const struct picture_hold hold = { .thread = w->holder,
					   .kind = w->kind,
					   .object = w->object,
					   .always = true,
					   .place = world_place("take", line) };

	w->holder_source = SOURCE_INFERRED;
	w->hold = (int)world.picture.holds.len;
	ck_assert(vec_push(&world.picture.holds, hold));
}

/* A team of "size" computing threads, each in its implicit task of the same number. */
static void team(int size)
{
	world_add_gomp(&world)->lists_tasks = true;
	int region = world_add_region(&world, -1, 0, size, 41);

	for (int i = 0; i < size; i++) {
		world_add_thread(&world, i ? ROLE_WORKER : ROLE_PRIMARY, region, i);
		thread_at(i)->task = world_add_task(&world, TASK_IMPLICIT, TASK_RUNNING, i);
	}
}

static int task(int creator, enum task_state state, int thread, int line)
{
	int n = world_add_task(&world, TASK_EXPLICIT, state, thread);

	task_at(n)->creator = creator;
	task_at(n)->unfinished = 0;
	task_at(n)->place = world_place("make", line);
	if (state == TASK_RUNNING)
		thread_at(thread)->task = n;
	return n;
}

/* ---- barriers --------------------------------------------------------------------------- */

static void make_one_missing(void)
{
	team(4);
	wait_all(0, 2, WAIT_REGION_END, 49);
	wait_at(3, WAIT_EXPLICIT_BARRIER, 45);
}

static void make_two_groups(void)
{
	team(4);
	wait_all(0, 1, WAIT_EXPLICIT_BARRIER, 45);
	wait_all(2, 3, WAIT_REGION_END, 49);
}

/* 0.1 waits for 0.0, which is in a region of its own with one more thread. */
static void make_nested(void)
{
	team(2);
	wait_at(1, WAIT_REGION_END, 49);
	int inner = world_add_region(&world, 0, 0, 2, 42);
	region_at(inner)->members.items[1] = 2;
	thread_at(0)->region = inner;
	world_add_thread(&world, ROLE_WORKER, inner, 1);
	wait_at(0, WAIT_EXPLICIT_BARRIER, 60);
	wait_at(2, WAIT_REGION_END, 65);
}

/* 0.0 executes a task at the barrier to which 0.1 has come, too: it has arrived. */
static void make_task_at_barrier(void)
{
	team(2);
	wait_at(1, WAIT_EXPLICIT_BARRIER, 45);
	const struct span span = { .call = SPAN_TASK,
				   .entry = runtime_entry(&libgomp_ops, "GOMP_barrier") };
	ck_assert(vec_push(&thread_at(0)->spans.list, span));
	task(0, TASK_RUNNING, 0, 44);
}

/* As above, but it is at a taskwait that 0.0 executes it: 0.0 has not arrived. */
static void make_task_at_taskwait(void)
{
	make_task_at_barrier();
	thread_at(0)->spans.list.items[0].entry = runtime_entry(&libgomp_ops, "GOMP_taskwait");
}

static void make_worksharing(void)
{
	team(4);
	wait_all(0, 2, WAIT_WORKSHARE_END, 45);
	wait_at(3, WAIT_REGION_END, 49);
}

static void make_copyprivate(void)
{
	team(3);
	wait_all(0, 1, WAIT_COPYPRIVATE, 45);
	wait_at(2, WAIT_REGION_END, 49);
}

/* ---- locks ------------------------------------------------------------------------------ */

static void make_lock_cycle(void)
{
	team(3);
	lock(0, WAIT_LOCK, LOCK_B, 1, 21);
	lock(1, WAIT_LOCK, LOCK_A, 0, 31);
	wait_at(2, WAIT_REGION_END, 49);
}

/* 0.3 only waits for one of them. */
static void make_mixed_cycle(void)
{
	team(4);
	lock(0, WAIT_NEST_LOCK, LOCK_B, 1, 21);
	lock(1, WAIT_CRITICAL, LOCK_C, 2, 31);
	infer(1, 39);
	lock(2, WAIT_MUTEX, LOCK_A, 0, 41);
	lock(3, WAIT_CRITICAL, LOCK_C, 2, 31);
	infer(3, 39);
}

static void make_self_deadlock(void)
{
	team(2);
	lock(0, WAIT_LOCK, LOCK_A, 0, 21);
	infer(0, 20);
	wait_at(1, WAIT_REGION_END, 49);
}

/* Two wait for what one of them has. */
static void make_self_deadlock_of_two(void)
{
	team(3);
	lock(0, WAIT_LOCK, LOCK_A, 0, 21);
	infer(0, 20);
	lock(1, WAIT_LOCK, LOCK_A, 0, 21);
	wait_at(2, WAIT_REGION_END, 49);
}

static void make_lost(void)
{
	team(2);
	world.picture.holds_complete = true;
	lock(0, WAIT_LOCK, LOCK_A, -1, 21);
	wait_at(1, WAIT_REGION_END, 49);
}

/* Not even a thread that computes helps. */
static void make_lost_beside_computing(void)
{
	make_lost();
	thread_at(1)->wait.kind = WAIT_NONE;
}

static void make_holder_unknown(void)
{
	make_lost();
	world.picture.holds_complete = false;
}

static void make_holder_may_compute(void)
{
	make_lost_beside_computing();
	world.picture.holds_complete = false;
}

/* Another one that waits for it is about to get it. */
static void make_lock_in_flux(void)
{
	make_lost();
	lock(1, WAIT_LOCK, LOCK_A, -1, 21);
	thread_at(1)->wait.settled = false;
	watched.moving = 1;
}

static void make_idle_holder(void)
{
	team(2);
	lock(0, WAIT_NEST_LOCK, LOCK_A, 2, 21);
	wait_at(1, WAIT_REGION_END, 49);
	world_add_thread(&world, ROLE_IDLE, -1, -1);
	wait_at(2, WAIT_IDLE, 0)->place = (struct place){ 0 };
}

static void make_mutex_held_by_reader(void)
{
	team(3);
	wait_at(0, WAIT_EXPLICIT_BARRIER, 45);
	lock(1, WAIT_MUTEX, LOCK_A, 2, 22);
	call(2, WAIT_SYSCALL, "read", 31)->fd = 0;
}

static void make_joined_reader(void)
{
	team(2);
	call(0, WAIT_JOIN, "pthread_join", 22)->holder = 1;
	call(1, WAIT_SYSCALL, "read", 31)->fd = 0;
}

static void make_joined_waiter(void)
{
	team(2);
	call(0, WAIT_JOIN, "pthread_join", 22)->holder = 1;
	lock(1, WAIT_MUTEX, LOCK_A, 0, 31);
}

/* ---- ordered ---------------------------------------------------------------------------- */

static void make_ordered(void)
{
	team(3);
	for (int i = 0; i < 2; i++)
		wait_at(i, WAIT_ORDERED, 25)->holder = 2;
	wait_at(2, WAIT_REGION_END, 49);
}

static void make_ordered_unknown(void)
{
	make_ordered();
	for (int i = 0; i < 2; i++)
		thread_at(i)->wait.holder = -1;
}

static void make_doacross(void)
{
	team(3);
	wait_all(0, 1, WAIT_DOACROSS, 25);
	wait_at(2, WAIT_REGION_END, 49);
}

/* It is the turn of nobody. */
static void make_all_ordered(void)
{
	team(3);
	wait_all(0, 2, WAIT_ORDERED, 25);
}

/* ---- tasks ------------------------------------------------------------------------------ */

/* 0.0 waits for a task that 0.1 executes, in which that waits for a lock of 0.0. */
static void make_running_child(void)
{
	team(2);
	wait_at(0, WAIT_TASKWAIT, 52);
	task(0, TASK_RUNNING, 1, 50);
	lock(1, WAIT_LOCK, LOCK_A, 0, 61);
}

/* The child has begun another task, which reads. */
static void make_suspended_child(void)
{
	team(2);
	wait_at(0, WAIT_TASKWAIT, 52);
	int child = task(0, TASK_SUSPENDED, 1, 50);
	task(child, TASK_RUNNING, 1, 55);
	call(1, WAIT_SYSCALL, "read", 56)->fd = 0;
}

/* Who waits can execute it. */
static void make_queued_child(void)
{
	team(2);
	wait_at(0, WAIT_TASKWAIT, 52);
	task(0, TASK_QUEUED, -1, 50);
	wait_at(1, WAIT_REGION_END, 49);
}

/* 0.0 waits for a task that depends on one that 0.1 made, and can be run by 0.2 alone. */
static void make_queued_beside_barrier(void)
{
	team(3);
	wait_at(0, WAIT_TASKWAIT, 52);
	int queued = task(1, TASK_QUEUED, -1, 50);
	int blocked = task(0, TASK_BLOCKED, -1, 51);
	ck_assert(vec_push(&task_at(blocked)->waits_for, queued));
	lock(1, WAIT_LOCK, LOCK_A, 0, 61);
	wait_at(2, WAIT_EXPLICIT_BARRIER, 45);
}

/* Nobody can: both threads wait for locks of each other's. */
static void make_queued_for_nobody(void)
{
	make_queued_beside_barrier();
	lock(2, WAIT_LOCK, LOCK_B, 0, 62);
}

/* The taskgroup that 0.0 waits for does not have to be that of the task that waits for 0.0. */
static void make_other_taskgroup(void)
{
	make_running_child();
	thread_at(0)->wait.kind = WAIT_TASKGROUP;
	world_add_thread(&world, ROLE_WORKER, 0, 2);
	task(0, TASK_RUNNING, 2, 51);
}

/* A dependence cycle. */
static void make_blocked_children(void)
{
	team(2);
	wait_at(0, WAIT_TASKWAIT, 52);
	int a = task(0, TASK_BLOCKED, -1, 50), b = task(0, TASK_BLOCKED, -1, 51);
	ck_assert(vec_push(&task_at(a)->waits_for, b) && vec_push(&task_at(b)->waits_for, a));
	wait_at(1, WAIT_REGION_END, 49);
}

static void make_detached_child(void)
{
	team(2);
	wait_at(0, WAIT_TASKWAIT, 52);
	task(0, TASK_DETACHED, -1, 50);
	wait_at(1, WAIT_REGION_END, 49);
}

/* What is queued may fulfil it. */
static void make_detached_beside_queued(void)
{
	make_detached_child();
	task(0, TASK_QUEUED, -1, 51);
	thread_at(0)->wait.settled = false;
}

/* All have arrived, but a task is left. */
static void make_detached_at_end(void)
{
	team(2);
	wait_all(0, 1, WAIT_REGION_END, 49);
	task(0, TASK_DETACHED, -1, 50);
}

/* A runtime that does not list its tasks, in a program that detaches some. */
static void make_detached_unseen(void)
{
	team(2);
	gomp()->lists_tasks = false;
	gomp()->detaches = true;
	task_at(0)->unfinished = 1;
	wait_at(0, WAIT_TASKWAIT, 52);
	wait_at(1, WAIT_REGION_END, 49);
}

static void make_tasks_unseen(void)
{
	make_detached_unseen();
	gomp()->detaches = false;
}

static void make_event(void)
{
	team(2);
	wait_at(0, WAIT_TASK_EVENT, 52);
	wait_at(1, WAIT_REGION_END, 49);
}

/* Somebody outside may still fulfil the event. */
static void make_event_and_reader(void)
{
	make_detached_child();
	world_add_thread(&world, ROLE_NONE, -1, -1);
	call(2, WAIT_SYSCALL, "read", 70)->fd = 5;
}

/* Each thread waits, in a task, to be woken by tasks that are queued. */
static void make_tasks_wait_for_queued(void)
{
	team(2);
	for (int i = 0; i < 2; i++) {
		task(0, TASK_RUNNING, i, 50);
		call(i, WAIT_CONDITION, "pthread_cond_wait", 58);
	}
	task(0, TASK_QUEUED, -1, 51);
}

/* ---- workers ---------------------------------------------------------------------------- */

static void make_lost_worker(void)
{
	team(3);
	region_at(0)->members.items[1] = -1;
	world.picture.threads.items[1].region = -1;
	world.picture.threads.items[1].role = ROLE_IDLE;
	wait_at(0, WAIT_EXPLICIT_BARRIER, 45);
	wait_at(1, WAIT_IDLE, 0);
	wait_at(2, WAIT_EXPLICIT_BARRIER, 45);
}

/* It may be the one that is in no team, and does not sleep. */
static void make_lost_and_spinning(void)
{
	make_lost_worker();
	thread_at(1)->wait.settled = false;
}

/* The workers of the last region did not come over a fork. */
static void make_lost_at_start(void)
{
	team(3);
	region_at(0)->members.items[1] = -1;
	region_at(0)->members.items[2] = -1;
	wait_at(0, WAIT_TEAM_START, 45);
}

/* Nor did the one that has the lock. */
static void make_lost_with_worker(void)
{
	team(3);
	world.picture.holds_complete = true;
	lock(0, WAIT_LOCK, LOCK_A, -1, 21);
	wait_at(1, WAIT_REGION_END, 49);
	region_at(0)->members.items[2] = -1;
	wait_at(2, WAIT_IDLE, 0);
}

/* The thread that is missing may be the one that is being made. */
static void make_newcomer(void)
{
	const struct span span = { .call = SPAN_WAITS, .root = true };

	make_lost_worker();
	world_add_thread(&world, ROLE_NONE, -1, -1);
	thread_at(3)->wait.kind = WAIT_RUNTIME;
	ck_assert(vec_push(&thread_at(3)->spans.list, span));
}

/* ---- others ----------------------------------------------------------------------------- */

/* 0.0 holds what 0.1 waits for, and waits for 0.1, which is of another runtime's team. */
static void make_two_runtimes(void)
{
	team(1);
	world_add_gomp(&world);
	world_add_thread(&world, ROLE_INITIAL, -1, -1);
	thread_at(1)->runtime = 1;
	lock(0, WAIT_MUTEX, LOCK_A, 1, 21);
	lock(1, WAIT_MUTEX, LOCK_B, 0, 31);
}

static void make_external(void)
{
	team(3);
	wait_all(0, 1, WAIT_EXPLICIT_BARRIER, 45);
	call(2, WAIT_SYSCALL, "read", 31)->fd = 0;
}

/* Nobody is left to wake 0.2. */
static void make_condition(void)
{
	make_external();
	free(thread_at(2)->wait.name);
	call(2, WAIT_CONDITION, "pthread_cond_wait", 31);
}

static void make_idle(void)
{
	world_add_gomp(&world);
	world_add_thread(&world, ROLE_INITIAL, -1, -1);
	thread_at(0)->wait.place = world_place("main", 90);
	world_add_thread(&world, ROLE_IDLE, -1, -1);
	wait_at(1, WAIT_IDLE, 0);
}

/* A signal handler may wake it, and it is no matter of OpenMP. */
static void make_semaphore(void)
{
	make_idle();
	call(0, WAIT_SYSCALL, "sem_wait", 8);
}

static void make_condition_limited(void)
{
	make_condition();
	thread_at(2)->wait.limited = true;
}

static void make_condition_beside_computing(void)
{
	make_condition();
	world_add_thread(&world, ROLE_NONE, -1, -1);
}

static void make_computing(void)
{
	team(4);
	wait_all(0, 2, WAIT_EXPLICIT_BARRIER, 45);
	thread_at(3)->wait.place = world_place("work", 47);
}

static void make_held(void)
{
	make_computing();
	thread_at(3)->held = HELD_BY_HOLD;
}

/* That it is held changes nothing. */
static void make_held_in_cycle(void)
{
	make_lock_cycle();
	thread_at(0)->held = HELD_BY_HOLD;
}

static void make_all_compute(void)
{
	team(2);
	thread_at(0)->wait.place = world_place("work", 47);
}

static void make_no_runtime(void)
{
	world_add_thread(&world, ROLE_NONE, -1, -1);
	call(0, WAIT_SYSCALL, "read", 31)->fd = 0;
}

static void make_no_threads(void)
{
}

/* ---- moving and spinning ----------------------------------------------------------------- */

/* Nothing tells that they are not about to go on. */
static void make_unsettled(void)
{
	make_lock_cycle();
	vec_for_each (th, &world.picture.threads)
		th->wait.settled = false;
}

static void make_moving(void)
{
	make_lock_cycle();
	watched.moving = 1;
}

static void make_passing_barriers(void)
{
	make_computing();
	watched.moving = 0;
	watched.barriers = 5;
}

static void make_spinning(void)
{
	make_unsettled();
	vec_for_each (th, &world.picture.threads)
		th->wait.spinning = true;
}

/* They had time to go on, and did not. */
static void make_spinning_on(void)
{
	make_spinning();
	watched.load = 0.5;
}

static void make_core(void)
{
	make_lock_cycle();
	world.stacks.core = strdup("core.4242");
}

static void make_spinning_core(void)
{
	make_spinning();
	world.stacks.core = strdup("core.4242");
}

static void make_unsettled_core(void)
{
	make_unsettled();
	world.stacks.core = strdup("core.4242");
}

/* ---- what is said of them ---------------------------------------------------------------- */

enum { ONE = 1, TWO }; /* looks */

static const struct {
	void (*make)(void);
	unsigned int looks;
	enum why_verdict verdict;
	enum why_class class;
	enum why_confidence confidence;
	const char *blame;   /* the threads of each link, the cause first; "-" is nobody */
	const char *summary; /* NULL: any */
} cases[] = {
	{ make_one_missing, TWO, WHY_DEADLOCK, WHY_BARRIER_MISMATCH, WHY_CERTAIN, "3 <- 0 1 2",
	  "Deadlock: threads 0.[0-2] wait at the end of the parallel region at "
	  "app.c:49; thread 0.3 has not arrived: it waits at the barrier at app.c:45." },
	{ make_two_groups, TWO, WHY_DEADLOCK, WHY_BARRIER_MISMATCH, WHY_CERTAIN, "2 3 <- 0 1",
	  "Deadlock: threads 0.[0,1] wait at the barrier at app.c:45; threads "
	  "0.[2,3] have not arrived: they wait at the end of the parallel region at "
	  "app.c:49." },
	{ make_nested, TWO, WHY_DEADLOCK, WHY_BARRIER_MISMATCH, WHY_CERTAIN, "2 <- 0 <- 1",
	  "Deadlock: thread 0.1 waits at the end of the parallel region at app.c:49; "
	  "thread 1.0 has not arrived: it waits at the barrier at app.c:60; thread "
	  "1.1 has not arrived: it waits at the end of the parallel region at "
	  "app.c:65." },
	{ make_task_at_barrier, TWO, WHY_PROGRESSING, WHY_IMBALANCE, WHY_PROBABLE, "0 <- 1",
	  "Not hung: thread 0.1 waits at the barrier at app.c:45 for the task "
	  "created at app.c:44, executed by thread 0.0, which computes." },
	{ make_task_at_taskwait, TWO, WHY_PROGRESSING, WHY_IMBALANCE, WHY_PROBABLE, "0 <- 1",
	  "Not hung: thread 0.1 waits at the barrier at app.c:45; thread 0.0 has not "
	  "arrived: it computes." },
	{ make_worksharing, TWO, WHY_DEADLOCK, WHY_WORKSHARING_MISMATCH, WHY_CERTAIN, "3 <- 0 1 2",
	  "Deadlock: threads 0.[0-2] wait at the end of the worksharing construct at "
	  "app.c:45; thread 0.3 has not arrived: it waits at the end of the parallel "
	  "region at app.c:49." },
	{ make_copyprivate, TWO, WHY_DEADLOCK, WHY_WORKSHARING_MISMATCH, WHY_CERTAIN, "2 <- 0 1",
	  "Deadlock: threads 0.[0,1] wait for copyprivate of single at app.c:45; "
	  "thread 0.2 has not arrived: it waits at the end of the parallel region at "
	  "app.c:49." },
	{ make_lock_cycle, TWO, WHY_DEADLOCK, WHY_LOCK_CYCLE, WHY_CERTAIN, "0 <- 1 <- 2",
	  "Deadlock: thread 0.2 waits at the end of the parallel region at app.c:49; "
	  "thread 0.0 has not arrived: it waits for lock 'B' at app.c:21, held by "
	  "thread 0.1, which waits for lock 'A' at app.c:31, held by thread 0.0." },
	{ make_mixed_cycle, TWO, WHY_DEADLOCK, WHY_LOCK_CYCLE, WHY_PROBABLE, "0 <- 1 <- 2 <- 3",
	  "Probably a deadlock: thread 0.3 waits for critical 'C' at app.c:31, "
	  "probably held by thread 0.2, which waits for a mutex at app.c:41, held by "
	  "thread 0.0, which waits for nest lock 'B' at app.c:21, held by thread "
	  "0.1, which waits for critical 'C' at app.c:31." },
	{ make_self_deadlock, TWO, WHY_DEADLOCK, WHY_SELF_DEADLOCK, WHY_PROBABLE, "0 <- 1",
	  "Probably a deadlock: thread 0.1 waits at the end of the parallel region "
	  "at app.c:49; thread 0.0 has not arrived: it waits for lock 'A' at "
	  "app.c:21, which it probably holds itself, taken at app.c:20." },
	{ make_self_deadlock_of_two, TWO, WHY_DEADLOCK, WHY_SELF_DEADLOCK, WHY_PROBABLE, "0 1 <- 2",
	  "Probably a deadlock: thread 0.2 waits at the end of the parallel region "
	  "at app.c:49; threads 0.[0,1] have not arrived: they wait for lock 'A' at "
	  "app.c:21, probably held by thread 0.0 itself, taken at app.c:20." },
	{ make_lost, TWO, WHY_STUCK, WHY_LOST_LOCK, WHY_PROBABLE, "- <- 0 <- 1",
	  "Probably stuck: thread 0.1 waits at the end of the parallel region at "
	  "app.c:49; thread 0.0 has not arrived: it waits for lock 'A' at app.c:21, "
	  "which no thread is left to give back." },
	{ make_lost_beside_computing, TWO, WHY_STUCK, WHY_LOST_LOCK, WHY_PROBABLE, "- <- 0",
	  "Probably stuck: thread 0.0 waits for lock 'A' at app.c:21, which no "
	  "thread is left to give back." },
	{ make_holder_unknown, TWO, WHY_STUCK, WHY_LOST_LOCK, WHY_GUESS, "- <- 0 <- 1",
	  "Perhaps stuck: thread 0.1 waits at the end of the parallel region at "
	  "app.c:49; thread 0.0 has not arrived: it waits for lock 'A' at app.c:21, "
	  "whose holder is not known." },
	{ make_holder_may_compute, TWO, WHY_UNKNOWN, WHY_NONE, WHY_GUESS, "- <- 0", NULL },
	{ make_lock_in_flux, TWO, WHY_PROGRESSING, WHY_NONE, WHY_CERTAIN, "0 1", NULL },
	{ make_idle_holder, TWO, WHY_STUCK, WHY_LOST_LOCK, WHY_PROBABLE, "2 <- 0 <- 1",
	  "Probably stuck: thread 0.1 waits at the end of the parallel region at "
	  "app.c:49; thread 0.0 has not arrived: it waits for nest lock 'A' at "
	  "app.c:21, held by thread 4244, which is idle in the pool." },
	{ make_mutex_held_by_reader, TWO, WHY_WAITING, WHY_EXTERNAL, WHY_CERTAIN, "2 <- 1 <- 0",
	  NULL },
	{ make_joined_reader, TWO, WHY_WAITING, WHY_EXTERNAL, WHY_CERTAIN, "1 <- 0",
	  "Waiting: thread 0.0 waits in pthread_join() at app.c:22, for the end of thread 0.1, "
	  "which is in read(0) at app.c:31." },
	{ make_joined_waiter, TWO, WHY_DEADLOCK, WHY_LOCK_CYCLE, WHY_CERTAIN, "0 <- 1",
	  "Deadlock: thread 0.0 waits in pthread_join() at app.c:22, for the end of thread 0.1, "
	  "which waits for a mutex at app.c:31, held by thread 0.0." },
	{ make_ordered, TWO, WHY_DEADLOCK, WHY_ORDERED, WHY_CERTAIN, "2 <- 0 1",
	  "Deadlock: threads 0.[0,1] wait for their turns at ordered at app.c:25; it "
	  "is the turn of thread 0.2, which waits at the end of the parallel region "
	  "at app.c:49." },
	{ make_ordered_unknown, TWO, WHY_DEADLOCK, WHY_ORDERED, WHY_PROBABLE, "2 <- 0 1",
	  "Probably a deadlock: threads 0.[0,1] wait for their turns at ordered at "
	  "app.c:25; it is probably the turn of thread 0.2, which waits at the end "
	  "of the parallel region at app.c:49." },
	{ make_all_ordered, TWO, WHY_STUCK, WHY_ORDERED, WHY_GUESS, "0 1 2",
	  "Perhaps stuck: threads 0.[0-2] wait for their turns at ordered at app.c:25." },
	{ make_doacross, TWO, WHY_DEADLOCK, WHY_ORDERED, WHY_PROBABLE, "2 <- 0 1",
	  "Probably a deadlock: threads 0.[0,1] wait for earlier iterations at "
	  "app.c:25; that is probably the turn of thread 0.2, which waits at the end "
	  "of the parallel region at app.c:49." },
	{ make_running_child, TWO, WHY_DEADLOCK, WHY_LOCK_CYCLE, WHY_CERTAIN, "0 <- 1",
	  "Deadlock: thread 0.0 waits in taskwait at app.c:52 for the task created "
	  "at app.c:50, executed by thread 0.1, which waits for lock 'A' at "
	  "app.c:61, held by thread 0.0." },
	{ make_suspended_child, TWO, WHY_WAITING, WHY_EXTERNAL, WHY_CERTAIN, "1 <- 0",
	  "Waiting: thread 0.0 waits in taskwait at app.c:52 for the task created at "
	  "app.c:50, suspended by thread 0.1, which is in read(0) at app.c:56." },
	{ make_queued_child, TWO, WHY_UNKNOWN, WHY_NONE, WHY_GUESS, "0 <- 1", NULL },
	{ make_queued_beside_barrier, TWO, WHY_UNKNOWN, WHY_NONE, WHY_GUESS, "0 <- 1", NULL },
	{ make_queued_for_nobody, TWO, WHY_DEADLOCK, WHY_TASK, WHY_PROBABLE, "0 <- 1", NULL },
	{ make_other_taskgroup, TWO, WHY_UNKNOWN, WHY_NONE, WHY_GUESS, "0 <- 1", NULL },
	{ make_blocked_children, TWO, WHY_DEADLOCK, WHY_TASK, WHY_CERTAIN, "0 <- 1",
	  "Deadlock: thread 0.1 waits at the end of the parallel region at app.c:49; "
	  "thread 0.0 has not arrived: it waits in taskwait at app.c:52 for the task "
	  "created at app.c:50, which depends on the task created at app.c:51, which "
	  "depends on the task created at app.c:50." },
	{ make_detached_child, TWO, WHY_STUCK, WHY_DETACH, WHY_PROBABLE, "- <- 0 <- 1",
	  "Probably stuck: thread 0.1 waits at the end of the parallel region at "
	  "app.c:49; thread 0.0 has not arrived: it waits in taskwait at app.c:52 "
	  "for the task created at app.c:50: nobody has fulfilled the event of a "
	  "detached task." },
	{ make_detached_at_end, TWO, WHY_STUCK, WHY_DETACH, WHY_PROBABLE, "- <- 0 1",
	  "Probably stuck: threads 0.[0,1] wait at the end of the parallel region at "
	  "app.c:49 for the task created at app.c:50: nobody has fulfilled the event "
	  "of a detached task." },
	{ make_detached_unseen, TWO, WHY_STUCK, WHY_DETACH, WHY_PROBABLE, "- <- 0 <- 1",
	  "Probably stuck: thread 0.1 waits at the end of the parallel region at "
	  "app.c:49; thread 0.0 has not arrived: it waits in taskwait at app.c:52: "
	  "nobody has fulfilled the event of a detached task." },
	{ make_tasks_unseen, TWO, WHY_STUCK, WHY_TASK, WHY_GUESS, "- <- 0 <- 1",
	  "Perhaps stuck: thread 0.1 waits at the end of the parallel region at "
	  "app.c:49; thread 0.0 has not arrived: it waits in taskwait at app.c:52: "
	  "tasks have not ended that no thread executes." },
	{ make_detached_beside_queued, ONE, WHY_UNKNOWN, WHY_NONE, WHY_GUESS, "0 <- 1", NULL },
	{ make_event, TWO, WHY_STUCK, WHY_DETACH, WHY_PROBABLE, "- <- 0 <- 1", NULL },
	{ make_event_and_reader, TWO, WHY_WAITING, WHY_DETACH, WHY_CERTAIN, "- <- 0 <- 1",
	  "Waiting: thread 0.1 waits at the end of the parallel region at app.c:49; "
	  "thread 0.0 has not arrived: it waits in taskwait at app.c:52 for the task "
	  "created at app.c:50: nobody has fulfilled the event of a detached task." },
	{ make_tasks_wait_for_queued, TWO, WHY_STUCK, WHY_TASK, WHY_PROBABLE, "0 1", NULL },
	{ make_lost_worker, TWO, WHY_STUCK, WHY_LOST_WORKER, WHY_CERTAIN, "- <- 0 2",
	  "Stuck: threads 0.[0,2] wait at the barrier at app.c:45: thread 0.1 does not exist any "
	  "more." },
	{ make_lost_and_spinning, ONE, WHY_UNKNOWN, WHY_NONE, WHY_GUESS, "0 2", NULL },
	{ make_lost_and_spinning, TWO, WHY_STUCK, WHY_LOST_WORKER, WHY_CERTAIN, "- <- 0 2", NULL },
	{ make_lost_at_start, TWO, WHY_STUCK, WHY_LOST_WORKER, WHY_CERTAIN, "- <- 0",
	  "Stuck: thread 0.0 waits for the workers of its team at app.c:45: 2 of the 3 threads of "
	  "the team do not exist any more." },
	{ make_lost_with_worker, TWO, WHY_STUCK, WHY_LOST_WORKER, WHY_PROBABLE, "- <- 0",
	  "Probably stuck: thread 0.0 waits for lock 'A' at app.c:21, which no thread is left to "
	  "give back: thread 0.2 does not exist any more." },
	{ make_newcomer, TWO, WHY_UNKNOWN, WHY_NONE, WHY_GUESS, "0 2", NULL },
	{ make_two_runtimes, TWO, WHY_DEADLOCK, WHY_TWO_RUNTIMES, WHY_CERTAIN, "0 <- 1",
	  "Deadlock: thread 0.0 waits for a mutex at app.c:21, held by thread 4243, "
	  "which waits for a mutex at app.c:31, held by thread 0.0." },
	{ make_external, TWO, WHY_WAITING, WHY_EXTERNAL, WHY_CERTAIN, "2 <- 0 1",
	  "Waiting: threads 0.[0,1] wait at the barrier at app.c:45; thread 0.2 has "
	  "not arrived: it is in read(0) at app.c:31." },
	{ make_condition, TWO, WHY_STUCK, WHY_EXTERNAL, WHY_PROBABLE, "2 <- 0 1",
	  "Probably stuck: threads 0.[0,1] wait at the barrier at app.c:45; thread "
	  "0.2 has not arrived: it waits for a condition variable at app.c:31." },
	{ make_semaphore, TWO, WHY_IDLE, WHY_NONE, WHY_CERTAIN, "",
	  "Not in OpenMP: no OpenMP construct is being executed; thread 4242 is in sem_wait() at "
	  "app.c:8." },
	{ make_condition_limited, TWO, WHY_WAITING, WHY_EXTERNAL, WHY_CERTAIN, "2 <- 0 1",
	  "Waiting: threads 0.[0,1] wait at the barrier at app.c:45; thread 0.2 has "
	  "not arrived: it waits for a condition variable at app.c:31." },
	{ make_condition_beside_computing, TWO, WHY_WAITING, WHY_EXTERNAL, WHY_CERTAIN, "2 <- 0 1",
	  NULL },
	{ make_computing, TWO, WHY_PROGRESSING, WHY_IMBALANCE, WHY_PROBABLE, "3 <- 0 1 2",
	  "Not hung: threads 0.[0-2] wait at the barrier at app.c:45; thread 0.3 has "
	  "not arrived: it computes at app.c:47." },
	{ make_held, TWO, WHY_WAITING, WHY_HELD, WHY_CERTAIN, "3 <- 0 1 2",
	  "Waiting: threads 0.[0-2] wait at the barrier at app.c:45; thread 0.3 has "
	  "not arrived: it is held by you (omp hold) at app.c:47." },
	{ make_held_in_cycle, ONE, WHY_DEADLOCK, WHY_LOCK_CYCLE, WHY_PROBABLE, "0 <- 1 <- 2",
	  NULL },
	{ make_all_compute, TWO, WHY_PROGRESSING, WHY_NONE, WHY_PROBABLE, "0",
	  "Not hung: none of the 2 threads in parallel regions waits for another; "
	  "thread 0.0 computes at app.c:47." },
	{ make_idle, TWO, WHY_IDLE, WHY_NONE, WHY_CERTAIN, "",
	  "Not in OpenMP: no OpenMP construct is being executed; thread 4242 "
	  "computes at app.c:90." },
	{ make_no_runtime, TWO, WHY_IDLE, WHY_NONE, WHY_CERTAIN, "",
	  "Not in OpenMP: there is no OpenMP runtime in this process; thread 4242 is "
	  "in read(0) at app.c:31." },
	{ make_no_threads, TWO, WHY_IDLE, WHY_NONE, WHY_CERTAIN, "",
	  "Not in OpenMP: there is no OpenMP runtime in this process; it has no "
	  "threads." },
	{ make_unsettled, TWO, WHY_UNKNOWN, WHY_NONE, WHY_GUESS, "0 <- 1 <- 2", NULL },
	{ make_unsettled, ONE, WHY_UNKNOWN, WHY_NONE, WHY_GUESS, "0 <- 1 <- 2", NULL },
	{ make_lock_cycle, ONE, WHY_DEADLOCK, WHY_LOCK_CYCLE, WHY_PROBABLE, "0 <- 1 <- 2",
	  "Probably a deadlock: thread 0.2 waits at the end of the parallel region "
	  "at app.c:49; thread 0.0 has not arrived: it waits for lock 'B' at "
	  "app.c:21, held by thread 0.1, which waits for lock 'A' at app.c:31, held "
	  "by thread 0.0." },
	{ make_moving, TWO, WHY_PROGRESSING, WHY_NONE, WHY_CERTAIN, "0 <- 1 <- 2", NULL },
	{ make_passing_barriers, TWO, WHY_PROGRESSING, WHY_NONE, WHY_CERTAIN, "3 <- 0 1 2",
	  "Not hung: 20 barriers a second were passed while it was watched; threads "
	  "0.[0-2] wait at the barrier at app.c:45; thread 0.3 has not arrived: it "
	  "computes at app.c:47." },
	{ make_spinning_on, TWO, WHY_DEADLOCK, WHY_LOCK_CYCLE, WHY_PROBABLE, "0 <- 1 <- 2", NULL },
	{ make_spinning, ONE, WHY_UNKNOWN, WHY_NONE, WHY_GUESS, "0 <- 1 <- 2", NULL },
	{ make_core, ONE, WHY_DEADLOCK, WHY_LOCK_CYCLE, WHY_PROBABLE, "0 <- 1 <- 2", NULL },
	{ make_spinning_core, ONE, WHY_DEADLOCK, WHY_LOCK_CYCLE, WHY_GUESS, "0 <- 1 <- 2",
	  "Perhaps a deadlock: thread 0.2 waits at the end of the parallel region at "
	  "app.c:49; thread 0.0 has not arrived: it waits for lock 'B' at app.c:21, "
	  "held by thread 0.1, which waits for lock 'A' at app.c:31, held by thread "
	  "0.0." },
	{ make_unsettled_core, ONE, WHY_UNKNOWN, WHY_NONE, WHY_GUESS, "0 <- 1 <- 2", NULL },
};

static void watch(unsigned int looks, struct progress *ret)
{
	*ret = (struct progress){ .looks = looks,
				  .seconds = looks > 1 ? 0.25 : 0,
				  .barriers = looks > 1 ? watched.barriers : -1 };
	vec_for_each (th, &world.picture.threads) {
		const struct progress_thread its = {
			.lwp = th->lwp,
			.moved = looks > 1 &&
				 (int)(th - world.picture.threads.items) == watched.moving,
			.load = looks < 2                    ? -1
				: th->wait.kind == WAIT_NONE ? 1
							     : watched.load,
		};
		ck_assert(vec_push(&ret->threads, its));
	}
}

static void find(unsigned int looks, struct why *ret)
{
	const struct snapshot s = { .stacks = &world.stacks, .picture = world.picture };
	AUTO_PROGRESS progress = { 0 };

	watch(looks, &progress);
	ck_assert_no_error(why_verdict_find(&s, &progress, ret));
}

/* "3 <- 0 1 2 <- -" */
static void add_blame(struct buf *out, const struct why *why)
{
	vec_for_each (b, &why->blame) {
		buf_adds(out, b == why->blame.items ? "" : " <- ");
		if (b->thread < 0)
			buf_addc(out, '-');
		vec_for_each (th, &b->threads)
			buf_addf(out, th == b->threads.items ? "%d" : " %d", *th);
	}
}

START_TEST(test_case)
{
	struct why why = { 0 };
	AUTO_BUF blame = { 0 };

	cases[_i].make();
	find(cases[_i].looks, &why);
	add_blame(&blame, &why);
	ck_assert_str_eq(why_verdict_name(why.verdict), why_verdict_name(cases[_i].verdict));
	ck_assert_str_eq(why_class_name(why.class), why_class_name(cases[_i].class));
	ck_assert_str_eq(why_confidence_name(why.confidence),
			 why_confidence_name(cases[_i].confidence));
	ck_assert_str_eq(buf_text(&blame), cases[_i].blame);
	if (cases[_i].summary)
		ck_assert_str_eq(why.summary, cases[_i].summary);
	why_fini(&why);
}
END_TEST

/* ---- the graph ---------------------------------------------------------------------------- */

START_TEST(test_edges_of_a_node_stand_together)
{
	struct why why = { 0 };

	make_mixed_cycle();
	find(TWO, &why);
	ck_assert_uint_gt(why.edges.len, 0);
	for (size_t i = 1; i < why.edges.len; i++)
		ck_assert_int_le(why.edges.items[i - 1].from, why.edges.items[i].from);
	for (size_t i = 0; i < world.picture.threads.len; i++) {
		ck_assert_int_eq(why.nodes.items[i].kind, WHY_NODE_THREAD);
		ck_assert_int_eq(why.nodes.items[i].index, (int)i);
	}
	why_fini(&why);
}
END_TEST

/* Node of the graph: its name and whether it is stuck. */
static void add_nodes(struct buf *out, const struct why *why)
{
	vec_for_each (n, &why->nodes)
		buf_addf(out, "%s%s\n", n->name, n->stuck ? ": stuck" : "");
}

START_TEST(test_only_who_depends_on_it_is_stuck)
{
	struct why why = { 0 };
	AUTO_BUF nodes = { 0 };

	make_lost_beside_computing();
	find(TWO, &why);
	add_nodes(&nodes, &why);
	ck_assert_str_eq(buf_text(&nodes),
			 "thread 0.0: stuck\nthread 0.1\nlock 'A': stuck\nno thread: stuck\n");
	why_fini(&why);
}
END_TEST

/* ---- large ones --------------------------------------------------------------------------- */

enum { MANY = 10000 };

/* Each thread for another one. */
static void wait_for_locks(int threads)
{
	team(threads);
	for (int i = 0; i < threads; i++)
		wait_at(i, WAIT_LOCK, 21)->object = LOCK_A + (taddr)i * 8;
}

static void make_long_cycle(void)
{
	wait_for_locks(MANY);
	for (int i = 0; i < MANY; i++) {
		thread_at(i)->wait.holder = (i + 1) % MANY;
		thread_at(i)->wait.holder_source = SOURCE_MEMORY;
	}
}

static void make_many_unknown_holders(void)
{
	wait_for_locks(MANY);
}

static void make_large_barrier(void)
{
	team(MANY);
	wait_all(0, MANY - 2, WAIT_EXPLICIT_BARRIER, 45);
	wait_at(MANY - 1, WAIT_REGION_END, 49);
}

/* A team just small enough that the thread to begin with is chosen with care. */
static void make_medium_barrier(void)
{
	team(4095);
	wait_all(0, 4093, WAIT_EXPLICIT_BARRIER, 45);
	wait_at(4094, WAIT_REGION_END, 49);
}

static void make_many_tasks(void)
{
	team(64);
	wait_all(0, 63, WAIT_REGION_END, 49);
	wait_at(0, WAIT_TASKWAIT, 52);
	for (int i = 0; i < 10 * MANY; i++)
		task(0, TASK_QUEUED, -1, 50);
}

/* Each thread waits for tasks of its own. */
static void make_many_taskwaits(void)
{
	team(512);
	wait_all(0, 511, WAIT_TASKWAIT, 52);
	for (int i = 0; i < 512 * 64; i++)
		task(i % 512, TASK_QUEUED, -1, 50);
}

static const struct {
	void (*make)(void);
	enum why_verdict verdict;
} large[] = {
	{ make_long_cycle, WHY_DEADLOCK },    { make_many_unknown_holders, WHY_STUCK },
	{ make_large_barrier, WHY_DEADLOCK }, { make_medium_barrier, WHY_DEADLOCK },
	{ make_many_tasks, WHY_UNKNOWN },     { make_many_taskwaits, WHY_UNKNOWN },
};

/* It ends, and is still told in a sentence. */
START_TEST(test_large)
{
	struct why why = { 0 };

	large[_i].make();
	find(TWO, &why);
	ck_assert_str_eq(why_verdict_name(why.verdict), why_verdict_name(large[_i].verdict));
	ck_assert_uint_lt(strlen(why.summary), 2000);
	why_fini(&why);
}
END_TEST

/* ---- tables ------------------------------------------------------------------------------ */

START_TEST(test_every_verdict_has_a_row)
{
	for (int verdict = 0; verdict < NUM_WHY_VERDICTS; verdict++) {
		ck_assert_int_eq(!strcmp(why_verdict_name(verdict), "unknown"),
				 verdict == WHY_UNKNOWN);
		for (int sure = 0; sure < NUM_WHY_CONFIDENCES; sure++) {
			struct why why = { .verdict = verdict, .confidence = sure };
			ck_assert_str_ne(why_confidence_name(sure), "unknown");
			ck_assert_ptr_nonnull(
				strchr(why_opening((&why)->verdict, (&why)->confidence), ':'));
		}
	}
	for (int class = 0; class < NUM_WHY_CLASSES; class ++) {
		struct why why = { .verdict = WHY_WAITING, .class = class };
		ck_assert_str_ne(why_class_name(class), "unknown");
		ck_assert_ptr_null(why_hint(&why));
	}
}
END_TEST

START_TEST(test_every_end_has_a_row)
{
	for (int end = 0; end < NUM_WHY_ENDS; end++) {
		const struct why_end_facts *facts = why_end_facts(end);
		ck_assert_int_gt(facts->weight, 0);
		ck_assert_int_eq(!facts->name, !facts->clause);
		/* What nobody can end has a class of its own to be stuck in. */
		ck_assert_int_eq(facts->hope == HOPE_ALWAYS, facts->stuck.class == WHY_NONE);
	}
}
END_TEST

START_TEST(test_a_mutex_is_named_by_its_address_or_its_function)
{
	static char function[] = "pthread_mutex_lock";
	struct picture_wait wait = { .kind = WAIT_MUTEX, .object = LOCK_A, .name = function };
	AUTO_BUF known = { 0 };
	AUTO_BUF unknown = { 0 };

	why_words_object(&known, &wait);
	ck_assert_str_eq(buf_text(&known), "mutex 0xa0");
	wait.object = 0;
	why_words_object(&unknown, &wait);
	ck_assert_str_eq(buf_text(&unknown), "mutex 'pthread_mutex_lock'");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("why");

	world_table(s, test_case, cases);
	world_case(s, "graph", test_edges_of_a_node_stand_together,
		   test_only_who_depends_on_it_is_stuck,
		   test_a_mutex_is_named_by_its_address_or_its_function);
	world_table(s, test_large, large);
	unit_case(s, "tables", test_every_verdict_has_a_row, test_every_end_has_a_row);
	return unit_run(s);
}
