/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_later: uses the runtime more with each byte from its stdin. First it has asked for its level
 * alone, then it has a team of three, of which thread 1 holds a lock that thread 0 waits for.
 */
#include "testprog_omp.h"

static omp_nest_lock_t lock;

static void work(void)
{
	if (omp_get_thread_num() == 1)
		omp_set_nest_lock(&lock);
	arrive();
	if (omp_get_thread_num() == 0) {
		wait_for_arrivals(3);
		omp_set_nest_lock(&lock);
	} else {
		stay_until_the_end(3);
	}
	if (omp_get_thread_num() != 2)
		omp_unset_nest_lock(&lock);
}

int main(void)
{
	char c;

	die_with_parent();
	if (omp_get_level() != 0)
		FAIL("a level before any region");
	ready();
	if (read(0, &c, 1) != 1)
		return 0;
	omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(3)
	work();
	return 0;
}
