/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/quiet.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int quiet_begin(void)
{
	int saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	fflush(NULL);
	if (saved >= 0 && nowhere >= 0)
		dup2(nowhere, STDOUT_FILENO);
	if (nowhere >= 0)
		close(nowhere);
	return saved;
}

void quiet_end(int saved)
{
	fflush(NULL); /* std::cout shares its buffer */
	if (saved < 0)
		return;
	dup2(saved, STDOUT_FILENO);
	close(saved);
}
