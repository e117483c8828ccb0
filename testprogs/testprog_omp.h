/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the OpenMP test programs have in common: NAME SCENARIO [TEAM].
 *
 * Each thread tells the truth about itself, as OpenMP has it, and then gets stuck, for whoever
 * looks to be held against it:
 *
 *   truth lwp=12 num=1 level=1 active=1 team=0 ancestors=0,1 sizes=1,2 in=single what=waits
 *   object lock=0x4040
 *
 * At least one of them stays in read(2). The first that does says "ready", when as many threads
 * have told as the scenario has and each of them sleeps or spins.
 */
#ifndef TESTPROG_OMP_H
#define TESTPROG_OMP_H

#include <omp.h>
#include <sched.h>
#include <time.h>

#include "testprog.h"

#define UNUSED __attribute__((unused))

struct scenario {
	const char *name;
	void (*run)(void);
};

/* clang-format off */
#define SCENARIO(function) { #function, function }
/* clang-format on */

static UNUSED int team = 2; /* the size of teams where it does not matter */
static int arrived;         /* threads that have got to where they get stuck */

static inline void arrive(void)
{
	__atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
}

static inline void wait_for_arrivals(int n)
{
	while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < n)
		sched_yield();
}

/* In one write(2), so that lines of several threads do not mix. */
static inline void say_line(const char *line, int len)
{
	if (write(1, line, len) != len)
		FAIL("stdout does not take a line");
}

static inline void tell_object(const char *name, const void *object)
{
	char line[128];
	say_line(line, snprintf(line, sizeof(line), "object %s=%p\n", name, object));
}

/* Only who and where, for threads that must not touch OpenMP. */
static inline void tell_thread(const char *what)
{
	char line[128];
	say_line(line, snprintf(line, sizeof(line), "truth lwp=%d what=%s\n", gettid(), what));
	arrive();
}

static inline void tell_from(const char *function, const char *what)
{
	char line[512];
	int n = snprintf(line, sizeof(line),
			 "truth lwp=%d num=%d level=%d active=%d team=%d ancestors=0", gettid(),
			 omp_get_thread_num(), omp_get_level(), omp_get_active_level(),
			 omp_get_team_num());
	for (int level = 1; level <= omp_get_level(); level++)
		n += snprintf(line + n, sizeof(line) - n, ",%d",
			      omp_get_ancestor_thread_num(level));
	n += snprintf(line + n, sizeof(line) - n, " sizes=1");
	for (int level = 1; level <= omp_get_level(); level++)
		n += snprintf(line + n, sizeof(line) - n, ",%d", omp_get_team_size(level));
	n += snprintf(line + n, sizeof(line) - n, " in=%s what=%s\n", function, what);
	say_line(line, n);
	arrive();
}

#define tell(what) tell_from(__func__, what)

/* Nanoseconds of CPU time. The number of a thread's clock is as clock_getcpuclockid(3) makes it. */
static inline long long cpu_time(long tid)
{
	struct timespec t = { 0, 0 };
	clock_gettime((~(clockid_t)tid << 3) | 6, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Waits until a thread sleeps or ends; or spins: runs on for ten milliseconds. */
static inline void wait_until_settled(long tid)
{
	long long since = cpu_time(tid);
	while (!strchr("SZ?", thread_state(getpid(), tid)) && cpu_time(tid) - since < 10000000)
		usleep(500);
}

static inline void wait_until_others_are_settled(void)
{
	DIR *tasks = opendir("/proc/self/task");
	if (!tasks)
		FAIL("no /proc/self/task");
	for (struct dirent *d; (d = readdir(tasks));) {
		if (atol(d->d_name) && atol(d->d_name) != gettid())
			wait_until_settled(atol(d->d_name));
	}
	closedir(tasks);
}

static NOINLINE UNUSED void stay_until_the_end(int total)
{
	static int staying;
	if (__atomic_fetch_add(&staying, 1, __ATOMIC_SEQ_CST) == 0) {
		wait_for_arrivals(total);
		wait_until_others_are_settled();
		ready();
	}
	block(); /* MARK: stay */
	KEEP_FRAME();
}

/* Tells and stays, as one of so many that tell. */
#define stay_as(what, total)                                                                       \
	do {                                                                                       \
		tell(what);                                                                        \
		stay_until_the_end(total);                                                         \
		KEEP_FRAME();                                                                      \
	} while (0)
#define stay(total) stay_as("stays", total)

static NOINLINE UNUSED void in_team(void (*work)(void))
{
#pragma omp parallel num_threads(team) /* MARK: region */
	{
		work(); /* MARK: work */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

/* The function of the scenario that the arguments name. The last of the table has no name. */
static inline void (*scenario_of(const struct scenario *table, int argc, char **argv))(void)
{
	die_with_parent();
	omp_set_dynamic(0);
	if (argc > 2)
		team = atoi(argv[2]);
	for (; argc > 1 && table->name; table++) {
		if (strcmp(table->name, argv[1]) == 0)
			return table->run;
	}
	fprintf(stderr, "%s: no such scenario\n", argv[0]);
	exit(2);
}

#endif
