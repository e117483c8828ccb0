/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/kept_signals.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "target/process/ptrace.h"

void kept_signals_fini(struct kept_signals *k)
{
	vec_fini(k);
}

static bool has(const struct kept_signals *k, pid_t lwp, int signal)
{
	vec_for_each (kept, k) {
		if (kept->lwp == lwp && !kept->sent && kept->info.si_signo == signal)
			return true;
	}
	return false;
}

struct error *kept_signals_add(struct kept_signals *k, pid_t lwp)
{
	struct kept_signal kept = { .lwp = lwp };
	struct error *err = ptrace_siginfo(lwp, &kept.info);

	/* Signals that are not real-time ones do not pile up: signal(7). */
	if (err || (kept.info.si_signo < SIGRTMIN && has(k, lwp, kept.info.si_signo)))
		return err;
	return vec_push(k, kept) ? NULL : &error_nomem;
}

/* Takes out what "is_over" says of a thread. */
static void filter(struct kept_signals *k, pid_t lwp, bool (*is_over)(struct kept_signal *, int),
		   int context)
{
	size_t left = 0;

	vec_for_each (kept, k) {
		if (kept->lwp != lwp || !is_over(kept, context))
			k->items[left++] = *kept;
	}
	k->len = left;
}

static bool send(struct kept_signal *kept, int pid)
{
	if (!kept->sent && ptrace_send_again(pid, kept->lwp, &kept->info))
		return true;
	kept->sent = true;
	return false;
}

void kept_signals_send(struct kept_signals *k, pid_t pid, pid_t lwp)
{
	filter(k, lwp, send, pid);
}

bool kept_signals_are_due(const struct kept_signals *k, pid_t lwp)
{
	vec_for_each (kept, k) {
		if (kept->lwp == lwp && kept->sent && ptrace_has_signal(lwp, kept->info.si_signo))
			return true;
	}
	return false;
}

/* Whether a signal that arrives is one that ptrace_send_again() has sent in another's name. */
static bool is_sent_again(const siginfo_t *now, const siginfo_t *then)
{
	return (now->si_code == SI_TKILL && now->si_pid == getpid()) ||
	       (now->si_code == SI_QUEUE && now->si_pid == then->si_pid);
}

static bool restore(struct kept_signal *kept, int signal)
{
	siginfo_t now;

	if (!kept->sent || kept->info.si_signo != signal)
		return false;
	struct error *err = ptrace_siginfo(kept->lwp, &now);
	bool ours = !err && is_sent_again(&now, &kept->info);
	if (ours)
		err = ptrace_set_siginfo(kept->lwp, &kept->info);
	error_ignore(err);
	return ours;
}

void kept_signals_restore(struct kept_signals *k, pid_t lwp, int signal)
{
	filter(k, lwp, restore, signal);
}

static bool forget(struct kept_signal *kept, int signal)
{
	(void)kept, (void)signal;
	return true;
}

void kept_signals_drop(struct kept_signals *k, pid_t lwp)
{
	filter(k, lwp, forget, 0);
}
