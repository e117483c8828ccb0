/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/source.h"

#include <string.h>

#include "base/file.h"

enum {
	PIECE = 16 << 10,
	SEARCHED_MAX = 16 << 20,
};

/* Where a line begins, if the file is text up to there. */
static bool find_line(int fd, int line, uint64_t *ret_at)
{
	char piece[PIECE];
	uint64_t at = 0;

	while (line > 1 && at < SEARCHED_MAX) {
		const char *p = piece, *end = piece + file_read_at(fd, at, piece, sizeof(piece));
		for (; line > 1 && (p = memchr(p, '\n', (size_t)(end - p))); p++)
			line--;
		size_t passed = (size_t)((p ? p : end) - piece);
		if (!passed || memchr(piece, '\0', passed))
			return false;
		at += passed;
	}
	*ret_at = at;
	return line == 1;
}

/* Length of a text of more than SOURCE_LINE_MAX bytes, cut where a character of UTF-8 begins. */
static size_t cut(const char *text)
{
	size_t len = SOURCE_LINE_MAX;

	while (len > SOURCE_LINE_MAX - 4 && ((unsigned char)text[len] & 0xc0) == 0x80)
		len--;
	return len;
}

static bool add_line(int fd, uint64_t at, struct buf *ret)
{
	char text[SOURCE_LINE_MAX + 2]; /* a line of full length, and "\r\n" */
	size_t got = file_read_at(fd, at, text, sizeof(text));
	const char *end = memchr(text, '\n', got);
	size_t len = end ? (size_t)(end - text) : got;

	if (!got || memchr(text, '\0', len))
		return false;
	if (end && len && text[len - 1] == '\r')
		len--;
	buf_add(ret, text, len > SOURCE_LINE_MAX ? cut(text) : len);
	return true;
}

bool source_line(const char *file, int line, struct buf *ret)
{
	AUTO_CLOSE int fd = -1;
	uint64_t at = 0;

	if (!file || line < 1)
		return false;
	struct error *err = file_open_regular(file, &fd, NULL);
	bool fine = !err && find_line(fd, line, &at) && add_line(fd, at, ret);
	error_ignore(err);
	return fine;
}
