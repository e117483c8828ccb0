/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* C++: namespaces, templates, a virtual call, a lambda and inlined calls under an OpenMP region. */
#include <omp.h>
#include <vector>

#include "testprog.h"

namespace sim
{
template <typename F> static inline __attribute__((always_inline)) int apply(const F &f, int n)
{
	return f(n) + 1; /* MARK: apply */
}

struct solver {
	virtual ~solver() = default;
	virtual int relax(std::vector<int> &cells) = 0;
};

template <typename T, int N> struct grid : solver {
	NOINLINE int relax(std::vector<int> &cells) override
	{
		auto visit = [&cells](int n) NOINLINE {
			block(); /* MARK: lambda */
			return cells[0] + n;
		};
		int r = apply(visit, N); /* MARK: relax */
		KEEP_FRAME();
		return r;
	}
};

namespace
{
NOINLINE int run(solver &s, std::vector<int> &cells)
{
	int r = s.relax(cells); /* MARK: run */
	KEEP_FRAME();
	return r;
}
} // namespace
} // namespace sim

int main()
{
	sim::grid<double, 3> grid;
	std::vector<int> cells{ 7 };
	int result = 0;

	die_with_parent();
#pragma omp parallel num_threads(2) /* MARK: region */
	if (omp_get_thread_num() == 1) {
		wait_until_others_sleep();
		ready();
		result = sim::run(grid, cells); /* MARK: guilty */
		KEEP_FRAME();
	}
	return result == 11 ? 0 : 1;
}
