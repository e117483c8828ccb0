/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_outline: stacks of all ranks for people, as format_tree has those of one process; what
 * fewest threads do comes first.
 *
 * 16 threads: [0-7]:0.[0,1]
 *   main  at app.c:80
 *   +- thread 3:0.0
 *   |  read_data  at app.c:12
 *   |  => in read(0)
 *   `- 15 threads: [0-2,4-7]:0.[0,1] 3:0.1
 *      ...
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_OUTLINE_H
#define DEBUGGER_OUTPUT_FORMAT_OUTLINE_H

#include "debugger/job/outline.h"
#include "debugger/output/style.h"

/* o: sorted. */
void format_outline(struct buf *out, const struct outline *o, const struct style *style);

#endif
