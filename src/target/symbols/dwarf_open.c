/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/dwarf_open.h"

#include <elf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <string.h>

#include "target/symbols/dwarf_check.h"

/*
 * Debug information becomes 2 to 9 times as large, strings of names that repeat each other up to
 * 20 times. zlib could do 1032 times, zstd 30,000 times.
 */
enum { LARGE = 16 << 20, RATIO_MAX = 64, MIB = 1 << 20 };

/* What symbols/ asks for. Locations, macros and indexes are as much again. */
static bool is_needed(const struct elf_section *section)
{
	static const char *const names[] = { ".debug_info",        ".debug_types",
					     ".debug_abbrev",      ".debug_line",
					     ".debug_line_str",    ".debug_str",
					     ".debug_str_offsets", ".debug_addr",
					     ".debug_ranges",      ".debug_rnglists",
					     ".debug_info.dwo",    ".debug_types.dwo",
					     ".debug_abbrev.dwo",  ".debug_line.dwo",
					     ".debug_str.dwo",     ".debug_str_offsets.dwo",
					     ".debug_rnglists.dwo" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (elf_section_is(section, names[i]))
			return true;
	}
	return false;
}

static struct error *take_section(const struct elf_file *f, const struct elf_section *section,
				  struct spending *spending)
{
	if (!elf_file_own(f, section, spending))
		return error_new(ERROR_UNSUPPORTED,
				 "debug sections are another user's, who could change them, and "
				 "too large to copy: run ompdb as that user");
	uint64_t becomes = elf_file_inflated_size(f, section);
	if (becomes > LARGE && becomes / RATIO_MAX > section->size)
		return error_new(ERROR_BAD_DATA,
				 "%" PRIu64 " bytes of debug sections claim to unpack to %" PRIu64
				 " MiB, which no compiler writes: they are not read",
				 section->size, becomes / MIB);
	if (!budget_spend(spending, becomes))
		return error_new(ERROR_UNSUPPORTED,
				 "debug sections unpack to %" PRIu64 " MiB or more, and %" PRIu64
				 " MiB of memory are left for them: run objcopy "
				 "--decompress-debug-sections on the file",
				 becomes / MIB, spending->from->left / 2 / MIB);
	return NULL;
}

static struct error *take_sections(const struct elf_file *f, enum dwarf_open_how how,
				   struct spending *spending)
{
	struct elf_section section = { 0 };
	struct error *err = NULL;

	while (!err && elf_file_next(f, &section)) {
		bool packed = section.compressed ||
			      !strncmp(section.name, ".zdebug_", strlen(".zdebug_"));
		if (!packed && !f->changeable)
			continue;
		if (how == DWARF_OPEN_ALL || is_needed(&section))
			err = take_section(f, &section, spending);
		else if (packed)
			elf_file_hide(f, &section);
	}
	return err;
}

struct error *dwarf_open(struct elf_file *f, enum dwarf_open_how how, struct spending *spending,
			 struct Dwarf **ret)
{
	struct error *err = take_sections(f, how, spending);

	if (err)
		return err;
	elf_file_drop_fd(f);
	struct Dwarf *dwarf = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
	if (dwarf && !dwarf_check_units(f)) {
		dwarf_end(dwarf);
		return error_new(ERROR_BAD_DATA, "debug information is damaged");
	}
	*ret = dwarf;
	return NULL;
}
