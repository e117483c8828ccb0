/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A shared library with the names of an MPI library, in which nothing ever arrives. */
#include "testprog.h"

int MPI_Init(int *argc, char ***argv);
int MPI_Recv(void *buffer, int count);

static NOINLINE void make_progress(void)
{
	ready();
	block();
	KEEP_FRAME();
}

int MPI_Init(int *argc, char ***argv)
{
	return !argc || !argv;
}

/* With fewer arguments than MPI's; the debugger does not look at them. */
int MPI_Recv(void *buffer, int count)
{
	make_progress();
	return !buffer || !count;
}
