/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/core/core.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "core_fixture.h"

/* Memory that the core holds. */

START_TEST(memory_in_the_core_is_read_over_page_borders)
{
	uint8_t bytes[2 * PAGE];

	core_add_load(&fix.b, DATA, 3 * PAGE, fix_pages(3), 3 * PAGE, PF_R | PF_W);
	fix_open_core();
	ck_assert_no_error(target_read(fix.t, DATA + PAGE / 2, bytes, sizeof(bytes)));
	ck_assert_uint_eq(bytes[0], 1);
	ck_assert_uint_eq(bytes[PAGE], 2);
	ck_assert_uint_eq(bytes[2 * PAGE - 1], 3);
	fix_check_missing(DATA - 1);
	fix_check_missing(DATA + 3 * PAGE);
	ck_assert_error(target_read(fix.t, DATA + 2 * PAGE, bytes, sizeof(bytes)), ERROR_NO_ADDRESS,
			"0x10003000");
}
END_TEST

START_TEST(neighbours_are_one_memory)
{
	uint8_t bytes[2 * PAGE];

	core_add_load(&fix.b, DATA + PAGE, PAGE, fix_pages(2) + PAGE, PAGE, PF_R);
	core_add_load(&fix.b, DATA, PAGE, fix_pages(2), PAGE, PF_R | PF_W);
	fix_open_core();
	ck_assert_no_error(target_read(fix.t, DATA, bytes, sizeof(bytes)));
	ck_assert_mem_eq(bytes, fix_pages(2), sizeof(bytes));
}
END_TEST

START_TEST(a_page_held_in_part_is_filled_up_with_zeros)
{
	core_add_load(&fix.b, DATA + 16, 32, fix_pages(1), 32, PF_R);
	core_add_load(&fix.b, DATA + 64, 2 * PAGE, fix_pages(1), 100, PF_R | PF_W);
	fix_open_core();
	fix_check_byte(DATA + 15, 0);
	fix_check_byte(DATA + 16, 1);
	fix_check_byte(DATA + 47, 1);
	fix_check_byte(DATA + 48, 0);
	fix_check_byte(DATA + 64, 1);
	fix_check_byte(DATA + 163, 1);
	fix_check_byte(DATA + 164, 0);
	fix_check_missing(DATA + PAGE);
}
END_TEST

START_TEST(of_overlapping_segments_each_byte_has_one_owner)
{
	core_add_load(&fix.b, DATA, 2 * PAGE, fix_pages(2), 2 * PAGE, PF_R);
	core_add_load(&fix.b, DATA + PAGE, 2 * PAGE, fix_pages(4) + 2 * PAGE, 2 * PAGE, PF_R);
	core_add_load(&fix.b, DATA + PAGE, PAGE, NULL, PAGE, PF_R);
	core_add_load(&fix.b, DATA, PAGE, NULL, 0, PF_R);
	fix_open_core();
	fix_check_byte(DATA, 1);
	fix_check_byte(DATA + PAGE, 2);
	fix_check_byte(DATA + 2 * PAGE, 4);
	fix_check_missing(DATA + 3 * PAGE);
}
END_TEST

START_TEST(a_segment_inside_another_hides_nothing)
{
	core_add_load(&fix.b, DATA, 5 * PAGE, fix_pages(5), 5 * PAGE, PF_R);
	core_add_load(&fix.b, DATA + PAGE, PAGE, NULL, PAGE, PF_R);
	core_add_load(&fix.b, DATA + 2 * PAGE, PAGE, NULL, PAGE, PF_R);
	fix_open_core();
	for (unsigned int i = 0; i < 5; i++)
		fix_check_byte(DATA + i * PAGE, (uint8_t)(i + 1));
}
END_TEST

START_TEST(segments_at_the_end_of_the_address_space_are_survived)
{
	const taddr last = (taddr)0 - PAGE;

	core_add_load(&fix.b, last - PAGE, PAGE, fix_pages(1), PAGE, PF_R);
	core_add_load(&fix.b, last, PAGE, fix_pages(1), PAGE, PF_R);
	core_add_load(&fix.b, DATA, UINT64_MAX, fix_pages(1), PAGE, PF_R);
	fix_open_core();
	fix_check_byte(last - 1, 1);
	fix_check_missing(last);
	fix_check_missing((taddr)-1);
}
END_TEST

START_TEST(memory_cut_off_is_missing_and_the_rest_is_there)
{
	core_add_load(&fix.b, DATA, 3 * PAGE, fix_pages(3), 3 * PAGE, PF_R);
	fix_build();
	fix.core.len -= PAGE + 1;
	fix_save(fix.core_path, &fix.core);
	ck_assert_no_error(fix_open_with(NULL));
	ck_assert_uint_eq(fix.t->threads.len, 1);
	fix_check_byte(DATA, 1);
	fix_check_missing(DATA + PAGE);
	fix_check_missing(DATA + 2 * PAGE);
}
END_TEST

START_TEST(a_core_that_shrinks_while_it_is_read_is_survived)
{
	core_add_load(&fix.b, DATA, 3 * PAGE, fix_pages(3), 3 * PAGE, PF_R);
	fix_open_core();
	ck_assert_int_eq(truncate(fix.core_path, (off_t)fix.core.len - PAGE - 1), 0);
	fix_check_byte(DATA, 1);
	fix_check_missing(DATA + PAGE);
	fix_check_missing(DATA + 2 * PAGE);
}
END_TEST

START_TEST(more_segments_than_the_header_can_count)
{
	fix.b.many = true;
	core_add_load(&fix.b, DATA, PAGE, fix_pages(1), PAGE, PF_R);
	core_add_load(&fix.b, DATA + PAGE, PAGE, fix_pages(1), PAGE, PF_R);
	fix_open_core();
	fix_check_byte(DATA + PAGE, 1);
	target_free(fix.t);
	fix.t = NULL;
	/* Without the section header, which is last, the count comes from the notes' place. */
	fix.core.len -= sizeof(Elf64_Shdr) + 1;
	fix_save(fix.core_path, &fix.core);
	ck_assert_no_error(fix_open_with(NULL));
	ck_assert_uint_eq(fix.t->threads.len, 1);
	fix_check_byte(DATA, 1);
	fix_check_missing(DATA + PAGE);
}
END_TEST

/* Threads. */

START_TEST(threads_stand_still_and_the_first_has_the_signal)
{
	core_add_signal(&fix.b, SIGABRT);
	core_add_process(&fix.b, 50, "prog", "");
	core_add_thread(&fix.b, 50, 0x22);
	fix_open_core();
	ck_assert_uint_eq(fix.t->threads.len, 2);
	struct thread *leader = fix.t->threads.items[0], *first = fix.t->threads.items[1];
	ck_assert_int_eq(leader->lwp, 50);
	ck_assert_int_eq(first->lwp, LWP);
	ck_assert_int_eq(leader->state, THREAD_STOPPED);
	ck_assert_int_eq(first->state, THREAD_STOPPED);
	ck_assert_int_eq(first->stop.kind, STOP_SIGNAL);
	ck_assert_int_eq(first->stop.value, SIGABRT);
	ck_assert_int_ne(leader->stop.kind, STOP_SIGNAL);
	ck_assert_str_eq(target_thread_name(fix.t, leader), "prog");
	ck_assert_str_eq(target_thread_name(fix.t, first), "");
}
END_TEST

START_TEST(a_thread_that_gcore_interrupted_got_no_signal)
{
	core_add_signal(&fix.b, SIGSTOP);
	fix_open_core();
	ck_assert_int_eq(fix.t->threads.items[0]->stop.kind, STOP_INTERRUPTED);
}
END_TEST

START_TEST(registers_come_from_the_notes)
{
	uint8_t room[ARCH_REGISTER_MAX], xsave[1024];
	struct thread *th;
	uint64_t pc;
	size_t size;

	memset(xsave, 0x77, sizeof(xsave));
	core_add_note(&fix.b, "LINUX", NT_X86_XSTATE, xsave, sizeof(xsave));
	fix_open_core();
	th = fix.t->threads.items[0];
	ck_assert_no_error(target_get_uint(fix.t, th, fix.t->arch->pc, &pc));
	ck_assert_uint_eq(pc, UINT64_C(0x1111111111111111));
	ck_assert_no_error(
		target_get_register(fix.t, th, arch_find_reg(fix.t->arch, "ymm3"), room, &size));
	ck_assert_uint_eq(size, 32);
	ck_assert_uint_eq(room[31], 0x77);
	ck_assert_error(
		target_get_register(fix.t, th, arch_find_reg(fix.t->arch, "xmm3"), room, &size),
		ERROR_UNSUPPORTED, "no floating-point registers of thread 100");
}
END_TEST

START_TEST(a_register_set_that_is_too_short_is_noticed)
{
	uint8_t room[ARCH_REGISTER_MAX];
	size_t size;

	core_add_note(&fix.b, "LINUX", NT_X86_XSTATE, "short", 5);
	fix_open_core();
	ck_assert_error(target_get_register(fix.t, fix.t->threads.items[0],
					    arch_find_reg(fix.t->arch, "ymm3"), room, &size),
			ERROR_BAD_DATA, "ymm3");
}
END_TEST

START_TEST(the_auxiliary_vector_is_found)
{
	uint64_t value = 1;

	core_add_auxv(&fix.b, AT_RANDOM, 0x1234);
	fix_open_core();
	ck_assert_no_error(target_auxv(fix.t, AT_RANDOM, &value));
	ck_assert_uint_eq(value, 0x1234);
	ck_assert_no_error(target_auxv(fix.t, AT_BASE, &value));
	ck_assert_uint_eq(value, 0);
}
END_TEST

START_TEST(the_vdso_is_a_mapping)
{
	struct map_list maps = { 0 };

	fix_add_lib(ID, ID, fix.lib_path);
	core_add_auxv(&fix.b, AT_SYSINFO_EHDR, VDSO);
	core_add_load(&fix.b, VDSO, 2 * PAGE, fix_pages(2), 2 * PAGE, PF_R | PF_X);
	fix_open_core();
	ck_assert_no_error(target_maps(fix.t, &maps));
	const struct map *m = map_list_find(&maps, VDSO + PAGE);
	ck_assert_ptr_nonnull(m);
	ck_assert_str_eq(m->path, "[vdso]");
	ck_assert_uint_eq(m->start, VDSO);
	ck_assert_uint_eq(m->end, VDSO + 2 * PAGE);
	ck_assert_uint_eq(m->offset, 0);
	map_list_fini(&maps);
	fix_check_open_error(VDSO, ERROR_NOT_FOUND, "[vdso] is no file");
}
END_TEST

START_TEST(a_vdso_that_the_core_does_not_hold_is_none)
{
	struct map_list maps = { 0 };

	core_add_auxv(&fix.b, AT_SYSINFO_EHDR, VDSO);
	fix_open_core();
	ck_assert_no_error(target_maps(fix.t, &maps));
	ck_assert_uint_eq(maps.len, 0);
}
END_TEST

START_TEST(segments_tell_protections_and_code_that_is_in_no_file)
{
	struct map_list maps = { 0 };

	fix_add_lib(ID, ID, fix.lib_path);
	core_add_load(&fix.b, DATA, PAGE, fix_pages(1), PAGE, PF_R | PF_W);
	core_add_load(&fix.b, DATA + 4 * PAGE, PAGE, fix_pages(1), PAGE, PF_R | PF_X);
	fix_open_core();
	ck_assert_no_error(target_maps(fix.t, &maps));
	const struct map *lib = map_list_find(&maps, LIB);
	ck_assert_ptr_nonnull(lib);
	ck_assert_uint_eq(lib->flags & (MAP_READ | MAP_NO_FLAGS), MAP_READ);
	ck_assert_ptr_null(map_list_find(&maps, DATA));
	const struct map *code = map_list_find(&maps, DATA + 4 * PAGE);
	ck_assert_ptr_nonnull(code);
	ck_assert_str_eq(code->path, "");
	ck_assert_uint_eq(code->flags, MAP_READ | MAP_EXEC);
	map_list_fini(&maps);
}
END_TEST

START_TEST(a_core_cannot_run_or_change)
{
	struct event event;

	core_add_load(&fix.b, DATA, PAGE, fix_pages(1), PAGE, PF_R | PF_W);
	fix_open_core();
	struct thread *th = fix.t->threads.items[0];
	ck_assert_error(target_write(fix.t, DATA, "x", 1), ERROR_UNSUPPORTED, "core file cannot");
	ck_assert_error(target_set_uint(fix.t, th, fix.t->arch->pc, 1), ERROR_UNSUPPORTED,
			"core file");
	ck_assert_error(target_resume(fix.t, NULL, RESUME_CONTINUE), ERROR_UNSUPPORTED,
			"cannot run");
	ck_assert_error(target_wait(fix.t, 0, &event), ERROR_UNSUPPORTED, "core file cannot");
	ck_assert_int_eq(target_wait_fd(fix.t), -1);
	ck_assert_error(target_plant(fix.t, DATA), ERROR_UNSUPPORTED, "core file cannot");
	ck_assert_error(target_unplant(fix.t, DATA), ERROR_UNSUPPORTED, "core file cannot");
	ck_assert_error(target_kill(fix.t), ERROR_UNSUPPORTED, "core file cannot");
	ck_assert_no_error(target_stop_all(fix.t));
	ck_assert_no_error(target_detach(fix.t));
	fix_check_byte(DATA, 1);
}
END_TEST

/* Files that are no cores, or no longer whole. */

static const struct {
	const char *suffix;
	char magic[7];
	const char *text;
} packed[] = {
	{ ".gz", "\x1f\x8b\x08",
	  "core.gz is compressed with gzip: decompress it first with 'gzip -dk" },
	{ ".xz",
	  "\xfd"
	  "7zXZ\0",
	  "compressed with xz: decompress it first with 'xz -dk" },
	{ ".zst", "\x28\xb5\x2f\xfd", "compressed with zstd: decompress it first with 'zstd -dk" },
	{ ".bz2", "BZh9", "compressed with bzip2: decompress it first with 'bzip2 -dk" },
	{ ".lz4", "\x04\x22\x4d\x18", "compressed with lz4: decompress it first with 'lz4 -dk" },
	{ "", "\x1f\x8b\x08", "'gzip -dc <" },
};

START_TEST(a_compressed_core_comes_with_the_command)
{
	char path[80];

	snprintf(path, sizeof(path), "%s%s", fix.core_path, packed[_i].suffix);
	buf_add(&fix.core, packed[_i].magic, 6);
	buf_adds(&fix.core, "and what follows");
	fix_save(path, &fix.core);
	ck_assert_error(core_open(path, NULL, &fix.t), ERROR_UNSUPPORTED, packed[_i].text);
}
END_TEST

#define FIELD(member) offsetof(Elf64_Ehdr, member), sizeof(((Elf64_Ehdr *)0)->member)
static const struct {
	const char *what;
	size_t at, size;
	uint64_t value;
	enum error_code code;
	const char *text;
} headers[] = {
	{ "no ELF", FIELD(e_ident[1]), 'x', ERROR_UNSUPPORTED, "core is not a core file" },
	{ "program", FIELD(e_type), ET_EXEC, ERROR_UNSUPPORTED, "is an executable, not a core" },
	{ "library", FIELD(e_type), ET_DYN, ERROR_UNSUPPORTED, "or a shared library, not a core" },
	{ "object", FIELD(e_type), ET_REL, ERROR_UNSUPPORTED, "is an object file, not a core" },
	{ "unheard of", FIELD(e_type), 77, ERROR_UNSUPPORTED, "not a core file" },
	{ "aarch64", FIELD(e_machine), EM_AARCH64, ERROR_UNSUPPORTED, "aarch64" },
	{ "x32", FIELD(e_ident[EI_CLASS]), ELFCLASS32, ERROR_UNSUPPORTED, "x32" },
	{ "big-endian", FIELD(e_ident[EI_DATA]), ELFDATA2MSB, ERROR_UNSUPPORTED, "big-endian" },
	{ "no order", FIELD(e_ident[EI_DATA]), 9, ERROR_UNSUPPORTED, "x86" },
	{ "strange phdrs", FIELD(e_phentsize), 55, ERROR_BAD_DATA, "corrupt" },
	{ "no phdrs", FIELD(e_phnum), 0, ERROR_BAD_DATA, "no threads" },
	{ "phdrs elsewhere", FIELD(e_phoff), 1 << 20, ERROR_BAD_DATA, "truncated" },
	{ "phdrs nowhere", FIELD(e_phoff), UINT64_MAX - 10, ERROR_BAD_DATA, "truncated" },
	{ "too many phdrs", FIELD(e_phnum), 65000, ERROR_BAD_DATA, "truncated" },
};

START_TEST(a_wrong_header_is_refused)
{
	core_build(&fix.b, &fix.core);
	memcpy(fix.core.data + headers[_i].at, &headers[_i].value, headers[_i].size);
	fix_save(fix.core_path, &fix.core);
	ck_assert_error(fix_open_with(NULL), headers[_i].code, headers[_i].text);
}
END_TEST

static const struct {
	const char *what;
	size_t at;
	uint64_t value;
	const char *text;
} note_headers[] = {
	{ "far away", offsetof(Elf64_Phdr, p_offset), 1 << 30, "truncated" },
	{ "beyond any file", offsetof(Elf64_Phdr, p_offset), INT64_MAX, "beyond any file" },
	{ "wrapping around", offsetof(Elf64_Phdr, p_filesz), UINT64_MAX, "beyond any file" },
	{ "too long", offsetof(Elf64_Phdr, p_filesz), 1 << 30, "truncated" },
	{ "empty", offsetof(Elf64_Phdr, p_filesz), 0, "no threads" },
};

START_TEST(wrong_places_of_notes_are_refused)
{
	core_build(&fix.b, &fix.core);
	memcpy(fix.core.data + sizeof(Elf64_Ehdr) + note_headers[_i].at, &note_headers[_i].value,
	       8);
	fix_save(fix.core_path, &fix.core);
	ck_assert_error(fix_open_with(NULL), ERROR_BAD_DATA, note_headers[_i].text);
}
END_TEST

START_TEST(note_segments_longer_than_the_file_together_are_refused)
{
	Elf64_Phdr note;

	core_add_load(&fix.b, DATA, PAGE, NULL, 0, PF_R);
	core_build(&fix.b, &fix.core);
	memcpy(&note, fix.core.data + sizeof(Elf64_Ehdr), sizeof(note));
	note.p_filesz = fix.core.len - note.p_offset;
	memcpy(fix.core.data + sizeof(Elf64_Ehdr) + sizeof(note), &note, sizeof(note));
	fix_save(fix.core_path, &fix.core);
	ck_assert_error(fix_open_with(NULL), ERROR_BAD_DATA, "notes are too long");
}
END_TEST

START_TEST(every_cut_through_headers_and_notes_says_truncated)
{
	fix_build();
	for (size_t len = 1; len < fix.core.len; len++) {
		if (len == SELFMAG - 1)
			len = SELFMAG;
		ck_assert_int_eq(truncate(fix.core_path, 0), 0);
		fix_save(fix.core_path, &(struct buf){ .data = fix.core.data, .len = len });
		ck_assert_error(fix_open_with(NULL),
				len < SELFMAG ? ERROR_UNSUPPORTED : ERROR_BAD_DATA,
				len < SELFMAG ? "not a core file" : "truncated");
	}
}
END_TEST

START_TEST(an_empty_core_is_explained)
{
	fix_save(fix.core_path, &fix.core);
	ck_assert_error(fix_open_with(NULL), ERROR_BAD_DATA, "core is empty: the disk may");
}
END_TEST

START_TEST(a_core_of_gcore_that_is_cut_says_how_much_is_missing)
{
	char text[64];

	fix.b.notes_last = true;
	core_add_load(&fix.b, DATA, 2 * PAGE, fix_pages(2), 2 * PAGE, PF_R);
	fix_open_core();
	fix_check_byte(DATA + PAGE, 2);
	target_free(fix.t);
	fix.t = NULL;
	ck_assert_int_eq(truncate(fix.core_path, PAGE), 0);
	snprintf(text, sizeof(text), "is truncated (4096 of %zu bytes)", fix.core.len);
	ck_assert_error(fix_open_with(NULL), ERROR_BAD_DATA, text);
	ck_assert_error(fix_open_with(NULL), ERROR_BAD_DATA, "ulimit -c");
}
END_TEST

START_TEST(what_is_no_file_is_not_opened)
{
	ck_assert_error(fix_open_with(NULL), ERROR_NOT_FOUND, fix.core_path);
	ck_assert_error(core_open(fix.dir, NULL, &fix.t), ERROR_UNSUPPORTED, "is a directory");
	ck_assert_error(core_open("/dev/zero", NULL, &fix.t), ERROR_UNSUPPORTED, "is a device");
	ck_assert_int_eq(mkfifo(fix.core_path, 0600), 0);
	ck_assert_error(fix_open_with(NULL), ERROR_UNSUPPORTED, "is a pipe");
}
END_TEST

static size_t open_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	size_t n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* A descriptor has the file open, and exec closes it. */
static void check_closed_on_exec(const char *path)
{
	struct stat file, st;
	bool found = false;

	ck_assert_int_eq(stat(path, &file), 0);
	for (int fd = 0; fd < 256; fd++) {
		if (fstat(fd, &st) < 0 || st.st_ino != file.st_ino || st.st_dev != file.st_dev)
			continue;
		ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
		found = true;
	}
	ck_assert(found);
}

START_TEST(no_descriptor_stays_open)
{
	size_t before = open_descriptors();

	fix_add_lib(ID, ID, fix.lib_path);
	core_add_auxv(&fix.b, AT_PHDR, LIB + sizeof(Elf64_Ehdr));
	fix_build();
	ck_assert_no_error(fix_open_with(fix.lib_path));
	fix_check_byte(LIB + PAGE, 1);
	check_closed_on_exec(fix.core_path);
	check_closed_on_exec(fix.lib_path);
	target_free(fix.t);
	fix.t = NULL;
	ck_assert_uint_eq(open_descriptors(), before);
	ck_assert_error(fix_open_with(fix.core_path), ERROR_BAD_DATA, "build-id");
	ck_assert_uint_eq(open_descriptors(), before);
}
END_TEST

START_TEST(a_file_may_be_a_core_and_a_directory_not)
{
	fix_save(fix.core_path, &fix.core);
	ck_assert(core_is_file(fix.core_path));
	ck_assert(!core_is_file(fix.dir));
	ck_assert(!core_is_file("/dev/null"));
	ck_assert(!core_is_file("/nowhere/to/be/found"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("core");

	fix_case(s, "held", memory_in_the_core_is_read_over_page_borders, neighbours_are_one_memory,
		 a_page_held_in_part_is_filled_up_with_zeros,
		 of_overlapping_segments_each_byte_has_one_owner,
		 a_segment_inside_another_hides_nothing,
		 segments_at_the_end_of_the_address_space_are_survived,
		 memory_cut_off_is_missing_and_the_rest_is_there,
		 a_core_that_shrinks_while_it_is_read_is_survived,
		 more_segments_than_the_header_can_count);
	fix_case(s, "threads", threads_stand_still_and_the_first_has_the_signal,
		 a_thread_that_gcore_interrupted_got_no_signal, registers_come_from_the_notes,
		 a_register_set_that_is_too_short_is_noticed, the_auxiliary_vector_is_found,
		 the_vdso_is_a_mapping, a_vdso_that_the_core_does_not_hold_is_none,
		 segments_tell_protections_and_code_that_is_in_no_file,
		 a_core_cannot_run_or_change);
	fix_table(s, a_compressed_core_comes_with_the_command, packed);
	fix_table(s, a_wrong_header_is_refused, headers);
	fix_table(s, wrong_places_of_notes_are_refused, note_headers);
	fix_case(s, "refused", note_segments_longer_than_the_file_together_are_refused,
		 every_cut_through_headers_and_notes_says_truncated, an_empty_core_is_explained,
		 a_core_of_gcore_that_is_cut_says_how_much_is_missing,
		 what_is_no_file_is_not_opened, no_descriptor_stays_open,
		 a_file_may_be_a_core_and_a_directory_not);
	return unit_run(s);
}
