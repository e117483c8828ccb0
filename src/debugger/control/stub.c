/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/stub.h"

#include <string.h>

enum { STUB_INSNS = 3, INSN_BYTES = 15 };

/* The slot through which the code at pc jumps; 0: it does something else. */
static taddr slot_of(struct target *t, taddr pc)
{
	struct insn insn;

	for (int i = 0; i < STUB_INSNS; i++) {
		uint8_t bytes[INSN_BYTES];
		struct error *err = target_read(t, pc, bytes, sizeof(bytes));
		if (err || !t->arch->decode(bytes, sizeof(bytes), pc, &insn)) {
			error_ignore(err);
			return 0;
		}
		if (insn.kind == INSN_JUMP && insn.via == INSN_VIA_SLOT)
			return insn.value;
		if (insn.kind != INSN_NOTHING)
			return 0;
		pc += insn.size;
	}
	return 0;
}

struct search {
	taddr slot;
	char *name; /* owned */
};

static bool is_slot(void *context, taddr slot, uint32_t type, const char *name, int64_t addend)
{
	struct search *s = context;

	(void)type, (void)addend;
	if (slot != s->slot)
		return true;
	s->name = strdup(name);
	return false;
}

static bool take_function(void *context, const struct symbol *symbol)
{
	taddr *ret = context;

	if (!symbol->function || !symbol->global)
		return true;
	*ret = symbol->addr;
	return false;
}

/* What the dynamic linker is going to write into the slot, by its relocation. */
static taddr by_name(struct session *s, const struct module *m, taddr slot)
{
	struct search search = { .slot = slot };
	struct exports *exports = NULL;
	taddr ret = 0;
	struct error *err = exports_read(s->target, m, &s->modules->budget, &exports);

	if (!err)
		err = exports_relocations(exports, is_slot, &search);
	error_ignore(err);
	if (search.name && *search.name)
		symbol_find(s->symbols, search.name, take_function, &ret);
	exports_free(exports);
	free(search.name);
	return ret;
}

/* Code of a function, and not of a stub: those have no symbol with a size. */
static bool is_in_function(struct session *s, taddr addr)
{
	struct symbol symbol;

	return symbol_at(s->symbols, addr, &symbol) && symbol.function &&
	       addr - symbol.addr < symbol.size;
}

taddr stub_leads_to(struct session *s, taddr pc)
{
	const struct module *m = module_at(s->modules, pc);
	taddr slot = m ? slot_of(s->target, pc) : 0;
	uint64_t value = 0;

	if (!slot)
		return 0;
	error_ignore(target_read_uint(s->target, slot, sizeof(value), &value));
	/* Not bound yet: it leads back to where the dynamic linker is called. */
	bool bound = module_at(s->modules, value) != m || is_in_function(s, value);
	return bound ? value : by_name(s, m, slot);
}
