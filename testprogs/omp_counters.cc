/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_counters: loops whose variables compilers make of numbers of iterations. Each iteration says
 * in reached() in which loop it is, and what its variables hold.
 */
#include <vector>

#include "testprog.h"

/* clang has it of what it makes of a taskloop. */
#pragma GCC diagnostic ignored "-Wsign-compare"

static volatile long used;

static NOINLINE void reached(int loop, long first, long second)
{
	used = loop + first + second;
	KEEP_FRAME();
}

static NOINLINE void constants(void)
{
#pragma omp parallel for num_threads(2)
	for (int i = 10; i > 0; i -= 3)
		reached(1, i, used = i);
}

static NOINLINE void down(int from)
{
#pragma omp parallel for num_threads(2)
	for (int i = from; i > 0; i -= 3)
		reached(2, i, used = i);
}

static NOINLINE void by_variable(long from, long step)
{
#pragma omp parallel for num_threads(2)
	for (long i = from; i >= 0; i -= step)
		reached(3, i, used = i);
}

static NOINLINE void without_sign(unsigned long n)
{
#pragma omp parallel for num_threads(2) schedule(static, 2)
	for (unsigned long i = 20; i > n; i -= 3)
		reached(4, (long)i, used = (long)i);
}

static NOINLINE void shared_out(int n, int step)
{
#pragma omp parallel for num_threads(2) schedule(dynamic, 2)
	for (int i = 2; i < n; i += step)
		reached(5, i, used = i);
}

static NOINLINE void narrow(char to)
{
#pragma omp parallel for num_threads(2) schedule(guided)
	for (char i = 'a'; i < to; i += 2)
		reached(6, i, used = i);
}

static NOINLINE void pointed(int *v)
{
#pragma omp parallel for num_threads(2)
	for (int *i = v; i < v + 4; i++)
		reached(7, *i, used = *i);
}

static NOINLINE void elements(std::vector<int> &v)
{
#pragma omp parallel for num_threads(2)
	for (auto i = v.begin(); i < v.end(); i += 2)
		reached(8, *i, used = *i);
}

static NOINLINE void handed_out(std::vector<int> &v)
{
#pragma omp parallel for num_threads(2) schedule(dynamic)
	for (auto i = v.begin(); i != v.end(); ++i)
		reached(9, *i, used = *i);
}

static NOINLINE void nested(int n, long from, int step)
{
#pragma omp parallel for num_threads(2) collapse(2)
	for (int i = n; i > 1; i -= step)
		for (long j = from; j < 9; j += 2)
			reached(10, i, j);
}

static NOINLINE void tasks(int n, int step)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(2)
	for (int i = n; i > 0; i -= step)
		reached(11, i, used = i);
}

static NOINLINE void summed(int n)
{
	long sum = n, i = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum) private(i)
	{
		sum += 10;
		i = sum;
		reached(12, i, 10);
	}
	used = sum + i;
}

/* clang makes two loops of it, which differ in where they have their variables. */
static NOINLINE void scanned()
{
	long all = 100, to[8] = { 0 };
#pragma omp parallel for num_threads(2) reduction(inscan, + : all)
	for (int i = 0; i < 8; i++) {
		all += i;
#pragma omp scan inclusive(all)
		to[i] = all;
		reached(13, i, used = to[i]);
	}
}

int main()
{
	std::vector<int> v = { 10, 11, 12, 13, 14, 15 };

	constants();
	down(10);
	by_variable(11, 3);
	without_sign(8);
	shared_out(14, 3);
	narrow('j');
	pointed(v.data());
	elements(v);
	handed_out(v);
	nested(7, 3, 2);
	tasks(11, 3);
	summed(4);
	scanned();
	return 0;
}
