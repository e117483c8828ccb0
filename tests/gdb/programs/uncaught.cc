/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An exception that nobody catches. */
static void throws()
{
	throw 5; /* MARK: throw */
}

int main()
{
	throws(); /* MARK: call */
	return 0;
}
