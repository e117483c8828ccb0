/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions to be called from a prompt: one for each way in which values are passed. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct mixed {
	int count;
	float share;
};
struct both {
	double share;
	long count;
};
struct floats {
	float a, b, c;
};
struct large {
	long v[5];
};
struct extended {
	long double x;
};

typedef float four_t __attribute__((vector_size(16)));
struct vectors {
	four_t v;
};

static four_t four = { 1, 2, 3, 4 };
static struct vectors vectors = { { 5, 6, 7, 8 } };
static float _Complex small_complex = 1 + 2i;
static double _Complex plain_complex = 3 + 4i;
static long double _Complex large_complex = 5 + 6i;
static __int128 wide = 7;
static char buffer[8] = "abcdefg";
static const char *text = buffer;
static struct both both = { 1.5, 7 };
static struct large large = { { 1, 2, 3, 4, 5 } };
static struct mixed mixed = { 3, 4.5 };
static int calls;

static float _Complex twice_small(float _Complex x)
{
	return 2 * x;
}

static double _Complex twice_complex(double _Complex x)
{
	return 2 * x; /* MARK: twice_complex */
}

static long double _Complex twice_large(long double _Complex x)
{
	return 2 * x; /* MARK: twice_large */
}

static four_t twice_four(four_t x)
{
	return x + x; /* MARK: twice_four */
}

static struct vectors twice_vectors(struct vectors x)
{
	x.v += x.v;
	return x;
}

static __int128 twice_wide(__int128 x)
{
	return 2 * x;
}

static float without_prototype(x)
float x;
{
	return 2 * x;
}

static int add(int a, int b)
{
	calls++;
	return a + b; /* MARK: add */
}

static double many(int a, double b, float c, char d, short e, bool f, long g, long h, long i,
		   double j, struct both k)
{
	return a + b + c + d + e + f + 10 * g + 100 * h + 1000 * i + j + k.share + (double)k.count;
}

static int length(const char *text)
{
	int n = 0;

	while (text[n])
		n++;
	return n;
}

static struct mixed make_mixed(struct mixed given, int more)
{
	return (struct mixed){ given.count + more, given.share * 2 };
}

static struct both make_both(struct both given)
{
	return (struct both){ given.share + 1, given.count + 1 };
}

static struct floats make_floats(float first)
{
	return (struct floats){ first, 2 * first, 3 * first };
}

static struct large make_large(struct large given, int more)
{
	for (int i = 0; i < 5; i++)
		given.v[i] += more;
	return given; /* MARK: make_large */
}

static struct extended make_extended(long double x)
{
	return (struct extended){ 2 * x };
}

static long double twice(long double x)
{
	return 2 * x;
}

static double sum(int n, ...)
{
	double ret = 0;
	va_list args;

	va_start(args, n);
	for (int i = 0; i < n; i++)
		ret += va_arg(args, double);
	va_end(args);
	return ret;
}

static bool invert(bool yes)
{
	return !yes;
}

static unsigned char next(unsigned char c)
{
	return c + 1;
}

static void nothing(void)
{
	calls++;
}

static int inner(int x)
{
	return 3 * x; /* MARK: inner */
}

static int outer(int x)
{
	int y = inner(x);

	return y + 1;
}

static int faults(int *where)
{
	return *where; /* MARK: faults */
}

static int (*pointer)(int, int) = add;

static void stop(void)
{
	putchar('\n'); /* MARK: stop */
}

int main(void)
{
	double all = many(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, both) + (double)twice(1) + sum(1, 1.0);

	mixed = make_mixed(mixed, 0);
	both = make_both(both);
	large = make_large(large, 1);
	all += make_floats(1).b + (double)make_extended(1).x + invert(false) + next(1);
	nothing();
	small_complex = twice_small(small_complex);
	plain_complex = twice_complex(plain_complex);
	large_complex = twice_large(large_complex);
	four = twice_four(four);
	vectors = twice_vectors(vectors);
	wide = twice_wide(wide);
	calls += length(text) > 100 || without_prototype(1) > 100;
	stop();
	printf("%d %d %d %d %f\n", calls, pointer(1, 2), length("a"), outer(1) + faults(&calls),
	       all);
	return 0;
}
