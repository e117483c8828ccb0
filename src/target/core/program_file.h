/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Program_file: the file of a program, as a target that does not run.
 *
 * It has no threads. Its memory is what the file gives the program when it begins, at the addresses
 * of the file: those of a position-independent one begin at 0. Its module is the program itself, by
 * which names and lines are found before it is run.
 */
#ifndef TARGET_PROGRAM_FILE_H
#define TARGET_PROGRAM_FILE_H

#include "target/process/target.h"

/*
 * Opens the program at path; *ret is the caller's. NOT_FOUND, NOT_PERMITTED, UNSUPPORTED (a folder,
 * no ELF file, one for another processor, one that cannot be executed), BAD_DATA: one sentence.
 */
MUST_CHECK struct error *program_open(const char *path, struct target **ret);

#endif
