/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Those kinds of constructs that omp_events.c has not, each a number of times that the program
 * counts by itself, and says in the end. With an argument it waits for a line first, when there are
 * threads already: so that somebody can attach.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

enum { TEAM = 3, ROUNDS = 4, ITERATIONS = 12, CHUNK = 2 };

enum {
	GROUPS,
	DEPENDING,
	NESTED,
	ORDERED,
	LOOPS,
	CHUNKS,
	STATIC,
	SECTIONS,
	SHARING,
	SINGLES,
	COPIED,
	MASKED,
	FLUSHED,
	CANCELS,
	TEAMS,
	ATOMICS,
	TARGETS,
	CONTROLS,
	ALIKE,
	THREADS,
	ENDED,
	KINDS
};
static const char *const names[KINDS] = { "groups",  "depending", "nested",   "ordered", "loops",
					  "chunks",  "static",    "sections", "sharing", "singles",
					  "copied",  "masked",    "flushed",  "cancels", "teams",
					  "atomics", "targets",   "controls", "alike",   "threads",
					  "ended" };
static int counts[KINDS];
static omp_nest_lock_t nest;
static __thread int seen; /* the thread has counted before, or is none of OpenMP's */

static void count(int what)
{
	if (!seen++)
		__atomic_fetch_add(&counts[THREADS], 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&counts[what], 1, __ATOMIC_RELAXED);
}

/* Code of several constructs, of which compilers make one when they optimise. */
static __attribute__((noinline)) void alike(void)
{
	count(ALIKE);
}

static void tasks(void)
{
	int x = 0;

#pragma omp parallel num_threads(TEAM)
	{
		count(SINGLES);
#pragma omp single
		for (int i = 0; i < ROUNDS; i++) {
			count(GROUPS);
#pragma omp taskgroup
			{
				count(DEPENDING);
#pragma omp task depend(out : x)
				x++;
				count(DEPENDING);
#pragma omp task depend(mutexinoutset : x)
				x--;
#pragma omp task
				alike();
#pragma omp task
				alike();
#pragma omp task untied
				alike();
			}
		}
	}
}

static void locks(void)
{
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(TEAM)
	{
		omp_set_nest_lock(&nest);
		count(NESTED);
		if (omp_test_nest_lock(&nest)) {
			count(NESTED);
			omp_unset_nest_lock(&nest);
		}
		omp_unset_nest_lock(&nest);
	}
	omp_destroy_nest_lock(&nest);
}

static void loops(void)
{
	long sum = 0;

#pragma omp parallel num_threads(TEAM)
	{
		count(LOOPS);
#pragma omp for schedule(dynamic, CHUNK) nowait
		for (int i = 0; i < ITERATIONS; i++)
			if (i % CHUNK == 0)
				count(CHUNKS);
		count(LOOPS);
#pragma omp for ordered schedule(dynamic, CHUNK)
		for (int i = 0; i < ITERATIONS; i++) {
			if (i % CHUNK == 0)
				count(CHUNKS);
#pragma omp ordered
			count(ORDERED);
		}
		count(STATIC);
#pragma omp for reduction(+ : sum) nowait
		for (int i = 0; i < ITERATIONS; i++)
			sum += i;
	}
}

static void shares(void)
{
	int value = 0;

#pragma omp parallel num_threads(TEAM) firstprivate(value)
	{
		count(SHARING);
#pragma omp sections
		{
#pragma omp section
			count(SECTIONS);
#pragma omp section
			count(SECTIONS);
		}
		count(SINGLES);
#pragma omp single nowait
		(void)0;
		count(SINGLES);
		count(COPIED);
#pragma omp single copyprivate(value)
		value = 7;
		count(MASKED);
#pragma omp master
		value++;
		count(FLUSHED);
#pragma omp flush
	}
}

static void cancels(void)
{
#pragma omp parallel num_threads(TEAM)
	{
		count(CANCELS);
#pragma omp cancel parallel
	}
}

static void league(void)
{
	count(TEAMS);
#pragma omp teams num_teams(2)
	alike();
}

/* libgomp keeps neither threads of an inner region nor those of a thread that ends. */
static void *ending(void *data)
{
	seen = 1;
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num())
			count(ENDED);
#pragma omp parallel num_threads(2)
		if (omp_get_thread_num())
			count(ENDED);
	}
	return data;
}

static void outside(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, ending, NULL);
	pthread_join(thread, NULL);
}

/* For which only one of the compilers calls its runtime. */
static void own(void)
{
#ifdef __clang__
	count(CONTROLS);
	omp_control_tool(omp_control_tool_flush, 0, NULL);
#else
	long double sum = 0;
	int x = 0;

	count(ATOMICS);
#pragma omp atomic
	sum += 1;
	count(TARGETS);
#pragma omp target map(tofrom : x)
	x = 1;
	(void)x;
#endif
}

static void wait(void)
{
#pragma omp parallel num_threads(TEAM)
	{
#pragma omp barrier
	} puts("ready");
	fflush(stdout);
	getchar();
}

int main(int argc, char **argv)
{
	(void)argv;
	seen = 1;
	if (argc > 1)
		wait();
	tasks();
	locks();
	loops();
	shares();
	cancels();
	league();
	outside();
	own();
	printf("counted");
	for (int i = 0; i < KINDS; i++)
		printf(" %s %d", names[i], counts[i]);
	puts("");
	return 0;
}
