/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_thread: what the wait of a thread means: whom it waits for, how far it has come, and whether
 * it is at rest.
 */
#ifndef DEBUGGER_WHY_THREAD_H
#define DEBUGGER_WHY_THREAD_H

#include "debugger/why/why_nodes.h"

/* At rest in its wait: it sleeps, or was there in all looks. */
bool why_thread_is_at_rest(const struct why_graph *g, int thread);

/* The user holds it, and it does not sleep for another one: it would go on if it were let go. */
bool why_thread_is_held(const struct picture_thread *t);

/* Whom the thread waits for; why_graph.c has what follows. The kind of a wait says most of it. */
enum wait_whom why_thread_waits_for(const struct picture_wait *w);

#endif
