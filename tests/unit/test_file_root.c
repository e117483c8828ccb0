/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "base/file_root.h"
#include "unit.h"

enum { NOBODY = 65534, GROUP = 4242 };

static char *dir;
static struct file_root *root;

static void set_up(void)
{
	char name[] = "/tmp/ompdb-test-XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(name));
	dir = realpath(name, NULL);
	ck_assert_ptr_nonnull(dir);
	ck_assert_int_eq(chmod(dir, 0755), 0);
	root = file_root_new();
	ck_assert_ptr_nonnull(root);
}

static void tear_down(void)
{
	char command[PATH_MAX];

	file_root_free(root);
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	ck_assert_int_eq(system(command), 0);
	free(dir);
}

/* The path of a name in the folder. */
static const char *at(const char *name)
{
	static char path[2][PATH_MAX];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[turn]), "%s%s", dir, name);
	return path[turn];
}

static void make_file(const char *name, const char *text, mode_t mode)
{
	int fd = open(at(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	ck_assert_int_eq(fchmod(fd, mode), 0);
	close(fd);
}

static void make_folder(const char *name, mode_t mode)
{
	ck_assert_int_eq(mkdir(at(name), mode), 0);
	ck_assert_int_eq(chmod(at(name), mode), 0);
}

static void assert_text(const char *path, const char *text)
{
	AUTO_FILE f = FILE_CLOSED;
	AUTO_BUF found = { 0 };

	ck_assert_no_error(file_root_open(root, path, &f));
	ck_assert_no_error(buf_add_fd(&found, f.fd, 100));
	ck_assert_str_eq(buf_text(&found), text);
	ck_assert_int_eq(f.st.st_size, (off_t)strlen(text));
}

static void assert_refused(const char *path, enum error_code code, const char *words)
{
	AUTO_FILE f = FILE_CLOSED;

	ck_assert_error(file_root_open(root, path, &f), code, words);
	ck_assert_int_eq(f.fd, -1);
}

/* Files are read for this user from here on, with one more group; -1: none. */
static void read_for(uid_t uid, int group, int folder)
{
	struct file_owner owner = { .uid = uid, .gid = uid };

	ck_assert(group < 0 || vec_push(&owner.groups, (gid_t)group));
	file_root_set(root, folder, &owner);
}

static void read_below(const char *name)
{
	int folder = open(at(name), O_PATH | O_DIRECTORY | O_CLOEXEC);

	ck_assert_int_ge(folder, 0);
	read_for(geteuid(), -1, folder);
}

/* Our own root --------------------------------------------------------------------------------- */

START_TEST(a_file_is_opened_and_named_by_where_it_lies)
{
	AUTO_FILE f = FILE_CLOSED;

	make_file("/text", "some text", 0644);
	ck_assert_int_eq(symlink("text", at("/link")), 0);
	assert_text(at("/text"), "some text");
	ck_assert_no_error(file_root_open(root, at("/link"), &f));
	ck_assert_str_eq(f.path, at("/text"));
	ck_assert_int_eq(chdir(dir), 0);
	assert_text("text", "some text");
	ck_assert(file_root_is_ours(root) && !file_root_is_elsewhere(root));
}
END_TEST

/* The child that looks them up was made elsewhere. */
START_TEST(names_begin_in_the_folder_that_we_are_in)
{
	if (geteuid() != 0)
		return;
	make_file("/text", "some text", 0644);
	read_for(NOBODY, -1, -1);
	assert_text(at("/text"), "some text");
	ck_assert_int_eq(chdir(dir), 0);
	assert_text("text", "some text");
}
END_TEST

/* Whatever the kernel has not looked up yet costs a child. */
START_TEST(files_are_found_with_a_child_too)
{
	char name[32];

	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "/absent%d", i);
		assert_refused(at(name), ERROR_NOT_FOUND, "absent");
	}
	make_file("/text", "some text", 0644);
	AUTO_FILE f = FILE_CLOSED;
	ck_assert_no_error(file_root_open_link(root, "/proc/self/exe", &f));
}
END_TEST

static const struct {
	const char *path;
	enum error_code code;
	const char *words;
} refused[] = {
	{ "", ERROR_NOT_FOUND, "" },
	{ "/nonexistent", ERROR_NOT_FOUND, "/nonexistent" },
	{ "/", ERROR_UNSUPPORTED, "a directory" },
	{ "/dev/zero", ERROR_UNSUPPORTED, "a device" },
	{ "/proc/kmsg", ERROR_UNSUPPORTED, "something of the kernel" },
	{ "/proc/version", ERROR_UNSUPPORTED, "something of the kernel" },
	{ "/proc/1/status", ERROR_UNSUPPORTED, "something of the kernel" },
	{ "/proc/sys/kernel/hostname", ERROR_UNSUPPORTED, "something of the kernel" },
	{ "/sys/kernel/notes", ERROR_UNSUPPORTED, "something of the kernel" },
	{ "/proc/self/exe", ERROR_OS, "symbolic links" },
	{ "/proc/self/cwd/text", ERROR_OS, "symbolic links" },
};

START_TEST(what_is_no_harmless_file_is_refused)
{
	ck_assert_int_eq(chdir(dir), 0);
	make_file("/text", "some text", 0644);
	if (access(refused[_i].path, F_OK) == 0 || refused[_i].code == ERROR_NOT_FOUND)
		assert_refused(refused[_i].path, refused[_i].code, refused[_i].words);
}
END_TEST

START_TEST(a_pipe_is_refused)
{
	ck_assert_int_eq(mkfifo(at("/pipe"), 0644), 0);
	assert_refused(at("/pipe"), ERROR_UNSUPPORTED, "a pipe");
}
END_TEST

/* Another root -----------------------------------------------------------------------------------
 */

START_TEST(links_do_not_lead_out_of_another_root)
{
	make_folder("/box", 0755);
	make_folder("/box/in", 0755);
	make_file("/text", "outside", 0644);
	make_file("/box/text", "inside", 0644);
	ck_assert_int_eq(symlink("/text", at("/box/in/absolute")), 0);
	ck_assert_int_eq(symlink("../../../../../text", at("/box/in/relative")), 0);
	ck_assert_int_eq(symlink(at("/text"), at("/box/in/outside")), 0);
	read_below("/box");
	ck_assert(file_root_is_elsewhere(root) && !file_root_is_ours(root));
	assert_text("/text", "inside");
	assert_text("/in/absolute", "inside");
	assert_text("/in/relative", "inside");
	assert_text("/../text", "inside");
	assert_refused("/in/outside", ERROR_NOT_FOUND, "outside");
	assert_refused(at("/text"), ERROR_NOT_FOUND, "text");
	assert_refused("text", ERROR_NOT_FOUND, "text");
}
END_TEST

START_TEST(a_file_in_another_root_is_named_from_there)
{
	AUTO_FILE f = FILE_CLOSED;

	make_folder("/box", 0755);
	make_file("/box/text", "inside", 0644);
	read_below("/box");
	ck_assert_no_error(file_root_open(root, "/text", &f));
	ck_assert_str_eq(f.path, "/text");
}
END_TEST

START_TEST(our_own_root_by_another_name_is_our_own)
{
	read_for(geteuid(), -1, open("/proc/self/root", O_PATH | O_CLOEXEC));
	ck_assert(file_root_is_ours(root));
}
END_TEST

START_TEST(without_a_root_there_are_no_files)
{
	make_file("/text", "some text", 0644);
	file_root_set(root, -1, NULL);
	assert_refused(at("/text"), ERROR_GONE, "not known");
}
END_TEST

/* Its server may stop answering when nobody thinks of it any more. */
START_TEST(a_file_of_no_local_filesystem_is_copied)
{
	AUTO_FILE f = FILE_CLOSED;
	AUTO_BUF options = { 0 };
	struct stat st;

	make_folder("/low", 0755);
	make_folder("/high", 0755);
	make_folder("/work", 0755);
	make_folder("/box", 0755);
	make_file("/low/text", "inside", 0644);
	buf_addf(&options, "lowerdir=%s/low,upperdir=%s/high,workdir=%s/work", dir, dir, dir);
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("overlay", at("/box"), "overlay", 0, buf_text(&options)))
		return;
	read_below("/box");
	assert_text("/text", "inside");
	ck_assert_no_error(file_root_open(root, "/text", &f));
	ck_assert_str_eq(f.path, "/text");
	ck_assert_int_eq(fstat(f.fd, &st), 0);
	ck_assert(st.st_dev != f.st.st_dev && st.st_size == f.st.st_size);
	ck_assert_uint_eq(st.st_uid, geteuid());
	ck_assert_int_eq(umount2(at("/box"), MNT_DETACH), 0);
}
END_TEST

/* Somebody else's
 * ---------------------------------------------------------------------------------- */

static const struct {
	mode_t mode;
	int group; /* that the user has */
	bool readable;
} modes[] = {
	{ 0600, -1, false },   { 0640, -1, false },    { 0644, -1, true },
	{ 0640, GROUP, true }, { 0600, GROUP, false }, { 0604, GROUP, false },
};

START_TEST(files_are_read_with_the_rights_of_their_reader)
{
	if (geteuid() != 0)
		return;
	make_file("/text", "some text", modes[_i].mode);
	ck_assert_int_eq(chown(at("/text"), 0, GROUP), 0);
	assert_text(at("/text"), "some text");
	read_for(NOBODY, modes[_i].group, -1);
	if (modes[_i].readable)
		assert_text(at("/text"), "some text");
	else
		assert_refused(at("/text"), ERROR_NOT_PERMITTED, "text");
	ck_assert(!file_root_is_ours(root));
}
END_TEST

START_TEST(folders_are_entered_with_the_rights_of_their_reader)
{
	if (geteuid() != 0)
		return;
	make_folder("/closed", 0700);
	make_file("/closed/text", "some text", 0644);
	read_for(NOBODY, -1, -1);
	assert_refused(at("/closed/text"), ERROR_NOT_PERMITTED, "text");
}
END_TEST

/* What a process has mapped it could read; the kernel tells which file that is. */
START_TEST(links_of_the_kernel_are_followed_with_our_own_rights)
{
	AUTO_FILE f = FILE_CLOSED;
	char link[64];

	make_file("/text", "some text", 0600);
	int fd = open(at("/text"), O_RDONLY | O_CLOEXEC);
	snprintf(link, sizeof(link), "/proc/%d/fd/%d", getpid(), fd);
	if (geteuid() == 0)
		read_for(NOBODY, -1, -1);
	ck_assert_no_error(file_root_open_link(root, link, &f));
	ck_assert_str_eq(f.path, at("/text"));
	close(fd);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("file_root");
	TCase *tc = tcase_create("file_root");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, a_file_is_opened_and_named_by_where_it_lies);
	tcase_add_test(tc, names_begin_in_the_folder_that_we_are_in);
	tcase_add_test(tc, files_are_found_with_a_child_too);
	tcase_add_loop_test(tc, what_is_no_harmless_file_is_refused, 0, (int)COUNT(refused));
	tcase_add_test(tc, a_pipe_is_refused);
	tcase_add_test(tc, links_do_not_lead_out_of_another_root);
	tcase_add_test(tc, a_file_in_another_root_is_named_from_there);
	tcase_add_test(tc, our_own_root_by_another_name_is_our_own);
	tcase_add_test(tc, without_a_root_there_are_no_files);
	tcase_add_test(tc, a_file_of_no_local_filesystem_is_copied);
	tcase_add_loop_test(tc, files_are_read_with_the_rights_of_their_reader, 0,
			    (int)COUNT(modes));
	tcase_add_test(tc, folders_are_entered_with_the_rights_of_their_reader);
	tcase_add_test(tc, links_of_the_kernel_are_followed_with_our_own_rights);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
