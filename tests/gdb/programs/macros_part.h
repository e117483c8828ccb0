/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code in a header: macros.c includes it. */
static int from_header(int n)
{
	int result = n; /* MARK: header */

	result += SQUARE(n); /* MARK: header_square */
	return result;
}
