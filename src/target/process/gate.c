/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/gate.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

/*
 * Microseconds. While others are awaited to have seized theirs, a thread that gets a signal stands
 * still; while they are awaited to have interrupted them, all do.
 */
static const int64_t patience[NUM_GATE_STEPS] = {
	[GATE_READY] = 5000000,
	[GATE_SEIZED] = 500000,
	[GATE_INTERRUPTED] = 500000,
	[GATE_RELEASED] = 500000,
};

/* In memory that all share. */
struct counts {
	uint32_t changes; /* of all below: what is slept on */
	int due[NUM_GATE_STEPS], come[NUM_GATE_STEPS];
};

struct gate {
	struct counts *counts;    /* owned                                    */
	bool met[NUM_GATE_STEPS]; /* steps that this process is not due at (any more) */
};

struct gate *gate_new(int n)
{
	struct gate *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	struct counts *counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counts == MAP_FAILED) {
		free(g);
		return NULL;
	}
	for (int step = 0; step < NUM_GATE_STEPS; step++)
		counts->due[step] = n;
	g->counts = counts;
	return g;
}

void gate_free(struct gate *g)
{
	if (!g)
		return;
	munmap(g->counts, sizeof(*g->counts));
	free(g);
}

static bool is_open(const struct counts *c, enum gate_step step)
{
	return __atomic_load_n(&c->come[step], __ATOMIC_SEQ_CST) >=
	       __atomic_load_n(&c->due[step], __ATOMIC_SEQ_CST);
}

/* Wakes those who wait if the step is open by now: while each wakes all, processes stand still. */
static void tell_if_open(struct counts *c, enum gate_step step)
{
	if (!is_open(c, step))
		return;
	__atomic_add_fetch(&c->changes, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &c->changes, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void wait_until_open(struct counts *c, enum gate_step step)
{
	const int64_t end = clock_us() + patience[step];

	for (;;) {
		const uint32_t before = __atomic_load_n(&c->changes, __ATOMIC_SEQ_CST);
		const int64_t left = end - clock_us();
		const struct timespec most = { .tv_sec = left / 1000000,
					       .tv_nsec = left % 1000000 * 1000 };
		if (is_open(c, step) || left <= 0)
			return;
		syscall(SYS_futex, &c->changes, FUTEX_WAIT, before, &most, NULL, 0);
	}
}

void gate_meet(struct gate *g, enum gate_step step)
{
	if (!g || g->met[step])
		return;
	g->met[step] = true;
	__atomic_add_fetch(&g->counts->come[step], 1, __ATOMIC_SEQ_CST);
	tell_if_open(g->counts, step);
	wait_until_open(g->counts, step);
}

void gate_leave(struct gate *g)
{
	for (enum gate_step step = 0; g && step < NUM_GATE_STEPS; step++) {
		if (g->met[step])
			continue;
		__atomic_sub_fetch(&g->counts->due[step], 1, __ATOMIC_SEQ_CST);
		tell_if_open(g->counts, step);
	}
}
