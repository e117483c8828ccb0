/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types with all qualifiers of C. */
_Atomic int shared = 4;
int *const volatile fixed = (int *)0;
typedef int (*operation)(int, double);
typedef const int row[3];
operation table[2];
operation *const several = table;
typedef int *places[2];
row rows[2];
const places fixed_places;
const places *some_places = &fixed_places;
void (*ends)(int) __attribute__((noreturn));
row *one_row = rows;

static int sum(int n, const int *restrict from, double *restrict const *volatile to)
{
	int all = 0;

	for (int i = 0; i < n; i++)
		all += from[i];
	**to = all;
	return all; /* MARK: all */
}

int main(void)
{
	int numbers[] = { 1, 2, 3 };
	double result;
	double *restrict const pointer = &result;

	return sum(3, numbers, &pointer);
}
