/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/heritage.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"

static struct {
	bool noted;
	sigset_t mask, ignored;
	struct rlimit files;
	char oom[16]; /* oom_score_adj, as it is in its file; "": it is not changed */
} at_start;

static const char oom_file[] = "/proc/self/oom_score_adj";

void heritage_note(void)
{
	struct sigaction action;

	if (at_start.noted)
		return;
	at_start.noted = true;
	sigprocmask(SIG_BLOCK, NULL, &at_start.mask);
	sigemptyset(&at_start.ignored);
	for (int signal = 1; signal < NSIG; signal++) {
		if (sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
			sigaddset(&at_start.ignored, signal);
	}
	getrlimit(RLIMIT_NOFILE, &at_start.files);
}

static void write_oom(const char *text)
{
	AUTO_CLOSE int fd = open(oom_file, O_WRONLY | O_CLOEXEC);

	(void)!write(fd, text, strlen(text));
}

void heritage_be_spared(void)
{
	AUTO_CLOSE int fd = open(oom_file, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, at_start.oom, sizeof(at_start.oom) - 1);

	at_start.oom[n > 0 ? n : 0] = '\0';
	write_oom("-1000"); /* refused without CAP_SYS_RESOURCE */
}

/* What cannot be changed stays as it is: KILL, STOP, and the two signals that are the C library's.
 */
void heritage_restore(void)
{
	for (int signal = 1; signal < NSIG; signal++) {
		bool ignored = sigismember(&at_start.ignored, signal) == 1;
		struct sigaction action = { .sa_handler = ignored ? SIG_IGN : SIG_DFL };
		sigaction(signal, &action, NULL);
	}
	setrlimit(RLIMIT_NOFILE, &at_start.files);
	if (*at_start.oom)
		write_oom(at_start.oom);
	sigprocmask(SIG_SETMASK, &at_start.mask, NULL);
}
