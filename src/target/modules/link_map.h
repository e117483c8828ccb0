/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Link_map: the dynamic linker's list of what it loaded (struct r_debug, <link.h>).
 */
#ifndef TARGET_LINK_MAP_H
#define TARGET_LINK_MAP_H

#include "target/process/target.h"

struct link_map_entry {
	taddr address;      /* of the struct link_map                            */
	taddr bias;         /* l_addr: address in the target minus in the file   */
	taddr dynamic;      /* l_ld: its dynamic section                         */
	unsigned int order; /* place in the list, from 1 on, namespaces in turn  */
};

/*
 * Calls "found" for each entry of each namespace (dlmopen). dynamic: the program's dynamic
 * section, whose DT_DEBUG leads to the list. Lists that are not there yet, broken or endless
 * end early: the mappings are the truth, this is an addition.
 */
void link_map_for_each(struct target *t, taddr dynamic,
		       void (*found)(void *context, const struct link_map_entry *entry),
		       void *context);

#endif
