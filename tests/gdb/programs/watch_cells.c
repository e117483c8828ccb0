/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values that lie in several places, or are found by others that change. */
#include <stdio.h>
struct point {
	int x, y;
	unsigned int bits : 3;
};

struct point first = { 1, 2, 1 }, second = { 5, 6, 2 };
struct point *p = &first;
int a = 1, b = 2, table[4];
double real = 1.5;
long double wide = 1;
static int work(int n)
{
	int local = n;
	int *q = &local;
	for (int i = 0; i < 3; i++)
		*q += i;
	return local;
}
static int recurse(int n)
{
	int mine = n;
	if (n > 0)
		mine += recurse(n - 1);
	return mine;
}
int main(void)
{
	a = 2;
	b = 1;
	a = 2;
	b = 5;
	p->x = 10;
	p = &second;
	p->x = 11;
	first.x = 99;
	p->bits = 5;
	real = 2.5;
	wide = 3;
	table[2] = 4;
	int r = work(4);
	r += recurse(3);
	printf("%d\n", r);
	return 0;
}
