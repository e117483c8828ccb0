/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the user says that it goes on: jump, return, set of registers and variables. */
static int calls;

static int leaf(int n)
{
	calls++;      /* MARK: leaf */
	return n + 1; /* MARK: leaf_return */
}

static void middle(int n)
{
	leaf(n);     /* MARK: middle */
	calls += 10; /* MARK: after_leaf */
}

int main(void)
{
	int a = 1;

	a += 2;       /* MARK: one */
	a += 4;       /* MARK: two */
	a += 8;       /* MARK: three */
	middle(a);    /* MARK: call */
	calls += 100; /* MARK: after_middle */
	return calls; /* MARK: last */
}
