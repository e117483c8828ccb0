/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* OMPD libraries: where they are searched for, which ones are trusted, which ones can be used. */
#include "unit.h"

#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "ompd/client/library.h"
#include "ompd/libgomp/libgomp.h"

static void library_fini(struct library *l)
{
	library_unload(l);
}
#define AUTO_LIBRARY AUTO(library_fini) struct library

/* A libompd.so of LLVM; false: none is installed. */
static bool find_installed(char ret[PATH_MAX])
{
	glob_t found = { 0 };
	bool any = glob("/usr/lib/llvm-*/lib/libompd.so", 0, NULL, &found) == 0;

	if (any)
		ck_assert_ptr_nonnull(realpath(found.gl_pathv[0], ret));
	else
		fprintf(stderr, "# skipped: no libompd.so is installed\n");
	globfree(&found);
	return any;
}

/* ---- a folder of the test's ------------------------------------------------------------- */

static char folder[PATH_MAX];

static void in_folder(char ret[PATH_MAX], const char *name)
{
	ck_assert_int_lt(snprintf(ret, PATH_MAX, "%s/%s", folder, name), PATH_MAX);
}

static void make_folder(void)
{
	strcpy(folder, "/tmp/ompdb-library-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chmod(folder, 0755), 0); /* for the user of the sandbox */
}

static void remove_folder(void)
{
	char command[PATH_MAX + 10];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

static void write_file(const char *path, const void *data, size_t len)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(data, 1, len, f), len);
	ck_assert_int_eq(fclose(f), 0);
}

/*
 * A copy of the installed library in the folder, in which the only place with those bytes is
 * changed. false: none is installed.
 */
static bool copy_changed(char ret[PATH_MAX], const void *from, const void *to, size_t len)
{
	char path[PATH_MAX];
	AUTO_BUF file = { 0 };

	if (!find_installed(path))
		return false;
	ck_assert_no_error(buf_add_file(&file, path, 64 << 20));
	in_folder(ret, "libompd.so");
	if (len) {
		char *at = memmem(file.data, file.len, from, len);
		ck_assert_ptr_nonnull(at);
		memcpy(at, to, len);
	}
	write_file(ret, file.data, file.len);
	return true;
}

static struct error *load(const char *named, const char *runtime_path, struct library *ret)
{
	const struct library_source from = { .named = named, .runtime_path = runtime_path };

	return library_load_libomp(&from, ret);
}

/* ---- loading ---------------------------------------------------------------------------- */

START_TEST(a_named_library_is_used_as_named)
{
	AUTO_LIBRARY l = { 0 };
	char path[PATH_MAX];
	ompd_word_t version = 0;

	/* In /tmp, where everybody can write. */
	if (!copy_changed(path, NULL, NULL, 0))
		return;
	ck_assert_no_error(load(path, "/no/libomp.so", &l));
	ck_assert_str_eq(l.path, path);
	ck_assert(l.sandbox && !l.dl);
	ck_assert_int_eq(library_call(&l, get_api_version, &version), ompd_rc_ok);
	ck_assert_int_eq(version, OMPD_VERSION_5_0);
}
END_TEST

START_TEST(root_learns_that_nobody_may_not_read_it)
{
	struct library l;
	char path[PATH_MAX];

	if (geteuid() != 0 || !copy_changed(path, NULL, NULL, 0))
		return;
	ck_assert_int_eq(chmod(folder, 0700), 0);
	ck_assert_error(load(path, NULL, &l), ERROR_UNSUPPORTED, "as user nobody, in a sandbox");
	ck_assert_error(load(path, NULL, &l), ERROR_UNSUPPORTED, "Permission denied");
}
END_TEST

START_TEST(a_strangers_memory_is_read_in_a_sandbox)
{
	AUTO_LIBRARY l = { 0 };
	char path[PATH_MAX];

	if (!find_installed(path))
		return;
	for (int i = 0; i < 2; i++) {
		struct library_source from = { .named = i ? path : NULL, .stranger = true };
		ck_assert_no_error(library_load_libomp(&from, &l));
		ck_assert(l.sandbox && !l.dl);
		library_unload(&l);
		from.stranger = false;
		ck_assert_no_error(library_load_libomp(&from, &l));
		ck_assert(l.dl && !l.sandbox);
		library_unload(&l);
	}
}
END_TEST

START_TEST(every_entry_is_resolved)
{
	AUTO_LIBRARY l = { 0 };
	struct library builtin = libgomp_library();
	char path[PATH_MAX];
	const char *form; /* empty: a library need not have it */

	if (!find_installed(path))
		return;
	ck_assert_no_error(load(path, NULL, &l));
#define CHECK_ENTRY(name, its_form)                                                                \
	form = its_form;                                                                           \
	ck_assert(l.api.name != NULL || (form && !*form));                                         \
	ck_assert(builtin.api.name == ompd_##name);
	LIBRARY_ENTRIES(CHECK_ENTRY)
#undef CHECK_ENTRY
	ck_assert(!builtin.path && !builtin.dl);
	library_unload(&builtin);
}
END_TEST

START_TEST(a_library_that_was_unloaded_is_all_zero)
{
	struct library l = { 0 }, zero = { 0 };
	char path[PATH_MAX];

	library_unload(&l);
	if (!find_installed(path))
		return;
	for (int i = 0; i < 3; i++) {
		ck_assert_no_error(load(path, NULL, &l));
		library_unload(&l);
		ck_assert_mem_eq(&l, &zero, sizeof(l));
	}
}
END_TEST

START_TEST(loading_prints_nothing)
{
	struct library l = { 0 };
	char path[PATH_MAX], text[10];
	int saved = dup(STDOUT_FILENO), file = memfd_create("stdout", 0);

	if (!find_installed(path))
		return;
	ck_assert(saved >= 0 && file >= 0);
	fflush(stdout);
	dup2(file, STDOUT_FILENO);
	struct error *err = load(path, NULL, &l);
	library_unload(&l);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	ck_assert_no_error(err);
	ck_assert_int_eq(pread(file, text, sizeof(text), 0), 0);
}
END_TEST

START_TEST(what_is_named_must_be_a_library)
{
	static const struct {
		const char *path;
		enum error_code code;
		const char *text;
	} cases[] = {
		{ "/no/such/libompd.so", ERROR_NOT_FOUND, "/no/such/libompd.so" },
		{ "/usr/lib", ERROR_UNSUPPORTED, "a directory" },
		{ "/dev/null", ERROR_UNSUPPORTED, "a device" },
		{ "/etc/passwd", ERROR_UNSUPPORTED, "cannot be loaded" },
		{ "", ERROR_NOT_FOUND, "loading the OMPD library" },
	};
	struct library l = { .path = folder };

	ck_assert_error(load(cases[_i].path, NULL, &l), cases[_i].code, cases[_i].text);
	ck_assert_ptr_eq(l.path, folder); /* untouched */
}
END_TEST

START_TEST(a_pipe_is_not_even_opened)
{
	char path[PATH_MAX];
	struct library l;

	in_folder(path, "libompd.so");
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_error(load(path, NULL, &l), ERROR_UNSUPPORTED, "a pipe");
}
END_TEST

START_TEST(another_library_lacks_entries)
{
	struct library l;
	glob_t found = { 0 };

	ck_assert_int_eq(glob("/lib/*/libm.so.6", 0, NULL, &found), 0);
	ck_assert_error(load(found.gl_pathv[0], NULL, &l), ERROR_UNSUPPORTED,
			"it lacks ompd_get_api_version");
	globfree(&found);
}
END_TEST

START_TEST(one_missing_entry_is_named)
{
	static const char from[] = "ompd_get_task_frame", to[] = "ompd_got_task_frame";
	char path[PATH_MAX];
	struct library l;

	if (!copy_changed(path, from, to, sizeof(from)))
		return;
	ck_assert_error(load(path, NULL, &l), ERROR_UNSUPPORTED, "it lacks ompd_get_task_frame");
}
END_TEST

START_TEST(another_version_is_refused)
{
	/* movq $201811,(%rdi) */
	static const uint8_t from[] = { 0x48, 0xc7, 0x07, 0x53, 0x14, 0x03, 0x00 };
	uint8_t to[sizeof(from)];
	char path[PATH_MAX];
	AUTO_BUF file = { 0 };
	struct library l;

	memcpy(to, from, sizeof(to));
	to[3]++;
	if (!find_installed(path))
		return;
	ck_assert_no_error(buf_add_file(&file, path, 64 << 20));
	if (!memmem(file.data, file.len, from, sizeof(from))) {
		fprintf(stderr, "# skipped: %s was compiled in another way\n", path);
		return;
	}
	ck_assert(copy_changed(path, from, to, sizeof(from)));
	ck_assert_error(load(path, NULL, &l), ERROR_UNSUPPORTED, "speaks version 201812 of OMPD");
}
END_TEST

/* ---- searching -------------------------------------------------------------------------- */

START_TEST(the_library_beside_the_runtime_is_the_first)
{
	AUTO_LIBRARY l = { 0 };
	char path[PATH_MAX], runtime[PATH_MAX + 20];

	if (!find_installed(path))
		return;
	/* Debian's libomp.so.5 in the folder of libraries is a link to where libompd.so is, too. */
	snprintf(runtime, sizeof(runtime), "%s", path);
	strcpy(strrchr(runtime, '/'), "/libomp.so.5");
	if (access(runtime, F_OK) == 0) {
		char link[PATH_MAX];
		in_folder(link, "libomp.so");
		ck_assert_int_eq(symlink(runtime, link), 0);
		ck_assert_no_error(load(NULL, link, &l));
		ck_assert_str_eq(l.path, path);
	}
}
END_TEST

START_TEST(the_target_cannot_choose_the_library)
{
	AUTO_LIBRARY l = { 0 };
	char path[PATH_MAX], runtime[PATH_MAX], installed[PATH_MAX];

	if (!find_installed(installed) || !copy_changed(path, NULL, NULL, 0))
		return;
	in_folder(runtime, "libomp.so.5");
	write_file(runtime, "", 0);
	ck_assert_no_error(load(NULL, runtime, &l));
	ck_assert_str_eq(l.path, installed);
}
END_TEST

/* Not even looked at: a place where somebody else's libompd.so would be an error. */
START_TEST(beside_the_runtime_of_a_stranger_none_is_searched)
{
	AUTO_LIBRARY l = { 0 };
	char path[PATH_MAX], runtime[PATH_MAX];
	AUTO_ERROR *stranger = error_new(ERROR_NOT_PERMITTED, "it is somebody else's");
	struct library_source from = { .runtime_path = runtime, .refused = stranger };

	in_folder(runtime, "libomp.so.5");
	write_file(runtime, "", 0);
	in_folder(path, "libompd.so");
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	struct error *err = library_load_libomp(&from, &l);
	if (find_installed(path))
		ck_assert_no_error(err);
	else
		ck_assert_error(err, ERROR_NOT_FOUND, "because it is somebody else's");
}
END_TEST

START_TEST(odd_paths_of_runtimes_are_passed_over)
{
	static const char *const paths[] = { "",       "libomp.so",       "/", "/no/libomp.so",
					     "[vdso]", "/proc/self/fd/0", NULL };
	AUTO_LIBRARY l = { 0 };
	struct error *err = load(NULL, paths[_i], &l);

	ck_assert(!err || error_is(err, ERROR_NOT_FOUND));
	if (err)
		ck_assert_ptr_nonnull(strstr(error_message(err), "libomp-14-dev"));
	error_free(err);
}
END_TEST

/* ---- trust ------------------------------------------------------------------------------ */

/* Owned by root, as it comes from a package. */
START_TEST(an_installed_library_is_trusted)
{
	struct stat st;
	char path[PATH_MAX];

	if (!find_installed(path))
		return;
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_no_error(library_check_trust(path, &st));
}
END_TEST

START_TEST(files_and_folders_of_others_are_not_trusted)
{
	static const struct {
		mode_t mode;
		uid_t owner; /* 0: whoever runs the test */
		const char *text;
	} cases[] = {
		{ S_IFREG | 0666, 0, "libompd.so can be written by everybody" },
		{ S_IFREG | 0664, 0, "libompd.so can be written by its group" },
		{ S_IFREG | 0600, 54321, "libompd.so belongs to user 54321" },
		{ S_IFREG | 0644, 0, "/tmp can be written by everybody" },
	};
	char path[PATH_MAX];

	in_folder(path, "libompd.so");
	struct stat st = { .st_mode = cases[_i].mode,
			   .st_uid = cases[_i].owner ? cases[_i].owner : geteuid() };
	struct error *err = library_check_trust(path, &st);
	ck_assert_ptr_nonnull(err);
	ck_assert_ptr_nonnull(strstr(error_message(err), "--ompd-library"));
	ck_assert_error(err, ERROR_NOT_PERMITTED, cases[_i].text);
}
END_TEST

START_TEST(each_folder_on_the_way_counts)
{
	static const struct {
		mode_t inner, outer;
		const char *blamed; /* NULL: nothing before /tmp */
	} cases[] = {
		{ 0777, 0755, "outer/inner can be written by everybody" },
		{ 0775, 0755, "outer/inner can be written by its group" },
		{ 0755, 0770, "outer can be written by its group" },
		{ 01777, 0755, "outer/inner can be written by everybody" }, /* sticky or not */
		{ 0755, 0755, "/tmp can be written by everybody" },
	};
	struct stat st = { .st_mode = S_IFREG | 0644, .st_uid = geteuid() };
	char outer[PATH_MAX], inner[PATH_MAX], path[PATH_MAX];

	in_folder(outer, "outer");
	in_folder(inner, "outer/inner");
	in_folder(path, "outer/inner/libompd.so");
	ck_assert(mkdir(outer, 0700) == 0 && mkdir(inner, 0700) == 0);
	ck_assert(chmod(outer, cases[_i].outer) == 0 && chmod(inner, cases[_i].inner) == 0);
	ck_assert_error(library_check_trust(path, &st), ERROR_NOT_PERMITTED, cases[_i].blamed);
}
END_TEST

START_TEST(a_relative_path_is_no_path_to_trust)
{
	struct stat st = { .st_mode = S_IFREG | 0644, .st_uid = geteuid() };

	ck_assert_error(library_check_trust("libompd.so", &st), ERROR_USAGE, "absolute");
	ck_assert_error(library_check_trust("", &st), ERROR_USAGE, "absolute");
}
END_TEST

static TCase *add_case(Suite *s, const char *name)
{
	TCase *tc = tcase_create(name);

	suite_add_tcase(s, tc);
	tcase_add_checked_fixture(tc, make_folder, remove_folder);
	return tc;
}

int main(void)
{
	Suite *s = suite_create("library");
	TCase *tc = add_case(s, "load");

	tcase_add_test(tc, a_named_library_is_used_as_named);
	tcase_add_test(tc, root_learns_that_nobody_may_not_read_it);
	tcase_add_test(tc, a_strangers_memory_is_read_in_a_sandbox);
	tcase_add_test(tc, every_entry_is_resolved);
	tcase_add_test(tc, a_library_that_was_unloaded_is_all_zero);
	tcase_add_test(tc, loading_prints_nothing);
	tcase_add_loop_test(tc, what_is_named_must_be_a_library, 0, 5);
	tcase_add_test(tc, a_pipe_is_not_even_opened);
	tcase_add_test(tc, another_library_lacks_entries);
	tcase_add_test(tc, one_missing_entry_is_named);
	tcase_add_test(tc, another_version_is_refused);
	tc = add_case(s, "search");
	tcase_add_test(tc, the_library_beside_the_runtime_is_the_first);
	tcase_add_test(tc, the_target_cannot_choose_the_library);
	tcase_add_test(tc, beside_the_runtime_of_a_stranger_none_is_searched);
	tcase_add_loop_test(tc, odd_paths_of_runtimes_are_passed_over, 0, 7);
	tc = add_case(s, "trust");
	tcase_add_test(tc, an_installed_library_is_trusted);
	tcase_add_loop_test(tc, files_and_folders_of_others_are_not_trusted, 0, 4);
	tcase_add_loop_test(tc, each_folder_on_the_way_counts, 0, 5);
	tcase_add_test(tc, a_relative_path_is_no_path_to_trust);
	return unit_run(s);
}
