/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A function that is called a thousand times: hits, conditions, counts. */
static int sum;
int interesting;

static int twice(int i)
{
	return 2 * i; /* MARK: twice */
}

static void work(int i)
{
	sum += twice(i) & 1; /* MARK: work */
	if (i % 100 == 50)
		interesting++; /* MARK: rare */
}

int main(void)
{
	int i;

	for (i = 0; i < 1000; i++)
		work(i);          /* MARK: call */
	return interesting + sum; /* MARK: last */
}
