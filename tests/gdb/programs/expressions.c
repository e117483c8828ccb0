/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What expressions of C are asked about: numbers of all kinds, pointers, arrays, enumerators. */
#include <complex.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum color { RED, GREEN = 5, BLUE = -2 };
enum flags { ONE = 1, TWO = 2, FOUR = 4 };
struct point {
	int x, y;
};
union word {
	int whole;
	unsigned char bytes[4];
};
typedef unsigned long word_t;
typedef int (*operation)(int, int);

char c = 'c';
signed char sc = -5;
unsigned char uc = 200;
short sh = -300;
unsigned short ush = 60000;
int i = 7, negative = -7, most = 2147483647;
unsigned int ui = 4000000000u;
long l = -123456789012L;
unsigned long ul = 18446744073709551615ul;
long long ll = 5;
unsigned long long ull = 6;
float f = 1.1f;
double d = 2.2;
long double ld = 3.3L;
__float128 quad = 1.0;
_Bool yes = 1, no = 0;
__int128 huge = (__int128)1 << 100;
unsigned __int128 uhuge = ~(unsigned __int128)0;
double _Complex z = 1.5 + 2.5 * I;
struct labelled {
	int n;
	char name[];
} labelled = { 1, "flexible" };
float four __attribute__((vector_size(16))) = { 1, 2.5, 3, 4 };
long longs __attribute__((vector_size(16))) = { 16, -1 };
enum color color = GREEN;
enum flags flags = ONE | FOUR;
struct point point = { 3, 4 }, *p_point = &point;
union word word = { 0x01020304 };
word_t typed = 99;
int numbers[6] = { 10, 20, 30, 40, 50, 60 };
int grid[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
int (*p_row)[3] = &grid[1];
int *p = &numbers[2], *q = &numbers[5], **pp = &p;
void *nothing, *anything = &i;
char text[] = "hello";
const char *words = "some words";
const char *list[] = { "one", "two", NULL };
volatile int shaky = 1;
const int fixed = 2;
static int hidden = 8;
static __thread int own = 77;

static int add(int a, int b)
{
	static int calls = 0;

	calls += 1;
	return a + b;
}

operation operate = add;

static int inner(int i)
{
	int local = i * 2;

	{
		int local = 5;
		c += (char)local;
		own += local; /* MARK: shadowed */
	}
	return local; /* MARK: local */
}

int main(void)
{
	int sum = add(i, 2) + inner(9) + hidden;

	nothing = NULL;
	printf("%d %d\n", sum, own); /* MARK: stop */
	return 0;
}
