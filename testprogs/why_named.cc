/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* why_named SCENARIO [TEAM]: threads that wait for locks which C++ has many ways to get to. */
#include <mutex>
#include <vector>

#include "testprog_why.h"

/* So that the debugger finds it while the thread waits. */
#define KEEP(thing) __asm__ volatile("" ::"r"(thing) : "memory")

namespace named
{
struct guarded {
	long n;
	omp_lock_t guard;
	std::mutex door;
	pthread_mutex_t gate;

	NOINLINE void add()
	{
		omp_set_lock(&guard); /* MARK: add */
		KEEP(this);
	}

	NOINLINE void enter()
	{
		std::lock_guard<std::mutex> held(door);
		KEEP(this);
	}
};
static guarded table[2][3];
} // namespace named

static NOINLINE void acquire(omp_lock_t *lock)
{
	omp_set_lock(lock); /* MARK: acquire */
	KEEP(lock);
}

static NOINLINE void of_row(omp_lock_t (&row)[4])
{
	acquire(&row[3]);
	KEEP(&row);
}

static NOINLINE void of_vector(std::vector<named::guarded> &all)
{
	omp_set_lock(&all[2].guard); /* MARK: vector */
	KEEP(&all);
}

static named::guarded *one;
static std::vector<named::guarded> *many;
static omp_lock_t row[4];

static NOINLINE void all_ways(void)
{
	omp_lock_t *heap = &one->guard;
	tell("waits");
	switch (omp_get_thread_num()) {
	case 1:
		one->add();
		break;
	case 2:
		of_vector(*many);
		break;
	case 3:
		of_row(row);
		break;
	case 4:
		named::table[1][2].add();
		break;
	case 5:
		one->enter();
		break;
	case 6:
		pthread_mutex_lock(&named::table[0][1].gate);
		break;
	}
	KEEP(heap);
}

static const struct scenario scenarios[] = {
	SCENARIO(all_ways),
	{ NULL, NULL },
};

static NOINLINE void take(omp_lock_t *lock)
{
	omp_init_lock(lock);
	omp_set_lock(lock);
	KEEP(lock);
}

int main(int argc, char **argv)
{
	void (*run)(void) = scenario_of(scenarios, argc, argv);
	one = new named::guarded();
	many = new std::vector<named::guarded>(3);
	take(&one->guard);
	take(&(*many)[2].guard);
	take(&row[3]);
	take(&named::table[1][2].guard);
	one->door.lock();
	pthread_mutex_lock(&named::table[0][1].gate);
	in_team(run); /* MARK: run */
	return 0;
}
