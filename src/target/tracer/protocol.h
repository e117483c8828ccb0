/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Protocol: what ompdb and its tracer say to each other.
 *
 *     ompdb                                   tracer
 *     ORDER_..., heard, wishes, parameters ->
 *                                          <- TELL_ANSWER, error, news, results
 *     ORDER_WAIT                           ->
 *                                          <- TELL_EVENT, error, news, event: when there is one
 *
 * Numbers that are parameters have 8 bytes. Wishes and news are threads as they have become
 * (roll.h). News are also the number of the process and what processor it is for; whether there may
 * be something to tell at once; what is planted, if that has changed; the program and its memory,
 * if they are others by an exec. An order to run, with "waits" set, is one to wait, too. Whatever
 * ompdb asks ends a wait of which nothing has been told yet; what was told just then arrives before
 * the answer. So each order says first how many events have been heard (4 bytes): one to run that
 * was given in ignorance of an event is not obeyed. With an event, all threads stand still, but for
 * one that tells of a new thread: stopping all for each of thousands takes a minute. Of many that
 * step through ranges each tells its end unasked while the others run on; with the last, or
 * whatever else happens to any thread, all stand.
 */
#ifndef TARGET_PROTOCOL_H
#define TARGET_PROTOCOL_H

#include "target/process/launch.h"
#include "target/process/patch.h"
#include "target/process/target.h"
#include "target/tracer/message.h"

enum protocol_kind {
	ORDER_ATTACH, /* pid                                                             */
	ORDER_LAUNCH, /* command; its files                                              */
	ORDER_ATTACH_AGAIN,
	ORDER_TAKE_CHILD, /* pid -> its socket                                      */
	ORDER_DETACH,
	ORDER_KILL,
	ORDER_STOP_ALL,
	ORDER_WAIT,         /* now: says if there is nothing yet, and waits on                 */
	ORDER_RESUME,       /* waits, how, all, lwp                                            */
	ORDER_STEP_RANGES,  /* waits; lwp, start and end of each: all their ends are told      */
	ORDER_TRACE_CALLS,  /* calls */
	ORDER_PASS_SIGNALS, /* bits                                                           */
	ORDER_PLANT,        /* address                                                         */
	ORDER_UNPLANT,      /* address                                                         */
	ORDER_LEND,         /* start, end                                                      */
	ORDER_SET_POINT,    /* point                                                           */
	ORDER_CLEAR_POINT,  /* id                                                              */
	ORDER_POINT_STATE,  /* id -> state                                                     */
	ORDER_COUNT_HIT,    /* id -> stops                                                     */
	ORDER_POINT_TALLY,  /* id -> tally                                                     */
	ORDER_NOTE,         /* note                                                            */
	ORDER_GET_REGSET,   /* lwp, set, room -> bytes                                         */
	ORDER_SET_REGSET,   /* lwp, set, bytes                                                 */
	ORDER_KEEP_REGSET,  /* lwp, set, bytes; none: nothing is kept of that thread           */
	ORDER_GENERAL,      /* -> lwp and general registers, of all that stand; 0              */
	ORDER_WRITE,        /* address, bytes                                                  */
	NUM_ORDERS,

	TELL_ANSWER,
	TELL_EVENT,
};

/* argv[0] of a tracer, and the descriptor of its end of the sockets. */
#define PROTOCOL_NAME "openmp-tracer"
enum { PROTOCOL_SOCKET = 3 };

/* Whether all threads are stopped before that is told. */
bool protocol_stops_all(const struct stop *s);

void protocol_add_stop(struct buf *b, const struct stop *s);
struct stop protocol_stop(struct cursor *c);

void protocol_add_point(struct buf *b, const struct point *p);
/* Its programs are borrowed from the message. */
struct point protocol_point(struct cursor *c);

void protocol_add_point_state(struct buf *b, const struct point_state *s);
struct point_state protocol_point_state(struct cursor *c);

void protocol_add_tally(struct buf *b, const struct tally *t);
/* Adds to ret. */
void protocol_tally(struct cursor *c, struct tally *ret);

void protocol_add_note(struct buf *b, const struct note *n);
struct note protocol_note(struct cursor *c);

void protocol_add_calls(struct buf *b, const struct call_set *calls);
struct call_set protocol_calls(struct cursor *c);

void protocol_add_patches(struct buf *b, const struct patch_list *l);
/* In place of what ret held. */
MUST_CHECK struct error *protocol_patches(struct cursor *c, struct patch_list *ret);

void protocol_add_command(struct buf *b, const struct launch_command *c);
/* All it points to is owned by ret, and freed with protocol_free_command(). */
MUST_CHECK struct error *protocol_command(struct cursor *c, struct launch_command *ret);
void protocol_free_command(struct launch_command *c);

#endif
