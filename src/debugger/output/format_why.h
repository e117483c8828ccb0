/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_why: the verdict for people. The graph it rests on is format_why_graph.h's.
 *
 * Deadlock: threads 0.[0-2] wait at the barrier at app.c:40; ...
 *
 *   thread 0.5 (LWP 4247)  main  at app.c:31  in read(0)
 *        31 | read(0, &c, 1);
 *   thread 0.3 (LWP 4245)  work  at app.c:22  waits for lock 'L', held by thread 0.5
 *        20 | for (int i = 0; i < n; i++)   i = 3, n = 5
 *        22 | omp_set_lock(&L);
 *
 * How sure: probable. The same in 2 looks 0.25 s apart.
 *           The holder of lock 'L' was inferred from the code around its frames.
 * Next: ompdb stack 4242
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_WHY_H
#define DEBUGGER_OUTPUT_FORMAT_WHY_H

#include "debugger/output/style.h"
#include "debugger/output/view.h"
#include "debugger/why/why.h"

/* Reads the source files that the chain of blame names, where they are readable. */
void format_why(struct buf *out, const struct view *v, const struct why *w,
		const struct style *style);

#endif
