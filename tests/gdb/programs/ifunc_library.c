/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library with a function that the loader chooses. */
static int chosen(int n)
{
	return n + 20; /* MARK: chosen_there */
}

static int (*resolve(void))(int)
{
	return chosen; /* MARK: resolver_there */
}

int indirect(int n) __attribute__((ifunc("resolve")));
