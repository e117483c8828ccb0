/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Probe_functions: where the functions of the OpenMP runtimes of a process begin that the rows of
 * their tables of events name.
 */
#ifndef DEBUGGER_PROBE_FUNCTIONS_H
#define DEBUGGER_PROBE_FUNCTIONS_H

#include "debugger/control/probe_program.h"
#include "debugger/session.h"
#include "ompd/picture/runtime_ops.h"

struct probe_runtime {
	const struct runtime_ops *ops;
	struct probe_range range; /* of its code; end 0: it is a part of the program          */
	char *module;             /* owned; its path                                          */
};

struct probe_function {
	const struct event_row *row;
	size_t runtime;
	taddr addr;
	bool own; /* of the runtime's first table: those of others may jump on to one of these */
};

struct probe_functions {
	VEC(struct probe_runtime) runtimes;
	VEC(struct probe_function) items;
};
void probe_functions_fini(struct probe_functions *f);

/*
 * In place of what ret held. *ret_changed: runtimes are others than those. The target stands, and
 * its modules are up to date.
 */
MUST_CHECK struct error *probe_functions_find(struct probe_functions *ret, const struct session *s,
					      bool *ret_changed);

/* One of the patterns, which are separated by "|", fits a name: "omp_set_lock|omp_test_*". */
bool probe_functions_fits(const char *patterns, const char *name);

#endif
