/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The second file of scope.c. */
int other_value(void);

static int local = 100;

static int same(int n)
{
	return n * local; /* MARK: other_same */
}

int other_value(void)
{
	local++;             /* MARK: other_value */
	return same(1) & 15; /* MARK: other_call */
}
