/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>

#include "base/error.h"
#include "unit.h"

START_TEST(new_formats_its_sentence)
{
	AUTO_ERROR *err = error_new(ERROR_BAD_DATA, "team claims %d threads", 7);

	ck_assert_str_eq(error_message(err), "team claims 7 threads");
	ck_assert_int_eq(error_code(err), ERROR_BAD_DATA);
}
END_TEST

START_TEST(add_puts_context_in_front)
{
	struct error *err = error_new(ERROR_NO_ADDRESS, "no memory at 0x%x", 0x10);

	err = error_add(err, "reading entry %d", 3);
	err = error_add(err, "listing modules");
	ck_assert_error(err, ERROR_NO_ADDRESS,
			"listing modules: reading entry 3: no memory at 0x10");
}
END_TEST

START_TEST(add_does_not_interpret_percent_signs_of_the_old_message)
{
	struct error *err = error_new(ERROR_USAGE, "%s", "100%s %n");

	ck_assert_error(error_add(err, "%s", "%d"), ERROR_USAGE, "%d: 100%s %n");
}
END_TEST

START_TEST(add_keeps_success_and_lack_of_memory_as_they_are)
{
	ck_assert_ptr_null(error_add(NULL, "context"));
	ck_assert_ptr_eq(error_add(&error_nomem, "context"), &error_nomem);
	ck_assert_str_eq(error_message(&error_nomem), "out of memory");
}
END_TEST

static const struct {
	int errnum;
	enum error_code code;
} system_errors[] = {
	{ ENOMEM, ERROR_NOMEM },
	{ ENOENT, ERROR_NOT_FOUND },
	{ EACCES, ERROR_NOT_PERMITTED },
	{ EPERM, ERROR_NOT_PERMITTED },
	{ ESRCH, ERROR_GONE },
	{ ECHILD, ERROR_GONE },
	{ EIO, ERROR_OS },
	{ 0, ERROR_OS },
};

START_TEST(the_first_place_of_an_error_stays)
{
	struct error *err = error_new(ERROR_USAGE, "no such thing");

	err = error_place(err, "near `%s'", "x");
	err = error_place(err, "near `%s'", "1 + x");
	ck_assert_error(error_add(err, "reading"), ERROR_USAGE, "reading: no such thing, near `x'");
	ck_assert_ptr_null(error_place(NULL, "near"));
	ck_assert_ptr_eq(error_place(&error_nomem, "near"), &error_nomem);
}
END_TEST

START_TEST(os_error_has_code_and_text_of_its_errno)
{
	AUTO_ERROR *err = error_os(system_errors[_i].errnum, "opening %s", "x");

	ck_assert_int_eq(error_code(err), system_errors[_i].code);
	ck_assert_int_eq(strncmp(error_message(err), "opening x: ", 11), 0);
	ck_assert_str_eq(error_message(err) + 11, strerror(system_errors[_i].errnum));
}
END_TEST

START_TEST(is_compares_codes_and_takes_null)
{
	AUTO_ERROR *err = error_new(ERROR_GONE, "gone");

	ck_assert(error_is(err, ERROR_GONE));
	ck_assert(!error_is(err, ERROR_OS));
	ck_assert(!error_is(NULL, ERROR_NOMEM));
	ck_assert(error_is(&error_nomem, ERROR_NOMEM));
}
END_TEST

START_TEST(free_takes_null_and_lack_of_memory)
{
	error_free(NULL);
	error_free(&error_nomem);
	ck_assert_str_eq(error_message(&error_nomem), "out of memory");
}
END_TEST

START_TEST(take_leaves_nothing_to_free)
{
	AUTO_FREE char *text = strdup("x");
	char *taken = TAKE(text);

	ck_assert_ptr_null(text);
	ck_assert_str_eq(taken, "x");
	free(taken);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("error");

	unit_case(s, "new", new_formats_its_sentence);
	unit_case(s, "add", add_puts_context_in_front,
		  add_does_not_interpret_percent_signs_of_the_old_message,
		  add_keeps_success_and_lack_of_memory_as_they_are,
		  the_first_place_of_an_error_stays);
	unit_table(s, os_error_has_code_and_text_of_its_errno, system_errors);
	unit_case(s, "is", is_compares_codes_and_takes_null);
	unit_case(s, "free", free_takes_null_and_lack_of_memory, take_leaves_nothing_to_free);
	return unit_run(s);
}
