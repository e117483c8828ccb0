/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/children.h"

#include "target/process/go_on.h"
#include "target/process/halt.h"
#include "target/process/passing.h"

/* A child that stands, and need not wait for its maker. */
static struct error *resume_child(struct tracees *ts, struct thread *child)
{
	struct error *err = NULL;

	if (!thread_state_stands(child->state))
		return NULL;
	if (!child->shares) {
		if (child->state == THREAD_NEW)
			err = tracees_unless_gone(passing_clean(ts, child->lwp));
		return err ? err : tracee_move(ts, child, WANT_RELEASE);
	}
	err = tracee_move(ts, child, SEEN_TOLD);
	return err ? err : go_on_over_site(ts, child, RESUME_CONTINUE);
}

/* Until its maker goes on, whose event may even have to be told yet. */
static bool waits(const struct tracees *ts, const struct thread *child)
{
	const struct thread *maker = tracees_find(ts, child->maker);

	return child->state == THREAD_NEW && maker && thread_state_stands(maker->state);
}

struct error *children_resume(struct tracees *ts, bool all)
{
	struct error *err = NULL;

	for (size_t i = 0; i < ts->children.len && !err; i++) {
		struct thread *child = ts->children.items[i];
		if ((all || child->state != THREAD_STOPPED) && !waits(ts, child))
			err = resume_child(ts, child);
	}
	return err;
}

struct error *children_release(struct tracees *ts)
{
	struct error *err = halt_children(ts);

	for (size_t i = 0; i < ts->children.len && !err; i++) {
		struct thread *child = ts->children.items[i];
		if (thread_state_stands(child->state) &&
		    (child->state == THREAD_NEW || child->shares))
			err = tracees_unless_gone(passing_clean(ts, child->lwp));
		if (!err)
			err = tracee_move(ts, child, WANT_RELEASE);
	}
	return err;
}
