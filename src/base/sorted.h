/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sorted: for arrays in order, how two numbers compare and where something is or would be.
 */
#ifndef BASE_SORTED_H
#define BASE_SORTED_H

#include <stddef.h>

/* Two numbers as qsort(3) compares: less than 0, 0, more than 0. */
#define sorted_order(a, b) (((a) > (b)) - ((a) < (b)))

/*
 * How many of the n first elements satisfy a condition on "item", which none satisfies that stands
 * behind one that does not:
 *
 *   size_t at = sorted_count(map, list->items, list->len, map->end <= addr);
 */
#define sorted_count(item, array, n, condition)                                                    \
	({                                                                                         \
		size_t sorted_low = 0, sorted_high = (n);                                          \
		while (sorted_low < sorted_high) {                                                 \
			size_t sorted_mid = sorted_low + (sorted_high - sorted_low) / 2;           \
			const __typeof__(*(array)) *item = &(array)[sorted_mid];                   \
			if (condition)                                                             \
				sorted_low = sorted_mid + 1;                                       \
			else                                                                       \
				sorted_high = sorted_mid;                                          \
		}                                                                                  \
		sorted_low;                                                                        \
	})

#endif
