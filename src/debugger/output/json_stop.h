/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_stop: why a program has stopped, as an object of type "stop".
 */
#ifndef DEBUGGER_OUTPUT_JSON_STOP_H
#define DEBUGGER_OUTPUT_JSON_STOP_H

#include "debugger/control/stop_report.h"
#include "debugger/output/json.h"

/* Adds the members to an object that is open. */
void json_stop_add(struct json *j, const struct stop_report *r);

#endif
