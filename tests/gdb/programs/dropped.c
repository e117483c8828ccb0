/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An inlined call of whose arguments the compiler drops one: no value, and no entry of its own. */
#define INLINED static inline __attribute__((always_inline))

volatile int result;
volatile int input = 3;

static __attribute__((noinline)) int computed(void)
{
	return result + 1;
}

INLINED int add(int kept, int dropped)
{
	int useless = dropped + 1;

	result += kept; /* MARK: add */
	return result;
}

static __attribute__((noinline)) int outer(int n)
{
	return add(n, computed()); /* MARK: call */
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 4; i++)
		sum += outer(input + i);
	return sum & 63;
}
