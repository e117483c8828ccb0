/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Refusal: why a process cannot be attached to, and what its user can do about it.
 */
#ifndef TARGET_REFUSAL_H
#define TARGET_REFUSAL_H

#include "target/cpu/arch.h"
#include "target/process/procfs.h"

/*
 * Says no before anything is touched: no such process, a zombie, a kernel thread, ompdb itself, a
 * program of another architecture. On success *ret holds the process's status (its tgid is the
 * process, also when id is one of its threads) and *ret_arch its architecture.
 */
MUST_CHECK struct error *refusal_check(pid_t id, struct proc_status *ret,
				       const struct arch **ret_arch);

/*
 * Explains why the kernel refused every thread of a process (EPERM): traced by another
 * process, another user's or group's, not dumpable, with more capabilities, Yama, a container
 * without CAP_SYS_PTRACE or within a user namespace. Never NULL.
 */
struct error *refusal_explain(pid_t pid);

#endif
