/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_omp: the picture for people: runtimes, regions with their threads, tasks, ICVs.
 *
 * Tasks that differ in nothing but their number share a line. A fact that was inferred says so.
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_OMP_H
#define DEBUGGER_OUTPUT_FORMAT_OMP_H

#include "debugger/output/style.h"
#include "debugger/output/view.h"

/* In this order; each adds nothing, or an empty line and its part. */
void format_omp_begin(struct buf *out, const struct view *v, const struct style *style);
void format_omp_regions(struct buf *out, const struct view *v, const struct style *style);
void format_omp_tasks(struct buf *out, const struct view *v, const struct style *style);
void format_omp_icvs(struct buf *out, const struct view *v, const struct style *style);
void format_omp_end(struct buf *out, const struct view *v, const struct style *style);

#endif
