/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* why_named SCENARIO [TEAM]: threads that wait for locks which C++ has many ways to get to,
 * and in its library. */
#include <condition_variable>
#include <future>
#include <iostream>
#include <memory>
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
		std::lock_guard<std::mutex> held(door); /* MARK: enter */
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

/* Below functions of the library. */
static std::promise<int> promise;
static std::future<int> result = promise.get_future();

static NOINLINE void get_result(void)
{
	int n = result.get(); /* MARK: future */
	KEEP(n);
}

static NOINLINE void read_word(void)
{
	std::string word;
	std::cin >> word; /* MARK: cin */
	KEEP(&word);
}

static NOINLINE void be_told(void)
{
	static std::condition_variable told;
	std::mutex door;
	std::unique_lock<std::mutex> held(door);
	told.wait(held); /* MARK: told */
	KEEP(&held);
}

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
	case 7:
		get_result();
		break;
	case 8:
		read_word();
		break;
	case 9:
		be_told();
		break;
	}
	KEEP(heap);
}

/* Locks to which variables of the program lead, and none of a function. */
struct referring {
	omp_lock_t &lock;
};
struct table {
	std::unique_ptr<named::guarded> own;
	std::shared_ptr<named::guarded> common;
	std::vector<std::unique_ptr<named::guarded>> all;
	named::guarded **rows;
};
static omp_lock_t *locks;
static table tables;
static referring *refers;

static NOINLINE void led_to(void)
{
	tell("waits");
	switch (omp_get_thread_num()) {
	case 1:
		omp_set_lock(&locks[5]);
		break;
	case 2:
		omp_set_lock(&tables.own->guard);
		break;
	case 3:
		omp_set_lock(&tables.common->guard);
		break;
	case 4:
		omp_set_lock(&tables.all[1]->guard);
		break;
	case 5:
		omp_set_lock(&tables.rows[1][2].guard);
		break;
	case 6:
		omp_set_lock(&refers->lock);
		break;
	}
	KEEP(0);
}

static const struct scenario scenarios[] = {
	SCENARIO(all_ways),
	SCENARIO(led_to),
	{ NULL, NULL },
};

static NOINLINE void take(omp_lock_t *lock)
{
	omp_init_lock(lock);
	omp_set_lock(lock);
	KEEP(lock);
}

static void fill_tables(void)
{
	locks = new omp_lock_t[8];
	tables.own = std::unique_ptr<named::guarded>(new named::guarded());
	tables.common = std::make_shared<named::guarded>();
	for (int i = 0; i < 3; i++)
		tables.all.push_back(std::unique_ptr<named::guarded>(new named::guarded()));
	tables.rows = new named::guarded *[2];
	for (int i = 0; i < 2; i++)
		tables.rows[i] = new named::guarded[4];
	refers = new referring{ *new omp_lock_t };
	for (omp_lock_t *lock : { &locks[5], &tables.own->guard, &tables.common->guard,
				  &tables.all[1]->guard, &tables.rows[1][2].guard, &refers->lock })
		take(lock);
}

int main(int argc, char **argv)
{
	void (*run)(void) = scenario_of(scenarios, argc, argv);
	fill_tables();
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
