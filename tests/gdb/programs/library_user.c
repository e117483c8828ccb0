/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls functions of a library: the first call of each goes through the loader. */
int library_add(int a, int b);
int library_twice(int (*function)(int), int value);

static int back(int value)
{
	return value + 1; /* MARK: back */
}

int main(void)
{
	int a, b;

	a = library_add(1, 2);      /* MARK: first_call */
	a = library_add(a, 4);      /* MARK: second_call */
	b = library_twice(back, a); /* MARK: callback */
	return b;                   /* MARK: last */
}
