/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Probe_wish: which events of OpenMP somebody wants to hear of.
 */
#ifndef DEBUGGER_PROBE_WISH_H
#define DEBUGGER_PROBE_WISH_H

#include <sys/types.h>

#include "ompd/picture/runtime_event.h"
#include "target/cpu/arch.h"

struct probe_wish {
	event_set events;
	pid_t lwp;      /* 0: of all threads                                        */
	event_set told; /* though it counts, and without a condition: more is to be found out */
	bool counts;    /* nobody is stopped: they are counted, by construct and thread */
	bool asks;      /* every one is told: "condition" is not all that there is  */
	const uint8_t *condition; /* borrowed, as long as there is the wish; NULL: none         */
	size_t condition_size;
};
/* A row of what has been counted. */
struct probe_count {
	enum runtime_event event;
	taddr at;  /* as in struct probe_event */
	bool gone; /* what was there has been unmapped since */
	pid_t lwp;
	uint64_t count;
	int64_t last; /* when: CLOCK_MONOTONIC, us */
};
struct probe_counts {
	struct probe_count *items; /* owned */
	size_t len, cap;
	uint64_t rest; /* without a row: there were too many */
};

#endif
