/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/parked.h"

#include <sys/syscall.h>

#include "target/code/fixed_loop.h"
#include "target/code/wait_loop.h"

/* The program's loop that calls sched_yield(), or may, to look at memory. */
static taddr find_yielding(struct target *t, struct thread *th, const struct runtime_list *runtimes,
			   taddr pc, enum code_kind kind)
{
	enum { NEAR = 64 };
	const struct export *yield =
		runtimes->libc ? exports_find(runtimes->libc, "sched_yield") : NULL;
	const taddr idle[] = { yield ? yield->addr : 0 };
	const struct fixed_loop_idle list = { idle, yield ? 1 : 0 };
	taddr ret;

	if (kind == CODE_SYSTEM && (!yield || pc - yield->addr >= NEAR))
		return 0;
	return fixed_loop_find(t, th, &list, &ret) ? ret : 0;
}

/* The program's loop that a thread is in to look at memory. Who sleeps is in none. */
static taddr find_watching(struct target *t, struct thread *th, const struct runtime_list *runtimes,
			   taddr pc, const struct blocked *blocked)
{
	enum code_kind kind = runtime_code_at(runtimes, pc);
	taddr ret;

	if ((kind != CODE_USER && kind != CODE_SYSTEM) ||
	    (blocked->in_call && blocked->number != SYS_sched_yield))
		return 0;
	if (kind == CODE_USER && wait_loop_watches(t, pc, &ret))
		return ret;
	return find_yielding(t, th, runtimes, pc, kind);
}

void parked_read(struct call_sites *calls, struct thread *th, const struct runtime_list *runtimes,
		 struct parked *ret)
{
	struct target *t = runtimes->modules->target;
	uint64_t pc = 0;

	*ret = (struct parked){ 0 };
	if (!thread_state_stands(th->state) || th->kernel_worker)
		return;
	ret->blocked = blocked_get(t, calls, th);
	error_ignore(target_get_uint(t, th, t->arch->pc, &pc));
	ret->watches = find_watching(t, th, runtimes, pc, &ret->blocked);
	if (ret->blocked.in_call) {
		if (!blocked_on_futex(t, &ret->blocked, &ret->address))
			ret->address = 0;
	} else if (runtime_code_at(runtimes, pc) == CODE_RUNTIME) {
		struct wait_loop loop;
		ret->polling = wait_loop_polls(t, th, &loop);
		ret->address = loop.polled;
		ret->pauses = loop.pauses;
		ret->let_go = loop.is_over;
		ret->left = blocked_left(t, calls, th);
		if (!ret->address && !blocked_on_futex(t, &ret->left, &ret->address))
			ret->address = 0;
	}
}
