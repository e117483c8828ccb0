/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The decoder for x86-64: single instructions, and whole libraries held against objdump. */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

#include "hex.h"
#include "target/cpu/insn_x86_64.h"
#include "unit.h"

enum { AT = 0x401000 };
enum { RAX = 1, RCX = 2, RDX = 4, RBX = 8, RSP = 16, RBP = 32, RSI = 64, RDI = 128, R8 = 256 };
enum { R11 = 0x800, R12 = 0x1000, R15 = 0x8000, CALLED = 0xfc7 };

static struct insn decoded(const char *text)
{
	uint8_t bytes[HEX_MAX];
	size_t n = hex_bytes(text, bytes);
	struct insn insn;

	ck_assert_msg(insn_x86_64_decode(bytes, n, AT, &insn), "'%s' is not decoded", text);
	ck_assert_msg(insn.size == n, "'%s' has %d bytes", text, insn.size);
	return insn;
}

static const struct {
	const char *code;
	enum insn_kind kind;
	enum insn_via via;
	uint64_t value;
} jumps[] = {
	{ "e8 00 10 00 00", INSN_CALL, INSN_VIA_ADDRESS, AT + 0x1005 },
	{ "e8 fb ff ff ff", INSN_CALL, INSN_VIA_ADDRESS, AT },
	{ "67 e8 00 10 00 00", INSN_CALL, INSN_VIA_ADDRESS, AT + 0x1006 },
	{ "66 66 48 e8 00 10 00 00", INSN_CALL, INSN_VIA_ADDRESS, AT + 0x1008 },
	{ "f2 e8 00 10 00 00", INSN_CALL, INSN_VIA_ADDRESS, AT + 0x1006 },
	{ "ff d0", INSN_CALL, INSN_VIA_OTHER, 0 },
	{ "41 ff d4", INSN_CALL, INSN_VIA_OTHER, 0 },
	{ "3e ff d0", INSN_CALL, INSN_VIA_OTHER, 0 },
	{ "ff 10", INSN_CALL, INSN_VIA_OTHER, 0 },
	{ "ff 50 18", INSN_CALL, INSN_VIA_OTHER, 0 },
	{ "ff 14 c3", INSN_CALL, INSN_VIA_OTHER, 0 },
	{ "41 ff 94 c4 00 01 00 00", INSN_CALL, INSN_VIA_OTHER, 0 },
	{ "ff 15 00 10 00 00", INSN_CALL, INSN_VIA_SLOT, AT + 0x1006 },
	{ "ff 14 25 00 30 40 00", INSN_CALL, INSN_VIA_SLOT, 0x403000 },
	{ "64 ff 14 25 10 00 00 00", INSN_CALL, INSN_VIA_OTHER, 0 },
	{ "67 ff 15 00 10 00 00", INSN_CALL, INSN_VIA_OTHER, 0 },
	{ "ff 25 00 10 00 00", INSN_JUMP, INSN_VIA_SLOT, AT + 0x1006 },
	{ "f2 ff 25 00 10 00 00", INSN_JUMP, INSN_VIA_SLOT, AT + 0x1007 },
	{ "ff e0", INSN_JUMP, INSN_VIA_OTHER, 0 },
	{ "e9 00 10 00 00", INSN_JUMP, INSN_VIA_ADDRESS, AT + 0x1005 },
	{ "eb fe", INSN_JUMP, INSN_VIA_ADDRESS, AT },
	{ "74 10", INSN_BRANCH, INSN_VIA_ADDRESS, AT + 0x12 },
	{ "0f 84 00 10 00 00", INSN_BRANCH, INSN_VIA_ADDRESS, AT + 0x1006 },
	{ "e3 10", INSN_BRANCH, INSN_VIA_ADDRESS, AT + 0x12 },
	{ "c7 f8 00 10 00 00", INSN_BRANCH, INSN_VIA_ADDRESS, AT + 0x1006 }, /* xbegin */
	{ "c3", INSN_RETURN, INSN_VIA_ADDRESS, 0 },
	{ "0f 0b", INSN_END, INSN_VIA_ADDRESS, 0 },
	{ "cc", INSN_END, INSN_VIA_ADDRESS, 0 },
	{ "90", INSN_NOTHING, INSN_VIA_ADDRESS, 0 },
	{ "66 90", INSN_NOTHING, INSN_VIA_ADDRESS, 0 },
	{ "f3 0f 1e fa", INSN_NOTHING, INSN_VIA_ADDRESS, 0 },
	{ "66 2e 0f 1f 84 00 00 00 00 00", INSN_NOTHING, INSN_VIA_ADDRESS, 0 },
	{ "f3 90", INSN_PAUSE, INSN_VIA_ADDRESS, 0 },
	{ "41 90", INSN_OTHER, INSN_VIA_ADDRESS, 0 }, /* xchg %eax,%r8d */
	{ "68 10 00 00 00", INSN_PUSH_CONSTANT, INSN_VIA_ADDRESS, 0 },
	{ "ff 35 00 10 00 00", INSN_PUSH, INSN_VIA_ADDRESS, 0 }, /* push */
	{ "f3 48 0f 1e c8", INSN_OTHER, INSN_VIA_ADDRESS, 0 },   /* rdsspq */
};

START_TEST(calls_and_jumps)
{
	struct insn insn = decoded(jumps[_i].code);

	ck_assert_int_eq(insn.kind, jumps[_i].kind);
	ck_assert_int_eq(insn.via, jumps[_i].via);
	ck_assert_uint_eq(insn.value, jumps[_i].value);
}
END_TEST

static const struct {
	const char *code;
	uint8_t to;
	uint64_t value;
} constants[] = {
	{ "bf 78 56 34 12", 7, 0x12345678 },
	{ "41 b8 ff ff ff ff", 8, 0xffffffff },
	{ "48 bf 08 07 06 05 04 03 02 01", 7, 0x0102030405060708 },
	{ "48 c7 c7 fe ff ff ff", 7, UINT64_MAX - 1 },
	{ "c7 c0 fe ff ff ff", 0, 0xfffffffe },
	{ "48 8d 3d 00 10 00 00", 7, AT + 0x1007 },
	{ "4c 8d 3d f9 ff ff ff", 15, AT },
	{ "8d 3d 00 10 00 00", 7, AT + 0x1006 },
	{ "48 8d 3c 25 00 30 40 00", 7, 0x403000 },
	{ "31 ff", 7, 0 },
	{ "45 33 e4", 12, 0 },
};

START_TEST(constants_in_registers)
{
	struct insn insn = decoded(constants[_i].code);

	ck_assert_int_eq(insn.kind, INSN_CONSTANT);
	ck_assert_uint_eq(insn.to, constants[_i].to);
	ck_assert_uint_eq(insn.value, constants[_i].value);
	ck_assert_uint_eq(insn.writes, 1U << constants[_i].to);
	ck_assert_int_eq(insn.reads, INSN_READS_NOTHING);
}
END_TEST

static const struct {
	const char *code;
	uint8_t to, from;
	uint64_t mask;
} copies[] = {
	{ "48 89 df", 7, 3, UINT64_MAX },  { "48 8b fb", 7, 3, UINT64_MAX },
	{ "89 df", 7, 3, UINT32_MAX },     { "4c 89 e7", 7, 12, UINT64_MAX },
	{ "49 89 fc", 12, 7, UINT64_MAX },
};

START_TEST(copies_of_registers)
{
	struct insn insn = decoded(copies[_i].code);

	ck_assert_int_eq(insn.kind, INSN_COPY);
	ck_assert_uint_eq(insn.to, copies[_i].to);
	ck_assert_uint_eq(insn.from, copies[_i].from);
	ck_assert_uint_eq(insn.value, copies[_i].mask);
	ck_assert_uint_eq(insn.writes, 1U << copies[_i].to);
}
END_TEST

/* What is neither a constant nor a copy, though it looks like one. */
static const char *const others[] = {
	"66 bf 34 12", /* mov $0x1234,%di: the rest of the register stays */
	"40 b7 10",    /* mov $0x10,%dil      */
	"66 89 df",    "40 88 df", "66 31 ff", "67 48 8b 07",
};

START_TEST(neither_constants_nor_copies)
{
	ck_assert_int_eq(decoded(others[_i]).kind, INSN_OTHER);
}
END_TEST

/* What instructions compute. 255: no register. */
static const struct {
	const char *code;
	struct insn meaning;
} meanings[] = {
	{ "48 8d 7b 10", { INSN_ADDRESS, .to = 7, .from = 255, .bytes = 8 } },
	{ "48 8b 3b", { INSN_LOAD, .to = 7, .from = 255, .operand = INSN_MEMORY, .bytes = 8 } },
	{ "0f b6 03", { INSN_LOAD, .to = 0, .from = 255, .operand = INSN_MEMORY, .bytes = 1 } },
	{ "64 48 8b 04 25 28 00 00 00",
	  { INSN_LOAD, .from = 255, .operand = INSN_MEMORY, .bytes = 8, .thread_local = true } },
	{ "64 48 03 04 25 00 00 00 00",
	  { INSN_COMPUTE, .from = 255, .operand = INSN_MEMORY, .operation = INSN_ADD, .bytes = 8,
	    .thread_local = true } },
	{ "64 48 8d 3b", { INSN_ADDRESS, .to = 7, .from = 255, .bytes = 8 } },
	{ "48 8d 3d 00 10 00 00",
	  { INSN_CONSTANT, .to = 7, .from = 255, .value = AT + 0x1007, .operand = INSN_MEMORY } },
	{ "48 0f 44 d8",
	  { INSN_CHOOSE, .to = 3, .from = 0, .operand = INSN_REGISTER, .bytes = 8 } },
	{ "f0 0f b1 15 00 03 00 00",
	  { INSN_EXCHANGE, .to = 2, .from = 255, .operand = INSN_MEMORY, .bytes = 4,
	    .stores = 4 } },
	{ "48 89 3b",
	  { INSN_STORE, .from = 7, .operand = INSN_REGISTER, .bytes = 8, .stores = 8 } },
	{ "c7 45 fc 05 00 00 00",
	  { INSN_STORE, .from = 255, .value = 5, .bytes = 4, .stores = 4 } },
	{ "48 83 ec 18",
	  { INSN_COMPUTE, .to = 4, .from = 255, .value = 24, .operation = INSN_SUBTRACT,
	    .bytes = 8 } },
	{ "48 01 d0",
	  { INSN_COMPUTE, .to = 0, .from = 2, .operand = INSN_REGISTER, .operation = INSN_ADD,
	    .bytes = 8 } },
	{ "31 df",
	  { INSN_COMPUTE, .to = 7, .from = 3, .operand = INSN_REGISTER, .operation = INSN_XOR,
	    .bytes = 4 } },
	{ "48 03 07",
	  { INSN_COMPUTE, .to = 0, .from = 255, .operand = INSN_MEMORY, .operation = INSN_ADD,
	    .bytes = 8 } },
	{ "48 c1 e0 04",
	  { INSN_COMPUTE, .from = 255, .value = 4, .operation = INSN_SHIFT_LEFT, .bytes = 8 } },
	{ "d1 fa",
	  { INSN_COMPUTE, .to = 2, .from = 255, .value = 1, .operation = INSN_SHIFT_SIGNED,
	    .bytes = 4 } },
	{ "0f af c1",
	  { INSN_COMPUTE, .from = 1, .operand = INSN_REGISTER, .operation = INSN_TIMES,
	    .bytes = 4 } },
	{ "83 45 fc 01",
	  { INSN_CHANGE, .from = 255, .value = 1, .operation = INSN_ADD, .bytes = 4,
	    .stores = 4 } },
	{ "48 69 c7 67 00 00 00",
	  { INSN_MULTIPLY, .from = 7, .value = 0x67, .operand = INSN_REGISTER, .bytes = 8 } },
	{ "f7 d8", { INSN_MULTIPLY, .value = UINT64_MAX, .operand = INSN_REGISTER, .bytes = 4 } },
	{ "f7 f9", { INSN_DIVIDE, .from = 1, .also_to = 2, .operand = INSN_REGISTER, .bytes = 4 } },
	{ "48 98", { INSN_EXTEND, .operand = INSN_REGISTER, .bytes = 4 } },
	{ "48 63 d7", { INSN_EXTEND, .to = 2, .from = 7, .operand = INSN_REGISTER, .bytes = 4 } },
	{ "0f be 03", { INSN_EXTEND, .from = 255, .operand = INSN_MEMORY, .bytes = 1 } },
	{ "0f bf d7", { INSN_EXTEND, .to = 2, .from = 7, .operand = INSN_REGISTER, .bytes = 2 } },
	{ "0f be d4", { INSN_OTHER, .from = 255, .bytes = 1 } }, /* of ah */
	{ "99", { INSN_SPREAD_SIGN, .to = 2, .operand = INSN_REGISTER, .bytes = 4 } },
	{ "85 c0", { INSN_COMPARE, .operand = INSN_REGISTER, .bytes = 4 } },
	{ "83 fb 07",
	  { INSN_COMPARE, .from = 3, .value = 7, .operand = INSN_REGISTER, .bytes = 4 } },
	{ "83 7d fc 00", { INSN_COMPARE, .from = 255, .operand = INSN_MEMORY, .bytes = 4 } },
	{ "39 d8",
	  { INSN_COMPARE_BOTH, .to = 3, .from = 0, .operand = INSN_REGISTER, .bytes = 4 } },
	{ "38 e0", { INSN_OTHER, .from = 255, .bytes = 1 } }, /* with ah */
	{ "3a 21", { INSN_OTHER, .from = 255, .bytes = 1 } },
	{ "40 38 e0",
	  { INSN_COMPARE_BOTH, .to = 4, .operand = INSN_REGISTER, .bytes = 1 } }, /* spl */
	{ "48 3b 03",
	  { INSN_COMPARE_BOTH, .from = 255, .operand = INSN_MEMORY, .bytes = 8,
	    .reversed = true } },
	{ "a8 01", { INSN_COMPARE, .operand = INSN_REGISTER, .bytes = 1, .lowest = true } },
	{ "84 c0", { INSN_COMPARE, .operand = INSN_REGISTER, .bytes = 1 } },
	{ "88 45 df",
	  { INSN_OTHER, .operand = INSN_REGISTER, .simple = INSN_MOVES_BYTE, .bytes = 1,
	    .stores = 1 } },
	{ "8a 45 df",
	  { INSN_OTHER, .from = 255, .operand = INSN_MEMORY, .simple = INSN_MOVES_BYTE,
	    .bytes = 1 } },
	{ "88 e0", { INSN_OTHER, .from = 255, .bytes = 1 } }, /* of ah */
	{ "40 88 f0",
	  { INSN_OTHER, .from = 6, .operand = INSN_REGISTER, .simple = INSN_MOVES_BYTE,
	    .bytes = 1 } },
	{ "c6 45 df 07",
	  { INSN_OTHER, .from = 255, .value = 7, .simple = INSN_MOVES_BYTE, .bytes = 1,
	    .stores = 1 } },
	{ "c6 f8 07", { INSN_OTHER, .from = 255, .bytes = 4 } }, /* xabort */
	{ "b1 02",
	  { INSN_OTHER, .to = 1, .from = 255, .value = 2, .simple = INSN_MOVES_BYTE, .bytes = 1 } },
	{ "b4 02", { INSN_OTHER, .from = 255, .bytes = 1 } },
	{ "87 0b",
	  { INSN_OTHER, .from = 1, .operand = INSN_MEMORY, .simple = INSN_SWAPS, .bytes = 4,
	    .stores = 4 } },
	{ "87 cb", { INSN_OTHER, .from = 255, .bytes = 4 } },
	{ "0f ae f0", { INSN_NOTHING, .from = 255, .bytes = 4 } },
	{ "f2 0f ae f0", { INSN_OTHER, .from = 255, .bytes = 4 } }, /* umwait */
	{ "0f ae 33", { INSN_OTHER, .from = 255, .bytes = 4 } },
	{ "0f 95 c0", { INSN_SET, .from = 255, .condition = INSN_IF_NOT_EQUAL, .bytes = 1 } },
	{ "41 54", { INSN_PUSH, .from = 12, .bytes = 4 } },
	{ "6a 01", { INSN_PUSH, .from = 255, .bytes = 4 } },
	{ "41 5c", { INSN_POP, .to = 12, .from = 255, .bytes = 4 } },
	{ "c9", { INSN_LEAVE, .from = 5, .bytes = 4 } },
	{ "0f 11 45 e0", { INSN_OTHER, .from = 255, .bytes = 4, .stores = 16 } },
	{ "62 f1 7c 48 11 00", { INSN_OTHER, .from = 255, .bytes = 4, .stores = 64 } },
	{ "62 f1 7c 48 11 40 01", /* vmovups %zmm0,0x40(%rax) */
	  { INSN_OTHER, .from = 255, .bytes = 4, .stores = INSN_STORES_SOMEWHERE } },
	{ "67 89 17", { INSN_OTHER, .from = 255, .bytes = 4, .stores = INSN_STORES_SOMEWHERE } },
	{ "ff d0", { INSN_CALL, .via = INSN_VIA_OTHER, .bytes = 4 } },
	{ "77 10",
	  { INSN_BRANCH, .from = 255, .value = AT + 0x12, .condition = INSN_IF_ABOVE,
	    .bytes = 4 } },
};

START_TEST(what_instructions_compute)
{
	struct insn insn = decoded(meanings[_i].code);
	const struct insn *meaning = &meanings[_i].meaning;

	ck_assert_int_eq(insn.kind, meaning->kind);
	ck_assert_int_eq(insn.via, meaning->via);
	ck_assert_uint_eq(insn.to, meaning->to);
	ck_assert_uint_eq(insn.from, meaning->from);
	ck_assert_uint_eq(insn.also_to, meaning->also_to);
	ck_assert_uint_eq(insn.value, meaning->value);
	ck_assert_int_eq(insn.operand, meaning->operand);
	ck_assert_int_eq(insn.operation, meaning->operation);
	ck_assert_int_eq(insn.condition, meaning->condition);
	ck_assert_msg(insn.bytes == meaning->bytes, "%s: %u bytes", meanings[_i].code, insn.bytes);
	ck_assert_uint_eq(insn.stores, meaning->stores);
	ck_assert_int_eq(insn.thread_local, meaning->thread_local);
	ck_assert_int_eq(insn.reversed, meaning->reversed);
	ck_assert_int_eq(insn.simple, meaning->simple);
	ck_assert_int_eq(insn.lowest, meaning->lowest);
}
END_TEST

static const struct {
	const char *code;
	uint32_t registers;
} writes[] = {
	{ "01 d8", RAX },
	{ "39 d8", 0 },
	{ "48 03 1f", RBX },
	{ "83 c0 01", RAX },
	{ "83 f8 01", 0 },
	{ "05 01 00 00 00", RAX },
	{ "3d 01 00 00 00", 0 },
	{ "85 c0", 0 },
	{ "f7 c7 01 00 00 00", 0 }, /* test */
	{ "f7 d8", RAX },           /* neg  */
	{ "f7 f9", RAX | RDX },     /* idiv */
	{ "55", RSP },
	{ "5f", RDI | RSP },
	{ "41 5f", R15 | RSP },
	{ "48 87 df", RBX | RDI }, /* xchg */
	{ "88 c4", RAX | RSP },    /* mov %al,%ah: 4 is ah here, and spl with REX */
	{ "88 e0", RAX },
	{ "40 b4 01", RSP },    /* spl */
	{ "b4 01", RAX | RSP }, /* ah  */
	{ "0f 94 c0", RAX },
	{ "0f b6 c9", RCX },
	{ "0f be ca", RCX },
	{ "0f 44 d8", RBX },
	{ "f0 0f b1 11", RAX },
	{ "f0 0f c1 01", RAX },
	{ "0f 05", RAX | RCX | R11 },
	{ "e8 00 00 00 00", CALLED },
	{ "ff d0", CALLED },
	{ "f3 48 ab", RCX | RSI | RDI },
	{ "0f c8", RAX },
	{ "0f a2", RAX | RBX | RCX | RDX },
	{ "66 48 0f 7e c0", RAX },             /* movq %xmm0,%rax */
	{ "f2 48 0f 2c c0", RAX },             /* cvttsd2si       */
	{ "66 0f ef c0", 0 },                  /* pxor            */
	{ "c5 fd 6f 07", 0 },                  /* vmovdqa         */
	{ "c4 e2 f0 f2 c3", RAX | RCX | RBX }, /* andn: too many, never too few */
	{ "62 f1 7f 08 79 c0", RAX },          /* vcvtsd2usi %xmm0,%eax */
	{ "c5 fb 93 d8", RAX | RBX },          /* kmovd %k0,%ebx: too many */
	{ "62 d1 fd 08 7e c0", R8 },           /* vmovq %xmm0,%r8 */
	{ "c9", RSP | RBP },
	{ "49 0f af c4", RAX },
	{ "4d 85 e4", 0 },
	{ "ff c0", RAX },
	{ "ff 30", RSP },
};

START_TEST(registers_that_are_written)
{
	ck_assert_uint_eq(decoded(writes[_i].code).writes, writes[_i].registers);
}
END_TEST

static const struct {
	const char *code;
	enum insn_reads reads;
	uint8_t base, index, scale;
	uint64_t displacement;
} reads[] = {
	{ "8b 17", INSN_READS_SHARED, 7, INSN_NO_REG, 0, 0 },
	{ "8b 4d 00", INSN_READS_SHARED, 5, INSN_NO_REG, 0, 0 },
	{ "49 8b 9e 28 01 00 00", INSN_READS_SHARED, 14, INSN_NO_REG, 0, 0x128 },
	{ "41 8b 45 f8", INSN_READS_SHARED, 13, INSN_NO_REG, 0, (uint64_t)-8 },
	{ "4a 8b 9c ed 48 01 00 00", INSN_READS_SHARED, 5, 13, 8, 0x148 },
	{ "8b 04 95 00 10 00 00", INSN_READS_SHARED, INSN_NO_REG, 2, 4, 0x1000 },
	{ "41 8b 04 24", INSN_READS_SHARED, 12, INSN_NO_REG, 1, 0 },
	{ "8b 05 00 10 00 00", INSN_READS_SHARED, INSN_NO_REG, INSN_NO_REG, 0, AT + 0x1006 },
	{ "83 3d 00 10 00 00 01", INSN_READS_SHARED, INSN_NO_REG, INSN_NO_REG, 0, AT + 0x1007 },
	{ "39 46 10", INSN_READS_SHARED, 6, INSN_NO_REG, 0, 0x10 },
	{ "80 7b 0c 00", INSN_READS_SHARED, 3, INSN_NO_REG, 0, 0xc },
	{ "f0 0f b1 8b e4 01 00 00", INSN_READS_SHARED, 3, INSN_NO_REG, 0, 0x1e4 },
	{ "8b 44 24 08", INSN_READS_OWN, 4, INSN_NO_REG, 1, 8 },
	{ "64 8b 40 28", INSN_READS_OWN, 0, INSN_NO_REG, 0, 0x28 },
	{ "67 8b 07", INSN_READS_SOMEWHERE, 7, INSN_NO_REG, 0, 0 },
	{ "62 f1 7c 48 10 00", INSN_READS_SHARED, 0, INSN_NO_REG, 0, 0 },
	{ "62 f1 7c 48 10 40 01", INSN_READS_SOMEWHERE, 0, INSN_NO_REG, 0, 1 },
	{ "62 f1 7c 48 10 80 00 01 00 00", INSN_READS_SHARED, 0, INSN_NO_REG, 0, 0x100 },
	{ "f3 a4", INSN_READS_SOMEWHERE, INSN_NO_REG, INSN_NO_REG, 0, 0 },
	{ "89 17", INSN_READS_NOTHING, 7, INSN_NO_REG, 0, 0 },
	{ "8b c1", INSN_READS_NOTHING, INSN_NO_REG, INSN_NO_REG, 0, 0 },
	{ "48 8d 47 08", INSN_READS_NOTHING, 7, INSN_NO_REG, 0, 8 },
	{ "0f 1f 40 00", INSN_READS_NOTHING, 0, INSN_NO_REG, 0, 0 },
};

START_TEST(memory_that_is_read)
{
	struct insn insn = decoded(reads[_i].code);

	ck_assert_int_eq(insn.reads, reads[_i].reads);
	ck_assert_uint_eq(insn.base, reads[_i].base);
	ck_assert_uint_eq(insn.index, reads[_i].index);
	ck_assert_uint_eq(insn.scale, reads[_i].scale);
	ck_assert_uint_eq(insn.displacement, reads[_i].displacement);
}
END_TEST

static const char *const unknown[] = {
	"",
	"06",                /* none in 64-bit mode      */
	"62 f9 7c 48 10 00", /* EVEX of a later kind     */
	"62 f1 78 48 10 00",
	"62 f5 7c 48 10 00",
	"ff f8", /* group 5 has no such      */
	"ff 1b", /* far call                 */
	"0f ff",
	"9a 00 00 00 00 00 00",
	"c6 c8 00",
	"48 c5 f8 77",                                     /* REX before VEX           */
	"66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90", /* 16 bytes                 */
};

START_TEST(what_is_not_known_is_not_decoded)
{
	uint8_t bytes[HEX_MAX];
	size_t n = hex_bytes(unknown[_i], bytes);
	struct insn insn = { .size = 99 };

	ck_assert(!insn_x86_64_decode(bytes, n, AT, &insn));
	ck_assert_uint_eq(insn.size, 99);
}
END_TEST

static void check_parts(const char *code)
{
	uint8_t bytes[HEX_MAX];
	size_t n = hex_bytes(code, bytes);
	struct insn insn;

	/* Some lose only a prefix's meaning by being cut: not the case, they lose their end. */
	for (size_t part = 0; part < n; part++) {
		AUTO_FREE uint8_t *copy = malloc(part + 1);
		memcpy(copy, bytes, part);
		ck_assert_msg(!insn_x86_64_decode(copy, part, AT, &insn), "%zu bytes of '%s'", part,
			      code);
	}
}

START_TEST(part_of_an_instruction_is_not_decoded)
{
	for (size_t i = 0; i < COUNT(jumps); i++)
		check_parts(jumps[i].code);
	for (size_t i = 0; i < COUNT(writes); i++)
		check_parts(writes[i].code);
	for (size_t i = 0; i < COUNT(reads); i++)
		check_parts(reads[i].code);
}
END_TEST

START_TEST(any_bytes_are_survived)
{
	uint64_t seed = 1;

	for (unsigned int round = 0; round < 200000; round++) {
		uint8_t bytes[24];
		size_t n = round % sizeof(bytes);
		struct insn insn;
		for (size_t i = 0; i < n; i++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
			bytes[i] = (uint8_t)(seed >> 56);
		}
		if (!insn_x86_64_decode(bytes, n, seed, &insn))
			continue;
		if (insn.size == 0 || insn.size > n || insn.size > INSN_X86_64_MAX ||
		    insn.writes >> 16 || insn.to > 15 ||
		    (insn.from > 15 && insn.from != INSN_NO_REG) ||
		    (insn.base > 15 && insn.base != INSN_NO_REG) ||
		    (insn.index > 15 && insn.index != INSN_NO_REG))
			ck_abort_msg("round %u", round);
	}
}
END_TEST

/* ---- whole libraries ------------------------------------------------------------------------ */

struct tally {
	size_t instructions, unknown;
};

/* A line of objdump: "  1f400:\tf3 90 \tpause". */
static void check_line(char *line, struct tally *tally)
{
	uint8_t bytes[HEX_MAX];
	char *end;
	uint64_t addr = strtoul(line, &end, 16);
	char *text = *end == ':' ? strchr(end + 2, '\t') : NULL;
	struct insn insn;

	if (!text || strstr(text, "(bad)") || strstr(text, "fstcw") || strstr(text, "fstsw"))
		return; /* those begin with fwait, an instruction of its own */
	*text++ = 0;
	size_t n = hex_bytes(end + 1, bytes);
	tally->instructions++;
	if (!insn_x86_64_decode(bytes, n, addr, &insn)) {
		tally->unknown++;
		return;
	}
	bool calls = !strncmp(text, "call", 4) || strstr(text, " call ");
	bool leaves = !strncmp(text, "jmp", 3) || strstr(text, " jmp ");
	if (insn.size != n || (insn.kind == INSN_CALL) != calls ||
	    (insn.kind == INSN_JUMP) != leaves)
		ck_abort_msg("%s %s: %d bytes, kind %d", line, text, insn.size, insn.kind);
}

static const char *const libraries[] = { "libgomp.so.1", "libc.so.6", "libomp.so.5" };

START_TEST(instructions_of_libraries_are_those_of_objdump)
{
	char command[4096], line[1000];
	void *handle = dlopen(libraries[_i], RTLD_LAZY);
	struct tally tally = { 0 };
	struct link_map *map;

	if (!handle || system("objdump --version >/dev/null 2>&1") != 0) {
		fprintf(stderr, "no %s, or no objdump\n", libraries[_i]);
		return;
	}
	ck_assert_int_eq(dlinfo(handle, RTLD_DI_LINKMAP, &map), 0);
	snprintf(command, sizeof(command), "objdump -d -w --insn-width=16 '%s'", map->l_name);
	FILE *f = popen(command, "r");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f))
		check_line(line, &tally);
	ck_assert_int_eq(pclose(f), 0);
	ck_assert_uint_gt(tally.instructions, 30000);
	ck_assert_uint_lt(tally.unknown, tally.instructions / 1000);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("insn_x86_64");

	unit_table(s, calls_and_jumps, jumps);
	unit_table(s, constants_in_registers, constants);
	unit_table(s, copies_of_registers, copies);
	unit_table(s, neither_constants_nor_copies, others);
	unit_table(s, what_instructions_compute, meanings);
	unit_table(s, registers_that_are_written, writes);
	unit_table(s, memory_that_is_read, reads);
	unit_table(s, what_is_not_known_is_not_decoded, unknown);
	unit_table(s, instructions_of_libraries_are_those_of_objdump, libraries);
	unit_case(s, "bytes", part_of_an_instruction_is_not_decoded, any_bytes_are_survived);
	return unit_run(s);
}
