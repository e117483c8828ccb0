/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * flow_paths SCENARIO: one thread takes locks on a way of some shape and stays while it holds
 * them. It says which: "holds plain 0x4010", "holds nest 0x4020".
 */
#include <stdbool.h>

#include "testprog_omp.h"

struct account {
	long number;
	omp_lock_t lock;
};

static omp_lock_t one, two, many[5];
static omp_nest_lock_t nested;
static struct account accounts[3];
static omp_lock_t *pointer = &two;
static volatile int zero, three = 3;

static NOINLINE void holds(const char *kind, const void *lock)
{
	char line[64];
	say_line(line, snprintf(line, sizeof(line), "holds %s %p\n", kind, lock));
}

static NOINLINE void stay_with(const void *lock)
{
	if (lock)
		holds("plain", lock);
	ready();
	block();
	KEEP_FRAME();
}

static NOINLINE void work(void)
{
	KEEP_FRAME();
}

static NOINLINE void global(void)
{
	omp_set_lock(&one);
	stay_with(&one);
	omp_unset_lock(&one);
}

static NOINLINE void global_pointer(void)
{
	omp_set_lock(pointer);
	stay_with(pointer);
	omp_unset_lock(pointer);
}

static NOINLINE void use_argument(omp_lock_t *lock)
{
	work();
	omp_set_lock(lock);
	stay_with(lock);
	omp_unset_lock(lock);
}

static NOINLINE void argument(void)
{
	use_argument(&two);
	KEEP_FRAME();
}

static NOINLINE void use_account(struct account *a)
{
	omp_set_lock(&a->lock);
	a->number++;
	stay_with(&a->lock);
	omp_unset_lock(&a->lock);
}

static NOINLINE void member(void)
{
	use_account(&accounts[2]);
	KEEP_FRAME();
}

static NOINLINE void use_element(int i)
{
	omp_set_lock(&many[i]);
	omp_set_lock(&many[(i + 1) % 5]);
	holds("plain", &many[(i + 1) % 5]);
	stay_with(&many[i]);
	omp_unset_lock(&many[(i + 1) % 5]);
	omp_unset_lock(&many[i]);
}

static NOINLINE void element(void)
{
	use_element(three);
	KEEP_FRAME();
}

static NOINLINE void local(void)
{
	omp_lock_t lock;
	omp_init_lock(&lock);
	omp_set_lock(&lock);
	stay_with(&lock);
	omp_unset_lock(&lock);
	omp_destroy_lock(&lock);
}

static NOINLINE void heap(void)
{
	struct account *a = malloc(sizeof(*a));
	omp_init_lock(&a->lock);
	omp_set_lock(&a->lock);
	stay_with(&a->lock);
	omp_unset_lock(&a->lock);
	free(a);
}

static NOINLINE void given_back(void)
{
	omp_set_lock(&one);
	work();
	omp_unset_lock(&one);
	omp_set_lock(&two);
	omp_set_lock(&one);
	omp_unset_lock(&two);
	stay_with(&one);
	omp_unset_lock(&one);
}

/* Wrappers, as programs have them. */
static NOINLINE void my_lock(omp_lock_t *lock)
{
	omp_set_lock(lock);
	KEEP_FRAME();
}

static NOINLINE void my_unlock(omp_lock_t *lock)
{
	omp_unset_lock(lock);
}

static NOINLINE void wrapper(void)
{
	my_lock(&one);
	my_lock(&two);
	my_unlock(&one);
	stay_with(&two);
	my_unlock(&two);
	KEEP_FRAME();
}

struct guard {
	struct account *account;
	bool holds;
};

static NOINLINE void guard_init(struct guard *g, struct account *account)
{
	g->account = account;
	g->holds = true;
	omp_set_lock(&g->account->lock);
	KEEP_FRAME();
}

static NOINLINE void guard_fini(struct guard *g)
{
	if (g->holds)
		omp_unset_lock(&g->account->lock);
	KEEP_FRAME();
}

static NOINLINE void guarded(void)
{
	struct guard g;
	guard_init(&g, &accounts[1]);
	stay_with(&accounts[1].lock);
	guard_fini(&g);
	KEEP_FRAME();
}

static NOINLINE void early_return(void)
{
	omp_set_lock(&one);
	if (zero) {
		omp_unset_lock(&one);
		return;
	}
	omp_set_lock(&two);
	if (three == 4)
		return;
	omp_unset_lock(&two);
	stay_with(&one);
	omp_unset_lock(&one);
}

static NOINLINE void loop(void)
{
	for (int i = 0; i < 5; i++) {
		omp_set_lock(&many[i]);
		if (i == three)
			stay_with(&many[i]);
		omp_unset_lock(&many[i]);
	}
}

static NOINLINE void loop_global(void)
{
	for (int i = 0; i < 5; i++) {
		omp_set_lock(&one);
		work();
		omp_unset_lock(&one);
		if (i == three)
			stay_with(NULL);
		KEEP_FRAME();
	}
}

static NOINLINE void try_loop(void)
{
	while (!omp_test_lock(&two))
		work();
	stay_with(&two);
	omp_unset_lock(&two);
}

static NOINLINE void try_once(void)
{
	int got = omp_test_lock(&one), more;
	if (got) {
		more = omp_test_lock(&one);
		if (!more)
			stay_with(&one);
		omp_unset_lock(&one);
	}
}

static NOINLINE void try_failed(void)
{
	omp_set_lock(&one);
	if (omp_test_lock(&one))
		return;
	stay_with(&one);
	omp_unset_lock(&one);
}

static NOINLINE void nest(void)
{
	omp_set_nest_lock(&nested);
	omp_set_nest_lock(&nested);
	omp_unset_nest_lock(&nested);
	holds("nest", &nested);
	stay_with(NULL);
	omp_unset_nest_lock(&nested);
	KEEP_FRAME();
}

static NOINLINE void cases(void)
{
	omp_set_lock(&one);
	switch (three) {
	case 0:
		omp_unset_lock(&one);
		return;
	case 1:
		omp_set_lock(&two);
		work();
		break;
	case 2:
		work();
		work();
		break;
	case 3:
		stay_with(&one);
		break;
	case 4:
		work();
		omp_unset_lock(&one);
		omp_set_lock(&one);
		break;
	case 5:
		exit(3);
	}
	omp_unset_lock(&one);
}

static NOINLINE void critical(void)
{
#pragma omp critical(ledger)
	stay_with(NULL);
}

static NOINLINE void region(void)
{
#pragma omp parallel num_threads(2)
	{
		int me = omp_get_thread_num();
		omp_set_lock(&many[me]);
		if (me == 0)
			stay_with(&many[0]);
		omp_unset_lock(&many[me]);
	}
}

/* As philosophers do, each of whose forks the code takes by the same call. */
static NOINLINE void take_forks(int i, int last)
{
	for (int n = 0; n < 2; n++) {
		omp_set_lock(&many[(i + n) % 5]);
		holds("plain", &many[(i + n) % 5]);
		if (n == last)
			stay_with(NULL);
	}
	for (int n = 0; n < 2; n++)
		omp_unset_lock(&many[(i + n) % 5]);
}

static NOINLINE void one_fork(void)
{
	take_forks(three, 0);
	KEEP_FRAME();
}

static NOINLINE void two_forks(void)
{
	take_forks(three, 1);
	KEEP_FRAME();
}

/* Taken and given back under the same condition. */
static NOINLINE void take_perhaps(int taken)
{
	if (taken)
		omp_set_lock(&one);
	work();
	if (taken)
		omp_unset_lock(&one);
	omp_set_lock(&two);
	stay_with(&two);
	omp_unset_lock(&two);
}

static NOINLINE void same_condition(void)
{
	take_perhaps(three);
	KEEP_FRAME();
}

/* What happens so rarely that it is put elsewhere. */
static NOINLINE __attribute__((cold)) void complain(void)
{
	KEEP_FRAME();
}

static NOINLINE void unlikely_way(void)
{
	omp_set_lock(&one);
	if (three == 3) {
		complain();
		omp_set_lock(&two);
		holds("plain", &two);
		stay_with(&one);
		complain();
		omp_unset_lock(&two);
	}
	omp_unset_lock(&one);
}

static const struct scenario scenarios[] = {
	SCENARIO(global),         SCENARIO(global_pointer), SCENARIO(argument),
	SCENARIO(member),         SCENARIO(element),        SCENARIO(local),
	SCENARIO(heap),           SCENARIO(given_back),     SCENARIO(wrapper),
	SCENARIO(guarded),        SCENARIO(early_return),   SCENARIO(loop),
	SCENARIO(loop_global),    SCENARIO(try_loop),       SCENARIO(try_once),
	SCENARIO(try_failed),     SCENARIO(nest),           SCENARIO(cases),
	SCENARIO(region),         SCENARIO(one_fork),       SCENARIO(two_forks),
	SCENARIO(same_condition), SCENARIO(unlikely_way),   SCENARIO(critical),
	{ NULL, NULL },
};

static void init_all(void)
{
	omp_init_lock(&one);
	omp_init_lock(&two);
	omp_init_nest_lock(&nested);
	for (int i = 0; i < 5; i++)
		omp_init_lock(&many[i]);
	for (int i = 0; i < 3; i++)
		omp_init_lock(&accounts[i].lock);
}

int main(int argc, char **argv)
{
	void (*run)(void) = scenario_of(scenarios, argc, argv);

	init_all();
	run();
	return 0;
}
