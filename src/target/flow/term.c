/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/term.h"

#include <stdlib.h>

#include "base/buf.h"

enum { FIRST_SYMBOL = 2 };

void terms_clear(struct terms *all)
{
	all->len = 0;
	map_fini(&all->by_name);
}

void terms_fini(struct terms *all)
{
	terms_clear(all);
	vec_fini(all);
}

uint32_t terms_get(struct terms *all, taddr origin, uint64_t context, unsigned int part, bool make)
{
	uint64_t hash = (origin ^ context * 31 ^ part) * UINT64_C(0x9e3779b97f4a7c15);
	struct map_item *item = make ? map_add(&all->by_name, hash) : map_find(&all->by_name, hash);
	uint32_t first = item ? (uint32_t)item->number : 0;
	struct symbolic made = {
		.origin = origin, .context = context, .part = part, .next = first
	};

	for (uint32_t i = first; i; i = all->items[i].next) {
		const struct symbolic *s = &all->items[i];
		if (s->origin == origin && s->context == context && s->part == part)
			return i;
	}
	while (make && all->len < FIRST_SYMBOL) {
		if (!vec_push(all, (struct symbolic){ 0 }))
			return TERM_LOST;
	}
	if (!make || !item || all->len == TERM_SYMBOLS_MAX || !vec_push(all, made))
		return TERM_LOST;
	item->number = (int64_t)all->len - 1;
	return (uint32_t)all->len - 1;
}

static bool is_symbol(uint32_t symbol)
{
	return symbol >= FIRST_SYMBOL;
}

static bool add_one(struct symbolic *s, uint32_t source)
{
	for (size_t i = 0; i < s->nsources; i++) {
		if (s->sources[i] == source)
			return true;
	}
	if (s->nsources == TERM_SOURCES_MAX)
		return false;
	s->sources[s->nsources++] = source;
	return true;
}

void terms_add_source(struct terms *all, uint32_t symbol, uint32_t source)
{
	if (!is_symbol(symbol) || !is_symbol(source) || symbol == source)
		return;
	struct symbolic *s = &all->items[symbol];
	const struct symbolic *from = &all->items[source];
	bool fits = from->nsources || add_one(s, source);
	for (size_t i = 0; i < from->nsources; i++)
		fits = (from->sources[i] == symbol || add_one(s, from->sources[i])) && fits;
	if (!fits && !s->pinned)
		s->known = false;
}

void terms_set(struct terms *all, uint32_t symbol, uint64_t number, bool pinned)
{
	if (!is_symbol(symbol) || all->items[symbol].pinned)
		return;
	all->items[symbol].known = true;
	all->items[symbol].pinned = pinned;
	all->items[symbol].number = number;
}

bool terms_number(const struct terms *all, struct term term, uint64_t *ret)
{
	bool known = term.symbol == TERM_NUMBER ||
		     (is_symbol(term.symbol) && all->items[term.symbol].known);

	if (known)
		*ret = term.offset + (term.symbol ? all->items[term.symbol].number : 0);
	return known;
}

bool terms_equal(const struct terms *all, struct term a, struct term b)
{
	uint64_t x, y;

	if (a.symbol != TERM_LOST && term_same(a, b))
		return true;
	return terms_number(all, a, &x) && terms_number(all, b, &y) && x == y;
}
