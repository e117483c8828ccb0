/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/probe_counts.h"

#include "debugger/control/jumped.h"

struct error *probe_counts_add(struct probe_counts *ret, const struct probe_count *new)
{
	vec_for_each (old, ret) {
		if (old->event == new->event && old->at == new->at && old->gone == new->gone &&
		    old->lwp == new->lwp) {
			old->count += new->count;
			old->last = old->last > new->last ? old->last : new->last;
			return NULL;
		}
	}
	return vec_push(ret, *new) ? NULL : &error_nomem;
}

/* The construct that has called what a probe stands in: a function that a jump to there has left,
 * where that is certain, and else the one to which it returns. */
static taddr place_of(struct session *s, const struct probe *at, taddr key)
{
	taddr left[CALL_SITES_MAX];

	if (probe_is_code(at))
		return key;
	const taddr called = at->returns ? at->returns : at->addr;
	return (jumped_between(s, key, called, left) ? *left : key) - 1;
}

struct error *probe_counts_read(struct probe_counts *ret, struct session *s, const struct probe *at)
{
	struct tally tally = { 0 };
	struct error *err =
		at->role == ROLE_EVENT ? target_point_tally(s->target, at->point, &tally) : NULL;

	ret->rest += tally.rest;
	vec_for_each (row, &tally) {
		const struct probe_count new = { .event = at->row->event,
						 .at = place_of(s, at, row->key),
						 .lwp = row->lwp,
						 .count = at->row->minus ? -row->count : row->count,
						 .last = row->last };
		err = err ? err : probe_counts_add(ret, &new);
	}
	tally_fini(&tally);
	return err;
}

void probe_counts_drop_none(struct probe_counts *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->len; i++) {
		if ((int64_t)l->items[i].count > 0)
			l->items[kept++] = l->items[i];
	}
	l->len = kept;
}

bool probe_counts_mark_gone(struct probe_counts *l, const struct session *s)
{
	bool any = false;

	vec_for_each (row, l) {
		bool now = row->at && !row->gone && !module_at(s->modules, row->at);
		row->gone |= now;
		any |= now;
	}
	return any;
}
