/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/thread_state.h"

/* To a state, asking something; and the same with an event. */
#define TO(state, ask)                                                                             \
	{                                                                                          \
		true,                                                                              \
		{                                                                                  \
			THREAD_##state, ASK_##ask, false                                           \
		}                                                                                  \
	}
#define TELL(state)                                                                                \
	{                                                                                          \
		true,                                                                              \
		{                                                                                  \
			THREAD_##state, ASK_NOTHING, true                                          \
		}                                                                                  \
	}

struct row {
	bool known;
	struct thread_move move;
};

/* What stands still reports nothing but its end, or that an exec gave it a new program. */
#define STANDING                                                                                   \
	[REPORT_EVENT] = TELL(PENDING), [WANT_RELEASE] = TO(LEAVING, DETACH),                      \
	[SEEN_KILLED] = TO(STOPPING, NOTHING)
/* What goes on tells when job control stops it; of what was to stop, that is no news. */
#define GOING                                                                                      \
	[REPORT_GROUP] = TELL(PENDING), [REPORT_EVENT] = TELL(PENDING),                            \
	[WANT_STOP_NOW] = TO(STOPPING, INTERRUPT), [WANT_RELEASE] = TO(LEAVING, INTERRUPT)
#define AWAITED                                                                                    \
	[REPORT_INTERRUPTED] = TO(STOPPED, NOTHING), [REPORT_GROUP] = TO(STOPPED, NOTHING),        \
	[REPORT_GROUP_OVER] = TELL(PENDING), [REPORT_STEPPED] = TO(STOPPED, NOTHING),              \
	[REPORT_SIGNAL] = TELL(PENDING), [REPORT_PASSED] = TO(STOPPED, NOTHING),                   \
	[REPORT_EVENT] = TELL(PENDING)

/*
 * The states that go on by themselves meet late interrupts: one that was sent when the thread had
 * stopped already stops it again as soon as it goes on. It does so, then, in the same way.
 */
static const struct row rows[THREAD_STATES][THREAD_INPUTS] = {
	/* clang-format off */
	[THREAD_STOPPED] = {
		STANDING,
		[WANT_CONTINUE] = TO(RUNNING, CONT),
		[WANT_LISTEN] = TO(LISTENING, LISTEN),
		[WANT_STEP] = TO(STEPPING, STEP),
		[WANT_PASS] = TO(PASSING, STEP),
		[SEEN_STEPPED] = TELL(PENDING),
	},
	[THREAD_PENDING] = {
		STANDING,
		[SEEN_TOLD] = TO(STOPPED, NOTHING),
	},
	[THREAD_NEW] = {
		STANDING,
		[SEEN_TOLD] = TO(STOPPED, NOTHING),
	},
	[THREAD_RUNNING] = {
		GOING,
		[REPORT_INTERRUPTED] = TO(RUNNING, CONT),
		[REPORT_GROUP_OVER] = TELL(PENDING),
		[REPORT_STEPPED] = TO(RUNNING, CONT), /* of a step that was given up */
		[REPORT_SIGNAL] = TELL(PENDING),
		[REPORT_PASSED] = TO(RUNNING, CONT),
		[WANT_STOP] = TO(STOPPING, INTERRUPT),
	},
	[THREAD_LISTENING] = {
		[REPORT_GROUP] = TO(LISTENING, LISTEN), /* it is back there */
		[REPORT_EVENT] = TELL(PENDING),
		[WANT_STOP_NOW] = TO(STOPPING, INTERRUPT),
		[WANT_RELEASE] = TO(LEAVING, INTERRUPT),
		[REPORT_INTERRUPTED] = TO(RUNNING, CONT),
		[REPORT_GROUP_OVER] = TELL(PENDING),
		[REPORT_STEPPED] = TO(RUNNING, CONT),
		[REPORT_SIGNAL] = TELL(PENDING),
		[REPORT_PASSED] = TO(RUNNING, CONT),
		[WANT_STOP] = TO(STOPPING, INTERRUPT),
	},
	[THREAD_STEPPING] = {
		GOING,
		[REPORT_INTERRUPTED] = TO(STEPPING, STEP),
		[REPORT_STEPPED] = TELL(PENDING),
		[REPORT_SIGNAL] = TO(STEPPING, HOLD),
		[REPORT_PASSED] = TO(STEPPING, HOLD),
		[SEEN_ZOMBIE] = TO(ZOMBIE, NOTHING),
	},
	[THREAD_PASSING] = {
		GOING,
		[REPORT_INTERRUPTED] = TO(PASSING, STEP),
		[REPORT_STEPPED] = TO(STOPPED, NOTHING),
		[REPORT_SIGNAL] = TO(PASSING, HOLD),
		[REPORT_PASSED] = TO(PASSING, HOLD),
		[SEEN_ZOMBIE] = TO(ZOMBIE, NOTHING),
		[SEEN_ASLEEP] = TO(RUNNING, NOTHING),
	},
	[THREAD_STARTING] = {
		[REPORT_INTERRUPTED] = TO(NEW, NOTHING),
		[REPORT_GROUP] = TO(NEW, NOTHING),
		[REPORT_STEPPED] = TO(NEW, NOTHING),
		[REPORT_SIGNAL] = TELL(PENDING),
		[REPORT_PASSED] = TO(NEW, NOTHING),
		[REPORT_EVENT] = TELL(PENDING),
		[WANT_RELEASE] = TO(LEAVING, NOTHING),
		[SEEN_STUCK] = TO(STUCK, NOTHING),
	},
	[THREAD_STOPPING] = {
		AWAITED,
		[WANT_RELEASE] = TO(LEAVING, NOTHING),
		[SEEN_STUCK] = TO(STUCK, NOTHING),
		[SEEN_ZOMBIE] = TO(ZOMBIE, NOTHING),
	},
	[THREAD_STUCK] = {
		AWAITED,
		[WANT_CONTINUE] = TO(RUNNING, NOTHING), /* its interrupt will be a late one */
		[WANT_RELEASE] = TO(GONE, NOTHING),     /* by the kernel, when ompdb ends */
	},
	[THREAD_LEAVING] = {
		[REPORT_INTERRUPTED] = TO(LEAVING, DETACH),
		[REPORT_GROUP] = TO(LEAVING, DETACH),
		[REPORT_STEPPED] = TO(LEAVING, DETACH),
		[REPORT_SIGNAL] = TO(LEAVING, DETACH),
		[REPORT_PASSED] = TO(LEAVING, DETACH),
		[REPORT_EVENT] = TO(LEAVING, DETACH),
		[WANT_RELEASE] = TO(LEAVING, NOTHING),
	},
	[THREAD_ZOMBIE] = {
		AWAITED, /* an exec gave its number to another */
		[WANT_RELEASE] = TO(GONE, NOTHING),
	},
	[THREAD_ENDED] = {
		[WANT_RELEASE] = TO(GONE, NOTHING),
		[SEEN_TOLD] = TO(GONE, NOTHING),
	},
	/* clang-format on */
};

struct thread_move thread_move(enum thread_state from, enum thread_input input)
{
	const struct row *row = &rows[from][input];

	if (!row->known && input == REPORT_GROUP_OVER)
		row = &rows[from][REPORT_INTERRUPTED];
	if (row->known)
		return row->move;
	if (!thread_state_is_over(from) && (input == REPORT_END || input == REPORT_LOST))
		return (struct thread_move){ .to = THREAD_GONE };
	if (!thread_state_is_over(from) && input == REPORT_PROCESS_END)
		return (struct thread_move){ .to = THREAD_ENDED, .tell = true };
	return (struct thread_move){ .to = from };
}

enum thread_input thread_input_of(const struct stop *stop, bool is_leader)
{
	if (stop_is_end(stop))
		return is_leader ? REPORT_PROCESS_END : REPORT_END;
	if (stop->kind == STOP_INTERRUPTED)
		return REPORT_INTERRUPTED;
	if (stop->kind == STOP_GROUP)
		return REPORT_GROUP;
	if (stop->kind == STOP_STEPPED)
		return REPORT_STEPPED;
	return stop_can_wait(stop) ? REPORT_SIGNAL : REPORT_EVENT;
}

static const struct {
	const char *name;
	bool stands, due, step, over;
} states[THREAD_STATES] = {
	[THREAD_STOPPED] = { "stopped", .stands = true },
	[THREAD_PENDING] = { "pending", .stands = true },
	[THREAD_NEW] = { "new", .stands = true },
	[THREAD_RUNNING] = { "running" },
	[THREAD_STEPPING] = { "stepping", .due = true, .step = true },
	[THREAD_PASSING] = { "passing", .due = true, .step = true },
	[THREAD_LISTENING] = { "listening" },
	[THREAD_STARTING] = { "starting", .due = true },
	[THREAD_STOPPING] = { "stopping", .due = true },
	[THREAD_STUCK] = { "stuck" },
	[THREAD_LEAVING] = { "leaving", .due = true },
	[THREAD_ZOMBIE] = { "zombie" },
	[THREAD_ENDED] = { "ended", .over = true },
	[THREAD_GONE] = { "gone", .over = true },
};

bool thread_state_stands(enum thread_state s)
{
	return states[s].stands;
}

bool thread_state_is_due(enum thread_state s)
{
	return states[s].due;
}

bool thread_state_is_step(enum thread_state s)
{
	return states[s].step;
}

bool thread_state_is_over(enum thread_state s)
{
	return states[s].over;
}

const char *thread_state_name(enum thread_state s)
{
	return states[s].name;
}
