/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rank_report: what the engine of a rank says of it to whom judges the whole job.
 */
#ifndef DEBUGGER_CLI_RANK_REPORT_H
#define DEBUGGER_CLI_RANK_REPORT_H

#include "debugger/cli/cli.h"

/* Adds a report (job/report.h) of the rank as it stands now. */
MUST_CHECK struct error *rank_report_add(struct cli *c, struct buf *ret);

#endif
