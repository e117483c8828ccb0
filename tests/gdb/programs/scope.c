/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions and variables of one name in two files; the other is scope_other.c. */
int other_value(void);

static int local = 1;

static int same(int n)
{
	return n + local; /* MARK: same */
}

int main(void)
{
	int result = same(10); /* MARK: call */

	{
		int result = 5; /* MARK: block */

		local += result; /* MARK: in_block */
	}
	result += other_value(); /* MARK: other */
	return result;           /* MARK: last */
}
