/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/gate.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

/* Microseconds. While they wait for the second step, processes stand still. */
static const int64_t patience[NUM_GATE_STEPS] = { [GATE_READY] = 5000000, [GATE_STOPPED] = 500000 };

struct gate {
	uint32_t changes; /* of all below: what is slept on */
	int due;
	int come[NUM_GATE_STEPS];
};

struct gate *gate_new(int n)
{
	struct gate *g =
		mmap(NULL, sizeof(*g), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (g == MAP_FAILED)
		return NULL;
	g->due = n;
	return g;
}

void gate_free(struct gate *g)
{
	if (g)
		munmap(g, sizeof(*g));
}

static int get(const int *number)
{
	return __atomic_load_n(number, __ATOMIC_SEQ_CST);
}

static bool is_open(const struct gate *g, enum gate_step step)
{
	return get(&g->come[step]) >= get(&g->due);
}

/* Wakes those who wait, once for each gate that opens: while each wakes all, processes stand still.
 */
static void tell(struct gate *g)
{
	__atomic_add_fetch(&g->changes, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &g->changes, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void gate_meet(struct gate *g, enum gate_step step)
{
	const int64_t end = clock_us() + patience[step];

	if (!g)
		return;
	__atomic_add_fetch(&g->come[step], 1, __ATOMIC_SEQ_CST);
	if (is_open(g, step))
		tell(g);
	for (;;) {
		const uint32_t before = __atomic_load_n(&g->changes, __ATOMIC_SEQ_CST);
		const int64_t left = end - clock_us();
		const struct timespec most = { .tv_sec = left / 1000000,
					       .tv_nsec = left % 1000000 * 1000 };
		if (is_open(g, step) || left <= 0)
			return;
		syscall(SYS_futex, &g->changes, FUTEX_WAIT, before, &most, NULL, 0);
	}
}

void gate_leave(struct gate *g)
{
	if (!g)
		return;
	__atomic_sub_fetch(&g->due, 1, __ATOMIC_SEQ_CST);
	for (enum gate_step step = 0; step < NUM_GATE_STEPS; step++) {
		if (is_open(g, step)) {
			tell(g);
			break;
		}
	}
}
