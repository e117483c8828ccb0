/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Crashes: whether a thread has crashed (picture/crash.h), where, and of what.
 *
 * A full stack is known by the end of the memory that the stack pointer is in; what abort() was
 * called for by what the C library keeps of it (__abort_msg), or by the header of an exception that
 * is being handled, which the Itanium C++ ABI lays out (2.2.1), and that leads to its type's name.
 */
#ifndef OMPD_CRASHES_H
#define OMPD_CRASHES_H

#include "ompd/client/walk_state.h"

/* Sets the picture's crash, and the wait of the thread that it is of. */
void crashes_find(struct walk *w);

#endif
