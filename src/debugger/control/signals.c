/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/signals.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SIGNAL_QUIET = 1, SIGNAL_KEPT = 2 };

struct signal_row {
	int number;
	const char *name, *text;
	unsigned int flags; /* QUIET: is passed without a word; KEPT: stops, and is not passed */
};

/* Names and texts as gdb has them: scripts look for them. */
static const struct signal_row rows[] = {
	{ SIGHUP, "SIGHUP", "Hangup", 0 },
	{ SIGINT, "SIGINT", "Interrupt", SIGNAL_KEPT },
	{ SIGQUIT, "SIGQUIT", "Quit", 0 },
	{ SIGILL, "SIGILL", "Illegal instruction", 0 },
	{ SIGTRAP, "SIGTRAP", "Trace/breakpoint trap", 0 },
	{ SIGABRT, "SIGABRT", "Aborted", 0 },
	{ SIGBUS, "SIGBUS", "Bus error", 0 },
	{ SIGFPE, "SIGFPE", "Arithmetic exception", 0 },
	{ SIGKILL, "SIGKILL", "Killed", 0 },
	{ SIGUSR1, "SIGUSR1", "User defined signal 1", 0 },
	{ SIGSEGV, "SIGSEGV", "Segmentation fault", 0 },
	{ SIGUSR2, "SIGUSR2", "User defined signal 2", 0 },
	{ SIGPIPE, "SIGPIPE", "Broken pipe", 0 },
	{ SIGALRM, "SIGALRM", "Alarm clock", SIGNAL_QUIET },
	{ SIGTERM, "SIGTERM", "Terminated", 0 },
	{ SIGSTKFLT, "SIGSTKFLT", "Stack fault", 0 },
	{ SIGCHLD, "SIGCHLD", "Child status changed", SIGNAL_QUIET },
	{ SIGCONT, "SIGCONT", "Continued", 0 },
	{ SIGSTOP, "SIGSTOP", "Stopped (signal)", 0 },
	{ SIGTSTP, "SIGTSTP", "Stopped (user)", 0 },
	{ SIGTTIN, "SIGTTIN", "Stopped (tty input)", 0 },
	{ SIGTTOU, "SIGTTOU", "Stopped (tty output)", 0 },
	{ SIGURG, "SIGURG", "Urgent I/O condition", SIGNAL_QUIET },
	{ SIGXCPU, "SIGXCPU", "CPU time limit exceeded", 0 },
	{ SIGXFSZ, "SIGXFSZ", "File size limit exceeded", 0 },
	{ SIGVTALRM, "SIGVTALRM", "Virtual timer expired", SIGNAL_QUIET },
	{ SIGPROF, "SIGPROF", "Profiling timer expired", SIGNAL_QUIET },
	{ SIGWINCH, "SIGWINCH", "Window size changed", SIGNAL_QUIET },
	{ SIGIO, "SIGIO", "I/O possible", SIGNAL_QUIET },
	{ SIGPWR, "SIGPWR", "Power fail/restart", 0 },
	{ SIGSYS, "SIGSYS", "Bad system call", 0 },
	{ 32, "SIG32", "Real-time event 32", SIGNAL_QUIET }, /* pthread_cancel()         */
	{ 33, "SIG33", "Real-time event 33", SIGNAL_QUIET }, /* setuid() in all threads  */
};

static const char *const realtime[][2] = {
#define REALTIME(n)                                                                                \
	{                                                                                          \
		"SIG" #n, "Real-time event " #n                                                    \
	}
	REALTIME(34), REALTIME(35), REALTIME(36), REALTIME(37), REALTIME(38), REALTIME(39),
	REALTIME(40), REALTIME(41), REALTIME(42), REALTIME(43), REALTIME(44), REALTIME(45),
	REALTIME(46), REALTIME(47), REALTIME(48), REALTIME(49), REALTIME(50), REALTIME(51),
	REALTIME(52), REALTIME(53), REALTIME(54), REALTIME(55), REALTIME(56), REALTIME(57),
	REALTIME(58), REALTIME(59), REALTIME(60), REALTIME(61), REALTIME(62), REALTIME(63),
	REALTIME(64),
#undef REALTIME
};
enum { REALTIME_FIRST = 34 };

static const struct signal_row *row_of(int number)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].number == number)
			return &rows[i];
	}
	return NULL;
}

static const char *word_of(int number, bool text)
{
	const struct signal_row *row = row_of(number);

	if (row)
		return text ? row->text : row->name;
	if (number >= REALTIME_FIRST && number < SIGNALS_END)
		return realtime[number - REALTIME_FIRST][text];
	return "?";
}

const char *signals_name(int number)
{
	return word_of(number, false);
}

const char *signals_text(int number)
{
	return word_of(number, true);
}

void signals_init(struct signals *s)
{
	for (int n = 0; n < SIGNALS_END; n++) {
		const struct signal_row *row = row_of(n);
		bool quiet = row && row->flags & SIGNAL_QUIET;
		s->of[n] = (struct signal_policy){ .stop = !quiet,
						   .print = !quiet,
						   .pass = !row || !(row->flags & SIGNAL_KEPT) };
	}
}

int signals_find(const char *name)
{
	char *end;
	long number = strtol(name, &end, 10);

	if (end != name)
		return !*end && number >= 1 && number <= 15 ? (int)number : 0;
	for (int n = 1; n < SIGNALS_END; n++) {
		const char *known = signals_name(n);
		if (!strcasecmp(known, name) || (known[0] == 'S' && !strcasecmp(known + 3, name)))
			return n;
	}
	return 0;
}

uint64_t signals_quiet(const struct signals *s)
{
	uint64_t quiet = 0;

	for (int n = 1; n < SIGNALS_END; n++) {
		const struct signal_policy *p = &s->of[n];
		if (p->pass && !p->stop && !p->print)
			quiet |= UINT64_C(1) << (n - 1);
	}
	return quiet;
}
