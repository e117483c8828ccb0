/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Exec_counter: how often a thread executes the instruction at an address, counted by the kernel
 * through a debug register of the processor's. Nobody stops for it, and nothing of it is left when
 * its file is closed, also if ompdb is killed.
 */
#ifndef TARGET_EXEC_COUNTER_H
#define TARGET_EXEC_COUNTER_H

#include <stdbool.h>
#include <sys/types.h>

#include "target/cpu/arch.h"

/* A file that counts from now on. -1: the kernel does not do it, or has no register
 * left, or debug registers do nothing here. */
int exec_counter_open(pid_t lwp, taddr at);

/* Whether it has been executed since. false, too, if that cannot be read. */
bool exec_counter_is_risen(int counter);

#endif
