/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_variables [ROUNDS]: threads of all kinds come to here() with what the runtime says to them,
 * and the number of those calls is printed in the end.
 */
#include <omp.h>
#include <pthread.h>

#include "testprog.h"

static int calls;

static NOINLINE void here(int number, int level, int size)
{
	__atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST); /* MARK: here */
	__asm__ volatile("" : : "r"(number), "r"(level), "r"(size) : "memory");
}

static NOINLINE void come(void)
{
	here(omp_get_thread_num(), omp_get_level(), omp_get_num_threads());
	KEEP_FRAME();
}

static NOINLINE void in_team(int size, int depth)
{
#pragma omp parallel num_threads(size) /* MARK: region */
	{
		come(); /* MARK: in region */
		if (depth > 0)
			in_team(2, depth - 1);
#pragma omp barrier
		come();
	}
	KEEP_FRAME();
}

static NOINLINE void singles(void)
{
#pragma omp parallel num_threads(3)
	{
		come(); /* MARK: single */
	}
}

static NOINLINE void tasks(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
	for (int i = 0; i < 6; i++) {
#pragma omp task /* MARK: task */
		{
			come(); /* MARK: in task */
			KEEP_FRAME();
		}
	}
}

/* It has not used OpenMP, and does then. */
static void *foreign(void *argument)
{
	here(0, 0, 1); /* MARK: foreign */
	in_team(2, 0);
	come();
	return argument;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t thread;

	die_with_parent();
	here(0, 0, 1); /* MARK: before */
	omp_set_dynamic(0);
	for (int round = 0; round < rounds; round++) {
		omp_set_max_active_levels(3);
		in_team(3, 2);
		omp_set_max_active_levels(1);
		in_team(2, 2); /* serialised further in */
		in_team(1, 1);
		tasks();
		come();
	}
	if (pthread_create(&thread, NULL, foreign, NULL) != 0 || pthread_join(thread, NULL) != 0)
		FAIL("no thread");
	for (int round = 0; round < 3; round++)
		singles();
	printf("%d calls\n", calls);
	return 0; /* MARK: end */
}
