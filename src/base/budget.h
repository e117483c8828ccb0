/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Budget: memory that files may ask for.
 *
 * A file of a megabyte can make ompdb unpack a gigabyte, and a process may map thousands of files.
 * All that one session opens draws on one budget, so that neither ompdb nor, on a machine
 * whose memory the target needs, the target dies of it. Nobody gets more than half of what is
 * left: the first ones leave something to the others, however much they ask for.
 */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct budget {
	uint64_t left; /* bytes; 0, at first: budget_of_machine(), when it is needed */
};

/* What one user of a budget has got of it; { .from = budget } at first. */
struct spending {
	struct budget *from; /* borrowed */
	uint64_t bytes;
};

/* A quarter of the memory that is available on this machine, 4 GiB at most. */
uint64_t budget_of_machine(void);

/* false: that is more than half of what is left, and nothing is spent. */
bool budget_spend(struct spending *s, uint64_t bytes);

/* Gives back all that was spent. */
void budget_return(struct spending *s);

#endif
