/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void buf_fini(struct buf *b)
{
	free(b->data);
	error_free(b->error);
	*b = (struct buf){ 0 };
}

static bool flush(struct buf *b)
{
	b->error = b->flush(b);
	b->failed = b->error != NULL;
	return !b->failed;
}

static bool reserve(struct buf *b, size_t more)
{
	if (b->failed || (b->flush && b->len >= BUF_PIECE && !flush(b)))
		return false;
	/* No object is larger than half the address space: past that, doubling would overflow. */
	if (more >= SIZE_MAX / 2 - b->len) {
		b->failed = true;
		return false;
	}
	size_t need = b->len + more + 1;
	if (need <= b->cap)
		return true;
	size_t cap = b->cap ? b->cap : 64;
	while (cap < need)
		cap *= 2;
	char *data = realloc(b->data, cap);
	if (!data) {
		b->failed = true;
		return false;
	}
	b->data = data;
	b->data[b->len] = '\0';
	b->cap = cap;
	return true;
}

void buf_add(struct buf *b, const void *data, size_t len)
{
	if (!reserve(b, len) || !len)
		return;
	memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void buf_adds(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

void buf_addc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list args;

	if (!reserve(b, 0))
		return;
	size_t room = b->cap - b->len;
	va_start(args, fmt);
	int n = vsnprintf(b->data + b->len, room, fmt, args);
	va_end(args);
	if (n >= 0 && (size_t)n >= room && reserve(b, (size_t)n)) {
		va_start(args, fmt);
		vsnprintf(b->data + b->len, (size_t)n + 1, fmt, args);
		va_end(args);
	}
	if (n >= 0 && buf_ok(b))
		b->len += (size_t)n;
	else if (b->data)
		b->data[b->len] = '\0';
}

static void add_number(struct buf *b, uint64_t n, unsigned base, int digits)
{
	char text[64], *first = text + sizeof(text);

	for (; n || (digits > 0 && first > text); n /= base, digits--)
		*--first = "0123456789abcdef"[n % base];
	buf_add(b, first, (size_t)(text + sizeof(text) - first));
}

void buf_add_decimal(struct buf *b, uint64_t n, int digits)
{
	add_number(b, n, 10, digits);
}

void buf_add_hex(struct buf *b, uint64_t n, int digits)
{
	add_number(b, n, 16, digits);
}

const char *buf_text(const struct buf *b)
{
	return b->data ? b->data : "";
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

bool buf_ok(const struct buf *b)
{
	return !b->failed;
}

struct error *buf_end(struct buf *b)
{
	if (buf_ok(b))
		flush(b);
	return b->error ? TAKE(b->error) : buf_ok(b) ? NULL : &error_nomem;
}

struct error *buf_add_fd(struct buf *b, int fd, size_t most)
{
	enum { CHUNK = 4096 };
	size_t start = b->len;

	for (;;) {
		if (!reserve(b, CHUNK))
			return &error_nomem;
		ssize_t n = read(fd, b->data + b->len, b->cap - b->len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_os(errno, "reading");
		b->len += (size_t)n;
		b->data[b->len] = '\0';
		if (n == 0)
			return NULL;
		if (b->len - start > most)
			return error_new(ERROR_BAD_DATA, "longer than %zu bytes", most);
	}
}

struct error *buf_add_file(struct buf *b, const char *path, size_t most)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_os(errno, "%s", path);
	return error_add(buf_add_fd(b, fd, most), "%s", path);
}

/* The type of a slot is unknown here: memcpy reads and writes it without aliasing it. */
static bool resize(void *slot, size_t *cap, size_t want, size_t size)
{
	void *items;

	memcpy(&items, slot, sizeof(items));
	items = reallocarray(items, want, size);
	if (!items)
		return false;
	memcpy(slot, &items, sizeof(items));
	*cap = want;
	return true;
}

bool vec_grow(void *slot, size_t *cap, size_t len, size_t size)
{
	return len < *cap || resize(slot, cap, *cap ? *cap * 2 : 8, size);
}

void vec_shrink(void *slot, size_t *cap, size_t len, size_t size)
{
	if (len && len < *cap)
		(void)resize(slot, cap, len, size);
}
