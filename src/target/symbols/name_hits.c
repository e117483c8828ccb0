/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/name_hits.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sorted.h"

enum { HITS_MAX = 4 << 20, FILTER_BITS = 1 << 16, WINDOW = 4 << 20 };

void name_hits_fini(struct name_hits *h)
{
	vec_fini(h);
}

/* What is looked for: a name, or numbers. */
struct wanted {
	const char *name; /* NULL: numbers */
	size_t len;
	const uint32_t *numbers; /* n of them, rising */
	size_t n;
	uint64_t filter[FILTER_BITS / 64]; /* their hashes */
};

static uint32_t number_at(const uint8_t *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof(n));
	return n;
}

static uint32_t hash_of(uint32_t number)
{
	return (number * UINT32_C(2654435761)) >> 16;
}

/* The next place where the bytes are, that begins before "last"; NULL: none. */
static const uint8_t *find_bytes(const uint8_t *p, const uint8_t *last, const uint8_t *end,
				 const void *bytes, size_t len)
{
	size_t room = (size_t)(end - last) < len - 1 ? (size_t)(end - last) : len - 1;

	return memmem(p, (size_t)(last - p) + room, bytes, len);
}

static const uint8_t *find_number(const struct wanted *w, const uint8_t *p, const uint8_t *last,
				  const uint8_t *end)
{
	if (w->n == 1)
		return find_bytes(p, last, end, w->numbers, sizeof(*w->numbers));
	for (; p < last && end - p >= (ptrdiff_t)sizeof(uint32_t); p++) {
		uint32_t number = number_at(p), hash = hash_of(number);
		if (!(w->filter[hash / 64] >> hash % 64 & 1))
			continue;
		size_t at = sorted_count(item, w->numbers, w->n, *item < number);
		if (at < w->n && w->numbers[at] == number)
			return p;
	}
	return NULL;
}

/* Where the name ends a string, or template arguments follow it. */
static const uint8_t *find_name(const struct wanted *w, const uint8_t *p, const uint8_t *last,
				const uint8_t *end)
{
	while ((p = find_bytes(p, last, end, w->name, w->len))) {
		const uint8_t *next = p + w->len;
		if (next < end && (!*next || *next == '<' || *next == ' '))
			return p;
		p++;
	}
	return NULL;
}

/* In stretches, each of which takes memory only as long as it is looked at. */
static bool find(const struct name_sections *s, struct cursor bytes, const struct wanted *w,
		 struct name_hits *ret)
{
	for (const uint8_t *p = bytes.p; p < bytes.end;) {
		size_t left = (size_t)(bytes.end - p);
		const uint8_t *last = p + (left < WINDOW ? left : WINDOW), *hit = p;
		while (hit < last && ret->len < HITS_MAX) {
			hit = w->name ? find_name(w, hit, last, bytes.end)
				      : find_number(w, hit, last, bytes.end);
			if (!hit)
				break;
			if (!vec_push(ret, (uint64_t)(hit - bytes.p)))
				return false;
			hit++;
		}
		if (s->passed)
			s->passed(s->context, cursor_of(p, (size_t)(last - p)));
		p = last;
	}
	return true;
}

bool name_hits_find_numbers(const struct name_sections *s, struct cursor bytes,
			    const uint32_t *numbers, size_t n, struct name_hits *ret)
{
	struct wanted w = { .numbers = numbers, .n = n };

	for (size_t i = 0; i < n; i++)
		w.filter[hash_of(numbers[i]) / 64] |= UINT64_C(1) << hash_of(numbers[i]) % 64;
	return n == 0 || find(s, bytes, &w, ret);
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return sorted_order(*x, *y);
}

/* What refers to these strings. */
static bool find_references(const struct name_sections *s, const struct name_hits *strings,
			    struct name_hits *ret_info, struct name_hits *ret_str_offsets)
{
	AUTO_FREE uint32_t *numbers = reallocarray(NULL, strings->len + 1, sizeof(*numbers));

	if (!numbers)
		return false;
	for (size_t i = 0; i < strings->len; i++)
		numbers[i] = (uint32_t)strings->items[i];
	return name_hits_find_numbers(s, s->info, numbers, strings->len, ret_info) &&
	       name_hits_find_numbers(s, s->str_offsets, numbers, strings->len, ret_str_offsets);
}

bool name_hits_find(const struct name_sections *s, const char *name, size_t len,
		    struct name_hits *ret_info, struct name_hits *ret_str_offsets)
{
	const struct wanted w = { .name = name, .len = len };
	struct name_hits strings = { 0 };
	/* Short names, and those of some compilers, lie in .debug_info itself. */
	bool ok = len && find(s, s->str, &w, &strings) &&
		  find_references(s, &strings, ret_info, ret_str_offsets) &&
		  find(s, s->info, &w, ret_info);

	name_hits_fini(&strings);
	if (ret_info->len)
		qsort(ret_info->items, ret_info->len, sizeof(*ret_info->items), by_number);
	return ok;
}
