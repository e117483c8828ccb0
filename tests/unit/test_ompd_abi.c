/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Our header of the OMPD interface against LLVM's omp-tools.h: values, sizes and offsets as
 * compilers see them, and the prototypes of the entry points as text. OMPD_ABI_H and OMP_TOOLS_H
 * are their paths. Skips where LLVM's is missing.
 */
#include <ctype.h>
#include <stdio.h>

#include "abi_table.h"
#include "unit.h"

#ifndef OMP_TOOLS_H
#define OMP_TOOLS_H ""
#endif

START_TEST(values_sizes_and_offsets_are_the_same)
{
	size_t n = 0;

	for (; abi_of_ours[n].what; n++) {
		ck_assert_str_eq(abi_of_ours[n].what, abi_of_llvm[n].what);
		ck_assert_msg(abi_of_ours[n].value == abi_of_llvm[n].value, "%s: %lld, not %lld",
			      abi_of_ours[n].what, abi_of_ours[n].value, abi_of_llvm[n].value);
	}
	ck_assert_uint_gt(n, 80);
	ck_assert_ptr_null(abi_of_llvm[n].what);
}
END_TEST

/* The file without white space, which no prototype needs for what it means here. */
static char *read_packed(const char *path)
{
	FILE *f = fopen(path, "r");
	size_t n = 0, cap = 1 << 20;
	char *text = malloc(cap);
	int c;

	ck_assert_msg(f && text, "cannot read %s", path);
	while ((c = getc(f)) != EOF && n < cap - 1)
		if (!isspace(c))
			text[n++] = (char)c;
	text[n] = '\0';
	fclose(f);
	return text;
}

/* How many declarations there are that begin so; each must stand in our header too. */
static size_t check_declarations(const char *ours, const char *llvm, const char *start)
{
	const char *at = llvm;
	size_t n = 0;

	while ((at = strstr(at, start))) {
		size_t len = strcspn(at, ";") + 1;
		char prototype[1024];

		ck_assert_uint_lt(len, sizeof(prototype));
		memcpy(prototype, at, len);
		prototype[len] = '\0';
		ck_assert_msg(strstr(ours, prototype) != NULL, "%s", prototype);
		at += len;
		n++;
	}
	return n;
}

START_TEST(prototypes_and_callbacks_are_the_same)
{
	char *ours = read_packed(OMPD_ABI_H), *llvm = read_packed(OMP_TOOLS_H);

	ck_assert_uint_ge(check_declarations(ours, llvm, "ompd_rc_tompd_"), 35);
	ck_assert_uint_ge(check_declarations(ours, llvm, "typedefompd_rc_t(*ompd_callback_"), 8);
	ck_assert_uint_ge(check_declarations(ours, llvm, "voidompd_"), 9);
	free(ours);
	free(llvm);
}
END_TEST

int main(void)
{
	Suite *s;

	if (!abi_of_llvm[0].what) {
		printf("1..0 # SKIP omp-tools.h of LLVM is not installed\n");
		return 77;
	}
	s = suite_create("ompd_abi");
	unit_case(s, "ompd_abi", values_sizes_and_offsets_are_the_same,
		  prototypes_and_callbacks_are_the_same);
	return unit_run(s);
}
