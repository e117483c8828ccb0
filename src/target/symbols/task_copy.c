/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/task_copy.h"

#include <dwarf.h>
#include <string.h>

#include "target/symbols/die_lists.h"

enum { ENTRIES_MAX = 64 }; /* of the function: its parameters come first */

static bool has_copies(Dwarf_Die *function, const struct dwarf_spans *spans)
{
	Dwarf_Die die;

	if (dwarf_child(function, &die) != 0)
		return false;
	for (int left = ENTRIES_MAX; left > 0; left--) {
		const char *name = dwarf_tag(&die) == DW_TAG_formal_parameter
					   ? die_plain_name(&die, spans)
					   : NULL;
		if (name && !strcmp(name, ".privates."))
			return true;
		if (dwarf_siblingof(&die, &die) != 0)
			break;
	}
	return false;
}

/* The function whose outermost block it is declared in: of an inlined one what that was made of. */
static bool find_function(Dwarf_Die *variable, Dwarf_Die *ret)
{
	Dwarf_Die written = *variable, around[DIE_DEPTH_MAX];

	die_origin(variable, &written);
	const size_t depth = die_around(NULL, &written, around);
	if (!depth)
		return false;
	*ret = around[depth - 1];
	return dwarf_tag(ret) == DW_TAG_subprogram;
}

bool task_copy_is_one(Dwarf_Die *variable, const Dwarf_Die *function,
		      const struct dwarf_spans *spans)
{
	const uint64_t line = die_declared(variable, DW_AT_decl_line);
	const uint64_t file = die_declared(variable, DW_AT_decl_file);
	Dwarf_Die made;

	if (!function || dwarf_tag(variable) != DW_TAG_variable)
		return false;
	made = *function;
	const char *name = die_name(&made, spans);
	if (!name || strncmp(name, ".omp_", 5) != 0)
		return false;
	/* What the task's own code declares is in a block, and further down than its directive;
	 * what has no line is the copy of a member. */
	return find_function(variable, &made) && has_copies(&made, spans) &&
	       (!line || file != die_declared(&made, DW_AT_decl_file) ||
		line < die_declared(&made, DW_AT_decl_line));
}
