/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Graph: every task of a region that can be found, and which waits for which.
 *
 * libgomp has no list of all tasks. Implicit tasks stand in the team; explicit ones are in the
 * queues of the team, of their parent and of their taskgroup; those that run may be known to their
 * thread alone; those with unmet dependences are in no queue, only the tasks they depend on know
 * them. So this looks everywhere, until nothing new turns up. Memory comes from the client.
 */
#ifndef OMPD_GOMP_GRAPH_H
#define OMPD_GOMP_GRAPH_H

#include "ompd/gomp/task.h"

enum { GOMP_GRAPH_NONE = -1 };

struct gomp_graph_node {
	struct gomp_task task;
	int32_t first_edge; /* of those it waits for; GOMP_GRAPH_NONE ends */
};

struct gomp_graph_edge {
	uint64_t on; /* address of the task that must end first */
	int32_t next;
};

struct gomp_graph {
	bool incomplete; /* something could not be read, or there are more than asked for */
	struct gomp_graph_node *nodes; /* owned, as the rest; in the order of discovery */
	struct gomp_graph_edge *edges;
	struct gomp_graph_slot *slots; /* by address */
	uint32_t nnodes, nodes_cap, nedges, edges_cap, nslots, slots_cap;
	uint32_t most;
};

/* At most "most" tasks. ok, or NOMEM. The graph must be let go in either case. */
ompd_rc_t gomp_graph_collect(const ompd_parallel_handle_t *parallel, uint32_t most,
			     struct gomp_graph *ret);
void gomp_graph_fini(struct gomp_graph *g);

#endif
