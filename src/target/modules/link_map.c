/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/modules/link_map.h"

#include <elf.h>
#include <link.h>

enum {
	DYNAMIC_MAX = 256, /* entries of a dynamic section: about 30     */
	ENTRIES_MAX = 65536,
	NAMESPACES_MAX = 64, /* glibc: 16 (DL_NNS)                         */
};

static taddr find_r_debug(struct target *t, taddr dynamic)
{
	for (unsigned int i = 0; dynamic && i < DYNAMIC_MAX; i++) {
		Elf64_Dyn d;
		if (!memory_try_read(t->memory, dynamic + i * sizeof(d), &d, sizeof(d)) ||
		    d.d_tag == DT_NULL)
			break;
		if (d.d_tag == DT_DEBUG)
			return d.d_un.d_ptr;
	}
	return 0;
}

/*
 * The structures as the target's dynamic linker lays them out. They are those of our own
 * <link.h>: same processor, and an ABI that debuggers have relied on for decades.
 */
void link_map_for_each(struct target *t, taddr dynamic,
		       void (*found)(void *context, const struct link_map_entry *entry),
		       void *context)
{
	struct r_debug_extended debug;
	unsigned int order = 0;
	taddr at = find_r_debug(t, dynamic);

	for (unsigned int n = 0; at && n < NAMESPACES_MAX; n++) {
		if (!memory_try_read(t->memory, at, &debug, sizeof(debug)))
			return;
		taddr entry = (uintptr_t)debug.base.r_map;
		while (entry && order < ENTRIES_MAX) {
			struct link_map map;
			if (!memory_try_read(t->memory, entry, &map, sizeof(map)))
				return;
			struct link_map_entry e = { entry, map.l_addr, (uintptr_t)map.l_ld,
						    ++order };
			found(context, &e);
			entry = (uintptr_t)map.l_next;
		}
		/* r_next exists from version 2 on (glibc 2.35). */
		at = debug.base.r_version >= 2 ? (uintptr_t)debug.r_next : 0;
	}
}
