/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Constructs: regions and tasks of the picture, each with those around it, as OMPD tells of them.
 */
#ifndef OMPD_CONSTRUCTS_H
#define OMPD_CONSTRUCTS_H

#include "ompd/client/walk_state.h"

enum { MEMBERS_MAX = 1 << 16 }; /* threads of one team */

/* Adds a region and those around it, as far as they are new. Returns its index; -1: it is none. */
int constructs_find_region(struct walk *w, struct known *k, ompd_parallel_handle_t *handle);

/* The region is that of threads that the runtime has for itself, and none of the program's. */
bool constructs_is_of_helpers(const struct walk *w, struct known *k,
			      ompd_parallel_handle_t *region);

/* A thread says of itself that it is this member of a region. Negative numbers are none. */
void constructs_enter(struct walk *w, int region, long number, int thread);

/*
 * The members that do not say so themselves: they are primary threads of regions further in. For
 * one thread alone only the primary one is asked for.
 */
void constructs_fill_members(struct walk *w);

/* Members that say that they are in no region: the team knows better. They are in a target region
 * that the host executes. */
void constructs_place_members(struct walk *w);

/* Adds the task that a thread executes, and those that created it. */
void constructs_read_task(struct walk *w, struct known *k, int thread);

/* Adds the implicit tasks of members that have left them for others. */
void constructs_read_left_tasks(struct walk *w);

#endif
