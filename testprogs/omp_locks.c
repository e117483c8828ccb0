/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_locks SCENARIO [TEAM]: one thread stays while it holds something that the others want. It
 * is the primary thread, and has it before the others ask.
 */
#include "testprog_omp.h"

static int uses;
static omp_lock_t plain_lock;
static omp_nest_lock_t nested_lock;

/* The others go on when the holder stays. */
static NOINLINE void let_the_holder_go_first(void)
{
	if (omp_get_thread_num() != 0) {
		wait_for_arrivals(1);
		tell("waits");
	}
}

static NOINLINE void use(void)
{
	if (omp_get_thread_num() == 0)
		stay(team); /* MARK: holder */
	uses++;
	KEEP_FRAME();
}

static NOINLINE void critical(void)
{
	let_the_holder_go_first();
#pragma omp critical /* MARK: critical */
	{
		use(); /* MARK: in critical */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void critical_named(void)
{
	let_the_holder_go_first();
#pragma omp critical(ledger) /* MARK: critical named */
	{
		use(); /* MARK: in critical named */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void lock(void)
{
	let_the_holder_go_first();
	omp_set_lock(&plain_lock); /* MARK: lock */
	use();                     /* MARK: in lock */
	omp_unset_lock(&plain_lock);
	KEEP_FRAME();
}

static NOINLINE void nest_lock(void)
{
	let_the_holder_go_first();
	omp_set_nest_lock(&nested_lock); /* MARK: nest lock */
	omp_set_nest_lock(&nested_lock);
	use(); /* MARK: in nest lock */
	omp_unset_nest_lock(&nested_lock);
	omp_unset_nest_lock(&nested_lock);
	KEEP_FRAME();
}

static NOINLINE void ordered(void)
{
#pragma omp for ordered schedule(static, 1)
	for (int i = 0; i < team; i++) {
		let_the_holder_go_first();
#pragma omp ordered /* MARK: ordered */
		{
			use(); /* MARK: in ordered */
			KEEP_FRAME();
		}
	}
	KEEP_FRAME();
}

static NOINLINE void doacross(void)
{
#pragma omp for ordered(1) schedule(static, 1)
	for (int i = 0; i < team; i++) {
		let_the_holder_go_first();
#pragma omp ordered depend(sink : i - 1) /* MARK: doacross */
		use();                   /* MARK: in doacross */
#pragma omp ordered depend(source)
	}
	KEEP_FRAME();
}

/* The compiler calls these for atomic updates of what has no instruction for it; gcc does. */
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);

static NOINLINE void atomic(void)
{
#ifdef __clang__
	exit(77);
#else
	static long double sum;
	let_the_holder_go_first();
	if (omp_get_thread_num() == 0) {
		GOMP_atomic_start();
		use(); /* MARK: in atomic */
		GOMP_atomic_end();
	} else {
#pragma omp atomic /* MARK: atomic */
		sum += 1; /* MARK: atomic update */
		__atomic_add_fetch(&uses, 1, __ATOMIC_SEQ_CST);
	}
	KEEP_FRAME();
#endif
}

static const struct scenario workers[] = {
	SCENARIO(critical), SCENARIO(critical_named), SCENARIO(lock),   SCENARIO(nest_lock),
	SCENARIO(ordered),  SCENARIO(doacross),       SCENARIO(atomic), { NULL, NULL },
};

int main(int argc, char **argv)
{
	void (*run)(void) = scenario_of(workers, argc, argv);
	omp_init_lock(&plain_lock);
	omp_init_nest_lock(&nested_lock);
	tell_object("lock", &plain_lock);
	tell_object("nest_lock", &nested_lock);
	in_team(run); /* MARK: run */
	if (uses != team)
		FAIL("%d of %d threads got it", uses, team);
	return 0;
}
