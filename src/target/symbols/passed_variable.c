/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/passed_variable.h"

#include <dwarf.h>
#include <string.h>

#include "target/symbols/die_lists.h"

static bool is_of_construct(Dwarf_Die *function, const struct dwarf_spans *spans)
{
	const char *name =
		dwarf_tag(function) == DW_TAG_subprogram ? die_plain_name(function, spans) : NULL;

	return name && (strstr(name, "omp_outlined") || !strncmp(name, "__omp_offloading_", 17));
}

/* Of an inlined one what that was made of. */
static bool is_parameter_of_construct(Dwarf_Die *die, const struct dwarf_spans *spans)
{
	Dwarf_Die written = *die, around[DIE_DEPTH_MAX];

	if (dwarf_tag(die) != DW_TAG_formal_parameter)
		return false;
	die_origin(die, &written);
	const size_t depth = die_around(NULL, &written, around);
	return depth && is_of_construct(&around[depth - 1], spans);
}

/* What is looked for: a declaration in the source. */
struct declaration {
	const char *name;
	uint64_t file, line;
	Dwarf_Die target; /* what the parameter refers to */
	const struct dwarf_spans *spans;
};

static bool is_same(const struct declaration *d, Dwarf_Die *die)
{
	const int tag = dwarf_tag(die);
	const char *name = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter
				   ? die_plain_name(die, d->spans)
				   : NULL;

	return name && !strcmp(name, d->name) && die_declared(die, DW_AT_decl_line) == d->line &&
	       die_declared(die, DW_AT_decl_file) == d->file;
}

/* The declaration may be in there. */
static bool is_worth_it(const struct declaration *d, Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_lexical_block:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
		return true;
	case DW_TAG_subprogram:
		return !is_of_construct(die, d->spans) &&
		       die_declared(die, DW_AT_decl_line) <= d->line;
	default:
		return false;
	}
}

/* Others may declare the same in the same place. */
static bool is_in_instance(struct die_walk *w, const struct dwarf_spans *spans)
{
	for (size_t i = 0; i < w->depth; i++) {
		const char *name = die_plain_name(&w->path[i], spans);
		if (name && strchr(name, '<'))
			return true;
	}
	return false;
}

/* How functions declare it: to be what the parameter refers to, or to be a reference to that. */
static enum variable_passing find_declared(const struct declaration *d, const Dwarf_Die *unit)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	bool plain = false, reference = false;
	Dwarf_Die type, target;

	for (bool more = die_walk_start(&w, unit); more && !(plain && reference);) {
		Dwarf_Die *die = die_walk_here(&w);
		if (is_same(d, die) && die_type(die, &type)) {
			plain |= type.addr == d->target.addr;
			reference |= dwarf_tag(&type) == DW_TAG_reference_type &&
				     die_type(&type, &target) && target.addr == d->target.addr;
			if (!is_in_instance(&w, d->spans))
				break;
		}
		more = die_walk_next(&w, is_worth_it(d, die));
	}
	return !plain ? VARIABLE_BY_VALUE : reference ? VARIABLE_BY_EITHER : VARIABLE_BY_REFERENCE;
}

enum variable_passing passed_variable_how(Dwarf_Die *parameter, const Dwarf_Die *unit,
					  const struct dwarf_spans *spans)
{
	struct declaration d = { .spans = spans };
	Dwarf_Die written = *parameter, type, root = *unit;

	if (!is_parameter_of_construct(parameter, spans))
		return VARIABLE_NOT_PASSED;
	die_origin(parameter, &written);
	d.name = die_plain_name(&written, spans);
	d.line = die_declared(&written, DW_AT_decl_line);
	d.file = die_declared(&written, DW_AT_decl_file);
	if (!d.name || !die_type(&written, &type) || dwarf_tag(&type) != DW_TAG_reference_type ||
	    !die_type(&type, &d.target))
		return VARIABLE_BY_VALUE;
	if (die_language(&root) == DIE_LANGUAGE_OTHER) /* C has none */
		return VARIABLE_BY_REFERENCE;
	return d.line && die_is_cxx(&root) ? find_declared(&d, unit) : VARIABLE_BY_VALUE;
}
