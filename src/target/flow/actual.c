/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/actual.h"

/* What functions may change is not known in a frame that has called one. */
void actual_read(struct unwinder *u, struct thread *th, const struct unwind_stack *stack,
		 size_t index, const struct cfg *cfg, struct actual *ret)
{
	const struct unwind_frame *frame = &stack->items[index];

	*ret = (struct actual){ .pc = frame->pc, .ends = !frame->exact };
	unwind_registers(u, th, index, ret->regs, &ret->known);
	const struct cfg_insn *insn = ret->ends ? cfg_before(cfg, frame->pc) : NULL;
	if (insn)
		ret->known &= ~insn->insn.writes;
}

/* A term beside what it stands for. */
struct pair {
	struct term term;
	uint64_t number;
	unsigned int bytes;
};

/* The next register or slot of which both are known, from *at on. false: there are no more. */
static bool next_pair(const struct actual *a, const struct machine *m,
		      const struct machine_state *s, size_t *at, struct pair *ret)
{
	size_t nregs = m->target->arch->ncode_regs;

	while (*at < nregs + s->nslots) {
		size_t i = (*at)++;
		if (i < nregs) {
			*ret = (struct pair){ s->regs[i], a->regs[i], MACHINE_WORD };
			if (a->known >> i & 1)
				return true;
			continue;
		}
		const struct machine_slot *slot = &s->slots[i - nregs];
		*ret = (struct pair){ slot->term, 0, slot->bytes };
		if (m->stack.symbol == TERM_NUMBER &&
		    memory_try_read(m->target->memory, m->stack.offset + slot->at, &ret->number,
				    slot->bytes))
			return true;
	}
	return false;
}

bool actual_pin(const struct actual *a, const struct machine *m, const struct machine_state *s)
{
	struct pair pair;
	bool news = false;

	for (size_t at = 0; next_pair(a, m, s, &at, &pair);) {
		if (pair.term.symbol <= TERM_LOST || m->terms->items[pair.term.symbol].pinned)
			continue;
		terms_set(m->terms, pair.term.symbol, pair.number - pair.term.offset, true);
		news = true;
	}
	return news;
}

bool actual_fits(const struct actual *a, const struct machine *m, const struct machine_state *s)
{
	struct pair pair;
	uint64_t number;

	for (size_t at = 0; next_pair(a, m, s, &at, &pair);) {
		if (terms_number(m->terms, pair.term, &number) &&
		    term_cut(number, pair.bytes) != pair.number)
			return false;
	}
	return true;
}

bool actual_number(const struct actual *a, const struct machine *m, const struct machine_state *s,
		   struct term term, unsigned int bytes, uint64_t *ret)
{
	struct pair pair;

	if (terms_number(m->terms, term, ret))
		return true;
	for (size_t at = 0; term.symbol != TERM_LOST && next_pair(a, m, s, &at, &pair);) {
		if (pair.term.symbol != term.symbol || pair.bytes < bytes)
			continue;
		*ret = pair.number - pair.term.offset + term.offset;
		return true;
	}
	return false;
}
