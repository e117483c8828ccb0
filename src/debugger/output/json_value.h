/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_value: values as members of objects:
 *
 *   "type":"int","text":"5","number":5
 *   "type":"char *","text":"0x4020 \"ab\"","address":"0x4020","string":"ab"
 *   "type":"int [2]","text":"{1, 2}","items":[{...},{...}]
 *   "type":"int","missing":"optimized out"
 *
 * "text" is what print shows. Numbers of more than 64 bits, and those with a point, are texts
 * alone.
 */
#ifndef DEBUGGER_OUTPUT_JSON_VALUE_H
#define DEBUGGER_OUTPUT_JSON_VALUE_H

#include "debugger/output/json.h"
#include "debugger/values/shown.h"

/* Adds the members to an object that is open. letter: of a format; 0: by its type. */
void json_value_members(struct json *j, const struct shown *s, char letter);

/* An array of objects with "name". */
void json_value_variables(struct json *j, const char *key, const struct shown_variables *l);

#endif
