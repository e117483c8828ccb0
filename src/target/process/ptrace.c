/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/ptrace.h"

#include <errno.h>
#include <linux/kcmp.h>
#include <poll.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "target/process/heritage.h"

static int child_fd = -1; /* signalfd(2) for SIGCHLD; -1: not initialised */
static int wake_fd = -1;  /* ptrace_wake_on() */

/* See ptrace_guard_begin(). A signal handler has no other place to look at. */
static struct {
	void (*reap)(void *context);
	void *context;
	struct sigaction old_action;
	sigset_t old_mask;
	volatile sig_atomic_t on, in_seize;
} guard;

static struct error *request(enum __ptrace_request what, const char *name, pid_t lwp, void *addr,
			     void *data)
{
	if (ptrace(what, lwp, addr, data) == 0) {
		log_debug(LOG_PTRACE, "%s %d (%p, %p)", name, lwp, addr, data);
		return NULL;
	}
	int errnum = errno;
	/* Linux kernel/ptrace.c: its answer for a thread that is taken apart just then. */
	if (what == PTRACE_INTERRUPT && errnum == EIO)
		errnum = ESRCH;
	log_debug(LOG_PTRACE, "%s %d: %s", name, lwp, strerror(errnum));
	return error_os(errnum, "%s of thread %d", name, lwp);
}
#define REQUEST(what, lwp, addr, data) request(what, #what, lwp, addr, (void *)(uintptr_t)(data))

struct error *ptrace_seize(pid_t lwp, enum ptrace_options options)
{
	unsigned long bits = 0;

	if (options & PTRACE_FOLLOW)
		bits |= PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
			PTRACE_O_TRACEVFORKDONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD;
	if (options & PTRACE_EXIT_KILL)
		bits |= PTRACE_O_EXITKILL;
	guard.in_seize = 1;
	struct error *err = REQUEST(PTRACE_SEIZE, lwp, NULL, bits);
	guard.in_seize = 0;
	return err;
}

enum { ALARM_INTERVAL = 20 * 1000 };

static void set_timer(long microseconds)
{
	struct itimerval timer = { { 0, 0 }, { 0, microseconds } };

	setitimer(ITIMER_REAL, &timer, NULL);
}

/* However long the reaping takes, seizing has its time then. */
static void on_alarm(int signal)
{
	int errnum = errno;

	(void)signal;
	if (guard.in_seize)
		guard.reap(guard.context);
	if (guard.on)
		set_timer(ALARM_INTERVAL);
	errno = errnum;
}

/* The kernel restarts the seize after each signal (ERESTARTNOINTR). */
void ptrace_guard_begin(void (*reap)(void *context), void *context)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	sigset_t set;

	guard.reap = reap;
	guard.context = context;
	sigaction(SIGALRM, &action, &guard.old_action);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &set, &guard.old_mask);
	guard.on = 1;
	set_timer(ALARM_INTERVAL);
}

/* A signal that has not been delivered yet is forgotten with its handler (signal(7)). */
void ptrace_guard_end(void)
{
	struct sigaction nothing = { .sa_handler = SIG_IGN };

	guard.on = 0;
	set_timer(0);
	sigaction(SIGALRM, &nothing, NULL);
	sigprocmask(SIG_SETMASK, &guard.old_mask, NULL);
	sigaction(SIGALRM, &guard.old_action, NULL);
}

/*
 * Stops of tracees are told, and taken, whatever the options say (kernel/exit.c,
 * wait_task_stopped()): so the first call only looks.
 */
void ptrace_reap_dead(pid_t lwp)
{
	const int options = WEXITED | WNOHANG | __WALL;
	siginfo_t info = { 0 };

	if (waitid(P_PID, (id_t)lwp, &info, options | WNOWAIT) < 0 || info.si_pid != lwp)
		return;
	if (info.si_code == CLD_EXITED || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED)
		waitid(P_PID, (id_t)lwp, &info, options);
}

struct error *ptrace_interrupt(pid_t lwp)
{
	return REQUEST(PTRACE_INTERRUPT, lwp, NULL, 0);
}

struct error *ptrace_cont(pid_t lwp, int signal)
{
	return REQUEST(PTRACE_CONT, lwp, NULL, signal);
}

struct error *ptrace_step(pid_t lwp, int signal)
{
	return REQUEST(PTRACE_SINGLESTEP, lwp, NULL, signal);
}

struct error *ptrace_cont_to_call(pid_t lwp, int signal)
{
	return REQUEST(PTRACE_SYSCALL, lwp, NULL, signal);
}

bool ptrace_leaves_call(pid_t lwp)
{
	struct __ptrace_syscall_info info = { 0 };

	return ptrace(PTRACE_GET_SYSCALL_INFO, lwp, (void *)sizeof(info), &info) > 0 &&
	       info.op == PTRACE_SYSCALL_INFO_EXIT;
}

struct error *ptrace_detach(pid_t lwp, int signal)
{
	return REQUEST(PTRACE_DETACH, lwp, NULL, signal);
}

struct error *ptrace_listen(pid_t lwp)
{
	return REQUEST(PTRACE_LISTEN, lwp, NULL, 0);
}

struct error *ptrace_siginfo(pid_t lwp, siginfo_t *ret)
{
	return REQUEST(PTRACE_GETSIGINFO, lwp, NULL, ret);
}

struct error *ptrace_set_siginfo(pid_t lwp, const siginfo_t *info)
{
	return REQUEST(PTRACE_SETSIGINFO, lwp, NULL, info);
}

bool ptrace_send_again(pid_t pid, pid_t lwp, const siginfo_t *info)
{
	siginfo_t queued = *info;

	if (syscall(SYS_rt_tgsigqueueinfo, pid, lwp, info->si_signo, info) == 0)
		return true;
	queued.si_code = SI_QUEUE;
	if (info->si_code <= 0 &&
	    syscall(SYS_rt_tgsigqueueinfo, pid, lwp, info->si_signo, &queued) == 0)
		return false;
	/* A thread that is dead by now needs no signal. */
	syscall(SYS_tgkill, pid, lwp, info->si_signo);
	return false;
}

/* The first signal of those that wait for a thread that "is_it" says yes to. */
static bool find_signal(pid_t lwp, bool (*is_it)(const siginfo_t *, int), int context)
{
	enum { PIECE = 16, MOST = 1 << 16 };
	struct __ptrace_peeksiginfo_args args = { .nr = PIECE };
	siginfo_t infos[PIECE];
	long n;

	while (args.off < MOST && (n = ptrace(PTRACE_PEEKSIGINFO, lwp, &args, infos)) > 0) {
		for (long i = 0; i < n; i++) {
			if (is_it(&infos[i], context))
				return true;
		}
		args.off += (uint64_t)n;
	}
	return false;
}

/* Others send it with a code that is not positive. */
static bool is_trap(const siginfo_t *info, int context)
{
	(void)context;
	return info->si_signo == SIGTRAP && info->si_code > 0;
}

bool ptrace_has_trap(pid_t lwp)
{
	return find_signal(lwp, is_trap, 0);
}

static bool is_signal(const siginfo_t *info, int signal)
{
	return info->si_signo == signal;
}

bool ptrace_has_signal(pid_t lwp, int signal)
{
	uint64_t blocked = ~UINT64_C(0);

	ptrace(PTRACE_GETSIGMASK, lwp, (void *)sizeof(blocked), &blocked);
	return !(blocked >> (signal - 1) & 1) && find_signal(lwp, is_signal, signal);
}

void ptrace_kill(pid_t pid)
{
	kill(pid, SIGKILL);
}

struct error *ptrace_event_message(pid_t lwp, unsigned long *ret)
{
	return REQUEST(PTRACE_GETEVENTMSG, lwp, NULL, ret);
}

/* Linux: sigset_t as the kernel has it. */
enum { SIGMASK_SIZE = 8 };

struct error *ptrace_get_regset(pid_t lwp, uint32_t note, void *ret, size_t *len)
{
	if (note == PTRACE_NOTE_SIGMASK && *len >= SIGMASK_SIZE) {
		*len = SIGMASK_SIZE;
		return REQUEST(PTRACE_GETSIGMASK, lwp, (void *)SIGMASK_SIZE, ret);
	}
	struct iovec iov = { .iov_base = ret, .iov_len = *len };
	struct error *err = REQUEST(PTRACE_GETREGSET, lwp, (void *)(uintptr_t)note, &iov);

	if (!err)
		*len = iov.iov_len;
	return err;
}

struct error *ptrace_set_regset(pid_t lwp, uint32_t note, const void *set, size_t len)
{
	if (note == PTRACE_NOTE_SIGMASK)
		return REQUEST(PTRACE_SETSIGMASK, lwp, (void *)len, set);
	struct iovec iov = { .iov_base = (void *)(uintptr_t)set, .iov_len = len };

	return REQUEST(PTRACE_SETREGSET, lwp, (void *)(uintptr_t)note, &iov);
}

bool ptrace_has_regset(pid_t lwp, uint32_t note, bool *ret_never)
{
	uint8_t set[64];
	struct iovec iov = { .iov_base = set, .iov_len = sizeof(set) };
	long failed = ptrace(PTRACE_GETREGSET, lwp, note, &iov);

	*ret_never = failed && errno == EINVAL;
	return !failed;
}

static void *place_of_debug_register(unsigned int n)
{
	return (void *)(offsetof(struct user, u_debugreg) + n * sizeof(uint64_t));
}

struct error *ptrace_get_debug_register(pid_t lwp, unsigned int n, uint64_t *ret)
{
	errno = 0;
	long value = ptrace(PTRACE_PEEKUSER, lwp, place_of_debug_register(n), NULL);
	if (errno)
		return error_os(errno, "reading debug register %u of thread %d", n, lwp);
	*ret = (uint64_t)value;
	return NULL;
}

struct error *ptrace_set_debug_register(pid_t lwp, unsigned int n, uint64_t value)
{
	return REQUEST(PTRACE_POKEUSER, lwp, place_of_debug_register(n), value);
}

bool ptrace_read_as(pid_t lwp, taddr from, void *ret, size_t len)
{
	struct iovec local = { ret, len }, remote = { (void *)(uintptr_t)from, len };

	return process_vm_readv(lwp, &local, 1, &remote, 1, 0) == (ssize_t)len;
}

bool ptrace_write_as(pid_t lwp, taddr to, const void *bytes, size_t len)
{
	struct iovec local = { (void *)(uintptr_t)bytes, len };
	struct iovec remote = { (void *)(uintptr_t)to, len };

	return process_vm_writev(lwp, &local, 1, &remote, 1, 0) == (ssize_t)len;
}

/* Whole words, at their alignment: another may reach into a page that is not there. */
static struct error *peek_word(pid_t lwp, taddr from, long *ret)
{
	void *addr = (void *)(uintptr_t)from;

	errno = 0;
	*ret = ptrace(PTRACE_PEEKDATA, lwp, addr, NULL);
	return errno ? error_os(errno, "PTRACE_PEEKDATA of thread %d at %p", lwp, addr) : NULL;
}

struct error *ptrace_peek(pid_t lwp, taddr from, void *ret, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		long word;
		size_t skip = (from + i) % sizeof(word);
		struct error *err = peek_word(lwp, from + i - skip, &word);
		if (err)
			return err;
		memcpy((uint8_t *)ret + i, (uint8_t *)&word + skip, 1);
	}
	return NULL;
}

/* The bytes around the wanted ones are read first. */
struct error *ptrace_poke(pid_t lwp, taddr to, const void *bytes, size_t len)
{
	const char *from = bytes;

	while (len) {
		long word;
		size_t skip = to % sizeof(word);
		size_t n = sizeof(word) - skip < len ? sizeof(word) - skip : len;
		void *addr = (void *)(uintptr_t)(to - skip);

		struct error *err = peek_word(lwp, to - skip, &word);
		memcpy((char *)&word + skip, from, n);
		if (!err)
			err = REQUEST(PTRACE_POKEDATA, lwp, addr, word);
		if (err)
			return err;
		to += n;
		from += n;
		len -= n;
	}
	return NULL;
}

/*
 * waitid(2) tells of a tracee's stop all that a status has above its 0x7f. Ends are taken, and the
 * stop of an exec: until then the kernel refuses requests to a thread that has a new number by it
 * (kernel/ptrace.c, looks_like_a_spurious_pid()).
 */
bool ptrace_poll(pid_t lwp, int *ret_status, bool *ret_gone)
{
	const int options = WEXITED | WSTOPPED | WNOHANG | __WALL;
	siginfo_t info = { 0 };
	pid_t got = TEMP_FAILURE_RETRY(waitid(P_PID, (id_t)lwp, &info, options | WNOWAIT));

	*ret_gone = got < 0;
	if (got < 0 || info.si_pid != lwp)
		return false;
	if (info.si_code == CLD_TRAPPED && info.si_status >> 8 != PTRACE_EVENT_EXEC)
		*ret_status = info.si_status << 8 | 0x7f;
	else if (TEMP_FAILURE_RETRY(waitpid(lwp, ret_status, __WALL | WNOHANG)) != lwp)
		return false;
	log_debug(LOG_PTRACE, "report of %d: status %#x", lwp, *ret_status);
	return true;
}

int ptrace_take(pid_t lwp)
{
	int status;

	return TEMP_FAILURE_RETRY(waitpid(lwp, &status, __WALL | WNOHANG)) == lwp ? status : 0;
}

bool ptrace_any_report(void)
{
	const int options = WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL;
	siginfo_t info = { 0 };

	return waitid(P_ALL, 0, &info, options) < 0 || info.si_pid;
}

bool ptrace_is_thread(pid_t pid, pid_t lwp)
{
	return syscall(SYS_tgkill, pid, lwp, 0) == 0 || errno == EPERM;
}

bool ptrace_has_stopped(pid_t lwp)
{
	const int options = WSTOPPED | WNOHANG | WNOWAIT | __WALL;
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)lwp, &info, options) == 0 && info.si_pid == lwp &&
	       info.si_code == CLD_TRAPPED;
}

bool ptrace_shares_memory(pid_t a, pid_t b, bool if_unknown)
{
	long order = syscall(SYS_kcmp, a, b, KCMP_VM, 0, 0);

	return order < 0 ? if_unknown : order == 0;
}

void ptrace_nudge(void)
{
	kill(getpid(), SIGCHLD);
}

int ptrace_fd(void)
{
	return child_fd;
}

void ptrace_wake_on(int fd)
{
	wake_fd = fd;
}

bool ptrace_is_woken(void)
{
	struct pollfd wake = { .fd = wake_fd, .events = POLLIN };

	return wake_fd >= 0 && poll(&wake, 1, 0) > 0;
}

/* Of descriptors that are negative poll(2) says nothing. */
static pid_t sleep_with(int other_fd, long timeout_us)
{
	struct signalfd_siginfo info;
	struct pollfd fds[] = { { .fd = child_fd, .events = POLLIN },
				{ .fd = other_fd, .events = POLLIN } };
	struct timespec limit = { .tv_sec = timeout_us / 1000000,
				  .tv_nsec = timeout_us % 1000000 * 1000 };

	if (timeout_us && ppoll(fds, 2, timeout_us < 0 ? NULL : &limit, NULL) < 0)
		return -1;
	return read(child_fd, &info, sizeof(info)) == sizeof(info) ? (pid_t)info.ssi_pid : 0;
}

pid_t ptrace_sleep(long timeout_us)
{
	return sleep_with(-1, timeout_us);
}

pid_t ptrace_doze(long timeout_us)
{
	return sleep_with(wake_fd, timeout_us);
}

/*
 * A SIGCHLD that is ignored, or without SA_NOCLDSTOP being clear, is never sent for stops
 * (kernel/signal.c, do_notify_parent_cldstop()); one that is blocked is kept.
 */
struct error *ptrace_init(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t set;

	if (child_fd >= 0)
		return NULL;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	child_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (child_fd < 0)
		return error_os(errno, "signalfd");
	heritage_note();
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGCHLD, &action, NULL);
	return NULL;
}
