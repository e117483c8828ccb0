/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_accesses: what a thread that has been stopped behind an access to watched memory has done,
 * noted in c->races.
 */
#ifndef DEBUGGER_TEAM_ACCESSES_H
#define DEBUGGER_TEAM_ACCESSES_H

#include "debugger/control/control.h"

/* Code at pc, or what is inlined there, is of an ordered construct, by its source: such are
 * executed in turns. */
bool team_accesses_ordered(struct control *c, taddr pc);

/* Notes one; made has all but its place, and is taken. th stands behind the instruction. */
MUST_CHECK struct error *team_accesses_note(struct control *c, struct thread *th,
					    struct race_access *made);

#endif
