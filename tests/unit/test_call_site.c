/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What code around an address does: calls, stubs, arguments, loops that wait. */
#include <stdio.h>

#include "fake_target.h"
#include "hex.h"
#include "target/code/call_site.h"
#include "unit.h"

/* Addresses in the made-up program. Each has a page of its own. */
enum {
	CODE = 0x401000, /* code ends at RETURN */
	RETURN = 0x401800,
	STUB = 0x402000,
	SLOT = 0x403000,
	OTHER = 0x404000,
	FUNCTION = 0x405000,
};

static void add_code(struct fake_target *f, taddr at, const char *code)
{
	uint8_t bytes[HEX_MAX];
	size_t n = hex_bytes(code, bytes);

	fake_target_add(f, at, bytes, n);
}

/* Code that ends at RETURN, behind many nops. */
static void add_before(struct fake_target *f, const char *code)
{
	uint8_t bytes[RETURN - CODE], part[HEX_MAX];
	size_t n = hex_bytes(code, part);

	memset(bytes, 0x90, sizeof(bytes));
	memcpy(bytes + sizeof(bytes) - n, part, n);
	fake_target_add(f, CODE, bytes, sizeof(bytes));
}

static struct fake_target *program_of(const char *code)
{
	struct fake_target *f = fake_target_new();
	const uint64_t slot = FUNCTION;

	add_before(f, code);
	add_code(f, STUB, "c3");
	fake_target_add(f, SLOT, &slot, sizeof(slot));
	add_code(f, OTHER, "c3");
	add_code(f, FUNCTION, "55 48 89 e5 c3");
	return f;
}

/* ---- calls --------------------------------------------------------------------------------- */

static const struct {
	const char *code;
	enum call_kind kind;
	taddr target;
} calls[] = {
	{ "e8 00 08 00 00", CALL_DIRECT, STUB },
	{ "67 e8 00 08 00 00", CALL_DIRECT, STUB },
	{ "66 66 48 e8 00 08 00 00", CALL_DIRECT, STUB },
	{ "f2 e8 00 08 00 00", CALL_DIRECT, STUB },
	{ "e8 00 f8 ff ff", CALL_DIRECT, CODE },
	{ "ff d0", CALL_INDIRECT, 0 },
	{ "ff d7", CALL_INDIRECT, 0 },
	{ "41 ff d5", CALL_INDIRECT, 0 },
	{ "3e ff d0", CALL_INDIRECT, 0 },
	{ "ff 13", CALL_INDIRECT, 0 },
	{ "41 ff 16", CALL_INDIRECT, 0 },
	{ "ff 50 18", CALL_INDIRECT, 0 },
	{ "41 ff 57 f8", CALL_INDIRECT, 0 },
	{ "ff 14 24", CALL_INDIRECT, 0 },
	{ "ff 14 c3", CALL_INDIRECT, 0 },
	{ "ff 54 c3 10", CALL_INDIRECT, 0 },
	{ "41 ff 54 24 08", CALL_INDIRECT, 0 },
	{ "ff 90 00 01 00 00", CALL_INDIRECT, 0 },
	{ "ff 94 c3 00 01 00 00", CALL_INDIRECT, 0 },
	{ "43 ff 94 e7 00 01 00 00", CALL_INDIRECT, 0 },
	{ "ff 14 c5 00 30 40 00", CALL_INDIRECT, 0 },
	{ "64 ff 14 25 10 00 00 00", CALL_INDIRECT, 0 },
	/* Through a slot at a fixed place. */
	{ "ff 15 00 18 00 00", CALL_DIRECT, FUNCTION },
	{ "48 ff 15 00 18 00 00", CALL_DIRECT, FUNCTION },
	{ "ff 14 25 00 30 40 00", CALL_DIRECT, FUNCTION },
	/* Near misses. */
	{ "90 90 90 90 90", CALL_NONE, 0 },
	{ "e9 00 08 00 00", CALL_NONE, 0 },
	{ "e8 00 00 00 70", CALL_NONE, 0 }, /* nothing is there */
	{ "e8 00 08 00 00 90", CALL_NONE, 0 },
	{ "ff e0", CALL_NONE, 0 },
	{ "ff 25 00 18 00 00", CALL_NONE, 0 },
	{ "ff 30", CALL_NONE, 0 },
	{ "ff 1b", CALL_NONE, 0 },
	{ "ff 15 00 00 00 70", CALL_NONE, 0 },
	{ "0f 05", CALL_NONE, 0 },
	/* One inside the other: what comes before decides. */
	{ "ff 94 e8 00 08 00 00", CALL_INDIRECT, 0 },
	{ "b8 00 00 ff 94 e8 00 08 00 00", CALL_DIRECT, STUB },
	{ "41 ff 94 e8 00 08 00 00", CALL_INDIRECT, 0 },
	{ "48 81 c7 00 00 00 00 41 ff 94 e8 00 08 00 00", CALL_INDIRECT, 0 },
	{ "48 81 c7 00 41 ff 94 e8 00 08 00 00", CALL_DIRECT, STUB },
};

START_TEST(call_before_a_return_address)
{
	struct fake_target *f = program_of(calls[_i].code);
	struct call_site site = call_site_before(&f->base, RETURN);

	ck_assert_int_eq(site.kind, calls[_i].kind);
	ck_assert_uint_eq(site.target, calls[_i].target);
	target_free(&f->base);
}
END_TEST

START_TEST(call_at_the_start_of_a_mapping)
{
	struct fake_target *f = fake_target_new();

	add_code(f, CODE, "e8 fb 0f 00 00");
	add_code(f, STUB, "c3");
	ck_assert_uint_eq(call_site_before(&f->base, CODE + 5).target, STUB);
	add_code(f, OTHER, "67 e8 fa df ff ff 41 ff d4");
	ck_assert_uint_eq(call_site_before(&f->base, OTHER + 6).target, STUB);
	ck_assert_int_eq(call_site_before(&f->base, OTHER + 9).kind, CALL_INDIRECT);
	/* Only part of an instruction is there. */
	ck_assert_int_eq(call_site_before(&f->base, CODE + 1).kind, CALL_NONE);
	ck_assert_int_eq(call_site_before(&f->base, CODE).kind, CALL_NONE);
	target_free(&f->base);
}
END_TEST

START_TEST(return_addresses_that_are_nowhere)
{
	static const taddr wild[] = {
		0, 1, 40, 0x1000, UINT64_MAX, UINT64_MAX - 70, 0x8000000000000000
	};
	struct fake_target *f = program_of("e8 00 08 00 00");
	taddr addr;

	for (size_t i = 0; i < COUNT(wild); i++) {
		ck_assert_int_eq(call_site_before(&f->base, wild[i]).kind, CALL_NONE);
		ck_assert(!call_site_argument(&f->base, wild[i], 0, &addr));
		ck_assert_uint_eq(call_site_follow(&f->base, wild[i]), wild[i]);
	}
	target_free(&f->base);
}
END_TEST

/* ---- stubs ---------------------------------------------------------------------------------- */

/* What is at STUB and in the slot; what a call of it leads to, and a jump there. */
static const struct {
	const char *name, *stub;
	taddr slot;
	const char *other;
	taddr called, followed;
} stubs[] = {
	{ "a function", "55 48 89 e5", FUNCTION, "c3", STUB, STUB },
	{ "bound at once", "ff 25 fa 0f 00 00 66 90", FUNCTION, "c3", FUNCTION, FUNCTION },
	{ "lazy, bound", "ff 25 fa 0f 00 00 68 00 00 00 00 e9 e0 ff ff ff", FUNCTION, "c3",
	  FUNCTION, FUNCTION },
	{ "lazy, not bound", "ff 25 fa 0f 00 00 68 00 00 00 00 e9 e0 ff ff ff", STUB + 6, "c3", 0,
	  0 },
	{ ".plt.sec", "f3 0f 1e fa ff 25 f6 0f 00 00 66 0f 1f 44 00 00", FUNCTION, "c3", FUNCTION,
	  FUNCTION },
	{ ".plt.sec with bnd", "f3 0f 1e fa f2 ff 25 f5 0f 00 00 0f 1f 44 00 00", FUNCTION, "c3",
	  FUNCTION, FUNCTION },
	{ ".plt.sec, not bound", "f3 0f 1e fa f2 ff 25 f5 0f 00 00 0f 1f 44 00 00", OTHER,
	  "f3 0f 1e fa 68 03 00 00 00 f2 e9 b1 ff ff ff 90", 0, 0 },
	{ "an empty slot", "ff 25 fa 0f 00 00", 0, "c3", 0, 0 },
	{ "a slot that is not there", "ff 25 fa 0f 00 70", FUNCTION, "c3", 0, 0 },
	{ "a stub behind a stub", "ff 25 fa 0f 00 00", OTHER, "ff 25 fa ef ff ff", OTHER, OTHER },
	/* A function that begins with a jump is what was called. */
	{ "a jump", "e9 fb 2f 00 00", 0, "c3", STUB, FUNCTION },
	{ "a function with a jump", "ff 25 fa 0f 00 00", OTHER, "f3 0f 1e fa e9 f7 0f 00 00", OTHER,
	  FUNCTION },
	{ "a jump to a stub", "e9 fb 1f 00 00", FUNCTION, "ff 25 fa ef ff ff", FUNCTION, FUNCTION },
	{ "a jump by register", "ff e0", 0, "c3", STUB, STUB },
	{ "a branch", "74 10", 0, "c3", STUB, STUB },
	{ "bytes", "06 06 06", 0, "c3", STUB, STUB },
};

START_TEST(through_stubs)
{
	struct fake_target *f = fake_target_new();
	const uint64_t slot = stubs[_i].slot;

	add_before(f, "e8 00 08 00 00");
	add_code(f, STUB, stubs[_i].stub);
	fake_target_add(f, SLOT, &slot, sizeof(slot));
	add_code(f, OTHER, stubs[_i].other);
	add_code(f, FUNCTION, "55 48 89 e5 c3");
	struct call_site site = call_site_before(&f->base, RETURN);
	ck_assert_int_eq(site.kind, CALL_DIRECT);
	ck_assert_msg(site.target == stubs[_i].called, "%s: called %#jx", stubs[_i].name,
		      (uintmax_t)site.target);
	taddr followed = call_site_follow(&f->base, STUB);
	ck_assert_msg(followed == stubs[_i].followed, "%s: followed to %#jx", stubs[_i].name,
		      (uintmax_t)followed);
	target_free(&f->base);
}
END_TEST

START_TEST(jumps_in_a_circle_end)
{
	struct fake_target *f = fake_target_new();
	const uint64_t slot = STUB;

	add_code(f, STUB, "ff 25 fa 0f 00 00");
	fake_target_add(f, SLOT, &slot, sizeof(slot));
	add_code(f, OTHER, "eb fe");
	add_before(f, "e8 00 08 00 00");
	call_site_before(&f->base, RETURN);
	ck_assert_uint_eq(call_site_follow(&f->base, STUB), STUB);
	ck_assert_uint_eq(call_site_follow(&f->base, OTHER), OTHER);
	target_free(&f->base);
}
END_TEST

START_TEST(a_stub_at_the_end_of_a_mapping)
{
	struct fake_target *f = fake_target_new();
	const uint64_t slot = FUNCTION;

	add_code(f, STUB + 0x1000 - 6, "ff 25 00 20 00 00");
	fake_target_add(f, STUB + 0x3000, &slot, sizeof(slot));
	ck_assert_uint_eq(call_site_follow(&f->base, STUB + 0x1000 - 6), FUNCTION);
	target_free(&f->base);
}
END_TEST

/* ---- arguments ----------------------------------------------------------------------------- */

enum { NO_ARGUMENT = 0 };
#define CALL "e8 00 08 00 00"

static const struct {
	const char *code;
	taddr value;
} arguments[] = {
	/* As gcc and clang write calls of omp_set_lock() and GOMP_critical_name_start(). */
	{ "55 48 89 e5 e8 35 ff ff ff 48 8d 05 08 18 00 00 48 89 c7 " CALL, SLOT },
	{ "53 48 8d 1d 0d 18 00 00 e8 f3 fa ff ff 48 89 df " CALL, SLOT },
	{ "e8 b7 03 00 00 48 8d 3d 05 18 00 00 " CALL, SLOT },
	{ "53 e8 5a 03 00 00 48 8d 1d 08 18 00 00 48 89 df " CALL, SLOT },
	{ "8b 75 fc 48 8d 3d 0c 18 00 00 48 8d 15 33 3a 00 00 " CALL, SLOT },
	{ "bf 40 40 40 00 " CALL, 0x404040 },
	{ "48 bf 00 30 40 00 00 00 00 00 " CALL, SLOT },
	{ "48 c7 c7 00 30 40 00 " CALL, SLOT },
	{ "bb 40 40 40 00 89 df " CALL, 0x404040 },
	{ "49 c7 c4 ff ff ff ff 44 89 e7 " CALL, UINT32_MAX },
	{ "bf 40 40 40 00 be 01 00 00 00 31 c0 ba 05 00 00 00 " CALL, 0x404040 },
	{ "bf 40 40 40 00 ff d0", 0x404040 },
	{ "bf 40 40 40 00 ff 15 00 18 00 00", 0x404040 },
	{ "bf 01 00 00 00 bf 40 40 40 00 " CALL, 0x404040 },
	{ "8b 7d fc bf 40 40 40 00 " CALL, 0x404040 },
	/* The byte before is a prefix of the call, or only looks like one. */
	{ "bf 40 40 40 00 67 " CALL, 0x404040 },
	{ "bf 40 40 40 00 41 ff d5", 0x404040 },
	{ "bf 00 00 00 48 " CALL, 0x48000000 },
	{ "bf 00 00 00 41 ff d5", 0x41000000 },
	/* Near misses. */
	{ CALL, NO_ARGUMENT },
	{ "48 8b 3d f4 17 00 00 " CALL, NO_ARGUMENT },    /* from memory           */
	{ "48 8d 7b 10 " CALL, NO_ARGUMENT },             /* lea of a pointer      */
	{ "bf 40 40 40 00 48 89 c7 " CALL, NO_ARGUMENT }, /* written again         */
	{ "bf 40 40 40 00 83 c7 01 " CALL, NO_ARGUMENT }, /* changed               */
	{ "bf 40 40 40 00 40 b7 01 " CALL, NO_ARGUMENT }, /* one byte of it        */
	{ "bf 40 40 40 00 5f " CALL, NO_ARGUMENT },       /* popped                */
	{ "bf 40 40 40 00 " CALL " " CALL, NO_ARGUMENT }, /* of the call before    */
	{ "bf 40 40 40 00 0f 05 c3 " CALL, NO_ARGUMENT }, /* not reached           */
	{ "bf 40 40 40 00 eb 05 90 90 90 90 90 " CALL, NO_ARGUMENT },
	{ "bb 40 40 40 00 5b 89 df " CALL, NO_ARGUMENT },
	{ "b8 40 40 40 00 e8 5a 03 00 00 89 c7 " CALL, NO_ARGUMENT }, /* a result         */
	{ "74 05 bf 40 40 40 00 " CALL, NO_ARGUMENT },                /* a jump around it      */
	{ "bf 40 40 40 00 90 90 90 eb fc " CALL, NO_ARGUMENT },
	{ "48 b8 bf 40 40 40 00 00 00 00 " CALL, NO_ARGUMENT }, /* within another one    */
	{ "c7 45 f8 bf 40 40 40 00 90", NO_ARGUMENT },          /* no call               */
};

START_TEST(first_argument)
{
	struct fake_target *f = program_of(arguments[_i].code);
	taddr value = NO_ARGUMENT;
	bool found = call_site_argument(&f->base, RETURN, 0, &value);

	ck_assert_uint_eq(value, arguments[_i].value);
	ck_assert_int_eq(found, arguments[_i].value != NO_ARGUMENT);
	target_free(&f->base);
}
END_TEST

START_TEST(constants_in_other_registers)
{
	struct fake_target *f = program_of("41 b8 07 00 00 00 b8 ca 00 00 00 0f 05");
	const struct arch *a = f->base.arch;
	uint64_t value;

	ck_assert(call_site_constant(&f->base, RETURN - 2, arch_find_reg(a, "rax"), &value));
	ck_assert_uint_eq(value, 0xca);
	ck_assert(call_site_constant(&f->base, RETURN - 2, arch_find_reg(a, "r8"), &value));
	ck_assert_uint_eq(value, 7);
	ck_assert(!call_site_constant(&f->base, RETURN, arch_find_reg(a, "rax"), &value));
	ck_assert(call_site_constant(&f->base, RETURN, arch_find_reg(a, "r8"), &value));
	ck_assert(!call_site_constant(&f->base, RETURN - 2, arch_find_reg(a, "rbx"), &value));
	ck_assert(!call_site_constant(&f->base, RETURN - 2, arch_find_reg(a, "rip"), &value));
	target_free(&f->base);
}
END_TEST

/* ---- loops that wait ------------------------------------------------------------------------- */

enum { LOCK = 0x555555001000 };

static void set(struct fake_target *f, const char *name, uint64_t value)
{
	arch_put(arch_find_reg(f->base.arch, name), f->general, value);
}

/* Loops of real runtimes; the register, what it holds, and what is polled then. 0: not known. */
static const struct {
	const char *name, *code;
	unsigned int first, last; /* offsets of instructions of the loop */
	const char *reg;
	uint64_t value, polled;
} loops[] = {
	{ "libgomp, lock", /* jmp in; pause; add; cmp; je; mov (%rdi),%edx; cmp; je */
	  "eb 10 0f 1f 44 00 00 f3 90 48 83 c0 01 48 39 c8 74 1d 8b 17 83 fa 01 74 ee 31 c0 c3", 7,
	  23, "rdi", LOCK, LOCK },
	{ "libgomp, ordered", /* mov (%rbx),%esi; cmp; jne back; pause; add; cmp; jne */
	  "31 c0 8b 33 39 f2 75 a3 f3 90 48 83 c0 01 48 39 c8 75 ef bd ca 00 00 00 c3", 2, 17,
	  "rbx", LOCK + 4, LOCK + 4 },
	{ "libgomp, barrier", "eb 09 f3 90 48 83 c0 01 48 39 d0 74 2d 8b 4d 00 39 cb 74 ee c3", 2,
	  18, "rbp", LOCK, LOCK },
	{ "libgomp, doacross", "f3 90 48 8b 17 48 39 d0 73 f6 5b 5d c3", 0, 8, "rdi", LOCK, LOCK },
	{ "libomp, free list",
	  "31 c9 f3 90 49 8b 9e 28 01 00 00 48 89 d8 f0 49 0f b1 8e 28 01 00 00 75 e9 c3", 2, 23,
	  "r14", LOCK, LOCK + 0x128 },
	{ "libomp, team", "31 c0 f0 0f b1 8b e4 01 00 00 74 47 f3 90 eb f0 c3", 0, 14, "rbx", LOCK,
	  LOCK + 0x1e4 },
	{ "libomp, compared in memory", "80 7b 0c 00 0f 84 80 01 00 00 f3 90 eb f2 c3", 0, 12,
	  "rbx", LOCK, LOCK + 0xc },
	{ "with an index", "f3 90 4a 8b 9c ed 48 01 00 00 48 83 fb 01 74 f0 c3", 0, 14, "rbp", LOCK,
	  LOCK + 0x148 + 8 * 3 },
	{ "a fixed address", "f3 90 8b 05 f8 0f 00 00 85 c0 75 f4 c3", 0, 10, "rax", 0,
	  CODE + 0x1000 },
	{ "with a call to yield", "f3 90 8b 03 85 c0 74 07 e8 00 10 00 00 eb f1 c3", 0, 13, "rbx",
	  LOCK, LOCK },
	{ "the stack beside it", "f3 90 8b 03 3b 44 24 08 75 f6 c3", 0, 8, "rbx", LOCK, LOCK },
	/* Not known. */
	{ "no pause", "90 90 48 8b 17 48 39 d0 73 f6 5b 5d c3", 0, 8, "rdi", LOCK, 0 },
	{ "no loop", "f3 90 48 8b 17 48 39 d0 73 06 5b 5d c3", 0, 8, "rdi", LOCK, 0 },
	{ "reads nothing", "f3 90 48 83 c0 01 48 39 c8 75 f5 c3", 0, 9, "rdi", LOCK, 0 },
	{ "two places", "f3 90 8b 03 85 c0 75 04 8b 0f eb f4 c3", 0, 10, "rbx", LOCK, 0 },
	{ "the register moves", "f3 90 48 8b 1b 48 85 db 75 f6 c3", 0, 8, "rbx", LOCK, 0 },
	{ "a call may change it", "f3 90 8b 07 85 c0 74 07 e8 00 10 00 00 eb f1 c3", 0, 13, "rdi",
	  LOCK, 0 },
	{ "a pointer to it is read first",
	  "f3 90 48 8b 83 40 03 00 00 8b 80 e4 01 00 00 85 c0 75 ed c3", 0, 17, "rbx", LOCK, 0 },
	/* The small loop is a part of a larger one that looks at something else. */
	{ "libomp, yielding",
	  "e8 fb 0f 00 00 f3 90 8b 03 83 f8 01 74 f2 83 f8 02 75 f2 41 8b 06 85 c0 75 eb c3", 5, 17,
	  "rbx", LOCK, 0 },
	{ "code that is not known", "f3 90 62 f1 7c 48 10 00 8b 03 85 c0 75 f4 c3", 0, 0, "rbx",
	  LOCK, 0 },
};

static bool polls_at(struct fake_target *f, struct thread *th, taddr pc, taddr *ret)
{
	set(f, "rip", pc);
	th->general_valid = false;
	return call_site_polls(&f->base, th, ret);
}

START_TEST(loops_that_wait)
{
	struct fake_target *f = fake_target_new();
	struct thread *th = target_add_thread(&f->base, 1);
	uint8_t bytes[HEX_MAX];
	size_t n = hex_bytes(loops[_i].code, bytes);
	struct insn insn;

	add_code(f, CODE, loops[_i].code);
	set(f, "r13", 3);
	set(f, loops[_i].reg, loops[_i].value);
	for (size_t at = loops[_i].first; at <= loops[_i].last; at += insn.size) {
		taddr polled = 0;
		bool polls = polls_at(f, th, CODE + at, &polled);
		ck_assert_msg(polled == loops[_i].polled && polls == (polled != 0),
			      "%s at %zu: %#jx", loops[_i].name, at, (uintmax_t)polled);
		insn.size = 99;
		f->base.arch->decode(bytes + at, n - at, CODE + at, &insn);
	}
	/* Behind the loop it is over. */
	taddr polled;
	ck_assert(!polls_at(f, th, CODE + n - 1, &polled));
	target_free(&f->base);
}
END_TEST

START_TEST(no_registers_no_memory_no_answer)
{
	struct fake_target *f = fake_target_new();
	struct thread *th = target_add_thread(&f->base, 1);
	taddr polled;

	ck_assert(!polls_at(f, th, CODE, &polled));
	ck_assert(!polls_at(f, th, 0, &polled));
	ck_assert(!polls_at(f, th, UINT64_MAX, &polled));
	add_code(f, CODE, "f3 90 8b 03 85 c0 75 f8 c3");
	set(f, "rbx", LOCK);
	ck_assert(polls_at(f, th, CODE, &polled));
	f->unreadable = true;
	memory_flush(f->base.memory);
	ck_assert(!polls_at(f, th, CODE, &polled));
	target_free(&f->base);
}
END_TEST

/* ---- any bytes ------------------------------------------------------------------------------- */

START_TEST(any_code_is_survived)
{
	/* Much of what the functions look for, so that they find some of it. */
	static const uint8_t often[] = {
		0xe8, 0xe9, 0xeb, 0xff, 0x15, 0x25, 0xf3, 0x90, 0x48, 0x8d,
		0x3d, 0x8b, 0x74, 0x75, 0xbf, 0x0f, 0xfe, 0x00, 0xf0, 0x41
	};
	uint64_t seed = (uint64_t)_i + 1;

	for (unsigned int round = 0; round < 20; round++) {
		struct fake_target *f = fake_target_new();
		struct thread *th = target_add_thread(&f->base, 1);
		uint8_t code[2 * MEMORY_PAGE];
		for (size_t i = 0; i < sizeof(code); i++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
			code[i] = seed >> 63 ? (uint8_t)(seed >> 40)
					     : often[(seed >> 40) % COUNT(often)];
		}
		fake_target_add(f, CODE, code, sizeof(code));
		for (taddr pc = CODE - 8; pc < CODE + sizeof(code) + 8; pc += 5) {
			taddr value;
			call_site_before(&f->base, pc);
			call_site_follow(&f->base, pc);
			call_site_argument(&f->base, pc, 0, &value);
			polls_at(f, th, pc, &value);
		}
		target_free(&f->base);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("call_site");
	TCase *any = tcase_create("any");

	unit_table(s, call_before_a_return_address, calls);
	unit_table(s, through_stubs, stubs);
	unit_table(s, first_argument, arguments);
	unit_table(s, loops_that_wait, loops);
	unit_case(s, "edges", call_at_the_start_of_a_mapping, return_addresses_that_are_nowhere,
		  jumps_in_a_circle_end, a_stub_at_the_end_of_a_mapping,
		  constants_in_other_registers, no_registers_no_memory_no_answer);
	suite_add_tcase(s, any);
	tcase_add_loop_test(any, any_code_is_survived, 0, 4);
	return unit_run(s);
}
