/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Owner: whose a process is, and whether it sees the files that ompdb sees.
 */
#ifndef TARGET_OWNER_H
#define TARGET_OWNER_H

#include "base/error.h"
#include "target/process/procfs.h"

/* As target_check_own() in target.h. lwp: a living thread of the process. */
MUST_CHECK struct error *owner_check(pid_t pid, pid_t lwp);

/*
 * The part of it that is about users: one of the four is another than the one ompdb acts for. Who
 * may change one of them may become that user.
 */
MUST_CHECK struct error *owner_check_users(pid_t pid, const uid_t uids[4]);

#endif
