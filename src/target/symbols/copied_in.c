/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/copied_in.h"

#include <dwarf.h>
#include <string.h>

#include "target/symbols/location_reader.h"

enum { ENTRIES_MAX = 100000 }; /* of a unit that are looked at */

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
