/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_stack: stacks as JSON; see json.h for what holds for all JSON.
 *
 * {"v":1,"type":"stack","target":{"pid":N|null,"core":PATH|null,"exe":PATH},
 *  "runtimes":[{"kind":"libgomp"|"libomp","path":S,"version":S|null,"status":S,"provider":S|null}],
 *  "threads":[
 *   {"lwp":N,"name":S,
 *    "omp":{"runtime":N|null,"num":N|null,"team":N|null,"team_size":N|null,"level":N|null,
 *           "role":"initial"|"primary"|"worker"|"idle"|"foreign"|"none","source":SOURCE},
 *    "wait":{"kind":S,"object":"0x.."|null,"name":S|null,"file":S|null,"line":N|null,
 *            "source":SOURCE,"spinning":BOOL,"holder":LWP|null,
 *            "holder_source":SOURCE|null,"arrived":N|null,"total":N|null},
 *    "frames":[
 *     {"pc":"0x.."|null,"cfa":"0x.."|null,"function":S|null,"offset":N|null,"file":S|null,
 *      "line":N|null,"module":S,"inline":BOOL,"kind":"user"|"runtime"|"system","lwp":N,
 *      "hidden":BOOL,"construct":S|null,"tail_called":BOOL,
 *      "border":null|{"kind":"parallel"|"task"|"teams"|"target"|"callback","team":N|null,
 *                     "team_size":N|null,"level":N|null,"creator":"T.N"|null,"function":S|null,
 *                     "file":S|null,"line":N|null,"source":SOURCE}}],
 *    "end":S|null}],
 *  "notes":[S]}
 *
 * SOURCE is "ompd", "memory", "inferred" or "none". "runtime" is an index into "runtimes". Of a
 * frame that was tail-called away only the function is known: its pc, cfa and offset are null.
 * "module" is "" where no file is mapped.
 *
 * Raw stacks have no "runtimes", no "omp" and "wait" of threads, and of a frame the members from
 * "pc" to "inline" alone, which are those of struct stack_frame.
 */
#ifndef DEBUGGER_OUTPUT_JSON_STACK_H
#define DEBUGGER_OUTPUT_JSON_STACK_H

#include "base/buf.h"
#include "debugger/output/view.h"

void json_stacks(struct buf *out, const struct view *v);

#endif
