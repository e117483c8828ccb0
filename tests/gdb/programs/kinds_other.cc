/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kinds_types.h"

namespace shop
{
struct opaque {
	int secret;
	row rows[2];
};
int item::count = 7;
} // namespace shop

static shop::opaque here = { 42, { { { { 1, 2 }, { 3, 4 }, { 5, 6 } } }, {} } };
shop::opaque *hidden = &here;
static thread_local int visits;

namespace
{
struct secret {
	shop::flags f;
	long double wide;
} kept = { shop::both, 2.5L };
} // namespace

int total(const shop::row &r, shop::item *i)
{
	int sum = 0;
	int sizes[r.values[0].x + 2];
	visits++;
	for (int n = 0; n < r.values[0].x + 2; n++)
		sizes[n] = n * n;
	{
		double sum = r.values[1].y;
		secret mine = kept;
		mine.wide += sum;
		kept = mine; /* MARK: inner */
	}
	for (auto &p : r.values)
		sum += p.x;
	return sum + i->at.x + sizes[1] + (int)kept.f;
}
