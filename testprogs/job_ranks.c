/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What ranks of a job do, without an MPI: for each "r" that it reads a team of two works for a
 * round, by "x" it ends with its rank as status, at the end of its input with 0.
 */
#include "testprog_omp.h"

static int rank, rounds, done;

static NOINLINE void work(int n)
{
	done += n; /* MARK: work */
	KEEP_FRAME();
}

static NOINLINE void round_of_two(void)
{
	rounds++; /* MARK: round */
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1)
			work(rank + 1);
#pragma omp barrier
	}
}

int main(void)
{
	const char *name = getenv("PMI_RANK");
	char c;

	die_with_parent();
	rank = name ? atoi(name) : 0;
	ready();
	while (read(0, &c, 1) == 1) { /* MARK: read */
		if (c == 'x')
			return rank;
		round_of_two();
	}
	return done == rounds * (rank + 1) ? 0 : 1;
}
