/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rank: "ompdb rank PROGRAM" in the place of a program that something else starts, mpiexec for
 * example: it becomes that program, with the same process id, files, environment and signals, as
 * soon as a debugger has attached to it.
 */
#ifndef DEBUGGER_CLI_RANK_H
#define DEBUGGER_CLI_RANK_H

#include "debugger/cli/console.h"

/* Does not return if all goes well. argv[argc] is NULL. The status is 127 if there is no such
 * program, 126 if it cannot be executed, as shells have it; FAILED: its starter has ended. */
enum status rank_execute(int argc, char **argv);

#endif
