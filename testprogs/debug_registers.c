/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* debug_registers: whether a debug register stops a child that writes where it says; if not: exit
 * status 77. */
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "testprog.h"

enum { WRITES_OF_8_BYTES = 0x90001 }; /* DR7 */

static volatile long word;

static void set(pid_t child, int n, unsigned long value)
{
	if (ptrace(PTRACE_POKEUSER, child, offsetof(struct user, u_debugreg[n]), value) < 0)
		FAIL("debug register %d is refused", n);
}

int main(void)
{
	int status;
	pid_t child = fork();

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		word = 1;
		_exit(77);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		FAIL("no child");
	set(child, 0, (unsigned long)&word);
	set(child, 7, WRITES_OF_8_BYTES);
	ptrace(PTRACE_CONT, child, NULL, NULL);
	if (waitpid(child, &status, 0) != child)
		FAIL("it is lost");
	kill(child, SIGKILL);
	return WIFSTOPPED(status) ? 0 : WEXITSTATUS(status);
}
