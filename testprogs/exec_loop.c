/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Replaces itself by itself, over and over, until stdin ends. */
#include <poll.h>

#include "testprog.h"

int main(int argc, char **argv)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	long round = argc > 1 ? atol(argv[1]) : 0;
	char number[32];

	die_with_parent();
	if (argc > 2 && atol(argv[2]) != getpid())
		FAIL("the process id has changed");
	if (round == 1)
		ready();
	if (poll(&input, 1, 1) != 0)
		return round > 0 ? 0 : 1;
	char pid[32];
	snprintf(number, sizeof(number), "%ld", round + 1);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	execl("/proc/self/exe", argv[0], number, pid, NULL);
	FAIL("cannot exec");
}
