/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Unit: what all unit tests share: running a suite with TAP output, and checks for errors.
 */
#ifndef UNIT_UNIT_H
#define UNIT_UNIT_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* unit_case(suite, "buf_add", one_test, another_test); */
#define unit_case(suite, name, ...)                                                                \
	unit_add_case(suite, name, (const TTest *const[]){ __VA_ARGS__, NULL })

static inline void unit_add_case(Suite *s, const char *name, const TTest *const *tests)
{
	TCase *tc = tcase_create(name);

	suite_add_tcase(s, tc);
	for (; *tests; tests++)
		tcase_add_test(tc, *tests);
}

/* One test for each row of a table; the test's row number is _i. */
#define unit_table(suite, test, table)                                                             \
	do {                                                                                       \
		TCase *its_case = tcase_create(#table);                                            \
		suite_add_tcase(suite, its_case);                                                  \
		tcase_add_loop_test(its_case, test, 0, (int)COUNT(table));                         \
	} while (0)

/* Runs the suite and frees it; returns what main() returns. */
static inline int unit_run(Suite *s)
{
	SRunner *r = srunner_create(s);

	srunner_set_tap(r, "-");
	srunner_run_all(r, CK_SILENT);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Adds text without its colours: without what stands from an escape to the next "m". */
static inline void unit_add_without_colors(struct buf *without, const struct buf *text)
{
	for (size_t i = 0; i < text->len; i++) {
		if (text->data[i] == '\033')
			i += strcspn(text->data + i, "m");
		else
			buf_addc(without, text->data[i]);
	}
}

#define ck_assert_no_error(expression)                                                             \
	do {                                                                                       \
		struct error *its_error = (expression);                                            \
		ck_assert_msg(!its_error, "%s", its_error ? error_message(its_error) : "");        \
	} while (0)

/* The expression is an error with that code, and "text" is part of its message. */
#define ck_assert_error(expression, code, text)                                                    \
	do {                                                                                       \
		struct error *its_error = (expression);                                            \
		ck_assert_msg(its_error != NULL, "'%s' succeeded", #expression);                   \
		ck_assert_int_eq(error_code(its_error), (code));                                   \
		ck_assert_msg(strstr(error_message(its_error), (text)) != NULL,                    \
			      "'%s' is not part of '%s'", (text), error_message(its_error));       \
		error_free(its_error);                                                             \
	} while (0)

#endif
