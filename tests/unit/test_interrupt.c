/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/interrupt.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

/* How a child ends that is interrupted so often while its user types that. */
static int status_of(const char *typed, int times, bool takes, const char *question)
{
	int ends[2], status = 0;

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], typed, strlen(typed)), (ssize_t)strlen(typed));
	close(ends[1]);
	pid_t child = fork();
	if (!child) {
		dup2(ends[0], STDIN_FILENO);
		interrupt_init();
		interrupt_offer_end(question);
		for (int i = 0; i < times; i++) {
			raise(SIGINT);
			if (takes && !interrupt_take())
				_exit(9);
		}
		_exit(takes == interrupt_is_pending() ? 8 : 7);
	}
	close(ends[0]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

START_TEST(one_that_nobody_takes_is_asked_about)
{
	ck_assert_int_eq(status_of("y\n", 1, false, "End? "), 7);
	ck_assert_int_eq(status_of("y\n", 2, false, "End? "), 130);
	ck_assert_int_eq(status_of("Yes\n", 2, false, "End? "), 130);
	ck_assert_int_eq(status_of("n\ny\n", 2, false, "End? "), 7);
	ck_assert_int_eq(status_of("n\ny\n", 3, false, "End? "), 130);
	ck_assert_int_eq(status_of("no, yes\n", 2, false, "End? "), 7);
	ck_assert_int_eq(status_of("", 5, false, "End? "), 7);
	ck_assert_int_eq(status_of("y\n", 2, false, NULL), 7);
}
END_TEST

START_TEST(an_answer_ends_with_its_line_whatever_mode_the_terminal_is_in)
{
	ck_assert_int_eq(status_of("n\ry\r", 2, false, "End? "), 7);
	ck_assert_int_eq(status_of("n\ry\r", 3, false, "End? "), 130);
}
END_TEST

START_TEST(who_listens_is_not_asked)
{
	interrupt_listen(true);
	ck_assert_int_eq(status_of("y\n", 5, false, "End? "), 7);
	interrupt_listen(false);
	ck_assert_int_eq(status_of("y\n", 5, false, "End? "), 130);
}
END_TEST

START_TEST(those_that_are_taken_are_not)
{
	ck_assert_int_eq(status_of("y\n", 5, true, "End? "), 7);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("interrupt");

	unit_case(s, "asking", one_that_nobody_takes_is_asked_about,
		  an_answer_ends_with_its_line_whatever_mode_the_terminal_is_in,
		  who_listens_is_not_asked, those_that_are_taken_are_not);
	return unit_run(s);
}
