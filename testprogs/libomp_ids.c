/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * libomp_ids WAY [LIBRARY]: what libomp calls its threads, as they say themselves: "gtidLWP NUMBER"
 * and "pthreadLWP ID" for each. LIBRARY is opened late; without one, libomp must be there
 * (LD_PRELOAD). WAY: "team", "unused" (no construct), "fork" (afterwards, a child that uses OpenMP
 * no more, in which only "child PID" lives), "pool" (the region is over).
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>

#include "testprog.h"

enum { THREADS = 4 };

static int (*global_thread_num)(void *);
static void (*run_parallel)(void (*)(void *), void *, unsigned int, unsigned int);
static int said, blocks;

static void *find(void *library, const char *name)
{
	void *found = dlsym(library, name);

	if (!found)
		FAIL("no %s", name);
	return found;
}

static void say_ids(int gtid)
{
	dprintf(1, "gtid%d %d\npthread%d 0x%lx\n", gettid(), gtid, gettid(),
		(unsigned long)pthread_self());
	if (__atomic_add_fetch(&said, 1, __ATOMIC_SEQ_CST) == THREADS + 1 && blocks)
		ready();
}

static void member(void *unused)
{
	(void)unused;
	say_ids(global_thread_num(NULL));
	if (blocks)
		block();
}

/* A thread that never uses OpenMP. */
static void *outsider(void *unused)
{
	say_ids(-1);
	block();
	return unused;
}

static int become_child(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		die_with_parent();
		dprintf(1, "child %d\n", getpid());
		say_ids(global_thread_num(NULL));
		ready();
		block();
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	void *library = RTLD_DEFAULT;

	die_with_parent();
	if (argc > 2 && !(library = dlopen(argv[2], RTLD_NOW)))
		FAIL("%s", dlerror());
	if (pthread_create(&thread, NULL, outsider, NULL))
		FAIL("no thread");
	if (!strcmp(argv[1], "unused")) {
		ready();
		block();
		return 0;
	}
	global_thread_num = (int (*)(void *))find(library, "__kmpc_global_thread_num");
	run_parallel = (void (*)(void (*)(void *), void *, unsigned int, unsigned int))find(
		library, "GOMP_parallel");
	blocks = !strcmp(argv[1], "team");
	run_parallel(member, NULL, THREADS, 0);
	if (!strcmp(argv[1], "fork"))
		return become_child();
	if (!blocks) {
		while (__atomic_load_n(&said, __ATOMIC_SEQ_CST) < THREADS + 1)
			sched_yield();
		ready();
		block();
	}
	return 0;
}
