/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Watching: what watchpoints watch. A value that is one number in memory is compared where the
 * program is traced. All else, "a + b", "p->x", a structure, is made of cells: whatever writes to
 * one of them is told, and here the expression is computed again, in the frame that it belongs to.
 *
 * As a rule there is one copy of what is watched; watching_team.h makes one for each thread.
 */
#ifndef DEBUGGER_WATCHING_H
#define DEBUGGER_WATCHING_H

#include "debugger/control/control.h"

/* "watch -location i" stays where i is now, also behind the end of its block. */
#define WATCHING_LOCATION "-location "
/* "watch -team i" watches the i of each thread of the team. */
#define WATCHING_TEAM "-team "

enum { WATCHING_CELLS_MAX = 4 }; /* that one value may lie in */

struct watching_cells {
	struct scope_cell items[WATCHING_CELLS_MAX];
	size_t len;
	bool unplaced;  /* of some variable there is none                      */
	bool of_region; /* they are there as long as the frame's region lasts  */
};

/*
 * The value in a scope, and where it lies. UNSUPPORTED: a constant, or in more places than debug
 * registers watch. USAGE: it is not there, and nowhere else.
 */
MUST_CHECK struct error *watching_find(struct control *c, const struct breakpoint *b,
				       const struct scope *scope, struct watching_cells *ret_cells,
				       struct value *ret);

/* Makes that a new copy of b. */
MUST_CHECK struct error *watching_add(struct breakpoint *b, const struct watching_cells *cells,
				      const struct value *v);

/* As these two, in place of the only copy that there may be. */
MUST_CHECK struct error *watching_locate(struct control *c, struct breakpoint *b,
					 const struct scope *scope);

/* If something of the last copy is local, a point where that frame returns to, or where it comes
 * to behind its region. */
MUST_CHECK struct error *watching_begin(struct control *c, struct breakpoint *b,
					const struct scope *scope);

/* That point was reached. *ret_follows: the region is over, and what lay in its data is watched
 * where it is from now on: it has to be set again. The program stands. */
MUST_CHECK struct error *watching_follow(struct control *c, struct breakpoint *b, size_t copy,
					 bool *ret_follows);

/* That frame has returned, or nobody cares any more: takes back the point. */
MUST_CHECK struct error *watching_end(struct control *c, struct breakpoint *b, size_t copy);

/* The scope that a copy means something in. NOT_FOUND: that frame is not there any more. */
MUST_CHECK struct error *watching_scope(struct control *c, const struct watched_copy *copy,
					struct scope *ret);

/*
 * One whose value is computed here was written to by a thread: whether it is another one now.
 * *ret_moved: its cells lie elsewhere now, and have to be set again. The program stands.
 */
MUST_CHECK struct error *watching_look(struct control *c, struct breakpoint *b, size_t copy,
				       bool *ret_changed, bool *ret_moved);

#endif
