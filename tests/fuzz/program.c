/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What expressions and locations are fuzzed with: a program that does not run, with a bit of all.
 */
#include <complex.h>

struct point {
	int x, y;
	unsigned int bits : 3;
	struct point *next;
	union {
		long whole;
		char bytes[8];
	};
};
enum color { RED, GREEN = 5 };
typedef unsigned long word_t;

int i = 7;
unsigned char c = 200;
double d = 2.5;
float f = 1.5f;
long double ld = 3.25L;
double _Complex z = 1.5;
struct point p = { 1, 2, 3, &p, { 5 } }, *q = &p, points[3];
enum color color = GREEN;
int numbers[4] = { 1, 2, 3, 4 }, grid[2][3], (*row)[3] = grid;
char text[] = "hello";
const char *words = "words";
word_t word = 9;

int add(int a, int b)
{
	static int calls;

	calls++;
	return a + b;
}
int (*operation)(int, int) = add;

int main(void)
{
	return add(i, c) - i - c;
}
