/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_sharing_cxx: what threads share in C++: objects, references, captures of lambdas, tasks, a
 * loop that is in no region of its function. At each place both threads of a team stand.
 */
#include <omp.h>
#include <sched.h>

enum { TEAM = 2 };

static int arrived, gone, total;

namespace named
{
int counter = 40;
}

static __attribute__((noinline)) void meet(int *count)
{
	int all = (__atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST) / TEAM + 1) * TEAM;
	while (__atomic_load_n(count, __ATOMIC_SEQ_CST) < all)
		sched_yield();
}

static __attribute__((noinline)) void here(void)
{
	__asm__ volatile("" ::: "memory");
}

/* Where others are told of all of them. */
static __attribute__((noinline)) void stand(volatile const int *used)
{
	(void)*used;
	meet(&arrived);
	if (!omp_get_thread_num())
		here();
	meet(&gone);
}

struct box {
	int size = TEAM;

	__attribute__((noinline)) void run(int &ref, int copied)
	{
#pragma omp parallel for num_threads(TEAM) firstprivate(copied, named::counter)
		for (int i = 0; i < size; i++) {
			int own = ref + copied + i + named::counter++;
			stand(&own); /* MARK: method */
			own += named::counter;
		}
	}
};

static __attribute__((noinline)) void lambdas(int n)
{
	volatile int captured = n;
#pragma omp parallel num_threads(TEAM)
	{
		volatile int thread = omp_get_thread_num();
		auto inside = [&captured, thread](int argument) {
			int sum = argument + captured + thread;
			stand(&sum); /* MARK: lambda */
			return sum;
		};
		inside(2);
	}
}

static __attribute__((noinline)) void tasks(int n)
{
	int shared_one = n, first = n, implicit = n;
#pragma omp parallel num_threads(TEAM)
	{
		int creator = n + 1;
#pragma omp task shared(shared_one) firstprivate(first) if (0)
		{
			int mine = creator + shared_one + first++ + implicit;
			stand(&mine); /* MARK: task */
		}
	}
}

static __attribute__((noinline)) void orphan(int n)
{
	int before = n;
#pragma omp for reduction(+ : total) schedule(static, 1)
	for (int i = 0; i < TEAM; i++) {
		total += before;
		stand(&before); /* MARK: orphan */
	}
}

int main(void)
{
	int ref = 1;
	box b;

	omp_set_dynamic(0);
	b.run(ref, 2);
	lambdas(3);
	tasks(4);
#pragma omp parallel num_threads(TEAM)
	orphan(5);
	return 0;
}
