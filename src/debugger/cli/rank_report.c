/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/rank_report.h"

#include "debugger/cli/views.h"
#include "debugger/control/control.h"
#include "debugger/why/why_verdict.h"

static struct error *find_calls(void *calls, struct session *s, struct snapshot *from)
{
	return mpi_calls_find(s, from, calls);
}

struct error *rank_report_add(struct cli *c, struct buf *ret)
{
	AUTO(mpi_calls_fini) struct mpi_calls calls = { 0 };
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = true,
						  .more = find_calls,
						  .context = &calls };
	AUTO(why_fini) struct why why = { 0 };
	AUTO_LOOK l = { 0 };

	struct error *err = control_look(c->control, &options, &l);
	if (!err)
		err = why_verdict_find(l.snapshot, &l.progress, &why);
	return err ? err : views_report_why(ret, &l, &why, &calls);
}
