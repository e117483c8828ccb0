/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/first_construct.h"

#include <string.h>

#include "target/symbols/plt.h"
#include "target/symbols/symbol_parts.h"

enum { CODE_MAX = 256 };

/* What gcc calls where a construct begins; the user's own calls have rows of their own. */
static bool begins_construct(const char *name)
{
	return !strncmp(name, "GOMP_", 5) || !strcmp(name, "omp_get_num_threads") ||
	       !strcmp(name, "omp_get_thread_num");
}

struct stub_search {
	taddr stub;
	bool begins;
};

static bool look_at_stub(void *context, const char *name, taddr stub)
{
	struct stub_search *search = context;

	if (stub != search->stub)
		return true;
	search->begins = begins_construct(name);
	return false;
}

static bool calls_runtime(struct symbol_table *s, taddr from, taddr callee)
{
	struct stub_search search = { .stub = callee };
	struct unit_here unit;
	struct symbol symbol;

	if (symbol_at(s, callee, &symbol) && symbol.addr == callee && symbol.function)
		return begins_construct(symbol.name);
	struct debuginfo *d = symbol_unit_at(s, from, &unit) ? symbol_files(s, unit.module) : NULL;
	if (d)
		plt_for_each(d, symbol_modules(s)->target, unit.module, look_at_stub, &search);
	return search.begins;
}

/* Of a frame that is being made: room for it, registers and arguments that are put there. */
static bool makes_frame(const struct arch *arch, const struct insn *insn)
{
	const bool in_frame = insn->index == INSN_NO_REG && insn->base != INSN_NO_REG &&
			      arch->code_regs[insn->base] == arch->fp;

	if (insn->kind == INSN_COMPUTE)
		return insn->to == arch->code_sp;
	return insn->kind == INSN_PUSH ||
	       (in_frame && insn->stores &&
		(insn->kind == INSN_OTHER ||
		 (insn->kind == INSN_STORE && insn->operand == INSN_REGISTER)));
}

static bool is_outlined(struct symbol_table *s, taddr pc)
{
	struct symbol symbol;

	return symbol_at(s, pc, &symbol) && strstr(symbol.name, "._omp_fn.");
}

taddr first_construct(struct symbol_table *s, taddr made, taddr end)
{
	const struct target *t = symbol_modules(s)->target;
	const size_t size = end - made < CODE_MAX ? end - made : CODE_MAX;
	uint8_t bytes[CODE_MAX];
	struct insn insn;
	taddr ret = made;

	if (!t->arch || !t->arch->decode || end <= made ||
	    !memory_try_read(t->memory, made, bytes, size) || is_outlined(s, made))
		return 0;
	for (size_t at = 0; at < size; at += insn.size) {
		if (!t->arch->decode(bytes + at, size - at, made + at, &insn))
			return 0;
		if (ret == made + at && makes_frame(t->arch, &insn))
			ret += insn.size;
		if (insn.kind == INSN_CALL)
			return insn.via == INSN_VIA_ADDRESS && calls_runtime(s, made, insn.value)
				       ? ret
				       : 0;
	}
	return 0;
}
