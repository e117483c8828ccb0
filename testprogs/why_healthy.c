/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * why_healthy CONSTRUCT|all [TEAM]: goes through OpenMP's constructs again and again until stdin
 * ends, and checks what they compute. At no moment is anything wrong with it.
 */
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>

#include "testprog_omp.h"

#define TIMES 8

static long counted;
static int data[TIMES + 1];

static NOINLINE void think(void)
{
	static __thread unsigned int random;

	random = random * 1103515245 + 12345;
	unsigned int long_enough = random >> 28 ? 200 : 20000;
	for (unsigned int i = (random >> 8) % long_enough; i > 0; i--)
		KEEP_FRAME();
}

static NOINLINE void count(void)
{
	think();
	__atomic_add_fetch(&counted, 1, __ATOMIC_SEQ_CST);
	think();
}

/* Loses counts where two threads are in it at a time. */
static NOINLINE void count_unprotected(long *n)
{
	long before = *n;
	think();
	*n = before + 1;
}

static void check(long got, long wanted, const char *what)
{
	if (got != wanted)
		FAIL("%s: %ld, not %ld", what, got, wanted);
}

/* Since the last time that it was asked. */
static void check_counted(long wanted, const char *what)
{
	check(counted, wanted, what);
	counted = 0;
}

static NOINLINE void barriers(void)
{
#pragma omp parallel num_threads(team)
	for (int i = 1; i <= TIMES; i++) {
		count();
#pragma omp barrier
		check(__atomic_load_n(&counted, __ATOMIC_SEQ_CST), (long)i * team, "barrier");
#pragma omp barrier
	}
	check_counted((long)TIMES * team, "barriers");
}

/* With nothing in between: a look finds threads on their way from one to the other. */
static NOINLINE void phases(void)
{
#pragma omp parallel num_threads(team)
	{
#pragma omp for
		for (int i = 0; i < TIMES; i++)
			__atomic_add_fetch(&counted, 1, __ATOMIC_SEQ_CST);
#pragma omp barrier
#pragma omp single
		counted++;
	}
	check_counted(TIMES + 1, "phases");
}

static NOINLINE void loops(void)
{
#pragma omp parallel num_threads(team)
	{
#pragma omp for
		for (int i = 0; i < TIMES; i++)
			count();
#pragma omp for schedule(static, 1) nowait
		for (int i = 0; i < TIMES; i++)
			count();
#pragma omp for schedule(dynamic)
		for (int i = 0; i < TIMES; i++)
			count();
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < TIMES; i++)
			count();
#pragma omp for schedule(runtime) collapse(2)
		for (int i = 0; i < TIMES; i++)
			for (int k = 0; k < 2; k++)
				count();
	}
#pragma omp parallel for num_threads(team) schedule(dynamic)
	for (int i = 0; i < TIMES; i++)
		count();
	check_counted(7 * TIMES, "loops");
}

static NOINLINE void ordered(void)
{
	int next = 0;
#pragma omp parallel for ordered schedule(dynamic) num_threads(team)
	for (int i = 0; i < TIMES; i++) {
		think();
#pragma omp ordered
		check(next++, i, "ordered");
	}
#pragma omp parallel for ordered schedule(static, 1) num_threads(team)
	for (int i = 0; i < TIMES; i++) {
		think();
#pragma omp ordered
		check(next++, TIMES + i, "static ordered");
	}
}

static NOINLINE void doacross(void)
{
	data[0] = 1;
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(team)
	for (int i = 1; i <= TIMES; i++) {
		think();
#pragma omp ordered depend(sink : i - 1)
		data[i] = data[i - 1] + 1;
		think();
#pragma omp ordered depend(source)
	}
	check(data[TIMES], TIMES + 1, "doacross");
}

static NOINLINE void singles(void)
{
#pragma omp parallel num_threads(team)
	for (int i = 0; i < TIMES; i++) {
		long value = -1;
		think();
#pragma omp single
		count();
#pragma omp single nowait
		count();
#pragma omp single copyprivate(value)
		{
			think();
			value = i;
		}
		check(value, i, "copyprivate");
#pragma omp master
		count();
	}
	check_counted(3 * TIMES, "singles");
}

static NOINLINE void sections(void)
{
#pragma omp parallel sections num_threads(team)
	{
#pragma omp section
		count();
#pragma omp section
		count();
#pragma omp section
		count();
	}
#pragma omp parallel num_threads(team)
	{
		think();
#pragma omp sections
		{
#pragma omp section
			count();
#pragma omp section
			count();
		}
	}
	check_counted(5, "sections");
}

static NOINLINE void criticals(void)
{
	long others = 0;
#pragma omp parallel num_threads(team)
	for (int i = 0; i < TIMES; i++) {
#pragma omp critical
		count_unprotected(&counted);
		think();
#pragma omp critical(first)
		{
#pragma omp critical(second)
			count_unprotected(&others);
			think();
		}
#pragma omp barrier
	}
	check(others, (long)TIMES * team, "named criticals");
	check_counted((long)TIMES * team, "criticals");
}

/*
 * Most of the time the one that has got it is not running yet; and nothing on the threads' stacks
 * tells that they go on.
 */
static NOINLINE void contended(void)
{
	const long wanted = 10000 * TIMES;
#pragma omp parallel num_threads(2 * team)
	for (bool more = true; more;) {
#pragma omp critical(crowd)
		if (counted < wanted)
			counted++;
		else
			more = false;
	}
	check_counted(wanted, "contended");
}

static NOINLINE void locks(void)
{
	omp_lock_t outer, inner;
	omp_init_lock(&outer);
	omp_init_lock(&inner);
#pragma omp parallel num_threads(team)
	for (int i = 0; i < TIMES; i++) {
		omp_set_lock(&outer);
		while (!omp_test_lock(&inner))
			think();
		count_unprotected(&counted);
		omp_unset_lock(&inner);
		omp_unset_lock(&outer);
		think();
		omp_set_lock(&inner);
		think();
		omp_unset_lock(&inner);
	}
	omp_destroy_lock(&inner);
	omp_destroy_lock(&outer);
	check_counted((long)TIMES * team, "locks");
}

/* One thread, while the other waits at the end of the region. */
static NOINLINE void alone(void)
{
	omp_lock_t lock;
	omp_nest_lock_t nest;
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
	for (int i = 0; i < TIMES && omp_get_thread_num() == 1; i++) {
		omp_set_lock(&lock);
		omp_set_nest_lock(&nest);
		count();
		omp_unset_nest_lock(&nest);
		omp_unset_lock(&lock);
	}
	omp_destroy_nest_lock(&nest);
	omp_destroy_lock(&lock);
	check_counted(TIMES, "alone");
}

static void count_nested(omp_nest_lock_t *lock, int depth)
{
	omp_set_nest_lock(lock);
	if (depth > 0)
		count_nested(lock, depth - 1);
	else
		count_unprotected(&counted);
	omp_unset_nest_lock(lock);
}

static NOINLINE void nest_locks(void)
{
	omp_nest_lock_t lock;
	omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(team)
	for (int i = 0; i < TIMES; i++) {
		count_nested(&lock, 3);
		think();
	}
	omp_destroy_nest_lock(&lock);
	check_counted((long)TIMES * team, "nest locks");
}

/* gcc's runtime updates what has no instruction; clang would need another library for it. */
#ifdef __clang__
static double large;
#else
static long double large;
#endif

static NOINLINE void atomics(void)
{
	large = 0;
#pragma omp parallel num_threads(team)
	for (int i = 0; i < TIMES; i++) {
		think();
#pragma omp atomic
		large += 1;
#pragma omp atomic
		counted++;
	}
	check((long)large, (long)TIMES * team, "large atomic");
	check_counted((long)TIMES * team, "atomics");
}

static NOINLINE void reductions(void)
{
	long sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(team)
	for (int i = 0; i < TIMES; i++) {
		think();
		sum += i;
	}
	check(sum, TIMES * (TIMES - 1) / 2, "reduction");
}

static NOINLINE long fibonacci(int n)
{
	long a, b;
	if (n < 2)
		return n;
	think();
#pragma omp task shared(a)
	a = fibonacci(n - 1);
#pragma omp task shared(b) untied
	b = fibonacci(n - 2);
#pragma omp taskwait
	return a + b;
}

static NOINLINE void tasks(void)
{
	long result = 0;
#pragma omp parallel num_threads(team)
	{
#pragma omp single
		result = fibonacci(6);
#pragma omp task
		count();
#pragma omp task if (0)
		count();
#pragma omp task final(1)
		count();
	}
	check(result, 8, "tasks");
	check_counted(3L * team, "tasks at the end");
}

/* Tasks without dependences, and memory for each. */
static NOINLINE void grow(int depth)
{
	for (int i = 0; i < 3 && depth; i++) {
		char *leaf = malloc(20 + i);
#pragma omp task firstprivate(leaf)
		{
			grow(depth - 1);
			free(leaf);
		}
	}
	if (!depth)
		__atomic_add_fetch(&counted, 1, __ATOMIC_SEQ_CST);
	if (depth % 2) {
#pragma omp taskwait
		KEEP_FRAME();
	}
}

static NOINLINE void trees(void)
{
#pragma omp parallel num_threads(2 * team)
#pragma omp single
	grow(7);
	check_counted(2187, "trees");
}

static NOINLINE void taskgroups(void)
{
#pragma omp parallel num_threads(team)
#pragma omp single
	{
#pragma omp taskgroup
		for (int i = 0; i < TIMES; i++) {
#pragma omp task
			{
#pragma omp task
				count();
#pragma omp taskyield
				think();
			}
		}
		check_counted(TIMES, "taskgroup");
#pragma omp taskloop grainsize(2)
		for (int i = 0; i < TIMES; i++)
			count();
		check_counted(TIMES, "taskloop");
	}
}

static NOINLINE void dependences(void)
{
	int value = 0;
#pragma omp parallel num_threads(team)
#pragma omp single
	{
		for (int i = 0; i < TIMES; i++) {
#pragma omp task depend(inout : value)
			{
				think();
				value++;
			}
#pragma omp task depend(in : value)
			count();
		}
		/* Not by a task with if (0): LLVM 14 aborts on it (kmp_taskdeps.h: n >= 0). */
#pragma omp taskwait
		check(value, TIMES, "dependences");
	}
	check_counted(TIMES, "dependent tasks");
}

static NOINLINE void detached(void)
{
#pragma omp parallel num_threads(team)
#pragma omp single
	for (int i = 0; i < TIMES; i++) {
		omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event)
		count();
#pragma omp task firstprivate(event)
		{
			count();
			omp_fulfill_event(event);
		}
		if (i % 2) {
#pragma omp taskwait
			think();
		}
	}
	check_counted(2 * TIMES, "detached tasks");
}

static NOINLINE void nested(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
		think();
#pragma omp parallel num_threads(2)
		{
			count();
#pragma omp barrier
			think();
		}
#pragma omp barrier
#pragma omp parallel num_threads(1)
		count();
	}
	check_counted(6, "nested regions");
}

static NOINLINE void teams(void)
{
#pragma omp teams num_teams(2) thread_limit(4)
	{
#pragma omp parallel num_threads(2)
		count();
#pragma omp distribute parallel for num_threads(2)
		for (int i = 0; i < TIMES; i++)
			think();
	}
	if (counted < 2 || counted > 4)
		FAIL("teams: %ld threads", counted);
	counted = 0;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

/* All wait for the last. */
static NOINLINE void mutexes(void)
{
	int present = 0;
#pragma omp parallel num_threads(team)
	{
		think();
		pthread_mutex_lock(&mutex);
		count_unprotected(&counted);
		if (++present == team)
			pthread_cond_broadcast(&condition);
		while (present < team)
			pthread_cond_wait(&condition, &mutex);
		pthread_mutex_unlock(&mutex);
		think();
	}
	check_counted(team, "mutexes");
}

static NOINLINE void sleeps(void)
{
#pragma omp parallel num_threads(team)
	{
		if (omp_get_thread_num() == 0)
			usleep(500);
		count();
	}
	check_counted(team, "sleeps");
}

/* Each thread waits in a loop of its own for the one before it. */
static NOINLINE void flags(void)
{
	static volatile int passed[TIMES];

	for (int i = 0; i < team; i++)
		passed[i] = 0;
#pragma omp parallel num_threads(team)
	{
		int me = omp_get_thread_num(), seen = !me;
		while (me % 3 == 1 && !passed[me - 1])
			continue;
		while (me % 3 == 2 && !passed[me - 1])
			sched_yield();
		while (me % 3 == 0 && !seen) {
#pragma omp atomic read
			seen = passed[me - 1];
		}
		count();
		passed[me] = 1;
	}
	check_counted(team, "flags");
}

/* A token goes round, for which they wait asleep, by compare and swap, and behind a flush. */
static NOINLINE void polls(void)
{
	static int token;

	token = 0;
#pragma omp parallel num_threads(team)
	{
		int me = omp_get_thread_num(), seen = -1;
		for (int i = 0; i < TIMES; i++) {
			while ((me + i) % 3 == 0 && __atomic_load_n(&token, __ATOMIC_SEQ_CST) != me)
				usleep(100);
			while ((me + i) % 3 == 1 && !__sync_bool_compare_and_swap(&token, me, me))
				continue;
			for (seen = -1; (me + i) % 3 == 2 && seen != me;) {
#pragma omp flush
#pragma omp atomic read
				seen = token;
			}
			count();
			__atomic_store_n(&token, (me + 1) % team, __ATOMIC_SEQ_CST);
		}
	}
	check_counted((long)team * TIMES, "polls");
}

static NOINLINE void all(void);

static const struct scenario constructs[] = {
	SCENARIO(barriers),   SCENARIO(loops),       SCENARIO(ordered),    SCENARIO(doacross),
	SCENARIO(singles),    SCENARIO(sections),    SCENARIO(criticals),  SCENARIO(locks),
	SCENARIO(nest_locks), SCENARIO(atomics),     SCENARIO(reductions), SCENARIO(tasks),
	SCENARIO(taskgroups), SCENARIO(dependences), SCENARIO(detached),   SCENARIO(nested),
	SCENARIO(teams),      SCENARIO(mutexes),     SCENARIO(sleeps),     SCENARIO(flags),
	SCENARIO(phases),     SCENARIO(trees),       SCENARIO(contended),  SCENARIO(alone),
	SCENARIO(polls),      SCENARIO(all),         { NULL, NULL },
};

static NOINLINE void all(void)
{
	for (const struct scenario *s = constructs; s->run != all; s++)
		s->run();
}

static bool stdin_has_ended(void)
{
	struct pollfd end = { .fd = 0, .events = POLLIN, .revents = 0 };
	return poll(&end, 1, 0) == 1;
}

int main(int argc, char **argv)
{
	void (*run)(void) = scenario_of(constructs, argc, argv);
	long rounds = 0;

	for (run(), ready(); !stdin_has_ended(); rounds++)
		run();
	fprintf(stderr, "%ld rounds\n", rounds);
	return 0;
}
