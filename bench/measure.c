/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * measure COMMAND [ARG...]: runs a command, its output thrown away, and prints its seconds and its
 * peak memory in KiB. A program this small, because the peak of what it starts counts from the
 * fork on, when the memory is still this program's.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;

	if (argc < 2) {
		fprintf(stderr, "usage: measure COMMAND [ARG...]\n");
		return 2;
	}
	double start = now();
	pid_t pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);
		if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
			_exit(126);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return 1;
	double seconds = now() - start;
	if (!WIFEXITED(status) || WEXITSTATUS(status) >= 126) {
		fprintf(stderr, "measure: %s did not run\n", argv[1]);
		return 1;
	}
	printf("%.6f %ld\n", seconds, usage.ru_maxrss);
	return 0;
}
