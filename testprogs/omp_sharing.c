/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_sharing: a loop where private(tmp) is missing, and variables of other kinds. Each of four
 * threads prints their addresses, "NUMBER NAME ADDRESS"; then they meet.
 */
#include <omp.h>
#include <sched.h>
#include <stdio.h>

enum { TEAM = 4 };

static int counter;
#pragma omp threadprivate(counter)
static volatile int calls;
static int arrived, gone;

#define OWN private(own)

static __attribute__((noinline)) void say(const char *name, const volatile void *at)
{
	printf("%d %s %p\n", omp_get_thread_num(), name, (const void *)at);
}

static __attribute__((noinline)) void meet(int *count)
{
	__atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(count, __ATOMIC_SEQ_CST) < TEAM)
		sched_yield();
	__asm__ volatile("" ::: "memory");
}

static __attribute__((noinline)) void here(void)
{
	__asm__ volatile("" ::: "memory");
}

int main(void)
{
	volatile int tmp = 0, own = 0, first = 3, sum = 0, unused = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);

/* clang-format off */
#pragma omp parallel num_threads(TEAM) OWN \
	firstprivate(first) shared(calls) /* MARK: parallel */
	/* clang-format on */
	{
		volatile int inner = 1;
#pragma omp for schedule(static, 1) reduction(+ : sum) private(unused)
		for (int i = 0; i < TEAM; i++) {
			tmp = i;
			own = tmp;
			sum += own + first + inner;
			counter++;
			say("tmp", &tmp);
			say("own", &own);
			say("first", &first);
			say("inner", &inner);
			say("sum", &sum);
			say("counter", &counter);
			say("calls", &calls);
			meet(&arrived);
			here(); /* MARK: loop */
			meet(&gone);
			sum += tmp + own + first + inner + i;
		}
	}
	return sum + unused == -1;
}
