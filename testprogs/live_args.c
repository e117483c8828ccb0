/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* live_args [WORD...]: says how it was started and where things lie in its memory. */
#include "testprog.h"

static int open_files(void)
{
	DIR *files = opendir("/proc/self/fd");
	int n = -3; /* ., .. and the folder itself */

	while (files && readdir(files))
		n++;
	closedir(files);
	return n;
}

int main(int argc, char **argv)
{
	char folder[4096];
	sigset_t blocked;
	int here;

	die_with_parent();
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	for (int i = 1; i < argc; i++)
		printf("argument %s\n", argv[i]);
	printf("variable %s\n", getenv("LIVE_ARGS") ? getenv("LIVE_ARGS") : "is not set");
	printf("home %s\n", getenv("HOME") ? getenv("HOME") : "is not set");
	printf("folder %s\n", getcwd(folder, sizeof(folder)));
	printf("group %s\n", getpgrp() == getpid() ? "its own" : "another's");
	printf("SIGCHLD %s\n", sigismember(&blocked, SIGCHLD) ? "blocked" : "free");
	printf("files %d\n", open_files());
	printf("places %p %p %p %p\n", (void *)main, (void *)&here, malloc(1), (void *)printf);
	fflush(stdout);
	fprintf(stderr, "to stderr\n");
	ready();
	block();
	return 0;
}
