/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_taskwaits SCENARIO: thread 0 waits for a task that thread 1 executes at the end of the region
 * and stays in.
 */
#include "testprog_omp.h"

static int finished;
static UNUSED int datum;

/* Not before it runs elsewhere: waiting threads execute tasks themselves. */
static NOINLINE void wait_until_the_task_runs(void)
{
	wait_for_arrivals(1);
	tell("waits");
}

static NOINLINE void body(void)
{
	stay(2); /* MARK: body */
	__atomic_add_fetch(&finished, 1, __ATOMIC_SEQ_CST);
	KEEP_FRAME();
}

static NOINLINE void taskwait(void)
{
#pragma omp task /* MARK: awaited task */
	{
		body(); /* MARK: in awaited task */
		KEEP_FRAME();
	}
	wait_until_the_task_runs();
#pragma omp taskwait /* MARK: taskwait */
	KEEP_FRAME();
}

static NOINLINE void taskgroup(void)
{
#pragma omp taskgroup /* MARK: taskgroup */
	{
#pragma omp task /* MARK: task of group */
		{
			body(); /* MARK: in task of group */
			KEEP_FRAME();
		}
		wait_until_the_task_runs();
	} /* MARK: end of taskgroup */
	KEEP_FRAME();
}

static NOINLINE void dependence(void)
{
#pragma omp task depend(out : datum) /* MARK: producer */
	{
		body(); /* MARK: in producer */
		KEEP_FRAME();
	}
	wait_until_the_task_runs();
#pragma omp task if (0) depend(in : datum) /* MARK: consumer */
	finished += datum;
	KEEP_FRAME();
}

static NOINLINE void taskwait_depend(void)
{
#if defined(__clang__) && __clang_major__ < 16
	exit(77);
#else
#pragma omp task depend(out : datum)    /* MARK: awaited producer */
	{
		body(); /* MARK: in awaited producer */
		KEEP_FRAME();
	}
	wait_until_the_task_runs();
#pragma omp taskwait depend(in : datum) /* MARK: taskwait depend */
	KEEP_FRAME();
#endif
}

/* Each thread gets one of the tasks. */
static NOINLINE void taskloop(void)
{
#pragma omp taskloop num_tasks(2) /* MARK: taskloop */
	for (int i = 0; i < 2; i++) {
		if (omp_get_thread_num() == 0) {
			wait_until_the_task_runs();
			KEEP_FRAME();
		} else {
			body(); /* MARK: in taskloop */
			KEEP_FRAME();
		}
	} /* MARK: end of taskloop */
	KEEP_FRAME();
}

static omp_event_handle_t event;

/* Thread 0 has executed the task, but thread 1 does not say yet that it is complete. */
static NOINLINE void detached(void)
{
	omp_event_handle_t handle = (omp_event_handle_t)0;
#pragma omp task detach(handle) /* MARK: detached task */
	{
		event = handle; /* MARK: in detached task */
		arrive();
	}
	tell("waits");
#pragma omp taskwait /* MARK: taskwait for event */
	finished++;
	KEEP_FRAME();
}

static NOINLINE void fulfil(void)
{
	stay(3); /* MARK: fulfil */
	omp_fulfill_event(event);
	KEEP_FRAME();
}

static NOINLINE void taskyield(void)
{
#pragma omp task untied /* MARK: yielding task */
	{
		body(); /* MARK: in yielding task */
#pragma omp taskyield
		KEEP_FRAME();
	}
	wait_until_the_task_runs();
#pragma omp barrier /* MARK: barrier with tasks */
	KEEP_FRAME();
}

static void (*create)(void);

static NOINLINE void create_or_execute(void)
{
	if (omp_get_thread_num() == 0)
		create(); /* MARK: create */
	else if (create == detached)
		fulfil(); /* MARK: call fulfil */
	else if (create == taskyield) {
#pragma omp barrier /* MARK: barrier of executor */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static const struct scenario creators[] = {
	SCENARIO(taskwait), SCENARIO(taskgroup), SCENARIO(dependence), SCENARIO(taskwait_depend),
	SCENARIO(taskloop), SCENARIO(detached),  SCENARIO(taskyield),  { NULL, NULL },
};

int main(int argc, char **argv)
{
	create = scenario_of(creators, argc, argv);
	in_team(create_or_execute); /* MARK: run */
	if (finished != 1)
		FAIL("%d tasks finished", finished);
	return 0;
}
