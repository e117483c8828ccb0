/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* System calls that are easily told apart. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int calls(void)
{
	int result = 0;

	result += close(-1) == -1;  /* MARK: close */
	result += chroot("") == -1; /* MARK: chroot */
	result += getppid() > 0;    /* MARK: getppid */
	result += close(-2) == -1;  /* MARK: close2 */
	return result;
}

int main(void)
{
	umask(022);                  /* MARK: umask */
	return calls() == 4 ? 0 : 1; /* MARK: last */
}
