/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/debuginfo.h"

#include <elf.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbol_fixture.h"
#include "target/symbols/debug_file.h"
#include "unit.h"

static struct symbol_fixture s;
static char dir[64], program[4096], copy[200];

static void set_up(void)
{
	strcpy(dir, "/tmp/test_debuginfo.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(copy, sizeof(copy), "%s/copy", dir);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st, (void)type, (void)where;
	return remove(path);
}

static void tear_down(void)
{
	symbol_fixture_fini(&s);
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void save(const char *path, const struct buf *bytes)
{
	FILE *f = fopen(path, "wb");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes->data, 1, bytes->len, f), bytes->len);
	ck_assert_int_eq(fclose(f), 0);
}

static void load(const char *path, struct buf *bytes)
{
	ck_assert_no_error(buf_add_file(bytes, path, 64 << 20));
}

static const struct debuginfo_options defaults;
static struct budget plenty = { .left = UINT64_MAX };
static struct spending spending = { .from = &plenty };

/* The program, with that file behind its mappings ("" or NULL: see fake_target.h). */
static bool open_within(const char *name, const char *instead,
			const struct debuginfo_options *options)
{
	if (!symbol_fixture_path(name, program))
		return false;
	symbol_fixture_init(&s);
	fake_target_add_file(s.target, program, SYMBOL_BIAS);
	s.target->open_instead = instead;
	symbol_fixture_read(&s, options);
	return true;
}

static bool open_with(const char *name, const char *instead)
{
	return open_within(name, instead, &defaults);
}

/* The function in which "alpha" begins, with or without a line; a taddr in it is found first. */
static taddr place_of_alpha(const char *name)
{
	struct symbol_fixture plain;
	taddr addr;

	ck_assert(symbol_fixture_open(&plain, name));
	addr = symbol_fixture_find(&plain, "alpha").addr;
	symbol_fixture_fini(&plain);
	return addr;
}

static struct source_frame frame_at(taddr pc)
{
	size_t levels;

	return symbol_fixture_level(&s, pc, 0, &levels);
}

#define NOTE_SAYS(text)                                                                            \
	do {                                                                                       \
		const char *its_note = symbol_fixture_note(&s);                                    \
		ck_assert_msg(its_note &&strstr(its_note, text), "note: %s",                       \
			      its_note ? its_note : "none");                                       \
	} while (0)

START_TEST(a_replaced_file_is_not_used)
{
	char other[4096];

	if (!symbol_fixture_path("chain-dwarf4", other) || !open_with("chain-exported", other))
		return;
	taddr alpha = place_of_alpha("chain-exported");
	ck_assert_str_eq(frame_at(alpha).function, "alpha");
	ck_assert_ptr_null(frame_at(alpha).file);
	NOTE_SAYS("file was replaced since it was mapped: names only from exported symbols");
}
END_TEST

START_TEST(exported_names_of_a_deleted_file_come_from_memory)
{
	if (!open_with("chain-exported", ""))
		return;
	taddr alpha = place_of_alpha("chain-exported");
	ck_assert_str_eq(frame_at(alpha + 3).function, "alpha");
	ck_assert_uint_eq(frame_at(alpha + 3).offset, 3);
	ck_assert_uint_eq(symbol_fixture_find(&s, "beta").module->start, SYMBOL_BIAS);
	NOTE_SAYS("file is deleted: names only from exported symbols in memory");
}
END_TEST

START_TEST(nothing_left_is_told)
{
	if (!open_with("chain-exported", ""))
		return;
	taddr alpha = place_of_alpha("chain-exported");
	s.target->unreadable = true; /* the program runs again, or is gone */
	memory_flush(s.target->base.memory);
	ck_assert_ptr_null(frame_at(alpha).function);
	ck_assert_str_eq(symbol_fixture_note(&s), "file is deleted");
}
END_TEST

START_TEST(a_file_that_is_no_elf_file_is_told)
{
	if (!open_with("chain-stripped", "/proc/self/maps"))
		return;
	NOTE_SAYS("file ");
	symbol_fixture_fini(&s);
	AUTO_BUF text = { 0 };
	buf_adds(&text, "#!/bin/sh\n");
	save(copy, &text);
	ck_assert(open_with("chain-no_build_id", copy));
	NOTE_SAYS("file is not an ELF file");
}
END_TEST

START_TEST(zstd_is_told_with_its_remedy)
{
	if (!open_with("chain-zstd", NULL))
		return;
	struct source_frame alpha = frame_at(place_of_alpha("chain-zstd"));
	ck_assert_str_eq(alpha.function, "alpha");
	if (alpha.file) /* this elfutils can read it */
		ck_assert_ptr_null(symbol_fixture_note(&s));
	else
		NOTE_SAYS("objcopy --decompress-debug-sections");
}
END_TEST

static void replace_all(struct buf *bytes, const char *from, const char *to)
{
	size_t len = strlen(from), found = 0;

	ck_assert_uint_eq(strlen(to), len);
	for (size_t i = 0; i + len <= bytes->len; i++) {
		if (memcmp(bytes->data + i, from, len) != 0)
			continue;
		memcpy(bytes->data + i, to, len);
		found++;
	}
	ck_assert_uint_gt(found, 0);
}

START_TEST(a_missing_dwo_file_is_told)
{
	AUTO_BUF bytes = { 0 };

	if (!symbol_fixture_path("chain-split", program))
		return;
	load(program, &bytes);
	replace_all(&bytes, "chain-split.dwo", "chain-gone..dwo");
	save(copy, &bytes);
	ck_assert(open_with("chain-split", copy));
	struct source_frame alpha = frame_at(place_of_alpha("chain-split"));
	ck_assert_str_eq(alpha.function, "alpha");
	ck_assert_ptr_nonnull(alpha.file); /* lines are in the program itself */
	NOTE_SAYS("split DWARF: ");
	NOTE_SAYS("chain-gone..dwo not found");
}
END_TEST

/* A copy of chain-split whose .dwo file is ret, in our directory; it is not there yet. */
static bool open_with_dwo(char ret[4200])
{
	AUTO_BUF bytes = { 0 };
	char was[4200];

	if (!symbol_fixture_path("chain-split", program))
		return false;
	load(program, &bytes);
	/* Both names as long as the longer of them: "/" may be repeated. */
	snprintf(was, sizeof(was), "%s.dwo", program);
	snprintf(ret, 4200, "%s/p.dwo", dir);
	if (strlen(ret) > strlen(was))
		return false;
	memset(ret + strlen(dir), '/', 4200 - strlen(dir));
	strcpy(ret + strlen(was) - strlen("p.dwo"), "p.dwo");
	replace_all(&bytes, was, ret);
	save(copy, &bytes);
	ck_assert(open_with("chain-split", copy));
	return true;
}

START_TEST(a_pipe_for_a_dwo_file_is_not_opened)
{
	char dwo[4200];

	if (!open_with_dwo(dwo))
		return;
	ck_assert_int_eq(mkfifo(dwo, 0600), 0);
	ck_assert_str_eq(frame_at(place_of_alpha("chain-split")).function, "alpha");
	NOTE_SAYS("p.dwo is a pipe, not a file");
}
END_TEST

/* What was checked is what is read. */
START_TEST(a_dwo_file_may_change_after_it_was_opened)
{
	AUTO_BUF bytes = { 0 };
	char dwo[4200];

	if (!open_with_dwo(dwo))
		return;
	strcat(program, ".dwo");
	load(program, &bytes);
	save(dwo, &bytes);
	taddr alpha = place_of_alpha("chain-split");
	struct source_frame frame = frame_at(alpha);
	ck_assert_ptr_null(symbol_fixture_note(&s));
	ck_assert_int_eq(truncate(dwo, 0), 0);
	const char *function =
		symbol_function_around(s.symbols, alpha, frame.file, frame.line, NULL);
	ck_assert_ptr_nonnull(function);
	ck_assert_str_eq(function, "alpha");
}
END_TEST

/* Whoever rebuilds a program while it is looked at. */
START_TEST(a_file_that_gets_shorter_does_no_harm)
{
	AUTO_BUF bytes = { 0 };

	if (!symbol_fixture_path("chain-dwarf4", program))
		return;
	load(program, &bytes);
	save(copy, &bytes);
	ck_assert(open_with("chain-dwarf4", copy));
	taddr alpha = symbol_fixture_find(&s, "alpha").addr;
	if (_i == 1)
		ck_assert_ptr_nonnull(frame_at(alpha).file);
	ck_assert_int_eq(truncate(copy, 100), 0);
	for (taddr pc = alpha - 300; pc < alpha + 300; pc++)
		frame_at(pc);
}
END_TEST

/* Nor what a user does to a file that root looks at: what was checked is what is read. */
START_TEST(a_file_of_another_user_stays_as_it_was_opened)
{
	AUTO_BUF bytes = { 0 };
	int line;

	if (geteuid() != 0 || !symbol_fixture_path("chain-dwarf4", program))
		return;
	taddr alpha = place_of_alpha("chain-dwarf4");
	load(program, &bytes);
	save(copy, &bytes);
	ck_assert_int_eq(chown(copy, 4711, 4711), 0);
	ck_assert(open_with("chain-dwarf4", copy));
	line = frame_at(alpha).line;
	ck_assert_int_gt(line, 0);
	taddr beta = symbol_fixture_find(&s, "beta").addr;
	ck_assert_int_eq(truncate(copy, 0), 0);
	module_hang(s.modules->items[0], MODULE_SYMBOLS, NULL, NULL);
	symbol_table_free(s.symbols);
	s.symbols = symbol_table_new(s.files);
	ck_assert_str_eq(frame_at(beta).function, "beta");
	ck_assert_int_eq(frame_at(alpha).line, line);
}
END_TEST

START_TEST(memory_for_debug_sections_runs_out)
{
	static const struct debuginfo_options little = { .memory = 1000 };

	if (!open_within("chain-zlib", NULL, &little))
		return;
	struct source_frame alpha = frame_at(place_of_alpha("chain-zlib"));
	ck_assert_str_eq(alpha.function, "alpha");
	ck_assert_ptr_null(alpha.file);
	NOTE_SAYS("objcopy --decompress-debug-sections");
}
END_TEST

START_TEST(sections_that_would_fill_memory_are_not_counted)
{
	AUTO_BUF bytes = { 0 };
	Elf64_Ehdr header;
	Elf64_Shdr first = { .sh_size = 1 << 20 };

	if (!symbol_fixture_path("chain-no_build_id", program))
		return;
	load(program, &bytes);
	memcpy(&header, bytes.data, sizeof(header));
	header.e_shoff = (bytes.len + 7) / 8 * 8;
	header.e_shnum = 0;
	memcpy(bytes.data, &header, sizeof(header));
	while (bytes.len < header.e_shoff)
		buf_addc(&bytes, 0);
	buf_add(&bytes, &first, sizeof(first));
	save(copy, &bytes);
	ck_assert_int_eq(truncate(copy, (off_t)(header.e_shoff + (64 << 20))), 0);
	ck_assert(open_with("chain-no_build_id", copy));
	NOTE_SAYS("file claims more sections");
}
END_TEST

START_TEST(sections_are_at_their_addresses)
{
	taddr addr;
	uint64_t size;

	if (!open_with("chain-exported", NULL))
		return;
	struct debuginfo *d = debuginfo_get(s.files, s.modules->items[0]);
	ck_assert(debuginfo_section(d, ".text", &addr, &size));
	taddr alpha = place_of_alpha("chain-exported");
	ck_assert(addr <= alpha && alpha < addr + size);
	ck_assert(!debuginfo_section(d, ".comment", &addr, &size)); /* is not loaded */
	ck_assert(!debuginfo_section(d, ".nothing", &addr, &size));
	ck_assert_ptr_eq(debuginfo_get(s.files, s.modules->items[0]), d);
}
END_TEST

/* Our own vdso as the target's: with its memory, or without, where ours must do. */
START_TEST(the_vdso_has_names)
{
	const Elf64_Ehdr *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);

	if (!vdso)
		return;
	taddr size = (vdso->e_shoff + (taddr)vdso->e_shnum * vdso->e_shentsize + MEMORY_PAGE - 1) /
		     MEMORY_PAGE * MEMORY_PAGE;
	symbol_fixture_init(&s);
	fake_target_add(s.target, 0x7fff00000000, vdso, size);
	fake_target_add_map(s.target, 0x7fff00000000, 0x7fff00000000 + size, 0, "[vdso]");
	symbol_fixture_read(&s, &defaults);
	ck_assert_uint_eq(s.modules->len, 1);
	if (_i == 0) {
		s.target->unreadable = true;
		memory_flush(s.target->base.memory);
	} else {
		s.modules->items[0]->build_id.len = 0; /* another kernel's */
	}
	struct symbol symbol = symbol_fixture_find(&s, "__vdso_clock_gettime");
	ck_assert_uint_gt(symbol.addr, 0x7fff00000000);
	ck_assert_uint_lt(symbol.addr, 0x7fff00000000 + size);
	ck_assert_str_eq(frame_at(symbol.addr).function, symbol.name);
}
END_TEST

static struct fake_segment *segment_at(taddr addr)
{
	vec_for_each (segment, &s.target->segments) {
		if (addr >= segment->start && addr - segment->start < segment->len)
			return segment;
	}
	ck_abort_msg("no segment at %#lx", (unsigned long)addr);
}

/* Dynamic sections, hash tables, symbols and names that contradict themselves. */
START_TEST(damaged_exports_do_no_harm)
{
	enum { TRIALS = 400, DYNAMIC_SIZE = 0x1c0, TABLES_SIZE = 0x800 };
	uint64_t random = 1;

	if (!symbol_fixture_path("chain-exported", program))
		return;
	for (unsigned int trial = 0; trial < TRIALS; trial++) {
		ck_assert(open_with("chain-exported", ""));
		const struct module *m = s.modules->items[0];
		struct fake_segment *tables = segment_at(m->start);
		struct fake_segment *dynamic = segment_at(m->dynamic);
		for (unsigned int i = 0; i < 1 + trial % 8; i++) {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			uint8_t value = (uint8_t)(random >> 50);
			size_t at = random >> 20;
			if (random >> 60 < 8)
				dynamic->bytes[m->dynamic - dynamic->start + at % DYNAMIC_SIZE] =
					value;
			else
				tables->bytes[at % tables->len % TABLES_SIZE] = value;
		}
		memory_flush(s.target->base.memory);
		for (taddr pc = m->start + 0x1000; pc < m->start + 0x1300; pc += 16)
			frame_at(pc);
		symbol_fixture_note(&s);
		symbol_fixture_fini(&s);
	}
}
END_TEST

static bool open_elf(const char *name, struct elf_file *ret)
{
	if (!symbol_fixture_path(name, program))
		return false;
	AUTO_FILE file = FILE_CLOSED;
	ck_assert_no_error(file_open(program, &file));
	ck_assert_no_error(elf_file_open(&file, &arch_x86_64, &spending, ret));
	return true;
}

/* libdw 0.188 would go round for ever, looking for a unit behind one that leads back to itself. */
START_TEST(units_that_lead_back_are_refused)
{
	static const uint8_t header[] = {
		0xff, 0xff, 0xff, 0xff,                         /* a 64-bit length follows */
		0xf4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, /* -12: to its own start   */
		5,    0,    1,    8,    0,    0,    0,    0,    0, 0, 0, 0,
	};
	struct elf_file f = ELF_FILE_CLOSED;
	AUTO_BUF bytes = { 0 };

	if (!open_elf("symbol_inline-gcc-O2", &f))
		return;
	load(program, &bytes);
	struct cursor info = elf_file_data(&f, ".debug_info");
	size_t size = cursor_left(&info);
	char *place = size ? memmem(bytes.data, bytes.len, info.p, size) : NULL;
	ck_assert_ptr_nonnull(place);
	elf_file_close(&f);
	memcpy(place, header, sizeof(header));
	save(copy, &bytes);
	ck_assert(open_with("symbol_inline-gcc-O2", copy));
	struct source_frame outer = frame_at(symbol_fixture_find(&s, "outer").addr);
	ck_assert_str_eq(outer.function, "outer");
	ck_assert_ptr_null(outer.file);
	NOTE_SAYS("debug information is damaged");
}
END_TEST

static struct debug_file_wanted wanted_of(const struct elf_file *f, const char *path)
{
	static struct file_root *root;

	root = root ? root : file_root_new();
	struct debug_file_wanted wanted = {
		.main = f,
		.root = root,
		.path = path,
		.directory = dir,
		.arch = &arch_x86_64,
		.spending = &spending,
	};
	build_id_of_file(f->fd, &wanted.build_id);
	return wanted;
}

static const char *path_in_build_id_directory(const struct build_id *id)
{
	static char path[300];
	int len = snprintf(path, sizeof(path), "%s/.build-id", dir);

	mkdir(path, 0700);
	len += snprintf(path + len, sizeof(path) - (size_t)len, "/%02x", id->bytes[0]);
	mkdir(path, 0700);
	path[len++] = '/';
	for (size_t i = 1; i < id->len; i++)
		len += snprintf(path + len, sizeof(path) - (size_t)len, "%02x", id->bytes[i]);
	strcpy(path + len, ".debug");
	return path;
}

START_TEST(a_debug_file_is_found_by_build_id)
{
	struct elf_file f = ELF_FILE_CLOSED, found = ELF_FILE_CLOSED;
	AUTO_BUF bytes = { 0 };
	char debug[4096];

	if (!open_elf("chain-debuglink", &f))
		return;
	struct debug_file_wanted wanted = wanted_of(&f, "/nowhere/chain");
	const char *path = path_in_build_id_directory(&wanted.build_id);
	ck_assert(!debug_file_find(&wanted, &found));
	ck_assert(symbol_fixture_path("chain-debuglink.debug", debug));
	load(debug, &bytes);
	save(path, &bytes);
	ck_assert(debug_file_find(&wanted, &found));
	ck_assert(elf_file_has_dwarf(&found));
	elf_file_close(&found);

	wanted.build_id.bytes[5] ^= 1; /* it lies in the right place but is another's */
	save(path_in_build_id_directory(&wanted.build_id), &bytes);
	ck_assert(!debug_file_find(&wanted, &found));
	elf_file_close(&f);
}
END_TEST

/* Ours comes second. */
START_TEST(a_debug_file_of_a_container_is_found_in_it)
{
	struct elf_file f = ELF_FILE_CLOSED, found = ELF_FILE_CLOSED;
	struct file_owner owner = { .uid = geteuid() };
	AUTO_BUF bytes = { 0 };
	char debug[4096];

	if (!open_elf("chain-debuglink", &f))
		return;
	struct debug_file_wanted wanted = wanted_of(&f, "/nowhere/chain");
	const char *path = path_in_build_id_directory(&wanted.build_id);
	ck_assert(symbol_fixture_path("chain-debuglink.debug", debug));
	load(debug, &bytes);
	save(path, &bytes);
	file_root_set(wanted.root, open(dir, O_PATH | O_CLOEXEC), &owner);
	ck_assert(debug_file_find(&wanted, &found)); /* below our own root */
	ck_assert_str_eq(found.path, path);
	elf_file_close(&found);
	wanted.directory = ""; /* below the other */
	ck_assert(debug_file_find(&wanted, &found));
	ck_assert_str_eq(found.path, path + strlen(dir));
	elf_file_close(&found);
	elf_file_close(&f);
}
END_TEST

START_TEST(a_debug_file_is_found_by_name_and_checksum)
{
	static const char *const places[] = { "%s/bin", "%s/bin/.debug", "%s%s/bin" };
	struct elf_file f = ELF_FILE_CLOSED, found = ELF_FILE_CLOSED;
	AUTO_BUF bytes = { 0 };
	char debug[4096], path[300];

	if (!open_elf("chain-debuglink", &f))
		return;
	snprintf(path, sizeof(path), "%s/bin/chain", dir);
	struct debug_file_wanted wanted = wanted_of(&f, path);
	wanted.build_id.len = 0;
	ck_assert(symbol_fixture_path("chain-debuglink.debug", debug));
	load(debug, &bytes);
	for (size_t i = 0; i < COUNT(places); i++) {
		char place[400], command[500];
		snprintf(place, sizeof(place), places[i], dir, dir);
		snprintf(command, sizeof(command), "mkdir -p '%s'", place);
		ck_assert_int_eq(system(command), 0);
		strcat(place, "/chain-debuglink.debug");
		ck_assert(!debug_file_find(&wanted, &found));
		save(place, &bytes);
		ck_assert_msg(debug_file_find(&wanted, &found), "%s", place);
		elf_file_close(&found);
		bytes.data[bytes.len - 1] ^= 1; /* so that the checksum is another */
		save(place, &bytes);
		ck_assert(!debug_file_find(&wanted, &found));
		bytes.data[bytes.len - 1] ^= 1;
		ck_assert_int_eq(remove(place), 0);
	}
	elf_file_close(&f);
}
END_TEST

/* Opening a pipe that nobody writes to would wait for ever. */
START_TEST(a_pipe_is_no_debug_file)
{
	struct elf_file f = ELF_FILE_CLOSED, found = ELF_FILE_CLOSED;

	if (!open_elf("chain-debuglink", &f))
		return;
	const struct debug_file_wanted wanted = wanted_of(&f, "/nowhere/chain");
	ck_assert_int_eq(mkfifo(path_in_build_id_directory(&wanted.build_id), 0600), 0);
	ck_assert(!debug_file_find(&wanted, &found));
	elf_file_close(&f);
}
END_TEST

/* Bytes of the debug sections at random: names and lines may be lost, and nothing else. */
START_TEST(damaged_debug_sections_do_no_harm)
{
	static const char *const names[] = { "symbol_inline-gcc-O2", "symbol_inline-clang-O2" };
	enum { TRIALS = 60 };
	AUTO_BUF original = { 0 }, bytes = { 0 };
	struct elf_file f = ELF_FILE_CLOSED;
	uint64_t random = (uint64_t)_i + 1;

	if (!open_elf(names[_i], &f))
		return;
	load(program, &original);
	for (unsigned int trial = 0; trial < TRIALS; trial++) {
		bytes.len = 0;
		buf_add(&bytes, original.data, original.len);
		for (unsigned int i = 0; i < 1u << trial % 8; i++) {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			/* Debug sections are at the end of the file, before the symbol table. */
			size_t third = bytes.len / 3;
			bytes.data[third + (random >> 24) % (bytes.len - third)] =
				(char)(random >> 56);
		}
		save(copy, &bytes);
		ck_assert(open_with(names[_i], copy));
		for (taddr pc = 0x1000; pc < 0x1500; pc += 3)
			frame_at(SYMBOL_BIAS + pc);
		symbol_fixture_fini(&s);
		ck_assert_int_eq(remove(copy), 0);
	}
	elf_file_close(&f);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("debuginfo");
	TCase *tc = tcase_create("debuginfo");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, a_replaced_file_is_not_used);
	tcase_add_test(tc, exported_names_of_a_deleted_file_come_from_memory);
	tcase_add_test(tc, nothing_left_is_told);
	tcase_add_test(tc, a_file_that_is_no_elf_file_is_told);
	tcase_add_test(tc, zstd_is_told_with_its_remedy);
	tcase_add_test(tc, a_missing_dwo_file_is_told);
	tcase_add_test(tc, a_pipe_for_a_dwo_file_is_not_opened);
	tcase_add_test(tc, a_dwo_file_may_change_after_it_was_opened);
	tcase_add_loop_test(tc, a_file_that_gets_shorter_does_no_harm, 0, 2);
	tcase_add_test(tc, a_file_of_another_user_stays_as_it_was_opened);
	tcase_add_test(tc, memory_for_debug_sections_runs_out);
	tcase_add_test(tc, sections_that_would_fill_memory_are_not_counted);
	tcase_add_test(tc, sections_are_at_their_addresses);
	tcase_add_loop_test(tc, the_vdso_has_names, 0, 2);
	tcase_add_test(tc, damaged_exports_do_no_harm);
	tcase_add_test(tc, units_that_lead_back_are_refused);
	tcase_add_test(tc, a_debug_file_is_found_by_build_id);
	tcase_add_test(tc, a_debug_file_of_a_container_is_found_in_it);
	tcase_add_test(tc, a_debug_file_is_found_by_name_and_checksum);
	tcase_add_test(tc, a_pipe_is_no_debug_file);
	tcase_add_loop_test(tc, damaged_debug_sections_do_no_harm, 0, 2);
	suite_add_tcase(suite, tc);
	return unit_run(suite);
}
