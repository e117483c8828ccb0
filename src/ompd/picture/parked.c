/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/parked.h"

#include <string.h>
#include <sys/syscall.h>

#include "target/code/code.h"
#include "target/code/jump.h"
#include "target/code/wait_loop.h"

static bool has(const char *const *names, const char *name)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

/* It does nothing but let time pass, and returns 0. */
static bool is_idle(const void *runtimes, taddr function)
{
	static const char *const libc[] = { "sched_yield", "thrd_yield",      "usleep",     "sleep",
					    "nanosleep",   "clock_nanosleep", "thrd_sleep", NULL };
	const struct runtime_list *l = runtimes;
	const struct runtime *r = runtime_at(l, function);
	const char *name = r && r->ops->idles ? runtime_function_at(l, r, function) : NULL;

	if (r || !l->libc || runtime_code_at(l, function) != CODE_SYSTEM)
		return name && has(r->ops->idles, name);
	const struct export *e = exports_at(l->libc, function);
	return e && e->addr == function && has(libc, e->name);
}

/* The thread's loop by its innermost frame of the program, which has called an idle function; it
 * may have got to the stub that leads there. */
static bool find_idling(const struct parked_source *from, const struct fixed_loop_idle *idle,
			struct parked *ret)
{
	const struct unwind_stack *raw = from->raw;
	struct target *t = from->runtimes->modules->target;
	struct fixed_loop_frame frame = { .called = true };
	struct insn call;
	size_t i = 1;

	while (i < raw->len && runtime_code_at(from->runtimes, raw->items[i].pc - 1) != CODE_USER)
		i++;
	if (i >= raw->len || raw->items[i].exact || !code_call_before(t, raw->items[i].pc, &call) ||
	    !is_idle(from->runtimes, jump_target(t, &call)) ||
	    !unwind_registers(from->unwinder, from->thread, i, frame.registers, &frame.known))
		return false;
	frame.pc = raw->items[i].pc;
	ret->watching = i;
	return fixed_loop_find(t, &frame, idle, &ret->watches);
}

static bool may_idle(const struct blocked *b)
{
	return !b->in_call || b->number == SYS_sched_yield || b->number == SYS_nanosleep ||
	       b->number == SYS_clock_nanosleep;
}

/* The program's loop that a thread is in to look at memory. */
static void find_watching(const struct parked_source *from, taddr pc, struct parked *ret)
{
	struct target *t = from->runtimes->modules->target;
	const struct fixed_loop_idle idle = { is_idle, from->runtimes };
	taddr looks, to = may_idle(&ret->blocked) ? jump_follow(t, pc) : 0;

	if (!to)
		return;
	if (runtime_code_at(from->runtimes, to) != CODE_USER) {
		(void)!find_idling(from, &idle, ret);
		return;
	}
	(void)!fixed_loop_of_thread(t, from->thread, &idle, &ret->watches);
	if (wait_loop_watches(t, pc, &looks))
		ret->watches.looks = looks;
}

void parked_read(const struct parked_source *from, struct parked *ret)
{
	const struct runtime_list *runtimes = from->runtimes;
	struct call_sites *calls = from->calls;
	struct thread *th = from->thread;
	struct target *t = runtimes->modules->target;
	uint64_t pc = 0;

	*ret = (struct parked){ 0 };
	if (!thread_state_stands(th->state) || th->kernel_worker)
		return;
	ret->blocked = blocked_get(t, calls, th);
	error_ignore(target_get_uint(t, th, t->arch->pc, &pc));
	find_watching(from, pc, ret);
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
