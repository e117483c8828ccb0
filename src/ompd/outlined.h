/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Outlined: the functions that compilers make out of OpenMP constructs, by their names.
 *
 *     work._omp_fn.0           gcc: a region or task in work()
 *     work.omp_outlined        clang 16 on: a region in work()
 *     .omp_outlined._debug__   clang before: a region; the function is not named
 *     .omp_task_entry.         clang: a task
 *     __omp_offloading_fe00_a965d3_work_l95   clang: a target construct in work(), with a device's
 *                              and a file's number and the line; what is outlined of that has
 *                              this name, and what follows in the lines above
 */
#ifndef OMPD_OUTLINED_H
#define OMPD_OUTLINED_H

#include <stdbool.h>
#include <stddef.h>

#include "target/symbols/symbol.h"

struct outlined {
	const char *user;      /* the user's function, within the name; not NUL-terminated */
	size_t len;            /* of that; 0: the name does not tell it                    */
	const char *construct; /* "task" where the name tells; else NULL */
	bool helper;           /* copies, reduces, finds variables: none of the user's statements */
};

/* A level of the code at pc (symbol_locate()), and its line. */
struct source_place {
	taddr pc;
	size_t level;
	const char *file; /* borrowed; NULL: unknown */
	int line;
};

/* false: a function that the programmer wrote. name: linkage name, demangled or not. */
bool outlined_parse(const char *name, struct outlined *ret);

/* The user's function, as it is called in the source. It is the caller's; NULL: out of memory. */
char *outlined_user(const struct outlined *o, struct symbol_table *symbols);

/*
 * The function that the code of a construct was written in, by its line, with all that is in its
 * name; of a template of which it may be several instances, without their arguments. It is the
 * caller's. NULL: unknown, or out of memory.
 */
char *outlined_around(struct symbol_table *symbols, taddr pc, const char *file, int line);

/*
 * What somebody reads for a function: function_text() (function_text.h) of a level at pc; for code
 * of a construct, of the function that it was written in. Its line
 * counts where the name does not tell the function. *ret_outlined: the compiler's
 * name, if it is of a construct, else NULL; borrowed from symbols. The result is the caller's.
 * NULL: unknown, or out of memory.
 */
char *outlined_text(struct symbol_table *symbols, const struct source_place *at, bool parameters,
		    const char **ret_outlined);

#endif
