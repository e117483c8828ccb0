/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/identity.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target/process/procfs.h"

/* 0: there is none. */
static uint64_t start_of(pid_t pid)
{
	struct proc_stat stat = { 0 };

	error_ignore(procfs_stat(pid, 0, &stat));
	return stat.start_ticks;
}

/* pidfd_open(2), pidfd_send_signal(2): glibc has them from 2.36 on. */
void identity_note(pid_t pid, struct identity *ret)
{
	identity_fini(ret);
	*ret = (struct identity){
		.pid = pid,
		.fd = (int)syscall(SYS_pidfd_open, pid, 0),
		.start_ticks = start_of(pid),
	};
}

void identity_fini(struct identity *i)
{
	if (i->fd >= 0)
		close(i->fd);
	i->fd = -1;
}

/* Not being allowed to send it signals shows that it exists. */
bool identity_holds(const struct identity *i)
{
	if (i->fd >= 0)
		return syscall(SYS_pidfd_send_signal, i->fd, 0, NULL, 0) == 0 || errno != ESRCH;
	return i->start_ticks && i->start_ticks == start_of(i->pid);
}
