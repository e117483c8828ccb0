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
};

/* false: a function that the programmer wrote. name: linkage name, demangled or not. */
bool outlined_parse(const char *name, struct outlined *ret);

/* The user's function, as it is called in the source. It is the caller's; NULL: out of memory. */
char *outlined_user(const struct outlined *o, struct symbol_table *symbols);

#endif
