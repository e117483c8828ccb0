/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rank_why: "omp why" in the ranks of a job: the verdict on all of them, joined through the calls
 * of MPI that they are in, stands before what each says of itself.
 */
#ifndef DEBUGGER_CLI_RANK_WHY_H
#define DEBUGGER_CLI_RANK_WHY_H

#include "debugger/cli/cli.h"

/* A line that begins with that command is about all of a job's ranks that are there. */
bool rank_why_is_meant(const struct cli *c, const struct command *row);
/* Has them execute it, and tells the verdict on all of them first. A finding sets the status. */
MUST_CHECK struct error *rank_why(struct cli *c, const char *line);

#endif
