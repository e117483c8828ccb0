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
 * A module lives as long as its mapping. What the layers above find out about it hangs on it
 * (module_hang()) and ends with it, so that a later stop has to find out only what is new.
 *
 * A module_list borrows the target it reads. Modules it returns are borrowed and stay valid until
 * module_list_update(), which frees those that are no longer mapped, or module_list_free().
 */
#ifndef TARGET_MODULE_H
#define TARGET_MODULE_H

#include "base/budget.h"
#include "target/elf/build_id.h"
#include "target/process/target.h"

/*
 * What hangs on a module; freed in the opposite order: later ones use earlier ones. What is known
 * of the file alone can go on with another process that maps it, too: module_list_inherit().
 */
enum module_part {
	MODULE_FILES,   /* its ELF files: debuginfo.c                           */
	MODULE_SYMBOLS, /* names and lines: symbol.c                            */
	MODULE_TABLES,  /* how to unwind through it: unwind.c                   */
	MODULE_CODE,    /* whose code it is, what it exports: ompd's runtime.c  */
	MODULE_VERSION, /* of OpenMP, in libomp's constants: libomp_symbols.c   */
	MODULE_OMPD,    /* the OMPD session of a runtime: ompd's openmp.c       */
	NUM_MODULE_PARTS,
};

struct module {
	char *path;         /* owned; as the kernel names it; "[vdso]"             */
	taddr start, end;   /* from its lowest to its highest mapping               */
	taddr base;         /* where file offset 0 is mapped                        */
	taddr bias;         /* address in the target minus address in the file      */
	taddr dynamic;      /* PT_DYNAMIC, 0: none                                  */
	taddr eh_frame_hdr; /* PT_GNU_EH_FRAME, 0: none                             */
	uint64_t eh_frame_hdr_size;
	taddr spare;       /* behind the end of its code; up to the end of that page nothing */
	taddr spare_end;   /* that the program uses; equal: there is no room         */
	uint64_t tls_size; /* PT_TLS, bytes; 0: none                               */
	uint64_t size;     /* of its segments, from base on                        */
	struct build_id build_id;
	struct map map;          /* the mapping of file offset 0; path borrowed          */
	unsigned int link_order; /* place in the link map from 1 on, 0: not in it        */
	taddr link_map;          /* its struct link_map, 0: none                         */
	bool deleted;            /* the file has no name any longer                      */
	bool is_exe;             /* the program itself                                   */
	bool is_vdso;
	size_t index; /* in the list, until the next update                   */
	struct {
		void *data; /* owned; NULL: nothing is known yet */
		const struct part_ops *ops;
	} parts[NUM_MODULE_PARTS];
};

struct part_ops {
	void (*free)(void *data);
	/* It hangs on another module of the same file now; NULL: it cannot. part_stays(): nothing
	 * in it changes by that. */
	void (*move)(void *data, struct target *t, const struct module *m);
};

struct module_list {
	struct target *target;        /* borrowed                                      */
	struct module_list *ancestor; /* borrowed; NULL: none                          */
	struct module **items;        /* owned, and what they point to; sorted by address     */
	size_t len, cap;
	struct budget budget;     /* for all that is found out about modules              */
	struct map_list maps;     /* owned                                            */
	taddr entry;              /* first instruction of the program; 0: unknown */
	unsigned long generation; /* rises when a module has gone of which something was known */
	uint8_t program[24];      /* private: which program the process executes      */
};

/* A list that knows nothing yet. NULL: out of memory. */
struct module_list *module_list_new(struct target *t);
void module_list_free(struct module_list *l);
static inline void module_list_cleanup(struct module_list **l)
{
	module_list_free(*l);
}
#define AUTO_MODULES AUTO(module_list_cleanup) struct module_list

/*
 * Looks at what is mapped now; the target must be stopped. A module is kept if the same file
 * (device, inode, path) is mapped at the same place with the same extent, its build-id is still the
 * one in memory, and the link map has the same entry for it. After an exec, none is kept. On
 * errors, which are the target's or lack of memory, the list is as before.
 */
MUST_CHECK struct error *module_list_update(struct module_list *l);

/* A new list, updated once. */
MUST_CHECK struct error *module_list_read(struct target *t, struct module_list **ret);

void part_stays(void *data, struct target *t, const struct module *m);

/* Hangs something on a module, which owns it from then on, instead of what hung there. */
void module_hang(struct module *m, enum module_part part, void *data, const struct part_ops *ops);

/*
 * What another list has found out about files goes over to the modules here that are of the same
 * ones (device, inode, path, build-id), as they are found. That list, its target and all that its
 * parts borrow live on as long as this one.
 */
void module_list_inherit(struct module_list *l, struct module_list *from);

/* The program itself; NULL: it is not known which module that is. */
struct module *module_exe(const struct module_list *l);

/* The module with a mapping at pc; NULL: none. */
struct module *module_at(const struct module_list *l, taddr pc);

/* The last part of its path. */
const char *module_name(const struct module *m);

#endif
