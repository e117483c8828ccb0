/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/probe_wants.h"

/* Code that two functions are given is seen once. */
static bool same_event(const struct event_row *a, const struct event_row *b)
{
	return a->event == b->event && a->when == b->when;
}

/* Adds what is new, and marks what is there already. */
static bool want(struct probes *p, const struct probe *new)
{
	vec_for_each (old, &p->points) {
		if (old->role == new->role && old->addr == new->addr &&
		    old->returns == new->returns && old->wish == new->wish &&
		    old->runtime == new->runtime &&
		    (new->role != ROLE_EVENT || same_event(old->row, new->row))) {
			old->wanted = true;
			return true;
		}
	}
	struct probe added = *new;
	added.wanted = added.changed = true;
	return vec_push(&p->points, added);
}

static bool want_events(struct probes *p, const struct probe *like)
{
	struct probe new = *like;

	new.role = ROLE_EVENT;
	vec_for_each (w, &p->wishes) {
		const struct probe_wish *wish = &(*w)->wish;
		const event_set event = EVENT_BIT(like->row->event);
		new.wish = (*w)->number;
		if (like->row->minus && (!wish->counts || wish->told & event))
			continue;
		if (wish->events & event && !want(p, &new))
			return false;
	}
	return true;
}

/* Where the function at "at" returns to, as far as that has been seen. */
static bool want_returns(struct probes *p, const struct probe *at)
{
	struct probe new = *at;

	new.role = ROLE_NOTES;
	if (!want(p, &new))
		return false;
	new.role = ROLE_LEARNS_BACK;
	if (!want(p, &new))
		return false;
	for (size_t i = 0; i < p->backs.len; i++) {
		if (p->backs.items[i].function != at->addr ||
		    probe_is_passed_on(p, at, p->backs.items[i].addr))
			continue;
		new.addr = p->backs.items[i].addr;
		new.returns = at->addr;
		if (!want_events(p, &new))
			return false;
	}
	return true;
}

/* What the C library is given by others is none of the runtime's. */
static bool is_given_by(const struct probes *p, const struct probe *at, taddr code)
{
	const struct probe_range *range = &p->functions.runtimes.items[at->runtime].range;

	return !at->row->imported || (code >= range->start && code < range->end);
}

static bool want_codes(struct probes *p, const struct probe *at)
{
	struct probe new = *at;

	new.role = ROLE_LEARNS_CODE;
	if (!want(p, &new))
		return false;
	for (size_t i = 0; i < p->codes.len; i++) {
		if (p->codes.items[i].function != at->addr ||
		    !is_given_by(p, at, p->codes.items[i].addr))
			continue;
		new.addr = p->codes.items[i].addr;
		bool fine =
			at->row->when == WHEN_CODE ? want_events(p, &new) : want_returns(p, &new);
		if (!fine)
			return false;
	}
	return true;
}

/* What jumps on to another function of the same event is known by where it was called. */
static bool want_entries(struct probes *p, const struct probe *at, bool own)
{
	struct probe new = *at;

	new.role = ROLE_LEARNS_BACK;
	return (own || want(p, &new)) && want_events(p, at);
}

static bool want_row(struct probes *p, const struct probe *at, bool own)
{
	switch (at->row->when) {
	case WHEN_ENTERED:
		return want_entries(p, at, own);
	case WHEN_RETURNED:
		return want_returns(p, at);
	case WHEN_CODE:
	case WHEN_CODE_END:
		return want_codes(p, at);
	case WHEN_NEVER:
		break;
	}
	return true;
}

bool probe_wants_mark(struct probes *p)
{
	event_set wanted = 0;

	vec_for_each (at, &p->points)
		at->wanted = false;

	vec_for_each (w, &p->wishes)
		wanted |= (*w)->wish.events;
	vec_for_each (f, &p->functions.items) {
		const struct probe at = { .row = f->row, .addr = f->addr, .runtime = f->runtime };
		if (wanted & EVENT_BIT(f->row->event) && !want_row(p, &at, f->own))
			return false;
	}
	return true;
}
