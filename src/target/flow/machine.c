/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/machine.h"

#include <string.h>

enum { STACK_BELOW = 1 << 20 }; /* bytes below where all began that count as its stack     */

static struct term *stack_pointer(const struct machine *m, struct machine_state *s)
{
	return &s->regs[m->target->arch->code_sp];
}

/* ---- symbols -------------------------------------------------------------------------------- */

static void drop_slot(struct machine_state *s, size_t i)
{
	memmove(&s->slots[i], &s->slots[i + 1], (s->nslots - i - 1) * sizeof(*s->slots));
	s->nslots--;
}

/* The symbol's number becomes another one. A slot that loses its term still is what is there. */
static void lose(const struct machine *m, uint32_t symbol, struct machine_state *s)
{
	for (size_t i = 0; i < m->target->arch->ncode_regs; i++) {
		if (terms_depends(m->terms, s->regs[i], symbol))
			s->regs[i] = term_lost();
	}
	for (size_t i = s->nslots; i-- > 0;) {
		if (terms_depends(m->terms, s->slots[i].term, symbol))
			drop_slot(s, i);
	}
	s->compared = s->compared && !terms_depends(m->terms, s->left, symbol);
	held_lose(&s->held, m->terms, symbol);
	held_lose(&s->given, m->terms, symbol);
}

struct term machine_born(const struct operation *o, unsigned int part)
{
	struct terms *all = o->m->terms;
	size_t before = all->len;
	uint32_t symbol = terms_get(all, o->addr, o->m->context, part, true);

	if (symbol == TERM_LOST)
		return term_lost();
	if (all->len == before) /* nothing depends on a new one */
		lose(o->m, symbol, o->s);
	struct symbolic *made = &all->items[symbol];
	made->nsources = 0;
	made->known = made->pinned;
	made->tells_of = 0;
	return (struct term){ .symbol = symbol };
}

struct term machine_derived(const struct operation *o, unsigned int part, const struct term from[2],
			    const uint64_t *number)
{
	if (number && from[0].symbol == TERM_NUMBER && from[1].symbol == TERM_NUMBER)
		return term_of(*number);
	struct term term = machine_born(o, part);
	if (number)
		terms_set(o->m->terms, term.symbol, *number, false);
	if (from[0].symbol == TERM_LOST || from[1].symbol == TERM_LOST)
		return term;
	for (size_t i = 0; i < 2; i++)
		terms_add_source(o->m->terms, term.symbol, from[i].symbol);
	return term;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* An address within the stack; *ret_at: its distance from where all began. */
static bool is_stack(const struct machine *m, struct term address, uint64_t *ret_at)
{
	uint64_t at = address.offset - m->stack.offset;

	*ret_at = at;
	return address.symbol == m->stack.symbol &&
	       at + STACK_BELOW < (uint64_t)STACK_BELOW + m->target->arch->stack_slot;
}

/* What memory holds now; known if it can be read. */
static uint32_t memory_symbol(const struct machine *m, uint64_t address, unsigned int bytes)
{
	uint32_t symbol = terms_get(m->terms, address, 0, TERM_MEMORY + bytes, false);
	uint64_t number = 0;

	if (symbol != TERM_LOST)
		return symbol;
	symbol = terms_get(m->terms, address, 0, TERM_MEMORY + bytes, true);
	if (memory_try_read(m->target->memory, address, &number, bytes))
		terms_set(m->terms, symbol, number, false);
	return symbol;
}

/* What is loaded from an address that is or is not known. */
static struct term load_memory(const struct operation *o, unsigned int part, struct term address,
			       unsigned int bytes)
{
	uint64_t number;

	if (!terms_number(o->m->terms, address, &number))
		return machine_born(o, part);
	struct term there = { .symbol = memory_symbol(o->m, number, bytes) };
	if (address.symbol == TERM_NUMBER || there.symbol == TERM_LOST)
		return there;
	bool known = terms_number(o->m->terms, there, &number);
	return machine_derived(o, part, (struct term[]){ address, there }, known ? &number : NULL);
}

/* The slot in which [at, at + bytes) begins, or the first behind it. */
static size_t slot_from(const struct machine_state *s, uint64_t at)
{
	size_t i = 0;

	while (i < s->nslots && (int64_t)(s->slots[i].at + s->slots[i].bytes - at) <= 0)
		i++;
	return i;
}

struct term machine_load(const struct operation *o, unsigned int part, struct term address,
			 unsigned int bytes)
{
	const struct machine_state *s = o->s;
	uint64_t at;

	if (!is_stack(o->m, address, &at))
		return load_memory(o, part, address, bytes);
	size_t i = slot_from(s, at);
	const struct machine_slot *slot = &s->slots[i];
	bool overlaps = i < s->nslots && (int64_t)(slot->at - (at + bytes)) < 0;
	if (overlaps && slot->at == at && slot->bytes >= bytes) {
		if (slot->term.symbol == TERM_NUMBER)
			return term_of(term_cut(slot->term.offset, bytes));
		if (slot->bytes == bytes || bytes == 4)
			return slot->term;
	}
	if (overlaps || (int64_t)(at - o->m->dead_below) < 0)
		return machine_born(o, part);
	return load_memory(o, part, address, bytes);
}

static void drop_slots(struct machine_state *s, uint64_t at, uint64_t bytes)
{
	size_t i = slot_from(s, at);

	while (i < s->nslots && (int64_t)(s->slots[i].at - (at + bytes)) < 0)
		drop_slot(s, i);
}

static void put_slot(struct machine_state *s, uint64_t at, unsigned int bytes, struct term term)
{
	size_t i = slot_from(s, at);

	if (s->nslots == MACHINE_SLOTS)
		return;
	memmove(&s->slots[i + 1], &s->slots[i], (s->nslots - i) * sizeof(*s->slots));
	s->slots[i] = (struct machine_slot){ at, (uint8_t)bytes, term };
	s->nslots++;
}

/* What has been loaded from there is another number than what would be loaded now. */
static void lose_memory(const struct machine *m, struct term address, struct machine_state *s)
{
	static const unsigned int sizes[] = { 1, 2, 4, 8 };
	uint64_t number;

	if (!terms_number(m->terms, address, &number))
		return;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		uint32_t symbol = terms_get(m->terms, number, 0, TERM_MEMORY + sizes[i], false);
		if (symbol != TERM_LOST)
			lose(m, symbol, s);
	}
}

void machine_store(const struct operation *o, struct term address, unsigned int bytes,
		   struct term term)
{
	uint64_t at;

	lose_memory(o->m, address, o->s);
	if (!is_stack(o->m, address, &at))
		return;
	drop_slots(o->s, at, bytes);
	if (term.symbol == TERM_LOST)
		term = machine_born(o, TERM_STORED);
	if (term.symbol == TERM_NUMBER)
		term.offset = term_cut(term.offset, bytes);
	if (bytes <= MACHINE_WORD)
		put_slot(o->s, at, bytes, term);
}

void machine_forget(const struct machine *m, struct term address, uint64_t bytes,
		    struct machine_state *s)
{
	uint64_t at;

	if (is_stack(m, address, &at))
		drop_slots(s, at, bytes);
}

void machine_forget_below(const struct machine *m, struct machine_state *s)
{
	uint64_t at;

	if (is_stack(m, *stack_pointer(m, s), &at))
		drop_slots(s, at - STACK_BELOW, STACK_BELOW);
}

/* ---- states -------------------------------------------------------------------------------- */

void machine_begin(const struct machine *m, taddr start, struct machine_state *ret)
{
	const struct operation o = { .m = m, .addr = start, .s = ret };

	*ret = (struct machine_state){ 0 };
	for (unsigned int i = 0; i < m->target->arch->ncode_regs; i++)
		ret->regs[i] = machine_born(&o, TERM_ENTRY + i);
	*stack_pointer(m, ret) = m->stack;
}

/* Slots that are not the same on both states are what memory holds. */
static void join_slots(const struct machine_state *other, struct machine_state *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->nslots; i++) {
		const struct machine_slot *slot = &s->slots[i];
		size_t there = slot_from(other, slot->at);
		if (there < other->nslots && other->slots[there].at == slot->at &&
		    other->slots[there].bytes == slot->bytes &&
		    term_same(other->slots[there].term, slot->term))
			s->slots[kept++] = *slot;
	}
	s->nslots = kept;
}

static bool all_same(const struct machine_state *states, size_t n, size_t reg)
{
	for (size_t i = 1; i < n; i++) {
		if (!term_same(states[0].regs[reg], states[i].regs[reg]))
			return false;
	}
	return true;
}

/* A register that differs gets a new symbol: the old number of that is lost on all ways but those
 * that leave it as it was. */
static void join_register(const struct machine *m, taddr block, unsigned int reg,
			  struct machine_state *states, size_t n)
{
	uint32_t symbol = terms_get(m->terms, block, m->context, TERM_JOIN + reg, true);
	struct term joined = { .symbol = symbol };

	for (size_t i = 0; i < n; i++) {
		if (symbol != TERM_LOST && !term_same(states[i].regs[reg], joined))
			lose(m, symbol, &states[i]);
	}
	for (size_t i = 0; i < n; i++)
		states[i].regs[reg] = joined;
}

void machine_join(const struct machine *m, taddr block, struct machine_state *states, size_t n)
{
	/* What gets lost may make other registers differ. */
	for (bool changed = true; changed;) {
		changed = false;
		for (unsigned int i = 0; i < m->target->arch->ncode_regs; i++) {
			if (all_same(states, n, i))
				continue;
			join_register(m, block, i, states, n);
			changed = true;
		}
	}
	for (size_t i = 1; i < n; i++) {
		held_join(&states->held, &states[i].held);
		held_join(&states->given, &states[i].given);
		join_slots(&states[i], states);
		states->compared = states->compared && states[i].compared &&
				   term_same(states->left, states[i].left) &&
				   states->right == states[i].right &&
				   states->width == states[i].width;
	}
}

bool machine_same(const struct machine_state *a, const struct machine_state *b)
{
	bool same = a->nslots == b->nslots && a->compared == b->compared && a->right == b->right &&
		    a->width == b->width && term_same(a->left, b->left) &&
		    held_same(&a->held, &b->held) && held_same(&a->given, &b->given);

	for (size_t i = 0; same && i < MACHINE_REGS; i++)
		same = term_same(a->regs[i], b->regs[i]);
	for (size_t i = 0; same && i < a->nslots; i++)
		same = a->slots[i].at == b->slots[i].at && a->slots[i].bytes == b->slots[i].bytes &&
		       term_same(a->slots[i].term, b->slots[i].term);
	return same;
}
