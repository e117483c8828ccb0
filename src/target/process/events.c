/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/events.h"

#include <stdlib.h>
#include <string.h>

void events_fini(struct events *e)
{
	vec_fini(e);
}

static int rank(const struct stop *stop)
{
	if (stop->kind == STOP_STEPPED)
		return 0;
	return stop_is_end(stop) ? 2 : 1;
}

bool events_add(struct events *e, struct thread *th)
{
	struct event event = { .thread = th, .stop = th->stop };
	size_t at = e->len;

	if (!vec_push(e, event))
		return false;
	for (; at && rank(&e->items[at - 1].stop) > rank(&event.stop); at--)
		e->items[at] = e->items[at - 1];
	e->items[at] = event;
	return true;
}

const struct event *events_first(const struct events *e)
{
	return e->len ? &e->items[0] : NULL;
}

void events_drop(struct events *e, const struct thread *th)
{
	size_t kept = 0;

	vec_for_each (event, e) {
		if (event->thread != th)
			e->items[kept++] = *event;
	}
	e->len = kept;
}
