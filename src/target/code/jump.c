/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/jump.h"

#include "target/code/code.h"

enum { JUMPS_MAX = 8 }; /* that follow one another */

/* It does nothing that a function would notice: stubs number themselves, too. */
static bool is_idle(const struct arch *arch, const struct insn *insn)
{
	return insn->kind == INSN_NOTHING || (insn->kind == INSN_CONSTANT && arch->code_stub &&
					      !(insn->writes & ~arch->code_stub));
}

/* The next instruction that does something. */
static bool next_insn(struct target *t, taddr at, struct insn *ret)
{
	for (unsigned int n = 0; n < JUMPS_MAX; n++) {
		if (!code_insn_at(t, at, ret))
			return false;
		if (!is_idle(t->arch, ret))
			return true;
		at += ret->size;
	}
	return false;
}

/*
 * Before the dynamic linker has bound a slot, it leads back into the PLT, to what pushes the number
 * of the relocation and goes on to the dynamic linker (System V ABI, AMD64 supplement, 5.2).
 */
static bool is_unbound(struct target *t, taddr to)
{
	struct insn insn;

	return next_insn(t, to, &insn) && insn.kind == INSN_PUSH_CONSTANT &&
	       next_insn(t, to + insn.size, &insn);
}

/* What is in a slot; 0: nothing, or nothing yet. */
static taddr slot_target(struct target *t, taddr slot)
{
	uint64_t to;

	if (!memory_try_read(t->memory, slot, &to, sizeof(to)))
		return 0;
	return is_unbound(t, to) ? 0 : to;
}

static bool is_stub(struct target *t, taddr at, taddr *ret_slot)
{
	struct insn insn;

	if (!next_insn(t, at, &insn) || insn.kind != INSN_JUMP || insn.via != INSN_VIA_SLOT)
		return false;
	*ret_slot = insn.value;
	return true;
}

/*
 * Through the stubs of the PLT. A jump to one is followed, other jumps are not: the function that
 * begins with one is what was called.
 */
static taddr through_stubs(struct target *t, taddr pc)
{
	struct insn insn;
	taddr slot;

	if (next_insn(t, pc, &insn) && insn.kind == INSN_JUMP && insn.via == INSN_VIA_ADDRESS &&
	    is_stub(t, insn.value, &slot))
		pc = insn.value;
	for (unsigned int n = 0; n < JUMPS_MAX && is_stub(t, pc, &slot); n++)
		pc = slot_target(t, slot);
	return pc;
}

taddr jump_follow(struct target *t, taddr pc)
{
	struct insn insn;

	for (unsigned int n = 0; n < JUMPS_MAX; n++) {
		if (!next_insn(t, pc, &insn) || insn.kind != INSN_JUMP ||
		    insn.via == INSN_VIA_OTHER)
			break;
		pc = insn.via == INSN_VIA_SLOT ? slot_target(t, insn.value) : insn.value;
	}
	return pc;
}

taddr jump_target(struct target *t, const struct insn *insn)
{
	taddr to = 0;

	if (insn->via == INSN_VIA_SLOT)
		to = slot_target(t, insn->value);
	else if (insn->via == INSN_VIA_ADDRESS)
		to = insn->value;
	return to ? through_stubs(t, to) : 0;
}

taddr jump_slot(struct target *t, const struct insn *insn)
{
	taddr slot = 0;

	if (insn->via == INSN_VIA_SLOT)
		slot = insn->value;
	else if (insn->via != INSN_VIA_ADDRESS || !is_stub(t, insn->value, &slot))
		return 0;
	return slot;
}
