/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the test programs have in common.
 *
 * A test program goes to a known point by itself and writes "ready" as the last thing before
 * it is there: whoever then sees all its threads asleep sees them where they stay. It ends when
 * its stdin ends, the other end of which the test holds, and first checks that nothing has
 * happened to it meanwhile. Its exit status is the verdict: 0, all is well; 1, it was disturbed
 * (stderr says how); 77, this machine cannot do what it is about.
 */
#ifndef TESTPROG_H
#define TESTPROG_H

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* A function that keeps its name and its frame at every level of optimisation... */
#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noipa))
#endif
/* ...if its last call is followed by this, which keeps the call from becoming a jump. */
#define KEEP_FRAME() __asm__ volatile("" ::: "memory")

#define FAIL(...)                                                                                  \
	do {                                                                                       \
		fprintf(stderr, "disturbed: " __VA_ARGS__);                                        \
		fputc('\n', stderr);                                                               \
		_exit(1);                                                                          \
	} while (0)

static inline void die_with_parent(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static inline void ready(void)
{
	if (write(1, "ready\n", 6) != 6)
		_exit(1);
}

/* Sleeps in read(2) until stdin ends. The kernel restarts that call, so nothing may break it. */
static inline void block(void)
{
	char c;
	if (read(0, &c, 1) != 0)
		FAIL("reading stdin was interrupted");
}

/* The letter that proc(5) gives a thread, or '?' when there is no such thread. */
static inline char thread_state(long pid, long tid)
{
	char text[256], state = '?';
	snprintf(text, sizeof(text), "/proc/%ld/task/%ld/stat", pid, tid);
	FILE *f = fopen(text, "r");
	if (!f)
		return state;
	/* The name before it may contain anything, line ends too. */
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	if (strrchr(text, ')'))
		state = strrchr(text, ')')[2];
	fclose(f);
	return state;
}

/* Waits until all threads of this process but the calling one sleep, in whatever they do. */
static inline void wait_until_others_sleep(void)
{
	for (int awake = 1; awake; usleep(1000)) {
		DIR *tasks = opendir("/proc/self/task");
		if (!tasks)
			FAIL("no /proc/self/task");
		awake = 0;
		for (struct dirent *d; !awake && (d = readdir(tasks));) {
			long tid = atol(d->d_name);
			awake = tid && tid != gettid() && thread_state(getpid(), tid) != 'S';
		}
		closedir(tasks);
	}
}

#endif
