/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Variables of all basic types, global and local, for those who print them. */
#include <stdbool.h>

#include "testprog.h"

enum color { RED, GREEN = 5, BLUE };
enum flags { ONE = 1, TWO = 2, FOUR = 4 };
typedef unsigned long word;
typedef short grid[2][2];

int counter = 42;
static volatile long hidden = -7;
__thread int mine = 77;
unsigned char bytes[12] = "hi\001there";
char zeros[40];
int table[5] = { 1, 2, 3, 4, 5 };
int matrix[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
double ratio = 0.1;
float single = 1.5f;
long double wide = 3.25L;
bool yes = true;
enum color paint = BLUE;
enum flags mask = ONE | FOUR, odd = 8 | ONE;
char letter = 'a';
signed char minus = -1;
unsigned short limit = 65535;
unsigned long long most = -1ULL;
__int128 huge = -5;
const char *text = "hello \"world\"\n";
char *nothing, *bad = (char *)1;
int *pointer = &table[1];
void *anything = &counter;
const volatile int fixed = 3;
const grid still = { { 1, 2 }, { 3, 4 } };
word big = 0xdeadbeef;

static NOINLINE int work(int i, char *s)
{
	static int calls = 3;
	volatile int local = i * 2;
	volatile double half = i / 2.0;
	{
		volatile int local = 99;
		calls += local + (int)half;
		ready();
		block(); /* MARK: stop */
	}
	KEEP_FRAME();
	return local + calls + *s;
}

int (*callback)(int, char *) = work;

int main(void)
{
	die_with_parent();
	mine++;
	return work(8, (char *)"argument") + (int)hidden == 0;
}
