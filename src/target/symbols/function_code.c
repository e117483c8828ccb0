/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/function_code.h"

#include <stdlib.h>

enum { FUNCTION_MAX = 1 << 20 }; /* bytes */

bool function_code_read(struct target *t, Dwarf_Die *function, taddr bias,
			function_code_visit *look, void *context)
{
	Dwarf_Addr start, end;
	struct insn insn;

	if (!t->arch || !t->arch->decode || dwarf_lowpc(function, &start) != 0 ||
	    dwarf_highpc(function, &end) != 0 || end <= start || end - start > FUNCTION_MAX)
		return false;
	size_t size = end - start;
	AUTO_FREE uint8_t *bytes = malloc(size);
	if (!bytes || !memory_try_read(t->memory, start + bias, bytes, size))
		return false;
	for (size_t at = 0; at < size; at += insn.size) {
		taddr addr = start + bias + at;
		if (!t->arch->decode(bytes + at, size - at, addr, &insn) || !insn.size)
			return false;
		if (!look(context, addr, &insn))
			return true;
	}
	return true;
}
