/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * hit_rate break|ignore|thread|watch WHERE SPAN HOT THREADS SLEEPERS N: runs HOT (hot.c) under the
 * live target, with a point at address WHERE that stops nobody, in as many ways; SPAN is the end of
 * the program's code, behind which memory is lent. Prints hits and microseconds for each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "target/process/condition.h"
#include "target/process/live.h"

static double now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

static void check(struct error *err)
{
	if (!err)
		return;
	fprintf(stderr, "hit_rate: %s\n", error_message(err));
	exit(1);
}

/* rdi == -1 */
static const uint8_t is_minus_one[] = {
	CONDITION_REGISTER, 7, CONDITION_CONST, 255, 255, 255, 255, 255, 255, 255, 255,
	CONDITION_EQUAL
};
static const uint8_t never[] = { CONDITION_PC, CONDITION_NOT };

static struct point point_of(const char *how, taddr at)
{
	struct point p = { .id = 1, .addr = at };

	if (!strcmp(how, "break"))
		p.condition = is_minus_one, p.condition_size = sizeof(is_minus_one);
	if (!strcmp(how, "ignore"))
		p.ignore = UINT64_MAX;
	if (!strcmp(how, "thread"))
		p.lwp = 1;
	if (!strcmp(how, "watch")) {
		p.kind = POINT_WRITE;
		p.size = 8;
		p.condition = never;
		p.condition_size = sizeof(never);
	}
	return p;
}

/* Runs until all threads have been made. */
static void run(struct target *t, size_t threads, struct event *event)
{
	bool timed = false;

	do {
		check(target_resume(t, NULL, RESUME_CONTINUE));
		if (timed)
			break;
		check(target_wait(t, -1, event));
		timed = t->threads.len > threads;
	} while (event->stop.kind != STOP_EXITED);
}

int main(int argc, char **argv)
{
	struct event event = { 0 };
	struct target *t = NULL;

	if (argc != 8)
		return 2;
	const char *program[] = { argv[4], argv[5], argv[6], argv[7], NULL };
	struct launch_command command = { .argv = program, .fds = { -1, -1, -1 } };
	check(live_launch(&command, &t));
	taddr where = strtoull(argv[2], NULL, 0), end = strtoull(argv[3], NULL, 0);
	struct point p = point_of(argv[1], where);
	if (end % MEMORY_PAGE)
		check(target_lend(t, end, (end + MEMORY_PAGE - 1) & ~(taddr)(MEMORY_PAGE - 1)));
	check(target_set_point(t, &p));
	run(t, strtoul(argv[5], NULL, 0) + strtoul(argv[6], NULL, 0), &event);
	double start = now_us();
	while (event.stop.kind != STOP_EXITED)
		check(target_wait(t, -1, &event));
	double us = now_us() - start;
	struct point_state state;
	check(target_point_state(t, 1, &state));
	double hits = strtod(argv[5], NULL) * strtod(argv[7], NULL);
	printf("%lu %.3f\n", (unsigned long)state.hits, us / hits);
	target_free(t);
	return 0;
}
