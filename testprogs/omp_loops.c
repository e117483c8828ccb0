/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_loops SCENARIO: combined constructs, which compilers translate in ways of their own, with
 * each thread in an iteration or a section.
 */
#include "testprog_omp.h"

static NOINLINE void for_static(void)
{
#pragma omp parallel for num_threads(3) schedule(static) /* MARK: static */
	for (int i = 0; i < 3; i++)
		stay(3); /* MARK: in static */
	KEEP_FRAME();
}

static NOINLINE void for_dynamic(void)
{
#pragma omp parallel for num_threads(3) schedule(dynamic, 1) /* MARK: dynamic */
	for (int i = 0; i < 3; i++)
		stay(3); /* MARK: in dynamic */
	KEEP_FRAME();
}

static NOINLINE void for_guided(void)
{
#pragma omp parallel for num_threads(3) schedule(guided) /* MARK: guided */
	for (int i = 0; i < 3; i++)
		stay(3); /* MARK: in guided */
	KEEP_FRAME();
}

static NOINLINE void for_runtime(void)
{
	omp_set_schedule(omp_sched_dynamic, 1);
#pragma omp parallel for num_threads(3) schedule(runtime) /* MARK: runtime */
	for (int i = 0; i < 3; i++)
		stay(3); /* MARK: in runtime */
	KEEP_FRAME();
}

static NOINLINE void for_ordered(void)
{
#pragma omp parallel for num_threads(3) schedule(static, 1) ordered /* MARK: for ordered */
	for (int i = 0; i < 3; i++) {
		if (i > 0)
			tell("waits");
#pragma omp ordered /* MARK: ordered */
		{
			if (i == 0)
				stay(3); /* MARK: in ordered */
		}
	}
	KEEP_FRAME();
}

/* They differ, or the compiler makes one of them. */
static int first, second;

static NOINLINE void sections(void)
{
#pragma omp parallel sections num_threads(2) /* MARK: sections */
	{
#pragma omp section
		{
			stay_as("first", 2); /* MARK: first section */
			first++;
		}
#pragma omp section
		{
			stay_as("second", 2); /* MARK: second section */
			second++;
		}
	}
	KEEP_FRAME();
}

static NOINLINE void teams(void)
{
#pragma omp teams num_teams(2) thread_limit(2) /* MARK: teams */
	{
#pragma omp parallel num_threads(2) /* MARK: parallel in teams */
		{
			/* libgomp executes the teams one after the other, libomp all at once. */
			if (omp_get_team_num() == 0)
				stay(omp_get_num_threads()); /* MARK: in teams */
		}
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void league(void)
{
#pragma omp teams num_teams(2) /* MARK: league */
	{
		if (omp_get_team_num() == 0)
			stay_as("first", 2);
		else
			stay_as("second", 2);
	}
	KEEP_FRAME();
}

static NOINLINE void target(void)
{
#pragma omp target /* MARK: target */
	{
#pragma omp parallel num_threads(2) /* MARK: parallel in target */
		{
			stay(2); /* MARK: in target */
		}
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static const struct scenario scenarios[] = {
	SCENARIO(for_static),  SCENARIO(for_dynamic), SCENARIO(for_guided), SCENARIO(for_runtime),
	SCENARIO(for_ordered), SCENARIO(sections),    SCENARIO(teams),      SCENARIO(league),
	SCENARIO(target),      { NULL, NULL },
};

int main(int argc, char **argv)
{
	scenario_of(scenarios, argc, argv)(); /* MARK: run */
	return 0;
}
