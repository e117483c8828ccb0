/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Show: results on standard output, piece by piece.
 */
#ifndef DEBUGGER_CLI_SHOW_H
#define DEBUGGER_CLI_SHOW_H

#include "debugger/output/style.h"
#include "debugger/output/view.h"
#include "debugger/why/why.h"

MUST_CHECK struct error *show_raw(const struct stacks *s, const struct style *style);
MUST_CHECK struct error *show_raw_json(const struct stacks *s);
MUST_CHECK struct error *show_stacks(const struct view *v, const struct style *style);
MUST_CHECK struct error *show_stacks_json(const struct view *v);
MUST_CHECK struct error *show_tree(const struct view *v, const struct style *style);
MUST_CHECK struct error *show_omp(const struct view *v, const struct style *style);
MUST_CHECK struct error *show_omp_json(const struct view *v);
/* graph: as well. */
MUST_CHECK struct error *show_why(const struct view *v, const struct why *why, bool graph,
				  const struct style *style);
MUST_CHECK struct error *show_why_dot(const struct view *v, const struct why *why);
MUST_CHECK struct error *show_why_json(const struct view *v, const struct why *why,
				       const struct progress *progress);

#endif
