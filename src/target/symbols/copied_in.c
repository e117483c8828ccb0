/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/copied_in.h"

#include <dwarf.h>
#include <string.h>

#include "target/symbols/die_lists.h"
#include "target/symbols/location_reader.h"

enum { ENTRIES_MAX = 100000 }; /* of a unit, or beside a variable, that are looked at */

static bool is_of_construct(Dwarf_Die *function, const struct dwarf_spans *spans)
{
	const char *name = die_plain_name(function, spans);

	return name && strstr(name, "omp_outlined");
}

bool copied_in_is_one(Dwarf_Die *argument, Dwarf_Die *function, const struct dwarf_spans *spans)
{
	if (dwarf_tag(argument) != DW_TAG_formal_parameter || !is_of_construct(function, spans))
		return false;
	const char *name = die_plain_name(argument, spans);
	const uint64_t line = die_declared(argument, DW_AT_decl_line);
	const uint64_t file = die_declared(argument, DW_AT_decl_file);
	struct location_code code;
	Dwarf_Attribute place;
	Dwarf_Die unit, die;

	if (!name || !line || !dwarf_diecu(argument, &unit, NULL, NULL) ||
	    dwarf_child(&unit, &die) != 0)
		return false;
	for (int left = ENTRIES_MAX; left > 0; left--) {
		const char *its =
			dwarf_tag(&die) == DW_TAG_variable ? die_plain_name(&die, spans) : NULL;
		if (its && !strcmp(its, name) && die_declared(&die, DW_AT_decl_line) == line &&
		    die_declared(&die, DW_AT_decl_file) == file) {
			location_reader_get(dwarf_attr(&die, DW_AT_location, &place), 0, &code);
			return location_reader_is_thread_local(&code);
		}
		if (dwarf_siblingof(&die, &die) != 0)
			break;
	}
	return false;
}

/* What clang passes in front of an array: the number of its elements. */
static bool is_length(Dwarf_Die *die, const char *name)
{
	Dwarf_Die type;

	return name && !strcmp(name, "vla") && !die_declared(die, DW_AT_decl_line) &&
	       die_type(die, &type) && dwarf_tag(&type) == DW_TAG_base_type;
}

/* A variable or an argument of that name and type, maybe as a reference, which lies in a block. A
 * reference to an array's first element is neither. */
static bool has_variable(Dwarf_Die *block, const char *name, const Dwarf_Die *type,
			 const struct dwarf_spans *spans)
{
	Dwarf_Die die, its;
	bool array = false;

	if (dwarf_child(block, &die) != 0)
		return false;
	for (int left = ENTRIES_MAX; left > 0; left--) {
		int tag = dwarf_tag(&die);
		bool is = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
		const char *other = is ? die_plain_name(&die, spans) : NULL;
		if (!array && other && !strcmp(other, name) && die_type(&die, &its) &&
		    (its.addr == type->addr || (dwarf_tag(&its) == DW_TAG_reference_type &&
						die_type(&its, &its) && its.addr == type->addr)))
			return true;
		array = is_length(&die, other);
		if (dwarf_siblingof(&die, &die) != 0)
			break;
	}
	return false;
}

bool copied_in_is_of_scan(Dwarf_Die *die, const struct dwarf_spans *spans)
{
	Dwarf_Die around[DIE_DEPTH_MAX], type, element;
	const char *name = die_plain_name(die, spans);

	if (dwarf_tag(die) != DW_TAG_variable || !name || die_declared(die, DW_AT_decl_line) ||
	    !dwarf_hasattr_integrate(die, DW_AT_artificial) || !die_type(die, &type) ||
	    dwarf_tag(&type) != DW_TAG_array_type || !die_type(&type, &element))
		return false;
	for (size_t n = die_around(NULL, die, around); n-- > 0;) {
		if (has_variable(&around[n], name, &element, spans))
			return true;
		if (dwarf_tag(&around[n]) == DW_TAG_subprogram)
			break;
	}
	return false;
}
