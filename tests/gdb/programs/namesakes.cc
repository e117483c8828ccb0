/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of one name, whose arguments have other names. */
namespace a
{
static int same(int x)
{
	return x + 1; /* MARK: a */
}
} /* namespace a */

namespace b
{
static int same(char y)
{
	return y + 1; /* MARK: b */
}
} /* namespace b */

static int same(double z)
{
	return (int)z; /* MARK: none */
}

int main()
{
	int sum = a::same(3);

	sum += b::same('c');
	sum += same(2.0);
	sum += a::same(7);
	return sum & 63;
}
