/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Task_copy: how clang (measured with 14) describes what a task has its own copy of. The location
 * is that of the copy, which holds what the reference refers to, where the program declares a
 * reference; but the type is the reference's.
 *
 * For the files here that read DWARF, as die.h.
 */
#ifndef TARGET_TASK_COPY_H
#define TARGET_TASK_COPY_H

#include "target/symbols/die.h"

/* A variable of code that clang has made of a task, of which that has a copy. */
bool task_copy_is_one(Dwarf_Die *variable, const Dwarf_Die *function,
		      const struct dwarf_spans *spans);

#endif
