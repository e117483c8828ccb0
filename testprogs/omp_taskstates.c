/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* omp_taskstates SCENARIO: tasks in all states, while thread 0, 1 or both stay. */
#include "testprog_omp.h"

static int finished, created;
static UNUSED int datum;

static NOINLINE void finish(void)
{
	__atomic_add_fetch(&finished, 1, __ATOMIC_SEQ_CST);
}

static NOINLINE void body(void)
{
	stay(2); /* MARK: body */
	finish();
	KEEP_FRAME();
}

/*
 * Who is to execute tasks comes when they are there: LLVM's runtime does not always wake a thread
 * that goes to sleep at a barrier while the first task is made.
 */
static void come_behind(void)
{
	while (!__atomic_load_n(&created, __ATOMIC_SEQ_CST))
		sched_yield();
}

static void wait_for_executor(void)
{
	__atomic_store_n(&created, 1, __ATOMIC_SEQ_CST);
	wait_for_arrivals(1);
}

static NOINLINE void queued(void)
{
	if (omp_get_thread_num() == 0) {
		for (int i = 0; i < 3; i++) {
#pragma omp task /* MARK: queued task */
			finish();
		}
	}
	stay(2); /* MARK: creator of queued */
}

static NOINLINE void priorities(void)
{
	if (omp_get_thread_num() == 0) {
		for (int i = 0; i < 3; i++) {
#pragma omp task priority(i) /* MARK: task with priority */
			finish();
		}
	}
	stay(2); /* MARK: creator of priorities */
}

/* Thread 1 executes the first, for which the others wait: one follows the other. */
static NOINLINE void blocked(void)
{
	if (omp_get_thread_num() == 0) {
#pragma omp task depend(out : datum) /* MARK: first */
		{
			body(); /* MARK: in first */
			KEEP_FRAME();
		}
#pragma omp task depend(inout : datum) /* MARK: second */
		finish();
#pragma omp task depend(in : datum) /* MARK: third */
		finish();
		wait_for_executor();
		stay(2); /* MARK: creator of blocked */
	} else {
		come_behind();
	}
	KEEP_FRAME();
}

static NOINLINE void in_barrier(void)
{
	if (omp_get_thread_num() == 0) {
#pragma omp task /* MARK: task for barrier */
		{
			body(); /* MARK: in task in barrier */
			KEEP_FRAME();
		}
		wait_for_executor();
		stay(2); /* MARK: creator of task for barrier */
		finished += 2;
	} else {
		come_behind();
	}
#pragma omp barrier /* MARK: barrier */
	KEEP_FRAME();
}

static NOINLINE void create_task_to_steal(void)
{
#pragma omp task /* MARK: stolen task */
	{
		body(); /* MARK: in stolen task */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void stolen(void)
{
	if (omp_get_thread_num() == 0) {
		create_task_to_steal();
		wait_for_executor();
		stay(2); /* MARK: creator of stolen task */
		finished += 2;
	} else {
		come_behind();
	}
	KEEP_FRAME();
}

static NOINLINE void undeferred(void)
{
#pragma omp task if (0) /* MARK: undeferred task */
	{
#pragma omp task if (0) /* MARK: undeferred in undeferred */
		{
			body(); /* MARK: in undeferred task */
			KEEP_FRAME();
		}
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void final(void)
{
#pragma omp task final(1) if (0) /* MARK: final task */
	{
#pragma omp task /* MARK: included task */
		{
			body(); /* MARK: in included task */
			KEEP_FRAME();
		}
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void untied(void)
{
	if (omp_get_thread_num() == 0) {
#pragma omp task untied /* MARK: untied task */
		{
			body(); /* MARK: in untied task */
			KEEP_FRAME();
		}
		wait_for_executor();
		stay(2); /* MARK: creator of untied task */
		finished += 2;
	} else {
		come_behind();
	}
	KEEP_FRAME();
}

/* Tasks within taskwaits within tasks, all in thread 0: thread 1 looks at no tasks. */
static NOINLINE void descend(int depth)
{
#pragma omp task /* MARK: recursive task */
	{
		if (depth > 0)
			descend(depth - 1); /* MARK: descend */
		else
			body(); /* MARK: deepest */
		KEEP_FRAME();
	}
#pragma omp taskwait /* MARK: recursive taskwait */
	KEEP_FRAME();
}

static NOINLINE void recursive(void)
{
	if (omp_get_thread_num() == 0)
		descend(2); /* MARK: recursion begins */
	else
		stay(2); /* MARK: aside */
	finish();
	KEEP_FRAME();
}

static const struct scenario workers[] = {
	SCENARIO(queued),    SCENARIO(priorities), SCENARIO(blocked), SCENARIO(in_barrier),
	SCENARIO(stolen),    SCENARIO(undeferred), SCENARIO(final),   SCENARIO(untied),
	SCENARIO(recursive), { NULL, NULL },
};

int main(int argc, char **argv)
{
	void (*run)(void) = scenario_of(workers, argc, argv);
	in_team(run); /* MARK: run */
	int wanted = run == undeferred || run == final ? 2 : 3;
	if (finished != wanted)
		FAIL("%d of %d tasks finished", finished, wanted);
	return 0;
}
