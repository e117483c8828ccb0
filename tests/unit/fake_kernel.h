/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fake_kernel: ptrace.h over threads that exist in a table only. To be linked instead of ptrace.c.
 *
 * Time is counted in calls. At a moment that the test chooses each thread does what the test
 * chooses, as soon as it runs; what the kernel would not allow, or what loses something, fails the
 * test.
 */
#ifndef UNIT_FAKE_KERNEL_H
#define UNIT_FAKE_KERNEL_H

#include <stdbool.h>
#include <sys/types.h>

/* Beyond any number of a real one: /proc knows nothing of them. */
enum { LEADER = 5000000, OTHER = 5000001, MADE = 5000002 };

/* What a thread does at its moment. */
enum deed {
	DEED_NOTHING,
	DEED_SIGNAL, /* is about to receive SIGUSR1              */
	DEED_FAULT,  /* raises SIGSEGV                           */
	DEED_TRAP,   /* executes a trap instruction of its own   */
	DEED_CLONE,  /* makes thread MADE                        */
	DEED_FORK,   /* makes process MADE                       */
	DEED_EXEC,   /* becomes a new program, under LEADER      */
	DEED_EXIT,   /* ends; LEADER: with the whole process     */
	DEED_GROUP,  /* stops all threads by job control         */
};
enum { DEEDS = DEED_GROUP + 1 };

/* Two threads, attached and stopped, with their deeds and moments. */
void fake_kernel_begin(const enum deed deeds[2], const unsigned int moments[2]);

/* The caller knows of what this thread reported last: now it may be resumed. */
void fake_kernel_tell(pid_t lwp);

/* How often that thread was given that signal. */
unsigned int fake_kernel_delivered(pid_t lwp, int signal);
/* Whether a deed was done, before something ended or stopped its thread, and can be told. */
bool fake_kernel_did(pid_t lwp);
/* Whether every thread that lives stands still, runs, or is our tracee no longer. */
bool fake_kernel_all_stand(void);
bool fake_kernel_none_stands(void);
bool fake_kernel_all_free(void);

#endif
