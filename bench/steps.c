/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * steps: lines to step through, each third of which calls a function.
 */
static volatile long sum;

__attribute__((noinline)) static void add(long x)
{
	sum += x;
}

int main(void)
{
	for (long i = 0; i < 1000000; i++) {
		sum += i;
		add(i);
	}
	return 0;
}
