/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What arguments were when their functions were entered, as far as the callers tell. */
#define NOINLINE __attribute__((noinline))

volatile int sink;

static NOINLINE int lost(int n)
{
	sink = n;
	sink += 5; /* MARK: lost */
	return sink;
}

static NOINLINE int changed(int n, char letter, unsigned short step)
{
	n += 2;
	while (n < 20) {
		n *= 2;
		sink += n + letter + step; /* MARK: changed */
	}
	return n;
}

static NOINLINE int by_pointer(int (*f)(int), int k)
{
	int result = f(k + 1); /* MARK: by_pointer */

	sink++;
	return result + 1;
}

static NOINLINE int recursive(int n, int sum)
{
	sink++; /* MARK: recursive */
	if (n == 0)
		return sum;
	int result = recursive(n - 1, sum + n);
	sink++;
	return result + 1;
}

static NOINLINE int odd(int n);

/* It comes back to itself by jumps: nobody knows who has entered it with what. */
static NOINLINE int even(int n)
{
	sink++;
	return n == 0 ? 1 : odd(n - 1);
}

static NOINLINE int odd(int n)
{
	sink++;
	return n == 0 ? 0 : even(n - 1); /* MARK: odd */
}

static NOINLINE int last(int n)
{
	sink = n;
	sink *= 2; /* MARK: last */
	return sink;
}

static NOINLINE int one_way(int n)
{
	sink++;
	return last(n + 10);
}

static NOINLINE int other_way(int n)
{
	sink--;
	return last(n + 20);
}

/* Two ways lead to last(): which one it was cannot be told. */
static NOINLINE int either(int n)
{
	sink++;
	return n & 1 ? one_way(n) : other_way(n);
}

int main(int argc, char **argv)
{
	(void)argv;
	int result = lost(argc + 3);

	result += changed(argc, 'x', 7);
	result += by_pointer(lost, 5 + argc);
	result += recursive(3, 0);
	result += even(4 + argc);
	result += either(argc);
	return result & 63;
}
