/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* libomp_tasks SCENARIO: known numbers of tasks that nobody executes, while both threads stay. */
#include "testprog_omp.h"

static int finished;
static UNUSED int a, b, c;

static NOINLINE void finish(void)
{
	__atomic_add_fetch(&finished, 1, __ATOMIC_SEQ_CST);
}

static NOINLINE void create(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp task /* MARK: plain */
		finish();
	}
}

/* Each of the threads has a queue; that of the first is full. */
static NOINLINE void full(void)
{
	create(omp_get_thread_num() == 0 ? 256 : 3);
	stay(2);
}

/* Thread 1 has taken tasks from the front of the queue: what comes now goes beyond its end. */
static NOINLINE void wrapped(void)
{
	if (omp_get_thread_num() == 0) {
		create(199);
#pragma omp task /* MARK: last of the first */
		stay(2);
		wait_for_arrivals(1);
		create(150);
		stay(2);
	}
}

/* The second and the third wait for the first, the fourth for both of them. */
static NOINLINE void diamond(void)
{
	if (omp_get_thread_num() == 0) {
#pragma omp task depend(out : a, b) /* MARK: top */
		stay(2);
#pragma omp task depend(in : a) depend(out : c) /* MARK: left */
		finish();
#pragma omp task depend(in : b, a) /* MARK: right */
		finish();
#pragma omp task depend(inout : a, b, c) /* MARK: bottom */
		finish();
		wait_for_arrivals(1);
		stay(2);
	}
}

/* The second is in a queue, and kept out by the first. */
static NOINLINE void excluded(void)
{
	if (omp_get_thread_num() == 0) {
#pragma omp task depend(mutexinoutset : a, b) /* MARK: excludes */
		stay(2);
		wait_for_arrivals(1);
#pragma omp task depend(mutexinoutset : b) /* MARK: excluded */
		finish();
#pragma omp task depend(mutexinoutset : c) /* MARK: not excluded */
		finish();
		stay(2);
	}
}

/* The creator of some tasks has ended; one of those, which LLVM's runtime takes first, has not. */
static NOINLINE void families(void)
{
	if (omp_get_thread_num() == 0) {
#pragma omp task /* MARK: gone parent */
		{
			create(2);
#pragma omp task /* MARK: parent */
			{
				create(3);
				stay(2);
			}
		}
		wait_for_arrivals(1);
		create(1);
		stay(2);
	}
}

/* The tasks belong to the outer region, where no thread is any longer. */
static NOINLINE void outer(void)
{
	create(2);
#pragma omp parallel num_threads(2)
	{
		create(1);
		stay(4);
	}
}

static NOINLINE void untied(void)
{
	if (omp_get_thread_num() == 0) {
#pragma omp task untied /* MARK: untied */
		finish();
#pragma omp task mergeable /* MARK: mergeable */
		finish();
	}
	stay(2);
}

static int created;

/*
 * Thread 1 executes a task, of which then only the event is left, and stays in another one. That is
 * there before the first one ends: threads that sleep at a barrier are not told of more tasks.
 */
static NOINLINE void leave_detached(omp_event_handle_t *where)
{
	omp_event_handle_t handle = (omp_event_handle_t)0;
#pragma omp task detach(handle) depend(out : a) /* MARK: detached */
	{
		*where = handle;
		finish();
		while (!__atomic_load_n(&created, __ATOMIC_SEQ_CST))
			sched_yield();
	}
#pragma omp task /* MARK: occupies */
	stay(2);
	__atomic_store_n(&created, 1, __ATOMIC_SEQ_CST);
	wait_for_arrivals(1);
}

static omp_event_handle_t event;

static NOINLINE void in_variable(void)
{
	if (omp_get_thread_num() == 0) {
		leave_detached(&event);
		stay(2);
		omp_fulfill_event(event);
	}
}

static NOINLINE void on_stack(void)
{
	if (omp_get_thread_num() == 0) {
		omp_event_handle_t here;
		leave_detached(&here);
		stay(2);
		omp_fulfill_event(here);
	}
}

/* Only its address is on the stack. */
static NOINLINE void on_heap(void)
{
	if (omp_get_thread_num() == 0) {
		omp_event_handle_t *there = malloc(sizeof(*there));
		leave_detached(there);
		stay(2);
		omp_fulfill_event(*there);
		free(there);
	}
}

/* A task has the event and is to fulfil it; another one waits for that which is detached. */
static NOINLINE void in_task(void)
{
	if (omp_get_thread_num() == 0) {
		leave_detached(&event);
		omp_event_handle_t handle = event;
		event = (omp_event_handle_t)0;
#pragma omp task depend(in : a) /* MARK: dependent */
		finish();
#pragma omp task firstprivate(handle) /* MARK: fulfils */
		omp_fulfill_event(handle);
		stay(2);
	}
}

/* How many tasks end with finish(). */
static const struct {
	struct scenario scenario;
	int finished;
} rows[] = {
	{ SCENARIO(full), 259 },   { SCENARIO(wrapped), 349 },   { SCENARIO(diamond), 3 },
	{ SCENARIO(excluded), 2 }, { SCENARIO(families), 6 },    { SCENARIO(outer), 8 },
	{ SCENARIO(untied), 2 },   { SCENARIO(in_variable), 1 }, { SCENARIO(on_stack), 1 },
	{ SCENARIO(on_heap), 1 },  { SCENARIO(in_task), 2 },
};
enum { ROWS = sizeof(rows) / sizeof(*rows) };

int main(int argc, char **argv)
{
	struct scenario scenarios[ROWS + 1] = { { NULL, NULL } };
	int wanted = 0;

	for (int i = 0; i < ROWS; i++)
		scenarios[i] = rows[i].scenario;
	void (*run)(void) = scenario_of(scenarios, argc, argv);
	for (int i = 0; i < ROWS; i++)
		wanted = rows[i].scenario.run == run ? rows[i].finished : wanted;
	omp_set_max_active_levels(2);
	in_team(run);
	if (finished != wanted)
		FAIL("%d of %d tasks finished", finished, wanted);
	return 0;
}
