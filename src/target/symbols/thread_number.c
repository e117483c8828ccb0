/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/thread_number.h"

enum { CODE_MAX = 512, OF_COMPILER = 2 };

struct walk {
	const struct target *target;
	uint8_t bytes[CODE_MAX];
	size_t size, at;
	taddr start;
	struct insn insn; /* the one that ends at "at" */
};

static bool next(struct walk *w)
{
	if (!w->target->arch->decode(w->bytes + w->at, w->size - w->at, w->start + w->at, &w->insn))
		return false;
	w->at += w->insn.size;
	return true;
}

/* LLVM's ident_t, by which compilers tell the runtime of a construct. */
static bool is_ident(const struct target *t, taddr addr)
{
	struct {
		int32_t reserved_1, flags, reserved_2;
	} ident;

	return memory_try_read(t->memory, addr, &ident, sizeof(ident)) && !ident.reserved_1 &&
	       (ident.flags & OF_COMPILER) && !ident.reserved_2;
}

/* A call with that and nothing else: what other functions are given needs the number. */
static bool asks(struct walk *w)
{
	const struct arch *arch = w->target->arch;
	uint8_t holder = INSN_NO_REG;
	taddr ident = 0;

	for (;;) {
		if (!next(w))
			return false;
		const struct insn *insn = &w->insn;
		if (insn->kind == INSN_CALL)
			return holder == arch->code_arguments[0] && is_ident(w->target, ident);
		if (insn->kind == INSN_CONSTANT && holder == INSN_NO_REG)
			ident = insn->value;
		else if (insn->kind != INSN_COPY || insn->operand != INSN_REGISTER ||
			 insn->from != holder || insn->value != UINT64_MAX)
			return false;
		holder = insn->to;
	}
}

static bool is_in_frame(const struct arch *arch, const struct insn *insn)
{
	return insn->index == INSN_NO_REG && insn->base != INSN_NO_REG &&
	       (insn->base == arch->code_sp || arch->code_regs[insn->base] == arch->fp);
}

/* Loads from the frame, copies, stores to the frame: arguments get to where they are kept. */
static bool moves(struct walk *w)
{
	const struct insn *insn = &w->insn;

	if (!next(w))
		return false;
	if (insn->kind == INSN_COPY && insn->operand == INSN_REGISTER)
		return true;
	return is_in_frame(w->target->arch, insn) &&
	       (insn->kind == INSN_LOAD || insn->kind == INSN_STORE || insn->kind == INSN_OTHER);
}

/* What is stored is not the number, nor a constant. */
static bool keeps_argument(const struct walk *w, bool *number_is_kept)
{
	const struct insn *insn = &w->insn;
	const bool number =
		insn->from == w->target->arch->code_result && insn->operand == INSN_REGISTER;

	if (!insn->stores || (insn->kind == INSN_STORE && insn->operand != INSN_REGISTER))
		return false;
	if (!number || *number_is_kept)
		return true;
	*number_is_kept = true;
	return false;
}

taddr thread_number_end(const struct target *t, taddr start, taddr end)
{
	struct walk w = { .target = t, .start = start };
	bool only = true, number_is_kept = false;
	size_t behind = 0;

	w.size = end - start < CODE_MAX ? end - start : CODE_MAX;
	if (!t->arch || !t->arch->decode || end <= start ||
	    !memory_try_read(t->memory, start, w.bytes, w.size) || !asks(&w))
		return start;
	while (only && w.at < w.size) {
		only = moves(&w);
		if (only && keeps_argument(&w, &number_is_kept))
			behind = w.at;
	}
	return only && w.at == end - start ? end : start + behind;
}
