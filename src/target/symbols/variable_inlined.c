/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "target/symbols/variable_reader.h"
#include "target/symbols/variables.h"

enum { VARIABLES_MAX = 1 << 10 };

/* What is inlined directly into a function, and was called as that. */
static bool find_inlined(const Dwarf_Die *function, const char *called,
			 const struct dwarf_spans *spans, Dwarf_Die *ret, Dwarf_Die *ret_here)
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
		*ret_here = *die;
		return true;
	}
	return false;
}

static bool is_in_frame(Dwarf_Die *die)
{
	Dwarf_Attribute its;
	Dwarf_Op *ops;
	size_t n;

	return dwarf_attr(die, DW_AT_location, &its) && dwarf_whatform(&its) == DW_FORM_exprloc &&
	       dwarf_getlocation(&its, &ops, &n) == 0 && n && ops[0].atom == DW_OP_fbreg;
}

/* The order in which clang describes variables of a function that is inlined. */
static enum variables_order order_of(Dwarf_Die *here, Dwarf_Die *root,
				     const struct dwarf_spans *spans)
{
	static const char name[] = "clang version ";
	const char *maker = die_string(root, DW_AT_producer, spans);
	const char *version = maker ? strstr(maker, name) : NULL;
	Dwarf_Die first;

	if (version && strtoul(version + strlen(name), NULL, 10) < 17)
		return VARIABLES_AS_MADE;
	/* The number of the thread, which optimised code does not keep. */
	return dwarf_child(here, &first) == 0 && is_in_frame(&first) ? VARIABLES_SHARED_LAST
								     : VARIABLES_IN_NO_ORDER;
}

struct error *variables_inlined(struct variables *v, taddr pc, const char *called,
				struct variable_list *ret, enum variables_order *ret_order)
{
	Dwarf_Die chain[CU_LEVELS_MAX], written, inlined;
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	struct unit_here here;

	variable_reader_begin(v);
	if (!symbol_unit_at(v->symbols, pc, &here) ||
	    !cu_chain(here.cu, pc - here.bias, chain, CU_LEVELS_MAX))
		return NULL;
	struct variable_unit unit = { here.module, *cu_spans(here.cu), *cu_root(here.cu),
				      here.bias };
	if (!find_inlined(&chain[0], called, &unit.spans, &written, &inlined))
		return NULL;
	*ret_order = order_of(&inlined, &unit.root, &unit.spans);
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
