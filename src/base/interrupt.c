/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t pending;
static int wake = -1;
static struct timespec last;
static const char *offer;
static volatile sig_atomic_t listens;

static void ask(void)
{
	char first = '\0', c = '\0';

	if (write(STDERR_FILENO, offer, strlen(offer)) < 0)
		return;
	/* A terminal whose lines are edited ends them by a carriage return. */
	for (bool begins = true; read(STDIN_FILENO, &c, 1) == 1 && c != '\n' && c != '\r';
	     begins = false)
		first = begins ? c : first;
	if (first == 'y' || first == 'Y')
		_exit(128 + SIGINT);
}

/* Nobody has taken the one that came a moment ago: whoever works does not look. */
static bool is_ignored(void)
{
	struct timespec before = last;

	clock_gettime(CLOCK_MONOTONIC, &last);
	return pending &&
	       (last.tv_sec - before.tv_sec) * 1000 + (last.tv_nsec - before.tv_nsec) / 1000000 <
		       1000;
}

static void on_signal(int signal)
{
	int before = errno;

	(void)signal;
	if (is_ignored() && offer && !listens)
		ask();
	pending = 1;
	if (write(wake, &(uint64_t){ 1 }, sizeof(uint64_t)) < 0) {
		/* Full: readable in any case. */
	}
	errno = before;
}

void interrupt_init(void)
{
	/* No SA_RESTART: whoever sleeps in a system call shall wake. */
	struct sigaction action = { .sa_handler = on_signal };

	if (wake >= 0)
		return;
	wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	sigemptyset(&action.sa_mask);
	if (wake >= 0)
		sigaction(SIGINT, &action, NULL);
}

void interrupt_renew(void)
{
	const int before = wake;

	offer = NULL;
	wake = -1;
	interrupt_init();
	if (before >= 0)
		close(before);
	pending = 0;
}

void interrupt_offer_end(const char *question)
{
	offer = question;
}

void interrupt_listen(bool somebody)
{
	listens = somebody;
}

bool interrupt_is_pending(void)
{
	return pending;
}

bool interrupt_take(void)
{
	uint64_t count;
	bool was = pending;

	pending = 0;
	if (wake >= 0 && read(wake, &count, sizeof(count)) < 0) {
		/* Empty: there was none. */
	}
	return was;
}

int interrupt_fd(void)
{
	return wake;
}
