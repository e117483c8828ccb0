/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_halt.h"

#include <stdlib.h>
#include <string.h>

#define STOPPED "is stopped by a signal (state T), until it gets SIGCONT"

static void add(const struct why_case *c, struct why_texts *list, const struct buf *b)
{
	char *text = why_case_take_text(c, b);

	if (text && !vec_push(list, text)) {
		c->graph.why->failed = true;
		free(text);
	}
}

/* All threads, where the first one of them is. */
static void blame(const struct why_case *c)
{
	const struct picture *p = why_case_picture(c);
	struct why_blame b = { .reason = strdup(STOPPED) };
	bool whole = b.reason;

	for (int i = 0; i < (int)p->threads.len; i++)
		whole &= vec_push(&b.threads, i);
	b.place = p->threads.len ? p->threads.items[0].wait.place : b.place;
	if (whole && (!p->threads.len || vec_push(&c->graph.why->blame, b)))
		return;
	c->graph.why->failed = true;
	free(b.reason);
	vec_fini(&b.threads);
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
	add(c, &why->hints, &next);
	return true;
}
