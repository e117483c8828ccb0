/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_tailcalls SCENARIO: functions whose last call is one of the runtime, or of the C library.
 * Optimised, it is a jump, and the function that waits has no frame.
 */
#include <stdbool.h>
#include <time.h>

#include "testprog_omp.h"

static omp_lock_t lock;
static int got;

static NOINLINE void end_with_barrier(void)
{
	got++;      /* gcc has no line for a jump that is all there is */
#pragma omp barrier /* MARK: barrier */
}

static NOINLINE void end_with_lock(void)
{
	omp_set_lock(&lock); /* MARK: lock */
}

static NOINLINE void end_with_taskwait(void)
{
	got++;
#pragma omp taskwait /* MARK: taskwait */
}

static NOINLINE void barrier(void)
{
	if (omp_get_thread_num() == 1)
		stay(2); /* MARK: straggler */
	else
		tell("waits");
	end_with_barrier(); /* MARK: call of barrier */
	KEEP_FRAME();
}

static NOINLINE void set_lock(void)
{
	if (omp_get_thread_num() == 1) {
		omp_set_lock(&lock);
		stay(2); /* MARK: holder */
	} else {
		wait_for_arrivals(1);
		tell("waits");
		end_with_lock(); /* MARK: call of lock */
	}
	got++;
	omp_unset_lock(&lock);
	KEEP_FRAME();
}

static NOINLINE void body(void)
{
	stay(2); /* MARK: body */
}

static NOINLINE void taskwait(void)
{
	if (omp_get_thread_num() == 0) {
#pragma omp task /* MARK: task */
		{
			body(); /* MARK: in task */
			KEEP_FRAME();
		}
		wait_for_arrivals(1);
		tell("waits");
		end_with_taskwait(); /* MARK: call of taskwait */
	}
	KEEP_FRAME();
}

static NOINLINE void region(void)
{
#pragma omp parallel num_threads(2) /* MARK: region ends with barrier */
	{
		if (omp_get_thread_num() == 1)
			stay(2); /* MARK: straggler in region */
		else
			tell("waits");
#pragma omp barrier /* MARK: barrier ends region */
	}
	KEEP_FRAME();
}

/* The inner region is the last that the outer one does. */
static NOINLINE void regions(void)
{
#pragma omp parallel num_threads(2) /* MARK: outer region */
	{
#pragma omp parallel num_threads(1) /* MARK: inner region */
		{
			stay(2); /* MARK: in inner region */
		}
	}
	KEEP_FRAME();
}

static bool one_waits;

static NOINLINE void in_both(void)
{
	if (one_waits && omp_get_thread_num() == 0)
		tell("waits");
	else
		stay(4); /* MARK: in both regions */
	KEEP_FRAME();
}

static NOINLINE void inner_last(void)
{
	got++;
#pragma omp parallel num_threads(2) /* MARK: inner that is last */
	in_both();                  /* MARK: call in inner */
}

static NOINLINE void outer_last(void)
{
	got++;
#pragma omp parallel num_threads(2) /* MARK: outer that is last */
	inner_last();               /* MARK: call in outer */
}

/* Of the functions between the first and the last one nothing is left. */
static NOINLINE void lasts(void)
{
	omp_set_max_active_levels(2);
	outer_last(); /* MARK: call of lasts */
	KEEP_FRAME();
}

static NOINLINE void lasts_end(void)
{
	one_waits = true;
	lasts(); /* MARK: call to end */
	KEEP_FRAME();
}

static NOINLINE void add_one(void)
{
	__atomic_add_fetch(&got, 1, __ATOMIC_SEQ_CST);
}

static const struct timespec hour = { .tv_sec = 3600, .tv_nsec = 0 };

static NOINLINE void asleep(void)
{
#pragma omp parallel num_threads(2) /* MARK: region ends with sleep */
	{
		tell("waits");
		if (omp_get_thread_num() == 1)
			nanosleep(&hour, NULL); /* MARK: sleep */
	}
	KEEP_FRAME();
}

static NOINLINE void task_asleep(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single /* MARK: single */
	{
#pragma omp task
		{
			tell("waits");
			nanosleep(&hour, NULL); /* MARK: task sleeps */
		}
#pragma omp taskwait /* MARK: taskwait for sleep */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

/* By jumps to different functions, which return to the same place. */
static NOINLINE void ends(void)
{
	for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(2)
#pragma omp sections
		{
#pragma omp section
			add_one();
#pragma omp section
			add_one();
		}
#pragma omp parallel num_threads(2)
		{
			add_one();
#pragma omp barrier /* MARK: barrier at end */
		}
	}
	KEEP_FRAME();
}

static const struct scenario scenarios[] = {
	SCENARIO(barrier),   SCENARIO(set_lock), SCENARIO(taskwait),    SCENARIO(region),
	SCENARIO(regions),   SCENARIO(asleep),   SCENARIO(task_asleep), SCENARIO(lasts),
	SCENARIO(lasts_end), SCENARIO(ends),     { NULL, NULL },
};

int main(int argc, char **argv)
{
	void (*run)(void) = scenario_of(scenarios, argc, argv);
	omp_init_lock(&lock);
	tell_object("lock", &lock);
	if (run == region || run == regions || run == asleep || run == task_asleep ||
	    run == lasts || run == lasts_end || run == ends)
		run(); /* MARK: run alone */
	else
		in_team(run); /* MARK: run */
	return run != set_lock || got == 2 ? 0 : 1;
}
