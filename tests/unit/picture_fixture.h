/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Picture_fixture: pictures and stitched stacks made by hand, for the tests of what shows them.
 *
 * A world has everything; what is added to it stays valid until world_fini(). Frames are added to
 * the thread that was added last, innermost first.
 */
#ifndef UNIT_PICTURE_FIXTURE_H
#define UNIT_PICTURE_FIXTURE_H

#include "debugger/output/view.h"
#include "unit.h"

struct world {
	struct stacks stacks;
	struct picture picture;
	struct stitched stitched;
	struct file_root *root;       /* owned */
	struct source_cache *sources; /* owned */
	struct view view;
	VEC(struct stack_frame *) frames; /* owned, each by itself, so that none moves */
};

/* Process 4242 of /srv/u/app, without threads. */
void world_init(struct world *w);
void world_fini(struct world *w);

struct picture_runtime *world_add_gomp(struct world *w);

/* Of threads first, first + 1, ... size - 1 members; -1: no member is known. Returns its number. */
int world_add_region(struct world *w, int parent, int first, int size, int line);

/* A thread with LWP 4242 + n, named "app"; region -1: none. Returns its number. */
int world_add_thread(struct world *w, enum thread_role role, int region, long number);

/* Of the last thread. */
struct picture_wait *world_wait(struct world *w, enum wait_kind kind);
struct stitched_stack *world_stack(struct world *w);

/* In app.c of the program; line 0: in libgomp, hidden. construct may be NULL. */
struct stitched_frame *world_add_frame(struct world *w, const char *function, int line,
				       const char *construct);
/* The last frame is the outermost one of that region, or of a task made by that thread at that
 * line. */
void world_end_region(struct world *w, int region);
void world_end_task(struct world *w, int creator, int line);

/* Returns its number. */
int world_add_task(struct world *w, enum task_kind kind, enum task_state state, int thread);
void world_add_icv(struct world *w, const char *name, const char *value, enum icv_scope scope,
		   int of);

struct place world_place(const char *function, int line);

/*
 * A team of four: 0.0, 0.1 and 0.3 wait at a barrier, 0.2 reads from stdin; a thread of the
 * program's own; two idle workers.
 */
void world_add_stuck_team(struct world *w);

/* Puts this string into every place of the world where one of the target stands. */
void world_spoil(struct world *w, char *s);

/* As unit_case() and unit_table(), with a new world for each test. */
extern struct world world;
#define world_case(suite, name, ...)                                                               \
	world_add_case(suite, name, (const TTest *const[]){ __VA_ARGS__, NULL })
#define world_table(suite, test, table) world_add_table(suite, #table, test, (int)COUNT(table))
void world_add_case(Suite *s, const char *name, const TTest *const *tests);
void world_add_table(Suite *s, const char *name, const TTest *test, int rows);

#endif
