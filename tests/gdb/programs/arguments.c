/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arguments of each base type, in registers and on the stack, as stop lines show them. */
#include <stdarg.h>
#include <stdbool.h>

static long sum;

static void chars(char a, signed char b, unsigned char c)
{
	sum += a + b + c; /* MARK: chars */
}

static void shorts(short a, unsigned short b)
{
	sum += a + b; /* MARK: shorts */
}

static void ints(int a, unsigned int b, long c, unsigned long d, long long e)
{
	sum += a + b + c + d + e; /* MARK: ints */
}

static void floats(float a, double b)
{
	sum += a + b; /* MARK: floats */
}

static void mixed(bool a, const char *b, void *c, double d, int e)
{
	sum += a + b[0] + !c + d + e; /* MARK: mixed */
}

static void many(int a, int b, int c, int d, int e, int f, int g, int h, char i)
{
	sum += a + b + c + d + e + f + g + h + i; /* MARK: many */
}

static int variadic(int count, ...)
{
	va_list list;
	int i, result = 0;

	va_start(list, count); /* MARK: variadic */
	for (i = 0; i < count; i++)
		result += va_arg(list, int);
	va_end(list);
	return result;
}

static int nothing(void)
{
	return 1; /* MARK: nothing */
}

int main(int argc, char **argv)
{
	chars('a', -1, 255);
	shorts(-32768, 65535);
	ints(-2147483647 - 1, 4294967295u, -9L, 18446744073709551615ul, 1LL << 62);
	floats(1.5f, 1e300);
	mixed(true, "text", 0, -0.0, 17);
	many(1, 2, 3, 4, 5, 6, 7, 8, 'i');
	sum += variadic(3, 10, 20, 30);
	sum += nothing();
	return argc == 1 && argv[1] == 0 ? 0 : argc; /* MARK: last */
}
