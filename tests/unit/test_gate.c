/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nobody passes a gate before all have come, or have left. */
#include "target/process/gate.h"

#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

/* Writes its letter when it has passed; one that goes first writes a '-' before it comes. */
static pid_t come(struct gate *g, int to, char letter, bool tells)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	if (tells && write(to, "-", 1) != 1)
		_exit(1);
	gate_meet(g, GATE_READY);
	_exit(write(to, &letter, 1) != 1);
}

static void expect_end(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

START_TEST(all_pass_when_the_last_has_come)
{
	struct gate *g = gate_new(3);
	pid_t pids[3];
	int ends[2];
	char said[4];

	ck_assert_ptr_nonnull(g);
	ck_assert_int_eq(pipe(ends), 0);
	for (int i = 0; i < 3; i++)
		pids[i] = come(g, ends[1], 'x', i == 2);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(read(ends[0], &said[i], 1), 1);
	ck_assert_mem_eq(said, "-xxx", 4);
	for (int i = 0; i < 3; i++)
		expect_end(pids[i]);
	gate_free(g);
}
END_TEST

START_TEST(who_leaves_is_not_waited_for)
{
	struct gate *g = gate_new(2);
	int ends[2];
	char c;

	ck_assert_ptr_nonnull(g);
	ck_assert_int_eq(pipe(ends), 0);
	pid_t pid = come(g, ends[1], 'x', false);
	gate_leave(g);
	ck_assert_int_eq(read(ends[0], &c, 1), 1);
	expect_end(pid);
	gate_free(g);
}
END_TEST

/* This one waits half a second: there is no other way to see that it does not wait for ever. */
START_TEST(who_is_too_late_is_not_waited_for)
{
	struct gate *g = gate_new(2);

	ck_assert_ptr_nonnull(g);
	gate_meet(g, GATE_INTERRUPTED);
	gate_meet(NULL, GATE_INTERRUPTED);
	gate_leave(NULL);
	gate_free(g);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("gate");

	unit_case(s, "gate", all_pass_when_the_last_has_come, who_leaves_is_not_waited_for,
		  who_is_too_late_is_not_waited_for);
	return unit_run(s);
}
