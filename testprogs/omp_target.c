/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* omp_target SCENARIO: threads stay in constructs that are no parallel region of a team. */
#include "testprog_omp.h"

static int mapped;

static NOINLINE void target(void)
{
#pragma omp target map(tofrom : mapped) /* MARK: target */
	{
		mapped++;
		stay(1); /* MARK: in target */
	}
	KEEP_FRAME();
}

/* The other one waits for it. */
static NOINLINE void of_member(int who)
{
#pragma omp parallel num_threads(2) /* MARK: team */
	{
		if (omp_get_thread_num() == who)
			target();
#pragma omp barrier
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void of_primary(void)
{
	of_member(0);
}

static NOINLINE void of_worker(void)
{
	of_member(1);
}

static NOINLINE void teams(void)
{
#pragma omp teams num_teams(1) /* MARK: teams */
	{
		stay(1); /* MARK: in teams */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

/* The runtime may give it to a thread of its own. */
static NOINLINE void target_task(void)
{
#pragma omp target nowait map(tofrom : mapped) /* MARK: target task */
	{
		mapped++;
		stay_until_the_end(0); /* MARK: in target task */
	}
#pragma omp taskwait /* MARK: wait for target task */
	KEEP_FRAME();
}

/* Nothing but regions of one thread. */
static NOINLINE void chain(void)
{
#pragma omp parallel num_threads(1) /* MARK: chain 1 */
	{
#pragma omp parallel num_threads(1) /* MARK: chain 2 */
		{
#pragma omp parallel num_threads(1) /* MARK: chain 3 */
			{
				stay(1); /* MARK: in chain */
				KEEP_FRAME();
			}
			KEEP_FRAME();
		}
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static const struct scenario scenarios[] = {
	SCENARIO(target),     SCENARIO(teams),     SCENARIO(target_task), SCENARIO(chain),
	SCENARIO(of_primary), SCENARIO(of_worker), { NULL, NULL },
};

int main(int argc, char **argv)
{
	scenario_of(scenarios, argc, argv)();
	return 0;
}
