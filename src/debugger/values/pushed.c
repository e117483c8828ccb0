/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/pushed.h"

#include <string.h>

#include "target/symbols/prologue.h"
#include "target/symbols/source_unit.h"

/* Bytes of code in which arguments are pushed. */
enum { PUSHES_MAX = 96 };

static bool is_of_clang(const struct scope *s, taddr pc)
{
	struct source_unit unit;

	return source_unit_at(s->session->symbols, pc, &unit) && unit.producer &&
	       strstr(unit.producer, "clang");
}

/* How far the stack pointer has moved since the last time that it was further up. */
static int64_t moved(const struct scope *s, const struct location_cfa *here)
{
	struct location_cfa before;
	taddr start, end, pc = scope_lookup_pc(s);
	int64_t least = here->offset;

	if (!unwind_function(s->session->unwinder, pc, &start, &end))
		return 0;
	start = prologue_end(s->session->symbols, start);
	for (taddr at = pc; at-- > start && pc - at < PUSHES_MAX;) {
		if (unwind_cfa(s->session->unwinder, at, &before) && before.reg == here->reg &&
		    before.offset < least)
			least = before.offset;
	}
	return here->offset - least;
}

/* add $n, %rsp */
static bool is_put_back(const struct scope *s, int64_t n)
{
	static const uint8_t add[] = { 0x48, 0x83, 0xc4 };
	uint8_t code[4];
	struct error *err = memory_read(s->session->target->memory, s->pc, code, sizeof(code));
	bool read = !err;

	error_ignore(err);
	return read && !memcmp(code, add, sizeof(add)) && code[3] == n;
}

void pushed_settle(struct scope *s, uint64_t registers[SCOPE_REGISTERS_MAX])
{
	struct location_cfa here;
	taddr pc = scope_lookup_pc(s);

	if (s->exact || !s->registers || !is_of_clang(s, pc) ||
	    !unwind_cfa(s->session->unwinder, pc, &here) ||
	    s->session->target->arch->code_regs[here.reg] != s->session->target->arch->sp)
		return;
	int64_t by = moved(s, &here);
	if (!by)
		return;
	memcpy(registers, s->registers, SCOPE_REGISTERS_MAX * sizeof(*registers));
	registers[here.reg] = s->cfa - (uint64_t)(here.offset - by);
	s->registers = registers;
	if (!is_put_back(s, by))
		s->known &= ~(1U << here.reg);
}
