/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code that macros and included files make: lines of other files, many in one line. */
#define SQUARE(x) ((x) * (x))
#define TWICE(call)                                                                                \
	do {                                                                                       \
		call;                                                                              \
		call;                                                                              \
	} while (0)

static int total;

#include "macros_part.h"

static void count(int n)
{
	total += n; /* MARK: count */
}

int main(void)
{
	TWICE(count(2));         /* MARK: twice */
	total += SQUARE(3);      /* MARK: square */
	total += from_header(4); /* MARK: header_call */
#line 1000 "generated.c"
	total++;
	count(1);
	return total & 63;
}
