/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/source_storage.h"

#include <string.h>

#include "unit.h"

/* A text, the line of a variable x in it, and what its declaration says. */
static const struct {
	const char *text;
	int line;
	enum source_storage storage;
} rows[] = {
	{ "int x;", 1, STORAGE_UNSAID },
	{ "static int x;", 1, STORAGE_STATIC },
	{ "static\nint a,\nx;", 3, STORAGE_STATIC },
	{ "static int a; int x;", 1, STORAGE_UNSAID },
	{ "static int a[] = { 1, { 2 }, }, x;", 1, STORAGE_STATIC },
	{ "static int f(void)\n{ int x; }", 2, STORAGE_UNSAID },
	{ "{ static int a; } int x;", 1, STORAGE_UNSAID },
	{ "static thread_local int x = 1;", 1, STORAGE_THREAD },
	{ "_Thread_local static int x;", 1, STORAGE_THREAD },
	{ "/* static */ int x;", 1, STORAGE_UNSAID },
	{ "static int x;\nint x;", 2, STORAGE_UNSAID },
	{ "static int y;", 1, STORAGE_UNSAID },
	{ "static int x;", 2, STORAGE_UNSAID },
	{ "static int y = { {", 1, STORAGE_UNSAID },
	{ "static int f(int x)", 1, STORAGE_UNSAID },
	{ "static __attribute__((unused)) void f(int n, int x)\n{", 1, STORAGE_UNSAID },
	{ "static int (*x)(void);", 1, STORAGE_STATIC },
	{ "static _Alignas(16) int x;", 1, STORAGE_STATIC },
	{ "", 1, STORAGE_UNSAID },
};

START_TEST(what_a_declaration_says)
{
	const char *text = rows[_i].text;

	ck_assert_int_eq(source_storage_find(text, strlen(text), rows[_i].line, "x"),
			 rows[_i].storage);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("source_storage");

	unit_table(s, what_a_declaration_says, rows);
	return unit_run(s);
}
