/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_stop: why a program has stopped, and where, as an object of type "stop"; breakpoints; what
 * happens meanwhile.
 */
#ifndef DEBUGGER_OUTPUT_JSON_STOP_H
#define DEBUGGER_OUTPUT_JSON_STOP_H

#include "debugger/control/breakpoint.h"
#include "debugger/control/stop_report.h"
#include "debugger/output/json.h"

/* Adds the members to an object that is open. */
/* Of one that was hit: its members, without values. */
void json_stop_watch(struct json *j, const struct report_watch *w);
void json_stop_add(struct json *j, const struct stop_report *r);
void json_stop_place(struct json *j, const struct report_place *p);
void json_stop_breakpoint(struct json *j, const struct breakpoint *b);
void json_stop_notice(struct json *j, const struct notice *n);

#endif
