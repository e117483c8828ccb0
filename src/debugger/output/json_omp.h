/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_omp: the picture as JSON; see json.h for what holds for all JSON.
 *
 * {"v":1,"type":"omp","target":..,"runtimes":[..],
 *  "threads":[{"lwp":N,"name":S,"omp":..,"wait":..,"task":N|null}],
 *  "regions":[{"id":N,"parent":N|null,"runtime":N,"level":N,"size":N|null,"active":BOOL,
 *              "league":BOOL,"primary":LWP|null,"members":[LWP|null],"function":S|null,
 *              "file":S|null,"line":N|null,"source":SOURCE}],
 *  "tasks":[{"id":N,"kind":"implicit"|"explicit"|"undeferred",
 *            "state":"running"|"suspended"|"queued"|"blocked"|"detached"|"unknown",
 *            "region":N|null,"creator":N|null,"lwp":N|null,"waits_for":[N],"function":S|null,
 *            "file":S|null,"line":N|null,"source":SOURCE}],
 *  "icvs":[{"name":S,"value":S,"runtime":N,"scope":"process"|"thread"|"region"|"task","of":N|null}],
 *  "notes":[S]}
 *
 * What is not spelled out is as in json_stack.h. "parent", "region", "creator", "task" and
 * "waits_for" are ids; "of" is an LWP, or the id of a region or a task.
 */
#ifndef DEBUGGER_OUTPUT_JSON_OMP_H
#define DEBUGGER_OUTPUT_JSON_OMP_H

#include "base/buf.h"
#include "debugger/output/view.h"

void json_omp(struct buf *out, const struct view *v);

#endif
