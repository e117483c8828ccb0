/* SPDX-FileCopyrightText: The ompdb developers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Variables of C++, and what they hold. */
#include "truth.h"

#include <omp.h>
#include <vector>

namespace outer
{
int spread = 61;
static thread_local int own = 9;
namespace
{
double hidden = 6.5;
}
} // namespace outer

template <typename T> APART T of_template(T value, int n)
{
	T twice = value + value;
	MARK(101, value, twice, n);
	use((long)twice);
	return twice;
}

static APART int references(int &by_reference, const double &constant, int &&moved)
{
	int copy = by_reference;
	by_reference += 4;
	MARK(102, by_reference, constant, moved, copy);
	use(copy + moved);
	return by_reference;
}

static APART void scopes(int n)
{
	using namespace outer;
	bool flag = n > 3;
	MARK(103, spread, outer::spread, hidden, flag, n);
	if (int found = n + 2; flag) {
		auto third = found * 1.5;
		MARK(104, found, third, flag);
		use((long)third);
	}
	use(flag + spread);
}

static APART int thrown(int n)
{
	int before = n + 1;
	try {
		throw n * 3;
	} catch (int caught) {
		MARK(105, caught, before, n);
		return caught + before;
	}
}

static APART void regions(int &by_reference, int n)
{
	int array[3] = {n, n + 1, n + 2};
	int &alias = array[1];
	double factor = 0.75;
#pragma omp parallel num_threads(2) firstprivate(n)
	{
		int local = omp_get_thread_num() + 5;
		n += local;
		MARK(201, by_reference, n, array[2], alias, factor, local, outer::spread);
		use(local + n);
		for (int element : array) {
			int doubled = element * 2;
			if (element == array[1])
				MARK(202, element, doubled, local, by_reference);
			use(doubled);
		}
	}
	MARK(203, by_reference, n, alias);
	use(alias);
}

static APART void nested(int n)
{
	int outermost = n * 2;
#pragma omp parallel num_threads(2)
	{
		int between = omp_get_thread_num() + 8;
		int &alias = between;
#pragma omp parallel num_threads(2)
		{
			int innermost = between * 2 + omp_get_thread_num();
			MARK(301, outermost, between, alias, innermost, n);
			use(innermost);
		}
		use(between);
	}
	use(outermost);
}

template <int STEP> APART void loops(long n)
{
	int base = STEP + 1, last = 0;
#pragma omp parallel for num_threads(2) lastprivate(last)
	for (long i = 0; i < n; i++) {
		long scaled = i * STEP;
		last = (int)scaled + base;
		if (i == 5)
			MARK(401, i, scaled, last, base, n);
		use(scaled);
	}
	MARK(402, last, base, n);
#pragma omp parallel for num_threads(2) schedule(dynamic)
	for (unsigned j = 3; j < 9; j++) {
		int step = STEP;
		if (j == 7)
			MARK(403, j, step, base);
		use(step + j);
	}
	int array[6] = {1, 2, 3, 4, 5, 6};
#pragma omp parallel for num_threads(2)
	for (int *at = array; at < array + base + 2; at += 2) {
		int there = *at;
		if (there == 3)
			MARK(404, *at, there);
		use(there);
	}
}

static APART void reductions(int n)
{
	int total = n;
	double most = -1;
#pragma omp parallel for num_threads(2) reduction(+ : total) reduction(max : most)
	for (int i = 0; i < 8; i++) {
		double root = i * 0.5;
		total += i;
		most = root > most ? root : most;
		if (i == 3 || i == 6)
			MARK(501, i, root, total, most, n);
		use((long)root);
	}
	MARK(502, total, most, n);
	use(total);
}

template <typename T> static APART void taskloop_reductions(T &by_reference, int n)
{
	T sum = n, &refers = sum;
	double most = -1;
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp taskloop num_tasks(2) reduction(+ : by_reference, sum) reduction(max : most)
		for (int i = 2; i < 10; i++) {
			by_reference += i, sum += i * 2, most = most < i ? i : most;
			if (i == 5 || i == 8)
				MARK(710, by_reference, sum, most);
			use(i);
		}
	}
	MARK(503, by_reference, sum, most, refers);
	use((long)(sum + most + by_reference));
}

static APART void thread_locals(int n)
{
	static thread_local long outside = 4;
#pragma omp parallel num_threads(2)
	{
		static thread_local int inside = 5;
		outside += omp_get_thread_num(), inside += omp_get_thread_num() + n;
		outer::own += inside;
		MARK(204, outer::own, outside, inside);
#pragma omp task
		MARK(603, outer::own, outside, inside);
	}
}

static APART void tasks(int &by_reference, int n)
{
	int shared_one = n * 2, first = n + 3;
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		int creator = n + 40;
#pragma omp task shared(shared_one) firstprivate(first)
		{
			int local = first + by_reference;
			int &own_reference = first, &&moved = first * 2;
			TELL(601, 1, own_reference, moved);
			MARK(601, shared_one, first, local, creator, by_reference, n);
			use(local);
		}
#pragma omp taskwait
		for (int &at = creator; at < n + 42; at++) {
			int now = at;
#pragma omp task firstprivate(now) if (0)
			{
				MARK(602, now, shared_one, n);
				use(now);
			}
		}
#pragma omp taskloop grainsize(2) shared(shared_one)
		for (int i = 2; i < 10; i++) {
			int value = i * first;
			if (i == 5)
				MARK(701, i, value, first, shared_one, by_reference);
			use(value);
		}
	}
	use(shared_one);
}

static APART void elements(std::vector<int> &list)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task shared(list)
	MARK(608, list[1], (int)list.size());
}

template <typename F> static APART int call(F f, int n)
{
	int result = f(n);
	return result + n;
}

static APART void lambdas(int n)
{
	int by_value = n + 1, by_reference = n + 2;
	double factor = 1.25;
	auto mixed = [by_value, &by_reference, factor](int argument) {
		int local = argument * 2;
		by_reference++;
		MARK(801, by_value, by_reference, factor, argument, local);
		use(local);
		return local;
	};
	call(mixed, n);
	MARK(802, by_value, by_reference, factor, n);
	auto all = [&](int argument) {
		int inner = argument + by_value;
		MARK(803, by_value, by_reference, factor, n, argument, inner);
		use(inner);
		return inner;
	};
	call(all, 4);
	call([named = by_value * 2](int argument) {
		MARK(804, named, argument);
		return named;
	}, 5);
#pragma omp parallel num_threads(2)
	{
		int thread = omp_get_thread_num();
		auto inside = [&](int argument) {
			int sum = argument + thread;
			MARK(805, thread, argument, sum, by_value);
			use(sum);
			return sum;
		};
		call(inside, 9);
		MARK(806, thread, by_value, by_reference);
	}
	call([&](int argument) {
		int counted = 0;
#pragma omp parallel num_threads(2)
		{
			int own = omp_get_thread_num() + argument;
			MARK(807, own, argument, counted, by_value);
			use(own);
		}
		return argument + counted;
	}, 6);
	use(by_value + by_reference);
}

struct base {
	int inherited = 71;
	static int of_all;
};
int base::of_all = 72;

struct other {
	double second_base = 7.5;
	virtual ~other() = default;
};

class object : public base, public other {
	int member = 73;
	int array[3] = {1, 2, 3};
	int &reference;
	const char *name = "object";

public:
	int open = 74;
	explicit object(int &to) : reference(to) {}
	APART int plain(int argument)
	{
		int local = argument + member;
		MARK(901, argument, local, member, this->open, inherited, second_base, reference, of_all);
		use(local);
		return local;
	}
	APART int constant(int open) const
	{
		MARK(902, open, this->open, array[1], name);
		return open;
	}
	static APART int without(const object &it, object *at)
	{
		MARK(903, it.open, at->open, it.member, at->inherited, of_all);
		use(it.open + at->open);
		return 0;
	}
	APART int in_region(int argument)
	{
		int local = argument * 2;
#pragma omp parallel num_threads(2)
		{
			int own = omp_get_thread_num() + member;
			MARK(904, member, open, inherited, argument, local, own, array[2], this->member);
			use(own);
		}
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < 4; i++) {
			int sum = i + open;
			if (i == 1)
				MARK(905, i, sum, open, member, second_base, local);
			use(sum);
		}
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
		{
			int tasks_own = argument + member;
			MARK(906, tasks_own, argument, member, open, this->member);
			use(tasks_own);
		}
		return local;
	}
	APART void in_clauses(int argument)
	{
#pragma omp parallel num_threads(2) private(open) firstprivate(member)
		{
			open = omp_get_thread_num() + 200, member += argument + open;
			use_address(&open), use_address(&member);
			MARK(908, open, member, this->open, this->member);
			use(open + member);
		}
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task firstprivate(member)
		{
			member += argument;
			use_address(&member);
			MARK(909, member);
			use(member);
		}
	}
	APART int by_lambda(int argument)
	{
		int local = argument + 1;
		auto f = [this, local](int n) {
			int sum = n + local + member;
			MARK(907, member, open, local, n, sum, this->open);
			use(sum);
			return sum;
		};
		return call(f, local);
	}
};

int main()
{
	int n = 6 + outer::spread - 61, other = n + 10;
	double constant = 2.5;
	object it(other);
	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	of_template(n, 1);
	of_template(1.125 * n, 2);
	references(other, constant, n + 90);
	scopes(n);
	thrown(n);
	regions(other, n);
	nested(n);
	loops<3>(10 + n - 6);
	reductions(n);
	tasks(other, n);
	taskloop_reductions(other, n);
	taskloop_reductions<double>(constant, n);
	thread_locals(n);
	std::vector<int> list{ n, n * 2, 5 };
	elements(list);
	lambdas(n);
	it.plain(n);
	it.constant(n + 1);
	object::without(it, &it);
	it.in_region(n);
	it.in_clauses(n);
	it.by_lambda(n);
	return 0;
}
