/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "target/process/stop.h"
#include "unit.h"

#define EXITED(code)         ((code) << 8)
#define KILLED(signal)       (signal)
#define CORED(signal)        ((signal) | 0x80)
#define STOPPED(signal)      ((signal) << 8 | 0x7f)
#define EVENT(event, signal) ((event) << 16 | STOPPED(signal))
#define CONTINUED            0xffff

/* A row's SIGTRAP has no siginfo. */
enum { NO_INFO = -1000 };
enum { NEITHER, SIGINFO, MESSAGE };

static const struct {
	const char *what;
	int status, code;
	unsigned long message;
	int needs;
	enum stop_kind kind;
	long value;
} stops[] = {
	{ "exit 0", EXITED(0), NO_INFO, 0, NEITHER, STOP_EXITED, 0 },
	{ "exit 255", EXITED(255), NO_INFO, 0, NEITHER, STOP_EXITED, 255 },
	{ "exit with the code of a stop", EXITED(127), NO_INFO, 0, NEITHER, STOP_EXITED, 127 },
	{ "killed", KILLED(SIGKILL), NO_INFO, 0, NEITHER, STOP_KILLED, SIGKILL },
	{ "killed by trap", KILLED(SIGTRAP), NO_INFO, 0, NEITHER, STOP_KILLED, SIGTRAP },
	{ "dumped core", CORED(SIGSEGV), NO_INFO, 0, NEITHER, STOP_KILLED, SIGSEGV },
	{ "continued", CONTINUED, NO_INFO, 0, NEITHER, STOP_NONE, 0 },

	{ "signal", STOPPED(SIGUSR1), NO_INFO, 0, NEITHER, STOP_SIGNAL, SIGUSR1 },
	{ "SIGSTOP on its way", STOPPED(SIGSTOP), NO_INFO, 0, NEITHER, STOP_SIGNAL, SIGSTOP },
	{ "real-time signal", STOPPED(64), NO_INFO, 0, NEITHER, STOP_SIGNAL, 64 },
	{ "SIGSEGV", STOPPED(SIGSEGV), SEGV_MAPERR, 0, SIGINFO, STOP_SIGNAL, SIGSEGV },

	{ "int3", STOPPED(SIGTRAP), SI_KERNEL, 0, SIGINFO, STOP_BREAKPOINT, 0 },
	{ "step", STOPPED(SIGTRAP), TRAP_TRACE, 0, SIGINFO, STOP_STEPPED, 0 },
	{ "step over a call", STOPPED(SIGTRAP), TRAP_BRKPT, 0, SIGINFO, STOP_STEPPED, 0 },
	{ "watchpoint", STOPPED(SIGTRAP), TRAP_HWBKPT, 0, SIGINFO, STOP_WATCHPOINT, 0 },
	{ "kill(SIGTRAP)", STOPPED(SIGTRAP), SI_USER, 0, SIGINFO, STOP_SIGNAL, SIGTRAP },
	{ "raise(SIGTRAP)", STOPPED(SIGTRAP), SI_TKILL, 0, SIGINFO, STOP_SIGNAL, SIGTRAP },
	{ "sigqueue(SIGTRAP)", STOPPED(SIGTRAP), SI_QUEUE, 0, SIGINFO, STOP_SIGNAL, SIGTRAP },
	{ "timer's SIGTRAP", STOPPED(SIGTRAP), SI_TIMER, 0, SIGINFO, STOP_SIGNAL, SIGTRAP },
	{ "unknown code", STOPPED(SIGTRAP), 6, 0, SIGINFO, STOP_SIGNAL, SIGTRAP },
	{ "no siginfo", STOPPED(SIGTRAP), NO_INFO, 0, SIGINFO, STOP_SIGNAL, SIGTRAP },

	{ "interrupted", EVENT(PTRACE_EVENT_STOP, SIGTRAP), NO_INFO, 0, NEITHER, STOP_INTERRUPTED,
	  0 },
	{ "SIGSTOP", EVENT(PTRACE_EVENT_STOP, SIGSTOP), NO_INFO, 0, NEITHER, STOP_GROUP, SIGSTOP },
	{ "SIGTSTP", EVENT(PTRACE_EVENT_STOP, SIGTSTP), NO_INFO, 0, NEITHER, STOP_GROUP, SIGTSTP },
	{ "SIGTTIN", EVENT(PTRACE_EVENT_STOP, SIGTTIN), NO_INFO, 0, NEITHER, STOP_GROUP, SIGTTIN },
	{ "SIGTTOU", EVENT(PTRACE_EVENT_STOP, SIGTTOU), NO_INFO, 0, NEITHER, STOP_GROUP, SIGTTOU },

	{ "clone", EVENT(PTRACE_EVENT_CLONE, SIGTRAP), NO_INFO, 77, MESSAGE, STOP_CLONE, 77 },
	{ "fork", EVENT(PTRACE_EVENT_FORK, SIGTRAP), NO_INFO, 78, MESSAGE, STOP_FORK, 78 },
	{ "vfork", EVENT(PTRACE_EVENT_VFORK, SIGTRAP), NO_INFO, 79, MESSAGE, STOP_VFORK, 79 },
	{ "vfork done", EVENT(PTRACE_EVENT_VFORK_DONE, SIGTRAP), NO_INFO, 0, NEITHER,
	  STOP_VFORK_DONE, 0 },
	{ "exec", EVENT(PTRACE_EVENT_EXEC, SIGTRAP), NO_INFO, 80, MESSAGE, STOP_EXEC, 80 },
	{ "exiting", EVENT(PTRACE_EVENT_EXIT, SIGTRAP), NO_INFO, EXITED(3), MESSAGE, STOP_EXITING,
	  EXITED(3) },
	{ "system call", STOPPED(SIGTRAP | 0x80), NO_INFO, 0, NEITHER, STOP_CALL, 0 },
	{ "event nobody asked for", EVENT(PTRACE_EVENT_SECCOMP, SIGTRAP), NO_INFO, 0, NEITHER,
	  STOP_INTERRUPTED, 0 },
};

START_TEST(decode_tells_why_a_thread_stopped)
{
	siginfo_t info = { .si_signo = WSTOPSIG(stops[_i].status), .si_code = stops[_i].code };
	const siginfo_t *given = stops[_i].code == NO_INFO ? NULL : &info;
	struct stop stop = stop_decode(stops[_i].status, given, stops[_i].message);

	ck_assert_msg(stop.kind == stops[_i].kind, "%s: %s", stops[_i].what,
		      stop_kind_name(stop.kind));
	ck_assert_msg(stop.value == stops[_i].value, "%s: value %ld", stops[_i].what, stop.value);
}
END_TEST

START_TEST(decode_says_what_it_needs)
{
	ck_assert_msg(stop_needs_siginfo(stops[_i].status) == (stops[_i].needs == SIGINFO), "%s",
		      stops[_i].what);
	ck_assert_msg(stop_needs_message(stops[_i].status) == (stops[_i].needs == MESSAGE), "%s",
		      stops[_i].what);
}
END_TEST

/* What the kernel tells of other stops has a code of its own, and the report has to be looked at.
 */
START_TEST(traps_are_known_by_their_siginfo)
{
	int status = stops[_i].status;
	bool told = WIFSTOPPED(status) && (stops[_i].code == NO_INFO || status == STOPPED(SIGTRAP));
	siginfo_t info = { .si_signo = WSTOPSIG(status) & 0x7f,
			   .si_code = stops[_i].code == NO_INFO ? status >> 8 : stops[_i].code };
	bool trap = stops[_i].kind == STOP_BREAKPOINT || stops[_i].kind == STOP_STEPPED ||
		    stops[_i].kind == STOP_WATCHPOINT;

	if (told)
		ck_assert_msg(stop_is_trap(&info) == trap, "%s", stops[_i].what);
}
END_TEST

START_TEST(signals_of_others_that_stop_nothing_can_wait)
{
	for (size_t i = 0; i < COUNT(stops); i++) {
		siginfo_t info = { .si_signo = WSTOPSIG(stops[i].status),
				   .si_code = stops[i].code };
		const siginfo_t *given = stops[i].code == NO_INFO ? NULL : &info;
		struct stop stop = stop_decode(stops[i].status, given, stops[i].message);
		bool fault = given && given->si_code > 0;
		bool stopper = stop.value >= SIGSTOP && stop.value <= SIGTTOU;
		ck_assert_msg(stop_can_wait(&stop) ==
				      (stop.kind == STOP_SIGNAL && !fault && !stopper),
			      "%s", stops[i].what);
	}
}
END_TEST

START_TEST(only_exits_and_deaths_are_ends)
{
	for (enum stop_kind kind = STOP_NONE; kind <= STOP_RETURN; kind++)
		ck_assert_int_eq(stop_is_end(&(struct stop){ .kind = kind }),
				 kind == STOP_EXITED || kind == STOP_KILLED);
}
END_TEST

START_TEST(every_kind_has_a_name_of_its_own)
{
	for (enum stop_kind kind = STOP_NONE; kind <= STOP_RETURN; kind++) {
		ck_assert_ptr_nonnull(stop_kind_name(kind));
		for (enum stop_kind other = STOP_NONE; other < kind; other++)
			ck_assert_str_ne(stop_kind_name(kind), stop_kind_name(other));
	}
	ck_assert_str_eq(stop_kind_name((enum stop_kind)999), "unknown");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("stop");

	unit_table(s, decode_tells_why_a_thread_stopped, stops);
	unit_table(s, decode_says_what_it_needs, stops);
	unit_table(s, traps_are_known_by_their_siginfo, stops);
	unit_case(s, "kinds", signals_of_others_that_stop_nothing_can_wait,
		  only_exits_and_deaths_are_ends, every_kind_has_a_name_of_its_own);
	return unit_run(s);
}
