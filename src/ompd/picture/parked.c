/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/parked.h"

#include "target/code/wait_loop.h"

void parked_read(struct call_sites *calls, struct thread *th, const struct runtime_list *runtimes,
		 struct parked *ret)
{
	struct target *t = runtimes->modules->target;
	uint64_t pc = 0;

	*ret = (struct parked){ 0 };
	if (!thread_state_stands(th->state) || th->kernel_worker)
		return;
	ret->blocked = blocked_get(t, calls, th);
	if (ret->blocked.in_call) {
		if (!blocked_on_futex(t, &ret->blocked, &ret->address))
			ret->address = 0;
		return;
	}
	error_ignore(target_get_uint(t, th, t->arch->pc, &pc));
	enum code_kind kind = runtime_code_at(runtimes, pc);
	if (kind == CODE_RUNTIME) {
		struct wait_loop loop;
		ret->polling = wait_loop_polls(t, th, &loop);
		ret->address = loop.polled;
		ret->pauses = loop.pauses;
		ret->let_go = loop.is_over;
	} else if (kind == CODE_USER && !wait_loop_watches(t, pc, &ret->watches)) {
		ret->watches = 0;
	}
}
