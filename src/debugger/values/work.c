/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/work.h"

#include <stdlib.h>

const char *work_state_name(enum work_state state)
{
	static const char *const names[] = {
		[WORK_INSIDE] = "inside",
		[WORK_ASKS] = "asks",
		[WORK_AT_END] = "at end",
		[WORK_AWAY] = "away",
	};

	return names[state];
}

void work_fini(struct work *w)
{
	vec_fini(&w->threads);
	free(w->function);
}

const struct work_thread *work_thread_in(const struct work *work, int thread)
{
	vec_for_each (t, &work->threads) {
		if (t->thread == thread)
			return t;
	}
	return NULL;
}

void work_use_values(struct work *work, const struct iterations *b, struct work_thread *t)
{
	uint64_t now;

	if (!work->counts || !b->known ||
	    (t->has_now && t->has_chunk && !iterations_number(b, t->now[0], &now)))
		return;
	work->counts = false;
	work->step = b->step;
	work->has_step = true;
	if (t->has_chunk) {
		t->first = b->begin + t->first * (uint64_t)b->step;
		t->last = b->begin + t->last * (uint64_t)b->step;
	}
	work->next = b->begin + work->next * (uint64_t)b->step;
}

void work_use_iterations(struct work *work, struct work_thread *t)
{
	const uint64_t step = (uint64_t)work->step;
	const bool down = work->step < 0;

	work->counts = true;
	if (!work->has_step || !step)
		return;
	t->first = down ? (0 - t->first) / (0 - step) : t->first / step;
	t->last = down ? (0 - t->last) / (0 - step) : t->last / step;
	work->next = down ? (0 - work->next) / (0 - step) : work->next / step;
	work->step = 1;
}

void work_find_rest(const struct work *work, struct work_thread *t)
{
	if (work->counts || !t->has_chunk || t->nnow != 1 || !work->has_step || !work->step)
		return;
	uint64_t step = (uint64_t)work->step;
	bool down = work->step < 0;
	uint64_t now = t->now[0];
	bool inside =
		!iterations_is_less(work->is_unsigned, down ? t->first : now,
				    down ? now : t->first) &&
		!iterations_is_less(work->is_unsigned, down ? now : t->last, down ? t->last : now);

	t->has_rest = inside;
	if (inside)
		t->rest = down ? (now - t->last) / (0 - step) : (t->last - now) / step;
	else
		t->has_now = false; /* it is not the variable's value any more, or not yet */
}
