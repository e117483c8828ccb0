/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/name_hits.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sorted.h"

enum { HITS_MAX = 4 << 20, FILTER_BITS = 1 << 16 };

void name_hits_fini(struct name_hits *h)
{
	vec_fini(h);
}

struct numbers {
	uint32_t *items; /* owned; rising */
	size_t len, cap;
};

/* Where in a section the name ends a string or template arguments follow it. */
static bool find_strings(struct cursor str, const char *name, size_t len, struct numbers *ret)
{
	const uint8_t *p = str.p, *hit;

	while ((hit = memmem(p, (size_t)(str.end - p), name, len)) && ret->len < HITS_MAX) {
		const uint8_t *end = hit + len;
		bool is_name = end < str.end && (!*end || *end == '<' || *end == ' ');
		if (is_name && !vec_push(ret, (uint32_t)(hit - str.p)))
			return false;
		p = hit + 1;
	}
	return true;
}

static uint32_t number_at(const uint8_t *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof(n));
	return n;
}

/* One number: as a text. */
static bool find_number(struct cursor bytes, uint32_t number, struct name_hits *ret)
{
	const uint8_t *p = bytes.p, *hit;

	while ((hit = memmem(p, (size_t)(bytes.end - p), &number, sizeof(number))) &&
	       ret->len < HITS_MAX) {
		if (!vec_push(ret, (uint64_t)(hit - bytes.p)))
			return false;
		p = hit + 1;
	}
	return true;
}

static uint32_t filter_bit(uint32_t number)
{
	return (number * UINT32_C(2654435761)) >> 16;
}

bool name_hits_find_numbers(struct cursor bytes, const uint32_t *numbers, size_t n,
			    struct name_hits *ret)
{
	uint64_t filter[FILTER_BITS / 64] = { 0 };

	if (n == 0 || cursor_left(&bytes) < sizeof(uint32_t))
		return true;
	if (n == 1)
		return find_number(bytes, numbers[0], ret);
	for (size_t i = 0; i < n; i++)
		filter[filter_bit(numbers[i]) / 64] |= UINT64_C(1) << filter_bit(numbers[i]) % 64;
	const uint8_t *last = bytes.end - sizeof(uint32_t);
	for (const uint8_t *p = bytes.p; p <= last && ret->len < HITS_MAX; p++) {
		uint32_t number = number_at(p), bit = filter_bit(number);
		if (!(filter[bit / 64] >> bit % 64 & 1))
			continue;
		size_t at = sorted_count(item, numbers, n, *item < number);
		if (at < n && numbers[at] == number && !vec_push(ret, (uint64_t)(p - bytes.p)))
			return false;
	}
	return true;
}

/* Short names, and those of some compilers, lie in .debug_info itself. */
static bool find_inline(struct cursor info, const char *name, size_t len, struct name_hits *ret)
{
	struct numbers found = { 0 };
	bool ok = find_strings(info, name, len, &found);

	for (size_t i = 0; i < found.len && ok; i++)
		ok = vec_push(ret, (uint64_t)found.items[i]);
	vec_fini(&found);
	return ok;
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return sorted_order(*x, *y);
}

bool name_hits_find(const struct name_sections *s, const char *name, size_t len,
		    struct name_hits *ret_info, struct name_hits *ret_str_offsets)
{
	struct numbers strings = { 0 };
	bool ok = find_strings(s->str, name, len, &strings) &&
		  name_hits_find_numbers(s->info, strings.items, strings.len, ret_info) &&
		  name_hits_find_numbers(s->str_offsets, strings.items, strings.len,
					 ret_str_offsets) &&
		  find_inline(s->info, name, len, ret_info);

	vec_fini(&strings);
	if (ret_info->len)
		qsort(ret_info->items, ret_info->len, sizeof(*ret_info->items), by_number);
	return ok;
}
