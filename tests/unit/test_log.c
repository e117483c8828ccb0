/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "unit.h"

START_TEST(all_domains_are_off_at_first)
{
	for (int domain = 0; domain < LOG_DOMAINS; domain++)
		ck_assert(!log_on(domain));
}
END_TEST

START_TEST(enable_turns_on_the_named_domains_only)
{
	ck_assert_no_error(log_enable("ptrace,unwind"));
	ck_assert(log_on(LOG_PTRACE));
	ck_assert(log_on(LOG_UNWIND));
	ck_assert(!log_on(LOG_MODULE));
	ck_assert(!log_on(LOG_SYMBOL));
	ck_assert_no_error(log_enable("module"));
	ck_assert(log_on(LOG_MODULE) && log_on(LOG_PTRACE));
}
END_TEST

START_TEST(enable_all_turns_on_every_domain)
{
	ck_assert_no_error(log_enable("all"));
	for (int domain = 0; domain < LOG_DOMAINS; domain++)
		ck_assert(log_on(domain));
}
END_TEST

static const char *const wrong_names[] = { "nonsense", "ptrac",           "ptraces",       ",",
					   "al",       "ptrace,nonsense", "module,,ptrace" };

START_TEST(enable_refuses_unknown_domains_and_lists_the_known)
{
	ck_assert_error(log_enable(wrong_names[_i]), ERROR_USAGE,
			"use all, ptrace, module, symbol, unwind, ompd");
	ck_assert_uint_eq(log_switch, 0);
}
END_TEST

/* What "print" makes of stderr. */
static void capture_stderr(void (*print)(void), struct buf *ret)
{
	FILE *file = tmpfile();

	ck_assert_ptr_nonnull(file);
	fflush(stderr);
	int saved = dup(STDERR_FILENO);
	dup2(fileno(file), STDERR_FILENO);
	print();
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	ck_assert_no_error(buf_add_fd(ret, fileno(file), 4096));
	fclose(file);
}

static int evaluated;

static int evaluate(void)
{
	return ++evaluated;
}

static void print_debug(void)
{
	log_debug(LOG_SYMBOL, "value %d of '%s'", evaluate(), "a\033b");
}

START_TEST(debug_prints_one_safe_line_when_its_domain_is_on)
{
	AUTO_BUF text = { 0 };

	ck_assert_no_error(log_enable("symbol"));
	capture_stderr(print_debug, &text);
	ck_assert_str_eq(buf_text(&text), "ompdb: symbol: value 1 of 'a\\x1bb'\n");
}
END_TEST

START_TEST(debug_does_nothing_when_its_domain_is_off)
{
	AUTO_BUF text = { 0 };

	ck_assert_no_error(log_enable("ptrace"));
	capture_stderr(print_debug, &text);
	ck_assert_str_eq(buf_text(&text), "");
	ck_assert_int_eq(evaluated, 0);
}
END_TEST

static int errno_after;

static void print_to_closed_stderr(void)
{
	close(STDERR_FILENO);
	errno = ECHILD;
	log_debug(LOG_PTRACE, "text");
	errno_after = errno;
}

START_TEST(print_keeps_errno)
{
	AUTO_BUF text = { 0 };

	ck_assert_no_error(log_enable("ptrace"));
	capture_stderr(print_to_closed_stderr, &text);
	ck_assert_int_eq(errno_after, ECHILD);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("log");

	unit_case(s, "enable", all_domains_are_off_at_first, enable_turns_on_the_named_domains_only,
		  enable_all_turns_on_every_domain);
	unit_table(s, enable_refuses_unknown_domains_and_lists_the_known, wrong_names);
	unit_case(s, "debug", debug_prints_one_safe_line_when_its_domain_is_on,
		  debug_does_nothing_when_its_domain_is_off, print_keeps_errno);
	return unit_run(s);
}
