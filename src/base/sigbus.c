/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/sigbus.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 4096 }; /* smallest there is: larger ones get their zeros piece by piece */

/* mmap(2) is a plain system call, hence safe in a handler. */
static void put_zeros(int sig, siginfo_t *info, void *context)
{
	void *page = (void *)((uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1));
	int saved = errno;

	(void)context;
	if (info->si_code != BUS_ADRERR ||
	    mmap(page, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		 0) == MAP_FAILED)
		signal(sig, SIG_DFL); /* the access is tried again and ends the process */
	errno = saved;
}

void sigbus_guard(void)
{
	struct sigaction action = { .sa_sigaction = put_zeros, .sa_flags = SA_SIGINFO };

	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}
