/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/stop.h"

#include <stddef.h>
#include <sys/wait.h>

/* ptrace(2), "Stopped states": status >> 8 is the signal, with the event above it. */
static int event_of(int status)
{
	return WIFSTOPPED(status) ? (int)((unsigned int)status >> 16) : 0;
}

/* PTRACE_O_TRACESYSGOOD: entering or leaving a system call; which and whether is in registers. */
enum { CALL_STOP = SIGTRAP | 0x80 };

/* PTRACE_EVENT_STOP: told by its signal what it is (do_jobctl_trap() in kernel/signal.c). */
enum { EVENT_STOP = 128 };

/* PTRACE_EVENT_*, whose header is ptrace.c's alone. */
static const struct event {
	int number;
	enum stop_kind kind;
	bool has_message;
} events[] = {
	{ 1, STOP_FORK, true },        /* PTRACE_EVENT_FORK       */
	{ 2, STOP_VFORK, true },       /* PTRACE_EVENT_VFORK      */
	{ 3, STOP_CLONE, true },       /* PTRACE_EVENT_CLONE      */
	{ 4, STOP_EXEC, true },        /* PTRACE_EVENT_EXEC       */
	{ 5, STOP_VFORK_DONE, false }, /* PTRACE_EVENT_VFORK_DONE */
	{ 6, STOP_EXITING, true },     /* PTRACE_EVENT_EXIT       */
};

static const struct event *find_event(int number)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		if (events[i].number == number)
			return &events[i];
	}
	return NULL;
}

/*
 * What si_code says of a SIGTRAP. Codes that are not listed are the program's own business:
 * SI_USER, SI_TKILL and SI_QUEUE were sent by somebody, TRAP_PERF it asked for.
 */
static struct stop decode_trap(const siginfo_t *info)
{
	static const struct {
		int code;
		enum stop_kind kind;
	} codes[] = {
		{ SI_KERNEL, STOP_BREAKPOINT },   /* int3: exc_int3() in arch/x86       */
		{ TRAP_TRACE, STOP_STEPPED },     /* debug exception with DR6.BS        */
		{ TRAP_BRKPT, STOP_STEPPED },     /* user_single_step_report() in arch/x86 */
		{ SIGTRAP, STOP_STEPPED },        /* into a handler: signal_delivered()    */
		{ TRAP_HWBKPT, STOP_WATCHPOINT }, /* debug exception with DR6.B0 to B3  */
	};

	for (size_t i = 0; info && i < sizeof(codes) / sizeof(*codes); i++) {
		if (codes[i].code == info->si_code)
			return (struct stop){ .kind = codes[i].kind };
	}
	return (struct stop){ .kind = STOP_SIGNAL, .value = SIGTRAP };
}

/* kill(2) and its like have codes up to 0 (siginfo_t's SI_FROMUSER). */
static struct stop decode_signal(int signal, const siginfo_t *info)
{
	struct stop stop = { .kind = STOP_SIGNAL, .value = signal };

	if (signal == SIGTRAP)
		stop = decode_trap(info);
	stop.fault = stop.kind == STOP_SIGNAL && info && info->si_code > 0;
	return stop;
}

static struct stop decode_event(int event, int signal, unsigned long message)
{
	const struct event *e = find_event(event);

	if (e)
		return (struct stop){ .kind = e->kind,
				      .value = e->has_message ? (long)message : 0 };
	if (event == EVENT_STOP && signal != SIGTRAP)
		return (struct stop){ .kind = STOP_GROUP, .value = signal };
	return (struct stop){ .kind = STOP_INTERRUPTED };
}

struct stop stop_decode(int status, const siginfo_t *info, unsigned long message)
{
	int event = event_of(status);

	if (WIFEXITED(status))
		return (struct stop){ .kind = STOP_EXITED, .value = WEXITSTATUS(status) };
	if (WIFSIGNALED(status))
		return (struct stop){ .kind = STOP_KILLED, .value = WTERMSIG(status) };
	if (!WIFSTOPPED(status))
		return (struct stop){ .kind = STOP_NONE };
	if (event)
		return decode_event(event, WSTOPSIG(status), message);
	if (WSTOPSIG(status) == CALL_STOP)
		return (struct stop){ .kind = STOP_CALL };
	return decode_signal(WSTOPSIG(status), info);
}

bool stop_is_trap(const siginfo_t *info)
{
	int code = info->si_code;

	return info->si_signo == SIGTRAP && (code == SI_KERNEL || code == TRAP_TRACE ||
					     code == TRAP_BRKPT || code == TRAP_HWBKPT);
}

bool stop_needs_siginfo(int status)
{
	/* Those that an instruction can raise. */
	static const int signals[] = { SIGTRAP, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS };

	if (!WIFSTOPPED(status) || event_of(status))
		return false;
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		if (WSTOPSIG(status) == signals[i])
			return true;
	}
	return false;
}

bool stop_needs_message(int status)
{
	const struct event *e = find_event(event_of(status));

	return e && e->has_message;
}

bool stop_is_exec(int status)
{
	const struct event *e = find_event(event_of(status));

	return e && e->kind == STOP_EXEC;
}

bool stop_is_ours(const struct stop *s)
{
	return s->kind == STOP_STEPPED || s->kind == STOP_SITE || s->kind == STOP_WATCHPOINT ||
	       s->kind == STOP_CALL || s->kind == STOP_RETURN;
}

bool stop_is_end(const struct stop *s)
{
	return s->kind == STOP_EXITED || s->kind == STOP_KILLED;
}

bool stop_can_wait(const struct stop *s)
{
	bool stops = s->value == SIGSTOP || s->value == SIGTSTP || s->value == SIGTTIN ||
		     s->value == SIGTTOU;

	return s->kind == STOP_SIGNAL && !s->fault && !stops;
}

const char *stop_kind_name(enum stop_kind kind)
{
	static const char *const names[] = {
		[STOP_NONE] = "nothing",     [STOP_EXITED] = "exited",
		[STOP_KILLED] = "killed",    [STOP_SIGNAL] = "signal",
		[STOP_GROUP] = "group-stop", [STOP_INTERRUPTED] = "interrupted",
		[STOP_STEPPED] = "stepped",  [STOP_BREAKPOINT] = "breakpoint",
		[STOP_SITE] = "site",        [STOP_WATCHPOINT] = "watchpoint",
		[STOP_CLONE] = "clone",      [STOP_FORK] = "fork",
		[STOP_VFORK] = "vfork",      [STOP_VFORK_DONE] = "vfork-done",
		[STOP_EXEC] = "exec",        [STOP_EXITING] = "exiting",
		[STOP_CALL] = "call",        [STOP_RETURN] = "return",
	};
	size_t i = (size_t)kind;

	return i < sizeof(names) / sizeof(*names) ? names[i] : "unknown";
}
