/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/frame_slot.h"

#include <dwarf.h>

#include "target/symbols/function_code.h"

struct scan {
	const struct arch *arch;
	int64_t at;   /* from the frame pointer                                  */
	uint8_t fp;   /* its number in struct insn                               */
	bool made;    /* the frame is                                            */
	taddr stored; /* the first instruction that stores there; 0: none so far */
};

static bool look(void *context, taddr addr, const struct insn *insn)
{
	struct scan *s = context;

	if (insn->kind == INSN_COPY && insn->operand == INSN_REGISTER && insn->to == s->fp &&
	    insn->from == s->arch->code_sp)
		s->made = true;
	else if (s->made && insn->stores && insn->base == s->fp && insn->index == INSN_NO_REG &&
		 (int64_t)insn->displacement == s->at)
		s->stored = addr;
	return !s->stored;
}

static int number_of(const struct arch *arch, const struct reg *r)
{
	for (size_t i = 0; i < arch->ncode_regs; i++) {
		if (arch->code_regs[i] == r)
			return (int)i;
	}
	return -1;
}

/*
 * The frame pointer points to its own old value, with the return address above it, behind which
 * DWARF counts from, as gcc has it. false: it counts from somewhere else.
 */
static bool find_place(const struct location_code *code, Dwarf_Die *function, struct scan *ret)
{
	struct location_code base;
	Dwarf_Attribute its;
	int fp = number_of(ret->arch, ret->arch->fp);

	location_reader_get(dwarf_attr_integrate(function, DW_AT_frame_base, &its), 0, &base);
	if (fp < 0 || code->missing || !code->n || code->ops[0].atom != DW_OP_fbreg ||
	    (int64_t)code->ops[0].number >= 0 || base.missing || base.n != 1 ||
	    base.ops[0].atom != DW_OP_call_frame_cfa)
		return false;
	ret->fp = (uint8_t)fp;
	ret->at = (int64_t)code->ops[0].number + 2 * ret->arch->stack_slot;
	return true;
}

bool frame_slot_is_empty(struct target *t, const struct location_code *code, Dwarf_Die *function,
			 taddr bias, taddr pc)
{
	struct scan s = { .arch = t->arch };

	return t->arch && t->arch->decode && find_place(code, function, &s) &&
	       function_code_read(t, function, bias, look, &s) && s.stored && pc <= s.stored;
}
