/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/held.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "target/process/identity.h"
#include "target/process/procfs.h"

enum { OTHERS_MOST = 16 };

static const char name_of_held[] = "ompdb-held"; /* at most 15 bytes: PR_SET_NAME */

/* A signal that is blocked waits even if its default is to be ignored (signal(7)). */
static int listen_for_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCONT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

bool held_wait(const pid_t *others, size_t n)
{
	struct identity seen[OTHERS_MOST];
	struct pollfd fds[1 + OTHERS_MOST];
	struct signalfd_siginfo told;
	bool over = false;

	n = n < OTHERS_MOST ? n : OTHERS_MOST;
	AUTO_CLOSE int signals = listen_for_signal();
	fds[0] = (struct pollfd){ .fd = signals, .events = POLLIN };
	for (size_t i = 0; i < n; i++) {
		seen[i] = IDENTITY_NONE;
		identity_note(others[i], &seen[i]);
		over |= !identity_holds(&seen[i]);
		fds[1 + i] = (struct pollfd){ .fd = seen[i].fd, .events = POLLIN };
	}
	/* Where Yama lets nobody attach but who has started it (ptrace(2)). */
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	prctl(PR_SET_NAME, name_of_held);
	while (!over && read(signals, &told, sizeof(told)) != sizeof(told)) {
		(void)poll(fds, 1 + n, -1);
		for (size_t i = 0; i < n; i++)
			over |= fds[1 + i].revents != 0;
	}
	prctl(PR_SET_NAME, "ompdb");
	prctl(PR_SET_PTRACER, 0);
	for (size_t i = 0; i < n; i++)
		identity_fini(&seen[i]);
	return !over;
}

bool held_is(pid_t pid)
{
	struct proc_status status;
	AUTO_ERROR *err = procfs_status(pid, 0, &status);

	return !err && !strcmp(status.name, name_of_held);
}

void held_let_go(pid_t pid)
{
	kill(pid, SIGCONT);
}
