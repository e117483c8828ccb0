/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/code_places.h"

#include <stdlib.h>

enum { FUNCTION_MAX = 1 << 20 }; /* bytes that are looked at */

bool code_places_add(struct code_places *p, taddr addr, uint64_t size)
{
	if (p->n == CODE_PLACES_MAX)
		return false;
	p->place[p->n].size = size ? size : 1;
	p->place[p->n++].addr = addr;
	return true;
}

/*
 * Code of a library passes the address of a slot to __tls_get_addr(): in that are the number of the
 * library's block, and an offset in it ("ELF Handling For TLS", 4.1). On x86-64 the instruction
 * that passes it has a prefix, unless the slot is that of the whole block, where the offset is 0
 * (4.2).
 */
static void note_slot(struct code_places *p, struct target *t, const struct insn *insn)
{
	enum { BLOCKS_MAX = 1 << 16, PREFIXED = 8 /* bytes */ };
	uint64_t slot[2];

	if (insn->kind != INSN_CONSTANT || insn->size != PREFIXED ||
	    !memory_try_read(t->memory, insn->value, slot, sizeof(slot)) || !slot[0] ||
	    slot[0] > BLOCKS_MAX)
		return;
	for (size_t i = 0; i < p->n; i++)
		p->place[i].referred |= slot[1] - p->place[i].addr < p->place[i].size;
}

static void note_places(struct code_places *p, const struct insn *insn)
{
	bool constant = !p->local && insn->kind == INSN_CONSTANT;
	bool memory = insn->base == INSN_NO_REG && insn->thread_local == p->local;

	for (size_t i = 0; i < p->n; i++) {
		taddr at = p->place[i].addr + p->bias;
		uint64_t size = p->place[i].size;
		p->place[i].referred |= (constant && insn->value - at < size) ||
					(memory && insn->displacement - at < size);
	}
}

/* What cannot be decoded is passed over: x86 comes into step with itself. */
static void look_at(struct code_places *p, struct target *t, taddr from, size_t size)
{
	AUTO_FREE uint8_t *bytes = size && size <= FUNCTION_MAX ? malloc(size) : NULL;
	struct insn insn;

	if (!bytes || !t->arch || !t->arch->decode ||
	    !memory_try_read(t->memory, from, bytes, size))
		return;
	for (size_t at = 0; at < size;) {
		bool known = t->arch->decode(bytes + at, size - at, from + at, &insn) && insn.size;
		if (known && p->by_slots)
			note_slot(p, t, &insn);
		else if (known)
			note_places(p, &insn);
		at += known ? insn.size : 1;
	}
}

void code_places_look(struct code_places *p, struct target *t, Dwarf_Die *function, taddr bias)
{
	struct die_ranges ranges = { 0 };

	while (p->n && die_next_range(function, &ranges))
		look_at(p, t, ranges.start + bias, ranges.end - ranges.start);
}

size_t code_places_referred(const struct code_places *p, taddr *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		n += p->place[i].referred;
		*ret = p->place[i].referred ? p->place[i].addr : *ret;
	}
	return n;
}
