/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

struct core_fixture fix;

static void setup(void)
{
	strcpy(fix.dir, "/tmp/ompdb-test-core-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(fix.dir));
	snprintf(fix.core_path, sizeof(fix.core_path), "%s/core", fix.dir);
	snprintf(fix.lib_path, sizeof(fix.lib_path), "%s/lib", fix.dir);
	core_builder_init(&fix.b);
	core_add_thread(&fix.b, LWP, 0x11);
}

static void teardown(void)
{
	DIR *d = opendir(fix.dir);
	struct dirent *e;

	target_free(fix.t);
	core_builder_fini(&fix.b);
	buf_fini(&fix.core);
	buf_fini(&fix.lib);
	while ((e = readdir(d)))
		unlinkat(dirfd(d), e->d_name, 0);
	closedir(d);
	rmdir(fix.dir);
}

void fix_add_case(Suite *s, const char *name, const TTest *const *tests)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, setup, teardown);
	for (; *tests; tests++)
		tcase_add_test(tc, *tests);
	suite_add_tcase(s, tc);
}

void fix_add_table(Suite *s, const char *name, const TTest *test, size_t rows)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test, 0, (int)rows);
	suite_add_tcase(s, tc);
}

void fix_save(const char *path, const struct buf *bytes)
{
	AUTO_CLOSE int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes->data, bytes->len), (ssize_t)bytes->len);
}

void fix_set_time(const char *path, time_t seconds)
{
	struct timespec times[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };

	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

void fix_build(void)
{
	core_build(&fix.b, &fix.core);
	fix_save(fix.core_path, &fix.core);
}

void fix_open_core(void)
{
	fix_build();
	ck_assert_no_error(core_open(fix.core_path, NULL, &fix.t));
}

struct error *fix_open_with(const char *exe)
{
	return core_open(fix.core_path, exe, &fix.t);
}

void fix_check_byte(taddr at, uint8_t value)
{
	uint8_t byte = 0xee;

	ck_assert_no_error(target_read(fix.t, at, &byte, 1));
	ck_assert_msg(byte == value, "0x%" PRIxTADDR " holds %d, not %d", at, byte, value);
}

void fix_check_missing(taddr at)
{
	char address[32];
	uint8_t byte;

	snprintf(address, sizeof(address), "no memory at 0x%" PRIxTADDR, at);
	ck_assert_error(target_read(fix.t, at, &byte, 1), ERROR_NO_ADDRESS, address);
}

void fix_check_open_error(taddr at, enum error_code code, const char *text)
{
	struct map_list maps = { 0 };
	AUTO_FILE f = FILE_CLOSED;

	ck_assert_no_error(target_maps(fix.t, &maps));
	ck_assert_error(target_open_file(fix.t, map_list_find(&maps, at), &f), code, text);
	map_list_fini(&maps);
}

const uint8_t *fix_pages(size_t n)
{
	static uint8_t bytes[8 * PAGE];

	for (size_t i = 0; i < n * PAGE; i++)
		bytes[i] = (uint8_t)(i / PAGE + 1);
	return bytes;
}

void fix_add_lib(uint8_t id_in_core, uint8_t id_in_file, const char *path)
{
	AUTO_BUF mapped = { 0 };
	const struct core_file_row rows[] = {
		{ LIB, LIB + PAGE, 0, path },
		{ LIB + PAGE, LIB + 2 * PAGE, 1, path },
		{ LIB + 2 * PAGE, LIB + 4 * PAGE, 2, path },
	};
	static uint8_t held[PAGE];

	image_build(&mapped, id_in_core, 3);
	memcpy(held, mapped.data, PAGE);
	image_build(&fix.lib, id_in_file, 3);
	fix_save(fix.lib_path, &fix.lib);
	core_add_files(&fix.b, PAGE, rows, COUNT(rows));
	core_add_load(&fix.b, LIB, PAGE, held, PAGE, PF_R);
	core_add_load(&fix.b, LIB + PAGE, PAGE, NULL, 0, PF_R | PF_X);
	core_add_load(&fix.b, LIB + 2 * PAGE, 2 * PAGE, NULL, 0, PF_R);
}
