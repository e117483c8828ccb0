/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_graph: which ranks of a job wait for which: those that do the same are one node.
 */
#ifndef DEBUGGER_JOB_GRAPH_H
#define DEBUGGER_JOB_GRAPH_H

#include "debugger/job/rank_waits.h"

/* Some of those in a node wait for some of those in another one, or in the same. */
struct job_edge {
	size_t from, to;
};

struct job_graph {
	struct job_links nodes;
	VEC(struct job_edge) edges; /* by "from" */
};
void job_graph_fini(struct job_graph *g);

/* false: out of memory. */
bool job_graph_make(const struct rank_waits *r, struct job_graph *ret);

#endif
