/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/symbol.h"

#include <stdio.h>

#include "symbol_fixture.h"
#include "unit.h"

static struct symbol_fixture s;

/* A program that no compiler here could build is none to test. */
#define OPEN(program)                                                                              \
	do {                                                                                       \
		if (!symbol_fixture_open(&s, program))                                             \
			return;                                                                    \
	} while (0)

static void tear_down(void)
{
	symbol_fixture_fini(&s);
}

static const char *const inline_programs[] = {
	"symbol_inline-gcc-O0",
	"symbol_inline-gcc-O2",
	"symbol_inline-clang-O0",
	"symbol_inline-clang-O2",
};

START_TEST(the_best_name_of_an_address_is_chosen)
{
	struct symbol symbol;

	OPEN(inline_programs[_i]);
	/* _o, __outer, o_weak and outer_alias are at the same address. */
	struct symbol outer = symbol_fixture_find(&s, "outer_alias");
	ck_assert_uint_gt(outer.size, 1);
	for (uint64_t i = 0; i < outer.size; i++) {
		ck_assert(symbol_at(s.symbols, outer.addr + i, &symbol));
		ck_assert_str_eq(symbol.name, "outer");
		ck_assert_uint_eq(symbol.addr, outer.addr);
		ck_assert(symbol.function && symbol.global);
		ck_assert_ptr_eq(symbol.module, s.modules->items[0]);
	}
}
END_TEST

START_TEST(a_symbol_without_size_reaches_to_the_next)
{
	struct symbol symbol;

	OPEN(inline_programs[_i]);
	struct symbol unsized = symbol_fixture_find(&s, "unsized");
	ck_assert_uint_eq(unsized.size, 0);
	ck_assert(symbol_at(s.symbols, unsized.addr + 6, &symbol)); /* its ret */
	ck_assert_str_eq(symbol.name, "unsized");
}
END_TEST

START_TEST(of_functions_inside_each_other_the_inner_one_is_chosen)
{
	static const char *const names[] = { "around", "inside", "inside", "around" };
	struct symbol symbol;

	OPEN(inline_programs[_i]);
	taddr around = symbol_fixture_find(&s, "around").addr;
	for (size_t i = 0; i < COUNT(names); i++) {
		ck_assert(symbol_at(s.symbols, around + i, &symbol));
		ck_assert_str_eq(symbol.name, names[i]);
	}
}
END_TEST

START_TEST(addresses_outside_have_no_symbol)
{
	struct symbol symbol;

	OPEN(inline_programs[_i]);
	const struct module *m = s.modules->items[0];
	ck_assert(!symbol_at(s.symbols, 0, &symbol));
	ck_assert(!symbol_at(s.symbols, m->start, &symbol)); /* the ELF header */
	ck_assert(!symbol_at(s.symbols, m->start - 1, &symbol));
	ck_assert(!symbol_at(s.symbols, m->end, &symbol));
	ck_assert(!symbol_at(s.symbols, UINT64_MAX, &symbol));
}
END_TEST

/* The first questions are answered by looking at all, later ones by an index. */
START_TEST(first_questions_are_answered_as_later_ones)
{
	enum { FIRST = 8, BEFORE = 128, ALL = 512 };
	struct symbol later[ALL], symbol;
	char names[ALL][128];

	OPEN(inline_programs[_i]);
	taddr start = symbol_fixture_find(&s, "unsized").addr - BEFORE;
	for (taddr i = 0; i < 100; i++) {
		symbol_at(s.symbols, start, &symbol);
		symbol_find(s.symbols, "no_such_name", NULL, NULL);
	}
	for (size_t i = 0; i < ALL; i++) {
		bool any = symbol_at(s.symbols, start + i, &later[i]);
		snprintf(names[i], sizeof(names[i]), "%s", any ? later[i].name : "");
	}
	for (size_t i = 0; i < ALL; i++) {
		if (i % FIRST == 0) {
			symbol_fixture_fini(&s);
			symbol_fixture_open(&s, inline_programs[_i]);
		}
		bool any = symbol_at(s.symbols, start + i, &symbol);
		ck_assert_str_eq(any ? symbol.name : "", names[i]);
		ck_assert(!any || symbol.addr == later[i].addr);
		/* By its name, too: a name is of one symbol there, or of none. */
		ck_assert(!any || symbol_fixture_find(&s, symbol.name).addr == symbol.addr);
	}
}
END_TEST

START_TEST(data_has_symbols_too)
{
	struct symbol symbol;

	OPEN(inline_programs[_i]);
	struct symbol table = symbol_fixture_find(&s, "table");
	ck_assert(!table.function);
	ck_assert_uint_eq(table.size, 8 * sizeof(int));
	ck_assert(symbol_at(s.symbols, table.addr + 31, &symbol));
	ck_assert_str_eq(symbol.name, "table");
}
END_TEST

struct found {
	unsigned int n, most;
	struct symbol symbols[8];
};

static bool note(void *context, const struct symbol *symbol)
{
	struct found *found = context;

	ck_assert_uint_lt(found->n, COUNT(found->symbols));
	found->symbols[found->n++] = *symbol;
	return found->n < found->most;
}

START_TEST(a_name_is_found_once_though_two_tables_have_it)
{
	struct found found = { .most = 8 };

	OPEN("chain-rdynamic");
	symbol_find(s.symbols, "alpha", note, &found);
	ck_assert_uint_eq(found.n, 1);
	ck_assert(found.symbols[0].function);
}
END_TEST

START_TEST(imported_names_are_not_found)
{
	struct found found = { .most = 8 };

	OPEN(inline_programs[_i]);
	symbol_find(s.symbols, "fprintf", note, &found);
	symbol_find(s.symbols, "exit", note, &found);
	symbol_find(s.symbols, "", note, &found);
	symbol_find(s.symbols, "symbol_inline.c", note, &found);
	symbol_find(s.symbols, "oute", note, &found);
	symbol_find(s.symbols, "outer ", note, &found);
	ck_assert_uint_eq(found.n, 0);
}
END_TEST

START_TEST(modules_are_searched_in_link_order)
{
	const struct debuginfo_options options = { 0 };
	const taddr biases[] = { SYMBOL_BIAS, 0x7f0000000000, 0x7f1000000000 };
	const unsigned int order[] = { 0, 3, 1 }; /* 0: not in the link map, so last */
	struct found found = { .most = 8 }, first = { .most = 1 };
	char path[4096];

	if (!symbol_fixture_path("symbol_inline-gcc-O2", path))
		return;
	symbol_fixture_init(&s);
	for (size_t i = 0; i < COUNT(biases); i++)
		fake_target_add_file(s.target, path, biases[i]);
	symbol_fixture_read(&s, &options);
	ck_assert_uint_eq(s.modules->len, COUNT(biases));
	for (size_t i = 0; i < COUNT(biases); i++)
		s.modules->items[i]->link_order = order[i];
	symbol_find(s.symbols, "outer", note, &found);
	ck_assert_uint_eq(found.n, 3);
	ck_assert_ptr_eq(found.symbols[0].module, s.modules->items[2]);
	ck_assert_ptr_eq(found.symbols[1].module, s.modules->items[1]);
	ck_assert_ptr_eq(found.symbols[2].module, s.modules->items[0]);
	ck_assert_uint_eq(found.symbols[0].addr - biases[2], found.symbols[2].addr - biases[0]);
	symbol_find(s.symbols, "outer", note, &first);
	ck_assert_uint_eq(first.n, 1);
}
END_TEST

/* Somewhere in the function the levels are so, from the inside out. */
struct level {
	const char *function, *mark;
};

static bool levels_are(taddr pc, const struct level *expected, size_t n)
{
	const struct source_frame *frames;
	size_t levels;

	ck_assert_no_error(symbol_locate(s.symbols, pc, &frames, &levels));
	for (size_t i = 0; levels == n && i < n; i++) {
		if (!symbol_fixture_is_at(&frames[i], expected[i].function, expected[i].mark) ||
		    frames[i].inlined != (i + 1 < n))
			return false;
	}
	return levels == n;
}

static bool somewhere(const struct symbol *in, const struct level *expected, size_t n)
{
	for (uint64_t i = 0; i < in->size; i++) {
		if (levels_are(in->addr + i, expected, n))
			return true;
	}
	return false;
}
#define SOMEWHERE(symbol, ...)                                                                     \
	somewhere(symbol, (const struct level[]){ __VA_ARGS__ },                                   \
		  COUNT(((const struct level[]){ __VA_ARGS__ })))

START_TEST(inlined_calls_are_levels_from_the_inside_out)
{
	OPEN(inline_programs[_i]);
	struct symbol outer = symbol_fixture_find(&s, "outer");
	ck_assert(SOMEWHERE(&outer, { "innermost", "innermost" }, { "middle", "middle" },
			    { "outer", "outer" }));
	/* Other instructions of it are not in an inlined call. */
	size_t levels;
	struct source_frame first = symbol_fixture_level(&s, outer.addr, 0, &levels);
	ck_assert_uint_eq(levels, 1);
	ck_assert_str_eq(first.function, "outer");
	ck_assert_uint_eq(first.offset, 0);
	ck_assert(!first.inlined);
}
END_TEST

START_TEST(the_last_level_is_the_function_at_every_address)
{
	size_t levels = 1;

	OPEN(inline_programs[_i]);
	struct symbol outer = symbol_fixture_find(&s, "outer");
	for (uint64_t i = 0; i < outer.size; i++) {
		symbol_fixture_level(&s, outer.addr + i, 0, &levels);
		struct source_frame last =
			symbol_fixture_level(&s, outer.addr + i, levels - 1, &levels);
		ck_assert_str_eq(last.function, "outer");
		ck_assert_uint_eq(last.offset, i);
		for (size_t k = 0; k + 1 < levels; k++)
			ck_assert_uint_le(
				symbol_fixture_level(&s, outer.addr + i, k, &levels).offset, i);
	}
}
END_TEST

static bool note_that_it_is_there(void *context, const struct symbol *symbol)
{
	(void)symbol;
	*(bool *)context = true;
	return false;
}

static bool is_there(const char *name)
{
	bool there = false;

	symbol_find(s.symbols, name, note_that_it_is_there, &there);
	return there;
}

/*
 * gcc makes NAME._omp_fn.0 of a region, whose entry is inside that of NAME; clang
 * .omp_outlined._debug__ or, from 16 on, NAME.omp_outlined_debug__, which is inlined into
 * .omp_outlined. or NAME.omp_outlined where it optimises.
 */
static const struct {
	const char *region, *body;
} regions[][2] = {
	{ { "sum_in_parallel._omp_fn.0", NULL } },
	{ { "sum_in_parallel._omp_fn.0", NULL } },
	{ { ".omp_outlined._debug__", NULL }, { "sum_in_parallel.omp_outlined_debug__", NULL } },
	{ { ".omp_outlined.", ".omp_outlined._debug__" },
	  { "sum_in_parallel.omp_outlined", "sum_in_parallel.omp_outlined_debug__" } },
};

START_TEST(regions_have_lines_and_inlined_calls)
{
	OPEN(inline_programs[_i]);
	size_t n = !is_there(regions[_i][0].region) && regions[_i][1].region;
	const char *name = regions[_i][n].region, *body = regions[_i][n].body;
	struct symbol region = symbol_fixture_find(&s, name);
	if (!body)
		ck_assert(SOMEWHERE(&region, { "innermost", "innermost" }, { "middle", "middle" },
				    { name, "body" }));
	else
		ck_assert(SOMEWHERE(&region, { "innermost", "innermost" }, { "middle", "middle" },
				    { body, "body" }, { name, "region" }));
}
END_TEST

START_TEST(hand_written_code_has_a_name_and_no_line)
{
	size_t levels;

	OPEN(inline_programs[_i]);
	struct symbol unsized = symbol_fixture_find(&s, "unsized");
	struct source_frame f = symbol_fixture_level(&s, unsized.addr + 5, 0, &levels);
	ck_assert_uint_eq(levels, 1);
	ck_assert_str_eq(f.function, "unsized");
	ck_assert_uint_eq(f.offset, 5);
}
END_TEST

START_TEST(an_address_outside_has_one_level_that_is_unknown)
{
	const taddr places[] = { 0, 1, UINT64_MAX, 0x7fffffffffff };
	size_t levels;

	OPEN("symbol_inline-gcc-O2");
	for (size_t i = 0; i < COUNT(places); i++) {
		struct source_frame f = symbol_fixture_level(&s, places[i], 0, &levels);
		ck_assert_uint_eq(levels, 1);
		ck_assert_ptr_null(f.function);
		ck_assert_ptr_null(f.file);
		ck_assert_int_eq(f.line, 0);
	}
}
END_TEST

START_TEST(asking_again_gives_the_same)
{
	const struct source_frame *first, *again;
	size_t n, n_again;

	OPEN("symbol_inline-gcc-O2");
	struct symbol outer = symbol_fixture_find(&s, "outer");
	for (taddr pc = 0; pc < 5000; pc++) { /* the cache grows several times */
		ck_assert_no_error(symbol_locate(s.symbols, outer.addr + pc, &first, &n));
		ck_assert_no_error(symbol_locate(s.symbols, outer.addr + pc, &again, &n_again));
		ck_assert_ptr_eq(first, again);
		ck_assert_uint_eq(n, n_again);
	}
	ck_assert_no_error(symbol_locate(s.symbols, outer.addr, &again, &n_again));
	ck_assert_str_eq(again[n_again - 1].function, "outer");
}
END_TEST

/* Tests of programs that are not there pass: at least some must be. */
START_TEST(there_are_programs_to_test_with)
{
	char path[4096];
	bool any = false;

	for (size_t i = 0; i < COUNT(inline_programs); i++)
		any |= symbol_fixture_path(inline_programs[i], path);
	ck_assert_msg(any, "no program in %s", getenv("TESTPROGS"));
}
END_TEST

static const char *const name_programs[] = {
	"symbol_names-gcc-O0",
	"symbol_names-gcc-O2",
	"symbol_names-clang-O0",
	"symbol_names-clang-O2",
};

/* Names differ between compilers, and are clones' where the compiler optimises. */
static const struct level cxx_levels[] = {
	{ "mesh::cell<int>::twice() const", "twice" },
	{ "mesh::(anonymous namespace)::hidden(int)", "throw" },
	{ "mesh::visit(", "lambda" }, /* ...)::{lambda(int)#1}::operator()(int) const */
	{ "mesh::visit(", "local" },  /* ...)::counter::next(int)                     */
	{ "mesh::visit(", "visit" },
	{ "main", "main" },
};

/* Some instruction of the program is at that level. */
static bool anywhere(const char *source, const struct level *expected)
{
	struct debuginfo *d = debuginfo_get(s.files, s.modules->items[0]);
	int line = 0;
	taddr text;
	uint64_t size;

	ck_assert(debuginfo_section(d, ".text", &text, &size));
	for (taddr pc = text; pc < text + size; pc++) {
		const struct source_frame *frames;
		size_t n;
		ck_assert_no_error(symbol_locate(s.symbols, pc, &frames, &n));
		for (size_t i = 0; i < n; i++) {
			if (!frames[i].file || !strstr(frames[i].file, source))
				continue;
			line = line ? line : symbol_fixture_mark(frames[i].file, expected->mark);
			if (frames[i].line == line &&
			    symbol_fixture_is_at(&frames[i], expected->function, expected->mark))
				return true;
		}
	}
	return false;
}

START_TEST(cxx_functions_have_names_and_lines)
{
	OPEN(name_programs[_i]);
	for (size_t i = 0; i < COUNT(cxx_levels); i++)
		ck_assert_msg(anywhere("symbol_names.cc", &cxx_levels[i]), "%s at %s",
			      cxx_levels[i].function, cxx_levels[i].mark);
}
END_TEST

static const char *const fortran_programs[] = {
	"symbol_module-gcc-O0",
	"symbol_module-gcc-O2",
};

START_TEST(fortran_procedures_are_found)
{
	OPEN(fortran_programs[_i]);
	struct symbol relax = symbol_fixture_find(&s, "__fields_MOD_relax");
	/* The internal procedure is inlined where the compiler optimises. */
	if (_i == 0)
		ck_assert(SOMEWHERE(&relax, { "fields::relax", "relax" }));
	else
		ck_assert(SOMEWHERE(&relax, { "finish", "finish" }, { "fields::relax", "relax" }));
	struct symbol region = symbol_fixture_find(&s, "__fields_MOD_relax._omp_fn.0");
	ck_assert(SOMEWHERE(&region, { "fields::relax._omp_fn.0", "body" }));
}
END_TEST

/* Ways of storing debug information: chain-WAY. */
static const char *const with_lines[] = {
	"chain-dwarf4",    "chain-zlib",  "chain-split",
	"chain-debuglink", "chain-nopie", "chain-no_build_id",
};

START_TEST(lines_are_found_however_they_are_stored)
{
	OPEN(with_lines[_i]);
	struct symbol alpha = symbol_fixture_find(&s, "alpha");
	ck_assert(SOMEWHERE(&alpha, { "alpha", "alpha" }));
	ck_assert_msg(!symbol_fixture_note(&s), "%s", symbol_fixture_note(&s));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("symbol");
	const struct {
		const char *name;
		int rows;
		const TTest *tests[8];
	} cases[] = {
		{ "symbol_at",
		  COUNT(inline_programs),
		  { the_best_name_of_an_address_is_chosen,
		    a_symbol_without_size_reaches_to_the_next, addresses_outside_have_no_symbol,
		    data_has_symbols_too, first_questions_are_answered_as_later_ones,
		    of_functions_inside_each_other_the_inner_one_is_chosen } },
		{ "symbol_find",
		  1,
		  { a_name_is_found_once_though_two_tables_have_it,
		    modules_are_searched_in_link_order } },
		{ "symbol_find in each", COUNT(inline_programs), { imported_names_are_not_found } },
		{ "symbol_locate",
		  COUNT(inline_programs),
		  { inlined_calls_are_levels_from_the_inside_out,
		    the_last_level_is_the_function_at_every_address,
		    regions_have_lines_and_inlined_calls,
		    hand_written_code_has_a_name_and_no_line } },
		{ "symbol_locate alone",
		  1,
		  { an_address_outside_has_one_level_that_is_unknown, asking_again_gives_the_same,
		    there_are_programs_to_test_with } },
		{ "C++", COUNT(name_programs), { cxx_functions_have_names_and_lines } },
		{ "Fortran", COUNT(fortran_programs), { fortran_procedures_are_found } },
		{ "ways", COUNT(with_lines), { lines_are_found_however_they_are_stored } },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		TCase *tc = tcase_create(cases[i].name);
		tcase_add_checked_fixture(tc, NULL, tear_down);
		for (size_t k = 0; cases[i].tests[k]; k++)
			tcase_add_loop_test(tc, cases[i].tests[k], 0, cases[i].rows);
		suite_add_tcase(suite, tc);
	}
	return unit_run(suite);
}
