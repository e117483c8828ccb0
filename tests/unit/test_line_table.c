/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/line_table.h"

#include <dwarf.h>
#include <stdio.h>

#include "base/buf.h"
#include "unit.h"

/*
 * Tables are written by hand: line_base -3, line_range 12, opcode_base 13, so that the special
 * opcode for "advance the address by a, the line by l" is SPECIAL(a, l).
 */
#define SPECIAL(a, l) (((l) + 3) + 12 * (a) + 13)
#define BYTES(...)    (const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ })

static struct buf line, line_str;
static struct line_table *table;

static void set_up(void)
{
	line = line_str = (struct buf){ 0 };
	table = NULL;
}

static void tear_down(void)
{
	line_table_free(table);
	buf_fini(&line);
	buf_fini(&line_str);
}

static void put(struct buf *b, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		buf_addc(b, (char)(value >> (8 * i)));
}

static void put_address(struct buf *b, uint64_t address)
{
	buf_add(b, BYTES(0, 9, DW_LNE_set_address));
	put(b, address, 8);
}

static const uint8_t end_sequence[] = { 0, 1, DW_LNE_end_sequence };
/* Instruction length, operations (from version 4 on), statements, line_base, line_range... */
static const uint8_t machine[] = {
	1, 1, 1, (uint8_t)-3, 12, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1
};

/* Directories 1 "/usr/include", 2 "sub"; files 1 "a.c" in 0, 2 "x.h" in 1, 3 "y.h" in 2, 4 "/z.h".
 */
static void put_names_v4(struct buf *b)
{
	buf_add(b, "/usr/include\0sub\0", 18);
	buf_add(b, "a.c\0\0\0\0x.h\0\1\0\0y.h\0\2\0\0/z.h\0\0\0\0", 29);
	buf_addc(b, 0);
}

/* Directories 0 "/src", 1 "/usr/include", 2 "sub"; files 0 and 1 "a.c" in 0, 2 "y.h" in 2. */
static void put_names_v5(struct buf *b)
{
	buf_add(&line_str, "/src\0/usr/include\0sub\0", 23);
	buf_add(b, BYTES(1, DW_LNCT_path, DW_FORM_line_strp, 3));
	put(b, 0, 4);
	put(b, 5, 4);
	put(b, 18, 4);
	/* A checksum stands between the path and the directory. */
	buf_add(b, BYTES(3, DW_LNCT_path, DW_FORM_string, DW_LNCT_MD5, DW_FORM_data16,
			 DW_LNCT_directory_index, DW_FORM_udata, 3));
	buf_add(b,
		"a.c\0"
		"0123456789abcdef"
		"\0",
		21);
	buf_add(b,
		"a.c\0"
		"0123456789abcdef"
		"\0",
		21);
	buf_add(b,
		"y.h\0"
		"0123456789abcdef"
		"\2",
		21);
}

/* The section: one unit with that program. */
static void make(unsigned int version, const struct buf *program)
{
	AUTO_BUF header = { 0 }, unit = { 0 };

	buf_add(&header, machine, 1);
	if (version >= 4)
		buf_add(&header, machine + 1, 1);
	buf_add(&header, machine + 2, sizeof(machine) - 2);
	if (version >= 5)
		put_names_v5(&header);
	else
		put_names_v4(&header);
	put(&unit, version, 2);
	if (version >= 5)
		buf_add(&unit, BYTES(8, 0));
	put(&unit, header.len, 4);
	buf_add(&unit, header.data, header.len);
	buf_add(&unit, program->data, program->len);
	put(&line, unit.len, 4);
	buf_add(&line, unit.data, unit.len);
}

static struct line_table *open_table(size_t size)
{
	const struct line_sections sections = {
		.line = cursor_of(line.data, size),
		.line_str = cursor_of(line_str.data, line_str.len),
	};

	return line_table_new(&sections, 0, "/comp");
}

static void build(unsigned int version, const struct buf *program)
{
	make(version, program);
	table = open_table(line.len);
	ck_assert_ptr_nonnull(table);
}

/* "a.c:10" of the row around addr, "" for none. */
static const char *row_at(taddr addr)
{
	static char text[300];
	struct line_row row;

	if (!line_table_find(table, addr, NULL, &row))
		return "";
	const char *file = line_table_file(table, row.file);
	snprintf(text, sizeof(text), "%s:%d", file ? file : "none", row.line);
	return text;
}

/* From 0x1000: line 10 for 4 bytes, line 12 of file 2 for 2, line 12 with column 5 for 2. */
static void put_simple(struct buf *program)
{
	put_address(program, 0x1000);
	buf_add(program,
		BYTES(DW_LNS_advance_line, 9, DW_LNS_copy, DW_LNS_set_file, 2, SPECIAL(4, 2),
		      DW_LNS_set_column, 5, SPECIAL(2, 0), DW_LNS_advance_pc, 2));
	buf_add(program, end_sequence, sizeof(end_sequence));
}

START_TEST(rows_reach_to_the_next_one)
{
	static const unsigned int versions[] = { 2, 3, 4, 5 };
	AUTO_BUF program = { 0 };
	struct line_row row;

	put_simple(&program);
	build(versions[_i], &program);
	bool v5 = versions[_i] == 5;
	ck_assert_str_eq(row_at(0xfff), "");
	ck_assert_str_eq(row_at(0x1000), v5 ? "/src/a.c:10" : "/comp/a.c:10");
	ck_assert_str_eq(row_at(0x1003), v5 ? "/src/a.c:10" : "/comp/a.c:10");
	ck_assert_str_eq(row_at(0x1004), v5 ? "/src/sub/y.h:12" : "/usr/include/x.h:12");
	ck_assert(line_table_find(table, 0x1006, NULL, &row));
	ck_assert_int_eq(row.column, 5);
	ck_assert_str_eq(row_at(0x1008), "");
}
END_TEST

START_TEST(paths_are_made_full)
{
	AUTO_BUF program = { 0 };

	put_simple(&program);
	build(4, &program);
	ck_assert_str_eq(line_table_file(table, 1), "/comp/a.c");
	ck_assert_str_eq(line_table_file(table, 2), "/usr/include/x.h");
	ck_assert_str_eq(line_table_file(table, 3), "/comp/sub/y.h");
	ck_assert_str_eq(line_table_file(table, 4), "/z.h");
	ck_assert_ptr_null(line_table_file(table, 0));
	ck_assert_ptr_null(line_table_file(table, 5));
	ck_assert_ptr_null(line_table_file(table, UINT64_MAX));
	ck_assert_ptr_eq(line_table_file(table, 4), line_table_file(table, 4));
}
END_TEST

START_TEST(version_5_counts_from_0)
{
	AUTO_BUF program = { 0 };

	put_simple(&program);
	build(5, &program);
	ck_assert_str_eq(line_table_file(table, 0), "/src/a.c");
	ck_assert_str_eq(line_table_file(table, 2), "/src/sub/y.h");
	ck_assert_ptr_null(line_table_file(table, 3));
}
END_TEST

START_TEST(the_last_of_several_rows_for_an_address_counts)
{
	AUTO_BUF program = { 0 };

	put_address(&program, 0x1000);
	buf_add(&program, BYTES(DW_LNS_copy, SPECIAL(0, 3), SPECIAL(0, 4), DW_LNS_advance_pc, 4));
	buf_add(&program, end_sequence, sizeof(end_sequence));
	build(4, &program);
	ck_assert_str_eq(row_at(0x1000), "/comp/a.c:8");
}
END_TEST

/* As gdb; within the instruction the last row of all, as addr2line. */
START_TEST(the_last_statement_for_an_address_counts)
{
	AUTO_BUF program = { 0 };

	put_address(&program, 0x1000);
	buf_add(&program, BYTES(DW_LNS_copy, SPECIAL(0, 3), DW_LNS_negate_stmt, SPECIAL(0, 4),
				DW_LNS_advance_pc, 4, SPECIAL(0, 1), DW_LNS_advance_pc, 4));
	buf_add(&program, end_sequence, sizeof(end_sequence));
	build(4, &program);
	ck_assert_str_eq(row_at(0x1000), "/comp/a.c:4");
	ck_assert_str_eq(row_at(0x1003), "/comp/a.c:8");
	ck_assert_str_eq(row_at(0x1004), "/comp/a.c:9");
}
END_TEST

/* A call that was inlined has left a statement, but no instruction. */
START_TEST(within_an_instruction_the_last_row_of_the_functions_file_counts)
{
	AUTO_BUF program = { 0 };
	struct line_row row;

	put_address(&program, 0x1000);
	buf_add(&program, BYTES(DW_LNS_set_file, 2, DW_LNS_copy, DW_LNS_negate_stmt,
				DW_LNS_set_file, 1, SPECIAL(0, 3), DW_LNS_advance_pc, 4));
	buf_add(&program, end_sequence, sizeof(end_sequence));
	build(4, &program);
	ck_assert_str_eq(row_at(0x1000), "/usr/include/x.h:1");
	ck_assert_str_eq(row_at(0x1003), "/comp/a.c:4");
	ck_assert(line_table_find(table, 0x1000, "/comp/a.c", &row));
	ck_assert_int_eq(row.line, 1);
	ck_assert(line_table_find(table, 0x1003, "/comp/a.c", &row));
	ck_assert_int_eq(row.line, 4);
	ck_assert_int_eq(row.first_line, 4);
	ck_assert_str_eq(line_table_file(table, row.first_file), "/comp/a.c");
	ck_assert(line_table_find(table, 0x1003, NULL, &row));
	ck_assert_int_eq(row.first_line, 4);
	ck_assert(line_table_find(table, 0x1003, "/usr/include/x.h", &row));
	ck_assert_int_eq(row.line, 1);
	ck_assert_int_eq(row.first_line, 1);
	ck_assert(line_table_find(table, 0x1003, "/comp/b.c", &row));
	ck_assert_int_eq(row.line, 4);
}
END_TEST

START_TEST(rows_of_line_0_say_nothing)
{
	AUTO_BUF program = { 0 };

	put_address(&program, 0x1000);
	buf_add(&program, BYTES(DW_LNS_copy, SPECIAL(4, -1), DW_LNS_advance_pc, 4));
	buf_add(&program, end_sequence, sizeof(end_sequence));
	build(4, &program);
	ck_assert_str_eq(row_at(0x1000), "/comp/a.c:1");
	ck_assert_str_eq(row_at(0x1004), "/comp/a.c:1");
	ck_assert_str_eq(row_at(0x1008), "");
}
END_TEST

START_TEST(sequences_come_in_any_order)
{
	AUTO_BUF program = { 0 };

	for (unsigned int i = 0; i < 3; i++) {
		put_address(&program, 0x3000 - 0x1000 * i);
		buf_add(&program,
			BYTES(DW_LNS_advance_line, 10, DW_LNS_copy, DW_LNS_advance_pc, 4));
		buf_add(&program, end_sequence, sizeof(end_sequence));
	}
	build(4, &program);
	ck_assert_str_eq(row_at(0x1000), "/comp/a.c:11"); /* registers start anew in each */
	ck_assert_str_eq(row_at(0x2003), "/comp/a.c:11");
	ck_assert_str_eq(row_at(0x3003), "/comp/a.c:11");
	ck_assert_str_eq(row_at(0x1004), "");
	ck_assert_str_eq(row_at(0x2ffc), "");
}
END_TEST

START_TEST(code_that_the_linker_threw_away_is_ignored)
{
	AUTO_BUF program = { 0 };

	put_address(&program, 0);
	buf_add(&program,
		BYTES(DW_LNS_advance_line, 20, DW_LNS_copy, DW_LNS_advance_pc, 0x80, 0x40));
	buf_add(&program, end_sequence, sizeof(end_sequence));
	put_simple(&program);
	build(4, &program);
	ck_assert_str_eq(row_at(0x100), "");
	ck_assert_str_eq(row_at(0x1000), "/comp/a.c:10");
}
END_TEST

/* More rows than there are between two marks, with a jump in the middle of them. */
START_TEST(long_programs_are_found_everywhere)
{
	enum { ROWS = 5000 };
	AUTO_BUF program = { 0 };
	char expected[64];

	put_address(&program, 0x1000);
	for (unsigned int i = 0; i < ROWS; i++)
		buf_addc(&program, (char)SPECIAL(3, 1));
	buf_add(&program, end_sequence, sizeof(end_sequence));
	build(4, &program);
	for (unsigned int i = 0; i + 1 < ROWS; i++) {
		snprintf(expected, sizeof(expected), "/comp/a.c:%u", i + 2);
		ck_assert_str_eq(row_at(0x1003 + 3 * i), expected);
		ck_assert_str_eq(row_at(0x1005 + 3 * i), expected);
	}
	ck_assert_str_eq(row_at(0x1003 + 3 * (ROWS - 1)), "");
}
END_TEST

START_TEST(unknown_opcodes_are_passed_over)
{
	AUTO_BUF program = { 0 };

	put_address(&program, 0x1000);
	buf_add(&program, BYTES(0, 4, 0x90, 1, 2, 3, DW_LNS_set_isa, 0x81, 1, DW_LNS_negate_stmt,
				DW_LNS_set_prologue_end, DW_LNS_copy, DW_LNS_const_add_pc,
				DW_LNS_fixed_advance_pc, 0x10, 0));
	buf_add(&program, end_sequence, sizeof(end_sequence));
	build(4, &program);
	ck_assert_str_eq(row_at(0x1000), "/comp/a.c:1");
	ck_assert_str_eq(row_at(0x1000 + 20 + 15), "/comp/a.c:1");
	ck_assert_str_eq(row_at(0x1000 + 20 + 16), "");
}
END_TEST

/* Whatever is cut off or overwritten: no crash, no endless loop, and sound answers or none. */
START_TEST(damaged_tables_do_no_harm)
{
	AUTO_BUF program = { 0 };

	put_simple(&program);
	make(_i ? 5 : 4, &program);
	for (size_t size = 0; size < line.len; size++) {
		AUTO_FREE char *exact = malloc(size + 1); /* so that sanitizers see the end */
		ck_assert_ptr_nonnull(exact);
		memcpy(exact, line.data, size);
		const struct line_sections cut = {
			.line = cursor_of(exact, size),
			.line_str = cursor_of(line_str.data, line_str.len),
		};
		table = line_table_new(&cut, 0, NULL);
		if (table) {
			row_at(0x1004);
			line_table_file(table, 2);
		}
		line_table_free(table);
	}
	for (size_t at = 0; at < line.len * 256; at++) {
		char saved = line.data[at / 256];
		line.data[at / 256] = (char)at;
		table = open_table(line.len);
		if (table) {
			row_at(0x1004);
			line_table_file(table, 2);
		}
		line_table_free(table);
		line.data[at / 256] = saved;
	}
	table = NULL;
}
END_TEST

START_TEST(offsets_outside_of_the_section_give_no_table)
{
	AUTO_BUF program = { 0 };

	put_simple(&program);
	make(4, &program);
	const struct line_sections sections = { .line = cursor_of(line.data, line.len) };
	ck_assert_ptr_null(line_table_new(&sections, line.len, NULL));
	ck_assert_ptr_null(line_table_new(&sections, UINT64_MAX, NULL));
	const struct line_sections none = { 0 };
	ck_assert_ptr_null(line_table_new(&none, 0, NULL));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("line_table");
	TCase *tc = tcase_create("line_table");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_loop_test(tc, rows_reach_to_the_next_one, 0, 4);
	tcase_add_test(tc, paths_are_made_full);
	tcase_add_test(tc, version_5_counts_from_0);
	tcase_add_test(tc, the_last_of_several_rows_for_an_address_counts);
	tcase_add_test(tc, the_last_statement_for_an_address_counts);
	tcase_add_test(tc, within_an_instruction_the_last_row_of_the_functions_file_counts);
	tcase_add_test(tc, rows_of_line_0_say_nothing);
	tcase_add_test(tc, sequences_come_in_any_order);
	tcase_add_test(tc, code_that_the_linker_threw_away_is_ignored);
	tcase_add_test(tc, long_programs_are_found_everywhere);
	tcase_add_test(tc, unknown_opcodes_are_passed_over);
	tcase_add_loop_test(tc, damaged_tables_do_no_harm, 0, 2);
	tcase_add_test(tc, offsets_outside_of_the_section_give_no_table);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
