/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stop: what a wait status and its siginfo mean. Pure; ptrace(2), "Stopped states".
 */
#ifndef TARGET_STOP_H
#define TARGET_STOP_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

enum stop_kind {
	STOP_NONE,        /* nothing happened (yet)                                        */
	STOP_EXITED,      /* the thread or process is gone: code in "value"                 */
	STOP_KILLED,      /* gone through a signal: its number in "value"                   */
	STOP_SIGNAL,      /* about to receive a signal, "value"; deliver it on resume       */
	STOP_GROUP,       /* job control stopped it with signal "value"; listen on resume   */
	STOP_INTERRUPTED, /* our own PTRACE_INTERRUPT, a new thread's first stop, or the
			     end of a group-stop, which alone is an event                   */
	STOP_STEPPED,     /* one instruction done (or a system call entered and left)       */
	STOP_BREAKPOINT,  /* executed a trap instruction of its own; pc is behind it         */
	STOP_SITE,        /* reached a planted trap (site.h): pc is its address, "value"      */
	STOP_WATCHPOINT,  /* a debug register fired                                         */
	STOP_CLONE,       /* made a thread, or a process that shares memory: id in "value"  */
	STOP_FORK,        /* made a process: pid in "value"                                 */
	STOP_VFORK,       /* same; the parent waits until the child execs or exits          */
	STOP_VFORK_DONE,  /* that wait is over                                              */
	STOP_EXEC,        /* runs a new program; its LWP before was "value"                 */
	STOP_EXITING,     /* about to exit: wait status in "value" (PTRACE_O_TRACEEXIT)     */
	STOP_CALL,        /* about to enter the system call "value" (target_trace_calls())   */
	STOP_RETURN,      /* about to leave it                                              */
};

struct stop {
	enum stop_kind kind;
	long value;
	bool fault; /* SIGNAL: the instruction raised it, and would raise it again */
};

/*
 * Decodes a wait status. info is the siginfo of the stop where stop_needs_siginfo() asks for it,
 * else NULL; message is what PTRACE_GETEVENTMSG gave for an event,
 * else 0. An event that ompdb never asks for becomes STOP_INTERRUPTED, so that nothing is
 * delivered on resume; a status that is neither an end nor a stop becomes STOP_NONE.
 */
struct stop stop_decode(int status, const siginfo_t *info, unsigned long message);

/* A SIGTRAP that the kernel raised for a trap, a step or a debug register. */
bool stop_is_trap(const siginfo_t *info);

/* The stop needs siginfo, or an event message, to be decoded. */
bool stop_needs_siginfo(int status);
bool stop_needs_message(int status);

/* A wait status tells of an exec. */
bool stop_is_exec(int status);

/* A SIGTRAP that ompdb has caused: a step, a planted trap, a debug register, a system call. */
bool stop_is_ours(const struct stop *s);

/* The thread exists no longer. */
bool stop_is_end(const struct stop *s);

/*
 * A signal that may as well be delivered a moment later. Neither a fault, nor one that stops the
 * process: a SIGCONT that comes meanwhile has to take that back.
 */
bool stop_can_wait(const struct stop *s);

/* "interrupted", "signal", ...: for logs and tests. Never NULL. */
const char *stop_kind_name(enum stop_kind kind);

#endif
