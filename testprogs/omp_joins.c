/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* omp_joins SCENARIO [TEAM]: one thread stays, the others wait for it at the end of something.
 */
#include "testprog_omp.h"

static int total, given;

static NOINLINE void barrier(void)
{
	if (omp_get_thread_num() == 1)
		stay(team); /* MARK: barrier, straggler */
	else
		tell("waits");
#pragma omp barrier /* MARK: barrier */
	KEEP_FRAME();
}

static NOINLINE void region_end(void)
{
	if (omp_get_thread_num() == 1)
		stay(team); /* MARK: region end, worker */
	else
		tell("waits");
}

static NOINLINE void region_end_primary(void)
{
	if (omp_get_thread_num() == 0)
		stay(team); /* MARK: region end, primary */
	else
		tell("waits");
}

/* Thread 1 executes a task at the region's end, where thread 2 waits. */
static NOINLINE void task_at_end(void)
{
	if (omp_get_thread_num() == 0) {
#pragma omp task /* MARK: task at end */
		{
			stay_as("executes", team); /* MARK: in task at end */
			KEEP_FRAME();
		}
		__atomic_add_fetch(&given, 1, __ATOMIC_SEQ_CST);
		wait_for_arrivals(1);
		stay(team); /* MARK: creator of task at end */
		return;
	}
	while (!__atomic_load_n(&given, __ATOMIC_SEQ_CST))
		sched_yield(); /* LLVM's runtime may leave who sleeps there already asleep */
	if (omp_get_thread_num() == 2) {
		wait_for_arrivals(1);
		tell("waits");
	}
}

static NOINLINE void for_static(void)
{
#pragma omp for schedule(static, 1) /* MARK: for static */
	for (int i = 0; i < team; i++) {
		if (i == 1)
			stay(team); /* MARK: in for static */
		else
			tell("waits");
	} /* MARK: end of for static */
	KEEP_FRAME();
}

static NOINLINE void for_dynamic(void)
{
	if (omp_get_thread_num() != 1) {
		wait_for_arrivals(1);
		tell("waits");
	}
#pragma omp for schedule(dynamic, 1) /* MARK: for dynamic */
	for (int i = 0; i < 2 * team; i++) {
		if (i == 0)
			stay(team); /* MARK: in for dynamic */
	}                           /* MARK: end of for dynamic */
	KEEP_FRAME();
}

static NOINLINE void sections(void)
{
	if (omp_get_thread_num() != 0) {
		wait_for_arrivals(1);
		tell("waits");
	}
#pragma omp sections /* MARK: sections */
	{
#pragma omp section
		stay(team); /* MARK: in section */
#pragma omp section
		given++;
	} /* MARK: end of sections */
	KEEP_FRAME();
}

static NOINLINE void single(void)
{
	if (omp_get_thread_num() != 1) {
		wait_for_arrivals(1);
		tell("waits");
	}
#pragma omp single /* MARK: single */
	{
		stay(team); /* MARK: in single */
	}                   /* MARK: end of single */
	KEEP_FRAME();
}

static NOINLINE void copyprivate(void)
{
	int value = 0;
	if (omp_get_thread_num() != 1) {
		wait_for_arrivals(1);
		tell("waits");
	}
#pragma omp single copyprivate(value) /* MARK: copyprivate */
	{
		stay(team); /* MARK: in copyprivate */
		value = 1;
	} /* MARK: end of copyprivate */
	__atomic_add_fetch(&given, value, __ATOMIC_SEQ_CST);
}

static NOINLINE int summand(void)
{
	if (omp_get_thread_num() == 1)
		stay(team); /* MARK: reduction, straggler */
	else
		tell("waits");
	return 1;
}

static NOINLINE void reduction(void)
{
	int sum = 0;
#pragma omp parallel num_threads(team) reduction(+ : sum) /* MARK: reduction */
	{
		sum += summand(); /* MARK: summand */
	}
	total = sum;
}

static const struct scenario workers[] = {
	SCENARIO(barrier),     SCENARIO(region_end),  SCENARIO(region_end_primary),
	SCENARIO(for_static),  SCENARIO(for_dynamic), SCENARIO(sections),
	SCENARIO(single),      SCENARIO(copyprivate), SCENARIO(reduction),
	SCENARIO(task_at_end), { NULL, NULL },
};

int main(int argc, char **argv)
{
	void (*run)(void) = scenario_of(workers, argc, argv);
	if (run == reduction)
		run(); /* MARK: run alone */
	else
		in_team(run); /* MARK: run */
	if ((run == reduction && total != team) || (run == copyprivate && given != team))
		FAIL("wrong results: %d, %d", total, given);
	return 0;
}
