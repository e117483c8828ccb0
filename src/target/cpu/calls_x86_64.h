/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Calls_x86_64: the names of Linux's system calls on x86-64 (arch/x86/entry/syscalls in its
 * source).
 */
#ifndef TARGET_CALLS_X86_64_H
#define TARGET_CALLS_X86_64_H

enum { CALLS_X86_64 = 463 };

/* By number; NULL: there is none. */
extern const char *const calls_x86_64[CALLS_X86_64];

#endif
