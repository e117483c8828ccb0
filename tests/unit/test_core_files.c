/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/core/core_files.h"

#include <stdio.h>
#include <sys/stat.h>

#include "core_fixture.h"
#include "target/elf/build_id.h"

/* Memory that only a file holds. */

static void check_unused(const char *why)
{
	fix_check_missing(LIB + PAGE);
	fix_check_open_error(LIB, ERROR_NOT_FOUND, why);
	fix_check_open_error(LIB + PAGE, ERROR_NOT_FOUND, why);
}

START_TEST(what_the_core_leaves_out_comes_from_the_file)
{
	uint8_t bytes[3 * PAGE];

	fix_add_lib(ID, ID, fix.lib_path);
	fix_open_core();
	ck_assert_no_error(target_read(fix.t, LIB, bytes, sizeof(bytes)));
	ck_assert_mem_eq(bytes, fix.lib.data, sizeof(bytes));
	fix_check_missing(LIB + 3 * PAGE);
}
END_TEST

START_TEST(the_files_last_page_is_filled_up_with_zeros)
{
	fix_add_lib(ID, ID, fix.lib_path);
	fix.lib.len -= PAGE / 2;
	fix_save(fix.lib_path, &fix.lib);
	fix_open_core();
	fix_check_byte(LIB + 2 * PAGE + PAGE / 2 - 1, 2);
	fix_check_byte(LIB + 2 * PAGE + PAGE / 2, 0);
	fix_check_byte(LIB + 3 * PAGE - 1, 0);
}
END_TEST

START_TEST(a_file_that_was_mapped_opens)
{
	struct map_list maps = { 0 };
	struct build_id id;
	AUTO_FILE f = FILE_CLOSED;

	fix_add_lib(ID, ID, fix.lib_path);
	fix_open_core();
	ck_assert_no_error(target_maps(fix.t, &maps));
	ck_assert_uint_eq(maps.len, 3);
	ck_assert_no_error(target_open_file(fix.t, &maps.items[1], &f));
	map_list_fini(&maps);
	build_id_of_file(f.fd, &id);
	ck_assert_uint_eq(id.bytes[0], ID);
	ck_assert_int_eq(lseek(f.fd, 5, SEEK_SET), 5);
	ck_assert_str_eq(f.path, fix.lib_path);
}
END_TEST

START_TEST(another_file_under_the_same_name_is_not_used)
{
	fix_add_lib(ID, ID + 1, fix.lib_path);
	fix_open_core();
	fix_check_byte(LIB, ELFMAG0);
	check_unused("/lib has changed since the core was written (build-id differs)");
}
END_TEST

START_TEST(a_file_without_a_build_id_where_the_core_has_one_is_not_used)
{
	fix_add_lib(ID, 0, fix.lib_path);
	fix_open_core();
	check_unused("build-id differs");
}
END_TEST

START_TEST(a_missing_file_is_named)
{
	fix_add_lib(ID, ID, fix.lib_path);
	unlink(fix.lib_path);
	fix_open_core();
	check_unused(fix.lib_path);
}
END_TEST

START_TEST(without_build_id_a_file_older_than_the_core_is_used)
{
	fix_add_lib(0, 0, fix.lib_path);
	fix_build();
	fix_set_time(fix.lib_path, 1000);
	fix_set_time(fix.core_path, 1000);
	ck_assert_no_error(fix_open_with(NULL));
	fix_check_byte(LIB + PAGE, 1);
}
END_TEST

START_TEST(without_build_id_a_file_newer_than_the_core_is_not_used)
{
	fix_add_lib(0, 0, fix.lib_path);
	fix_build();
	fix_set_time(fix.lib_path, 1001);
	fix_set_time(fix.core_path, 1000);
	ck_assert_no_error(fix_open_with(NULL));
	check_unused("newer than the core");
}
END_TEST

START_TEST(without_build_id_other_elf_headers_betray_the_file)
{
	fix_add_lib(0, 0, fix.lib_path);
	((Elf64_Phdr *)(fix.lib.data + sizeof(Elf64_Ehdr)))->p_memsz += PAGE;
	fix_save(fix.lib_path, &fix.lib);
	fix_open_core();
	check_unused("ELF headers differ");
}
END_TEST

START_TEST(a_deleted_file_needs_a_build_id)
{
	char path[96];

	snprintf(path, sizeof(path), "%s (deleted)", fix.lib_path);
	fix_add_lib(0, 0, path);
	fix_open_core();
	check_unused("deleted");
}
END_TEST

START_TEST(a_deleted_file_that_was_put_back_is_used)
{
	char path[96];

	snprintf(path, sizeof(path), "%s (deleted)", fix.lib_path);
	fix_add_lib(ID, ID, path);
	fix_open_core();
	fix_check_byte(LIB + PAGE, 1);
}
END_TEST

START_TEST(a_file_and_its_deleted_predecessor_are_two)
{
	char path[96];
	AUTO_BUF old = { 0 };
	const struct core_file_row rows[] = {
		{ DATA, DATA + PAGE, 0, path },
		{ DATA + PAGE, DATA + 2 * PAGE, 1, path },
	};

	snprintf(path, sizeof(path), "%s (deleted)", fix.lib_path);
	image_build(&old, ID + 1, 1);
	fix_add_lib(ID, ID, fix.lib_path);
	core_add_files(&fix.b, PAGE, rows, COUNT(rows));
	core_add_load(&fix.b, DATA, PAGE, old.data, PAGE, PF_R);
	fix_open_core();
	fix_check_byte(LIB + PAGE, 1);
	fix_check_missing(DATA + PAGE);
}
END_TEST

START_TEST(a_file_that_lay_outside_all_segments_is_used)
{
	const struct core_file_row rows[] = { { LIB, LIB + 2 * PAGE, 0, fix.lib_path } };

	image_build(&fix.lib, ID, 2);
	fix_save(fix.lib_path, &fix.lib);
	core_add_files(&fix.b, PAGE, rows, COUNT(rows));
	fix_open_core();
	fix_check_byte(LIB, ELFMAG0);
	fix_check_byte(LIB + PAGE, 1);
	fix_check_missing(LIB + 2 * PAGE);
}
END_TEST

START_TEST(what_the_program_may_have_changed_never_comes_from_the_file)
{
	const struct core_file_row rows[] = {
		{ LIB, LIB + 4 * PAGE, 0, fix.lib_path },
	};

	image_build(&fix.lib, 0, 4);
	fix_save(fix.lib_path, &fix.lib);
	core_add_files(&fix.b, PAGE, rows, COUNT(rows));
	/* Left out though writable; read-only, but written to before; the file may serve the last.
	 */
	core_add_load(&fix.b, LIB, PAGE, NULL, 0, PF_R | PF_W);
	core_add_load(&fix.b, LIB + 3 * PAGE, PAGE, NULL, 0, PF_R);
	core_add_load(&fix.b, LIB + PAGE, 2 * PAGE, fix_pages(2), 2 * PAGE, PF_R);
	fix_build();
	fix.core.len -= PAGE + 1;
	fix_save(fix.core_path, &fix.core);
	ck_assert_no_error(fix_open_with(NULL));
	fix_check_missing(LIB);
	fix_check_missing(LIB + PAGE);
	fix_check_missing(LIB + 2 * PAGE);
	fix_check_byte(LIB + 3 * PAGE, 3);
}
END_TEST

START_TEST(a_page_held_in_part_is_filled_up_from_the_file)
{
	const struct core_file_row rows[] = { { LIB, LIB + 2 * PAGE, 0, fix.lib_path } };

	image_build(&fix.lib, 0, 2);
	fix_save(fix.lib_path, &fix.lib);
	core_add_files(&fix.b, PAGE, rows, COUNT(rows));
	core_add_load(&fix.b, LIB + PAGE, PAGE, fix_pages(7) + 6 * PAGE, 100, PF_R);
	fix_open_core();
	fix_check_byte(LIB + PAGE + 99, 7);
	fix_check_byte(LIB + PAGE + 100, 1);
}
END_TEST

static const char *const no_files[] = { "lib", "/dev/zero", "/", "[heap]", "/dev/full/x" };

START_TEST(what_is_no_regular_file_is_not_opened)
{
	const struct core_file_row rows[] = { { LIB, LIB + PAGE, 0, no_files[_i] } };
	struct map_list maps = { 0 };
	AUTO_FILE f = FILE_CLOSED;

	ck_assert_int_eq(chdir(fix.dir), 0);
	image_build(&fix.lib, 0, 1);
	fix_save(fix.lib_path, &fix.lib);
	core_add_files(&fix.b, PAGE, rows, COUNT(rows));
	fix_open_core();
	fix_check_missing(LIB);
	ck_assert_no_error(target_maps(fix.t, &maps));
	struct error *err = target_open_file(fix.t, &maps.items[0], &f);
	ck_assert_ptr_nonnull(err);
	error_free(err);
	map_list_fini(&maps);
}
END_TEST

START_TEST(a_pipe_under_a_files_name_does_not_block)
{
	fix_add_lib(0, 0, fix.lib_path);
	unlink(fix.lib_path);
	ck_assert_int_eq(mkfifo(fix.lib_path, 0600), 0);
	fix_open_core();
	fix_check_missing(LIB + PAGE);
	fix_check_open_error(LIB, ERROR_UNSUPPORTED, "is a pipe");
}
END_TEST

/* The program. */

START_TEST(the_program_is_where_its_headers_are)
{
	fix_add_lib(ID, ID, fix.lib_path);
	core_add_auxv(&fix.b, AT_PHDR, LIB + sizeof(Elf64_Ehdr));
	core_add_process(&fix.b, LWP, "prog", "./prog with arguments");
	fix_open_core();
	ck_assert_str_eq(fix.t->exe, fix.lib_path);
	ck_assert_str_eq(fix.t->core, fix.core_path);
	ck_assert_int_eq(fix.t->pid, LWP);
}
END_TEST

START_TEST(the_program_is_where_it_was_entered)
{
	fix_add_lib(ID, ID, fix.lib_path);
	core_add_auxv(&fix.b, AT_ENTRY, LIB + PAGE);
	fix_open_core();
	ck_assert_str_eq(fix.t->exe, fix.lib_path);
}
END_TEST

START_TEST(else_the_command_line_names_the_program)
{
	core_add_process(&fix.b, LWP, "prog", "./prog with arguments");
	fix_open_core();
	ck_assert_str_eq(fix.t->exe, "./prog");
}
END_TEST

START_TEST(a_program_that_was_moved_is_named_by_the_user)
{
	char moved[64];

	fix_add_lib(ID, ID, fix.lib_path);
	core_add_auxv(&fix.b, AT_PHDR, LIB + sizeof(Elf64_Ehdr));
	fix_build();
	snprintf(moved, sizeof(moved), "%s/moved", fix.dir);
	ck_assert_int_eq(rename(fix.lib_path, moved), 0);
	ck_assert_no_error(fix_open_with(moved));
	ck_assert_str_eq(fix.t->exe, fix.lib_path);
	fix_check_byte(LIB + PAGE, 1);
}
END_TEST

START_TEST(another_program_than_the_cores_is_refused)
{
	fix_add_lib(ID, 0xcd, fix.lib_path);
	core_add_auxv(&fix.b, AT_PHDR, LIB + sizeof(Elf64_Ehdr));
	fix_build();
	ck_assert_error(fix_open_with(fix.lib_path), ERROR_BAD_DATA,
			"is not the program of this core: its build-id is cdcdcdcd");
	ck_assert_error(fix_open_with(fix.lib_path), ERROR_BAD_DATA, "the core's abababab");
	ck_assert_error(fix_open_with(fix.core_path), ERROR_BAD_DATA, "its build-id is missing");
}
END_TEST

START_TEST(without_build_id_another_program_is_told_by_its_headers)
{
	fix_add_lib(0, 0, fix.lib_path);
	core_add_auxv(&fix.b, AT_PHDR, LIB + sizeof(Elf64_Ehdr));
	fix_build();
	fix_set_time(fix.core_path, 1000);
	ck_assert_no_error(fix_open_with(fix.lib_path));
	ck_assert_error(fix_open_with(fix.core_path), ERROR_BAD_DATA, "its ELF headers differ");
}
END_TEST

START_TEST(a_program_that_is_none_is_refused)
{
	char text[64];

	fix_add_lib(ID, ID, fix.lib_path);
	core_add_auxv(&fix.b, AT_PHDR, LIB + sizeof(Elf64_Ehdr));
	fix_build();
	ck_assert_error(fix_open_with(fix.dir), ERROR_UNSUPPORTED, "is a directory");
	snprintf(text, sizeof(text), "%s/text", fix.dir);
	ck_assert_error(fix_open_with(text), ERROR_NOT_FOUND, "/text: No such file");
	fix_save(text, &(struct buf){ .data = "#!/bin/sh", .len = 9 });
	ck_assert_error(fix_open_with(text), ERROR_UNSUPPORTED, "/text is not a program");
}
END_TEST

/* Without NT_FILE. */
static void add_unlisted_program(uint64_t type, uint64_t value)
{
	image_build(&fix.lib, ID, 3);
	fix_save(fix.lib_path, &fix.lib);
	core_add_auxv(&fix.b, type, value);
	fix_build();
}

START_TEST(a_core_without_files_is_helped_by_the_user)
{
	struct map_list maps = { 0 };

	add_unlisted_program(AT_PHDR, LIB + sizeof(Elf64_Ehdr));
	ck_assert_no_error(fix_open_with(fix.lib_path));
	ck_assert_str_eq(fix.t->exe, fix.lib_path);
	ck_assert_no_error(target_maps(fix.t, &maps));
	ck_assert_uint_eq(maps.len, 1);
	ck_assert_uint_eq(maps.items[0].start, LIB);
	ck_assert_uint_eq(maps.items[0].end, LIB + 3 * PAGE);
	map_list_fini(&maps);
	fix_check_byte(LIB + 2 * PAGE, 2);
}
END_TEST

START_TEST(a_program_that_does_not_fit_such_a_core_is_refused)
{
	add_unlisted_program(AT_PHDR, LIB + sizeof(Elf64_Ehdr) + 8);
	ck_assert_error(fix_open_with(fix.lib_path), ERROR_BAD_DATA,
			"is not the program of this core");
	ck_assert_error(fix_open_with(fix.dir), ERROR_UNSUPPORTED, "is a directory");
}
END_TEST

static const struct {
	size_t at, size;
	uint64_t value;
	enum error_code code;
	const char *text;
} programs[] = {
	{ 0, 4, 0, ERROR_UNSUPPORTED, "is not a program" },
	{ offsetof(Elf64_Ehdr, e_machine), 2, EM_AARCH64, ERROR_UNSUPPORTED, "aarch64" },
	{ offsetof(Elf64_Ehdr, e_phnum), 2, 60000, ERROR_BAD_DATA, "no program headers" },
	{ offsetof(Elf64_Ehdr, e_phoff), 8, 1 << 20, ERROR_BAD_DATA, "no program headers" },
	{ offsetof(Elf64_Ehdr, e_phnum), 2, 0, ERROR_BAD_DATA, "is not the program of this core" },
};

START_TEST(a_spoilt_program_is_refused)
{
	add_unlisted_program(AT_PHDR, LIB + sizeof(Elf64_Ehdr));
	memcpy(fix.lib.data + programs[_i].at, &programs[_i].value, programs[_i].size);
	fix_save(fix.lib_path, &fix.lib);
	ck_assert_error(fix_open_with(fix.lib_path), programs[_i].code, programs[_i].text);
}
END_TEST

START_TEST(a_program_that_was_entered_elsewhere_is_refused)
{
	uint64_t auxv[] = { AT_PHDR, LIB + sizeof(Elf64_Ehdr), AT_ENTRY, LIB + PAGE + 1 };

	image_build(&fix.lib, ID, 3);
	fix_save(fix.lib_path, &fix.lib);
	core_add_note(&fix.b, "CORE", NT_AUXV, auxv, sizeof(auxv));
	fix_build();
	ck_assert_error(fix_open_with(fix.lib_path), ERROR_BAD_DATA, "its entry point");
}
END_TEST

START_TEST(a_core_that_says_nothing_of_its_program_cannot_be_helped)
{
	add_unlisted_program(AT_PAGESZ, PAGE);
	ck_assert_error(fix_open_with(fix.lib_path), ERROR_BAD_DATA, "AT_PHDR");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("core_files");

	fix_case(s, "files", what_the_core_leaves_out_comes_from_the_file,
		 the_files_last_page_is_filled_up_with_zeros, a_file_that_was_mapped_opens,
		 another_file_under_the_same_name_is_not_used,
		 a_file_without_a_build_id_where_the_core_has_one_is_not_used,
		 a_missing_file_is_named, without_build_id_a_file_older_than_the_core_is_used,
		 without_build_id_a_file_newer_than_the_core_is_not_used,
		 without_build_id_other_elf_headers_betray_the_file,
		 a_deleted_file_needs_a_build_id, a_deleted_file_that_was_put_back_is_used,
		 a_file_and_its_deleted_predecessor_are_two,
		 a_file_that_lay_outside_all_segments_is_used,
		 what_the_program_may_have_changed_never_comes_from_the_file,
		 a_page_held_in_part_is_filled_up_from_the_file,
		 a_pipe_under_a_files_name_does_not_block);
	fix_table(s, what_is_no_regular_file_is_not_opened, no_files);
	fix_case(s, "program", the_program_is_where_its_headers_are,
		 the_program_is_where_it_was_entered, else_the_command_line_names_the_program,
		 a_program_that_was_moved_is_named_by_the_user,
		 another_program_than_the_cores_is_refused,
		 without_build_id_another_program_is_told_by_its_headers,
		 a_program_that_is_none_is_refused, a_core_without_files_is_helped_by_the_user,
		 a_program_that_does_not_fit_such_a_core_is_refused,
		 a_program_that_was_entered_elsewhere_is_refused,
		 a_core_that_says_nothing_of_its_program_cannot_be_helped);
	fix_table(s, a_spoilt_program_is_refused, programs);
	return unit_run(s);
}
