/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Single instructions, emulated and copied. test_passing.c lets a processor be the judge. */
#include "target/cpu/emulate_x86_64.h"

#include <sys/user.h>

#include "hex.h"
#include "target/cpu/insn_x86_64.h"
#include "unit.h"

enum { AT = 0x401000, STACK = 0x7000, STACK_SIZE = 64, FS = 0x7010, ON_STACK = 0x402222 };
enum { CARRY = 1, PARITY = 4, ZERO = 0x40, SIGN = 0x80, TRAP = 0x100, OVERFLOW = 0x800 };

static uint8_t stack[STACK_SIZE];

static bool find(uint64_t at, size_t len)
{
	return at >= STACK && at + len <= STACK + STACK_SIZE;
}

static bool read_stack(void *context, uint64_t from, void *ret, size_t len)
{
	(void)context;
	if (!find(from, len))
		return false;
	memcpy(ret, stack + (from - STACK), len);
	return true;
}

static bool write_stack(void *context, uint64_t to, const void *bytes, size_t len)
{
	(void)context;
	if (!find(to, len))
		return false;
	memcpy(stack + (to - STACK), bytes, len);
	return true;
}

static uint64_t word(size_t at)
{
	uint64_t value;

	memcpy(&value, stack + at, sizeof(value));
	return value;
}

static bool emulate(const char *text, struct user_regs_struct *regs)
{
	static const struct emulate_memory memory = { read_stack, write_stack, NULL };
	uint8_t bytes[HEX_MAX];
	size_t n = hex_bytes(text, bytes);
	uint64_t there = ON_STACK;

	memset(stack, 0, sizeof(stack));
	memcpy(stack + 32, &there, sizeof(there));
	return emulate_x86_64(bytes, n, AT, (uint8_t *)regs, &memory);
}

static struct user_regs_struct start(uint64_t flags)
{
	return (struct user_regs_struct){ .rip = AT,
					  .rsp = STACK + 32,
					  .rax = ON_STACK,
					  .rcx = 1,
					  .rdx = STACK + 24,
					  .r8 = 8,
					  .fs_base = FS,
					  .eflags = flags };
}

static const struct {
	const char *code;
	uint64_t flags, rip;
	int sp;          /* change of it          */
	uint64_t pushed; /* at the new sp, 0: any */
} rows[] = {
	{ "90", 0, AT + 1, 0, ON_STACK },
	{ "f3 0f 1e fa", 0, AT + 4, 0, ON_STACK },
	{ "0f 1f 44 00 00", 0, AT + 5, 0, ON_STACK },
	{ "50", 0, AT + 1, -8, ON_STACK },
	{ "54", 0, AT + 1, -8, STACK + 32 },
	{ "41 50", 0, AT + 2, -8, 8 },
	{ "9c", 0x202 | TRAP, AT + 1, -8, 0x202 },
	{ "e8 00 10 00 00", 0, AT + 0x1005, -8, AT + 5 },
	{ "e9 fb ff ff ff", 0, AT, 0, 0 },
	{ "eb 10", 0, AT + 0x12, 0, 0 },
	{ "c3", 0, ON_STACK, 8, 0 },
	{ "f3 c3", 0, ON_STACK, 8, 0 },
	{ "c2 08 00", 0, ON_STACK, 16, 0 },
	{ "ff d0", 0, ON_STACK, -8, AT + 2 },
	{ "ff e0", 0, ON_STACK, 0, 0 },
	{ "ff 14 24", 0, ON_STACK, -8, AT + 3 },
	{ "ff 54 c2 00", 0, ON_STACK, -8, 0 }, /* fails: rdx + rax * 8 is nowhere */
	{ "42 ff 24 02", 0, ON_STACK, 0, 0 },  /* rdx + r8 */
	{ "64 ff 24 25 10 00 00 00", 0, ON_STACK, 0, 0 },
	{ "ff 25 fa 6f c0 ff", 0, 0, 0, 0 }, /* fails: 8000 */
	{ "74 10", ZERO, AT + 0x12, 0, 0 },
	{ "74 10", CARRY, AT + 2, 0, 0 },
	{ "75 10", CARRY, AT + 0x12, 0, 0 },
	{ "72 10", CARRY, AT + 0x12, 0, 0 },
	{ "73 10", CARRY, AT + 2, 0, 0 },
	{ "76 10", ZERO, AT + 0x12, 0, 0 },
	{ "77 10", 0, AT + 0x12, 0, 0 },
	{ "78 10", SIGN, AT + 0x12, 0, 0 },
	{ "7a 10", PARITY, AT + 0x12, 0, 0 },
	{ "70 10", OVERFLOW, AT + 0x12, 0, 0 },
	{ "7c 10", SIGN | OVERFLOW, AT + 2, 0, 0 },
	{ "7c 10", OVERFLOW, AT + 0x12, 0, 0 },
	{ "7e 10", ZERO, AT + 0x12, 0, 0 },
	{ "7f 10", SIGN | OVERFLOW, AT + 0x12, 0, 0 },
	{ "0f 84 00 01 00 00", ZERO, AT + 0x106, 0, 0 },
	{ "0f 8d 00 01 00 00", SIGN, AT + 6, 0, 0 },
	{ "e2 10", 0, AT + 2, 0, 0 },
	{ "e1 10", ZERO, AT + 2, 0, 0 },
	{ "e3 10", 0, AT + 2, 0, 0 },
};

START_TEST(an_instruction_is_emulated)
{
	struct user_regs_struct regs = start(rows[_i].flags), before = regs;

	bool done = emulate(rows[_i].code, &regs);
	if (strstr(rows[_i].code, "54 c2 00") || strstr(rows[_i].code, "fa 6f c0")) {
		ck_assert(!done);
		ck_assert_mem_eq(&regs, &before, sizeof(regs));
		return;
	}
	ck_assert_msg(done, "%s", rows[_i].code);
	ck_assert_uint_eq(regs.rip, rows[_i].rip);
	ck_assert_int_eq((int64_t)(regs.rsp - before.rsp), rows[_i].sp);
	if (rows[_i].pushed)
		ck_assert_uint_eq(word(regs.rsp - STACK), rows[_i].pushed);
	ck_assert_uint_eq(regs.eflags, before.eflags);
}
END_TEST

START_TEST(registers_are_moved)
{
	struct user_regs_struct regs = start(0);

	ck_assert(emulate("48 89 e5", &regs)); /* mov %rsp,%rbp */
	ck_assert_uint_eq(regs.rbp, STACK + 32);
	regs.rax = UINT64_MAX;
	ck_assert(emulate("89 c7", &regs)); /* mov %eax,%edi */
	ck_assert_uint_eq(regs.rdi, UINT32_MAX);
	ck_assert(emulate("4c 8d 4c 24 08", &regs)); /* lea 8(%rsp),%r9 */
	ck_assert_uint_eq(regs.r9, STACK + 40);
	regs.rcx = 2;
	ck_assert(emulate("e2 10", &regs));
	ck_assert_uint_eq(regs.rcx, 1);
	ck_assert_uint_eq(regs.rip, AT + 0x12);
}
END_TEST

/* What is executed, whatever happens; and what would fault. */
static const char *const refused[] = { "0f 05",    "cc",    "f4", "66 e8 00 10 00 00",
				       "67 e2 10", "cd 80", "9d", "48 83 ec 08",
				       "65 ff 20", "66 50" };

START_TEST(what_is_not_certain_is_not_emulated)
{
	struct user_regs_struct regs = start(0), before = regs;

	ck_assert_msg(!emulate(refused[_i], &regs), "%s", refused[_i]);
	ck_assert_mem_eq(&regs, &before, sizeof(regs));
}
END_TEST

START_TEST(what_would_fault_is_not_emulated)
{
	struct user_regs_struct regs = start(0);

	regs.rsp = STACK;
	ck_assert(!emulate("50", &regs));
	ck_assert(!emulate("e8 00 10 00 00", &regs));
	ck_assert_uint_eq(regs.rip, AT);
	regs.rax = UINT64_C(1) << 60;
	ck_assert(!emulate("ff e0", &regs));
	regs.rsp = STACK + STACK_SIZE;
	ck_assert(!emulate("c3", &regs));
}
END_TEST

/* ---- copies ----------------------------------------------------------------------------- */

static const struct {
	const char *code;
	uint64_t to; /* 0: there is no copy */
	uint64_t refers_to;
} copies[] = {
	{ "55", AT + 0x800, 0 },
	{ "48 83 ec 08", AT - 0x10000, 0 },
	{ "f3 a4", AT + 0x800, 0 },
	{ "8b 05 00 10 00 00", AT + 0x800, AT + 0x1006 },
	{ "48 8d 05 f0 ff ff ff", AT + 0x800, AT - 9 },
	{ "c7 05 10 00 00 00 78 56 34 12", AT + 0x123, AT + 0x1a },
	{ "c5 fa 10 05 08 00 00 00", AT + 0x800, AT + 0x10 },
	{ "e8 00 00 00 00", 0, 0 },
	{ "ff 25 00 10 00 00", 0, 0 },
	{ "74 10", 0, 0 },
	{ "c3", 0, 0 },
	{ "0f 05", 0, 0 },
	{ "cc", 0, 0 },
	{ "0f 01 d5", 0, 0 },
	{ "67 8b 05 00 10 00 00", 0, 0 },
};

START_TEST(a_copy_does_the_same_and_goes_back)
{
	uint8_t bytes[HEX_MAX], copied[INSN_COPY_MAX];
	size_t n = hex_bytes(copies[_i].code, bytes), size = 0;
	struct insn before, insn;
	uint64_t to = copies[_i].to;

	size_t got = emulate_x86_64_copy(bytes, n, AT, to ? to : AT + 0x800, copied, &size);
	ck_assert_uint_eq(got, to ? n : 0);
	if (!to)
		return;
	ck_assert_uint_eq(size, n + 5);
	ck_assert(insn_x86_64_decode(bytes, n, AT, &before));
	ck_assert(insn_x86_64_decode(copied, n, to, &insn));
	ck_assert_int_eq(insn.kind, before.kind);
	ck_assert_uint_eq(insn.writes, before.writes);
	ck_assert_uint_eq(insn.kind == INSN_CONSTANT ? insn.value : insn.displacement,
			  copies[_i].refers_to);
	ck_assert(insn_x86_64_decode(copied + n, size - n, to + n, &insn));
	ck_assert_int_eq(insn.kind, INSN_JUMP);
	ck_assert_uint_eq(insn.value, AT + n);
}
END_TEST

START_TEST(there_is_no_copy_too_far_away)
{
	uint8_t copied[INSN_COPY_MAX], code[HEX_MAX];
	uint64_t far = AT + (UINT64_C(1) << 31);
	size_t size, n = hex_bytes("8b 05 00 00 00 00", code);

	ck_assert_uint_eq(emulate_x86_64_copy(code, n, AT, far + 0x100, copied, &size), 0);
	ck_assert_uint_eq(emulate_x86_64_copy(code, 1, AT, far + 0x100, copied, &size), 0);
	ck_assert_uint_eq(emulate_x86_64_copy(code, n, AT, far - 0x100, copied, &size), n);
}
END_TEST

/* Any bytes: nothing but the stack is touched, and what is refused changes nothing. */
START_TEST(random_bytes_are_harmless)
{
	enum { TRIES = 300000 };
	unsigned int seed = 7, done = 0;
	static const struct emulate_memory memory = { read_stack, write_stack, NULL };

	for (int i = 0; i < TRIES; i++) {
		uint8_t code[INSN_X86_64_MAX], copied[INSN_COPY_MAX];
		struct user_regs_struct regs = start((uint64_t)rand_r(&seed)), before = regs;
		size_t size = (size_t)rand_r(&seed) % (sizeof(code) + 1), unused;
		for (size_t n = 0; n < size; n++)
			code[n] = (uint8_t)rand_r(&seed);
		bool can = emulate_x86_64(code, size, AT, NULL, NULL);
		bool did = emulate_x86_64(code, size, AT, (uint8_t *)&regs, &memory);
		done += did;
		if (did && !can)
			ck_abort_msg("emulated, though it cannot be");
		if (!did && memcmp(&regs, &before, sizeof(regs)) != 0)
			ck_abort_msg("changed, though not emulated");
		if (emulate_x86_64_copy(code, size, AT, AT + 0x800, copied, &unused) > size)
			ck_abort_msg("a copy of more than there is");
	}
	ck_assert_uint_gt(done, TRIES / 100);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("emulate_x86_64");

	unit_table(s, an_instruction_is_emulated, rows);
	unit_case(s, "emulation", registers_are_moved, what_would_fault_is_not_emulated,
		  random_bytes_are_harmless);
	unit_table(s, what_is_not_certain_is_not_emulated, refused);
	unit_table(s, a_copy_does_the_same_and_goes_back, copies);
	unit_case(s, "copies", there_is_no_copy_too_far_away);
	return unit_run(s);
}
