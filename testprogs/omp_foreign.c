/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* omp_foreign SCENARIO: threads that the program makes itself, and what they do with OpenMP. */
#include <pthread.h>

#include "testprog_omp.h"

static const char *const names[] = { "first", "second" };

static NOINLINE void *region_of_its_own(void *name)
{
#pragma omp parallel num_threads(2) /* MARK: own region */
	{
		stay_as(name, 5); /* MARK: in own region */
	}
	KEEP_FRAME();
	return NULL;
}

static NOINLINE void *has_used(void *name)
{
#pragma omp parallel num_threads(2)
	arrive();
	stay_as(name, 4); /* MARK: has used */
	return NULL;
}

static NOINLINE void *has_not_used(void *name)
{
	tell_thread(name);
	stay_until_the_end(4); /* MARK: has not used */
	KEEP_FRAME();
	return NULL;
}

static NOINLINE void two_regions(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, region_of_its_own, (void *)names[i]);
	stay(5); /* MARK: main of two regions */
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

static NOINLINE void used(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, has_used, (void *)names[0]);
	stay(4); /* MARK: main of used */
	pthread_join(thread, NULL);
}

static NOINLINE void unused(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, has_not_used, (void *)names[0]);
#pragma omp parallel num_threads(3) /* MARK: region beside */
	{
		stay(4); /* MARK: in region beside */
	}
	pthread_join(thread, NULL);
}

static const struct scenario scenarios[] = {
	SCENARIO(two_regions),
	SCENARIO(used),
	SCENARIO(unused),
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	scenario_of(scenarios, argc, argv)(); /* MARK: run */
	return 0;
}
