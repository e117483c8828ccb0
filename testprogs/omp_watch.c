/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_watch [THREADS]: one thread of a team after the other changes what it has a copy of, and what
 * all share: in a critical construct, under a lock, under nothing. Then the first one changes the
 * copy of another one.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
	int number, half;
};

static struct account {
	int number;
	omp_lock_t lock;
	omp_nest_lock_t nested;
} accounts[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int total, uses;
static omp_lock_t guard;
static omp_nest_lock_t kept; /* by thread 1, to the end */
static volatile int *theirs;

/* One of each sort. */
static __attribute__((noinline)) void take_locks(int number)
{
	if (number != 0)
		return;
	omp_set_lock(&accounts[1].lock);
	omp_set_nest_lock(&accounts[1].nested);
	omp_set_nest_lock(&accounts[1].nested);
	pthread_mutex_lock(&mutex);
	uses++; /* MARK: held */
	pthread_mutex_unlock(&mutex);
	omp_unset_nest_lock(&accounts[1].nested);
	omp_unset_nest_lock(&accounts[1].nested);
	omp_unset_lock(&accounts[1].lock);
}

static __attribute__((noinline)) void work(int number, int team)
{
	volatile int copy = 10 * number;
	volatile struct pair pair = { number, 0 };

	if (number == 1)
		theirs = &copy;
#pragma omp barrier
	if (number == 0)
		puts("together"); /* MARK: together */
#pragma omp barrier
	for (int turn = 0; turn < team; turn++) {
		if (turn == number) {
			copy += 1;            /* MARK: copy */
			pair.half = copy / 2; /* MARK: half */
#pragma omp critical(ledger)                  /* MARK: ledger */
			total += number + 1;
			omp_set_lock(&guard); /* MARK: guard */
			total += 100;
			omp_unset_lock(&guard);
			total += 1000; /* MARK: bare */
		}
#pragma omp barrier
	}
	take_locks(number);
#pragma omp barrier
	if (number == 0)
		*theirs = 99; /* MARK: theirs */
#pragma omp barrier
	if (copy + pair.half == -1)
		puts("never");
}

static __attribute__((noinline)) void keep(int number)
{
	if (number != 1)
		return;
	omp_test_nest_lock(&kept);
	uses++; /* MARK: kept */
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 4;

	omp_init_lock(&guard);
	omp_init_nest_lock(&kept);
	for (int i = 0; i < 2; i++) {
		omp_init_lock(&accounts[i].lock);
		omp_init_nest_lock(&accounts[i].nested);
	}
#pragma omp parallel num_threads(threads)
	work(omp_get_thread_num(), threads);
#pragma omp parallel num_threads(2)
	keep(omp_get_thread_num());
	printf("%d\n", total); /* MARK: behind all */
	return 0;
}
