/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * mpir_launch [WHAT]: starts two processes and then a third, as starters of MPI programs do for
 * debuggers: it tells of them, if it is being debugged; they wait at a gate, and for the third.
 * With WHAT the job is given up, or the table makes no sense, or it ends before it tells of
 * anything.
 */
#include <sys/mman.h>
#include <sys/wait.h>

#include "testprog.h"

struct entry {
	const char *host, *executable;
	int pid;
};

struct entry *MPIR_proctable;
int MPIR_proctable_size, MPIR_debug_state, MPIR_being_debugged, MPIR_i_am_starter;
volatile int MPIR_debug_gate;
const char *MPIR_debug_abort_string;
char MPIR_dll_name[] = "/nowhere/\033[1mqueues.so";

__attribute__((noinline)) void MPIR_Breakpoint(void)
{
	__asm__ volatile("");
}

static volatile int *all_told; /* shared */

static void tell(int state)
{
	MPIR_debug_state = state;
	if (MPIR_being_debugged)
		MPIR_Breakpoint();
}

__attribute__((noinline)) static void rank_main(int number)
{
	printf("rank %d runs\n", number); /* MARK: runs */
	fflush(stdout);
	_exit(0);
}

static void start(struct entry *entry, int number)
{
	static char host[256];
	const pid_t parent = getpid();

	gethostname(host, sizeof(host) - 1);
	*entry = (struct entry){ host, "./app", fork() };
	if (entry->pid)
		return;
	die_with_parent();
	while (getppid() == parent && (!MPIR_debug_gate || !*all_told))
		usleep(1000);
	if (getppid() != parent) /* it has ended before it could be seen to */
		_exit(1);
	rank_main(number);
}

int main(int argc, char **argv)
{
	static struct entry table[3];
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "ends"))
		return 3;
	all_told =
		mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	start(&table[0], 0);
	start(&table[1], 1);
	MPIR_proctable = table;
	MPIR_proctable_size = strcmp(what, "absurd") ? 2 : 0x7fffffff;
	tell(1);
	if (!strcmp(what, "abort")) {
		MPIR_debug_abort_string = "no \033[31mway\n";
		tell(2);
	}
	if (!strcmp(what, "replaces"))
		MPIR_proctable = table + 2;
	start(&table[2], 2);
	MPIR_proctable_size = strcmp(what, "replaces") ? 3 : 1;
	tell(1);
	*all_told = 1;
	while (wait(NULL) > 0)
		;
	return 0;
}
