/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/notes.h"

#include "base/buf.h"

void notes_fini(struct notes *n)
{
	vec_fini(n);
}

/* Keeps those of other threads, and of frames further out than "limit". */
static void keep_above(struct notes *n, pid_t lwp, taddr limit)
{
	size_t kept = 0;

	for (size_t i = 0; i < n->len; i++) {
		if (n->items[i].lwp != lwp || n->items[i].sp > limit)
			n->items[kept++] = n->items[i];
	}
	n->len = kept;
}

struct error *notes_add(struct notes *n, const struct note *note)
{
	size_t kept = 0;

	/* A function that was jumped to returns to the same place as the one before. */
	for (size_t i = 0; i < n->len; i++) {
		const struct note *old = &n->items[i];
		bool stale = old->lwp == note->lwp &&
			     (old->sp < note->sp ||
			      (old->sp == note->sp && old->function == note->function));
		if (!stale)
			n->items[kept++] = *old;
	}
	n->len = kept;
	return vec_push(n, *note) ? NULL : &error_nomem;
}

struct error *notes_put(struct notes *n, const struct note *note)
{
	if (notes_find(n, note->lwp, note->function, note->sp))
		return NULL;
	return vec_push(n, *note) ? NULL : &error_nomem;
}

const struct note *notes_find(const struct notes *n, pid_t lwp, taddr function, taddr sp)
{
	vec_for_each (note, n) {
		if (note->lwp == lwp && note->sp == sp && note->function == function)
			return note;
	}
	return NULL;
}

void notes_end(struct notes *n, pid_t lwp, taddr sp)
{
	keep_above(n, lwp, sp);
}

void notes_drop(struct notes *n, pid_t lwp)
{
	if (lwp)
		keep_above(n, lwp, ~(taddr)0);
	else
		n->len = 0;
}
