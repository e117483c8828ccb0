/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What others execute: ends with the number that is its argument. */
#include <stdlib.h>

static int number_of(const char *text)
{
	return atoi(text); /* MARK: number_of */
}

int main(int argc, char **argv)
{
	int number = argc > 1 ? number_of(argv[1]) : 0; /* MARK: ended_main */

	return number; /* MARK: ended_last */
}
