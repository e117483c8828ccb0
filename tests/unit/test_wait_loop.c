/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops in which threads wait: what they poll. */
#include <stdio.h>

#include "fake_target.h"
#include "hex.h"
#include "target/code/fixed_loop.h"
#include "target/code/wait_loop.h"
#include "unit.h"

enum { CODE = 0x401000 };

static void add_code(struct fake_target *f, taddr at, const char *code)
{
	uint8_t bytes[HEX_MAX];
	size_t n = hex_bytes(code, bytes);

	fake_target_add(f, at, bytes, n);
}

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
	{ "code that is not known", "f3 90 06 8b 03 85 c0 75 f7 c3", 0, 0, "rbx", LOCK, 0 },
};

static bool polls_at(struct fake_target *f, struct thread *th, taddr pc, taddr *ret)
{
	struct wait_loop loop;

	set(f, "rip", pc);
	th->general_valid = false;
	const bool polls = wait_loop_polls(&f->base, th, &loop);
	*ret = loop.polled;
	return polls;
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

/* What is in memory, and whether that ends the loop; registers: rax 5, ebx -1, the lock's address.
 */
static const struct {
	const char *name, *code;
	unsigned int first, last;
	int32_t memory;
	bool is_over;
} ending[] = {
	{ "doacross, not yet", "f3 90 48 8b 17 48 39 d0 73 f6 5b 5d c3", 0, 8, 5, false },
	{ "doacross, further", "f3 90 48 8b 17 48 39 d0 73 f6 5b 5d c3", 0, 8, 6, true },
	{ "the other way round", "f3 90 48 8b 17 48 3b d0 73 f6 5b 5d c3", 0, 8, 6, false },
	{ "the other way round, over", "f3 90 48 8b 17 48 3b d0 73 f6 5b 5d c3", 0, 8, 4, true },
	{ "with a sign", "f3 90 8b 17 39 d3 7c f8 c3", 0, 6, 0, false },
	{ "with a sign, over", "f3 90 8b 17 39 d3 7c f8 c3", 0, 6, -2, true },
	/* pause; add; cmp; je out; mov (%rdi),%ecx; cmp %ecx,%ebx; je back: turns are counted */
	{ "libgomp, barrier", "eb 09 f3 90 48 83 c0 01 48 39 d0 74 2d 8b 0f 39 cb 74 ef c3", 2, 17,
	  -1, false },
	{ "libgomp, barrier, over", "eb 09 f3 90 48 83 c0 01 48 39 d0 74 2d 8b 0f 39 cb 74 ef c3",
	  2, 17, 7, true },
	{ "with a number", "f3 90 83 3f 03 75 f9 c3", 0, 5, 2, false },
	{ "with a number, over", "f3 90 83 3f 03 75 f9 c3", 0, 5, 3, true },
	{ "a condition that is not known", "f3 90 8b 17 39 d3 7a f8 c3", 0, 6, -2, false },
	{ "an exchange", "31 c0 f0 0f b1 0f 74 47 f3 90 eb f4 c3", 0, 10, 0, false },
};

START_TEST(loops_that_are_over)
{
	struct fake_target *f = fake_target_new();
	struct thread *th = target_add_thread(&f->base, 1);
	uint64_t memory = (uint32_t)ending[_i].memory;
	uint8_t bytes[HEX_MAX];
	size_t n = hex_bytes(ending[_i].code, bytes);
	struct insn insn;

	add_code(f, CODE, ending[_i].code);
	fake_target_add(f, LOCK, (uint8_t *)&memory, sizeof(memory));
	set(f, "rax", 5);
	set(f, "rbx", UINT32_MAX);
	set(f, "rdi", LOCK);
	for (size_t at = ending[_i].first; at <= ending[_i].last; at += insn.size) {
		struct wait_loop loop;
		set(f, "rip", CODE + at);
		th->general_valid = false;
		ck_assert_msg(wait_loop_polls(&f->base, th, &loop) && loop.pauses &&
				      loop.polled == LOCK && loop.is_over == ending[_i].is_over,
			      "%s at %zu", ending[_i].name, at);
		insn.size = 99;
		f->base.arch->decode(bytes + at, n - at, CODE + at, &insn);
	}
	target_free(&f->base);
}
END_TEST

/* Loops of programs; what looks at memory, 0: they do more than that. */
static const struct {
	const char *name, *code;
	unsigned int first, last, looks;
} watching[] = {
	{ "gcc -O2", "8b 04 ba 85 c0 74 f9 c3", 0, 5, CODE },
	{ "clang -O2", "83 3c 81 00 74 fa c3", 0, 4, CODE },
	{ "gcc -O0", /* mov; cltq; lea; lea; mov; test; je */
	  "8b 45 fc 48 98 48 8d 14 85 00 00 00 00 48 8d 05 00 10 00 00 8b 04 02 85 c0 74 e5 c3", 0,
	  25, CODE + 20 },
	{ "clang -O0, out of the midst",
	  "48 63 4d fc 48 8d 05 00 10 00 00 8b 04 88 83 f8 00 75 02 eb eb c3", 0, 19, CODE + 11 },
	{ "until it is a register's number", "39 3b 75 fc c3", 0, 2, CODE },
	{ "with a fence, as flush has it", "f0 48 83 0c 24 00 8b 03 85 c0 74 f4 c3", 0, 10,
	  CODE + 6 },
	{ "with a pause", "f3 90 8b 03 85 c0 74 f8 c3", 0, 6, CODE + 2 },
	{ "come to from behind, too", "8b 03 85 c0 74 fa c3 e8 00 10 00 00 eb f2 c3", 0, 4, CODE },
	{ "with mfence", "0f ae f0 8b 03 85 c0 74 f7 c3", 0, 7, CODE + 3 },
	/* They do more, or cannot be left. */
	{ "endless, with one inside", "31 c0 8b 0b 83 c0 01 83 f8 40 75 f6 eb f2 c3", 0, 12, 0 },
	{ "so many times at most", "8b 03 85 c0 75 05 83 e9 01 75 f5 c3", 0, 9, 0 },
	{ "a sum", "03 03 39 c8 7c fa c3", 0, 4, 0 },
	{ "through a list", "48 8b 1b 48 85 db 75 f8 c3", 0, 6, 0 },
	{ "with a call", "e8 00 10 00 00 8b 03 85 c0 74 f5 c3", 0, 9, 0 },
	{ "with a store", "8b 03 89 01 85 c0 74 f8 c3", 0, 6, 0 },
	{ "counted on the stack", "83 45 fc 01 8b 03 85 c0 74 f6 c3", 0, 8, 0 },
	{ "floating point", "f3 0f 10 03 0f 2e c1 77 f7 c3", 0, 7, 0 },
	{ "no memory", "85 c0 74 fc c3", 0, 2, 0 },
	{ "no loop", "8b 03 85 c0 74 02 31 c0 c3", 0, 6, 0 },
	{ "code that is not known", "8b 03 06 85 c0 74 f9 c3", 0, 0, 0 },
};

START_TEST(loops_that_only_look)
{
	struct fake_target *f = fake_target_new();
	uint8_t bytes[HEX_MAX];
	size_t n = hex_bytes(watching[_i].code, bytes);
	struct insn insn;

	add_code(f, CODE, watching[_i].code);
	for (size_t at = watching[_i].first; at <= watching[_i].last; at += insn.size) {
		taddr looks = 0;
		bool watches = wait_loop_watches(&f->base, CODE + at, &looks);
		ck_assert_msg(looks == watching[_i].looks && watches == (looks != 0),
			      "%s at %zu: %#jx", watching[_i].name, at, (uintmax_t)looks);
		insn.size = 99;
		f->base.arch->decode(bytes + at, n - at, CODE + at, &insn);
	}
	taddr looks;
	ck_assert(!wait_loop_watches(&f->base, CODE + n - 1, &looks));
	target_free(&f->base);
}
END_TEST

/* Loops that come back to what they began with, with rbx and rsi pointing to zeroes, rax 1; what
 * looks. */
static const struct {
	const char *name, *code;
	unsigned int first, last, looks;
	uint64_t rax;
} fixed[] = {
	{ "gcc -O0, by way of a variable of its own", "83 7d fc 00 75 07 8b 03 89 45 fc eb f3 c3",
	  0, 11, CODE + 6 },
	{ "compare and swap that fails", "b8 01 00 00 00 f0 0f b1 13 75 f5 c3", 0, 9, CODE + 5, 1 },
	{ "in a loop that counts to 3", "31 c9 8b 03 85 c0 75 0a 83 c1 01 83 f9 03 75 f2 eb ee c3",
	  0, 16, CODE + 2 },
	{ "clang -O0, by way of a byte of its own",
	  "83 3b 00 0f 95 c0 88 45 fb 8a 45 fb 34 ff a8 01 75 ee c3", 0, 9, CODE },
	{ "a byte that is written as a part of another one",
	  "8b 03 89 45 f8 c6 45 f8 00 83 7d f8 00 74 f1 c3", 0, 13, CODE },
	{ "a bit of several", "8a 03 a8 01 74 fa c3", 0, 4, CODE },
	{ "an exchange that changes nothing", "b8 00 00 00 00 87 03 85 c0 74 f5 c3", 0, 9,
	  CODE + 5 },
	{ "with mfence", "0f ae f0 8b 03 85 c0 74 f7 c3", 0, 7, CODE + 3 },
	/* They do more. */
	{ "it ends", "8b 03 85 c0 75 fa c3", 0, 4, 0 },
	{ "compare and swap that succeeds", "b8 00 00 00 00 f0 0f b1 13 75 f5 c3", 0, 5, 0, 1 },
	{ "counted", "83 c1 01 8b 03 85 c0 74 f7 c3", 0, 7, 0 },
	{ "counted on the stack", "83 45 fc 01 8b 03 85 c0 74 f6 c3", 0, 8, 0 },
	{ "a search", "48 83 c6 04 8b 06 85 c0 74 f6 c3", 0, 8, 0 },
	{ "a store for others", "8b 03 89 06 85 c0 74 f8 c3", 0, 6, 0 },
	{ "with a call", "e8 00 10 00 00 8b 03 85 c0 74 f5 c3", 0, 9, 0 },
	{ "of its own stack alone", "8b 45 fc 85 c0 74 f9 c3", 0, 5, 0 },
	{ "floating point", "f3 0f 10 03 0f 2e c1 77 f7 c3", 0, 7, 0 },
	{ "an exchange that changes memory", "b8 01 00 00 00 87 03 85 c0 74 f5 c3", 0, 5, 0 },
	{ "what it reads decides nothing", "31 c9 8b 03 83 c1 01 83 f9 03 75 f6 eb f2 c3", 0, 12,
	  0 },
};

START_TEST(loops_that_come_back)
{
	const struct fixed_loop_idle none = { NULL, NULL };
	struct fake_target *f = fake_target_new();
	struct thread *th = target_add_thread(&f->base, 1);
	uint8_t bytes[HEX_MAX];
	size_t n = hex_bytes(fixed[_i].code, bytes);
	struct insn insn;

	add_code(f, CODE, fixed[_i].code);
	static const uint8_t zeroes[0x200];
	fake_target_add(f, LOCK, zeroes, sizeof(zeroes));
	set(f, "rsp", LOCK + 0x100);
	set(f, "rbp", LOCK + 0x120);
	set(f, "rbx", LOCK);
	set(f, "rsi", LOCK + 8);
	set(f, "rax", fixed[_i].rax);
	for (size_t at = fixed[_i].first; at <= fixed[_i].last; at += insn.size) {
		struct fixed_loop loop = { 0 };
		set(f, "rip", CODE + at);
		th->general_valid = false;
		bool found = fixed_loop_of_thread(&f->base, th, &none, &loop);
		ck_assert_msg(loop.looks == fixed[_i].looks && found == (loop.looks != 0),
			      "%s at %zu: %#jx", fixed[_i].name, at, (uintmax_t)loop.looks);
		ck_assert(!found || (loop.len == 1 && loop.reads[0] == LOCK));
		insn.size = 99;
		f->base.arch->decode(bytes + at, n - at, CODE + at, &insn);
	}
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

static bool is_any(const void *context, taddr function)
{
	return !context && function;
}

START_TEST(any_code_is_survived)
{
	const struct fixed_loop_idle every = { is_any, NULL };
	/* Much of what loops are made of. */
	static const uint8_t often[] = { 0xeb, 0xf3, 0x90, 0x48, 0x8b, 0x74,
					 0x75, 0x0f, 0xfe, 0x00, 0xf0, 0x41 };
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
			struct fixed_loop loop;
			taddr value;
			polls_at(f, th, pc, &value);
			(void)!wait_loop_watches(&f->base, pc, &value);
			(void)!fixed_loop_of_thread(&f->base, th, &every, &loop);
		}
		target_free(&f->base);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("wait_loop");
	TCase *any = tcase_create("any");

	unit_table(s, loops_that_wait, loops);
	unit_table(s, loops_that_are_over, ending);
	unit_table(s, loops_that_only_look, watching);
	unit_table(s, loops_that_come_back, fixed);
	unit_case(s, "edges", no_registers_no_memory_no_answer);
	suite_add_tcase(s, any);
	tcase_add_loop_test(any, any_code_is_survived, 0, 4);
	return unit_run(s);
}
