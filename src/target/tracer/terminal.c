/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/tracer/terminal.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

void terminal_open(struct terminal *t)
{
	*t = (struct terminal){ .fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY) };
}

void terminal_close(struct terminal *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

bool terminal_is_ours(const struct terminal *t)
{
	return t->fd >= 0 && tcgetpgrp(t->fd) == getpgrp();
}

/* Who is in the background may change the terminal only if that signal is blocked (tty_ioctl(4)).
 */
static sigset_t block_ttou(void)
{
	sigset_t set, before;

	sigemptyset(&set);
	sigaddset(&set, SIGTTOU);
	sigprocmask(SIG_BLOCK, &set, &before);
	return before;
}

void terminal_given(struct terminal *t, pid_t group)
{
	if (t->fd < 0)
		return;
	tcgetattr(t->fd, &t->ours);
	t->its_known = false;
	t->group = group;
}

void terminal_give(struct terminal *t, pid_t group)
{
	if (t->group || !terminal_is_ours(t))
		return;
	tcgetattr(t->fd, &t->ours);
	/* Groups end; and programs leave the session. */
	if ((!t->its_known || tcsetpgrp(t->fd, t->its_group) < 0) && tcsetpgrp(t->fd, group) < 0)
		return;
	t->group = group;
	sigset_t before = block_ttou();
	if (t->its_known && memcmp(&t->its, &t->ours, sizeof(t->its)))
		tcsetattr(t->fd, TCSANOW, &t->its);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Whoever started ompdb has the terminal: ompdb has been put into the background meanwhile. */
static bool is_in_background(pid_t foreground)
{
	return foreground == getpgid(getppid()) || foreground == getsid(0);
}

void terminal_take(struct terminal *t)
{
	if (t->fd < 0 || !t->group)
		return;
	t->group = 0;
	pid_t foreground = tcgetpgrp(t->fd);
	if (foreground < 0 || foreground == getpgrp() || is_in_background(foreground))
		return;
	sigset_t before = block_ttou();
	t->its_known = tcgetattr(t->fd, &t->its) == 0;
	t->its_group = foreground;
	tcsetpgrp(t->fd, getpgrp());
	if (t->its_known && memcmp(&t->its, &t->ours, sizeof(t->its)))
		tcsetattr(t->fd, TCSANOW, &t->ours);
	sigprocmask(SIG_SETMASK, &before, NULL);
}
