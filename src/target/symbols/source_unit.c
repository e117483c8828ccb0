/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/source_unit.h"

#include <dwarf.h>

#include "target/symbols/cu_entries.h"
#include "target/symbols/symbol_parts.h"

/* Whose code compilers have made, by DW_AT_language, in gdb's words. */
static const struct {
	unsigned int code;
	const char *name;
} languages[] = {
	{ DW_LANG_C, "c" },
	{ DW_LANG_C89, "c" },
	{ DW_LANG_C99, "c" },
	{ DW_LANG_C11, "c" },
	{ DW_LANG_C_plus_plus, "c++" },
	{ DW_LANG_C_plus_plus_03, "c++" },
	{ DW_LANG_C_plus_plus_11, "c++" },
	{ DW_LANG_C_plus_plus_14, "c++" },
	{ DW_LANG_Fortran77, "fortran" },
	{ DW_LANG_Fortran90, "fortran" },
	{ DW_LANG_Fortran95, "fortran" },
	{ DW_LANG_Fortran03, "fortran" },
	{ DW_LANG_Fortran08, "fortran" },
	{ DW_LANG_Mips_Assembler, "asm" },
	{ DW_LANG_Rust, "rust" },
	{ DW_LANG_Go, "go" },
	{ DW_LANG_D, "d" },
};

bool source_unit_at(struct symbol_table *s, taddr pc, struct source_unit *ret)
{
	struct unit_here here;
	Dwarf_Half version = 0;

	if (!symbol_unit_at(s, pc, &here))
		return false;
	Dwarf_Die root = *cu_root(here.cu);
	uint64_t language = die_number(&root, DW_AT_language);
	*ret = (struct source_unit){
		.directory = die_string(&root, DW_AT_comp_dir, cu_spans(here.cu)),
		.producer = die_string(&root, DW_AT_producer, cu_spans(here.cu)),
	};
	for (size_t i = 0; i < sizeof(languages) / sizeof(*languages) && !ret->language; i++)
		ret->language = languages[i].code == language ? languages[i].name : NULL;
	if (dwarf_cu_info(root.cu, &version, NULL, NULL, NULL, NULL, NULL, NULL) == 0)
		ret->version = version;
	return true;
}
