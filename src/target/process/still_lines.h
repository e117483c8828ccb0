/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Still_lines: which lines of memory are taken of a process that stands still for a moment, before
 * it is known what a look reads. t: its threads, whose registers are those of the stop; maps: its
 * mappings of a moment ago. All add to *ret, and return false if there is no memory left.
 */
#ifndef TARGET_STILL_LINES_H
#define TARGET_STILL_LINES_H

#include <stdbool.h>

#include "target/process/memory.h"
#include "target/process/target.h"

/* Of each stack what is in use, what is thread-local, what threads wait for, and modules' slots. */
bool still_lines_usual(const struct target *t, const struct map_list *maps, struct line_list *ret);

/* What threads have in hand, by words of their stacks, which have been taken; in order. */
bool still_lines_in_hand(const struct target *t, const struct map_list *maps,
			 struct line_list *ret);

/* Puts them in order, each once. */
void still_lines_sort(struct line_list *);

#endif
