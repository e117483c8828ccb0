/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Each construct a number of times that the program counts by itself, and says in the end:
 * "task-create 5" for each event. With an argument it waits for a line first, in a region, at a
 * barrier that its other thread has come to: so that somebody can attach.
 */
#include <omp.h>
#include <stdio.h>

enum { ROUNDS = 3, TASKS = 5 };

static int counts[9];
enum { REGIONS, IMPLICIT, CREATED, RUN, CRITICAL, LOCKED, TRIED, SINGLE, LOOPING };

static void count(int what)
{
	__atomic_fetch_add(&counts[what], 1, __ATOMIC_RELAXED);
}

static omp_lock_t lock;

/* For conditions. */
int created(void)
{
	return counts[CREATED] - 1;
}

static void region(int tasks)
{
#pragma omp parallel num_threads(2)
	{
		count(IMPLICIT);
#pragma omp barrier /* MARK: barrier */
#pragma omp critical(ledger)
		count(CRITICAL);     /* MARK: critical */
		omp_set_lock(&lock); /* MARK: lock */
		count(LOCKED);
		omp_unset_lock(&lock);
		if (omp_test_lock(&lock)) {
			count(TRIED);
			omp_unset_lock(&lock);
		}
#pragma omp single
		{
			count(SINGLE);
			for (int i = 0; i < tasks; i++) {
				count(CREATED);
#pragma omp task firstprivate(i) /* MARK: task */
				count(RUN);
			}
#pragma omp taskwait
		}
	}
	count(REGIONS); /* MARK: behind */
}

/* One call begins and ends the region, and gives out the loop. */
static void looping(void)
{
#pragma omp parallel for num_threads(2) schedule(dynamic) /* MARK: whole */
	for (int i = 0; i < TASKS; i++)
		(void)created();
	count(LOOPING);
}

static void attached(void)
{
	int c = 0;

#pragma omp parallel num_threads(2)
	{
		if (!omp_get_thread_num()) {
			puts("ready");
			fflush(stdout);
			c = getchar();
		}
#pragma omp barrier /* MARK: first */
	}
	(void)c;
}

int main(int argc, char **argv)
{
	(void)argv;
	omp_init_lock(&lock);
	if (argc > 1)
		attached();
	for (int i = 0; i < ROUNDS; i++)
		region(TASKS);
	looping();
	omp_destroy_lock(&lock);
	printf("regions %d implicit %d created %d run %d critical %d locked %d tried %d single "
	       "%d looping %d\n",
	       counts[REGIONS], counts[IMPLICIT], counts[CREATED], counts[RUN], counts[CRITICAL],
	       counts[LOCKED], counts[TRIED], counts[SINGLE], counts[LOOPING]);
	return 0;
}
