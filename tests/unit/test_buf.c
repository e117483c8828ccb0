/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "unit.h"

START_TEST(an_empty_buf_has_an_empty_text)
{
	AUTO_BUF b = { 0 };

	ck_assert_str_eq(buf_text(&b), "");
	ck_assert(buf_ok(&b));
	buf_add(&b, NULL, 0);
	ck_assert_str_eq(buf_text(&b), "");
	ck_assert_uint_eq(b.len, 0);
}
END_TEST

START_TEST(what_is_added_follows_what_was_there)
{
	AUTO_BUF b = { 0 };

	buf_adds(&b, "one ");
	buf_addc(&b, '2');
	buf_addf(&b, " %s %d", "three", 4);
	buf_add(&b, " five", 2);
	ck_assert_str_eq(buf_text(&b), "one 2 three 4 f");
	ck_assert_uint_eq(b.len, strlen("one 2 three 4 f"));
}
END_TEST

START_TEST(bytes_may_hold_nuls)
{
	AUTO_BUF b = { 0 };

	buf_add(&b, "a\0b", 3);
	buf_addc(&b, '\0');
	ck_assert_uint_eq(b.len, 4);
	ck_assert_mem_eq(b.data, "a\0b\0", 5);
}
END_TEST

START_TEST(formatted_text_of_every_length_is_whole)
{
	for (int before = 0; before < 130; before += 13) {
		for (int len = 0; len < 300; len++) {
			AUTO_BUF b = { 0 };
			buf_addf(&b, "%*s", before, "");
			buf_addf(&b, "%0*d", len, 7);
			size_t want = (size_t)before + (len ? (size_t)len : 1);
			ck_assert_uint_eq(b.len, want);
			ck_assert_uint_eq(strlen(buf_text(&b)), want);
			ck_assert_int_eq(b.data[want - 1], '7');
		}
	}
}
END_TEST

START_TEST(numbers_have_all_their_digits)
{
	AUTO_BUF b = { 0 };

	buf_add_decimal(&b, 0, 1);
	buf_adds(&b, " ");
	buf_add_decimal(&b, UINT64_MAX, 1);
	buf_adds(&b, " ");
	buf_add_decimal(&b, 42, 5);
	buf_adds(&b, " ");
	buf_add_hex(&b, 0, 3);
	buf_adds(&b, " ");
	buf_add_hex(&b, UINT64_MAX, 12);
	buf_adds(&b, " ");
	buf_add_hex(&b, 0x5581a2b3f, 12);
	ck_assert_str_eq(buf_text(&b), "0 18446744073709551615 00042 000 ffffffffffffffff "
				       "0005581a2b3f");
}
END_TEST

START_TEST(an_impossible_size_fails_once_and_for_all)
{
	AUTO_BUF b = { 0 };
	volatile size_t huge = SIZE_MAX;

	buf_adds(&b, "kept");
	for (int shift = 0; shift < 3; shift++) {
		b.failed = false;
		buf_add(&b, "x", huge >> shift);
		ck_assert(!buf_ok(&b));
		ck_assert_str_eq(buf_text(&b), "kept");
	}
	buf_adds(&b, " not");
	buf_addf(&b, "%d", 1);
	ck_assert(!buf_ok(&b));
	ck_assert_str_eq(buf_text(&b), "kept");
}
END_TEST

/* A pipe with len bytes "ab..z" in it and its write end closed. */
static int filled_pipe(size_t len)
{
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	for (size_t i = 0; i < len; i++) {
		char c = (char)('a' + i % 26);
		ck_assert_int_eq(write(fds[1], &c, 1), 1);
	}
	close(fds[1]);
	return fds[0];
}

static const struct {
	size_t len, most;
	bool fits;
} fd_limits[] = {
	{ 0, 0, true },        { 0, 10, true },        { 1, 0, false },
	{ 10, 10, true },      { 11, 10, false },      { 5000, 5000, true },
	{ 5001, 5000, false }, { 20000, 30000, true }, { 20000, 64, false },
};

START_TEST(add_fd_takes_at_most_what_it_may)
{
	AUTO_BUF b = { 0 };
	AUTO_CLOSE int fd = filled_pipe(fd_limits[_i].len);

	buf_adds(&b, "start ");
	struct error *err = buf_add_fd(&b, fd, fd_limits[_i].most);
	if (!fd_limits[_i].fits) {
		ck_assert_error(err, ERROR_BAD_DATA, "longer than");
		return;
	}
	ck_assert_no_error(err);
	ck_assert_uint_eq(b.len, 6 + fd_limits[_i].len);
	ck_assert_uint_eq(strlen(buf_text(&b)), b.len);
	for (size_t i = 0; i < fd_limits[_i].len; i++)
		ck_assert_int_eq(b.data[6 + i], (char)('a' + i % 26));
}
END_TEST

START_TEST(add_fd_leaves_a_text_when_reading_fails)
{
	AUTO_BUF b = { 0 };

	ck_assert_error(buf_add_fd(&b, -1, 10), ERROR_OS, "reading");
	ck_assert_str_eq(buf_text(&b), "");
}
END_TEST

START_TEST(add_file_says_which_file_is_missing)
{
	AUTO_BUF b = { 0 };

	ck_assert_error(buf_add_file(&b, "/nonexistent/file", 10), ERROR_NOT_FOUND,
			"/nonexistent/file");
	ck_assert_error(buf_add_file(&b, "/proc/self/status", 10), ERROR_BAD_DATA,
			"/proc/self/status: longer than 10 bytes");
}
END_TEST

START_TEST(add_file_reads_all_of_it)
{
	AUTO_BUF b = { 0 };

	ck_assert_no_error(buf_add_file(&b, "/proc/self/cmdline", 1 << 20));
	ck_assert_uint_gt(b.len, 0);
	ck_assert_int_eq(b.data[b.len - 1], '\0');
}
END_TEST

START_TEST(a_vec_keeps_what_is_pushed)
{
	VEC(struct {
		int number;
		char text[12];
	})
	v = { 0 };

	vec_for_each (nothing, &v)
		ck_abort_msg("an empty vec has no items");
	for (int i = 0; i < 1000; i++) {
		ck_assert(vec_push(&v, (__typeof__(*v.items)){ .number = i }));
		snprintf(v.items[i].text, sizeof(v.items[i].text), "%d", i);
	}
	ck_assert_uint_eq(v.len, 1000);
	int sum = 0;
	vec_for_each (item, &v) {
		ck_assert_int_eq(atoi(item->text), item->number);
		sum += item->number;
	}
	ck_assert_int_eq(sum, 999 * 1000 / 2);
	vec_fini(&v);
	ck_assert_ptr_null(v.items);
	ck_assert_uint_eq(v.len + v.cap, 0);
}
END_TEST

START_TEST(a_vec_that_cannot_grow_stays_as_it_is)
{
	VEC(char) v = { 0 };

	ck_assert(vec_push(&v, 'x'));
	size_t cap = SIZE_MAX / 2;
	ck_assert(!vec_grow(&v.items, &cap, cap, 16));
	ck_assert_uint_eq(cap, SIZE_MAX / 2);
	ck_assert_int_eq(v.items[0], 'x');
	vec_fini(&v);
}
END_TEST

/* Flushing -------------------------------------------------------------------------------- */

static struct buf written;
static size_t flushes, flushes_left;

static struct error *write_away(struct buf *b)
{
	flushes++;
	if (!flushes_left)
		return error_new(ERROR_OS, "the disk is full");
	flushes_left--;
	buf_add(&written, b->data, b->len);
	b->len = 0;
	return NULL;
}

static void add_numbers(struct buf *b, struct buf *expected, int numbers)
{
	for (int i = 0; i < numbers; i++) {
		buf_addf(b, "%d\n", i);
		buf_addf(expected, "%d\n", i);
	}
}

START_TEST(a_buf_that_flushes_stays_small_and_loses_nothing)
{
	AUTO_BUF b = { .flush = write_away };
	AUTO_BUF expected = { 0 };

	flushes_left = SIZE_MAX;
	add_numbers(&b, &expected, 100000);
	ck_assert_uint_eq(flushes, expected.len / BUF_PIECE);
	ck_assert_uint_le(b.cap, 2 * BUF_PIECE);
	ck_assert_no_error(buf_end(&b));
	ck_assert_uint_eq(b.len, 0);
	ck_assert_uint_eq(written.len, expected.len);
	ck_assert_str_eq(buf_text(&written), buf_text(&expected));
	buf_fini(&written);
}
END_TEST

START_TEST(a_short_text_is_flushed_at_the_end_alone)
{
	AUTO_BUF b = { .flush = write_away };

	flushes_left = SIZE_MAX;
	buf_adds(&b, "short");
	ck_assert_uint_eq(flushes, 0);
	ck_assert_no_error(buf_end(&b));
	ck_assert_str_eq(buf_text(&written), "short");
	buf_fini(&written);
}
END_TEST

START_TEST(the_first_error_of_flushing_is_kept_and_ends_it)
{
	AUTO_BUF b = { .flush = write_away };
	AUTO_BUF expected = { 0 };

	flushes_left = 1;
	add_numbers(&b, &expected, 100000);
	ck_assert(!buf_ok(&b));
	ck_assert_uint_eq(flushes, 2);
	ck_assert_uint_le(b.cap, 2 * BUF_PIECE);
	struct error *err = buf_end(&b);
	ck_assert_uint_eq(flushes, 2);
	ck_assert_str_eq(error_message(err), "the disk is full");
	error_free(err);
	buf_fini(&written);
}
END_TEST

START_TEST(a_buf_that_has_failed_flushes_nothing)
{
	AUTO_BUF b = { .flush = write_away };

	flushes_left = SIZE_MAX;
	buf_adds(&b, "half of it");
	b.failed = true;
	struct error *err = buf_end(&b);
	ck_assert_ptr_eq(err, &error_nomem);
	ck_assert_uint_eq(flushes, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("buf");

	unit_case(s, "add", an_empty_buf_has_an_empty_text, what_is_added_follows_what_was_there,
		  bytes_may_hold_nuls, formatted_text_of_every_length_is_whole,
		  numbers_have_all_their_digits, an_impossible_size_fails_once_and_for_all);
	unit_table(s, add_fd_takes_at_most_what_it_may, fd_limits);
	unit_case(s, "add_file", add_fd_leaves_a_text_when_reading_fails,
		  add_file_says_which_file_is_missing, add_file_reads_all_of_it);
	unit_case(s, "flush", a_buf_that_flushes_stays_small_and_loses_nothing,
		  a_short_text_is_flushed_at_the_end_alone,
		  the_first_error_of_flushing_is_kept_and_ends_it,
		  a_buf_that_has_failed_flushes_nothing);
	unit_case(s, "vec", a_vec_keeps_what_is_pushed, a_vec_that_cannot_grow_stays_as_it_is);
	return unit_run(s);
}
