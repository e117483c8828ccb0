/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/events.h"

#include <stdlib.h>
#include <string.h>

void events_fini(struct events *e)
{
	vec_fini(e);
	e->first = 0;
}

static int rank(const struct stop *stop)
{
	if (stop->kind == STOP_STEPPED)
		return 0;
	return stop_is_end(stop) ? 2 : 1;
}

static void close_gap(struct events *e)
{
	e->len -= e->first;
	memmove(e->items, e->items + e->first, e->len * sizeof(*e->items));
	e->first = 0;
}

size_t events_count(const struct events *e)
{
	return e->len - e->first;
}

bool events_add(struct events *e, struct thread *th)
{
	struct event event = { .thread = th, .stop = th->stop };

	if (e->first > e->len / 2)
		close_gap(e);
	size_t at = e->len;
	if (!vec_push(e, event))
		return false;
	for (; at > e->first && rank(&e->items[at - 1].stop) > rank(&event.stop); at--)
		e->items[at] = e->items[at - 1];
	e->items[at] = event;
	return true;
}

const struct event *events_first(const struct events *e)
{
	return events_count(e) ? &e->items[e->first] : NULL;
}

void events_drop(struct events *e, const struct thread *th)
{
	size_t at = e->first;

	while (at < e->len && e->items[at].thread != th)
		at++;
	if (at == e->len)
		return;
	if (at == e->first) {
		e->first++;
		return;
	}
	e->len--;
	memmove(e->items + at, e->items + at + 1, (e->len - at) * sizeof(*e->items));
}
