/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <dwarf.h>
#include <string.h>

#include "target/symbols/variable_reader.h"
#include "target/symbols/variables.h"

enum { VARIABLES_MAX = 1 << 10 };

/* What is inlined directly into a function, and was called as that. */
static bool find_inlined(const Dwarf_Die *function, const char *called,
			 const struct dwarf_spans *spans, Dwarf_Die *ret)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	Dwarf_Die origin;

	for (bool more = die_walk_start(&w, function); more; more = die_walk_next(&w, false)) {
		Dwarf_Die *die = die_walk_here(&w);
		if (dwarf_tag(die) != DW_TAG_inlined_subroutine || !die_origin(die, &origin))
			continue;
		const char *name = die_plain_name(&origin, spans);
		if (!name || !strstr(name, called))
			continue;
		*ret = origin;
		return true;
	}
	return false;
}

struct error *variables_inlined(struct variables *v, taddr pc, const char *called,
				struct variable_list *ret)
{
	Dwarf_Die chain[CU_LEVELS_MAX], written;
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	struct unit_here here;

	variable_reader_begin(v);
	if (!symbol_unit_at(v->symbols, pc, &here) ||
	    !cu_chain(here.cu, pc - here.bias, chain, CU_LEVELS_MAX))
		return NULL;
	struct variable_unit unit = { here.module, *cu_spans(here.cu), *cu_root(here.cu),
				      here.bias };
	if (!find_inlined(&chain[0], called, &unit.spans, &written))
		return NULL;
	for (bool more = die_walk_start(&w, &written); more; more = die_walk_next(&w, false)) {
		Dwarf_Die *die = die_walk_here(&w);
		if (dwarf_tag(die) != DW_TAG_formal_parameter && dwarf_tag(die) != DW_TAG_variable)
			continue;
		struct variable made = variable_reader_make(v, &unit, die, &chain[0]);
		if (ret->len == VARIABLES_MAX)
			return NULL;
		if (!vec_push(ret, made))
			return &error_nomem;
	}
	return NULL;
}
