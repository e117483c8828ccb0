/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_worksharing: the loops that threads are in, for people.
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_WORKSHARING_H
#define DEBUGGER_OUTPUT_FORMAT_WORKSHARING_H

#include "debugger/output/style.h"
#include "debugger/output/view.h"
#include "debugger/values/worksharing.h"

void format_worksharing(struct buf *out, const struct view *v, const struct worksharing *w,
			const struct style *style);
/* The loops alone, without the notes. */
void format_worksharing_loops(struct buf *out, const struct view *v, const struct worksharing *w,
			      const struct style *style);

#endif
