/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What accessors return. */
#include "ompd/gomp/getter.h"

#include <stdio.h>

#include "unit.h"

enum { PC = 0x1000 };

static size_t from_hex(const char *hex, uint8_t *ret)
{
	size_t n = 0;
	unsigned byte;

	for (int taken; sscanf(hex, "%2x%n", &byte, &taken) == 1; hex += taken)
		ret[n++] = (uint8_t)byte;
	return n;
}

static struct gomp_getter follow(const char *hex)
{
	uint8_t code[GOMP_GETTER_CODE];
	struct gomp_getter g;

	gomp_getter_follow(code, from_hex(hex, code), PC, &g);
	return g;
}

/* The same accessor as different compilers and linkers make it. */
struct getter_row {
	const char *hex;
	enum gomp_root root;
	uint64_t slot;
	int64_t tpoff;
	uint8_t nloads;
	int64_t at[2];
};

static const struct getter_row getters[] = {
	/* mov 0x100(%rip),%rax; mov %fs:0x28(%rax),%eax; ret */
	{ "488b0500010000 648b4028 c3", GOMP_ROOT_THREAD, 0x1107, 0, 1, { 0x28 } },
	/* endbr64 first; another register: mov 0x100(%rip),%r8; mov %fs:0x28(%r8),%eax */
	{ "f30f1efa 4c8b0500010000 64418b4028 c3", GOMP_ROOT_THREAD, 0x110b, 0, 1, { 0x28 } },
	/* in an executable: mov $-0x90,%rax; mov %fs:0x28(%rax),%eax */
	{ "48c7c070ffffff 648b4028 c3", GOMP_ROOT_THREAD, 0, -0x90, 1, { 0x28 } },
	/* or with the whole offset in one: mov %fs:-0x68,%eax */
	{ "648b042598ffffff c3", GOMP_ROOT_THREAD, 0, 0, 1, { -0x68 } },
	/* mov %fs:0,%rax; add 0x100(%rip),%rax; mov 0x28(%rax),%eax */
	{ "64488b042500000000 48030500010000 8b4028 c3", GOMP_ROOT_THREAD, 0x1110, 0, 1, { 0x28 } },
	/* the same in an executable: mov $-0x90,%rax; add %fs:0,%rax; mov 0x28(%rax),%eax */
	{ "48c7c070ffffff 6448030425 00000000 8b4028 c3", GOMP_ROOT_THREAD, 0, -0x90, 1, { 0x28 } },
	/* the load from the GOT first: mov 0x100(%rip),%rax; add %fs:0,%rax; lea 0x10(%rax),%rdx;
	   mov 0x18(%rdx),%eax */
	{ "488b0500010000 6448030425 00000000 488d5010 8b4218 c3",
	  GOMP_ROOT_THREAD,
	  0x1107,
	  0,
	  1,
	  { 0x28 } },
	/* two loads, on the way of a branch that is taken: test; je over xor; jmp back */
	{ "488b0500010000 64488b5058 4885d2 7503 31c0 c3 0fb682d5000000 c3",
	  GOMP_ROOT_THREAD,
	  0x1107,
	  0,
	  2,
	  { 0x58, 0xd5 } },
	/* mov 0x100(%rip),%eax */
	{ "8b0500010000 c3", GOMP_ROOT_STATIC, 0, 0, 1, { 0x1106 } },
	{ "b8ff000000 c3", GOMP_ROOT_CONSTANT, 0, 0, 0, { 0 } },
	/* an index register; an instruction that is not known */
	{ "488b0500010000 64428b4428 28 c3", GOMP_ROOT_UNKNOWN, 0, 0, 0, { 0 } },
	{ "488b0500010000 ff10 648b4028 c3", GOMP_ROOT_UNKNOWN, 0, 0, 0, { 0 } },
	{ "8b0488 c3", GOMP_ROOT_UNKNOWN, 0, 0, 0, { 0 } },
};

START_TEST(an_accessor_is_understood_in_every_form)
{
	const struct getter_row *row = &getters[_i];
	struct gomp_getter g = follow(row->hex);
	const struct gomp_path *p = gomp_getter_find(&g, row->root, row->nloads);

	if (row->root == GOMP_ROOT_UNKNOWN) {
		ck_assert_ptr_null(gomp_getter_find(&g, GOMP_ROOT_THREAD, 1));
		return;
	}
	ck_assert_ptr_nonnull(p);
	ck_assert_uint_eq(p->slot, row->slot);
	ck_assert_int_eq(p->tpoff, row->tpoff);
	for (int i = 0; i < row->nloads; i++)
		ck_assert_int_eq(p->at[i], row->at[i]);
}
END_TEST

START_TEST(both_sides_of_a_conditional_move_are_returned)
{
	/* as omp_get_max_threads(): test; lea 0x98(%rdx),%rax; lea G(%rip),%rdx; cmove %rdx,%rax;
	 * mov (%rax),%eax */
	struct gomp_getter g =
		follow("488b0500010000 64488b5058 4885d2 488d8298000000 488d1500020000"
		       " 480f44c2 8b00 c3");

	ck_assert_uint_eq(g.n, 2);
	ck_assert_int_eq(gomp_getter_find(&g, GOMP_ROOT_THREAD, 2)->at[1], 0x98);
	ck_assert_int_eq(gomp_getter_find(&g, GOMP_ROOT_STATIC, 1)->at[0], 0x121d);
}
END_TEST

START_TEST(several_answers_of_one_kind_are_none)
{
	/* test; je; mov 0x100(%rip),%eax; ret; mov 0x200(%rip),%eax; ret */
	struct gomp_getter g = follow("4885d2 7407 8b0500010000 c3 8b0500020000 c3");

	ck_assert_uint_eq(g.n, 2);
	ck_assert_ptr_null(gomp_getter_find(&g, GOMP_ROOT_STATIC, 1));
}
END_TEST

START_TEST(the_address_of_a_lock_is_found)
{
	/* xor %eax,%eax; mov $1,%edx; lock cmpxchg %edx,0x300(%rip); jne; ret */
	struct gomp_getter g = follow("31c0 ba01000000 f00fb11500030000 7501 c3");

	ck_assert_int_eq(g.locks.root, GOMP_ROOT_STATIC);
	ck_assert_int_eq(g.locks.add, 0x130f);
}
END_TEST

START_TEST(endless_loops_end)
{
	/* jmp to itself; je to itself; a loop that loads */
	ck_assert_uint_eq(follow("ebfe").n, 0);
	ck_assert_uint_le(follow("74fe c3").n, GOMP_GETTER_RETURNS);
	ck_assert_uint_le(follow("488b00 74fb c3").n, GOMP_GETTER_RETURNS);
}
END_TEST

START_TEST(random_code_is_followed_to_an_end)
{
	uint64_t state = 1;

	for (int i = 0; i < 100000; i++) {
		uint8_t code[GOMP_GETTER_CODE];
		struct gomp_getter g;

		for (size_t k = 0; k < sizeof(code); k++) {
			state = state * 6364136223846793005ULL + 1442695040888963407ULL;
			code[k] = (uint8_t)(state >> 56);
			/* Mostly of the opcodes that are known. */
			if (state >> 40 & 3)
				code[k] = (const uint8_t[]){
					0x48, 0x8b, 0x64, 0x0f, 0x74, 0x44, 0x8d, 0x05
				}[state >> 45 & 7];
		}
		gomp_getter_follow(code, sizeof(code), state, &g);
		ck_assert_uint_le(g.n, GOMP_GETTER_RETURNS);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("gomp_getter");

	unit_table(s, an_accessor_is_understood_in_every_form, getters);
	unit_case(s, "getter", both_sides_of_a_conditional_move_are_returned,
		  several_answers_of_one_kind_are_none, the_address_of_a_lock_is_found,
		  endless_loops_end, random_code_is_followed_to_an_end);
	return unit_run(s);
}
