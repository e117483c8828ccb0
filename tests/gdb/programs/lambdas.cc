/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions without names, and those of the library that call them. */
#include <algorithm>
#include <functional>
#include <vector>

static int total;

static int apply(const std::function<int(int)> &function, int n)
{
	return function(n); /* MARK: apply */
}

int main()
{
	std::vector<int> values = { 3, 1, 2 };
	int base = 10;
	auto add = [base](int n) {
		return base + n; /* MARK: lambda */
	};

	total += add(1);        /* MARK: call */
	total += apply(add, 2); /* MARK: call_apply */
	std::sort(values.begin(), values.end(), [](int a, int b) {
		total++; /* MARK: comparison */
		return a < b;
	}); /* MARK: sort */
	std::for_each(values.begin(), values.end(), [](int n) {
		total += n; /* MARK: each */
	});
	return total & 63; /* MARK: last */
}
