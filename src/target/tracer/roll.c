/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/tracer/roll.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"

static struct roll_row row_of(const struct thread *th)
{
	return (struct roll_row){ .lwp = th->lwp,
				  .state = th->state,
				  .stop = th->stop,
				  .signal = th->signal,
				  .kernel_worker = th->kernel_worker,
				  .held = th->held };
}

static bool is_same(const struct roll_row *a, const struct roll_row *b)
{
	return a->state == b->state && a->stop.kind == b->stop.kind &&
	       a->stop.value == b->stop.value && a->stop.fault == b->stop.fault &&
	       a->signal == b->signal && a->kernel_worker == b->kernel_worker && a->held == b->held;
}

/* false: out of memory. */
static bool update(struct roll *r, const struct target *t)
{
	r->len = 0;
	vec_for_each (th, &t->threads) {
		if (!vec_push(r, row_of(*th)))
			return false;
	}
	return true;
}

/* ---- telling ---------------------------------------------------------------------------- */

enum { ENDS = 0 }; /* no LWP: behind the last row */

static void add_row(struct buf *out, const struct roll_row *row)
{
	message_add(out, (uint64_t)row->lwp, 4);
	message_add(out, row->state, 1);
	message_add(out, row->stop.kind, 1);
	message_add(out, (uint64_t)row->stop.value, 8);
	message_add(out, row->stop.fault, 1);
	message_add(out, (uint64_t)row->signal, 1);
	message_add(out, row->kernel_worker, 1);
	message_add(out, row->held, 1);
}

static size_t place_of(const struct roll *r, pid_t pid, pid_t lwp)
{
	const uint32_t rank = lwp_rank(pid, lwp);

	return sorted_count(row, r->items, r->len, lwp_rank(pid, row->lwp) < rank);
}

/* Those up to "end" of whom the list of threads says nothing any more are gone. */
static size_t add_gone(struct buf *out, const struct roll *r, size_t at, size_t end)
{
	for (; at < end; at++) {
		struct roll_row gone = { .lwp = r->items[at].lwp, .state = THREAD_GONE };
		if (r->items[at].state != THREAD_GONE)
			add_row(out, &gone);
	}
	return at;
}

void roll_add_changes(struct roll *r, const struct target *t, struct buf *out)
{
	size_t at = 0;

	vec_for_each (th, &t->threads) {
		struct roll_row now = row_of(*th);
		at = add_gone(out, r, at, place_of(r, t->pid, now.lwp));
		bool known = at < r->len && r->items[at].lwp == now.lwp;
		if (!known || !is_same(&now, &r->items[at]))
			add_row(out, &now);
		at += known;
	}
	add_gone(out, r, at, r->len);
	message_add(out, ENDS, 4);
	if (!update(r, t))
		out->failed = true;
}

/* ---- being told ------------------------------------------------------------------------- */

static struct roll_row take_row(struct cursor *in, pid_t lwp)
{
	struct roll_row row = { .lwp = lwp };

	row.state = (enum thread_state)cursor_uint(in, 1);
	row.stop.kind = (enum stop_kind)cursor_uint(in, 1);
	row.stop.value = (long)cursor_uint(in, 8);
	row.stop.fault = cursor_uint(in, 1);
	row.signal = (int)cursor_uint(in, 1);
	row.kernel_worker = cursor_uint(in, 1);
	row.held = cursor_uint(in, 1);
	in->bad = in->bad || row.state > THREAD_GONE || row.stop.kind > STOP_RETURN ||
		  row.signal >= NSIG;
	return row;
}

static struct error *take_news(struct target *t, const struct roll_row *row)
{
	struct thread *th = target_find_thread(t, row->lwp);

	if (!th && row->state == THREAD_GONE)
		return NULL;
	if (!th)
		th = target_add_thread(t, row->lwp);
	if (!th)
		return &error_nomem;
	if (thread_state_is_over(th->state)) { /* its number is another one's */
		free(th->name);
		th->name = NULL;
	}
	th->process = t->pid;
	th->state = row->state;
	th->held_back = false;
	th->stop = row->stop;
	th->signal = row->signal;
	th->kernel_worker = row->kernel_worker;
	th->general_valid = false;
	return NULL;
}

/* false: out of memory. */
static bool note_row(struct roll *r, pid_t pid, const struct roll_row *row)
{
	size_t at = place_of(r, pid, row->lwp);

	if (at == r->len || r->items[at].lwp != row->lwp) {
		if (!vec_push(r, *row))
			return false;
		memmove(r->items + at + 1, r->items + at, (r->len - 1 - at) * sizeof(*row));
	}
	r->items[at] = *row;
	return true;
}

static void take_wishes(struct roll *r, struct target *t, const struct roll_row *row)
{
	struct thread *th = target_find_thread(t, row->lwp);
	size_t at = place_of(r, t->pid, row->lwp);

	if (row->state == THREAD_GONE)
		return;
	if (th) {
		th->signal = row->signal;
		th->held = row->held;
	}
	if (at < r->len && r->items[at].lwp == row->lwp) {
		r->items[at].signal = row->signal;
		r->items[at].held = row->held;
	}
}

/*
 * Only what was told goes into the roll: what else has changed here, a thread that died unseen by
 * any event, is still to be told.
 */
struct error *roll_take_changes(struct roll *r, struct target *t, bool wishes, struct cursor *in)
{
	struct error *err = NULL;
	pid_t lwp;

	while (!err && (lwp = (pid_t)cursor_uint(in, 4)) != ENDS) {
		struct roll_row row = take_row(in, lwp);
		if (in->bad)
			return error_new(ERROR_BAD_DATA, "a list of threads makes no sense");
		if (wishes)
			take_wishes(r, t, &row);
		else
			err = note_row(r, t->pid, &row) ? take_news(t, &row) : &error_nomem;
	}
	return err;
}
