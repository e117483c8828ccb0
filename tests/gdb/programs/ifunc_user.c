/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls a function of a library that the loader chooses, and some of the C library. */
#include <string.h>

int indirect(int n);

int main(int argc, char **argv)
{
	char copy[64] = { 0 }; /* MARK: begins */
	int n = indirect(1);   /* MARK: first_call */

	n += indirect(argc);                       /* MARK: second_call */
	memcpy(copy, "seven..", (size_t)argc + 6); /* MARK: copies */
	n += (int)strlen(copy);                    /* MARK: measures */
	return argv[0][0] ? n : 1;                 /* MARK: last */
}
