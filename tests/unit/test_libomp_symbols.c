/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Symbols of a libomp whose variables are what a test puts there: right, contradictory, hostile.
 * The code and the relocations are those of the installed libomp.
 */
#include "fake_target.h"
#include "unit.h"

#include <elf.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>

#include "ompd/libomp/libomp_image.h"
#include "ompd/libomp/libomp_layout.h"
#include "ompd/libomp/libomp_symbols.h"
#include "ompd/runtimes.h"

/* Where things are in the target. */
#define BIAS    UINT64_C(0x7f0000000000)
#define HEAP    UINT64_C(0x555500000000)
#define PTHREAD UINT64_C(0x7e0000001000)
enum {
	WORDS = LIBOMP_LAYOUT_WORDS,
	GTID = 3,
	LWP = 4711,
	/* offsets in the heap */
	DTV = 0x1000,
	BLOCK = 0x2000,
	LIST = 0x3000,
	TEXT = 0x3100,
	TABLE = 0x4000,
	INFO = 0x5000,
	MODULE = 2, /* number in the dynamic linker's vector */
	LENGTH = 5, /* of that vector                        */
};

struct fixture {
	struct fake_target *target;
	struct module_list *modules;
	struct runtime_list runtimes;
	struct libomp_symbols *symbols;
	struct thread *thread;
	taddr words;     /* the word of lowest address                                 */
	taddr behind;    /* ompd_dll_locations                                         */
	taddr threads;   /* __kmp_threads, as code says                                */
	taddr variables; /* memory that no other variable is in, up to variables_end    */
	taddr variables_end;
};

static const struct runtime *libomp_of(const struct fixture *f)
{
	ck_assert_uint_eq(f->runtimes.len, 1);
	return &f->runtimes.items[0];
}

static void put(struct fixture *f, taddr at, uint64_t value, size_t size)
{
	fake_target_add(f->target, at, &value, size);
}

static void put_word(struct fixture *f, taddr at, uint64_t value)
{
	put(f, at, value, 8);
}

/* The variables that the file does not have (.bss) are zero. */
static void add_bss(struct fixture *f)
{
	struct libomp_image image;

	ck_assert_no_error(libomp_image_read(&f->runtimes, libomp_of(f), &image));
	ck_assert_uint_eq(libomp_image_variables(&image, "omp_get_level", &f->threads, 1), 1);
	f->variables_end = image.writable_end;
	f->variables = image.writable_end - 0x3000;
	ck_assert_uint_gt(f->variables, f->threads);
	void *zeros = calloc(1, image.writable_end - image.relro_end);
	ck_assert_ptr_nonnull(zeros);
	fake_target_add(f->target, f->variables, zeros, 0x3000);
	free(zeros);
	libomp_image_fini(&image);
}

/* The file's relocation entries for thread-local variables, changed by "change". */
static void for_tls_relocations(struct fixture *f,
				void (*change)(struct fixture *f, taddr at, const Elf64_Rela *r))
{
	struct target *t = &f->target->base;
	const struct module *m = libomp_of(f)->module;
	taddr table = 0;
	uint64_t size = 0;
	Elf64_Dyn dyn = { .d_tag = DT_RELA };

	for (taddr at = m->dynamic; dyn.d_tag; at += sizeof(dyn)) {
		ck_assert_no_error(target_read(t, at, &dyn, sizeof(dyn)));
		table = dyn.d_tag == DT_RELA ? dyn.d_un.d_ptr + BIAS : table;
		size = dyn.d_tag == DT_RELASZ ? dyn.d_un.d_val : size;
	}
	for (uint64_t at = 0; at < size; at += sizeof(Elf64_Rela)) {
		Elf64_Rela r;
		ck_assert_no_error(target_read(t, table + at, &r, sizeof(r)));
		if (ELF64_R_TYPE(r.r_info) == R_X86_64_DTPMOD64)
			change(f, table + at, &r);
	}
}

static void relocate_module(struct fixture *f, taddr at, const Elf64_Rela *r)
{
	(void)at;
	put_word(f, BIAS + r->r_offset, MODULE);
}

static void remove_relocation(struct fixture *f, taddr at, const Elf64_Rela *r)
{
	put_word(f, at + offsetof(Elf64_Rela, r_info),
		 ELF64_R_INFO(ELF64_R_SYM(r->r_info), R_X86_64_NONE));
}

/* The variable is at a fixed distance from the thread pointer, 64 bytes before it. */
static void make_fixed(struct fixture *f, taddr at, const Elf64_Rela *r)
{
	put_word(f, at + offsetof(Elf64_Rela, r_info),
		 ELF64_R_INFO(ELF64_R_SYM(r->r_info), R_X86_64_TPOFF64));
	put_word(f, BIAS + r->r_offset, (uint64_t)-64);
}

static void add_thread(struct fixture *f)
{
	const struct reg *fs = f->target->base.arch->thread_pointer;

	f->thread = target_add_thread(&f->target->base, LWP);
	ck_assert_ptr_nonnull(f->thread);
	arch_put(fs, f->target->general, PTHREAD);
	put_word(f, PTHREAD + 8, HEAP + DTV);
	put_word(f, HEAP + DTV - 16, LENGTH);
	put_word(f, HEAP + DTV + 16 * MODULE, HEAP + BLOCK);
	put(f, HEAP + BLOCK, GTID, 4);
	put(f, PTHREAD - 64, GTID, 4);
}

static uint64_t some_value(size_t word)
{
	static const uint64_t tried[] = { 8, 4, 1 };
	size_t i = 0;

	while (!libomp_layout_fits(word, tried[i]))
		ck_assert_uint_lt(++i, COUNT(tried));
	return tried[i];
}

/* The offset of the pthread_t is 4 times 8, as each offset is 8. */
enum { PTHREAD_OFFSET = 32 };

static void add_layout(struct fixture *f, bool reversed)
{
	taddr list = HEAP + LIST, text = HEAP + TEXT;

	f->words = f->variables + 0x800;
	for (size_t i = 0; i < WORDS; i++)
		put_word(f, f->words + 8 * (reversed ? WORDS - 1 - i : i), some_value(i));
	f->behind = reversed ? f->words - 8 : f->words + 8 * WORDS;
	put_word(f, f->behind, list);
	put_word(f, list, text);
	put_word(f, list + 8, text);
	put_word(f, list + 16, 0);
	fake_target_add(f->target, text, "libompd.so", 11);
}

static void add_table(struct fixture *f, taddr variable)
{
	put_word(f, variable, HEAP + TABLE);
	put_word(f, HEAP + TABLE + 8 * GTID, HEAP + INFO);
	put_word(f, HEAP + INFO + PTHREAD_OFFSET, PTHREAD);
}

/* A libomp as the loader leaves it, with one thread. false: none is installed. */
static bool begin(struct fixture *f)
{
	glob_t found = { 0 };
	bool any = glob("/usr/lib/llvm-*/lib/libomp.so.5", 0, NULL, &found) == 0;

	*f = (struct fixture){ 0 };
	if (any) {
		f->target = fake_target_new();
		fake_target_add_file(f->target, found.gl_pathv[0], BIAS);
		ck_assert_no_error(module_list_read(&f->target->base, &f->modules));
		ck_assert_no_error(
			runtime_list_read(runtimes_known, f->modules, NULL, &f->runtimes));
		add_bss(f);
		for_tls_relocations(f, relocate_module);
		add_thread(f);
	} else {
		fprintf(stderr, "# skipped: no libomp is installed\n");
	}
	globfree(&found);
	return any;
}

static bool begin_ready(struct fixture *f)
{
	if (!begin(f))
		return false;
	add_layout(f, false);
	add_table(f, f->threads);
	return true;
}

static enum libomp_status find(struct fixture *f)
{
	libomp_symbols_free(f->symbols);
	f->symbols = NULL;
	ck_assert_no_error(libomp_symbols_new(&f->runtimes, libomp_of(f), NULL, &f->symbols));
	ck_assert_ptr_nonnull(libomp_symbols_note(f->symbols));
	return libomp_symbols_status(f->symbols);
}

static void fixture_fini(struct fixture *f)
{
	libomp_symbols_free(f->symbols);
	runtime_list_fini(&f->runtimes);
	module_list_free(f->modules);
	if (f->target)
		target_free(&f->target->base);
}
#define AUTO_FIXTURE AUTO(fixture_fini) struct fixture

static taddr address_of(const struct fixture *f, const char *name)
{
	taddr addr;

	ck_assert_msg(libomp_symbols_find(f->symbols, name, NULL, &addr), "no %s", name);
	return addr;
}

static void check_gtid(const struct fixture *f, taddr variable)
{
	taddr addr;
	int gtid;

	ck_assert(libomp_symbols_gtid(f->symbols, f->thread, &gtid));
	ck_assert_int_eq(gtid, GTID);
	ck_assert(libomp_symbols_find(f->symbols, "__kmp_gtid", f->thread, &addr));
	ck_assert(!libomp_symbols_find(f->symbols, "__kmp_gtid", NULL, &addr));
	ck_assert(libomp_symbols_find(f->symbols, "__kmp_gtid", f->thread, &addr));
	if (variable) {
		ck_assert_uint_eq(addr, variable);
	} else {
		gtid = -7;
		ck_assert(libomp_symbols_read(f->symbols, addr, sizeof(gtid), &gtid));
		ck_assert_int_eq(gtid, GTID);
	}
}

static void check_no_gtid(const struct fixture *f)
{
	taddr addr;
	int gtid;

	ck_assert(!libomp_symbols_gtid(f->symbols, f->thread, &gtid));
	ck_assert(!libomp_symbols_find(f->symbols, "__kmp_gtid", f->thread, &addr));
}

/* ---- what is right ---------------------------------------------------------------------- */

START_TEST(words_and_table_are_recovered)
{
	AUTO_FIXTURE f;

	if (!begin(&f))
		return;
	add_layout(&f, _i);
	add_table(&f, f.threads);
	ck_assert_int_eq(find(&f), LIBOMP_READY);
	check_gtid(&f, HEAP + BLOCK);
	for (size_t i = 0; i < WORDS; i++)
		ck_assert_uint_eq(address_of(&f, libomp_layout_name(i)),
				  f.words + 8 * (_i ? WORDS - 1 - i : i));
	ck_assert_uint_eq(address_of(&f, "ompd_dll_locations"), f.behind);
	ck_assert_uint_eq(address_of(&f, "ompd_env_block"), f.behind + (taddr)(_i ? -16 : 16));
	ck_assert_uint_eq(address_of(&f, "__kmp_threads"), f.threads);
	/* Its variable is zero, which no number of processors is. */
	taddr addr;
	ck_assert(!libomp_symbols_find(f.symbols, "__kmp_avail_proc", NULL, &addr));
	address_of(&f, "__kmp_stksize");
}
END_TEST

START_TEST(what_is_made_up_can_be_read)
{
	AUTO_FIXTURE f;
	uint64_t value = 0;

	if (!begin_ready(&f))
		return;
	ck_assert_int_eq(find(&f), LIBOMP_READY);
	taddr state = address_of(&f, "ompd_state");
	ck_assert(libomp_symbols_read(f.symbols, state, 8, &value));
	ck_assert_uint_eq(value, 1);
	ck_assert(!libomp_symbols_read(f.symbols, state, MEMORY_PAGE + 1, &value));
	ck_assert(!libomp_symbols_read(f.symbols, state, SIZE_MAX, &value));
	ck_assert(!libomp_symbols_read(f.symbols, state - 1, 2, &value));
	ck_assert(!libomp_symbols_read(f.symbols, f.behind, 8, &value));
	ck_assert(!libomp_symbols_read(f.symbols, 0, 8, &value));
}
END_TEST

START_TEST(the_table_is_found_where_code_does_not_say)
{
	AUTO_FIXTURE f;

	if (!begin(&f))
		return;
	add_layout(&f, false);
	add_table(&f, f.variables + 0x100);
	ck_assert_int_eq(find(&f), LIBOMP_READY);
	check_gtid(&f, HEAP + BLOCK);
	ck_assert_uint_eq(address_of(&f, "__kmp_threads"), f.variables + 0x100);
	/* A second one. */
	add_table(&f, f.variables + 0x200);
	ck_assert_int_eq(find(&f), LIBOMP_UNVERIFIED);
	ck_assert_ptr_nonnull(strstr(libomp_symbols_note(f.symbols), "several variables"));
	check_no_gtid(&f);
	/* But what code says counts more. */
	add_table(&f, f.threads);
	ck_assert_int_eq(find(&f), LIBOMP_READY);
	ck_assert_uint_eq(address_of(&f, "__kmp_threads"), f.threads);
}
END_TEST

START_TEST(a_variable_at_a_fixed_distance)
{
	AUTO_FIXTURE f;

	if (!begin_ready(&f))
		return;
	for_tls_relocations(&f, make_fixed);
	ck_assert_int_eq(find(&f), LIBOMP_READY);
	check_gtid(&f, PTHREAD - 64);
}
END_TEST

START_TEST(the_table_tells_numbers_where_no_relocation_does)
{
	AUTO_FIXTURE f;

	if (!begin_ready(&f))
		return;
	for_tls_relocations(&f, remove_relocation);
	ck_assert_int_eq(find(&f), LIBOMP_READY);
	check_gtid(&f, 0);
	/* Also by search. */
	put_word(&f, f.threads, 0);
	add_table(&f, f.variables + 0x100);
	ck_assert_int_eq(find(&f), LIBOMP_READY);
	check_gtid(&f, 0);
	ck_assert_uint_eq(address_of(&f, "__kmp_threads"), f.variables + 0x100);
}
END_TEST

START_TEST(a_worker_that_is_being_made_has_no_pthread_yet)
{
	AUTO_FIXTURE f;

	if (!begin_ready(&f))
		return;
	/* It proves nothing by itself. */
	put_word(&f, HEAP + INFO + PTHREAD_OFFSET, 0);
	ck_assert_int_eq(find(&f), LIBOMP_UNVERIFIED);
	check_no_gtid(&f);
}
END_TEST

/* ---- code ------------------------------------------------------------------------------- */

/* An instruction of the code under test: opcode and ModRM bytes, an address, a constant behind it.
 */
struct instruction {
	const char *before;
	size_t nbefore;
	int variable; /* index, -1: none, the bytes are all */
	size_t nbehind;
};

static size_t assemble(uint8_t *code, taddr at, const struct instruction *ins, size_t n,
		       const taddr *variables)
{
	size_t len = 0;

	for (size_t i = 0; i < n; i++) {
		memcpy(code + len, ins[i].before, ins[i].nbefore);
		len += ins[i].nbefore;
		if (ins[i].variable < 0)
			continue;
		int32_t distance =
			(int32_t)(variables[ins[i].variable] - at - len - 4 - ins[i].nbehind);
		memcpy(code + len, &distance, sizeof(distance));
		memset(code + len + 4, 0, ins[i].nbehind);
		len += 4 + ins[i].nbehind;
	}
	return len;
}

START_TEST(variables_are_read_from_code)
{
	/* 0 and 1 are variables, 2 is a slot that points to 1, 3 is outside */
	static const struct {
		struct instruction code[4];
		size_t n;
		int found[2]; /* indices, -1: none */
	} cases[] = {
		/* cmpl $0,A; mov B,%eax */
		{ { { "\x83\x3d", 2, 0, 1 }, { "\x8b\x05", 2, 1, 0 } }, 2, { 0, 1 } },
		/* cmpl $100000,A; mov B,%rax */
		{ { { "\x81\x3d", 2, 0, 4 }, { "\x48\x8b\x05", 3, 1, 0 } }, 2, { 0, 1 } },
		/* lea A,%rax; cmpl $0,(%rax); lea B,%r15; mov (%r15),%eax */
		{ { { "\x48\x8d\x05", 3, 0, 0 },
		    { "\x83\x38\x00", 3, -1, 0 },
		    { "\x4c\x8d\x3d", 3, 1, 0 },
		    { "\x41\x8b\x07", 3, -1, 0 } },
		  4,
		  { 0, 1 } },
		/* mov slot,%rax; mov (%rax),%eax */
		{ { { "\x48\x8b\x05", 3, 2, 0 }, { "\x8b\x00", 2, -1, 0 } }, 2, { 1, -1 } },
		/* each once, in the order of the first */
		{ { { "\x8b\x05", 2, 1, 0 }, { "\x8b\x0d", 2, 0, 0 }, { "\x8b\x15", 2, 1, 0 } },
		  3,
		  { 1, 0 } },
		/* elsewhere; call; relative to other registers */
		{ { { "\x8b\x05", 2, 3, 0 }, { "\xe8", 1, 0, 0 }, { "\x8b\x85", 2, 0, 0 } },
		  3,
		  { -1, -1 } },
	};
	AUTO_FIXTURE f;
	struct libomp_image image;
	uint8_t code[64];
	taddr found[4];

	if (!begin(&f))
		return;
	const struct export *e = exports_find(libomp_of(&f)->exports, "omp_get_cancellation");
	ck_assert(e && e->size >= 22 && e->size <= sizeof(code));
	ck_assert_no_error(libomp_image_read(&f.runtimes, libomp_of(&f), &image));
	const taddr variables[] = { f.variables, f.variables + 8, image.relro + 16, BIAS };
	put_word(&f, variables[2], variables[1]);
	memset(code, 0x90, sizeof(code));
	ck_assert_uint_le(assemble(code, e->addr, cases[_i].code, cases[_i].n, variables), 22);
	fake_target_add(f.target, e->addr, code, e->size);
	size_t n = libomp_image_variables(&image, "omp_get_cancellation", found, 4), wanted = 0;
	for (; wanted < 2 && cases[_i].found[wanted] >= 0; wanted++)
		ck_assert(wanted < n && found[wanted] == variables[cases[_i].found[wanted]]);
	ck_assert_uint_eq(n, wanted);
	ck_assert_uint_eq(libomp_image_variables(&image, "no_such_function", found, 4), 0);
	ck_assert_uint_le(libomp_image_variables(&image, "omp_get_cancellation", found, 1), 1);
	libomp_image_fini(&image);
}
END_TEST

/* ---- what is not ready ------------------------------------------------------------------ */

START_TEST(zeros_are_not_initialised)
{
	AUTO_FIXTURE f;

	if (!begin(&f))
		return;
	put(&f, HEAP + BLOCK, (uint64_t)-2, 4);
	ck_assert_int_eq(find(&f), LIBOMP_NOT_INITIALIZED);
	check_no_gtid(&f);
	/* It runs, but has no layout words. */
	put(&f, HEAP + BLOCK, GTID, 4);
	ck_assert_int_eq(find(&f), LIBOMP_NO_OMPD);
	check_no_gtid(&f);
}
END_TEST

START_TEST(a_layout_without_its_anchor_is_not_believed)
{
	static const uint64_t anchors[] = {
		0, 1, HEAP + TEXT, PTHREAD, UINT64_MAX, HEAP + LIST + 1
	};
	AUTO_FIXTURE f;

	if (!begin_ready(&f))
		return;
	put_word(&f, f.behind, anchors[_i]);
	ck_assert_int_eq(find(&f), LIBOMP_UNVERIFIED);
	check_no_gtid(&f);
	/* While it is initialised, no thread has a number. */
	put(&f, HEAP + BLOCK, (uint64_t)-2, 4);
	ck_assert_int_eq(find(&f), LIBOMP_NOT_INITIALIZED);
}
END_TEST

START_TEST(a_table_of_others_is_not_believed)
{
	static const struct {
		taddr at;
		uint64_t value;
	} damages[] = {
		{ HEAP + TABLE + 8 * GTID, 0 },
		{ HEAP + TABLE + 8 * GTID, 1 },
		{ HEAP + TABLE + 8 * GTID, HEAP + TABLE },
		{ HEAP + TABLE + 8 * GTID, UINT64_MAX - 7 },
		{ HEAP + INFO + PTHREAD_OFFSET, PTHREAD + 8 },
		{ HEAP + INFO + PTHREAD_OFFSET, UINT64_MAX },
	};
	AUTO_FIXTURE f;

	if (!begin_ready(&f))
		return;
	put_word(&f, damages[_i].at, damages[_i].value);
	ck_assert_int_eq(find(&f), LIBOMP_UNVERIFIED);
	check_no_gtid(&f);
}
END_TEST

START_TEST(a_thread_that_never_touched_the_runtime_has_no_number)
{
	static const struct {
		taddr at;
		uint64_t value;
	} cases[] = {
		{ HEAP + DTV + 16 * MODULE, 0 },
		{ HEAP + DTV + 16 * MODULE, UINT64_MAX },
		{ HEAP + DTV + 16 * MODULE, 0xdead000 },
		{ HEAP + DTV - 16, MODULE - 1 },
		{ HEAP + DTV - 16, UINT64_MAX },
		{ PTHREAD + 8, 0 },
		{ PTHREAD + 8, 8 },
		{ PTHREAD + 8, PTHREAD + 8 },
		{ PTHREAD + 8, UINT64_MAX },
		{ HEAP + BLOCK, UINT64_C(0xfffffffe) },
		{ HEAP + BLOCK, 0x7fffffff },
	};
	AUTO_FIXTURE f;

	if (!begin_ready(&f))
		return;
	put_word(&f, cases[_i].at, cases[_i].value);
	ck_assert_int_eq(find(&f), LIBOMP_READY);
	check_no_gtid(&f);
	taddr addr;
	ck_assert(!libomp_symbols_find(f.symbols, "__kmp_threads", NULL, &addr));
}
END_TEST

/* ---- hostile memory --------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 20;
}

static uint64_t some_word(uint64_t *state, const struct fixture *f)
{
	switch (next_random(state) % 6) {
	case 0:
		return 0;
	case 1:
		return HEAP + next_random(state) % 0x8000;
	case 2:
		return HEAP + 8 * (next_random(state) % 0x1000);
	case 3:
		return f->variables + next_random(state) % 0x3000;
	case 4:
		return next_random(state) % 0x4000;
	default:
		return next_random(state) << 20;
	}
}

static void fill(struct fixture *f, uint64_t *state, taddr from, size_t size)
{
	uint64_t *words = malloc(size);

	ck_assert_ptr_nonnull(words);
	for (size_t i = 0; i < size / 8; i++)
		words[i] = some_word(state, f);
	fake_target_add(f->target, from, words, size);
	free(words);
}

START_TEST(garbage_is_never_ready)
{
	AUTO_FIXTURE f;
	uint64_t state = (uint64_t)_i;

	if (!begin(&f))
		return;
	for (size_t n = 0; n < 20; n++) {
		fill(&f, &state, f.variables, 0x3000);
		fill(&f, &state, HEAP, 0x8000);
		fill(&f, &state, PTHREAD, 0x1000);
		ck_assert_int_ne(find(&f), LIBOMP_READY);
		check_no_gtid(&f);
	}
}
END_TEST

START_TEST(garbage_around_a_layout_does_no_harm)
{
	AUTO_FIXTURE f;
	uint64_t state = 1000 + (uint64_t)_i;

	if (!begin(&f))
		return;
	for (size_t n = 0; n < 20; n++) {
		fill(&f, &state, f.variables, 0x3000);
		fill(&f, &state, HEAP, 0x8000);
		fill(&f, &state, PTHREAD, 0x1000);
		add_layout(&f, n % 2);
		if (n % 3 == 0)
			put_word(&f, PTHREAD + 8, HEAP + DTV);
		find(&f);
	}
}
END_TEST

START_TEST(pointers_that_lead_to_themselves_are_bounded)
{
	enum { SIZE = 0x8000 };
	AUTO_FIXTURE f;
	uint64_t *words = malloc(SIZE);

	ck_assert_ptr_nonnull(words);
	if (!begin(&f)) {
		free(words);
		return;
	}
	/* Every word is a table, every entry of it a structure, which is that table. */
	if (_i)
		for_tls_relocations(&f, remove_relocation);
	for (size_t i = 0; i < SIZE / 8; i++)
		words[i] = HEAP;
	fake_target_add(f.target, HEAP, words, SIZE);
	for (taddr at = f.variables; at + SIZE / 4 <= f.variables_end; at += SIZE / 4)
		fake_target_add(f.target, at, words, SIZE / 4);
	find(&f);
	arch_put(f.target->base.arch->thread_pointer, f.target->general, HEAP);
	f.thread->general_valid = false;
	find(&f);
	add_layout(&f, false);
	put_word(&f, HEAP, HEAP + DTV);
	find(&f);
	arch_put(f.target->base.arch->thread_pointer, f.target->general, PTHREAD);
	f.thread->general_valid = false;
	find(&f);
	free(words);
}
END_TEST

START_TEST(segments_that_make_no_sense_are_bounded)
{
	static const uint64_t sizes[] = { 0,         7, 1 << 16, UINT64_C(1) << 40, UINT64_MAX / 2,
					  UINT64_MAX };
	AUTO_FIXTURE f;
	Elf64_Ehdr eh;

	if (!begin_ready(&f))
		return;
	struct target *t = &f.target->base;
	ck_assert_no_error(target_read(t, BIAS, &eh, sizeof(eh)));
	for (unsigned int i = 0; i < eh.e_phnum; i++) {
		taddr at = BIAS + eh.e_phoff + i * sizeof(Elf64_Phdr);
		put_word(&f, at + offsetof(Elf64_Phdr, p_memsz), sizes[_i]);
		put_word(&f, at + offsetof(Elf64_Phdr, p_filesz), sizes[_i]);
	}
	find(&f);
	put_word(&f, BIAS + offsetof(Elf64_Ehdr, e_phoff), UINT64_MAX - 8);
	ck_assert_int_ne(find(&f), LIBOMP_READY);
	put(&f, BIAS + offsetof(Elf64_Ehdr, e_phentsize), 1, 2);
	ck_assert_int_ne(find(&f), LIBOMP_READY);
}
END_TEST

START_TEST(memory_that_is_gone_is_not_initialised)
{
	AUTO_FIXTURE f;

	if (!begin_ready(&f))
		return;
	f.target->unreadable = true;
	memory_flush(f.target->base.memory);
	ck_assert_int_eq(find(&f), LIBOMP_NOT_INITIALIZED);
}
END_TEST

static void add_loop(Suite *s, const char *name, const TTest *test, int rows)
{
	TCase *tc = tcase_create(name);

	suite_add_tcase(s, tc);
	tcase_add_loop_test(tc, test, 0, rows);
}

int main(void)
{
	Suite *s = suite_create("libomp_symbols");

	add_loop(s, "directions", words_and_table_are_recovered, 2);
	unit_case(s, "recovered", what_is_made_up_can_be_read,
		  the_table_is_found_where_code_does_not_say, a_variable_at_a_fixed_distance,
		  the_table_tells_numbers_where_no_relocation_does,
		  a_worker_that_is_being_made_has_no_pthread_yet);
	add_loop(s, "code", variables_are_read_from_code, 6);
	unit_case(s, "not ready", zeros_are_not_initialised,
		  memory_that_is_gone_is_not_initialised);
	add_loop(s, "anchors", a_layout_without_its_anchor_is_not_believed, 6);
	add_loop(s, "tables", a_table_of_others_is_not_believed, 6);
	add_loop(s, "threads", a_thread_that_never_touched_the_runtime_has_no_number, 11);
	add_loop(s, "garbage", garbage_is_never_ready, 10);
	add_loop(s, "garbage around", garbage_around_a_layout_does_no_harm, 10);
	add_loop(s, "cycles", pointers_that_lead_to_themselves_are_bounded, 2);
	add_loop(s, "segments", segments_that_make_no_sense_are_bounded, 6);
	return unit_run(s);
}
