/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Thread_table: the threads of the program, one a line; with OpenMP in it, what each of them is
 * there and what it waits for:
 *
 *     Id   OpenMP   Target Id            Frame
 *   * 1    0.0      LWP 4711 "app"       main () at a.c:44 -> waits at the end of the parallel
 * region 2-3  0.[1-2]  2 threads            work () at a.c:19 -> wait for lock 'savings'
 *
 * Where there is more than one inferior, those of all: "1.1", "2.1".
 */
#ifndef DEBUGGER_CLI_THREAD_TABLE_H
#define DEBUGGER_CLI_THREAD_TABLE_H

#include "debugger/cli/thread_ids.h"

struct thread_table_options {
	bool grouped; /* those that stand at the same place and wait for the same are one line */
	bool some;    /* only "ids" */
	struct thread_ids ids;
};
MUST_CHECK struct error *thread_table_add(struct cli *c, const struct thread_table_options *o);

/* "Thread 2 (LWP 4711 "app"):", for what follows about the selected one. */
void thread_table_add_head(struct cli *c);

/* "[Switching to thread 2 (LWP 4711)]": the selected one. */
void thread_table_tell(struct cli *c, const char *what);

/* What an object says of a thread, to be followed by more. */
void thread_table_add_identity(struct cli *c, struct json *j, const struct debuggee *d,
			       const struct numbered_thread *th);

/* Its own name, or that which the user gave it. Borrowed. */
const char *thread_table_name(const struct debuggee *d, const struct numbered_thread *th);

#endif
