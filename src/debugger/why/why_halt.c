/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_halt.h"

#define STOPPED "is stopped by a signal (state T), until it gets SIGCONT"

/* All threads, where the first one of them is. */
static void blame(const struct why_case *c)
{
	const struct picture *p = why_case_picture(c);
	struct why_blame b = { 0 };
	AUTO_BUF reason = { 0 };

	if (!p->threads.len)
		return;
	b.place = p->threads.items[0].wait.place;
	for (int i = 0; i < (int)p->threads.len; i++)
		c->graph.why->failed |= !vec_push(&b.threads, i);
	buf_adds(&reason, STOPPED);
	why_case_add_blame(c, b, &reason);
}

bool why_halt_judge(const struct why_case *c)
{
	struct why *why = c->graph.why;
	AUTO_BUF summary = { 0 }, next = { 0 };
	const int pid = c->snapshot->stacks->pid;

	if (!c->graph.progress->halted)
		return false;
	why->verdict = WHY_WAITING;
	why->class = WHY_EXTERNAL;
	why->confidence = WHY_CERTAIN;
	buf_addf(&summary, "%sthe process " STOPPED ".",
		 why_opening(why->verdict, why->confidence));
	why->summary = why_case_take_text(c, &summary);
	blame(c);
	buf_addf(&next,
		 "'kill -CONT %d' lets it go on; 'ompdb stack %d' shows where its threads are.",
		 pid, pid);
	why_case_add_text(c, &why->hints, &next);
	return true;
}
