/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* optimized: variables of which optimising compilers leave a description alone. */
#include "testprog.h"

enum Shade { LIGHT = 200, DARK = 40000 };
struct Fields {
	unsigned low : 3;
	int middle : 5;
	bool top : 1;
};
struct Link {
	int value;
	const Link *next;
};
struct Constants {
	static constexpr double ratio = 2.5;
	static const short small = -3;
	static const unsigned short large = 40000;
};
typedef float Eight __attribute__((vector_size(32)));

static NOINLINE void stop(void)
{
	__asm__ volatile("" ::: "memory");
}

static NOINLINE long constants(void)
{
	int number = 200, minus = -56;
	char16_t letter = u'\xe9';
	Shade shade = DARK;
	long wide = 3000000000;
	unsigned char byte = 200;
	stop(); /* MARK: constants */
	return number + minus + letter + shade + wide + byte;
}

static inline int sum(const Link *at, const Link &same)
{
	stop(); /* MARK: inlined */
	return at->value + same.value + at->next->value;
}

static NOINLINE int pieces(void)
{
	Fields fields = { 5, -3, true };
	Link last = { 7, nullptr }, first = { 6, &last };
	int numbers[3] = { 1, 2, 3 };
	const char *words[2] = { "one", nullptr };
	int found = sum(&first, first);
	stop(); /* MARK: pieces */
	return found + fields.low + fields.middle + fields.top + numbers[1] + (words[0] != nullptr);
}

/* More lives across the call than there are registers that it keeps. */
static NOINLINE int kept(int a, int b, int c, int d, bool yes, bool no)
{
	int x = a, y = b, z = c, sum = d;
	for (int i = 0; i < a; i++) {
		x += y ^ z, y += z ^ i, z += sum * x;
		stop(); /* MARK: kept */
		sum += (yes ? x : y) - (no ? y : z);
	}
	return sum + x + y + z + a + b + c + d;
}

static NOINLINE __attribute__((target("avx"))) void lanes(float n)
{
	Eight eight = { n, 1, 2, 3, 4, 5, 6, 7 };
	for (;;) /* MARK: spins */
		__asm__ volatile("" : "+x"(eight));
}

int main(int argc, char **)
{
	die_with_parent();
	ready();
	if (argc > 1)
		lanes((float)(constants() & 1));
	return (int)(constants() + pieces() + kept(argc, 2, 3, 4, argc == 1, argc > 1) +
		     Constants::small + Constants::large + (int)Constants::ratio) == 0;
}
