/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Event_hits: threads that come to events of OpenMP which catchpoints wish for (catching.h).
 *
 * What the call tells of the event is put into variables ($omp_object, $omp_chunk_begin, $omp_line,
 * ...), the condition is computed in the program's frame, which is shown, and never in one of the
 * runtime's.
 */
#ifndef DEBUGGER_EVENT_HITS_H
#define DEBUGGER_EVENT_HITS_H

#include "debugger/control/decision.h"

/* A thread has come to a point of probes.h. */
MUST_CHECK struct error *event_hits_answer(struct decision *d, unsigned int point);

/*
 * The program goes on: what an event has told of its loop is not true of the next stop, where the
 * loop itself is asked (loop_values.h).
 */
void event_hits_forget(struct control *c);

#endif
