/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/condition.h"
#include "unit.h"

enum { MEMORY = 0x5000, SIZE = 16, RCX_NUMBER = 1 };
#define RCX UINT64_C(0xfffffffffffffff6) /* -10 */

static const uint8_t memory[SIZE] = { 0x80, 0xff, 1, 2, 3, 4, 5, 6, 7 };

static size_t read_memory(void *context, taddr from, void *ret, size_t len)
{
	(void)context;
	if (from < MEMORY || from >= MEMORY + SIZE)
		return 0;
	size_t n = MEMORY + SIZE - from < len ? MEMORY + SIZE - from : len;
	memcpy(ret, memory + (from - MEMORY), n);
	return n;
}

static bool run(const uint8_t *program, size_t size, bool *ret_failed)
{
	static uint8_t general[ARCH_GENERAL_MAX];
	struct condition_subject subject = { &arch_x86_64, general, read_memory, NULL };

	arch_put(arch_x86_64.code_regs[RCX_NUMBER], general, RCX);
	arch_put(arch_x86_64.pc, general, 0x401000);
	arch_put(arch_x86_64.thread_pointer, general, MEMORY + 8);
	return condition_holds(program, size, &subject, ret_failed);
}

#define OP(name)         CONDITION_##name
#define NUMBER(low)      CONDITION_CONST, (low)&0xff, (low) >> 8 & 0xff, 0, 0, 0, 0, 0, 0
#define MINUS_ONE        CONDITION_CONST, 255, 255, 255, 255, 255, 255, 255, 255
#define LOWEST           CONDITION_CONST, 0, 0, 0, 0, 0, 0, 0, 0x80
#define IS(low)          NUMBER(low), CONDITION_EQUAL
#define BINARY(a, b, op) NUMBER(a), NUMBER(b), CONDITION_##op
#define PROGRAM(...)     { __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ })

enum outcome { NO, YES, FAILS };
static const struct {
	const char *what;
	uint8_t program[80];
	size_t size;
	enum outcome outcome;
} runs[] = {
	{ "a number", PROGRAM(NUMBER(7)), YES },
	{ "3 / 2 as doubles, in halves",
	  PROGRAM(NUMBER(3), OP(OF_SIGNED), NUMBER(2), OP(OF_UNSIGNED), OP(FLOAT_DIVIDE), NUMBER(2),
		  OP(OF_SIGNED), OP(FLOAT_MULTIPLY), OP(TO_SIGNED), IS(3)),
	  YES },
	{ "a third as a float is another one",
	  PROGRAM(NUMBER(1), OP(OF_SIGNED), NUMBER(3), OP(OF_SIGNED), OP(FLOAT_DIVIDE),
		  OP(DUPLICATE), OP(NARROW), OP(FLOAT_EQUAL)),
	  NO },
	{ "-1 < 0 as doubles",
	  PROGRAM(MINUS_ONE, OP(OF_SIGNED), NUMBER(0), OP(OF_SIGNED), OP(FLOAT_LESS)), YES },
	{ "a float of four bytes",
	  PROGRAM(NUMBER(0x3f80), NUMBER(16), OP(SHIFT_LEFT), OP(WIDEN), OP(TO_SIGNED), IS(1)),
	  YES },
	{ "2^63 is no long", PROGRAM(LOWEST, OP(OF_UNSIGNED), OP(TO_SIGNED)), FAILS },
	{ "zero", PROGRAM(NUMBER(0)), NO },
	{ "an early end", PROGRAM(NUMBER(1), OP(END), OP(DROP)), YES },
	{ "a register", PROGRAM(OP(REGISTER), RCX_NUMBER, OP(NEGATE), IS(10)), YES },
	{ "no register", PROGRAM(OP(REGISTER), 99), FAILS },
	{ "pc", PROGRAM(OP(PC), NUMBER(0x1000), OP(AND), IS(0x1000)), YES },
	{ "thread-local", PROGRAM(OP(BASE), OP(LOAD), 1, IS(7)), YES },
	{ "a byte", PROGRAM(NUMBER(MEMORY), OP(LOAD), 1, IS(0x80)), YES },
	{ "two", PROGRAM(NUMBER(MEMORY), OP(LOAD), 2, IS(0xff80)), YES },
	{ "a signed byte",
	  PROGRAM(NUMBER(MEMORY), OP(LOAD), 1, OP(SIGNED), 1, OP(NEGATE), IS(0x80)), YES },
	{ "signed eight", PROGRAM(MINUS_ONE, OP(SIGNED), 8, OP(NEGATE), IS(1)), YES },
	{ "cut", PROGRAM(MINUS_ONE, OP(CUT), 2, IS(0xffff)), YES },
	{ "not cut", PROGRAM(MINUS_ONE, OP(CUT), 8, OP(INVERT), IS(0)), YES },
	{ "no memory", PROGRAM(NUMBER(8), OP(LOAD), 8), FAILS },
	{ "memory that ends", PROGRAM(NUMBER(MEMORY + 12), OP(LOAD), 8), FAILS },
	{ "add", PROGRAM(BINARY(5, 3, ADD), IS(8)), YES },
	{ "subtract", PROGRAM(BINARY(5, 3, SUBTRACT), IS(2)), YES },
	{ "multiply", PROGRAM(BINARY(5, 3, MULTIPLY), IS(15)), YES },
	{ "divide", PROGRAM(OP(REGISTER), RCX_NUMBER, NUMBER(3), OP(DIVIDE), OP(NEGATE), IS(3)),
	  YES },
	{ "rest", PROGRAM(OP(REGISTER), RCX_NUMBER, NUMBER(3), OP(REST), OP(NEGATE), IS(1)), YES },
	{ "divide unsigned", PROGRAM(MINUS_ONE, MINUS_ONE, OP(DIVIDE_U), IS(1)), YES },
	{ "rest unsigned", PROGRAM(MINUS_ONE, NUMBER(10), OP(REST_U), IS(5)), YES },
	{ "by zero", PROGRAM(BINARY(5, 0, DIVIDE)), FAILS },
	{ "by zero, unsigned", PROGRAM(BINARY(5, 0, DIVIDE_U)), FAILS },
	{ "rest by zero", PROGRAM(BINARY(5, 0, REST)), FAILS },
	{ "rest by zero, unsigned", PROGRAM(BINARY(5, 0, REST_U)), FAILS },
	{ "an overflow", PROGRAM(LOWEST, MINUS_ONE, OP(DIVIDE), LOWEST, OP(EQUAL)), YES },
	{ "its rest", PROGRAM(LOWEST, MINUS_ONE, OP(REST), IS(0)), YES },
	{ "and", PROGRAM(BINARY(6, 3, AND), IS(2)), YES },
	{ "or", PROGRAM(BINARY(6, 3, OR), IS(7)), YES },
	{ "xor", PROGRAM(BINARY(6, 3, XOR), IS(5)), YES },
	{ "not", PROGRAM(NUMBER(6), OP(NOT), OP(NOT), IS(1)), YES },
	{ "shift left", PROGRAM(BINARY(3, 4, SHIFT_LEFT), IS(48)), YES },
	{ "shift left, far", PROGRAM(BINARY(3, 64, SHIFT_LEFT), IS(0)), YES },
	{ "shift right", PROGRAM(MINUS_ONE, NUMBER(60), OP(SHIFT_RIGHT), IS(15)), YES },
	{ "shift right, far", PROGRAM(MINUS_ONE, NUMBER(64), OP(SHIFT_RIGHT), IS(0)), YES },
	{ "shift signed", PROGRAM(LOWEST, NUMBER(63), OP(SHIFT_SIGNED), OP(NEGATE), IS(1)), YES },
	{ "shift signed, far", PROGRAM(LOWEST, MINUS_ONE, OP(SHIFT_SIGNED), OP(NEGATE), IS(1)),
	  YES },
	{ "equal", PROGRAM(BINARY(3, 4, EQUAL)), NO },
	{ "less", PROGRAM(MINUS_ONE, NUMBER(0), OP(LESS)), YES },
	{ "not less", PROGRAM(BINARY(3, 3, LESS)), NO },
	{ "less unsigned", PROGRAM(MINUS_ONE, NUMBER(0), OP(LESS_U)), NO },
	{ "less or equal", PROGRAM(BINARY(3, 3, LESS_OR_EQUAL)), YES },
	{ "less or equal, signed", PROGRAM(NUMBER(0), MINUS_ONE, OP(LESS_OR_EQUAL)), NO },
	{ "less or equal unsigned", PROGRAM(NUMBER(0), MINUS_ONE, OP(LESS_OR_EQUAL_U)), YES },
	{ "duplicate", PROGRAM(NUMBER(3), OP(DUPLICATE), OP(ADD), IS(6)), YES },
	{ "drop", PROGRAM(NUMBER(3), NUMBER(0), OP(DROP)), YES },
	{ "swap", PROGRAM(NUMBER(3), NUMBER(5), OP(SWAP), OP(SUBTRACT), IS(2)), YES },
	{ "a jump over", PROGRAM(NUMBER(1), OP(JUMP), 21, 0, NUMBER(0)), YES },
	{ "a jump at zero", PROGRAM(NUMBER(1), NUMBER(0), OP(JUMP_ZERO), 30, 0, NUMBER(0)), YES },
	{ "no jump at one", PROGRAM(NUMBER(1), NUMBER(1), OP(JUMP_ZERO), 30, 0, NUMBER(0)), NO },
	{ "for ever", PROGRAM(OP(JUMP), 0, 0), FAILS },
	{ "nothing", { 0 }, 0, FAILS },
	{ "an empty stack", PROGRAM(OP(ADD)), FAILS },
	{ "one is missing", PROGRAM(NUMBER(1), OP(ADD)), FAILS },
	{ "a full stack", PROGRAM(NUMBER(1), OP(DUPLICATE), OP(JUMP), 9, 0), FAILS },
};

START_TEST(a_program_holds)
{
	bool failed;

	ck_assert_no_error(condition_check(runs[_i].program, runs[_i].size));
	bool holds = run(runs[_i].program, runs[_i].size, &failed);
	ck_assert_msg(failed == (runs[_i].outcome == FAILS), "%s", runs[_i].what);
	ck_assert_msg(holds == (runs[_i].outcome == YES), "%s", runs[_i].what);
}
END_TEST

static const struct {
	uint8_t program[16];
	size_t size;
	const char *says;
} bad[] = {
	{ PROGRAM(NUM_CONDITION_OPS), "no instruction at byte 0" },
	{ PROGRAM(OP(PC), 0xff), "no instruction at byte 1" },
	{ PROGRAM(OP(CONST), 1, 2), "no instruction at byte 0" },
	{ PROGRAM(OP(PC), OP(LOAD), 3), "no instruction at byte 1" },
	{ PROGRAM(OP(PC), OP(CUT), 0), "no instruction at byte 1" },
	{ PROGRAM(OP(JUMP), 4, 0), "at byte 0 of a condition leads nowhere" },
	{ PROGRAM(OP(PC), OP(JUMP_ZERO), 2, 0), "at byte 1 of a condition leads nowhere" },
};

START_TEST(what_is_no_program_is_refused)
{
	ck_assert_error(condition_check(bad[_i].program, bad[_i].size), ERROR_USAGE, bad[_i].says);
}
END_TEST

START_TEST(its_size_is_bounded)
{
	static uint8_t program[CONDITION_SIZE_MAX + 1];

	memset(program, CONDITION_PC, sizeof(program));
	ck_assert_no_error(condition_check(program, CONDITION_SIZE_MAX));
	ck_assert_error(condition_check(program, sizeof(program)), ERROR_USAGE, "too long");
}
END_TEST

/* Checked or not, whatever they are. */
START_TEST(random_programs_end)
{
	enum { PROGRAMS = 200000, LENGTH = 40 };
	uint8_t program[LENGTH];
	unsigned int seed = 1, sound = 0;
	bool failed;

	for (int n = 0; n < PROGRAMS; n++) {
		size_t size = (size_t)rand_r(&seed) % LENGTH;
		for (size_t i = 0; i < size; i++)
			program[i] = (uint8_t)(rand_r(&seed) % (NUM_CONDITION_OPS + 1));
		struct error *err = condition_check(program, size);
		sound += !err;
		error_ignore(err);
		if (run(program, size, &failed) && failed)
			ck_abort_msg("it holds and fails");
	}
	ck_assert_uint_gt(sound, PROGRAMS / 100);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("condition");

	unit_table(s, a_program_holds, runs);
	unit_table(s, what_is_no_program_is_refused, bad);
	unit_case(s, "bounds", its_size_is_bounded, random_programs_end);
	return unit_run(s);
}
