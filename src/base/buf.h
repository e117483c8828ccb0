/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Buf: bytes that grow, for building text; and vec, an array that grows, for everything else.
 *
 * A buf remembers that memory ran out instead of failing at each call: add what you want,
 * then ask buf_ok() once. Its data is always NUL-terminated (the NUL is not counted), except
 * that an empty buf may have data NULL; buf_text() never returns NULL.
 *
 * A buf with a "flush" empties itself into a file: what adds to it calls flush whenever
 * BUF_PIECE bytes are there, so a place in its data means nothing after the next addition. The
 * first error is kept, nothing is added from then on, and buf_end() returns it:
 *
 *   AUTO_BUF out = { .flush = console_write };
 *   format_stacks(&out, ...);
 *   return buf_end(&out);
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"

enum { BUF_PIECE = 64 * 1024 };

struct buf {
	char *data; /* owned */
	size_t len, cap;
	bool failed;                           /* memory ran out, or flush failed         */
	struct error *(*flush)(struct buf *b); /* writes all away and empties it; or NULL */
	struct error *error;                   /* owned; of flush; NULL: none             */
};

void buf_fini(struct buf *b);
void buf_add(struct buf *b, const void *data, size_t len);
void buf_adds(struct buf *b, const char *text);
void buf_addc(struct buf *b, char c);
void buf_addf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* A number with at least so many digits, several times as fast as "%0*" of buf_addf(). */
void buf_add_decimal(struct buf *b, uint64_t n, int digits);
void buf_add_hex(struct buf *b, uint64_t n, int digits);
const char *buf_text(const struct buf *b);
/* Empties it; what it remembers of failures stays. */
void buf_clear(struct buf *b);
bool buf_ok(const struct buf *b);

/* Flushes the rest of a buf that has a "flush". The error of that or of an earlier flush. */
MUST_CHECK struct error *buf_end(struct buf *b);

/* Adds all that can be read from fd, at most "most" bytes; more is an error. */
MUST_CHECK struct error *buf_add_fd(struct buf *b, int fd, size_t most);

/* Adds the contents of a file; NOT_FOUND, NOT_PERMITTED or GONE as the system says. */
MUST_CHECK struct error *buf_add_file(struct buf *b, const char *path, size_t most);

#define AUTO_BUF AUTO(buf_fini) struct buf

/*
 * VEC(struct thing) things = { 0 };
 * if (!vec_push(&things, thing)) return &error_nomem;
 * vec_fini(&things);
 */
#define VEC(type)                                                                                  \
	struct {                                                                                   \
		type *items;                                                                       \
		size_t len, cap;                                                                   \
	}
/* VEC(int), where functions hand it on. */
struct ints {
	int *items; /* owned */
	size_t len, cap;
};
static inline void ints_fini(struct ints *v)
{
	free(v->items);
	*v = (struct ints){ 0 };
}
#define AUTO_INTS AUTO(ints_fini) struct ints
#define vec_push(v, ...)                                                                           \
	(vec_grow(&(v)->items, &(v)->cap, (v)->len, sizeof(*(v)->items))                           \
		 ? ((v)->items[(v)->len++] = (__VA_ARGS__), true)                                  \
		 : false)
#define vec_fini(v)                                                                                \
	do {                                                                                       \
		free((v)->items);                                                                  \
		(v)->items = NULL;                                                                 \
		(v)->len = (v)->cap = 0;                                                           \
	} while (0)
/* Of a vec that owns what its items point to. */
#define vec_fini_all(v)                                                                            \
	do {                                                                                       \
		vec_for_each (vec_item, v)                                                         \
			free(*vec_item);                                                           \
		vec_fini(v);                                                                       \
	} while (0)
#define vec_for_each(item, v)                                                                      \
	for (__typeof__(*(v)->items) *item = (v)->items; item && item < (v)->items + (v)->len;     \
	     item++)

/*
 * Makes room for one more item of "size" bytes in the array whose pointer is at "slot"; false
 * when memory is out. Used by vec_push only.
 */
bool vec_grow(void *slot, size_t *cap, size_t len, size_t size);

/* Gives back what a vec that is complete has too much, up to half of it. */
#define vec_trim(v) vec_shrink(&(v)->items, &(v)->cap, (v)->len, sizeof(*(v)->items))
void vec_shrink(void *slot, size_t *cap, size_t len, size_t size);

#endif
