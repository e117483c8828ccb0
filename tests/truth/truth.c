/* SPDX-FileCopyrightText: The ompdb developers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Variables of C, and what they hold. */
#include "truth.h"

#include <omp.h>

struct point {
	int x, y;
	unsigned low : 3, high : 5;
};

enum colour { RED, GREEN = 5, BLUE };

static int counter = 11;
double rate = 0.25;
static _Thread_local int own_thread = 3;
static int private_to_all = 1;
#pragma omp threadprivate(private_to_all)

static APART int used_later(int argument, double factor, char letter, short few, bool flag)
{
	int sum = argument + 3;
	long product = (long)argument * 1000000007;
	MARK(101, argument, factor, letter, few, flag, sum, product);
	use(sum + few + letter);
	use(product + argument + flag + (long)factor);
	return sum;
}

static APART int not_used_later(int argument, double factor, char letter)
{
	int sum = argument + 3;
	double scaled = factor * argument;
	use(sum);
	MARK(102, argument, factor, letter, sum, scaled);
	return 0;
}

static APART int blocks(int n)
{
	int shadow = n;
	{
		int shadow = n * 2, inner = n + 9;
		MARK(103, shadow, inner, n);
		use(shadow + inner);
	}
	int constant = 6;
	MARK(104, shadow, n, constant);
	for (int i = 0; i < n; i++) {
		int square = i * i;
		if (i == 2)
			MARK(105, i, square, shadow);
		use(square);
	}
	use(shadow);
	return 0;
}

static APART void in_memory(int n)
{
	int array[4] = { n, n + 1, n + 2, n + 3 };
	char text[8] = "words";
	struct point p = { n, -n, 5, 17 };
	struct point *to = &p;
	const char *said = "said";
	int *third = &array[2];
	use_address(array);
	use_address(text);
	use_address(&p);
	MARK(106, array[1], array[3], p.x, p.y, to->y, to->x, *third);
	MARK(107, p.low, p.high, to->low, said, text, n);
	use_address(array);
	use_address(text);
	use(to->x + *third + said[0] + n);
}

static inline __attribute__((always_inline)) int twice(int value)
{
	int result = value * 2;
	MARK(108, value, result);
	return result;
}

static APART int inlined(int start)
{
	int before = start + 7;
	TELL(108, 2, start, before);
	int after = twice(before) + 1;
	MARK(109, start, before, after);
	use(after + before);
	return 0;
}

static APART int callee(int deep, int lost)
{
	int local = deep - 1;
	use(lost);
	MARK(110, deep, lost, local);
	return deep;
}

static APART int middle(int kept, int gone)
{
	int own = kept * 3;
	TELL(110, 2, kept, gone, own);
	int result = callee(kept + gone, own + 5);
	use(kept + result);
	return result;
}

static APART int caller(int n)
{
	int saved = n + 100;
	TELL(110, 3, n, saved);
	return middle(n, 4) + saved;
}

static APART int recursive(int level)
{
	int here = level * 10;
	if (level == 1) {
		MARK(111, level, here);
		return 1;
	}
	TELL(111, level, level, here);
	int result = recursive(level - 1);
	return result + here;
}

static APART void everywhere(void)
{
	static int calls = 40;
	enum colour colour = counter > 5 ? GREEN : RED;
	float narrow = (float)rate / 2;
	unsigned long mask = 1UL << (counter % 60);
	calls++;
	own_thread += 2;
	MARK(112, counter, rate, calls, own_thread, narrow, mask);
	use(colour + (long)narrow + (long)mask);
}

static APART int changed(int value)
{
	value += 2;
	MARK(113, value);
	value *= 3;
	int other = value;
	MARK(114, value, other);
	value = -1;
	MARK(115, value, other);
	return other;
}

static void serial(int n)
{
	used_later(n, 1.5 * n, 'a', (short)(n - 20), n > 0);
	not_used_later(n, 2.5, 'b');
	blocks(n);
	in_memory(n);
	inlined(n);
	caller(n);
	recursive(3);
	everywhere();
	changed(n);
}

static APART void region(int n)
{
	int shared_one = n, first = n * 2, array[3] = { n, 2 * n, 3 * n }, mine = 0;
	double factor = n / 4.0;
	const char *text = "region";
#pragma omp parallel num_threads(2) firstprivate(first) private(mine)
	{
		int local = omp_get_thread_num() + 50;
		mine = local * 2;
		first += omp_get_thread_num();
		MARK(201, shared_one, first, mine, local, array[1], factor, text, n);
#pragma omp barrier
#pragma omp single
		shared_one += 100;
		private_to_all = local;
		MARK(202, shared_one, first, mine, local, private_to_all, counter, rate);
		use(local + mine);
#pragma omp critical
		{
			int inside = first * 3;
			MARK(203, inside, first, local, factor);
			use(inside);
		}
	}
	MARK(204, shared_one, first, n, factor, array[2]);
	use(shared_one + first);
}

static APART void region_of_parts(struct point *where, int n)
{
	struct point here = { n, n + 1, 3, 9 };
#pragma omp parallel num_threads(2)
	{
		int got = here.x + where->y;
		MARK(205, here.x, here.y, where->x, where->y, got, n);
		use(got);
	}
	use(here.x);
}

static APART void sections(int n)
{
	int shared_one = n;
#pragma omp parallel sections num_threads(2) firstprivate(n)
	{
#pragma omp section
		{
			int left = n + 1;
			MARK(206, left, n, shared_one);
		}
#pragma omp section
		{
			int right = n + 2;
			MARK(207, right, n, shared_one);
			use(right);
		}
	}
	use(shared_one);
}

static APART void apart_sections(int n)
{
	int last = n, local = n * 2;
#pragma omp parallel num_threads(2)
	{
		int before = omp_get_thread_num() + n;
#pragma omp sections private(local) lastprivate(last)
		{
			{
				int one = before + 1;
				local = one * 2, last = one;
				MARK(208, before, one, local, last);
				use(one + local);
			}
#pragma omp section
			for (int i = 0; i < 2; i++) {
				local = i + 70, last = before + i + 1;
				MARK(209, before, i, local, last);
				use(i + local);
			}
		}
		use(before);
	}
	use(last);
}

static APART void thread_locals(int n)
{
	static _Thread_local long outside = 4;
#pragma omp parallel num_threads(2)
	{
		static _Thread_local int inside = 5;
		int own = omp_get_thread_num();
		own_thread = n + own, private_to_all = own + 30;
		outside += own, inside += own * 2;
		MARK(210, own_thread, private_to_all, outside, inside, own);
#pragma omp barrier
#pragma omp for schedule(static, 1)
		for (int i = 0; i < 2; i++) {
			own_thread += i, inside++;
			MARK(211, own_thread, private_to_all, outside, inside, i);
			use(i);
		}
#pragma omp task
		MARK(606, own_thread, private_to_all, outside, inside);
		use(own);
	}
}

/* Arrays whose length is not constant; the first one's elements are its indexes by ten. */
static APART void lengths(int n)
{
	int counted[n + 1], rows[n][2];
	for (int i = 0; i <= n; i++)
		counted[i] = i * 10;
	for (int i = 0; i < n; i++)
		rows[i][1] = i + 600;
	use_address(counted), use_address(rows);
#pragma omp parallel num_threads(2) shared(counted, rows)
	{
		MARK(212, counted[n], counted[1], rows[2][1], n);
#pragma omp single
#pragma omp task shared(counted, rows)
		{
			MARK(607, counted[n], counted[2], rows[1][1], n);
			use(counted[1] + rows[1][1]);
		}
		use(counted[0] + rows[0][1]);
	}
#pragma omp parallel num_threads(2) firstprivate(counted) private(rows)
	{
		counted[1] += omp_get_thread_num(), rows[1][1] = counted[1] * 2;
		use_address(counted), use_address(rows);
		MARK(213, counted[n], counted[1], rows[1][1], n);
		use(counted[1] + rows[1][1]);
	}
	use(counted[1]);
}

static APART void nested(int n)
{
	int outermost = n * 5;
#pragma omp parallel num_threads(2)
	{
		int between = omp_get_thread_num() + n, passed = between * 2;
#pragma omp parallel num_threads(2) firstprivate(passed)
		{
			int innermost = omp_get_thread_num() + 70;
			passed += innermost;
			MARK(301, outermost, between, passed, innermost, n);
			use(innermost);
			{
				int block = innermost + between;
				MARK(302, block, innermost, between, outermost);
			}
		}
		MARK(303, outermost, between, passed, n);
		use(between + passed);
	}
	use(outermost);
}

static APART void loops(int n)
{
	int shared_one = n, last = 0, offset = n * 2;
#pragma omp parallel for num_threads(2) lastprivate(last) firstprivate(offset)
	for (int i = 0; i < 16; i++) {
		int square = i * i;
		last = square + offset;
		if (i == 3 || i == 12)
			MARK(401, i, square, last, offset, shared_one, n);
		use(square);
	}
	MARK(402, last, shared_one, offset);
#pragma omp parallel for num_threads(2) schedule(dynamic, 2)
	for (int i = 10; i < 40; i += 3) {
		double half = i / 2.0;
		if (i == 19)
			MARK(403, i, half, shared_one, n);
		use((long)half);
	}
#pragma omp parallel for num_threads(2) collapse(2) schedule(guided)
	for (int row = 0; row < 4; row++)
		for (int column = 0; column < 5; column++) {
			int cell = row * 5 + column;
			if (cell == 13)
				MARK(404, row, column, cell, shared_one);
			use(cell);
		}
#pragma omp parallel num_threads(2)
	{
		int before = omp_get_thread_num() * 4 + 1;
#pragma omp for ordered schedule(static, 1)
		for (long k = 8; k > 0; k--) {
#pragma omp ordered
			if (k == 5)
				MARK(405, k, before, shared_one);
			use(k);
		}
		use(before);
	}
#pragma omp parallel for num_threads(2) schedule(dynamic) lastprivate(last)
	for (int down = n * 4; down > n; down -= 5) {
		last = down * 2;
		if (down == n * 4 - 15)
			MARK(406, down, last, shared_one);
		use(last);
	}
	int most = 0;
#pragma omp parallel for num_threads(2) schedule(static) lastprivate(conditional : most)
	for (int i = 0; i < 4; i++) {
		if (i % 2)
			most = i * n + 1;
		if (i == 3)
			MARK(420, i, most);
		use(i);
	}
	use(most);
#pragma omp parallel for num_threads(2) collapse(2)
	for (int row = 2; row < n; row++)
		for (long column = offset; column > n; column -= 3) {
			long both = row * 100 + column;
			if (row == 4 && column == offset - 6)
				MARK(407, row, column, both);
			use(both);
		}
}

static APART void scans(int n)
{
	int local = 77, first = n + 1, sum = n, sums[8];
#pragma omp parallel num_threads(2)
#pragma omp for reduction(inscan, + : sum) private(local) firstprivate(first)
	for (int i = 0; i < 8; i++) {
		{
			local = i * 10, first++, sum += i;
			if (i == 2 || i == 5)
				MARK(408, i, local, first, n);
			use(local + first);
		}
#pragma omp scan inclusive(sum)
		{
			local = i * 100, sums[i] = sum;
			if (i == 2 || i == 5)
				MARK(409, i, local, sum, n);
			use(local + first);
		}
	}
	MARK(410, sum, local, sums[7]);
#pragma omp parallel for num_threads(2) reduction(inscan, + : sum) firstprivate(first)
	for (int i = 0; i < 8; i++) {
		{
			int before = i + first;
			sums[i] = sum;
			if (i == 2 || i == 5)
				MARK(411, i, sum, first, before);
			use(first + before);
		}
#pragma omp scan exclusive(sum)
		{
			int after = i * 3;
			sum += i;
			if (i == 2 || i == 5)
				MARK(412, i, first, after);
			use(first + after);
		}
	}
	use(sums[2]);
}

static APART void reductions(int n)
{
	int sum = n, steps = 4;
	double product = 2;
#pragma omp parallel num_threads(2) reduction(+ : sum) reduction(* : product)
	{
		int local = omp_get_thread_num() + 1;
		sum += local * 10;
		product *= local + 0.5;
		MARK(501, sum, product, local, steps, n);
		use(local);
	}
	MARK(502, sum, product, steps);
	int most = -1;
#pragma omp parallel for num_threads(2) reduction(max : most) reduction(+ : sum) schedule(static)
	for (int i = 0; i < 10; i++) {
		int value = (i * 7) % 10;
		most = value > most ? value : most;
		sum += value;
		if (i == 4 || i == 9)
			MARK(503, i, value, most, sum, steps);
		use(value);
	}
	MARK(504, most, sum, n);
	use(sum + most + (long)product);
}

static APART void tasks(int n)
{
	int shared_one = n, first = n + 6, array[2] = { n, n * 9 };
	double factor = n * 0.5;
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		int creator = n + 31;
#pragma omp task firstprivate(first) shared(shared_one)
		{
			int local = first * 2;
			first++;
			MARK(601, shared_one, first, local, creator, array[1], factor);
			use(local + first);
		}
		for (int i = 0; i < 4; i++)
#pragma omp task
			if (i == 2) {
				int square = i * i;
				MARK(602, i, square, creator, shared_one, n);
				use(square);
			}
#pragma omp taskwait
#pragma omp task if (0)
		{
			int at_once = creator + 1;
#pragma omp task firstprivate(at_once)
			{
				int nested = at_once * 2;
				MARK(603, at_once, nested, creator, shared_one);
			}
#pragma omp taskwait
			MARK(604, at_once, creator);
			use(at_once);
		}
		MARK(605, creator, shared_one, first);
		use(creator);
	}
	use(shared_one + first);
}

static APART void taskloops(int n)
{
	int shared_one = n, base = n * 4;
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp taskloop grainsize(4) firstprivate(base)
		for (int i = 0; i < 12; i++) {
			int value = i + base;
			if (i == 6)
				MARK(701, i, value, base, shared_one, n);
			use(value);
		}
#pragma omp taskloop num_tasks(2) collapse(2)
		for (int row = 0; row < 3; row++)
			for (int column = 0; column < 4; column++) {
				double cell = row + column / 8.0;
				if (row == 1 && column == 2)
					MARK(702, row, column, cell, shared_one);
				use((long)cell);
			}
#pragma omp taskloop grainsize(2)
		for (int i = 1; i < n; i++) {
			int value = i * 3;
			if (i == 4)
				MARK(703, i, value);
			use(value);
		}
	}
	use(shared_one);
}

static APART void taskloop_reductions(int n)
{
	int sum = n, sums[2] = { n, n };
	double product = 2;
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp taskloop grainsize(4) reduction(+ : sum, sums) reduction(* : product)
		for (int i = 0; i < 12; i++) {
			sum += i + n, sums[i % 2] += i, product *= 1.5;
			if (i == 6 || i == 9)
				MARK(710, sum, product, sums[0], sums[1]);
			use(i);
		}
#pragma omp taskgroup task_reduction(+ : sum)
#pragma omp taskloop num_tasks(2) in_reduction(+ : sum)
		for (int i = 0; i < 4; i++) {
			sum += i + n;
			MARK(711, sum);
			use(i);
		}
	}
	MARK(505, sum, product, sums[0]);
	use(sum + sums[1] + (long)product);
}

int main(void)
{
	struct point where = { 21, 22, 1, 2 };
	int n = 8 + counter - 11;
	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	serial(n);
	region(n);
	region_of_parts(&where, n);
	sections(n);
	apart_sections(n);
	thread_locals(n);
	lengths(n);
	nested(n);
	loops(n);
	scans(n);
	reductions(n);
	tasks(n);
	taskloops(n);
	taskloop_reductions(n);
	return 0;
}
