/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/tracer/ear.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TOLD = 0 }; /* its only descriptor */

static void on_interrupt(int signal, siginfo_t *info, void *context)
{
	int before = errno;

	(void)signal;
	(void)context;
	if (info->si_code == SI_KERNEL && write(TOLD, "", 1) < 0) {
		/* Full: it is readable in any case. */
	}
	errno = before;
}

/* Everything else that the terminal sends is no business of its; all signals are blocked. */
static _Noreturn void hear(pid_t parent, int fd)
{
	static const int ignored[] = { SIGTSTP, SIGTTIN, SIGTTOU, SIGQUIT, SIGPIPE };
	struct sigaction action = { .sa_sigaction = on_interrupt, .sa_flags = SA_SIGINFO };
	struct pollfd end = { .fd = TOLD };
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "openmp-ear");
	if (getppid() != parent || dup2(fd, TOLD) < 0)
		_exit(1);
	closefrom(TOLD + 1);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	while (poll(&end, 1, -1) < 0 || !end.revents)
		; /* until nobody listens to it */
	_exit(0);
}

void ear_join(struct ear *e, pid_t program, pid_t group)
{
	pid_t parent = getpid();
	sigset_t all, before;
	int ends[2];

	if (e->pid && e->program == program && e->group == group)
		return;
	ear_leave(e, 0);
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid_t pid = fork();
	if (pid == 0)
		hear(parent, ends[1]);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[1]);
	*e = (struct ear){ ends[0], pid < 0 ? 0 : pid, program, group };
	if (pid < 0 || setpgid(pid, group) < 0)
		ear_leave(e, 0);
}

void ear_leave(struct ear *e, pid_t unless)
{
	if (unless && e->program == unless)
		return;
	if (e->fd >= 0)
		close(e->fd);
	if (e->pid) {
		kill(e->pid, SIGKILL);
		(void)TEMP_FAILURE_RETRY(waitpid(e->pid, NULL, 0));
	}
	*e = (struct ear)EAR_NONE;
}

bool ear_take(struct ear *e)
{
	char some[16];
	bool heard = false;
	ssize_t n = 0;

	while (e->fd >= 0 && (n = read(e->fd, some, sizeof(some))) > 0)
		heard = true;
	if (e->fd >= 0 && n == 0) /* what is sent to the group has ended it */
		ear_leave(e, 0);
	return heard;
}
