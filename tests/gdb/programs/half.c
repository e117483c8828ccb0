/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Floating-point numbers of two bytes. */
struct pair {
	_Float16 first;
	int second;
};

struct pair pair = { 2.5f16, 3 };
_Float16 halves[3] = { 1, -0.5f16, 65504 };
_Float16 _Complex z = 1.5f16 + 2i;

int main(void)
{
	halves[1] += pair.first;
	return (int)halves[1]; // MARK: stop
}
