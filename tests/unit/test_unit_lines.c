/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/unit_lines.h"

#include <dwarf.h>

#include "base/buf.h"
#include "unit.h"

/* line_base -3, line_range 12, opcode_base 13: advances the address by a, the line by l. */
#define SPECIAL(a, l) ((uint8_t)(((l) + 3) + 12 * (a) + 13))
#define ADDRESS(a)    0, 9, DW_LNE_set_address, (a), 0, 0, 0, 0, 0, 0, 0
#define END           0, 1, DW_LNE_end_sequence
#define BLOCK(n)      0, 2, DW_LNE_set_discriminator, (n)
#define FILE_(n)      DW_LNS_set_file, (n)

static struct line_table *table;
static struct unit_lines *lines;

/* A unit of version 4 with two files, one of them twice. */
static void read_program(const uint8_t *program, size_t len)
{
	static const uint8_t machine[] = { 1, 1, 1, (uint8_t)-3, 12, 13, 0, 1, 1,
					   1, 1, 0, 0,           0,  1,  0, 0, 1 };
	static const char names[] = "\0a.c\0\0\0\0b.h\0\0\0\0a.c\0\0\0\0";
	static uint8_t bytes[512];
	uint8_t *p = bytes + 10;

	memcpy(p, machine, sizeof(machine));
	p += sizeof(machine);
	memcpy(p, names, sizeof(names));
	p += sizeof(names);
	uint32_t header = (uint32_t)(p - bytes - 10);
	memcpy(p, program, len);
	uint32_t size = (uint32_t)(p + len - bytes - 4);
	memcpy(bytes, &size, 4);
	bytes[4] = 4;
	memcpy(bytes + 6, &header, 4);
	const struct line_sections sections = { .line = cursor_of(bytes, size + 4) };
	table = line_table_new(&sections, 0, "/src");
	ck_assert_ptr_nonnull(table);
	lines = unit_lines_new(table);
	ck_assert_ptr_nonnull(lines);
}

#define READ(...)                                                                                  \
	read_program((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

static void tear_down(void)
{
	unit_lines_free(lines);
	line_table_free(table);
}

/* "line@address" of each row; END for ends, ! for statements, b for the second file. */
static void expect_rows(const char *expected)
{
	AUTO_BUF text = { 0 };

	vec_for_each (row, lines)
		buf_addf(&text, "%s%d@%d%s%s", text.len ? " " : "", row->line, (int)row->addr,
			 row->line && row->is_stmt ? "!" : "",
			 row->line && row->file == 2 ? "b" : "");
	ck_assert_str_eq(buf_text(&text), expected);
}

static int line_at(taddr addr, taddr *ret_end)
{
	const struct unit_row *row = unit_lines_at(lines, addr, ret_end);

	return row ? row->line : 0;
}

START_TEST(rows_are_by_address)
{
	taddr end;

	READ(ADDRESS(0x40), SPECIAL(0, 4), SPECIAL(8, 1), DW_LNS_advance_pc, 8, END, ADDRESS(0x10),
	     SPECIAL(0, 1), DW_LNS_advance_pc, 4, END);
	expect_rows("2@16! 0@20 5@64! 6@72! 0@80");
	ck_assert_int_eq(line_at(15, &end), 0);
	ck_assert_int_eq(line_at(19, &end), 2);
	ck_assert_uint_eq(end, 20);
	ck_assert_int_eq(line_at(20, &end), 0);
	ck_assert_int_eq(line_at(71, &end), 5);
	ck_assert_uint_eq(end, 72);
	ck_assert_int_eq(line_at(80, &end), 0);
}
END_TEST

START_TEST(what_the_linker_has_thrown_away_is_left_out)
{
	READ(ADDRESS(0), SPECIAL(0, 4), DW_LNS_advance_pc, 8, END, ADDRESS(0x10), SPECIAL(0, 1),
	     DW_LNS_advance_pc, 4, END);
	expect_rows("2@16! 0@20");
}
END_TEST

START_TEST(code_of_no_line_belongs_to_the_line_before)
{
	taddr end;

	READ(ADDRESS(0x10), SPECIAL(0, 4), DW_LNS_advance_line, 0x7b, SPECIAL(4, 0), SPECIAL(4, 7),
	     DW_LNS_advance_pc, 4, END);
	expect_rows("5@16! 7@24! 0@28");
	ck_assert_int_eq(line_at(20, &end), 5);
	ck_assert_uint_eq(end, 24);
}
END_TEST

START_TEST(blocks_of_one_line_are_no_rows_of_their_own)
{
	READ(ADDRESS(0x10), SPECIAL(0, 4), SPECIAL(4, 0), BLOCK(1), SPECIAL(4, 0), SPECIAL(4, 1),
	     SPECIAL(4, 0), DW_LNS_advance_pc, 4, END);
	expect_rows("5@16! 5@20! 6@28! 6@32! 0@36");
}
END_TEST

START_TEST(of_an_address_the_last_file_counts)
{
	READ(ADDRESS(0x10), SPECIAL(0, 4), FILE_(2), SPECIAL(0, 4), SPECIAL(4, 1), FILE_(3),
	     SPECIAL(4, -3), DW_LNS_advance_pc, 4, END);
	expect_rows("9@16!b 10@20!b 7@24! 0@28");
}
END_TEST

START_TEST(what_is_no_statement_does_not_hide_one_of_another_file)
{
	READ(ADDRESS(0x10), SPECIAL(0, 4), DW_LNS_negate_stmt, FILE_(2), SPECIAL(0, 4), FILE_(1),
	     SPECIAL(4, 1), DW_LNS_advance_pc, 4, END);
	expect_rows("5@16! 10@20 0@24");
}
END_TEST

START_TEST(a_statement_is_found_before_other_rows_of_its_address)
{
	taddr end;

	READ(ADDRESS(0x10), SPECIAL(0, 4), DW_LNS_negate_stmt, SPECIAL(0, 4), SPECIAL(4, 1),
	     DW_LNS_advance_pc, 4, END);
	expect_rows("5@16! 9@16 10@20 0@24");
	ck_assert_int_eq(line_at(16, &end), 5);
	ck_assert_int_eq(line_at(19, &end), 5);
	ck_assert_uint_eq(end, 20);
}
END_TEST

START_TEST(the_end_of_the_prologue_is_kept)
{
	READ(ADDRESS(0x10), SPECIAL(0, 4), DW_LNS_set_prologue_end, SPECIAL(4, 1), SPECIAL(4, 1),
	     DW_LNS_advance_pc, 4, END);
	ck_assert(!lines->items[0].prologue_end);
	ck_assert(lines->items[1].prologue_end);
	ck_assert(!lines->items[2].prologue_end);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("unit_lines");
	TCase *tc = tcase_create("unit_lines");

	suite_add_tcase(s, tc);
	tcase_add_checked_fixture(tc, NULL, tear_down);
	tcase_add_test(tc, rows_are_by_address);
	tcase_add_test(tc, what_the_linker_has_thrown_away_is_left_out);
	tcase_add_test(tc, code_of_no_line_belongs_to_the_line_before);
	tcase_add_test(tc, blocks_of_one_line_are_no_rows_of_their_own);
	tcase_add_test(tc, of_an_address_the_last_file_counts);
	tcase_add_test(tc, what_is_no_statement_does_not_hide_one_of_another_file);
	tcase_add_test(tc, a_statement_is_found_before_other_rows_of_its_address);
	tcase_add_test(tc, the_end_of_the_prologue_is_kept);
	return unit_run(s);
}
