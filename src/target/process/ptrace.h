/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Ptrace: the only door to ptrace(2) and to waiting for tracees.
 *
 * Typed, one function a request, so that they can move into a process of their own without
 * touching a caller. All calls must come from one thread of ompdb: the one that attached.
 * Errors: GONE when the thread is dead or not stopped (ESRCH), NOT_PERMITTED (EPERM), OS.
 */
#ifndef TARGET_PTRACE_H
#define TARGET_PTRACE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "target/cpu/arch.h"

enum ptrace_options {
	PTRACE_FOLLOW = 1,    /* report and attach what clone, fork, vfork and exec make */
	PTRACE_EXIT_KILL = 2, /* the kernel kills the tracee when ompdb dies             */
};

MUST_CHECK struct error *ptrace_seize(pid_t lwp, enum ptrace_options options);

/*
 * Guards the seizes between the two calls against a deadlock in the kernel: an exec holds a lock
 * (cred_guard_mutex) that PTRACE_SEIZE of any thread of the process waits for, and itself waits
 * until the threads that were seized already, and are dead now, have been reaped. While a seize
 * is stuck, "reap" is called every few milliseconds, out of a signal handler (SIGALRM): it may
 * do nothing but call ptrace_reap_dead().
 */
void ptrace_guard_begin(void (*reap)(void *context), void *context);
void ptrace_guard_end(void);

/* Reaps a thread if it is dead; ptrace_poll() then finds it gone. Async-signal-safe. */
void ptrace_reap_dead(pid_t lwp);

MUST_CHECK struct error *ptrace_interrupt(pid_t lwp);
/* For a stopped thread; signal 0: none is delivered. */
MUST_CHECK struct error *ptrace_cont(pid_t lwp, int signal);
MUST_CHECK struct error *ptrace_step(pid_t lwp, int signal);
/* As ptrace_cont(), but stops also where a system call is entered or left. */
MUST_CHECK struct error *ptrace_cont_to_call(pid_t lwp, int signal);
/* Of a thread that stopped there: whether it leaves. false: it enters, or the kernel is too old to
 * say (before Linux 5.3). */
bool ptrace_leaves_call(pid_t lwp);
MUST_CHECK struct error *ptrace_detach(pid_t lwp, int signal);
/* For a thread in group-stop: it stays stopped, yet tells when that ends. */
MUST_CHECK struct error *ptrace_listen(pid_t lwp);

MUST_CHECK struct error *ptrace_siginfo(pid_t lwp, siginfo_t *ret);
/* For a thread that is about to receive a signal: what its handler is told of it. */
MUST_CHECK struct error *ptrace_set_siginfo(pid_t lwp, const siginfo_t *info);
/*
 * Sends a signal to a thread again that it was about to receive. The kernel lets nobody speak for
 * kill(2), tgkill(2) and itself: false, such a signal now says that it was queued by whoever sent
 * it (SI_QUEUE), one of the kernel's that ompdb sent it.
 */
bool ptrace_send_again(pid_t pid, pid_t lwp, const siginfo_t *info);
/* A SIGTRAP that ompdb has caused is on its way to a thread that stands for another reason. */
bool ptrace_has_trap(pid_t lwp);
/* A signal that was sent to that very thread waits, and will come as soon as it goes on. */
bool ptrace_has_signal(pid_t lwp, int signal);
/* Kills the process. */
void ptrace_kill(pid_t pid);
MUST_CHECK struct error *ptrace_event_message(pid_t lwp, unsigned long *ret);

/* What the mask of blocked signals is known by where registers are known by their notes. */
enum { PTRACE_NOTE_SIGMASK = 0 };

/* Registers by the number of their core note (NT_PRSTATUS...). *len: room in, size out. */
MUST_CHECK struct error *ptrace_get_regset(pid_t lwp, uint32_t note, void *ret, size_t *len);
MUST_CHECK struct error *ptrace_set_regset(pid_t lwp, uint32_t note, const void *set, size_t len);

MUST_CHECK struct error *ptrace_peek(pid_t lwp, taddr from, void *ret, size_t len);
/* Writes bytes into read-only memory too (breakpoints), where /proc/PID/mem may not. */
MUST_CHECK struct error *ptrace_poke(pid_t lwp, taddr to, const void *bytes, size_t len);

/* Whether a thread has such a set now. *ret_never: the kernel knows of none. */
bool ptrace_has_regset(pid_t lwp, uint32_t note, bool *ret_never);

/* Debug registers of x86, by number. */
MUST_CHECK struct error *ptrace_get_debug_register(pid_t lwp, unsigned int n, uint64_t *ret);
MUST_CHECK struct error *ptrace_set_debug_register(pid_t lwp, unsigned int n, uint64_t value);

/* A thread's memory, with the rights that it has itself. */
bool ptrace_read_as(pid_t lwp, taddr from, void *ret, size_t len);
bool ptrace_write_as(pid_t lwp, taddr to, const void *bytes, size_t len);

/*
 * Has this tracee changed state? false: not yet, or it is not our tracee any longer (then
 * *ret_gone is set). Never blocks and never asks about "any" child, which is quadratic in the
 * number of threads. Who has ended is reaped. A stop is only looked at, and is told again as long
 * as it lasts: its report, once taken, takes the signal along that the thread is about to receive,
 * and the kernel would deliver none if ompdb died (kernel/exit.c, wait_task_stopped() clears
 * exit_code, which ptrace_signal() in kernel/signal.c delivers). That of an exec is told once.
 */
bool ptrace_poll(pid_t lwp, int *ret_status, bool *ret_gone);

/*
 * Takes the report of a stop: for a SIGTRAP that ompdb has caused, and which must not reach the
 * program if ompdb dies. Returns the status, which is another one than ptrace_poll() told if the
 * thread was killed or the caller of an exec has come under its number meanwhile; 0: there is none.
 */
int ptrace_take(pid_t lwp);

/*
 * Whether any child has a report that nobody has taken: one call, which costs the kernel a look at
 * each, but not ompdb. true, too, as long as somebody stands whose report was only looked at.
 */
bool ptrace_any_report(void);

/* The thread belongs to that process. */
bool ptrace_is_thread(pid_t pid, pid_t lwp);
/* A tracee of ours has stopped, and nobody has collected its report. Any other child: false. */
bool ptrace_has_stopped(pid_t lwp);
/* Two processes have one memory. Where the kernel does not say (kcmp(2)): if_unknown. */
bool ptrace_shares_memory(pid_t a, pid_t b, bool if_unknown);

/*
 * Sleeps until some tracee may have changed state or timeout_us microseconds went by (-1: no
 * limit). Returns the LWP that reported, 0 when the time is up. The answer is a hint: reports
 * of several threads may have been merged, and children that are not traced report, too. A signal
 * for ompdb ends the sleep early with -1. With a time of 0 it forgets what ptrace_fd() tells.
 */
pid_t ptrace_sleep(long timeout_us);

/* Makes ptrace_sleep() end at once, and ptrace_fd() tell, the next time. */
void ptrace_nudge(void);

/*
 * From now on ptrace_is_woken() says whether a descriptor can be read, or its other end is gone;
 * and ptrace_doze() is a ptrace_sleep() that ends then, too. Borrowed; -1: none.
 */
void ptrace_wake_on(int fd);
bool ptrace_is_woken(void);
pid_t ptrace_doze(long timeout_us);

/* Can be read, as poll(2) has it, when some tracee may have changed state. Borrowed. */
int ptrace_fd(void);

/* Blocks SIGCHLD for ptrace_sleep(); live.c calls it before the first tracee. */
MUST_CHECK struct error *ptrace_init(void);

#endif
