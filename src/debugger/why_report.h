/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_report: a case that has been judged, as sentences, the chain of blame, and advice.
 */
#ifndef DEBUGGER_WHY_REPORT_H
#define DEBUGGER_WHY_REPORT_H

#include "debugger/why_path.h"

/* A case: the verdict, and the path through the graph that it rests on. */
struct why_case {
	const struct snapshot *snapshot; /* borrowed                                          */
	struct why_graph graph;          /* of which nodes and edges are the why's            */
	struct why_path path;            /* owned; empty: nobody waits                        */
	int root;                        /* thread that is to blame where nobody waits; -1    */
	bool core;
};

/* Fills in summary, blame, reasons, hints and the names of nodes. Errors only for lack of memory.
 */
MUST_CHECK struct error *why_report(const struct why_case *c, struct why *why);

#endif
