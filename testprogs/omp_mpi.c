/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* omp_mpi LIBRARY: the primary thread waits for a message (fake_mpi.c), its team at a barrier. */
#include <dlfcn.h>

#include "testprog_omp.h"

static int (*receive)(void *buffer, int count);

static NOINLINE void exchange(void)
{
	char buffer[8];
	arrive();
	if (omp_get_thread_num() == 0) {
		wait_for_arrivals(2);
		wait_until_others_sleep();
		receive(buffer, sizeof(buffer)); /* MARK: receive */
	}
#pragma omp barrier /* MARK: barrier */
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	die_with_parent();
	void *mpi = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	receive = mpi ? (int (*)(void *, int))dlsym(mpi, "MPI_Recv") : NULL;
	if (!receive)
		FAIL("no MPI_Recv: %s", dlerror());
#pragma omp parallel num_threads(2) /* MARK: region */
	{
		exchange(); /* MARK: exchange */
		KEEP_FRAME();
	}
	return 0;
}
