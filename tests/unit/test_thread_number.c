/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the body begins behind what clang 19 puts before it, in code that it has made. */
#include "fake_target.h"
#include "hex.h"
#include "target/symbols/thread_number.h"
#include "unit.h"

enum { CODE = 0x401000, IDENT = 0x405000 };

/* lea IDENT(%rip),%rdi; call */
#define ASKS "48 8d 3d f9 3f 00 00 e8 10 00 00 00 "

/* flags: of the ident_t; returns how many bytes of the code count to it. */
static taddr behind(const char *code, int32_t flags)
{
	const int32_t ident[] = { 0, flags, 0, 22 };
	struct fake_target *f = fake_target_new();
	uint8_t bytes[HEX_MAX];
	size_t n = hex_bytes(code, bytes);

	fake_target_add(f, CODE, bytes, n);
	fake_target_add(f, IDENT, ident, sizeof(ident));
	taddr end = thread_number_end(&f->base, CODE, CODE + n);
	target_free(&f->base);
	return end - CODE;
}

START_TEST(all_of_a_row_with_nothing_else)
{
	ck_assert_uint_eq(behind(ASKS, 2), 12);
	/* mov -0x20(%rbp),%edi; mov %eax,-0x1c(%rbp); mov %edi,-8(%rbp) */
	ck_assert_uint_eq(behind(ASKS "8b 7d e0 89 45 e4 89 7d f8", 2), 21);
	/* lea IDENT(%rip),%rbx; mov %rbx,%rdi; call; mov %eax,%ebp */
	ck_assert_uint_eq(behind("48 8d 1d f9 3f 00 00 48 89 df e8 10 00 00 00 89 c5", 2), 17);
}
END_TEST

START_TEST(where_a_construct_follows_the_arguments_alone)
{
	/* mov -8(%rbp),%edi; mov %eax,%esi; mov %edi,-4(%rbp); mov -4(%rbp),%edx; lea; call */
	ck_assert_uint_eq(behind(ASKS "8b 7d f8 89 c6 89 7d fc 8b 55 fc " ASKS, 2), 20);
	/* movsd -0x10(%rbp),%xmm0; movsd %xmm0,-8(%rbp); lea; call */
	ck_assert_uint_eq(behind(ASKS "f2 0f 10 45 f0 f2 0f 11 45 f8 " ASKS, 2), 22);
	/* mov %eax,-4(%rbp); lea; call: there are none */
	ck_assert_uint_eq(behind(ASKS "89 45 fc " ASKS, 2), 0);
	/* mov -8(%rbp),%edi; mov %edi,-4(%rbp); inc %edi, which is the last one */
	ck_assert_uint_eq(behind(ASKS "8b 7d f8 89 7d fc ff c7", 2), 18);
}
END_TEST

START_TEST(nothing_of_other_code)
{
	/* No ident_t; an argument more; not the first argument; no call. */
	ck_assert_uint_eq(behind(ASKS, 0), 0);
	ck_assert_uint_eq(behind("be 01 00 00 00 48 8d 3d f4 3f 00 00 e8 10 00 00 00", 2), 0);
	ck_assert_uint_eq(behind("48 8d 35 f9 3f 00 00 e8 10 00 00 00", 2), 0);
	ck_assert_uint_eq(behind("48 8d 3d f9 3f 00 00", 2), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("thread_number");

	unit_case(s, "thread_number_end", all_of_a_row_with_nothing_else,
		  where_a_construct_follows_the_arguments_alone, nothing_of_other_code);
	return unit_run(s);
}
