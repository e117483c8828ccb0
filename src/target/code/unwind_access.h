/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Unwind_access: what libunwind sees of a target: unwind tables, memory, registers.
 */
#ifndef TARGET_UNWIND_ACCESS_H
#define TARGET_UNWIND_ACCESS_H

#include <libunwind.h>

#include "target/symbols/debuginfo.h"

/* libunwind is shown a stack here of which every word is 0. */
#define BLANK_STACK     UINT64_C(0x9000000000000000)
#define BLANK_STACK_END UINT64_C(0x9000000000010000)

struct unwind_break; /* unwind.h */

struct unwinder {
	unw_addr_space_t space;             /* owned                                       */
	struct module_list *modules;        /* borrowed                                    */
	unsigned long generation;           /* of them, when libunwind's cache was filled  */
	const struct eh_frame_table *shown; /* borrowed; at OWN_TABLE; NULL: none     */
	struct debuginfo_set *files;        /* borrowed                                    */
	struct memory *memory;              /* borrowed                                    */
	const struct arch *arch;
	uint64_t registers[UNW_TDEP_LAST_REG + 1]; /* of the thread that is unwound   */
	size_t wanted;  /* frame whose registers are kept in "found"; NO_FRAME: none  */
	bool found_any; /* they have been                                             */
	uint64_t found[UNW_TDEP_LAST_REG + 1];
	unw_save_loc_t
		found_at[UNW_TDEP_LAST_REG + 1]; /* where those are, as far as libunwind tells */
	bool no_tables;                          /* set when an address had none                */
	taddr unreadable;                        /* the last address that could not be read     */
	struct unwind_break *breaks;             /* owned */
	size_t nbreaks;
	pid_t lwp; /* whose stack is walked */
};

/* Of an address space for libunwind, whose calls get a struct unwinder. */
extern unw_accessors_t unwind_accessors;

/* One of them: finds the tables' row for ip. Broken tables are as good as none. */
int unwind_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi, int need_unwind_info,
		     void *arg);

/* Whether the module around pc has no unwind tables at all: its file is gone, say. */
bool unwind_is_bare(struct unwinder *u, taddr pc);

/* An instruction may be there: in an executable mapping, or where protections are not known. */
bool unwind_is_code(const struct unwinder *u, taddr pc);

#endif
