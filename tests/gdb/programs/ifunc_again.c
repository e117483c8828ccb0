/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls a function that has not been chosen the first time again, deeper in the stack. */
#include <setjmp.h>

int indirect(int n);
extern jmp_buf way_out;

static int again(int n)
{
	volatile char room[1000];

	room[n] = 2;
	return indirect(room[n]); /* MARK: calls_again */
}

int main(void)
{
	if (!setjmp(way_out)) /* MARK: sets */
		return indirect(1);
	return again(3);
}
