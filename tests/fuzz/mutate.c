/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "mutate.h"

#include <string.h>

/* xorshift64 (Marsaglia, "Xorshift RNGs"). */
static uint64_t next_random(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random;
}

static size_t below(uint64_t *random, size_t limit)
{
	return limit ? next_random(random) % limit : 0;
}

static void flip_bit(struct input *in, uint64_t *random)
{
	in->bytes[below(random, in->len)] ^= 1U << below(random, 8);
}

static void set_byte(struct input *in, uint64_t *random)
{
	in->bytes[below(random, in->len)] = (uint8_t)next_random(random);
}

/* Numbers at the ends of their ranges, where sums and products overflow. */
static void set_number(struct input *in, uint64_t *random)
{
	static const uint64_t numbers[] = {
		0,         1,          2,          0x7f,           0xff,       0x7fff,
		0xffff,    0x7fffffff, 0xffffffff, 1ULL << 32,     1ULL << 40, 1ULL << 47,
		INT64_MAX, 1ULL << 63, UINT64_MAX, UINT64_MAX - 7, 4096,
	};
	uint64_t number = numbers[below(random, sizeof(numbers) / sizeof(*numbers))];
	size_t size = (size_t)1 << below(random, 4);

	if (in->len < size)
		return;
	size_t at = below(random, in->len - size + 1);
	/* Fields are aligned more often than not. */
	if (below(random, 4))
		at -= at % size;
	memcpy(in->bytes + at, &number, size);
}

static void copy_piece(struct input *in, uint64_t *random)
{
	size_t len = 1 + below(random, 64);

	if (in->len <= len)
		return;
	size_t to = below(random, in->len - len), from = below(random, in->len - len);
	memmove(in->bytes + to, in->bytes + from, len);
}

/* Seldom: what comes after the cut is not tested. */
static void cut(struct input *in, uint64_t *random)
{
	if (!below(random, 8))
		in->len = below(random, in->len);
}

static void lengthen(struct input *in, uint64_t *random)
{
	size_t more = 1 + below(random, MUTATE_GROWTH / 8);

	if (more > in->max - in->len)
		return;
	memset(in->bytes + in->len, (int)next_random(random) & 0xff, more);
	in->len += more;
}

void mutate(struct input *in, uint64_t *random)
{
	static void (*const ways[])(struct input *, uint64_t *) = {
		flip_bit, set_byte, set_number, set_number, set_number, copy_piece, lengthen, cut,
	};
	size_t steps = 1 + below(random, 4);

	for (size_t i = 0; i < steps && in->len; i++)
		ways[below(random, sizeof(ways) / sizeof(*ways))](in, random);
}
