/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Passing: how threads come to sites and get over them.
 *
 * Over a site leads, whichever can be had first: a copy of its instruction (copies.h), for which
 * nobody else stops and the thread does not stop again; emulation (emulate.h), for what cannot
 * be copied; and the instruction itself, in place, while the world stands still (go_on.h).
 */
#ifndef TARGET_PASSING_H
#define TARGET_PASSING_H

#include "target/process/tracees.h"

/*
 * A thread has reported a stop: puts pc where it would be without sites, notes its arrival at one,
 * and makes a STOP_SITE of the trap there. info: of a signal, or NULL.
 */
void passing_note(struct tracees *ts, struct thread *th, struct stop *stop, siginfo_t *info);

/* A thread is about to go on, with thread->signal, by one step or more: into a copy. */
MUST_CHECK struct error *passing_enter(struct tracees *ts, struct thread *th, bool steps);

/*
 * ...and back at its site if that is a system call which the kernel makes again, as it does with
 * those that an interrupt ended: that is no new arrival. (One that a handler ended is, if it is
 * made again: nobody can say before.)
 */
MUST_CHECK struct error *passing_note_restart(struct tracees *ts, struct thread *th);

/* Whether a thread has been woken in a system call that the kernel makes again if it gets no
 * signal. */
bool passing_waits_in_call(struct tracees *ts, struct thread *th);

/* The site that a thread has to get over when it goes on; NULL: none. */
struct site *passing_site(struct tracees *ts, struct thread *th);

/* Whether it has to be done in place. */
bool passing_is_in_place(struct tracees *ts, struct site *site);

/*
 * Whether the instruction at its pc is a system call. Such a thread passes its site by going on to
 * the entry of the call, not by a step: the others need not wait for the call to return, and r11
 * keeps the flags that the thread has, without the trap flag.
 */
bool passing_makes_call(struct tracees *ts, struct thread *th);

/* Does the instruction at the site for a thread. false: there is a copy, or it cannot be done. */
bool passing_emulate(struct tracees *ts, struct thread *th, struct site *site);

/* As that, for the instruction at the thread's pc. */
bool passing_emulate_at(struct tracees *ts, struct thread *th, taddr pc);

/* As the functions of sites and copies; all threads stand still. */
MUST_CHECK struct error *passing_lend(struct tracees *ts, taddr start, taddr end);
MUST_CHECK struct error *passing_unplant(struct tracees *ts, taddr addr);
MUST_CHECK struct error *passing_clean(struct tracees *ts, pid_t pid);
/*
 * What is planted in a child, which becomes a target of its own. What it shares with its maker,
 * that one alone keeps, and the child makes no copies in it.
 */
MUST_CHECK struct error *passing_give(const struct tracees *maker, struct tracees *child,
				      bool shared);
void passing_remove(struct tracees *ts);
void passing_forget(struct tracees *ts);

/* The program's own memory, without traps and copies; and writing to it. */
size_t passing_read(struct tracees *ts, taddr from, void *ret, size_t len);
MUST_CHECK struct error *passing_write(struct tracees *ts, taddr to, const void *bytes, size_t len);

#endif
