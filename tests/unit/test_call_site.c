/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What calls do: where they lead, with which arguments. */
#include <stdio.h>

#include "code_fixture.h"
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

struct program {
	struct code_fixture code;
	struct target *target; /* of code */
	struct call_sites *sites;
};

/* It has code that ends at RETURN; with unwind tables for it, or without. */
static void program_init(struct program *p, const char *code, bool tables)
{
	const struct code_range range = { tables ? CODE : OTHER, tables ? RETURN : OTHER + 1 };
	const uint64_t slot = FUNCTION;

	code_fixture_init(&p->code, &range, 1);
	add_before(p->code.fake, code);
	add_code(p->code.fake, STUB, "c3");
	fake_target_add(p->code.fake, SLOT, &slot, sizeof(slot));
	add_code(p->code.fake, OTHER, "c3");
	add_code(p->code.fake, FUNCTION, "55 48 89 e5 c3");
	p->target = &p->code.fake->base;
	p->sites = call_sites_new(p->target, p->code.unwinder);
	ck_assert_ptr_nonnull(p->sites);
}

static void program_fini(struct program *p)
{
	call_sites_free(p->sites);
	code_fixture_fini(&p->code);
}

static bool is_function(void *context, taddr target)
{
	(void)context;
	return target == FUNCTION || target == OTHER;
}

static enum call_way to_function(void *context, taddr target)
{
	return is_function(context, target) ? WAY_GOAL : target == STUB ? WAY_THROUGH : WAY_NOWHERE;
}

/* ---- calls --------------------------------------------------------------------------------- */

static const struct {
	const char *code;
	enum call_kind kind;
	taddr target;
	bool ambiguous; /* without unwind tables */
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
	{ "ff 94 e8 00 08 00 00", CALL_INDIRECT, 0, true },
	{ "b8 00 00 ff 94 e8 00 08 00 00", CALL_DIRECT, STUB, true },
	{ "41 ff 94 e8 00 08 00 00", CALL_INDIRECT, 0, true },
	{ "48 81 c7 00 00 00 00 41 ff 94 e8 00 08 00 00", CALL_INDIRECT, 0, true },
	{ "48 81 c7 00 41 ff 94 e8 00 08 00 00", CALL_DIRECT, STUB, true },
	/* Behind an instruction that is not known; a jump leads to the call, or does not. */
	{ "eb 01 06 ff 94 e8 00 08 00 00", CALL_INDIRECT, 0, true },
	{ "06 e8 00 08 00 00", CALL_DIRECT, STUB },
};

START_TEST(call_before_a_return_address)
{
	struct program p;

	program_init(&p, calls[_i].code, true);
	struct call_site site = call_site_before(p.sites, RETURN);
	ck_assert_int_eq(site.kind, calls[_i].kind);
	ck_assert_uint_eq(site.target, calls[_i].target);
	program_fini(&p);
}
END_TEST

START_TEST(without_unwind_tables_only_what_can_be_nothing_else_is_a_call)
{
	struct program p;

	program_init(&p, calls[_i].code, false);
	struct call_site site = call_site_before(p.sites, RETURN);
	ck_assert_int_eq(site.kind, calls[_i].ambiguous ? CALL_NONE : calls[_i].kind);
	ck_assert_uint_eq(site.target, calls[_i].ambiguous ? 0 : calls[_i].target);
	program_fini(&p);
}
END_TEST

START_TEST(call_at_the_start_of_a_mapping)
{
	struct program p;

	program_init(&p, "90", _i);
	add_code(p.code.fake, CODE, "e8 fb 0f 00 00");
	add_code(p.code.fake, OTHER, "67 e8 fa df ff ff 41 ff d4");
	ck_assert_uint_eq(call_site_before(p.sites, CODE + 5).target, STUB);
	ck_assert_uint_eq(call_site_before(p.sites, OTHER + 6).target, STUB);
	ck_assert_int_eq(call_site_before(p.sites, OTHER + 9).kind, CALL_INDIRECT);
	/* Only part of an instruction is there. */
	ck_assert_int_eq(call_site_before(p.sites, CODE + 1).kind, CALL_NONE);
	ck_assert_int_eq(call_site_before(p.sites, CODE).kind, CALL_NONE);
	program_fini(&p);
}
END_TEST

START_TEST(return_addresses_that_are_nowhere)
{
	static const taddr wild[] = {
		0, 1, 40, 0x1000, UINT64_MAX, UINT64_MAX - 70, 0x8000000000000000
	};
	struct program p;
	taddr addr;

	program_init(&p, "e8 00 08 00 00", true);
	for (size_t i = 0; i < COUNT(wild); i++) {
		ck_assert_int_eq(call_site_before(p.sites, wild[i]).kind, CALL_NONE);
		ck_assert(!call_site_argument(p.sites, wild[i], 0, &addr));
		ck_assert_uint_eq(jump_follow(p.target, wild[i]), wild[i]);
	}
	program_fini(&p);
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
	{ "mold", "f3 0f 1e fa 41 bb 08 00 00 00 ff 25 f0 0f 00 00", FUNCTION, "c3", FUNCTION,
	  FUNCTION },
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
	const uint64_t slot = stubs[_i].slot;
	struct program p;

	program_init(&p, "e8 00 08 00 00", true);
	add_code(p.code.fake, STUB, stubs[_i].stub);
	fake_target_add(p.code.fake, SLOT, &slot, sizeof(slot));
	add_code(p.code.fake, OTHER, stubs[_i].other);
	struct call_site site = call_site_before(p.sites, RETURN);
	ck_assert_int_eq(site.kind, CALL_DIRECT);
	ck_assert_msg(site.target == stubs[_i].called, "%s: called %#jx", stubs[_i].name,
		      (uintmax_t)site.target);
	taddr followed = jump_follow(p.target, STUB);
	ck_assert_msg(followed == stubs[_i].followed, "%s: followed to %#jx", stubs[_i].name,
		      (uintmax_t)followed);
	program_fini(&p);
}
END_TEST

START_TEST(code_that_cannot_be_read_is_asked_for_once)
{
	struct program p;
	struct call_left left[CALL_LEFT_MAX];
	taddr value;

	program_init(&p, "90", false);
	code_fixture_set(&p.code, &(struct code_range){ 0x410000, 0x410100 }, 1);
	for (unsigned int n = 0; n < 2; n++) {
		ck_assert_int_eq(call_site_before(p.sites, 0x410010).kind, CALL_NONE);
		ck_assert(!call_site_argument(p.sites, 0x410010 + n, 0, &value));
		ck_assert(!call_site_left(p.sites, 0x410010, to_function, NULL, left, &value));
	}
	program_fini(&p);
}
END_TEST

START_TEST(jumps_in_a_circle_end)
{
	const uint64_t slot = STUB;
	struct program p;

	program_init(&p, "e8 00 08 00 00", true);
	add_code(p.code.fake, STUB, "ff 25 fa 0f 00 00");
	fake_target_add(p.code.fake, SLOT, &slot, sizeof(slot));
	add_code(p.code.fake, OTHER, "eb fe");
	call_site_before(p.sites, RETURN);
	ck_assert_uint_eq(jump_follow(p.target, STUB), STUB);
	ck_assert_uint_eq(jump_follow(p.target, OTHER), OTHER);
	program_fini(&p);
}
END_TEST

START_TEST(a_stub_at_the_end_of_a_mapping)
{
	struct fake_target *f = fake_target_new();
	const uint64_t slot = FUNCTION;

	add_code(f, STUB + 0x1000 - 6, "ff 25 00 20 00 00");
	fake_target_add(f, STUB + 0x3000, &slot, sizeof(slot));
	ck_assert_uint_eq(jump_follow(&f->base, STUB + 0x1000 - 6), FUNCTION);
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
	taddr value = NO_ARGUMENT;
	struct program p;

	program_init(&p, arguments[_i].code, true);
	/* Asked again, it is the same. */
	for (unsigned int n = 0; n < 2; n++) {
		bool found = call_site_argument(p.sites, RETURN, 0, &value);
		ck_assert_uint_eq(value, arguments[_i].value);
		ck_assert_int_eq(found, arguments[_i].value != NO_ARGUMENT);
	}
	program_fini(&p);
}
END_TEST

/* rbx and rsp, as they are in the frame that calls. */
enum { IN_RBX = 0x7000, IN_RSP = 0x9000 };

static const struct {
	const char *code;
	taddr value;
} passed[] = {
	{ "48 89 df " CALL, IN_RBX },
	{ "48 8d 7c 24 10 " CALL, IN_RSP + 0x10 },
	{ "48 89 d8 48 83 c0 08 48 89 d8 48 89 c7 " CALL, IN_RBX },
	{ "bf 40 40 40 00 " CALL, 0x404040 },
	{ "48 8d 7b f8 be 01 00 00 00 " CALL, IN_RBX - 8 },
	/* Near misses. */
	{ "48 8d 3c 83 " CALL, NO_ARGUMENT },          /* with an index                  */
	{ "89 df " CALL, NO_ARGUMENT },                /* a half of it                   */
	{ "48 89 c7 " CALL, NO_ARGUMENT },             /* of a register that is not kept */
	{ "48 8d 7f 08 " CALL, NO_ARGUMENT },          /* of itself                      */
	{ "48 89 df 48 83 c3 01 " CALL, NO_ARGUMENT }, /* changed since                  */
	{ "48 8d 7c 24 10 50 " CALL, NO_ARGUMENT },    /* likewise, by a push            */
	{ "4c 89 e7 " CALL, NO_ARGUMENT },             /* of one that is not known       */
};

START_TEST(an_argument_is_a_place_in_the_frame_or_a_kept_register)
{
	enum { RBX = 3, RSP = 4 };
	const uint64_t registers[16] = { [RBX] = IN_RBX, [RSP] = IN_RSP };
	uint64_t value = NO_ARGUMENT;
	struct program p;

	program_init(&p, passed[_i].code, true);
	bool found =
		call_site_passed(p.sites, RETURN, 0, registers, 1 << RBX | 1 << RSP | 1, &value);
	ck_assert_uint_eq(value, passed[_i].value);
	ck_assert_int_eq(found, passed[_i].value != NO_ARGUMENT);
	program_fini(&p);
}
END_TEST

START_TEST(without_unwind_tables_no_argument_is_known)
{
	taddr value;
	struct program p;

	program_init(&p, arguments[_i].code, false);
	ck_assert(!call_site_argument(p.sites, RETURN, 0, &value));
	program_fini(&p);
}
END_TEST

START_TEST(constants_in_other_registers)
{
	enum { RAX = 0, RBX = 3, R8 = 8 }; /* as insn_x86_64.h numbers them */
	struct program p;
	uint64_t value;

	program_init(&p, "41 b8 07 00 00 00 b8 ca 00 00 00 0f 05", true);
	ck_assert(call_site_constant(p.sites, RETURN - 2, RAX, &value));
	ck_assert_uint_eq(value, 0xca);
	ck_assert(call_site_constant(p.sites, RETURN - 2, R8, &value));
	ck_assert_uint_eq(value, 7);
	ck_assert(!call_site_constant(p.sites, RETURN, RAX, &value));
	ck_assert(call_site_constant(p.sites, RETURN, R8, &value));
	ck_assert(!call_site_constant(p.sites, RETURN - 2, RBX, &value));
	program_fini(&p);
}
END_TEST

static const struct {
	const char *code;
	taddr tail;
	size_t before; /* the end: where the jump begins */
} tails[] = {
	{ "5d e9 00 38 00 00", FUNCTION, 5 },
	{ "ff 25 00 18 00 00", FUNCTION, 6 },
	{ "74 05 e9 07 38 00 00 0f 84 00 28 00 00 c3", FUNCTION, 12 },
	{ "0f 84 01 38 00 00 c3", FUNCTION, 7 },
	{ "0f 84 05 28 00 00 e9 00 38 00 00", 0, 0 }, /* several             */
	{ "e9 00 08 00 00", 0, 0 },                   /* to what is not wanted */
	{ "06 e9 00 38 00 00", 0, 0 },                /* not all is known    */
};

START_TEST(where_a_function_jumps_to_in_the_end)
{
	taddr to = 0;
	struct call_left left[CALL_LEFT_MAX];
	struct program p;

	program_init(&p, tails[_i].code, true);
	size_t found = call_site_left(p.sites, CODE + 8, to_function, NULL, left, &to);
	ck_assert_uint_eq(found ? to : 0, tails[_i].tail);
	ck_assert_uint_eq(found, tails[_i].tail != 0);
	if (found) {
		ck_assert_uint_eq(left[0].njumps, 1);
		ck_assert_uint_eq(left[0].jumps[0], RETURN - tails[_i].before);
	}
	program_fini(&p);
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
		struct program p;
		uint8_t code[2 * MEMORY_PAGE];
		for (size_t i = 0; i < sizeof(code); i++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
			code[i] = seed >> 63 ? (uint8_t)(seed >> 40)
					     : often[(seed >> 40) % COUNT(often)];
		}
		program_init(&p, "90", round % 2);
		code_fixture_set(&p.code, &(struct code_range){ CODE + round, CODE + sizeof(code) },
				 1);
		fake_target_add(p.code.fake, CODE, code, sizeof(code));
		for (taddr pc = CODE - 8; pc < CODE + sizeof(code) + 8; pc += 5) {
			struct call_left left[CALL_LEFT_MAX];
			taddr value;
			call_site_before(p.sites, pc);
			jump_follow(p.target, pc);
			call_site_argument(p.sites, pc, 0, &value);
			call_site_left(p.sites, pc, to_function, NULL, left, &value);
		}
		program_fini(&p);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("call_site");
	TCase *any = tcase_create("any");

	unit_table(s, call_before_a_return_address, calls);
	unit_table(s, without_unwind_tables_only_what_can_be_nothing_else_is_a_call, calls);
	unit_table(s, through_stubs, stubs);
	unit_table(s, first_argument, arguments);
	unit_table(s, an_argument_is_a_place_in_the_frame_or_a_kept_register, passed);
	unit_table(s, without_unwind_tables_no_argument_is_known, arguments);
	unit_table(s, where_a_function_jumps_to_in_the_end, tails);
	unit_case(s, "edges", return_addresses_that_are_nowhere,
		  code_that_cannot_be_read_is_asked_for_once, jumps_in_a_circle_end,
		  a_stub_at_the_end_of_a_mapping, constants_in_other_registers);
	suite_add_tcase(s, any);
	tcase_add_loop_test(any, call_at_the_start_of_a_mapping, 0, 2);
	tcase_add_loop_test(any, any_code_is_survived, 0, 4);
	return unit_run(s);
}
