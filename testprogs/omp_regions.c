/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* omp_regions SCENARIO: parallel regions of all kinds, in which every thread stays. */
#include "testprog_omp.h"

static NOINLINE void before(void)
{
	stay(1); /* MARK: before */
}

static NOINLINE void plain(void)
{
#pragma omp parallel num_threads(4) /* MARK: plain */
	stay(4);                    /* MARK: in plain */
	KEEP_FRAME();
}

static NOINLINE void nested(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) /* MARK: nested outer */
	{
#pragma omp parallel num_threads(2) /* MARK: nested inner */
		stay(4);            /* MARK: in nested */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void three_levels(void)
{
	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2) /* MARK: level 1 */
	{
#pragma omp parallel num_threads(2) /* MARK: level 2 */
		{
#pragma omp parallel num_threads(2) /* MARK: level 3 */
			{
				stay(8); /* MARK: in three levels */
			}
			KEEP_FRAME();
		}
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void serial_if(void)
{
#pragma omp parallel if (arrived) /* MARK: serial if */
	{
		stay(1); /* MARK: in serial if */
	}
	KEEP_FRAME();
}

static NOINLINE void serial_one(void)
{
#pragma omp parallel num_threads(1) /* MARK: serial one */
	{
		stay(1); /* MARK: in serial one */
	}
	KEEP_FRAME();
}

static NOINLINE void nested_serial(void)
{
	omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2) /* MARK: active */
	{
#pragma omp parallel num_threads(2) /* MARK: serial */
		{
#pragma omp parallel num_threads(2) /* MARK: serial in serial */
			{
				stay(2); /* MARK: in nested serial */
			}
			KEEP_FRAME();
		}
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void idle(void)
{
#pragma omp parallel num_threads(3)
	arrive();
	stay(4); /* MARK: idle */
}

static NOINLINE void solve_in_parallel(void)
{
#pragma omp parallel num_threads(2) /* MARK: callee's region */
	{
		stay(3); /* MARK: in callee */
	}
	KEEP_FRAME();
}

static NOINLINE void called(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) /* MARK: caller's region */
	{
		if (omp_get_thread_num() == 1)
			solve_in_parallel(); /* MARK: call */
		else
			tell("waits");
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

/* One thread of each team goes on into the next; its team mates wait for it. */
static NOINLINE void descend(int depth)
{
#pragma omp parallel num_threads(2) /* MARK: recursive */
	{
		if (omp_get_thread_num() == 1)
			tell("waits");
		else if (depth > 0)
			descend(depth - 1); /* MARK: descend */
		else
			stay(4); /* MARK: in recursive */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void recursive(void)
{
	omp_set_max_active_levels(3);
	descend(2); /* MARK: recursion begins */
	KEEP_FRAME();
}

static NOINLINE void masked(void)
{
#pragma omp parallel num_threads(2) /* MARK: masked */
	{
#pragma omp master
		stay(2); /* MARK: in master */
		if (omp_get_thread_num() != 0)
			tell("waits");
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static const struct scenario scenarios[] = {
	SCENARIO(before),    SCENARIO(plain),      SCENARIO(nested),        SCENARIO(three_levels),
	SCENARIO(serial_if), SCENARIO(serial_one), SCENARIO(nested_serial), SCENARIO(idle),
	SCENARIO(called),    SCENARIO(recursive),  SCENARIO(masked),        { NULL, NULL },
};

int main(int argc, char **argv)
{
	scenario_of(scenarios, argc, argv)(); /* MARK: run */
	return 0;
}
