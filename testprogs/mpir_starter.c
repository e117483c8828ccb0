/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * mpir_starter [WHAT]: has started two processes, and says so in a table for debuggers, as starters
 * of MPI programs do; or has a table that makes no sense, as WHAT says.
 * mpir_starter on HOST...: has started a process for each, which its table says to be there; ".":
 * on this host.
 */
#include "testprog.h"

struct entry {
	const char *host, *executable;
	int pid;
};

enum { NOBODY = 4194304 }; /* has ended: there is no process of this number */

struct entry *MPIR_proctable;
int MPIR_proctable_size;
int MPIR_debug_state;

static char long_name[1000];

static int start(void)
{
	int pid = fork();

	if (!pid) {
		die_with_parent();
		for (;;)
			pause();
	}
	return pid;
}

int main(int argc, char **argv)
{
	static char host[256];
	static struct entry table[64];
	const char *what = argc > 1 ? argv[1] : "";

	die_with_parent();
	gethostname(host, sizeof(host) - 1);
	MPIR_proctable = table;
	MPIR_proctable_size = strcmp(what, "on") ? 4 : argc - 2;
	for (int i = 0; i < MPIR_proctable_size && i < 64; i++) {
		const char *on =
			strcmp(what, "on") ? i == 2 ? "elsewhere.example" : "." : argv[i + 2];
		table[i] = (struct entry){ strcmp(on, ".") ? on : host, "./app", start() };
	}
	if (strcmp(what, "on"))
		table[3].pid = NOBODY;
	for (int i = 0; i < 4 && !strcmp(what, "gone"); i++)
		table[i] = (struct entry){ host, "./app", NOBODY };
	MPIR_debug_state = strcmp(what, "early") != 0;
	if (!strcmp(what, "size"))
		MPIR_proctable_size = 0x7fffffff;
	if (!strcmp(what, "negative"))
		MPIR_proctable_size = -1;
	if (!strcmp(what, "nowhere"))
		MPIR_proctable = (struct entry *)16;
	if (!strcmp(what, "pid"))
		table[1].pid = -1;
	if (!strcmp(what, "name"))
		table[0].host = memset(long_name, 'x', sizeof(long_name));
	ready();
	block();
	return 0;
}
