/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* why_locks SCENARIO [TEAM]: threads that wait for each other's locks, and for their own. */
#include <pthread.h>

#include "testprog_why.h"

static int done;
static omp_lock_t left, right, forks[3];
static omp_nest_lock_t nested;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static NOINLINE void work(void)
{
	__atomic_add_fetch(&done, 1, __ATOMIC_SEQ_CST);
	KEEP_FRAME();
}

/* Keeps the compiler from making one call of what two branches end with. */
#define APART(text) __asm__ volatile("# " text ::: "memory")

/* Each has its first lock before any asks for its second. */
static NOINLINE void both_have_one(void)
{
	tell("waits");
	wait_for_arrivals(2);
	KEEP_FRAME();
}

/* ------------------------------------------------------------------------ cycles */

static NOINLINE void ab_ba(void)
{
	if (omp_get_thread_num() == 0) {
		omp_set_lock(&left);
		both_have_one();
		omp_set_lock(&right); /* MARK: left, right */
		APART("left, right");
		work();
		omp_unset_lock(&right);
		omp_unset_lock(&left);
	} else {
		omp_set_lock(&right);
		both_have_one();
		omp_set_lock(&left); /* MARK: right, left */
		APART("right, left");
		work();
		omp_unset_lock(&left);
		omp_unset_lock(&right);
	}
	KEEP_FRAME();
}

/* The same, where the compiler may make one call of both that end in waiting. */
static NOINLINE void merged(void)
{
	if (omp_get_thread_num() == 0) {
		omp_set_lock(&left);
		both_have_one();
		omp_set_lock(&right);
		work();
		omp_unset_lock(&right);
		omp_unset_lock(&left);
	} else {
		omp_set_lock(&right);
		both_have_one();
		omp_set_lock(&left);
		work();
		omp_unset_lock(&left);
		omp_unset_lock(&right);
	}
	KEEP_FRAME();
}

/* Threads 1 and 2 of four; the others wait for them at the end of the region. */
static NOINLINE void two_of_four(void)
{
	int number = omp_get_thread_num();
	if (number == 1) {
		omp_set_lock(&left);
		both_have_one();
		omp_set_lock(&right); /* MARK: four: left, right */
		APART("left, right");
		omp_unset_lock(&right);
		omp_unset_lock(&left);
	} else if (number == 2) {
		omp_set_lock(&right);
		both_have_one();
		omp_set_lock(&left); /* MARK: four: right, left */
		APART("right, left");
		omp_unset_lock(&left);
		omp_unset_lock(&right);
	} else {
		wait_for_arrivals(2);
		tell("waits");
	}
	KEEP_FRAME();
}

static NOINLINE void dining(void)
{
	int number = omp_get_thread_num();
	omp_set_lock(&forks[number]);
	tell("waits");
	wait_for_arrivals(3);
	omp_set_lock(&forks[(number + 1) % 3]); /* MARK: second fork */
	work();
	omp_unset_lock(&forks[(number + 1) % 3]);
	omp_unset_lock(&forks[number]);
	KEEP_FRAME();
}

static NOINLINE void lock_and_critical(void)
{
	if (omp_get_thread_num() == 0) {
		omp_set_lock(&left);
		both_have_one();
#pragma omp critical(ledger) /* MARK: critical with lock */
		work();
		omp_unset_lock(&left);
	} else {
#pragma omp critical(ledger)
		{
			both_have_one();
			omp_set_lock(&left); /* MARK: lock in critical */
			work();
			omp_unset_lock(&left);
		}
	}
	KEEP_FRAME();
}

static NOINLINE void criticals(void)
{
	if (omp_get_thread_num() == 0) {
#pragma omp critical(ledger)
		{
			both_have_one();
#pragma omp critical(journal) /* MARK: journal in ledger */
			work();
			APART("journal in ledger");
		}
	} else {
#pragma omp critical(journal)
		{
			both_have_one();
#pragma omp critical(ledger) /* MARK: ledger in journal */
			work();
			APART("ledger in journal");
		}
	}
	KEEP_FRAME();
}

static NOINLINE void nest_and_plain(void)
{
	if (omp_get_thread_num() == 0) {
		omp_set_nest_lock(&nested);
		omp_set_nest_lock(&nested);
		both_have_one();
		omp_set_lock(&left); /* MARK: plain with nest */
		work();
		omp_unset_lock(&left);
		omp_unset_nest_lock(&nested);
		omp_unset_nest_lock(&nested);
	} else {
		omp_set_lock(&left);
		both_have_one();
		omp_set_nest_lock(&nested); /* MARK: nest with plain */
		work();
		omp_unset_nest_lock(&nested);
		omp_unset_lock(&left);
	}
	KEEP_FRAME();
}

static NOINLINE void lock_and_mutex(void)
{
	if (omp_get_thread_num() == 0) {
		omp_set_lock(&left);
		both_have_one();
		pthread_mutex_lock(&mutex); /* MARK: mutex with lock */
		work();
		pthread_mutex_unlock(&mutex);
		omp_unset_lock(&left);
	} else {
		pthread_mutex_lock(&mutex);
		both_have_one();
		omp_set_lock(&left); /* MARK: lock with mutex */
		work();
		omp_unset_lock(&left);
		pthread_mutex_unlock(&mutex);
	}
	KEEP_FRAME();
}

struct account {
	long balance;
	omp_lock_t lock;
};
static struct account *accounts;

static NOINLINE void transfer(struct account *from, struct account *to, long amount)
{
	omp_set_lock(&from->lock);
	both_have_one();
	omp_set_lock(&to->lock); /* MARK: transfer */
	from->balance -= amount;
	to->balance += amount;
	omp_unset_lock(&to->lock);
	omp_unset_lock(&from->lock);
	KEEP_FRAME();
}

static NOINLINE void in_structs(void)
{
	if (omp_get_thread_num() == 0)
		transfer(&accounts[0], &accounts[1], 10);
	else
		transfer(&accounts[1], &accounts[0], 20);
	KEEP_FRAME();
}

static NOINLINE void all_have_one(void)
{
	tell("waits");
	wait_for_arrivals(3);
	KEEP_FRAME();
}

/* So that the debugger finds it while the thread waits. */
#define KEEP(pointer) __asm__ volatile("" ::"r"(pointer) : "memory")

/* In a member of a global structure, in an array on the heap, and behind pointers. */
static struct bank {
	long id;
	struct account vault;
} bank;

struct entry {
	struct entry *next;
	struct account account;
};

static NOINLINE void wants_slot(omp_lock_t *slots)
{
	omp_set_lock(&bank.vault.lock);
	all_have_one();
	omp_set_lock(&slots[1]); /* MARK: slot */
	work();
	omp_unset_lock(&slots[1]);
	omp_unset_lock(&bank.vault.lock);
	KEEP(slots);
}

static NOINLINE void wants_entry(omp_lock_t *slots, struct entry *first)
{
	omp_set_lock(&slots[1]);
	all_have_one();
	omp_set_lock(&first->next->account.lock); /* MARK: entry */
	work();
	omp_unset_lock(&first->next->account.lock);
	omp_unset_lock(&slots[1]);
	KEEP(first);
}

static NOINLINE void wants_vault(struct entry *first)
{
	omp_set_lock(&first->next->account.lock);
	all_have_one();
	omp_set_lock(&bank.vault.lock); /* MARK: vault */
	work();
	omp_unset_lock(&bank.vault.lock);
	omp_unset_lock(&first->next->account.lock);
	KEEP(first);
}

static omp_lock_t *all_slots;
static struct entry *all_entries;

static NOINLINE void members(void)
{
	switch (omp_get_thread_num()) {
	case 0:
		wants_slot(all_slots);
		break;
	case 1:
		wants_entry(all_slots, all_entries);
		break;
	case 2:
		wants_vault(all_entries);
		break;
	}
	KEEP_FRAME();
}

/*
 * Villages and those that belong to them: who goes down gives back the lock of each child in turn,
 * and keeps that of the village; who comes up has the child's.
 */
static struct village {
	struct village *back, *next, *forward;
	long patients;
	omp_lock_t lock;
} * villages;

static NOINLINE void visit(struct village *child)
{
	child->patients++;
	if (!child->next)
		both_have_one();
	KEEP_FRAME();
}

static NOINLINE void go_down(struct village *village)
{
	omp_set_lock(&village->lock);
	for (struct village *child = village->forward; child; child = child->next) {
		visit(child);
		omp_set_lock(&child->lock); /* MARK: child of village */
		work();
		omp_unset_lock(&child->lock);
	}
	omp_unset_lock(&village->lock);
	KEEP_FRAME();
}

static NOINLINE void come_up(struct village *child)
{
	omp_set_lock(&child->lock);
	both_have_one();
	omp_set_lock(&child->back->lock); /* MARK: village of child */
	work();
	omp_unset_lock(&child->back->lock);
	omp_unset_lock(&child->lock);
	KEEP_FRAME();
}

static NOINLINE void family(void)
{
	if (omp_get_thread_num() == 0)
		go_down(villages);
	else
		come_up(villages + 2);
	KEEP_FRAME();
}

static NOINLINE void acquire(omp_lock_t *lock)
{
	omp_set_lock(lock); /* MARK: acquire */
	KEEP_FRAME();
}

static NOINLINE void release(omp_lock_t *lock)
{
	omp_unset_lock(lock);
	KEEP_FRAME();
}

static NOINLINE void wrappers(void)
{
	omp_lock_t *first = omp_get_thread_num() == 0 ? &left : &right;
	omp_lock_t *second = first == &left ? &right : &left;
	acquire(first);
	both_have_one();
	acquire(second); /* MARK: acquires second */
	work();
	release(second);
	release(first);
	KEEP_FRAME();
}

/* ------------------------------------------------------------------------ one's own */

static NOINLINE void set_twice(void)
{
	omp_set_lock(&left);
	tell("waits");
	omp_set_lock(&left); /* MARK: set twice */
	work();
	omp_unset_lock(&left);
	omp_unset_lock(&left);
	KEEP_FRAME();
}

/* Thread 2 of four; the others wait at a barrier. */
static NOINLINE void self_lock(void)
{
	if (omp_get_thread_num() == 2)
		set_twice(); /* MARK: calls set twice */
	else
		tell("waits");
#pragma omp barrier /* MARK: self lock, barrier */
	KEEP_FRAME();
}

static NOINLINE void add_to_ledger(void)
{
#pragma omp critical(ledger) /* MARK: add to ledger */
	work();
	KEEP_FRAME();
}

static NOINLINE void self_critical(void)
{
	if (omp_get_thread_num() != 0) {
		tell("waits");
		return;
	}
#pragma omp critical(ledger) /* MARK: ledger */
	{
		tell("waits");
		add_to_ledger(); /* MARK: calls add to ledger */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void log_line(void)
{
#pragma omp critical /* MARK: log line */
	work();
	KEEP_FRAME();
}

static NOINLINE void update(void)
{
	tell("waits");
	log_line(); /* MARK: calls log line */
	KEEP_FRAME();
}

/* All want it; the first of them wants it again. */
static NOINLINE void self_unnamed(void)
{
	if (omp_get_thread_num() != 0) {
		wait_for_arrivals(1);
		tell("waits");
	}
#pragma omp critical /* MARK: unnamed */
	{
		update(); /* MARK: calls update */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

/* The second round waits for what the first has forgotten. */
static NOINLINE void self_continue(void)
{
	tell("waits");
	if (omp_get_thread_num() == 1) {
		for (int i = 0; i < 2; i++) {
			omp_set_lock(&left); /* MARK: set in loop */
			if (__atomic_load_n(&done, __ATOMIC_SEQ_CST) == 0)
				continue;
			work();
			omp_unset_lock(&left);
		}
	}
	KEEP_FRAME();
}

/* Around a region in which all want it, the thread that has it among them. */
static NOINLINE void want_left(void)
{
	tell("waits");
	omp_set_lock(&left); /* MARK: want left */
	work();
	omp_unset_lock(&left);
	KEEP_FRAME();
}

static NOINLINE void around_region(void)
{
	omp_set_lock(&left);
	in_team(want_left);
	omp_unset_lock(&left);
	KEEP_FRAME();
}

/* The other one only: the thread that has it waits for that at the end of the region. */
static NOINLINE void worker_wants_left(void)
{
	if (omp_get_thread_num() == 1)
		want_left();
	else
		tell("waits");
	KEEP_FRAME();
}

static NOINLINE void around_worker(void)
{
	omp_set_lock(&left);
	in_team(worker_wants_left);
	omp_unset_lock(&left);
	KEEP_FRAME();
}

static const struct scenario scenarios[] = {
	SCENARIO(ab_ba),
	SCENARIO(merged),
	SCENARIO(two_of_four),
	SCENARIO(dining),
	SCENARIO(lock_and_critical),
	SCENARIO(criticals),
	SCENARIO(nest_and_plain),
	SCENARIO(lock_and_mutex),
	SCENARIO(in_structs),
	SCENARIO(members),
	SCENARIO(family),
	SCENARIO(wrappers),
	SCENARIO(set_twice),
	SCENARIO(self_lock),
	SCENARIO(self_critical),
	SCENARIO(self_unnamed),
	SCENARIO(self_continue),
	SCENARIO(around_region),
	SCENARIO(around_worker),

	{ NULL, NULL },
};

static NOINLINE void init(void)
{
	omp_init_lock(&left);
	omp_init_lock(&right);
	omp_init_nest_lock(&nested);
	for (int i = 0; i < 3; i++)
		omp_init_lock(&forks[i]);
	accounts = calloc(2, sizeof(*accounts));
	if (!accounts)
		FAIL("no memory");
	for (int i = 0; i < 2; i++)
		omp_init_lock(&accounts[i].lock);
	all_slots = calloc(3, sizeof(*all_slots));
	all_entries = calloc(1, sizeof(*all_entries));
	if (!all_slots || !all_entries || !(all_entries->next = calloc(1, sizeof(*all_entries))))
		FAIL("no memory");
	villages = calloc(3, sizeof(*villages));
	if (!villages)
		FAIL("no memory");
	villages[0].forward = &villages[1];
	villages[1].next = &villages[2];
	for (int i = 0; i < 3; i++) {
		villages[i].back = villages;
		omp_init_lock(&villages[i].lock);
	}
	omp_init_lock(&bank.vault.lock);
	omp_init_lock(&all_slots[1]);
	omp_init_lock(&all_entries->next->account.lock);
}

int main(int argc, char **argv)
{
	void (*run)(void) = scenario_of(scenarios, argc, argv);
	init();
	if (run == set_twice || run == around_region || run == around_worker)
		run(); /* MARK: run alone */
	else
		in_team(run); /* MARK: run */
	return 0;
}
