/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/core/core_notes.h"

#include <elf.h>
#include <signal.h>

#include "core_builder.h"
#include "target/process/memory.h"
#include "unit.h"

enum { PAGE = MEMORY_PAGE };

static struct core_builder b;
static struct core_notes notes;

static void setup(void)
{
	core_builder_init(&b);
	notes = (struct core_notes){ 0 };
}

static void teardown(void)
{
	core_notes_fini(&notes);
	core_builder_fini(&b);
}

static struct error *parse(void)
{
	return core_notes_add(&notes, &arch_x86_64, b.notes.data, b.notes.len);
}

static void parse_well(void)
{
	ck_assert_no_error(parse());
	core_notes_finish(&notes);
}

static void add_text(const char *name, uint32_t type, const char *desc)
{
	core_add_note(&b, name, type, desc, strlen(desc));
}

static void check_set(pid_t lwp, enum regset set, const char *text)
{
	const struct core_thread *th = core_notes_find(&notes, lwp);

	ck_assert_ptr_nonnull(th);
	ck_assert_uint_eq(th->sets[set].len, strlen(text));
	ck_assert_mem_eq(th->sets[set].data, text, strlen(text));
}

START_TEST(register_sets_belong_to_the_thread_before_them)
{
	core_add_thread(&b, 20, 0x22);
	add_text("CORE", NT_PRFPREG, "float of 20");
	core_add_thread(&b, 10, 0x11);
	add_text("LINUX", NT_X86_XSTATE, "extended of 10");
	add_text("CORE", NT_PRFPREG, "float of 10");
	parse_well();
	ck_assert_uint_eq(notes.threads.len, 2);
	ck_assert_int_eq(notes.threads.items[0].lwp, 10);
	ck_assert_int_eq(notes.threads.items[1].lwp, 20);
	ck_assert_int_eq(notes.first, 20);
	check_set(20, REGSET_FLOAT, "float of 20");
	check_set(10, REGSET_FLOAT, "float of 10");
	check_set(10, REGSET_EXTENDED, "extended of 10");
	ck_assert_uint_eq(core_notes_find(&notes, 20)->sets[REGSET_EXTENDED].len, 0);
	ck_assert_ptr_null(core_notes_find(&notes, 15));
}
END_TEST

START_TEST(general_registers_are_those_of_prstatus)
{
	core_add_thread(&b, 7, 0x5a);
	parse_well();
	const struct core_bytes *set = &core_notes_find(&notes, 7)->sets[REGSET_GENERAL];
	ck_assert_uint_eq(set->len, arch_x86_64.general_size);
	for (size_t i = 0; i < set->len; i++)
		ck_assert_uint_eq(set->data[i], 0x5a);
}
END_TEST

START_TEST(the_first_of_two_threads_with_one_number_stays)
{
	core_add_thread(&b, 9, 1);
	core_add_thread(&b, 5, 2);
	add_text("CORE", NT_PRFPREG, "first");
	core_add_thread(&b, 5, 3);
	add_text("CORE", NT_PRFPREG, "second");
	core_add_thread(&b, 5, 4);
	parse_well();
	ck_assert_uint_eq(notes.threads.len, 2);
	check_set(5, REGSET_FLOAT, "first");
	ck_assert_uint_eq(core_notes_find(&notes, 5)->sets[REGSET_GENERAL].data[0], 2);
}
END_TEST

START_TEST(notes_of_others_are_passed_over)
{
	core_add_thread(&b, 5, 1);
	add_text("GDB", NT_PRFPREG, "not a register set");
	add_text("LINUX", NT_PRFPREG, "not one either");
	add_text("CORE", NT_X86_XSTATE, "nor this");
	add_text("CORE", 12345, "unknown");
	add_text("", NT_PRSTATUS, "nameless");
	add_text("FreeBSD", NT_PRSTATUS, "foreign");
	parse_well();
	ck_assert_uint_eq(notes.threads.len, 1);
	ck_assert_uint_eq(notes.threads.items[0].sets[REGSET_FLOAT].len, 0);
	ck_assert_uint_eq(notes.threads.items[0].sets[REGSET_EXTENDED].len, 0);
}
END_TEST

START_TEST(register_sets_before_any_thread_are_nobodys)
{
	add_text("CORE", NT_PRFPREG, "nobody's");
	core_add_thread(&b, 5, 1);
	parse_well();
	ck_assert_uint_eq(notes.threads.items[0].sets[REGSET_FLOAT].len, 0);
}
END_TEST

START_TEST(the_kernels_order_tells_the_signal)
{
	core_add_thread(&b, 5, 1);
	core_add_process(&b, 4, "prog", "./prog -x");
	core_add_signal(&b, SIGSEGV);
	core_add_thread(&b, 4, 1);
	parse_well();
	ck_assert_int_eq(notes.signal, SIGSEGV);
	ck_assert_int_eq(notes.first, 5);
	ck_assert_int_eq(notes.pid, 4);
	ck_assert_str_eq(notes.name, "prog");
	ck_assert_str_eq(notes.args, "./prog -x");
}
END_TEST

START_TEST(gcores_order_tells_the_first_threads_signal)
{
	core_add_process(&b, 4, "a name that is too long", "");
	core_add_thread(&b, 4, 1);
	core_add_signal(&b, SIGFPE);
	core_add_thread(&b, 5, 1);
	core_add_signal(&b, SIGSTOP);
	parse_well();
	ck_assert_int_eq(notes.signal, SIGFPE);
	ck_assert_int_eq(notes.first, 4);
	ck_assert_str_eq(notes.name, "a name that is t");
}
END_TEST

START_TEST(maps_come_sorted_and_in_bytes)
{
	static const struct core_file_row rows[] = {
		{ 9 * PAGE, 11 * PAGE, 3, "/lib/b" },
		{ 2 * PAGE, 3 * PAGE, 0, "/lib/a" },
	};

	core_add_files(&b, PAGE, rows, COUNT(rows));
	parse_well();
	ck_assert_uint_eq(notes.maps.len, 2);
	const struct map *m = notes.maps.items;
	ck_assert_str_eq(m[0].path, "/lib/a");
	ck_assert_uint_eq(m[0].start, 2 * PAGE);
	ck_assert_uint_eq(m[0].offset, 0);
	ck_assert_str_eq(m[1].path, "/lib/b");
	ck_assert_uint_eq(m[1].end, 11 * PAGE);
	ck_assert_uint_eq(m[1].offset, 3 * PAGE);
	ck_assert_uint_eq(m[1].flags, MAP_NO_FLAGS);
}
END_TEST

START_TEST(gcores_offsets_are_bytes_already)
{
	static const struct core_file_row rows[] = { { PAGE, 2 * PAGE, 3 * PAGE, "/lib/a" } };

	core_add_files(&b, 1, rows, COUNT(rows));
	parse_well();
	ck_assert_uint_eq(notes.maps.items[0].offset, 3 * PAGE);
}
END_TEST

START_TEST(deleted_files_lose_their_suffix)
{
	static const struct core_file_row rows[] = {
		{ 1 * PAGE, 2 * PAGE, 0, "/lib/a (deleted)" },
		{ 3 * PAGE, 4 * PAGE, 0, " (deleted)" },
	};

	core_add_files(&b, 1, rows, COUNT(rows));
	parse_well();
	ck_assert_str_eq(notes.maps.items[0].path, "/lib/a");
	ck_assert_uint_eq(notes.maps.items[0].flags, MAP_NO_FLAGS | MAP_DELETED);
	ck_assert_str_eq(notes.maps.items[1].path, " (deleted)");
	ck_assert_uint_eq(notes.maps.items[1].flags, MAP_NO_FLAGS);
}
END_TEST

static const struct core_file_row impossible[] = {
	{ 2 * PAGE, 2 * PAGE, 0, "empty" },
	{ 3 * PAGE, 2 * PAGE, 0, "backwards" },
	{ 100, 2 * PAGE, 0, "start inside a page" },
	{ PAGE, 2 * PAGE + 1, 0, "end inside a page" },
	{ PAGE, 2 * PAGE, UINT64_MAX / 2, "offset too far" },
	{ PAGE, 2 * PAGE, UINT64_MAX / PAGE + 1, "offset that wraps around" },
	{ PAGE, 2 * PAGE, INT64_MAX / PAGE, "end too far" },
	{ PAGE, 2 * PAGE, 0, "" },
};

START_TEST(impossible_mappings_are_left_out)
{
	const struct core_file_row rows[] = { impossible[_i], { 8 * PAGE, 9 * PAGE, 0, "/lib/a" } };

	core_add_files(&b, PAGE, rows, COUNT(rows));
	parse_well();
	ck_assert_uint_eq(notes.maps.len, 1);
	ck_assert_str_eq(notes.maps.items[0].path, "/lib/a");
}
END_TEST

START_TEST(of_overlapping_mappings_one_stays)
{
	static const struct core_file_row rows[] = {
		{ 1 * PAGE, 9 * PAGE, 0, "/lib/a" },
		{ 5 * PAGE, 6 * PAGE, 0, "/lib/b" },
		{ 9 * PAGE, 10 * PAGE, 0, "/lib/c" },
	};

	core_add_files(&b, 1, rows, COUNT(rows));
	core_add_files(&b, 1, rows, COUNT(rows));
	parse_well();
	core_notes_finish(&notes);
	ck_assert_uint_eq(notes.maps.len, 2);
	ck_assert_str_eq(notes.maps.items[0].path, "/lib/a");
	ck_assert_str_eq(notes.maps.items[1].path, "/lib/c");
}
END_TEST

START_TEST(file_lists_that_promise_too_much_are_corrupt)
{
	static const struct core_file_row rows[] = { { PAGE, 2 * PAGE, 0, "/lib/a" } };
	static const uint64_t counts[] = { 2, UINT64_MAX / 24 + 2, UINT64_MAX };

	core_add_files(&b, 1, rows, COUNT(rows));
	for (size_t i = 0; i < COUNT(counts); i++) {
		memcpy(b.notes.data + sizeof(Elf64_Nhdr) + 8, &counts[i], sizeof(counts[i]));
		ck_assert_error(parse(), ERROR_BAD_DATA, "NT_FILE");
	}
}
END_TEST

START_TEST(names_without_an_end_are_corrupt)
{
	uint64_t desc[] = { 1, 1, PAGE, 2 * PAGE, 0, UINT64_C(0x6161616161616161) };

	core_add_note(&b, "CORE", NT_FILE, desc, sizeof(desc));
	ck_assert_error(parse(), ERROR_BAD_DATA, "NT_FILE");
}
END_TEST

static const struct {
	uint32_t type;
	const char *name;
} known[] = {
	{ NT_PRSTATUS, "NT_PRSTATUS" },
	{ NT_PRPSINFO, "NT_PRPSINFO" },
	{ NT_SIGINFO, "NT_SIGINFO" },
	{ NT_FILE, "NT_FILE" },
};

START_TEST(a_note_that_is_too_short_is_corrupt)
{
	core_add_note(&b, "CORE", known[_i].type, "abc", 3);
	ck_assert_error(parse(), ERROR_BAD_DATA, known[_i].name);
}
END_TEST

START_TEST(every_cut_is_survived)
{
	static const struct core_file_row rows[] = { { PAGE, 2 * PAGE, 0, "/lib/a" } };

	core_add_thread(&b, 5, 1);
	core_add_process(&b, 4, "prog", "./prog -x");
	core_add_signal(&b, SIGSEGV);
	core_add_files(&b, 1, rows, COUNT(rows));
	for (size_t len = 0; len < b.notes.len; len++) {
		struct core_notes cut = { 0 };
		/* On the heap, so that the sanitizer sees a step beyond the end. */
		uint8_t *bytes = malloc(len + 1);
		memcpy(bytes, b.notes.data, len);
		bytes = realloc(bytes, len ? len : 1);
		error_ignore(core_notes_add(&cut, &arch_x86_64, bytes, len));
		core_notes_finish(&cut);
		ck_assert_uint_le(cut.threads.len, 1);
		core_notes_fini(&cut);
		free(bytes);
	}
}
END_TEST

static const struct {
	size_t at;
	uint32_t value;
} lengths[] = {
	{ offsetof(Elf64_Nhdr, n_namesz), UINT32_MAX },
	{ offsetof(Elf64_Nhdr, n_namesz), UINT32_MAX - 3 },
	{ offsetof(Elf64_Nhdr, n_descsz), UINT32_MAX },
	{ offsetof(Elf64_Nhdr, n_descsz), 1 << 20 },
};

START_TEST(a_note_beyond_its_segment_is_corrupt)
{
	core_add_thread(&b, 5, 1);
	memcpy(b.notes.data + lengths[_i].at, &lengths[_i].value, sizeof(lengths[_i].value));
	ck_assert_error(parse(), ERROR_BAD_DATA, "beyond the end");
}
END_TEST

START_TEST(the_auxiliary_vector_is_kept_as_it_is)
{
	static const uint64_t entry[] = { AT_ENTRY, 0x1234 };

	core_add_auxv(&b, entry[0], entry[1]);
	parse_well();
	ck_assert_uint_eq(notes.auxv.len, 32);
	ck_assert_mem_eq(notes.auxv.data, entry, sizeof(entry));
}
END_TEST

static void add_case(Suite *s, const char *name, const TTest *const *tests)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, setup, teardown);
	for (; *tests; tests++)
		tcase_add_test(tc, *tests);
	suite_add_tcase(s, tc);
}
#define add(s, name, ...) add_case(s, name, (const TTest *const[]){ __VA_ARGS__, NULL })

static void add_table(Suite *s, const char *name, const TTest *test, size_t rows)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test, 0, (int)rows);
	suite_add_tcase(s, tc);
}

int main(void)
{
	Suite *s = suite_create("core_notes");

	add(s, "threads", register_sets_belong_to_the_thread_before_them,
	    general_registers_are_those_of_prstatus, the_first_of_two_threads_with_one_number_stays,
	    notes_of_others_are_passed_over, register_sets_before_any_thread_are_nobodys);
	add(s, "process", the_kernels_order_tells_the_signal,
	    gcores_order_tells_the_first_threads_signal, the_auxiliary_vector_is_kept_as_it_is);
	add(s, "files", maps_come_sorted_and_in_bytes, gcores_offsets_are_bytes_already,
	    deleted_files_lose_their_suffix, of_overlapping_mappings_one_stays,
	    file_lists_that_promise_too_much_are_corrupt, names_without_an_end_are_corrupt);
	add_table(s, "impossible", impossible_mappings_are_left_out, COUNT(impossible));
	add_table(s, "short", a_note_that_is_too_short_is_corrupt, COUNT(known));
	add_table(s, "long", a_note_beyond_its_segment_is_corrupt, COUNT(lengths));
	add(s, "cut", every_cut_is_survived);
	return unit_run(s);
}
