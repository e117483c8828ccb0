/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ends by the signal whose number its arguments count: what is said of its end. */
#include <signal.h>
#include <stdlib.h>

static void end_by(int number)
{
	raise(number); /* MARK: raise */
}

int main(int argc, char **argv)
{
	if (argc > 1)
		end_by(atoi(argv[1])); /* MARK: call */
	return 5;                      /* MARK: last */
}
