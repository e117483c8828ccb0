/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Dwarf_check: keeps from libdw what it does not survive.
 *
 * libdw checks most of what it reads, but not all (elfutils 0.188). Whatever is known to make
 * it run for ever, read where it must not, or open what it should not, is refused here first.
 */
#ifndef TARGET_DWARF_CHECK_H
#define TARGET_DWARF_CHECK_H

#include "target/symbols/elf_file.h"

/* The units of .debug_info and .debug_types follow each other to the end of their section. */
bool dwarf_check_units(const struct elf_file *f);

/* Where strings that libdw returns may lie: the sections of some files that hold strings. */
enum { DWARF_SPANS_MAX = 24 };
struct dwarf_spans {
	struct cursor items[DWARF_SPANS_MAX];
	size_t len;
};
void dwarf_check_add_spans(const struct elf_file *f, struct dwarf_spans *spans);

/* How many bytes there are from text, which may be NULL, to the end of its span; 0: it is in none.
 */
size_t dwarf_check_room(const struct dwarf_spans *spans, const char *text);

/* Does text, which may be NULL, lie in one of the spans, with its end? */
bool dwarf_check_string(const struct dwarf_spans *spans, const char *text);

#endif
