/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arrays whose bounds are known at run time only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int total(int n, int m, int a[n][m], int *flat)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			s += a[i][j] * flat[0];
	return s; /* MARK: total */
}
static int work(int n)
{
	int a[n];
	short b[n][n + 1];
	char text[n + 4];
	int(*p)[n] = malloc(3 * sizeof(*p));
	typedef long row[n];
	row r;
	for (int i = 0; i < n; i++) {
		a[i] = i * i;
		r[i] = 7;
		for (int k = 0; k < n + 1; k++)
			b[i][k] = (short)(10 * i + k);
		for (int k = 0; k < 3; k++)
			p[k][i] = 100 * k + i;
	}
	memset(text, 0, sizeof(text));
	snprintf(text, sizeof(text), "text%d", n);
	int s = total(3, n, p, a + 1) + a[n - 1] + b[1][1] + text[0] + (int)r[0]; /* MARK: work */
	free(p);
	return s;
}
int main(int argc, char **argv)
{
	(void)argv;
	return work(argc + 3) + work(argc + 5) == 0;
}
