/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <dwarf.h>

#include "fake_target.h"
#include "target/process/condition.h"
#include "target/symbols/location.h"
#include "unit.h"

/* rax, rcx, rdx, rbx, rsp, rbp, ... as arch->code_regs has them. */
static const uint64_t registers[32] = { 10, 11, 12, 13, 0x7000, 0x8000 };

static const struct location_code frame_base = { .ops = { { .atom = DW_OP_call_frame_cfa } },
						 .n = 1 };

#define INT32                                                                                      \
	{                                                                                          \
		LOCATION_SIGNED, 4                                                                 \
	}
#define UNSIGNED8                                                                                  \
	{                                                                                          \
		LOCATION_UNSIGNED, 1                                                               \
	}
#define DOUBLE                                                                                     \
	{                                                                                          \
		LOCATION_FLOAT, 8                                                                  \
	}
#define SINGLE                                                                                     \
	{                                                                                          \
		LOCATION_FLOAT, 4                                                                  \
	}
#define LONG_DOUBLE                                                                                \
	{                                                                                          \
		LOCATION_STRANGE, 16                                                               \
	}
static const uint8_t half[8] = { 0, 0, 0, 0, 0, 0, 0xe0, 0x3f };

#define OP(...)                                                                                    \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
static const struct {
	struct location_code code;
	enum location_kind kind;
	uint64_t value; /* or address, or DWARF register */
	const char *why;
	bool compiles;
} rows[] = {
	{ { .ops = { OP(DW_OP_fbreg, (uint64_t)-20) }, .n = 1 },
	  LOCATION_MEMORY,
	  0x9000 - 20,
	  NULL,
	  true },
	{ { .ops = { OP(DW_OP_addr, 0x4000) }, .n = 1 }, LOCATION_MEMORY, 0x14000, NULL, true },
	{ { .ops = { OP(DW_OP_reg0) }, .n = 1 }, LOCATION_REGISTER, 0, NULL, false },
	{ { .ops = { OP(DW_OP_breg7, 8) }, .n = 1 }, LOCATION_MEMORY, 0x7008, NULL, true },
	{ { .ops = { OP(DW_OP_breg0, 5), OP(DW_OP_stack_value) }, .n = 2 },
	  LOCATION_VALUE,
	  15,
	  NULL,
	  true },
	{ { .ops = { OP(DW_OP_lit3), OP(DW_OP_lit4), OP(DW_OP_mul), OP(DW_OP_stack_value) },
	    .n = 4 },
	  LOCATION_VALUE,
	  12,
	  NULL,
	  true },
	{ { .ops = { OP(DW_OP_breg6, 0), OP(DW_OP_deref), OP(DW_OP_stack_value) }, .n = 3 },
	  LOCATION_VALUE,
	  0x1122334455667788,
	  NULL,
	  true },
	{ { .ops = { OP(DW_OP_breg6, 0), OP(DW_OP_deref_size, 16), OP(DW_OP_stack_value) },
	    .n = 3 },
	  LOCATION_VALUE,
	  0x1122334455667788,
	  NULL,
	  true },
	{ { .ops = { OP(DW_OP_breg6, 0), OP(DW_OP_deref_size, 7), OP(DW_OP_stack_value) }, .n = 3 },
	  LOCATION_MISSING,
	  0,
	  "makes no sense",
	  false },
	{ { .ops = { OP(DW_OP_const8u, 7), OP(DW_OP_lit0), OP(DW_OP_div), OP(DW_OP_stack_value) },
	    .n = 4 },
	  LOCATION_MISSING,
	  0,
	  "divides by zero",
	  true },
	{ { .ops = { OP(DW_OP_breg12, 0) }, .n = 1 }, LOCATION_MISSING, 0, "not saved", true },
	{ { .ops = { OP(DW_OP_plus) }, .n = 1 }, LOCATION_MISSING, 0, "makes no sense", true },
	{ { .n = 0 }, LOCATION_MISSING, 0, "optimized out", false },
	{ { .missing = "gone" }, LOCATION_MISSING, 0, "gone", false },
	{ { .ops = { OP(0xff) }, .n = 1 }, LOCATION_MISSING, 0, "does not know", false },
	{ { .ops = { OP(DW_OP_skip, 0xfffd, 0, 0) }, .n = 1 },
	  LOCATION_MISSING,
	  0,
	  "does not end",
	  false },
	{ { .ops = { OP(DW_OP_entry_value) }, .n = 1 },
	  LOCATION_MISSING,
	  0,
	  "optimized out",
	  false },
	{ { .ops = { OP(DW_OP_lit0), OP(DW_OP_form_tls_address) }, .n = 2 },
	  LOCATION_MISSING,
	  0,
	  "thread-local",
	  false },
	{ { .ops = { OP(DW_OP_breg0, (uint64_t)-13), OP(DW_OP_convert, .type = INT32),
		     OP(DW_OP_convert, .type = DOUBLE),
		     OP(DW_OP_const_type, 8, .block = half, .type = DOUBLE), OP(DW_OP_mul),
		     OP(DW_OP_stack_value) },
	    .n = 6 },
	  LOCATION_VALUE,
	  0xbff8000000000000, /* -1.5 */
	  NULL,
	  false },
	{ { .ops = { OP(DW_OP_const_type, 8, .block = half, .type = DOUBLE),
		     OP(DW_OP_convert, .type = SINGLE), OP(DW_OP_neg), OP(DW_OP_stack_value) },
	    .n = 4 },
	  LOCATION_VALUE,
	  0xbf000000,
	  NULL,
	  false },
	{ { .ops = { OP(DW_OP_const2s, (uint64_t)-2), OP(DW_OP_convert, .type = UNSIGNED8),
		     OP(DW_OP_convert), OP(DW_OP_stack_value) },
	    .n = 4 },
	  LOCATION_VALUE,
	  0xfe,
	  NULL,
	  false },
	{ { .ops = { OP(DW_OP_regval_type, 0, .type = INT32), OP(DW_OP_neg),
		     OP(DW_OP_stack_value) },
	    .n = 3 },
	  LOCATION_VALUE,
	  (uint64_t)-10,
	  NULL,
	  false },
	{ { .ops = { OP(DW_OP_breg6, 0), OP(DW_OP_deref_type, 4, .type = INT32),
		     OP(DW_OP_stack_value) },
	    .n = 3 },
	  LOCATION_VALUE,
	  0x55667788,
	  NULL,
	  false },
	{ { .ops = { OP(DW_OP_lit1), OP(DW_OP_const_type, 8, .block = half, .type = DOUBLE),
		     OP(DW_OP_plus), OP(DW_OP_stack_value) },
	    .n = 4 },
	  LOCATION_MISSING,
	  0,
	  "makes no sense",
	  false },
	{ { .ops = { OP(DW_OP_breg0, 0), OP(DW_OP_convert, .type = UNSIGNED8),
		     OP(DW_OP_consts, (uint64_t)-3), OP(DW_OP_mul), OP(DW_OP_plus_uconst, 10),
		     OP(DW_OP_stack_value) },
	    .n = 6 },
	  LOCATION_VALUE,
	  0xec, /* 10 - 3 * 10 in a byte */
	  NULL,
	  false },
	{ { .ops = { OP(DW_OP_consts, (uint64_t)-3), OP(DW_OP_breg0, 0),
		     OP(DW_OP_convert, .type = INT32), OP(DW_OP_plus), OP(DW_OP_stack_value) },
	    .n = 5 },
	  LOCATION_VALUE,
	  7,
	  NULL,
	  false },
	{ { .ops = { OP(DW_OP_breg0, 0), OP(DW_OP_convert, .type = UNSIGNED8), OP(DW_OP_lit3),
		     OP(DW_OP_div), OP(DW_OP_stack_value) },
	    .n = 5 },
	  LOCATION_MISSING,
	  0,
	  "makes no sense",
	  false },
	{ { .ops = { OP(DW_OP_lit1), OP(DW_OP_convert, .type = LONG_DOUBLE),
		     OP(DW_OP_stack_value) },
	    .n = 3 },
	  LOCATION_MISSING,
	  0,
	  "reckons with a type",
	  false },
};

static struct location_frame frame_of(struct fake_target *f)
{
	return (struct location_frame){ .target = &f->base,
					.pc = 0x5000,
					.cfa = 0x9000,
					.registers = registers,
					.known = 0x3f };
}

static struct fake_target *new_target(void)
{
	static const uint64_t word = 0x1122334455667788;
	struct fake_target *f = fake_target_new();

	fake_target_add(f, 0x8000, &word, sizeof(word));
	return f;
}

START_TEST(locations_lead_somewhere_or_say_why_not)
{
	struct fake_target *f = new_target();
	const struct location_frame frame = frame_of(f);
	const struct location_context c = { &frame, 0x10000, &frame_base, NULL, NULL };
	struct location l;

	location_run(&rows[_i].code, &c, &l);
	ck_assert_uint_eq(l.n, 1);
	const struct location_part *p = &l.parts[0];
	ck_assert_int_eq(p->kind, rows[_i].kind);
	if (p->kind == LOCATION_MEMORY)
		ck_assert_uint_eq(p->addr, rows[_i].value);
	else if (p->kind == LOCATION_REGISTER)
		ck_assert_int_eq(p->dwarf_reg, (int)rows[_i].value);
	else if (p->kind == LOCATION_VALUE)
		ck_assert_uint_eq(p->value, rows[_i].value);
	else
		ck_assert_ptr_nonnull(strstr(p->why, rows[_i].why));
	target_free(&f->base);
}
END_TEST

/* What is compiled comes to the same address or value as what is run. */
START_TEST(compiled_locations_are_valid_conditions)
{
	struct fake_target *f = new_target();
	const struct location_frame frame = frame_of(f);
	const struct location_context c = { &frame, 0x10000, &frame_base, NULL, NULL };
	const struct location_cfa cfa = { 5, 0x1000 };
	enum location_kind kind;
	AUTO_BUF program = { 0 };

	struct error *err = location_compile(&rows[_i].code, &c, &cfa, &program, &kind);
	if (rows[_i].compiles) {
		ck_assert_no_error(err);
		ck_assert_no_error(condition_check((const uint8_t *)program.data, program.len));
	} else if (rows[_i].kind != LOCATION_REGISTER) {
		ck_assert_error(err, ERROR_UNSUPPORTED, "cannot look");
	}
	target_free(&f->base);
}
END_TEST

START_TEST(parts_follow_each_other)
{
	static const struct location_code code = {
		.ops = { { .atom = DW_OP_reg3 },
			 { .atom = DW_OP_piece, .number = 4 },
			 { .atom = DW_OP_piece, .number = 4 } },
		.n = 3,
	};
	struct fake_target *f = new_target();
	const struct location_frame frame = frame_of(f);
	const struct location_context c = { .frame = &frame };
	struct location l;

	location_run(&code, &c, &l);
	ck_assert_uint_eq(l.n, 2);
	ck_assert_int_eq(l.parts[0].kind, LOCATION_REGISTER);
	ck_assert_int_eq(l.parts[1].kind, LOCATION_MISSING);
	target_free(&f->base);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("location");

	unit_table(s, locations_lead_somewhere_or_say_why_not, rows);
	unit_table(s, compiled_locations_are_valid_conditions, rows);
	unit_case(s, "pieces", parts_follow_each_other);
	return unit_run(s);
}
