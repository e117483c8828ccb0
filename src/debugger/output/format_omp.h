/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_omp: the picture for people: runtimes, regions with their threads, tasks, ICVs.
 *
 * A fact that was inferred says so.
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_OMP_H
#define DEBUGGER_OUTPUT_FORMAT_OMP_H

#include "debugger/output/style.h"
#include "debugger/output/view.h"
#include "debugger/overview.h"

void format_omp(struct buf *out, const struct view *v, const struct overview *overview,
		const struct style *style);

#endif
