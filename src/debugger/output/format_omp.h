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

/* Of the picture; several may be wanted. */
enum format_omp_part {
	OMP_RUNTIMES = 1,
	OMP_REGIONS = 2, /* and threads */
	OMP_TASKS = 4,
	OMP_ICVS = 8,
};

/* Those parts alone, without the target and the notes. */
void format_omp_parts(struct buf *out, const struct view *v, const struct overview *overview,
		      unsigned int parts, const struct style *style);

void format_omp(struct buf *out, const struct view *v, const struct overview *overview,
		const struct style *style);

#endif
