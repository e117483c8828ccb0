/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stack: the call stacks of all threads of a target, as the machine has them.
 *
 * They are made in two steps, so that no file is read in the first:
 *
 *   stack_collect()  registers and memory     target stopped
 *   stack_name()     files: functions, lines, inlined calls; target runs, or is gone
 *
 * What ompdb cannot find out about one thread is said in that thread's "end" and spoils no other.
 * Strings are as they are in the target and its files, unescaped. Stacks borrow the session, until
 * its next stop is looked at.
 */
#ifndef DEBUGGER_STACK_H
#define DEBUGGER_STACK_H

#include <stdbool.h>
#include <sys/types.h>

#include "debugger/session.h"

/* One level of a stack: a call frame, or a call that the compiler inlined into the next level. */
struct stack_frame {
	taddr pc, cfa;        /* an inlined call has those of the frame that holds it        */
	const char *function; /* demangled; NULL: unknown                                    */
	uint64_t offset;      /* pc minus the function's start; function unknown: minus the
				 module's bias, which is the address to give addr2line       */
	const char *file;     /* full path as the compiler recorded it; NULL: unknown        */
	int line;             /* 0: unknown                                                  */
	const char *module;   /* path; NULL: no file is mapped there                         */
	bool inlined;         /* into the next level                                         */
	bool signal;          /* where the kernel returns to after a signal handler          */
	bool guessed;         /* found by frame pointer, or on the stack, not by unwind tables */
};

struct stack_thread {
	pid_t lwp;
	char *end;  /* why the stack stops before the thread's start; NULL: it is complete */
	char *name; /* from stack_name_thread() on; "" when unknown                        */
	VEC(struct stack_frame) frames; /* from stack_name() on; innermost first */
};

struct stacks {
	VEC(struct stack_thread) threads; /* in the order of lwp_rank()                       */
	struct unwind_stack *raw;         /* owned; the frames of each of them                */
	VEC(char *) notes;                /* "PATH: what is wrong with that file"             */
	char *exe;                        /* path of the program; "" when unknown             */
	char *core;                       /* path of the core file; NULL: a process           */
	pid_t pid;                        /* 0: unknown                                       */
	const struct session *session;    /* borrowed                                         */
};

/*
 * No target gets more frames than this in all: one that claims thousands of endless stacks
 * must not eat ompdb's memory. The threads beyond it say so in "end". As many inlined calls come
 * on top at most.
 */
enum { STACK_FRAMES_TOTAL = 1 << 20 };

/*
 * Unwinds every thread of a stopped target, whose modules must be those of this stop. max_frames:
 * of one thread, not counting inlined calls. Errors only for lack of memory.
 */
MUST_CHECK struct error *stack_collect(const struct session *from, size_t max_frames,
				       struct stacks **ret);

/* Fills in the frames and the notes. The target need not be stopped any more. */
MUST_CHECK struct error *stack_name(struct stacks *s);

/* Reads the name of a thread, which is in a file of its own. */
MUST_CHECK struct error *stack_name_thread(struct stacks *s, size_t thread);

void stack_free(struct stacks *s);
CLEANUP(stack, struct stacks)
#define AUTO_STACKS AUTO(stack_cleanup) struct stacks

#endif
