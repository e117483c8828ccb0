/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loops: which worksharing loops and sections threads are in, by the calls that their code comes to
 * next: one that asks for another chunk, or that ends the loop, is made only in it.
 *
 * Loops that compilers reckon themselves make no such calls. For each piece of a stack that belongs
 * to one region and has no such call there is a loop without one (api NULL), with the frames in
 * which there may be one: the source tells.
 */
#ifndef OMPD_LOOPS_H
#define OMPD_LOOPS_H

#include "ompd/client/walk_state.h"

/* Fills in the loops of all threads; borders must be found. */
void loops_find(struct walk *w);

#endif
