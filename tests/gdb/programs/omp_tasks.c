/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tasks that threads of a team execute, in any order, and sections. */
#include <omp.h>

static int done;

static void task(int n)
{
#pragma omp atomic
	done += n; /* MARK: task */
}

int main(void)
{
	int i;

#pragma omp parallel num_threads(4)
#pragma omp single
	for (i = 1; i <= 8; i++) {
#pragma omp task firstprivate(i)
		task(i); /* MARK: create */
	}
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		task(100); /* MARK: section1 */
#pragma omp section
		task(200); /* MARK: section2 */
	}
	return done == 336 ? 0 : 1; /* MARK: last */
}
