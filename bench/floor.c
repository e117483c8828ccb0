/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * floor [--stacks] PID...: the least that it takes to look at every thread of processes: seize,
 * interrupt, wait, read the general registers, detach; nothing else. --stacks: besides, read the
 * innermost two pages of each stack, without which no frame but the first is known. Prints
 * microseconds from the first interrupt to the last detach, which is how long they stood still.
 */
#include <dirent.h>
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

enum { THREADS_MAX = 65536, PAGE = 4096 };

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* Adds them to n others. */
static size_t list_threads(const char *pid, pid_t *ret, size_t n)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%s/task", pid);
	DIR *dir = opendir(path);
	if (!dir)
		return n;
	for (struct dirent *e = readdir(dir); e && n < THREADS_MAX; e = readdir(dir)) {
		if (e->d_name[0] != '.')
			ret[n++] = atoi(e->d_name);
	}
	closedir(dir);
	return n;
}

static void read_stack(pid_t lwp, unsigned long sp)
{
	static char bytes[2 * PAGE];
	struct iovec here = { bytes, sizeof(bytes) };
	struct iovec there = { (void *)(sp & -(unsigned long)PAGE), sizeof(bytes) };

	process_vm_readv(lwp, &here, 1, &there, 1, 0); /* as much as there is */
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

int main(int argc, char **argv)
{
	static pid_t lwps[THREADS_MAX];
	struct user_regs_struct regs;
	size_t n = 0;

	const bool stacks = argc > 1 && !strcmp(argv[1], "--stacks");
	for (int i = 1 + stacks; i < argc; i++)
		n = list_threads(argv[i], lwps, n);
	if (!n) {
		fprintf(stderr, "usage: floor [--stacks] PID...\n");
		return 2;
	}
	for (size_t i = 0; i < n; i++) {
		if (ptrace(PTRACE_SEIZE, lwps[i], NULL, NULL))
			die("PTRACE_SEIZE");
	}
	double start = now_us();
	for (size_t i = 0; i < n; i++) {
		if (ptrace(PTRACE_INTERRUPT, lwps[i], NULL, NULL))
			die("PTRACE_INTERRUPT");
	}
	for (size_t i = 0; i < n; i++) {
		if (waitpid(lwps[i], NULL, __WALL) < 0)
			die("waitpid");
	}
	for (size_t i = 0; i < n; i++) {
		struct iovec iov = { &regs, sizeof(regs) };
		if (ptrace(PTRACE_GETREGSET, lwps[i], (void *)NT_PRSTATUS, &iov))
			die("PTRACE_GETREGSET");
		if (stacks)
			read_stack(lwps[i], regs.rsp);
	}
	for (size_t i = 0; i < n; i++) {
		if (ptrace(PTRACE_DETACH, lwps[i], NULL, NULL))
			die("PTRACE_DETACH");
	}
	printf("%.0f\n", now_us() - start);
	return 0;
}
