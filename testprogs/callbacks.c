/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* callbacks qsort|bsearch|thread: blocks inside a function that the C library has called. */
#include <pthread.h>

#include "testprog.h"

static int numbers[] = { 5, 3, 8, 1, 9, 2 };
#define COUNT (sizeof(numbers) / sizeof(*numbers))

static NOINLINE void sleep_once(void)
{
	static int slept;
	if (slept++)
		return;
	ready();
	block(); /* MARK: stuck */
	KEEP_FRAME();
}

static int compare(const void *a, const void *b)
{
	sleep_once(); /* MARK: compare */
	KEEP_FRAME();
	return *(const int *)a - *(const int *)b;
}

static void *start(void *arg)
{
	sleep_once(); /* MARK: start */
	KEEP_FRAME();
	return arg;
}

static NOINLINE int call(const char *how)
{
	pthread_t thread;
	void *result = NULL;

	if (strcmp(how, "qsort") == 0) {
		qsort(numbers, COUNT, sizeof(*numbers), compare); /* MARK: qsort */
		return numbers[0] == 1 && numbers[COUNT - 1] == 9;
	}
	if (strcmp(how, "bsearch") == 0) {
		int one_too_many = 10;
		return !bsearch(&one_too_many, numbers, COUNT, sizeof(*numbers), compare);
	}
	if (pthread_create(&thread, NULL, start, numbers) != 0)
		FAIL("no thread");
	pthread_join(thread, &result); /* MARK: join */
	return result == numbers;
}

int main(int argc, char **argv)
{
	die_with_parent();
	return call(argc > 1 ? argv[1] : "qsort") ? 0 : 1; /* MARK: main */
}
