/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_picture: pieces of the picture in words, as all text outputs use them.
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_PICTURE_H
#define DEBUGGER_OUTPUT_FORMAT_PICTURE_H

#include "debugger/output/style.h"
#include "debugger/output/view.h"

/* The line "process 4242 (/srv/u/app), 2 threads". */
void format_picture_target(struct buf *out, const struct stacks *s, const struct style *style);

/* "libgomp of GCC 12 (layout of GCC 12)" */
void format_picture_runtime(struct buf *out, const struct picture_runtime *r,
			    const struct style *style);

/* All notes: what is missing, and the remedies. */
void format_picture_notes(struct buf *out, const struct view *v, const struct style *style);

/* "thread 0.3", "thread 4711 "io""; names the thread only where it differs from the process's. */
void format_picture_thread(struct buf *out, const struct view *v, int thread);

/* "0.[0-4,7]", "4711-4715"; long sets are cut. */
void format_picture_set(struct buf *out, const struct view *v, const int *threads, size_t len);

/* "thread 0.3", "5 threads: 0.[0-4]" */
void format_picture_threads(struct buf *out, const struct view *v, const int *threads, size_t len);

/* "task 3", "tasks 3-9 12": as users call them; long lists are cut. */
struct format_ids {
	const char *what;
	long (*id)(const struct picture *p, int index);
};
extern const struct format_ids format_ids_tasks, format_ids_regions;
void format_picture_ids(struct buf *out, const struct picture *p, const struct format_ids *of,
			const int *items, size_t len);

/*
 * What a thread waits for or does: "waits for critical 'foo', probably held by 0.2", "in read(0)".
 * many: as of several threads, "wait for". Below a stack it says where as well, unless that is
 * where the innermost frame of user code is, which the reader sees.
 */
void format_picture_wait(struct buf *out, const struct view *v, int thread, bool many);
/* The same behind that the user holds it: "held by you (omp hold), waits at barrier". */
void format_picture_state(struct buf *out, const struct view *v, int thread, bool many);
void format_picture_wait_below(struct buf *out, const struct view *v, int thread, bool many);
/* The ink that fits. */
enum ink format_picture_wait_ink(enum wait_kind kind);
/* The line "=> waits at barrier", with what stands below a stack. */
void format_picture_wait_line(struct buf *out, const struct view *v, int thread, bool many,
			      const struct style *style);

/* "at app.c:41"; "in work" where no file is known. false: nothing is known, nothing is added. */
bool format_picture_place(struct buf *out, const struct place *place);

/* "parallel region 0, team of 4, level 1, at app.c:41" */
void format_picture_border(struct buf *out, const struct view *v, const struct border *b);

/* "parallel region 1, team of 2, level 2" */
void format_picture_region(struct buf *out, const struct view *v, int region);

#endif
