/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_why: the verdict as JSON; see json.h for what holds for all JSON.
 *
 * {"v":1,"type":"why","target":..,"runtimes":[..],
 *  "verdict":"deadlock"|"stuck"|"waiting"|"progressing"|"idle"|"unknown",
 *  "class":"barrier-mismatch"|"worksharing-mismatch"|"lock-cycle"|"self-deadlock"|"lost-lock"|
 *          "ordered"|"task"|"detach"|"lost-worker"|"two-runtimes"|"external"|"imbalance"|"none",
 *  "confidence":"certain"|"probable"|"guess","summary":S,
 *  "blame":[{"lwp":N|null,"omp":"T.N"|null,"function":S|null,"file":S|null,"line":N|null,
 *            "reason":S,"threads":[LWP]}],
 *  "waits":[{"lwp":N,"omp":"T.N"|null,"kind":S,"object":"0x..."|null,"name":S|null,
 *            "holder":{"lwp":N|null,"confidence":"known"|"probable"|"unknown"},
 *            "function":S|null,"file":S|null,"line":N|null}],
 *  "graph":{
 *   "nodes":[{"id":N,"kind":"thread"|"task"|"object"|"barrier"|"nobody","name":S,"state":S|null,
 *             "lwps":[LWP],"tasks":[N],"function":S|null,"file":S|null,"line":N|null,
 *             "stuck":BOOL}],
 *   "edges":[{"from":N,"to":N,"kind":"waits for"|"held by"|"run by"|"must come",
 *             "confidence":"known"|"probable"|"unknown"}]},
 *  "reasons":[S],"hints":[S],"samples":N,
 *  "progress":{"seconds":X,"barriers":N|null,"moved":N,"threads":N,"load":X|null},
 *  "notes":[S]}
 *
 * "blame" lists the cause first. "waits" has the threads that wait for something: not idle workers,
 * nor those that run, in user code or in the runtime, or could not be looked at.
 * "graph" is who waits for what: threads, or tasks, that wait alike are one node, whose LWPs or
 * task ids are all in "lwps" or "tasks"; "from" and "to" are ids of nodes. "load" is CPU time per
 * second, of all threads.
 */
#ifndef DEBUGGER_OUTPUT_JSON_WHY_H
#define DEBUGGER_OUTPUT_JSON_WHY_H

#include "debugger/output/view.h"
#include "debugger/why/why_groups.h"

/* The verdict is that of the groups. */
void json_why(struct buf *out, const struct view *v, const struct why_groups *g,
	      const struct progress *progress);

#endif
