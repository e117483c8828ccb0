/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Service: what a tracer does for one target: it obeys the orders that come over a socket, answers,
 * and tells what happens.
 */
#ifndef TARGET_SERVICE_H
#define TARGET_SERVICE_H

#include "target/tracer/protocol.h"
#include "target/tracer/roll.h"

struct service {
	struct target *target; /* owned; NULL: none yet */
	int socket;            /* owned                 */
	struct roll roll;
	struct patch_list patches; /* as told last       */
	unsigned int opened;  /* how often its memory had been opened when that was told last */
	uint32_t told;        /* events */
	bool waits;           /* service_wait() is to be called                               */
	bool now;             /* nothing is to be told, too, once                             */
	size_t steps;         /* that are awaited: only behind the last nobody waits any more */
	struct service *made; /* owned; for a child, of which is to be told                   */
	int handed;           /* owned; the other end of its socket; -1: none                 */
};

/* Takes the socket. NULL: out of memory. */
struct service *service_new(int socket);

/* Lets go of the target, or kills what was launched. */
void service_free(struct service *s);

/* Obeys one order. false: nobody is there any more. *ret_made: the caller's; one more, or NULL. */
bool service_obey(struct service *s, struct service **ret_made);

/*
 * Waits until there is something to tell, or ompdb has orders for anybody, or the time is over; -1:
 * never. false: nobody is there any more.
 */
bool service_wait(struct service *s, long timeout_us);

#endif
