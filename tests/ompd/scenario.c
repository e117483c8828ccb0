/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Scenario: an OpenMP program that says about itself what a debugger should find.
 *
 *     scenario NAME
 *
 * Every thread of interest prints one line of facts (see fact()) from where it then stays; "ready"
 * comes when all have. Ends with its stdin.
 */
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int facts_left;
static volatile int started;
static omp_nest_lock_t nest;

static void stay(void)
{
	for (;;)
		pause();
}

/*
 * fact WHAT lwp pthread errno number level active size | max dynamic levels final limit sched chunk
 * bind cancel | (ancestor size) for levels 1 to level
 */
static void fact(const char *what)
{
	int level = omp_get_level(), chunk, number = omp_get_thread_num();
	omp_sched_t sched;

	omp_get_schedule(&sched, &chunk);
	pthread_mutex_lock(&lock);
	printf("fact %s %ld %lu %lu %d %d %d %d", what, syscall(SYS_gettid),
	       (unsigned long)pthread_self(), (unsigned long)&errno, number, level,
	       omp_get_active_level(), omp_get_num_threads());
	printf(" %d %d %d %d %d %d %d %d %d", omp_get_max_threads(), omp_get_dynamic(),
	       omp_get_max_active_levels(), omp_in_final(), omp_get_thread_limit(), (int)sched,
	       chunk, (int)omp_get_proc_bind(), omp_get_cancellation());
	for (int i = 1; i <= level; i++)
		printf(" %d %d", omp_get_ancestor_thread_num(i), omp_get_team_size(i));
	printf("\n");
	if (!--facts_left)
		printf("ready\n");
	fflush(stdout);
	pthread_mutex_unlock(&lock);
}

static void say(const char *name, const volatile void *address)
{
	printf("value %s %lu\n", name, (unsigned long)address);
	fflush(stdout);
}

static void serial(void)
{
	omp_set_num_threads(7);
	omp_set_schedule(omp_sched_guided, 5);
	facts_left = 1;
	fact("initial");
	stay();
}

static void team(void)
{
	facts_left = 4;
#pragma omp parallel num_threads(4)
	{
		fact("member");
		stay();
	}
}

static void nested(void)
{
	facts_left = 4;
	omp_set_max_active_levels(3);
	omp_set_nested(1);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	{
		fact("member");
		stay();
	}
}

/* A region of one thread in each thread of a region of two, and a region of two in one of them. */
static void serialised(void)
{
	facts_left = 3;
	omp_set_max_active_levels(3);
	omp_set_nested(1);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(1 + omp_get_ancestor_thread_num(1))
	{
		fact("member");
		stay();
	}
}

static void one(void)
{
	facts_left = 1;
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(1)
	{
		fact("member");
		stay();
	}
}

/* No team but the inner one has threads of its own. */
static void outer_serialised(void)
{
	facts_left = 2;
	omp_set_max_active_levels(3);
	omp_set_nested(1);
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(2)
	{
		fact("member");
		stay();
	}
}

static void idle(void)
{
	facts_left = 5;
#pragma omp parallel num_threads(4)
	fact("worker");
	fact("initial");
	stay();
}

/* Idle threads while the owner of the pool is in another region, of itself. */
static void idle_beside(void)
{
	facts_left = 5;
#pragma omp parallel num_threads(4)
	fact("worker");
#pragma omp parallel num_threads(1)
	{
		fact("member");
		stay();
	}
}

static void *foreign_thread(void *arg)
{
	(void)arg;
#pragma omp parallel num_threads(2)
	{
		fact("foreign");
		stay();
	}
	return NULL;
}

static void *plain_thread(void *arg)
{
	(void)arg;
	fact("plain");
	stay();
	return NULL;
}

static void foreign(void)
{
	pthread_t th;

	facts_left = 5;
	pthread_create(&th, NULL, plain_thread, NULL);
	pthread_create(&th, NULL, foreign_thread, NULL);
#pragma omp parallel num_threads(2)
	{
		fact("member");
		stay();
	}
}

static void body(const char *what, volatile void *self)
{
	(void)self;
	fact(what);
#pragma omp atomic
	started++;
	stay();
}

/* Two tasks run, one waits for one of them, three are queued behind, their creator waits for all.
 */
static void tasks(void)
{
	int x = 0;

	facts_left = 3;
#pragma omp parallel num_threads(3)
#pragma omp single
	{
#pragma omp task depend(out : x)
		body("task", &x);
#pragma omp task
		body("task", &x);
		while (started < 2)
			usleep(1000);
#pragma omp task depend(in : x)
		body("never", &x);
		for (int i = 0; i < 3; i++)
#pragma omp task firstprivate(i)
			body("never", &x);
			/* Undeferred: the tasks above stay queued. */
#pragma omp task if (0)
		body("undeferred", &x);
	}
}

static void taskwait(void)
{
	facts_left = 3;
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task
		body("task", &lock);
		while (!started)
			usleep(1000);
		fact("member");
		fact("waiter");
#pragma omp taskwait
	}
}

static void depwait(void)
{
	int x = 0;

	facts_left = 2;
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out : x)
		body("task", &x);
		while (!started)
			usleep(1000);
		fact("waiter");
#pragma omp task if (0) depend(in : x)
		x++;
	}
}

static void taskgroup(void)
{
	facts_left = 2;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
	{
#pragma omp task
		body("task", &lock);
		while (!started)
			usleep(1000);
		fact("waiter");
	}
}

static void undeferred(void)
{
	facts_left = 2;
#pragma omp parallel num_threads(2)
#pragma omp task if (0)
#pragma omp task if (0) final(1)
	{
		fact("undeferred");
		stay();
	}
}

/* Outside of all regions every task is undeferred. */
static void orphan(void)
{
	facts_left = 1;
#pragma omp task
	{
		fact("undeferred");
		stay();
	}
}

static void nest_lock(void)
{
	facts_left = 2;
	omp_init_nest_lock(&nest);
	say("nest", &nest);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1) {
			omp_set_nest_lock(&nest);
			omp_set_nest_lock(&nest);
			started = 1;
		}
		while (!started)
			usleep(1000);
		fact(omp_get_thread_num() == 1 ? "owner" : "waiter");
		omp_set_nest_lock(&nest);
		stay();
	}
}

static void ordered(void)
{
	facts_left = 4;
#pragma omp parallel num_threads(4)
	{
#pragma omp for ordered schedule(static, 1)
		for (int i = 0; i < 4; i++) {
			if (i != 2)
				fact("member");
#pragma omp ordered
			if (i == 2) {
				fact("turn");
				stay();
			}
		}
	}
}

static void barrier(void)
{
	facts_left = 4;
#pragma omp parallel num_threads(4)
	{
		fact(omp_get_thread_num() == 2 ? "missing" : "waiter");
		if (omp_get_thread_num() == 2)
			stay();
#pragma omp barrier
	}
}

static void region_end(void)
{
	facts_left = 4;
#pragma omp parallel num_threads(4)
	{
		fact(omp_get_thread_num() == 2 ? "missing" : "waiter");
		if (omp_get_thread_num() == 2)
			stay();
	}
}

static void critical(void)
{
	facts_left = 2;
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0)
			while (!started)
				usleep(1000);
		else
			fact("owner");
		if (omp_get_thread_num() == 0)
			fact("waiter");
#pragma omp critical
		{
			started = 1;
			stay();
		}
	}
}

/* The only thread executes the task while its creator waits for it. */
static void in_taskwait(void)
{
	facts_left = 1;
#pragma omp parallel num_threads(1)
	{
#pragma omp task
		body("task", &lock);
#pragma omp taskwait
	}
}

static void in_taskgroup(void)
{
	facts_left = 1;
#pragma omp parallel num_threads(1)
#pragma omp taskgroup
	{
#pragma omp task
		{
#pragma omp task
			body("task", &lock);
#pragma omp taskwait
		}
	}
}

static void in_barrier(void)
{
	facts_left = 1;
#pragma omp parallel num_threads(1)
#pragma omp task
	body("task", &lock);
}

static const struct {
	const char *name;
	void (*run)(void);
} scenarios[] = {
	{ "serial", serial },
	{ "team", team },
	{ "nested", nested },
	{ "serialised", serialised },
	{ "one", one },
	{ "outer_serialised", outer_serialised },
	{ "idle", idle },
	{ "idle_beside", idle_beside },
	{ "foreign", foreign },
	{ "tasks", tasks },
	{ "taskwait", taskwait },
	{ "depwait", depwait },
	{ "taskgroup", taskgroup },
	{ "undeferred", undeferred },
	{ "orphan", orphan },
	{ "nest_lock", nest_lock },
	{ "ordered", ordered },
	{ "barrier", barrier },
	{ "region_end", region_end },
	{ "critical", critical },
	{ "in_taskwait", in_taskwait },
	{ "in_taskgroup", in_taskgroup },
	{ "in_barrier", in_barrier },
};

static void *end_with_stdin(void *arg)
{
	char c;

	while (read(0, &c, 1) > 0)
		continue;
	_exit(0);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t th;

	pthread_create(&th, NULL, end_with_stdin, NULL);
	for (size_t i = 0; argc == 2 && i < sizeof(scenarios) / sizeof(scenarios[0]); i++)
		if (!strcmp(argv[1], scenarios[i].name))
			scenarios[i].run();
	return 2;
}
