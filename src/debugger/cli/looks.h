/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Looks: what each command that looks once does with one target, which is found.
 */
#ifndef DEBUGGER_CLI_LOOKS_H
#define DEBUGGER_CLI_LOOKS_H

#include "debugger/cli/console.h"
#include "debugger/session.h"

/* Options of all commands; each has some of them in its table. */
struct oneshot_options {
	bool args, locals, raw, flat, all_frames, icvs, loops, json, debuginfod, libc_lines, once,
		graph, dot, long_names, job;
	size_t max_frames, samples, interval, deadline;
	const char *exe, *ompd_library, *checked_library, *hosts, *launcher, *remote;
	struct style style;
};

/* The exit status, except for wrong usage. */
struct outcome {
	enum status failed; /* if it fails from now on */
	enum status done;
	struct buf *report; /* borrowed; for whom asks all ranks of a job; NULL: nobody does */
};

/* Whether the stacks of all ranks are one tree. */
bool looks_are_outlined(const struct oneshot_options *o);

/* They print their answer, and set *outcome. */
MUST_CHECK struct error *look_at_stacks(struct session *s, const struct oneshot_options *o,
					struct outcome *outcome);
MUST_CHECK struct error *look_at_omp(struct session *s, const struct oneshot_options *o,
				     struct outcome *outcome);
MUST_CHECK struct error *look_for_why(struct session *s, const struct oneshot_options *o,
				      struct outcome *outcome);
MUST_CHECK struct error *look_at_library(struct session *s, const struct oneshot_options *o,
					 struct outcome *outcome);

#endif
