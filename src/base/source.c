/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/source.h"

#include <string.h>

#include "base/file.h"

enum { LOOKED_AT_MAX = 16 << 20 }; /* bytes of a file */

bool source_read(const char *file, struct buf *ret)
{
	AUTO_CLOSE int fd = -1;
	struct error *err = file_open_regular(file, &fd, NULL);

	if (!err)
		err = buf_add_fd(ret, fd, LOOKED_AT_MAX);
	bool fine = !err || ret->len > LOOKED_AT_MAX;
	error_ignore(err);
	if (ret->len > LOOKED_AT_MAX) {
		ret->len = LOOKED_AT_MAX;
		ret->data[ret->len] = '\0';
	}
	return fine;
}

const char *source_find(const struct buf *text, int line)
{
	const char *p = line > 0 ? buf_text(text) : NULL, *end = buf_text(text) + text->len;

	while (p && line-- > 1) {
		p = memchr(p, '\n', (size_t)(end - p));
		p = p ? p + 1 : NULL;
	}
	return p;
}

/* Length of a text of more than SOURCE_LINE_MAX bytes, cut where a character of UTF-8 begins. */
static size_t cut(const char *text)
{
	size_t len = SOURCE_LINE_MAX;

	while (len > SOURCE_LINE_MAX - 4 && ((unsigned char)text[len] & 0xc0) == 0x80)
		len--;
	return len;
}

bool source_line(const char *file, int line, struct buf *ret)
{
	AUTO_BUF text = { 0 };
	const char *start = file && source_read(file, &text) ? source_find(&text, line) : NULL;
	const char *last = buf_text(&text) + text.len;

	if (!start || start == last)
		return false;
	const char *end = memchr(start, '\n', (size_t)(last - start));
	size_t len = (size_t)((end ? end : last) - start);
	if (memchr(text.data, '\0', (size_t)(start + len - text.data)))
		return false;
	if (end && len && start[len - 1] == '\r')
		len--;
	buf_add(ret, start, len > SOURCE_LINE_MAX ? cut(start) : len);
	return true;
}
