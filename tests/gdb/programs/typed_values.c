/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Variables that no optimised code holds: what describes them reckons with types of the program. */
#define NOINLINE __attribute__((noinline))

static NOINLINE void stop(int n)
{
	__asm__ volatile("" : : "r"(n) : "memory"); /* MARK: typed_stop */
}

static NOINLINE int reckons(int n, unsigned int u, double d)
{
	double half = n * 0.5;
	double negative = -half;
	double quotient = half / 0.25 + u;
	float third = (float)u / 3.0f;
	int whole = (int)d;
	int more = half > 1.0;
	short low = (short)u;
	unsigned char byte = (unsigned char)n;
	long long wide = (long long)n * (long long)u - n % 4;

	stop(n);
	return n + 1;
}

static NOINLINE int passes(double x, float y, int n)
{
	double twice = x * 2;

	stop(n + (int)x);
	return n + (y > 1);
}

int main(int argc, char **argv)
{
	(void)argv;
	int n = reckons(argc - 8, 3000000000U - (unsigned int)argc, argc + 1.75);

	return passes(argc * 0.125, 2.5F, n) == 0;
}
