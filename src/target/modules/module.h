/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Modules: the ELF files mapped into a target.
 *
 * The mappings say what is there; the dynamic linker's link map (r_debug) says which of it was
 * loaded by the dynamic linker and in which order, and is believed only where it agrees with the
 * mappings. Everything here comes from the target's memory: no file is opened, so this is fit to
 * run while the target stands still. See debuginfo.h for what is in the files.
 *
 * A module_list borrows the target it reads. Modules it returns are borrowed and stay valid
 * until module_list_free().
 */
#ifndef TARGET_MODULE_H
#define TARGET_MODULE_H

#include "target/elf/build_id.h"
#include "target/process/target.h"

struct module {
	char *path;         /* owned; as the kernel names it; "[vdso]"             */
	taddr start, end;   /* from its lowest to its highest mapping               */
	taddr base;         /* where file offset 0 is mapped                        */
	taddr bias;         /* address in the target minus address in the file      */
	taddr dynamic;      /* PT_DYNAMIC, 0: none                                  */
	taddr eh_frame_hdr; /* PT_GNU_EH_FRAME, 0: none                             */
	uint64_t eh_frame_hdr_size;
	uint64_t tls_size; /* PT_TLS, bytes; 0: none                               */
	struct build_id build_id;
	struct map map;          /* the mapping of file offset 0; path borrowed          */
	unsigned int link_order; /* place in the link map from 1 on, 0: not in it        */
	taddr link_map;          /* its struct link_map, 0: none                         */
	bool deleted;            /* the file has no name any longer                      */
	bool is_exe;             /* the program itself                                   */
	bool is_vdso;
};

struct module_list {
	struct target *target; /* borrowed                         */
	struct module *items;  /* owned, sorted by address         */
	size_t len, cap;
	struct map_list maps; /* owned                            */
};

/* Reads the target's modules as they are now; the target must be stopped. */
MUST_CHECK struct error *module_list_read(struct target *t, struct module_list **ret);
void module_list_free(struct module_list *l);
static inline void module_list_cleanup(struct module_list **l)
{
	module_list_free(*l);
}
#define AUTO_MODULES AUTO(module_list_cleanup) struct module_list

/* The module with a mapping at pc; NULL: none. */
struct module *module_at(const struct module_list *l, taddr pc);

/* The last part of its path. */
const char *module_name(const struct module *m);

#endif
