/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types, variables and scopes of all kinds, for debug information of all kinds. */
#include <memory>
#include <omp.h>
#include <string>
#include <vector>

#include "kinds_types.h"

using shop::item;
static shop::point corners[2][2] = { { { 1, 1.5 }, { 2, 2.5 } }, { { 3, 3.5 }, { 4, 4.5 } } };
struct crate {
	union content {
		int number;
		float weight;
	} held;
	template <typename T> struct lid {
		T closed;
	};
	lid<int> top;
};
static crate full = { { 7 }, { 8 } };
int (item::*method)() const = &item::name;
int shop::base::*member = &shop::base::id;

int main(int argc, char **argv)
{
	shop::row row = { { { argc, 2 }, { 3, 4 }, { 5, 6 } } };
	item one;
	std::string name = "a box";
	std::vector<shop::point> points = { { 1, 2 }, { 3, 4 } };
	auto pointer = std::make_unique<int>(5);
	int sum = 0, scale = 3;

	one.low = 5, one.high = 77, one.at = { 8, 9 }, one.paint = shop::colour::green;
	one.number = 65;
	auto scaled = [&](int by) { return by * scale + one.low; };
#pragma omp parallel num_threads(2) reduction(+ : sum) firstprivate(scale)
	{
		int i = omp_get_thread_num();
#pragma omp barrier
		int own = scale * i + row.values[0].x;
		sum += own; /* MARK: region */
	}
	sum += scaled(2);
	sum += total(row, &one); /* MARK: call */
	return sum == item::count && (one.*method)() && corners[0][0].x && full.held.number &&
	       argv && *pointer && points.size();
}
