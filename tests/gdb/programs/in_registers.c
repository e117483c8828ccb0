/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* in_registers: optimised, arguments stay in registers: a structure of bits, a number of each kind.
 */
struct bits {
	unsigned int a : 3, b : 11, c : 10;
	int d;
};

__attribute__((noipa)) int sum(struct bits x, double y, float z)
{
	return (int)x.a + (int)x.b + x.d + (int)y + (int)(z * 4); /* MARK: sum */
}

/* In two registers each, of one kind or two. */
struct pair {
	long a, b;
};
struct mixed {
	int a : 5;
	double b;
};

__attribute__((noipa)) int pairs(struct pair x, struct mixed y)
{
	return (int)(x.a + x.b) + y.a + (int)y.b;
}

int main(void)
{
	struct bits v = { 1, 2, 3, 4 };
	struct pair p = { 5, 6 };
	struct mixed m = { 7, 8.5 };

	return sum(v, 1.5, 2.5F) + pairs(p, m);
}
