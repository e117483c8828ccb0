/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/die.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "target/symbols/demangle.h"

Dwarf_Die *die_walk_here(struct die_walk *w)
{
	return &w->path[w->depth - 1];
}

/* To the first child of the current entry. */
static bool descend(struct die_walk *w)
{
	if (w->depth == DIE_DEPTH_MAX || !w->left ||
	    dwarf_child(&w->path[w->depth - 1], &w->path[w->depth]) != 0)
		return false;
	w->depth++;
	w->left--;
	return true;
}

bool die_walk_next(struct die_walk *w, bool inside)
{
	if (inside && descend(w))
		return true;
	while (w->depth > 0 && w->left) {
		Dwarf_Die *here = die_walk_here(w);
		w->left--;
		if (dwarf_siblingof(here, here) == 0)
			return true;
		w->depth--;
	}
	return false;
}

bool die_walk_start(struct die_walk *w, const Dwarf_Die *top)
{
	w->path[0] = *top;
	w->depth = 1;
	if (!descend(w))
		return false;
	w->path[0] = w->path[1];
	w->depth = 1;
	return true;
}

bool die_may_hold_functions(int tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

/* dwarf_ranges() uses a 64-bit offset out of .debug_rnglists as it is, wherever it leads. */
static bool is_unchecked(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die unit;
	uint8_t offset_size;

	if (!dwarf_attr(die, DW_AT_ranges, &attribute) ||
	    dwarf_whatform(&attribute) != DW_FORM_rnglistx)
		return false;
	return !dwarf_diecu(die, &unit, NULL, &offset_size) || offset_size != 4;
}

bool die_next_range(Dwarf_Die *die, struct die_ranges *r)
{
	if (r->at == 0 && is_unchecked(die))
		return false;
	r->at = dwarf_ranges(die, r->at, &r->base, &r->start, &r->end);
	return r->at > 0;
}

taddr die_entry(Dwarf_Die *die)
{
	struct die_ranges ranges = { 0 };
	Dwarf_Addr entry;

	if (dwarf_entrypc(die, &entry) == 0)
		return entry;
	return die_next_range(die, &ranges) ? ranges.start : 0;
}

taddr die_start(Dwarf_Die *die)
{
	enum { RANGES_MAX = 65536 };
	struct die_ranges ranges = { 0 };

	for (size_t i = 0; i < RANGES_MAX && die_next_range(die, &ranges); i++) {
		if (ranges.start < ranges.end)
			return ranges.start;
	}
	return 0;
}

void die_add_spans(Dwarf_Die *die, struct dwarf_spans *spans)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(die->cu);
	Dwarf *alt = dwarf ? dwarf_getalt(dwarf) : NULL;
	const struct elf_file file = { .elf = dwarf ? dwarf_getelf(dwarf) : NULL };
	const struct elf_file alt_file = { .elf = alt ? dwarf_getelf(alt) : NULL };

	dwarf_check_add_spans(&file, spans);
	dwarf_check_add_spans(&alt_file, spans);
}

uint64_t die_number(Dwarf_Die *die, unsigned int attribute)
{
	Dwarf_Attribute its;
	Dwarf_Word value;

	return dwarf_formudata(dwarf_attr(die, attribute, &its), &value) == 0 ? value : 0;
}

bool die_constant(Dwarf_Attribute *its, int64_t *ret)
{
	unsigned int form = its ? dwarf_whatform(its) : 0;
	Dwarf_Sword value;
	Dwarf_Word bits;

	if (form == DW_FORM_sdata || form == DW_FORM_implicit_const) {
		if (dwarf_formsdata(its, &value) != 0)
			return false;
		*ret = value;
		return true;
	}
	if (!its || dwarf_formudata(its, &bits) != 0)
		return false;
	*ret = (int64_t)bits;
	return true;
}

uint64_t die_declared(Dwarf_Die *die, unsigned int attribute)
{
	Dwarf_Attribute its;
	Dwarf_Word value;

	return dwarf_formudata(dwarf_attr_integrate(die, attribute, &its), &value) == 0 ? value : 0;
}

/* dwarf_formstring() does not look whether the string ends. */
static const char *checked_string(Dwarf_Attribute *its, const struct dwarf_spans *spans)
{
	const char *text = dwarf_formstring(its);

	return dwarf_check_string(spans, text) ? text : NULL;
}

const char *die_string(Dwarf_Die *die, unsigned int attribute, const struct dwarf_spans *spans)
{
	Dwarf_Attribute its;

	return checked_string(dwarf_attr(die, attribute, &its), spans);
}

const char *die_plain_name(Dwarf_Die *die, const struct dwarf_spans *spans)
{
	Dwarf_Attribute its;
	Dwarf_Die defined;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &its));

	/* Around a class in a type unit clang declares those that it is in by their signatures. */
	if (!name && dwarf_formref_die(dwarf_attr(die, DW_AT_signature, &its), &defined))
		name = dwarf_formstring(dwarf_attr(&defined, DW_AT_name, &its));
	return dwarf_check_string(spans, name) ? name : NULL;
}

bool die_origin(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute its;

	return dwarf_attr(die, DW_AT_abstract_origin, &its) && dwarf_formref_die(&its, ret);
}

bool die_type(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute its;

	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &its), ret) != NULL;
}

const char *die_name(Dwarf_Die *die, const struct dwarf_spans *spans)
{
	static const unsigned int names[] = { DW_AT_linkage_name, DW_AT_MIPS_linkage_name,
					      DW_AT_name };
	Dwarf_Attribute its;
	const char *name = NULL;

	for (size_t i = 0; !name && i < sizeof(names) / sizeof(*names); i++)
		name = checked_string(dwarf_attr_integrate(die, names[i], &its), spans);
	return name;
}

/*
 * Only names with declarations of template parameters ("Tn", which clang writes since version 18)
 * are tried: libraries that make names readable know all the rest since long.
 */
static bool is_readable(const char *linkage)
{
	if (strncmp(linkage, "_Z", 2) != 0 || !strstr(linkage, "Tn"))
		return true;
	AUTO_FREE char *shown = demangle_name(linkage);
	return !shown || strncmp(shown, "_Z", 2) != 0;
}

const char *die_readable_name(Dwarf_Die *die, const struct dwarf_spans *spans)
{
	const char *name = die_name(die, spans);
	const char *plain = name && !is_readable(name) ? die_plain_name(die, spans) : NULL;

	return plain ? plain : name;
}

bool die_is_main_program(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_main_subprogram) ||
	       die_number(die, DW_AT_calling_convention) == DW_CC_program;
}

enum die_language die_language(Dwarf_Die *die)
{
	Dwarf_Die unit;

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return DIE_LANGUAGE_UNKNOWN;
	switch (die_number(&unit, DW_AT_language)) {
	case 0:
		return DIE_LANGUAGE_UNKNOWN;
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case 0x2b: /* C++17 and 20, for which elfutils 0.188 has no names */
	case 0x2c:
		return DIE_LANGUAGE_CXX;
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
	case 0x2d: /* Fortran 2018 */
		return DIE_LANGUAGE_FORTRAN;
	default:
		return DIE_LANGUAGE_OTHER;
	}
}

bool die_is_cxx(Dwarf_Die *die)
{
	return die_language(die) == DIE_LANGUAGE_CXX;
}

bool die_is_fortran(Dwarf_Die *die)
{
	return die_language(die) == DIE_LANGUAGE_FORTRAN;
}
