/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <sys/stat.h>
#include <unistd.h>

#include "base/source.h"
#include "unit.h"

static void write_file(char *path, const void *text, size_t len)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, len), (ssize_t)len);
	close(fd);
}

static bool read_line(const char *path, int line, struct buf *ret)
{
	struct file_root *root = file_root_new();
	struct source_cache *cache = source_cache_new(root);
	bool found = source_cache_line(cache, path, line, ret);

	source_cache_free(cache);
	file_root_free(root);
	return found;
}

/* expected: the line; NULL: there is none. */
static void assert_line(const void *text, size_t len, int line, const char *expected)
{
	char path[] = "/tmp/ompdb-test-XXXXXX";
	AUTO_BUF out = { 0 };

	write_file(path, text, len);
	buf_adds(&out, "before ");
	bool found = read_line(path, line, &out);
	unlink(path);
	ck_assert_int_eq(found, expected != NULL);
	ck_assert_str_eq(buf_text(&out) + strlen("before "), expected ? expected : "");
}

/* Small files ----------------------------------------------------------------------------- */

#define BYTES(text) text, sizeof(text) - 1

static const struct {
	const char *text;
	size_t len;
	int line;
	const char *expected;
} files[] = {
	{ BYTES("one\ntwo\nthree\n"), 1, "one" },
	{ BYTES("one\ntwo\nthree\n"), 2, "two" },
	{ BYTES("one\ntwo\nthree\n"), 3, "three" },
	{ BYTES("one\ntwo\nthree\n"), 4, NULL },
	{ BYTES("one\ntwo\nthree\n"), 2147483647, NULL },
	{ BYTES("one\n"), 0, NULL },
	{ BYTES("one\n"), -1, NULL },
	{ BYTES("one"), 1, "one" },
	{ BYTES("one"), 2, NULL },
	{ BYTES("one\ntwo"), 2, "two" },
	{ BYTES("\n\nthree\n"), 2, "" },
	{ BYTES(""), 1, NULL },
	{ BYTES("\t read(0,\t&c, 1);  \n"), 1, "\t read(0,\t&c, 1);  " },
	{ BYTES("one\r\ntwo\r\n"), 1, "one" },
	{ BYTES("one\r\ntwo\r\n"), 2, "two" },
	{ BYTES("\r\n"), 1, "" },
	{ BYTES("a\rb\n"), 1, "a\rb" },
	{ BYTES("one\r"), 1, "one\r" },
	{ BYTES("\033[31mred\n"), 1, "\033[31mred" },
	{ BYTES("\177ELF\0\0\n"), 1, NULL },
	{ BYTES("\177ELF\0\0\ntwo\n"), 2, NULL },
	{ BYTES("one\n\0\n"), 1, "one" },
};

START_TEST(a_line_of_a_file)
{
	assert_line(files[_i].text, files[_i].len, files[_i].line, files[_i].expected);
}
END_TEST

/* Long lines ------------------------------------------------------------------------------ */

/* So many bytes 'a', then this text; how much of the text is kept. */
static const struct {
	size_t fill;
	const char *text;
	size_t kept;
} long_lines[] = {
	{ 199, "b\n", 1 },
	{ 199, "b\r\n", 1 },
	{ 200, "\n", 0 },
	{ 200, "b\n", 0 },
	{ 199, "bc\n", 1 },
	{ 199, "bcdefgh", 1 },
	{ 199, "\xc3\xa9\n", 0 },
	{ 198, "\xc3\xa9\n", 2 },
	{ 198, "\xe2\x86\x92\n", 0 },
	{ 197, "\xf0\x9f\x92\xa1 idea\n", 0 },
	{ 196, "\xf0\x9f\x92\xa1 idea\n", 4 },
};

START_TEST(a_long_line_is_cut_between_two_characters)
{
	char text[256], expected[256];
	size_t fill = long_lines[_i].fill;

	memset(text, 'a', fill);
	strcpy(text + fill, long_lines[_i].text);
	memcpy(expected, text, sizeof(text));
	expected[fill + long_lines[_i].kept] = '\0';
	assert_line(text, strlen(text), 1, expected);
}
END_TEST

START_TEST(what_is_no_utf8_is_cut_all_the_same)
{
	char text[300], expected[sizeof(text)] = { 0 };

	memset(text, 0x80, sizeof(text));
	memset(expected, 0x80, SOURCE_LINE_MAX - 4);
	assert_line(text, sizeof(text), 1, expected);
}
END_TEST

START_TEST(lines_far_in_are_found)
{
	enum { LINES = 100000 };
	AUTO_BUF text = { 0 };

	for (int i = 1; i <= LINES; i++)
		buf_addf(&text, "line %d\n", i);
	assert_line(text.data, text.len, 1639, "line 1639");
	assert_line(text.data, text.len, LINES, "line 100000");
	assert_line(text.data, text.len, LINES + 1, NULL);
}
END_TEST

START_TEST(the_search_ends_after_some_mebibytes)
{
	enum { SIZE = (16 << 20) + (64 << 10) };
	AUTO_FREE char *text = malloc(SIZE);

	ck_assert_ptr_nonnull(text);
	memset(text, 'a', SIZE);
	memcpy(text + SIZE - 5, "\ntwo\n", 5);
	assert_line(text, SIZE, 2, NULL);
}
END_TEST

/* What is no file ------------------------------------------------------------------------- */

static const char *const unreadable[] = { "/nonexistent", "/dev/zero", "/", "", NULL };

START_TEST(what_cannot_be_read_has_no_lines)
{
	AUTO_BUF out = { 0 };

	ck_assert(!read_line(unreadable[_i], 1, &out));
	ck_assert_uint_eq(out.len, 0);
}
END_TEST

/* Opening it for reading would wait for a writer for ever. */
START_TEST(a_pipe_has_no_lines)
{
	char folder[] = "/tmp/ompdb-test-XXXXXX";
	AUTO_BUF path = { 0 };
	AUTO_BUF out = { 0 };

	ck_assert_ptr_nonnull(mkdtemp(folder));
	buf_addf(&path, "%s/pipe", folder);
	ck_assert_int_eq(mkfifo(buf_text(&path), 0600), 0);
	bool found = read_line(buf_text(&path), 1, &out);
	unlink(buf_text(&path));
	rmdir(folder);
	ck_assert(!found);
	ck_assert_uint_eq(out.len, 0);
}
END_TEST

/* What has been read ---------------------------------------------------------------------- */

START_TEST(a_text_is_kept_until_its_file_is_asked_for_again)
{
	char path[] = "/tmp/ompdb-test-XXXXXX";
	struct file_root *root = file_root_new();
	struct source_cache *cache = source_cache_new(root);

	ck_assert_ptr_nonnull(cache);
	write_file(path, "old", 3);
	const struct buf *text = source_cache_get(cache, path);
	ck_assert_ptr_nonnull(text);
	const char *data = text->data;
	ck_assert_ptr_eq(source_cache_get(cache, path)->data, data);
	ck_assert_ptr_null(source_cache_get(cache, "/nonexistent"));
	ck_assert_ptr_eq(source_cache_get(cache, path)->data, data);
	ck_assert_int_eq(truncate(path, 1), 0);
	ck_assert_str_eq(buf_text(source_cache_get(cache, path)), "old");
	source_cache_look_again(cache);
	ck_assert_str_eq(buf_text(source_cache_get(cache, path)), "o");
	unlink(path);
	source_cache_look_again(cache);
	ck_assert_ptr_null(source_cache_get(cache, path));
	source_cache_free(cache);
	file_root_free(root);
	source_cache_free(NULL);
}
END_TEST

/* What the compiler saw is gone; the file is in /tmp. */
static const struct {
	const char *from, *to, *folder; /* NULL: no rule, no folder */
	const char *before;             /* of the recorded path     */
	bool found;
} elsewhere[] = {
	{ NULL, NULL, NULL, "/nonexistent", false },
	{ "/nonexistent", "/tmp", NULL, "/nonexistent", true },
	{ "/nonexistent/", "/tmp/", NULL, "/nonexistent", true },
	{ "/nonexist", "/tmp", NULL, "/nonexistent", false },
	{ "/nonexistent/a", "/tmp", NULL, "/nonexistent/a", true },
	{ "/other", "/tmp", NULL, "/nonexistent", false },
	{ NULL, NULL, "/tmp", "/nonexistent/deep", true },
	{ NULL, NULL, "/usr", "/nonexistent/deep", false },
	{ "/nonexistent", "/usr", "/tmp", "/nonexistent", true },
};

START_TEST(a_file_is_found_where_the_user_says)
{
	char path[] = "/tmp/ompdb-test-XXXXXX";
	struct file_root *root = file_root_new();
	struct source_cache *cache = source_cache_new(root);
	struct source_paths paths = { 0 };
	AUTO_BUF recorded = { 0 };

	write_file(path, "text", 4);
	if (elsewhere[_i].from)
		ck_assert_no_error(
			source_paths_add_rule(&paths, elsewhere[_i].from, elsewhere[_i].to));
	if (elsewhere[_i].folder) {
		char *folder = strdup(elsewhere[_i].folder);
		ck_assert(vec_push(&paths.folders, folder));
	}
	source_cache_set_paths(cache, &paths);
	buf_addf(&recorded, "%s%s", elsewhere[_i].before, path + strlen("/tmp"));
	const struct buf *text = source_cache_get(cache, buf_text(&recorded));
	unlink(path);
	ck_assert_int_eq(text != NULL, elsewhere[_i].found);
	source_cache_free(cache);
	source_paths_fini(&paths);
	file_root_free(root);
}
END_TEST

START_TEST(a_rule_takes_the_place_of_another_and_goes)
{
	struct source_paths paths = { 0 };

	ck_assert_no_error(source_paths_add_rule(&paths, "/a", "/b"));
	ck_assert_no_error(source_paths_add_rule(&paths, "/a/", "/c"));
	ck_assert_uint_eq(paths.len, 1);
	ck_assert_str_eq(paths.rules[0].to, "/c");
	ck_assert(!source_paths_remove_rule(&paths, "/b"));
	ck_assert(source_paths_remove_rule(&paths, "/a"));
	ck_assert_uint_eq(paths.len, 0);
	source_paths_fini(&paths);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("source");

	unit_table(s, a_line_of_a_file, files);
	unit_table(s, a_long_line_is_cut_between_two_characters, long_lines);
	unit_table(s, what_cannot_be_read_has_no_lines, unreadable);
	unit_case(s, "limits", what_is_no_utf8_is_cut_all_the_same, lines_far_in_are_found,
		  the_search_ends_after_some_mebibytes, a_pipe_has_no_lines);
	unit_table(s, a_file_is_found_where_the_user_says, elsewhere);
	unit_case(s, "rules", a_rule_takes_the_place_of_another_and_goes);
	unit_case(s, "cache", a_text_is_kept_until_its_file_is_asked_for_again);
	return unit_run(s);
}
