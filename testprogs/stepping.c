/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What one steps through line by line while others run: a signal comes each millisecond, and two
 * threads spin. Lines that wait for those end once they have been seen to run. At last a loop of
 * one jump, which only the signal's handler leaves. It ends by itself.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#include "testprog.h"

volatile long spins[2], ticks, sum;
static volatile sig_atomic_t leaves;
static sigjmp_buf out;

static void on_alarm(int number)
{
	ticks++;
	if (leaves) {
		leaves = 0;
		siglongjmp(out, number);
	}
}

static void *spin(void *number)
{
	for (;;)
		spins[(long)number]++;
	return NULL;
}

static NOINLINE void see(volatile long *what)
{
	long before = *what;

	while (*what == before)
		;
}

int main(void)
{
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	pthread_t thread;

	signal(SIGALRM, on_alarm);
	for (long i = 0; i < 2; i++) {
		pthread_create(&thread, NULL, spin, (void *)i);
		see(&spins[i]);
	}
	setitimer(ITIMER_REAL, &often, NULL);
	for (long round = 0; round < 60; round++) { /* MARK: loop */
		sum += round;                       /* MARK: plain */
		see(&ticks);                        /* MARK: tick */
		sum += 2;                           /* MARK: between */
		see(&spins[1]);                     /* MARK: other */
	}
	see(&spins[0]); /* MARK: last */
	if (!sigsetjmp(out, 1)) {
		leaves = 1;                    /* MARK: leaves */
		__asm__ volatile("0: jmp 0b"); /* MARK: jump */
	}
	return 0; /* MARK: left */
}
