/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_stop: why a program has stopped, and where, in gdb's words.
 *
 *   Breakpoint 1, work (i=8) at a.c:31
 *   31	  source
 *
 *   Thread 0.2 (LWP 4711) hit Breakpoint 1, work (i=8) at a.c:31  [parallel region 0, team of 4]
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_STOP_H
#define DEBUGGER_OUTPUT_FORMAT_STOP_H

#include "debugger/control/stop_report.h"
#include "debugger/output/style.h"

/* Of a watchpoint, fit for a terminal; empty: none. */
struct format_values {
	struct buf was, is; /* owned */
};

/* What belongs to a place, and is not in the report; all borrowed; NULL: unknown. */
struct format_place {
	const char *arguments;              /* "(i=8, p=0x0)", fit for a terminal */
	const char *source;                 /* the line, as it is in the file      */
	const char *result;                 /* of finish                           */
	const struct format_values *values; /* one for each of the watchpoints that were hit */
};

/* Of a rank: stands where whoever knows which one writes it, before "Thread 0.2 (LWP 4711) hit". */
#define FORMAT_RANK '\036'

/* The whole: reason, place, source line. */
void format_stop(struct buf *out, const struct stop_report *r, const struct format_place *place,
		 const struct style *style);
/* "Value returned is $1 = 5"; nothing if there is none. Behind what is displayed. */
void format_stop_result(struct buf *out, const struct stop_report *r,
			const struct format_place *place);

/* "0.2": by its number in OpenMP where that is known, else by ompdb's. */
void format_stop_thread(struct buf *out, const struct stop_report *r);
/* "f (i=8) at a.c:31", with the address in front if it is in the middle of a line. */
void format_stop_place(struct buf *out, const struct report_place *p, const char *arguments,
		       const struct style *style);
/* "31	  source". */
void format_stop_source(struct buf *out, const struct report_place *p, const char *source,
			const struct style *style);

void format_stop_notice(struct buf *out, const struct notice *n, const struct style *style);

#endif
