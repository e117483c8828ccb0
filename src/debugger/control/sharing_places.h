/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sharing_places: where a variable is for each thread of a team, and how the code of the construct
 * was given it. A thread counts only where the name means the same declaration to it.
 */
#ifndef DEBUGGER_SHARING_PLACES_H
#define DEBUGGER_SHARING_PLACES_H

#include "debugger/control/members.h"
#include "debugger/control/sharing_rows.h"

/* Fills places, addresses, evidence and capture of a row whose names are there. */
MUST_CHECK struct error *sharing_places_find(struct members *team, const struct scope *scope,
					     const struct variable *v, struct sharing_row *row);

/* The same for what a task was given in that scope, where no frame tells of it. */
MUST_CHECK struct error *sharing_places_given(struct members *team, const struct scope *scope,
					      const struct value *v, struct sharing_row *row);

/* gfortran passes "a" as "a.0", which points to the elements. Returns how long the name is. */
size_t sharing_places_name(const char *name);

/* What threads share, or not, is what that points to. */
bool sharing_places_is_object(const char *name);

#endif
