/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/call_sleep.h"

#include "target/code/blocked.h"

/* Linux include/linux/errno.h */
enum { ERESTARTSYS = 512, ERESTART_RESTARTBLOCK = 516 };

/* Going on and coming to the end of the function counts as one. */
enum { SWITCHES_OF_OURS = 1 };

static uint64_t switches_of(const struct target *t, pid_t lwp)
{
	struct proc_status status = { 0 };
	struct error *err = procfs_status(t->pid, lwp, &status);

	error_ignore(err); /* it has ended */
	return status.voluntary_switches;
}

struct call_sleep call_sleep_find(struct session *s, struct thread *th)
{
	struct target *t = s->target;
	struct call_sleep ret = { .switches = switches_of(t, th->lwp) };
	uint64_t result = 0;
	struct error *err =
		target_get_uint(t, th, t->arch->code_regs[t->arch->code_result], &result);

	error_ignore(err);
	if (-(int64_t)result != ERESTART_RESTARTBLOCK)
		return ret;
	struct call_sites *sites = call_sites_new(t, s->unwinder);
	struct blocked b = blocked_get(t, sites, th);
	call_sites_free(sites);
	ret.sleeps = b.in_call;
	ret.number = (uint64_t)b.number;
	return ret;
}

void call_sleep_settle(const struct call_sleep *sleep, const struct target *t, pid_t lwp,
		       uint8_t *general)
{
	const struct arch *a = t->arch;

	if (!sleep->sleeps || switches_of(t, lwp) <= sleep->switches + SWITCHES_OF_OURS)
		return;
	arch_put(a->call_number, general, sleep->number);
	arch_put(a->code_regs[a->code_result], general, (uint64_t)-ERESTARTSYS);
}
