/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * bare_loop trap|watch N: what a stop and a resume cost at least: a child executes trap
 * instructions, or writes to a watched word; its registers are read and written back. Prints
 * microseconds for each.
 */
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile long word;

static void child(int watches, long n)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	for (long i = 0; i < n; i++) {
		if (watches)
			word = i;
		else
			__asm__ volatile("int3");
	}
	_exit(0);
}

static void watch(pid_t pid)
{
	size_t registers = offsetof(struct user, u_debugreg);

	ptrace(PTRACE_POKEUSER, pid, registers, &word);
	ptrace(PTRACE_POKEUSER, pid, registers + 7 * 8, 0xd0001UL); /* writes of 4 bytes */
}

int main(int argc, char **argv)
{
	int watches = argc > 2 && !strcmp(argv[1], "watch"), status;
	long n = argc > 2 ? atol(argv[2]) : 0, stops = 0;
	struct user_regs_struct regs;
	struct timespec start, end;
	pid_t pid = fork();

	if (pid == 0)
		child(watches, n);
	if (n < 1 || waitpid(pid, &status, __WALL) != pid)
		return 2;
	if (watches)
		watch(pid);
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (;; stops++) {
		ptrace(PTRACE_CONT, pid, NULL, NULL);
		if (waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status))
			break;
		ptrace(PTRACE_GETREGS, pid, NULL, &regs);
		ptrace(PTRACE_SETREGS, pid, NULL, &regs);
		if (watches) {
			size_t at = offsetof(struct user, u_debugreg) + 6 * sizeof(long);
			ptrace(PTRACE_PEEKUSER, pid, at, NULL);
			ptrace(PTRACE_POKEUSER, pid, at, NULL);
		}
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	double us = (double)(end.tv_sec - start.tv_sec) * 1e6 +
		    (double)(end.tv_nsec - start.tv_nsec) / 1e3;
	printf("%ld %.3f\n", stops, us / (double)n);
	return 0;
}
