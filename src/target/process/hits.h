/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Hits: threads that came to points, and whom that stops.
 *
 * A hit is judged when it is about to be told, and only once: a thread that is brought to the same
 * place again before it has executed the instruction there (it was interrupted, or a signal's
 * handler returned there) has come only once. A hit that nobody asked for any more when it was to
 * be told (points were cleared, the thread was sent elsewhere) has not happened.
 */
#ifndef TARGET_HITS_H
#define TARGET_HITS_H

#include "target/process/tracees.h"

/* As the functions of the same name in target.h; all threads stand still. */
MUST_CHECK struct error *hits_set_point(struct tracees *ts, const struct point *p);
MUST_CHECK struct error *hits_clear_point(struct tracees *ts, unsigned int id);
MUST_CHECK struct error *hits_point_state(struct tracees *ts, unsigned int id,
					  struct point_state *ret);
MUST_CHECK struct error *hits_count(struct tracees *ts, unsigned int id, bool *ret_stops);

MUST_CHECK struct error *hits_tally(struct tracees *ts, unsigned int id, const struct tally **ret);

/* Fills in whom an event concerns. false: nobody; it is not to be told. */
bool hits_judge(struct tracees *ts, struct event *event);

/* After an exec: points are gone with what they were set on. */
void hits_forget(struct tracees *ts);

#endif
