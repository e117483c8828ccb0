/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "target/process/live_parts.h"
#include "target/process/live_root.h"
#include "target/process/passing.h"

static struct error *enter_child(struct live *l, struct live *maker, struct thread *child)
{
	struct error *err = passing_give(&maker->tracees, &l->tracees, child->shares);

	if (!err)
		err = points_copy(&maker->tracees.points, &l->tracees.points);
	if (!err)
		err = tracees_unless_gone(tracees_flush(&maker->tracees, child));
	if (!err)
		err = tracees_give(child, &l->tracees);
	if (err)
		return err;
	l->launched = maker->launched;
	l->tracees.exit_kill = maker->tracees.exit_kill;
	memcpy(l->uids, maker->uids, sizeof(l->uids));
	live_root_set(l->base.pid, l->base.root);
	return live_open_files(l);
}

struct error *live_take_child(struct target *t, pid_t pid, struct target **ret)
{
	struct live *maker = live_of(t), *l;
	struct thread *child = tracees_find(&maker->tracees, pid);

	if (!child || !child->maker || child->process != pid || !thread_state_stands(child->state))
		return error_new(ERROR_NOT_FOUND,
				 "process %d is no child of process %d that stands still", pid,
				 t->pid);
	struct error *err = live_new(pid, t->arch, &l);
	if (err)
		return err;
	err = enter_child(l, maker, child);
	if (err) {
		target_free(&l->base);
		return err;
	}
	*ret = &l->base;
	return NULL;
}
