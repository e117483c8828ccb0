/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Variables of several kinds to look at, at each stop. */
#include <stdint.h>

int32_t number = 10;
unsigned char byte = 0xff;
double real = 0.5;
char text[] = "abc";
uint64_t big = 0x123456789abcdef0;

static int turn(int i)
{
	number += i; /* MARK: turn */
	byte--;
	real *= 2;
	return number;
}

int main(void)
{
	int i, sum = 0;

	for (i = 1; i < 4; i++)
		sum += turn(i); /* MARK: call */
	return sum;             /* MARK: last */
}
