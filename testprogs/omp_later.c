/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_later: uses the runtime more with each byte from its stdin. First it has asked for its level
 * alone, then it has a team of three that stays.
 */
#include "testprog_omp.h"

int main(void)
{
	char c;

	die_with_parent();
	if (omp_get_level() != 0)
		FAIL("a level before any region");
	ready();
	if (read(0, &c, 1) != 1)
		return 0;
#pragma omp parallel num_threads(3)
	{
		arrive();
		stay_until_the_end(3);
	}
	return 0;
}
