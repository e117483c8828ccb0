/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Becomes another program, which ends with the status that its argument says. */
#include <unistd.h>

static int before(int n)
{
	return n * 2; /* MARK: before */
}

int main(void)
{
	before(3);                                 /* MARK: first */
	execl("./ended", "ended", "6", (char *)0); /* MARK: exec */
	return 99;
}
