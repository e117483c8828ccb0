/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_worksharing SCENARIO: loops whose threads each stay in their second iteration. When stdin has
 * ended they go on, and in the end the program says who executed which iteration:
 *
 *   now lwp=12 num=1 i=9        while it stays
 *   done num=0,0,1,1,...        by the order of iterations
 */
#include "testprog_omp.h"

enum { THREADS = 3, ITERATIONS = 40 };

static int owner[ITERATIONS];
static __thread int executed;
static int staying = THREADS; /* threads that get so far as to stay */
static int asked;

static NOINLINE void one(long k, long long i)
{
	char line[128];

	owner[k] = omp_get_thread_num();
	if (++executed == 2) {
		say_line(line, snprintf(line, sizeof(line), "now lwp=%d num=%d i=%lld\n", gettid(),
					omp_get_thread_num(), i));
		arrive();
		stay_until_the_end(staying);
	}
	KEEP_FRAME();
}

static int count; /* ITERATIONS, which the compiler does not know */

static NOINLINE void for_static(void)
{
#pragma omp parallel for num_threads(THREADS) schedule(static) /* MARK: static */
	for (int i = 0; i < count; i++)
		one(i, i);
	KEEP_FRAME();
}

static NOINLINE void for_plain(void)
{
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp for /* MARK: plain */
		for (int i = 5; i < 2 * count + 5; i += 2) {
			one((i - 5) / 2, i);
		}
	}
	KEEP_FRAME();
}

static NOINLINE void for_static_chunk(void)
{
#pragma omp parallel for num_threads(THREADS) schedule(static, 4) /* MARK: static_chunk */
	for (int i = 0; i < count; i++)
		one(i, i);
	KEEP_FRAME();
}

static NOINLINE void for_dynamic(void)
{
#pragma omp parallel for num_threads(THREADS) schedule(dynamic, 4) /* MARK: dynamic */
	for (int i = 0; i < count; i++)
		one(i, i);
	KEEP_FRAME();
}

static NOINLINE void for_monotonic(void)
{
#pragma omp parallel num_threads(THREADS)
	{
/* clang-format off */
#pragma omp for schedule(monotonic : dynamic, 3) /* MARK: monotonic */
		/* clang-format on */
		for (long i = 10; i < 10 + 3L * count; i += 3)
			one((i - 10) / 3, i);
	}
	KEEP_FRAME();
}

static NOINLINE void for_guided(void)
{
#pragma omp parallel for num_threads(THREADS) schedule(guided, 2) /* MARK: guided */
	for (int i = count - 1; i >= 0; i--)
		one(count - 1 - i, i);
	KEEP_FRAME();
}

static NOINLINE void for_runtime(void)
{
#pragma omp parallel for num_threads(THREADS) schedule(runtime) /* MARK: runtime */
	for (int i = 0; i < count; i++)
		one(i, i);
	KEEP_FRAME();
}

static NOINLINE void for_auto(void)
{
#pragma omp parallel for num_threads(THREADS) schedule(auto) /* MARK: auto */
	for (int i = 0; i < count; i++)
		one(i, i);
	KEEP_FRAME();
}

static NOINLINE void for_unsigned(void)
{
	unsigned long long begin = 1ULL << 63;
#pragma omp parallel for num_threads(THREADS) schedule(dynamic, 4) /* MARK: unsigned */
	for (unsigned long long i = begin; i < begin + 2 * (unsigned)count; i += 2)
		one((long)(i - begin) / 2, (long long)i);
	KEEP_FRAME();
}

/* Constants, with the highest bit set all along; the end and the step are 0: gcc has signs then. */
static NOINLINE void for_high(void)
{
	const unsigned long long begin = 0xffffffffffffffae;
#pragma omp parallel for num_threads(THREADS) schedule(dynamic, 4) /* MARK: high */
	for (unsigned long long i = 0xffffffffffffffae; i < 0xfffffffffffffffe; i += 2)
		one((long)(i - begin) / 2, (long long)i);
	KEEP_FRAME();
}

static NOINLINE void for_down(void)
{
	int begin = 3 * count - 7;
#pragma omp parallel for num_threads(THREADS) schedule(dynamic, 4) /* MARK: down */
	for (long i = begin; i > -5; i -= 3)
		one((begin - i) / 3, i);
	KEEP_FRAME();
}

static NOINLINE void for_tasks(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
#pragma omp taskloop num_tasks(THREADS) /* MARK: tasks */
	for (unsigned long i = 5; i < 2UL * count + 5; i += 2) {
		one((long)(i - 5) / 2, (long long)i);
	}
	KEEP_FRAME();
}

/* How many threads there are in a team of a league depends on the machine. */
static NOINLINE void for_distribute(void)
{
	staying = 1;
	/* clang-format off */
#pragma omp teams num_teams(1)
#pragma omp distribute parallel for num_threads(1) dist_schedule(static, 20) /* MARK: distribute */
	/* clang-format on */
	for (int i = 0; i < count; i++)
		one(i, i);
	KEEP_FRAME();
}

static NOINLINE void for_collapse(void)
{
	/* clang-format off */
#pragma omp parallel for num_threads(THREADS) schedule(dynamic, 4) collapse(2) /* MARK: collapse */
	/* clang-format on */
	for (int i = 0; i < count / 8; i++)
		for (int j = 0; j < 8; j++)
			one(i * 8 + j, i * 8 + j);
	KEEP_FRAME();
}

static NOINLINE int limit(void)
{
	asked++;
	return 4;
}

/* One thread has nothing to do; and who evaluates the bound calls a function. */
static NOINLINE void for_short(void)
{
	staying = 2;
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp for schedule(static, 2) /* MARK: short */
		for (int i = 0; i < limit(); i++)
			one(i, i);
	}
	KEEP_FRAME();
}

static const struct scenario scenarios[] = {
	SCENARIO(for_static),     SCENARIO(for_plain),     SCENARIO(for_static_chunk),
	SCENARIO(for_dynamic),    SCENARIO(for_monotonic), SCENARIO(for_guided),
	SCENARIO(for_runtime),    SCENARIO(for_auto),      SCENARIO(for_unsigned),
	SCENARIO(for_high),       SCENARIO(for_down),      SCENARIO(for_tasks),
	SCENARIO(for_distribute), SCENARIO(for_collapse),  SCENARIO(for_short),
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	char line[1024];
	int n = 0;

	count = argc > 100 ? 0 : ITERATIONS;
	scenario_of(scenarios, argc, argv)(); /* MARK: run */
	if (asked > THREADS)
		FAIL("somebody else has called limit()");
	n = snprintf(line, sizeof(line), "done num=%d", owner[0]);
	for (int i = 1; i < ITERATIONS; i++)
		n += snprintf(line + n, sizeof(line) - n, ",%d", owner[i]);
	say_line(line, n + snprintf(line + n, sizeof(line) - n, "\n"));
	return 0;
}
