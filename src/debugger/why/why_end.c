/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_end.h"

static const struct why_end_facts ends[NUM_WHY_ENDS] = {
	[END_NONE] = {
		.hope = HOPE_NONE,
		.weight = 2,
		.stuck = { WHY_ORDERED, WHY_GUESS }, /* all wait for a turn */
	},
	[END_COMPUTES] = {
		.weight = 8,
		.freedom = 4,
		.live = { WHY_PROGRESSING, WHY_IMBALANCE, .works = true },
	},
	[END_BUSY] = {
		.weight = 3,
		.freedom = 1,
		.live = { WHY_PROGRESSING, .two_looks = true, .works = true },
	},
	[END_HELD] = {
		.hope = HOPE_NONE,
		.weight = 5,
		.freedom = 1,
		.stuck = { WHY_HELD, WHY_CERTAIN },
		.live = { WHY_WAITING, WHY_HELD },
	},
	[END_OUTSIDE] = {
		.weight = 7,
		.freedom = 3,
		.live = { WHY_WAITING, WHY_EXTERNAL },
	},
	[END_SIGNAL] = {
		.hope = HOPE_ANYONE,
		.needs_thread = true,
		.weight = 6,
		.freedom = 2,
		.reason = "No thread of this process is left to wake it; a signal handler or "
			  "another process might.",
		.stuck = { WHY_EXTERNAL, WHY_PROBABLE },
		.live = { WHY_WAITING, WHY_EXTERNAL },
	},
	[END_WRITER] = {
		.hope = HOPE_ANYONE,
		.needs_thread = true,
		.weight = 6,
		.freedom = 2,
		.reason = "The loop only looks at memory, and no thread of this process is left "
			  "to change that; a signal handler or another process might.",
		.stuck = { WHY_BUSY_WAIT, WHY_GUESS },
		.live = { WHY_PROGRESSING, WHY_IMBALANCE, .two_looks = true, .works = true },
	},
	[END_IDLE] = {
		.hope = HOPE_ANYONE,
		.needs_thread = true,
		.weight = 4,
		.stuck = { WHY_LOST_LOCK, WHY_PROBABLE },
	},
	[END_UNKNOWN] = {
		.weight = 1,
		.freedom = 1,
	},
	[END_HOLDER] = {
		.hope = HOPE_ANYONE,
		.weight = 5,
		.name = "a thread that is not known",
		.clause = ", whose holder is not known",
		.edge = WHY_HELD_BY,
		.knowledge = WHY_NOT_KNOWN,
		.reason = "The runtime does not record who holds it, and the code of no thread "
			  "tells.",
		.stuck = { WHY_LOST_LOCK, WHY_GUESS },
	},
	[END_LOST] = {
		.hope = HOPE_NONE,
		.weight = 6,
		.name = "no thread",
		.clause = ", which no thread is left to give back",
		.edge = WHY_HELD_BY,
		.reason = "On no thread's stack is a function that has taken it and not given it "
			  "back: the thread that took it has left that function.",
		.stuck = { WHY_LOST_LOCK, WHY_PROBABLE },
	},
	[END_WORKER] = {
		.hope = HOPE_NONE,
		.weight = 9,
		.name = "a thread that does not exist",
		.clause = ": the threads of the team do not exist",
		.edge = WHY_MUST_COME,
		.stuck = { WHY_LOST_WORKER, WHY_CERTAIN },
	},
	[END_EVENT] = {
		.hope = HOPE_ANYONE,
		.weight = 5,
		.name = "the event of a detached task",
		.clause = ": nobody has fulfilled the event of a detached task",
		.edge = WHY_WAITS_FOR,
		.reason = "A thread that is blocked outside of OpenMP, a signal handler or another "
			  "process may still fulfil it.",
		.stuck = { WHY_DETACH, WHY_PROBABLE },
		.live = { WHY_WAITING, WHY_DETACH, .two_looks = true },
	},
	[END_TASK] = {
		.hope = HOPE_ANYONE,
		.weight = 1,
		.name = "tasks that have not ended",
		.clause = ": tasks have not ended that no thread executes",
		.edge = WHY_WAITS_FOR,
		.knowledge = WHY_NOT_KNOWN,
		.reason = "This runtime does not tell which tasks these are.",
		.stuck = { WHY_TASK, WHY_GUESS },
	},
};

const struct why_end_facts *why_end_facts(enum why_end end)
{
	return &ends[end];
}
