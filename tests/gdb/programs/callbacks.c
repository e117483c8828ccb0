/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The C library calls back: frames without lines between frames with lines. */
#include <stdlib.h>

static int comparisons;

static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b; /* MARK: compare */

	comparisons++;             /* MARK: count */
	return x < y ? -1 : x > y; /* MARK: verdict */
}

static int values[] = { 4, 1, 3, 2 };

int main(void)
{
	int key = 3, *found;

	qsort(values, 4, sizeof(int), compare);                 /* MARK: sort */
	found = bsearch(&key, values, 4, sizeof(int), compare); /* MARK: search */
	return found && *found == 3 && values[0] == 1 ? 0 : 1;  /* MARK: last */
}
