/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_given: tasks of a member function that have been given variables: references, objects; and a
 * taskloop's. Thread 1 stops in stop_here(), before anybody executes them.
 */
#include <omp.h>
#include <sched.h>
#include <vector>

static void keep(const void *p)
{
	__asm__ volatile("" ::"r"(p) : "memory");
}

static __attribute__((noinline)) void stop_here()
{
	__asm__ volatile(""); /* MARK: stopped */
}

int counter = -9; /* no variable of a loop */

struct giver {
	int member = 7;
	__attribute__((noinline)) void run(int n, int &reference);
};

void giver::run(int n, int &reference)
{
	int first = 20 * n, waits = 1, shared = 5 * n;
	long sum = 40;
	alignas(8) char letter = 'a';
	std::vector<int> list{ 1, 2, 3 };

	keep(&first), keep(&waits), keep(&shared);
#pragma omp parallel num_threads(2) reduction(+ : sum)
	if (omp_get_thread_num() == 1) {
		sum += 2;
		keep(&sum);
#pragma omp task firstprivate(first, letter, list, reference) shared(shared)
		{
			member++, first++, reference++, shared++, letter++;
			keep(&first), keep(&list), keep(&reference), keep(&letter);
		}
#pragma omp taskloop nogroup num_tasks(1) firstprivate(first)
		for (int counter = 0; counter < 2; counter++) {
			first += counter;
			keep(&first), keep(&counter);
		}
		stop_here();
		keep(&sum);
		__atomic_store_n(&waits, 0, __ATOMIC_RELEASE);
	} else {
		while (__atomic_load_n(&waits, __ATOMIC_ACQUIRE))
			sched_yield();
	}
	keep(&sum);
}

int main()
{
	int number = 9;
	giver it;

	it.run(2, number);
	return 0;
}
