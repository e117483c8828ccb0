/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * forking_wrapper: starts what its arguments name, in a child of a child, as launchers do, beside
 * another child that is nobody. "gone": it does not wait for the end.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void be_nobody(void)
{
	_exit(0); /* MARK: nobody */
}

static int launch(char **argv)
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		execv(argv[0], argv);
		_exit(127);
	}
	return waitpid(child, &status, 0) == child ? status : 1;
}

int main(int argc, char **argv)
{
	int gone = argc > 1 && !strcmp(argv[1], "gone");

	if (argc < 2 + gone)
		return 2;
	if (!fork())
		be_nobody();
	pid_t child = fork();
	if (!child)
		_exit(launch(argv + 1 + gone) != 0);
	if (!gone)
		waitpid(child, NULL, 0);
	return 0;
}
