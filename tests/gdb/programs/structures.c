/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Structures, unions, bit-fields, in memory and in registers. */
#include <stdio.h>

enum colour { RED, GREEN = 4 };

struct inner {
	int x;
	double y;
};
union number {
	int i;
	float f;
};
struct whole {
	char name[8];
	signed int low : 3;
	unsigned int high : 5;
	unsigned long long wide : 40;
	struct inner inner;
	union number number;
	struct {
		int p, q;
	};
	struct whole *next;
	int numbers[12];
	void (*function)(void);
	struct inner inners[3];
	const char *text;
	enum colour colour;
	_Bool flag;
};
struct hidden;
struct list {
	struct list *next;
	int value;
};
typedef struct {
	long first, second;
} plain;

static struct whole global = {
	.name = "abc",
	.low = -2,
	.high = 17,
	.wide = 0xabcdef0123,
	.inner = { 1, 2.5 },
	.number = { 7 },
	.p = 3,
	.q = 4,
	.numbers = { 1, 2, 3 },
	.inners = { { 1, 1 }, { 1, 1 }, { 2, 2 } },
	.text = "hello",
	.colour = GREEN,
	.flag = 1,
};
static struct hidden *unknown;

static plain by_value(plain given, struct inner other)
{
	plain result = { given.first + 1, other.x };
	return result; /* MARK: by_value */
}

static void last(void)
{
	putchar('\n'); /* MARK: last */
}

int main(void)
{
	struct list tail = { 0, 2 }, head = { &tail, 1 };
	struct whole *pointer = &global;
	struct inner other = { 5, 6.5 }, local = other;
	plain made = by_value((plain){ 10, 20 }, other);

	last();
	printf("%d %ld %p %d %d\n", head.next->value, made.first, (void *)unknown, pointer->p,
	       local.x);
	return 0;
}
