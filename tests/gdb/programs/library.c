/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The library of library_user.c and loads.c. */
int library_add(int a, int b);
int library_twice(int (*function)(int), int value);

static int loads;

__attribute__((constructor)) static void library_begin(void)
{
	loads++; /* MARK: library_constructor */
}

int library_add(int a, int b)
{
	int sum = a + b; /* MARK: library_add */

	return sum; /* MARK: library_return */
}

int library_twice(int (*function)(int), int value)
{
	value = function(value); /* MARK: library_first */
	return function(value);  /* MARK: library_second */
}
