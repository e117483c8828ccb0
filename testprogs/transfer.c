/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Four threads keep the books of two accounts, and hang: one has locked its savings and wants to
 * lock its checking account, another one does it the other way round. That each gets its first lock
 * before the other asks for it is a matter of luck in real programs, and certain in this one.
 */
#include "testprog_omp.h"

static omp_lock_t checking, savings;
static int balance[2] = { 100, 100 };

static NOINLINE void save(int amount)
{
	omp_set_lock(&checking);
	balance[0] -= amount;
	arrive();
	wait_for_arrivals(2);
	omp_set_lock(&savings);
	balance[1] += amount;
	omp_unset_lock(&savings);
	omp_unset_lock(&checking);
	KEEP_FRAME();
}

static NOINLINE void spend(int amount)
{
	omp_set_lock(&savings);
	balance[1] -= amount;
	arrive();
	wait_for_arrivals(2);
	omp_set_lock(&checking);
	balance[0] += amount;
	omp_unset_lock(&checking);
	omp_unset_lock(&savings);
	KEEP_FRAME();
}

int main(void)
{
	die_with_parent();
	omp_init_lock(&checking);
	omp_init_lock(&savings);
#pragma omp parallel num_threads(4)
	{
#pragma omp for schedule(static, 1)
		for (int month = 0; month < 4; month++) {
			if (month == 1)
				save(10);
			if (month == 2)
				spend(5);
		}
	}
	printf("%d + %d\n", balance[0], balance[1]);
	return 0;
}
