/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Call_stuck: what a called function waits for that none but a held thread can give it, and who has
 * that: constructs and locks of OpenMP by the picture, mutexes by what they record, the locks of
 * malloc and its like by who is in the functions that take them.
 */
#ifndef DEBUGGER_CALL_STUCK_H
#define DEBUGGER_CALL_STUCK_H

#include "debugger/control/control.h"

/* Why it is given up: ABANDONED. th: sleeps in futex(2), for that word; all threads stand. Selects
 * frames of other threads. */
struct error *call_stuck(struct control *c, struct thread *th, taddr word);

/* The same for one that may poll something of the OpenMP runtime's; NULL: it does not, or has gone
 * on since it was looked at last. */
struct error *call_stuck_spinning(struct control *c, struct thread *th);

#endif
