/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Cursor: reads little-endian data that nobody vouches for.
 *
 * A cursor never leaves its bytes: what would need more of them gives 0 (or NULL), and from
 * then on the cursor is bad and stands at its end. So read a whole structure, then ask once.
 */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const uint8_t *p, *end; /* borrowed */
	bool bad;
};

static inline struct cursor cursor_of(const void *data, size_t len)
{
	const uint8_t *p = data;

	return (struct cursor){ p, p ? p + len : p, false };
}

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->p);
}

/* The next len bytes, passed over; NULL: there are fewer. */
static inline const uint8_t *cursor_take(struct cursor *c, uint64_t len)
{
	const uint8_t *p = c->p;

	if (len > cursor_left(c)) {
		c->p = c->end;
		c->bad = true;
		return NULL;
	}
	if (len) /* none at all may be a null pointer, to which nothing is added */
		c->p += len;
	return p;
}

/* A number of size 1 to 8. */
static inline uint64_t cursor_uint(struct cursor *c, size_t size)
{
	const uint8_t *p = cursor_take(c, size);
	uint64_t value = 0;

	for (size_t i = 0; p && i < size; i++)
		value |= (uint64_t)p[i] << (8 * i);
	return value;
}

/* LEB128 (DWARF 5, section 7.6); *ret_bits: how many bits were given, 64 at most. */
static inline uint64_t cursor_leb128(struct cursor *c, unsigned int *ret_bits, bool *ret_negative)
{
	uint64_t value = 0;
	unsigned int shift = 0;

	while (c->p < c->end) {
		uint8_t byte = *c->p++;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
		if (!(byte & 0x80)) {
			*ret_bits = shift;
			*ret_negative = byte & 0x40;
			return value;
		}
	}
	c->bad = true;
	*ret_bits = 64;
	*ret_negative = false;
	return 0;
}

static inline uint64_t cursor_uleb128(struct cursor *c)
{
	unsigned int bits;
	bool negative;

	return cursor_leb128(c, &bits, &negative);
}

static inline int64_t cursor_sleb128(struct cursor *c)
{
	unsigned int bits;
	bool negative;
	uint64_t value = cursor_leb128(c, &bits, &negative);

	if (negative && bits < 64)
		value |= ~UINT64_C(0) << bits;
	return (int64_t)value;
}

/* A string that ends within the data; NULL: it does not. */
static inline const char *cursor_string(struct cursor *c)
{
	const uint8_t *nul = cursor_left(c) ? memchr(c->p, 0, cursor_left(c)) : NULL;

	return (const char *)cursor_take(c, nul ? (uint64_t)(nul - c->p) + 1 : UINT64_MAX);
}

#endif
