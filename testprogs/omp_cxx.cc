/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* omp_cxx SCENARIO: regions in what only C++ has. */
#include "testprog_omp.h"

namespace sim
{
struct solver {
	int cells;

	NOINLINE void relax()
	{
#pragma omp parallel num_threads(2) /* MARK: method */
		{
			__atomic_add_fetch(&cells, 1, __ATOMIC_SEQ_CST);
			stay(2); /* MARK: in method */
		}
		KEEP_FRAME();
	}
};

template <typename F> NOINLINE void for_each_thread(const F &f)
{
#pragma omp parallel num_threads(2) /* MARK: template */
	{
		f(omp_get_thread_num()); /* MARK: in template */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

namespace
{
NOINLINE void method()
{
	solver s = { 0 };
	s.relax(); /* MARK: call of method */
	if (s.cells != 2)
		FAIL("%d cells", s.cells);
}

NOINLINE void lambda()
{
	int cells = 0;
	auto run = [&cells](int n) NOINLINE {
#pragma omp parallel num_threads(2) /* MARK: lambda */
		{
			__atomic_add_fetch(&cells, n, __ATOMIC_SEQ_CST);
			stay(2); /* MARK: in lambda */
		}
		KEEP_FRAME();
	};
	run(1); /* MARK: call of lambda */
	if (cells != 2)
		FAIL("%d cells", cells);
}

NOINLINE void behind_lambda()
{
	int cells = 0, &ref = cells;
	auto add = [&cells](int n) NOINLINE { __atomic_add_fetch(&cells, n, __ATOMIC_SEQ_CST); };
	add(1);
#pragma omp parallel num_threads(2) /* MARK: behind lambda */
	{
		__atomic_add_fetch(&ref, 1, __ATOMIC_SEQ_CST);
		stay(2); /* MARK: in region behind lambda */
	}
	if (cells != 3)
		FAIL("%d cells", cells);
}

NOINLINE void called_lambda()
{
	int cells[2] = { 0, 0 };
	auto visit = [&cells](int n) NOINLINE {
		cells[n] = 1;
		stay(2); /* MARK: in called lambda */
	};
	for_each_thread(visit); /* MARK: call with lambda */
	if (cells[0] + cells[1] != 2)
		FAIL("%d and %d", cells[0], cells[1]);
}
} // namespace
} // namespace sim

using namespace sim;

static const struct scenario scenarios[] = {
	SCENARIO(method),        SCENARIO(lambda), SCENARIO(called_lambda),
	SCENARIO(behind_lambda), { NULL, NULL },
};

int main(int argc, char **argv)
{
	scenario_of(scenarios, argc, argv)(); /* MARK: run */
	return 0;
}
