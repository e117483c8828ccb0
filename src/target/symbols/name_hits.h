/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Name_hits: where debug information may speak of a name, without reading its entries.
 *
 * Strings lie in .debug_str, most of them once; entries have their offsets. So a name that is
 * nowhere in that section is no entry's, and one that is there is that of entries with these four
 * bytes: of many thousand units few have to be read. What looks like such an offset may be
 * something else; a reader of the entries finds out.
 */
#ifndef TARGET_NAME_HITS_H
#define TARGET_NAME_HITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cursor.h"

/* Sections; those that are missing are empty. */
struct name_sections {
	struct cursor info, str, str_offsets;
	void (*passed)(void *context, struct cursor bytes); /* told what has been looked at */
	void *context;
};

/* Offsets, rising. */
struct name_hits {
	uint64_t *items; /* owned */
	size_t len, cap;
};
void name_hits_fini(struct name_hits *h);

/*
 * Finds a name, or that with template arguments ("name<...>"): in .debug_info, and in
 * .debug_str_offsets. false: out of memory.
 */
bool name_hits_find(const struct name_sections *s, const char *name, size_t len,
		    struct name_hits *ret_info, struct name_hits *ret_str_offsets);

/* Finds four-byte numbers, which rise, in one of the sections. */
bool name_hits_find_numbers(const struct name_sections *s, struct cursor bytes,
			    const uint32_t *numbers, size_t n, struct name_hits *ret);

#endif
