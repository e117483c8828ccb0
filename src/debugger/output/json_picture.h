/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_picture: members that several JSON outputs have.
 */
#ifndef DEBUGGER_OUTPUT_JSON_PICTURE_H
#define DEBUGGER_OUTPUT_JSON_PICTURE_H

#include "debugger/output/json.h"
#include "debugger/output/view.h"

/* Begins the object that is all of an output: "v", "type", "target", and, unless raw, "runtimes".
 */
void json_picture_begin(struct json *j, const struct view *v, const char *type);
/* Ends it: "notes". */
void json_picture_end(struct json *j, const struct view *v);

/* "lwp", "name" and, unless raw, "omp" and "wait". */
void json_picture_thread(struct json *j, const struct view *v, int thread);
/* "function", "file", "line" */
void json_picture_place(struct json *j, const struct place *place);
/* The same and "source". */
void json_picture_sourced(struct json *j, const struct place *place, enum fact_source source);

/* "object" of a wait: its address; null: unknown. */
void json_picture_object(struct json *j, const struct picture_wait *w);

/* The LWP of a thread; null: there is none of that number. */
void json_picture_lwp(struct json *j, const char *key, const struct view *v, int thread);
/* Of several threads, as an array. */
void json_picture_lwps(struct json *j, const char *key, const struct view *v, const int *threads,
		       size_t len);

#endif
