/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/dwarf_check.h"

#include <string.h>

/*
 * A 64-bit length that wraps around makes __libdw_next_unit() go back, and whoever looks for a
 * later unit goes round for ever.
 */
static bool check_units(struct cursor c)
{
	while (cursor_left(&c)) {
		uint64_t length = cursor_uint(&c, 4);
		if (length == 0xffffffff)
			length = cursor_uint(&c, 8);
		/* A unit that is cut short is the last one, for libdw too. */
		if (length > cursor_left(&c))
			return length <= UINT32_MAX;
		cursor_take(&c, length);
	}
	return true;
}

bool dwarf_check_units(const struct elf_file *f)
{
	static const char *const names[] = { ".debug_info", ".debug_info.dwo", ".debug_types",
					     ".debug_types.dwo" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct elf_section section = { 0 };
		struct cursor data;
		while (elf_file_next_data(f, names[i], &section, &data)) {
			if (!check_units(data))
				return false;
		}
	}
	return true;
}

void dwarf_check_add_spans(const struct elf_file *f, struct dwarf_spans *spans)
{
	static const char *const names[] = {
		".debug_str",     ".debug_line_str",     ".debug_info",     ".debug_types",
		".debug_str.dwo", ".debug_line_str.dwo", ".debug_info.dwo", ".debug_types.dwo",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct elf_section section = { 0 };
		while (spans->len < DWARF_SPANS_MAX &&
		       elf_file_next_data(f, names[i], &section, &spans->items[spans->len]))
			spans->len++;
	}
}

size_t dwarf_check_room(const struct dwarf_spans *spans, const char *text)
{
	for (size_t i = 0; text && i < spans->len; i++) {
		const char *end = (const char *)spans->items[i].end;
		if (text >= (const char *)spans->items[i].p && text < end)
			return (size_t)(end - text);
	}
	return 0;
}

bool dwarf_check_string(const struct dwarf_spans *spans, const char *text)
{
	size_t room = dwarf_check_room(spans, text);

	return room && memchr(text, '\0', room);
}
