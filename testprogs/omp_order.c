/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_order [race|atomics|locks|phases|loop|tasks|hang|...] [THREADS]: what the order of a team's
 * threads changes: an update that gets lost, who has a lock, who is at which barrier. And teams in
 * whose midst the program ends, executes another one, or never gets to anything.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile int x, turns;
static char order[64];
static omp_lock_t left, right;

/* Never one instruction. */
static __attribute__((noinline)) void add(void)
{
	int seen = x; /* MARK: load */
	__asm__ volatile("" : "+r"(seen));
	x = seen + 1; /* MARK: store */
}

static void race(int threads)
{
#pragma omp parallel num_threads(threads)
	{ /* MARK: race */
		add();
		add();
	}
}

/* Nothing is lost, and several may write before a debugger has stopped the first. */
static void atomics(int threads)
{
#pragma omp parallel num_threads(threads)
	{ /* MARK: atomics */
#pragma omp barrier
		for (int i = 0; i < 10; i++) {
#pragma omp atomic
			x += 1;
		}
	}
}

/* Both write the same more often than not, and at the same time. */
static void bumps(int threads)
{
#pragma omp parallel num_threads(threads)
	{ /* MARK: bumps */
#pragma omp barrier
		for (int i = 0; i < 10; i++)
			x = x + 1; /* MARK: bump */
	}
}

static void locks(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num(); /* MARK: locks */
#pragma omp critical(ledger)
		{
			order[turns++] = (char)('0' + me); /* MARK: inside */
			add();
		}
		omp_set_lock(&left);
		order[turns++] = (char)('a' + me); /* MARK: locked */
		omp_unset_lock(&left);
	}
}

static void phases(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num(); /* MARK: phases */
		order[__atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED)] = (char)('0' + me);
#pragma omp barrier
		order[__atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED)] =
			(char)('a' + me); /* MARK: second */
#pragma omp barrier
		order[__atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED)] =
			(char)('A' + me); /* MARK: third */
	}
}

static void loop(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num(); /* MARK: loop */
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 6; i++)
			order[i] = (char)('0' + me); /* MARK: iteration */
	}
}

/* In the order of iterations. */
static void turns_of(int threads)
{
#pragma omp parallel num_threads(threads)
	{
#pragma omp for ordered schedule(static, 1)
		for (int i = 0; i < 6; i++) {
#pragma omp ordered
			order[turns++] = (char)('0' + i); /* MARK: turn */
		}
		add();
	}
}

static void tasks(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num(); /* MARK: tasks */
#pragma omp task firstprivate(me)
		order[__atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED)] =
			(char)('0' + me); /* MARK: task */
		add();                    /* MARK: behind */
	}
}

/* Two execute tasks at the end, until the third one lets them. */
static void remains(int threads)
{
	static volatile int begun, over;

#pragma omp parallel num_threads(threads)
	{
#pragma omp single nowait
		for (int i = 0; i < 2; i++) {
#pragma omp task
			{
				__atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED);
				while (!over)
					;
			}
		}
		if (omp_get_thread_num() == 2) {
			while (begun < 2)
				;
			add(); /* MARK: remains */
			over = 1;
		}
	}
}

static volatile int goes, begun;

/* So long that a debugger looks meanwhile at who waits for it. */
static __attribute__((noinline)) void last_long(void)
{
	struct timespec used;

	begun = 1;
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	while (!used.tv_sec && used.tv_nsec < 250000000);
}

static __attribute__((noinline)) void await(void)
{
	goes = 1; /* MARK: await */
	while (!begun)
		;
#pragma omp taskwait
	x = 1;
}

/* What the first thread waits for is executed by the one that has left the region. */
static void leaves(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		if (!omp_get_thread_num()) {
#pragma omp task
			last_long();
			await();
			x += 2; /* MARK: awaited */
		}
		while (!goes)
			;
	}
}

/* Each has what the other one waits for. */
static void hang(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num(); /* MARK: hang */
		omp_set_lock(me ? &left : &right);
		add(); /* MARK: first */
		omp_set_lock(me ? &right : &left);
		omp_unset_lock(&left); /* MARK: inner */
		omp_unset_lock(&right);
	}
}

static void ends(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num(); /* MARK: ends */
		add();
		if (me == 1)
			_exit(3);
#pragma omp barrier
	}
}

static void executes(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num(); /* MARK: executes */
		add();
		if (me == 1)
			execl("/proc/self/exe", "omp_order", "none", NULL);
#pragma omp barrier
	}
}

static void quits(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num(); /* MARK: quits */
		add();
		if (me == 1)
			pthread_exit(NULL);
#pragma omp barrier
	}
}

static void spins(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num(); /* MARK: spins */
		add();
		if (me == 0)
			puts("spinning");
		fflush(stdout);
		while (me == 0 && turns == 0)
			; /* MARK: spinning */
#pragma omp barrier
	}
}

/* Each begins a team of its own, one of whose threads takes longer than looks are apart. */
static void nests(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num(); /* MARK: nests */
#pragma omp parallel num_threads(2)
		{
			const double until = omp_get_wtime() + 0.5;
			while (me && omp_get_thread_num() && omp_get_wtime() < until)
				;
		}
		add(); /* MARK: nested */
#pragma omp barrier
	}
}

static int fib(int n)
{
	int a = 0, b = 0;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

/* One makes tasks; all execute them, also where they wait for it. */
static void children(int threads)
{
	race(threads);
	x = 4;     /* whatever the race has lost */
	turns = 0; /* MARK: pool */
#pragma omp parallel num_threads(threads)
	{
#pragma omp critical /* MARK: children */
		add();
#pragma omp single
		turns = fib(4);
	}
}

/* More than four of LLVM's threads wait for each other in the midst of the reduction. */
static void sum(int threads)
{
	phases(threads);
#pragma omp parallel for reduction(+ : x) num_threads(threads)
	for (int i = 0; i < 100; i++)
		x += i; /* MARK: sum */
}

/* A lock of the C library's: 0.0 waits for it while 0.1, that has it, stands at the end of its
 * turn. */
static void says(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		int me = omp_get_thread_num(); /* MARK: says */
		if (me)
			flockfile(stdout);
#pragma omp critical
		order[turns++] = (char)('0' + me);
		puts("said");
		if (me)
			funlockfile(stdout);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(int threads);
	} parts[] = { { "race", race },    { "locks", locks },       { "phases", phases },
		      { "loop", loop },    { "tasks", tasks },       { "hang", hang },
		      { "ends", ends },    { "executes", executes }, { "spins", spins },
		      { "nests", nests },  { "atomics", atomics },   { "children", children },
		      { "quits", quits },  { "turns", turns_of },    { "bumps", bumps },
		      { "sum", sum },      { "says", says },         { "remains", remains },
		      { "leaves", leaves } };
	const char *name = argc > 1 ? argv[1] : "race";
	const int threads = argc > 2 ? atoi(argv[2]) : 2;

	omp_init_lock(&left);
	omp_init_lock(&right);
	omp_set_max_active_levels(2);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (!strcmp(parts[i].name, name))
			parts[i].run(threads);
	}
	printf("x=%d order=%s\n", x, order); /* MARK: end */
	return 0;
}
