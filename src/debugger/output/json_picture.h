/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_picture: pieces of the picture that several JSON outputs have; see json_stack.h for their
 * form. Each begins with its name and ends without a comma.
 */
#ifndef DEBUGGER_OUTPUT_JSON_PICTURE_H
#define DEBUGGER_OUTPUT_JSON_PICTURE_H

#include "debugger/output/view.h"

/* {"v":1,"type":"TYPE","target":..,"runtimes":[..] */
void json_picture_begin(struct buf *out, const struct view *v, const char *type);
/* "notes":[..] */
void json_picture_notes(struct buf *out, const struct view *v);

/* "lwp":N,"name":S,"omp":{..},"wait":{..} */
void json_picture_thread(struct buf *out, const struct view *v, int thread);
/* "function":S|null,"file":S|null,"line":N|null,"source":SOURCE */
void json_picture_place(struct buf *out, const struct place *place, enum fact_source source);

/* Between the items of a list: nothing before the first one. */
static inline void json_picture_comma(struct buf *out, size_t index)
{
	if (index)
		buf_addc(out, ',');
}

/* The LWP of a thread; null: there is none of that number. */
void json_picture_lwp(struct buf *out, const struct view *v, int thread);

#endif
