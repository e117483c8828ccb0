/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* called_by_all: all threads of a team come to visit() at the same time, 200 times in all; of those
 * visits is_wanted() wants 29. It ends with 0 if all have been made. */
enum { THREADS = 4, VISITS = 200 };

static int visits;

__attribute__((noinline)) int is_wanted(int n)
{
	return n % 7 == 3;
}

__attribute__((noinline)) void visit(int n)
{
	__atomic_fetch_add(&visits, n, __ATOMIC_RELAXED);
}

int main(void)
{
#pragma omp parallel for num_threads(THREADS) schedule(dynamic)
	for (int n = 0; n < VISITS; n++)
		visit(n);
	return visits != VISITS * (VISITS - 1) / 2 || !is_wanted(3);
}
