/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_type: any bytes as debug information, of which types are made, and shown as ptype does. The
 * first four are the lengths of .debug_abbrev and of .debug_str, which follow; the rest is
 * .debug_info. make_type_seeds.py takes such bytes out of programs.
 */
#include <assert.h>
#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "debugger/output/format_type.h"
#include "fuzz.h"
#include "fuzz_program.h"
#include "target/symbols/dwarf_open.h"
#include "target/symbols/location_reader.h"
#include "target/symbols/member_reader.h"

enum { ENTRIES_MAX = 2000, SHOWN_MAX = 64 << 20, NUM_SECTIONS = 5, NAMES = NUM_SECTIONS - 1 };

static const char names[] = "\0.debug_abbrev\0.debug_str\0.debug_info\0.names";
static const Elf64_Word name_at[NUM_SECTIONS] = { 0, 1, 15, 26, 38 };

/* A file with those sections and nothing else. */
static void make_image(struct buf *out, const uint8_t *data, size_t size)
{
	const Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(header),
		.e_shoff = sizeof(header),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = NUM_SECTIONS,
		.e_shstrndx = NAMES,
	};
	Elf64_Shdr sections[NUM_SECTIONS] = { { 0 } };
	struct cursor in = cursor_of(data, size);
	size_t lens[NUM_SECTIONS] = { 0, cursor_uint(&in, 2), cursor_uint(&in, 2) };
	size_t left = in.bad ? 0 : cursor_left(&in);

	lens[1] = lens[1] < left ? lens[1] : left;
	lens[2] = lens[2] < left - lens[1] ? lens[2] : left - lens[1];
	lens[3] = left - lens[1] - lens[2];
	lens[NAMES] = sizeof(names);
	size_t at = sizeof(header) + sizeof(sections);
	for (size_t i = 1; i < NUM_SECTIONS; i++) {
		sections[i] = (Elf64_Shdr){ .sh_name = name_at[i],
					    .sh_type = i == NAMES ? SHT_STRTAB : SHT_PROGBITS,
					    .sh_offset = at,
					    .sh_size = lens[i],
					    .sh_addralign = 1 };
		at += lens[i];
	}
	buf_add(out, &header, sizeof(header));
	buf_add(out, sections, sizeof(sections));
	buf_add(out, data + size - left, left);
	buf_add(out, names, sizeof(names));
	assert(!out->failed);
}

static void show(const struct type *t)
{
	static const struct format_type_options ways[] = { { 0 }, { .offsets = true } };
	size_t n;

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		AUTO_BUF out = { 0 };
		format_type(&out, t, &ways[i]);
		assert(out.len < SHOWN_MAX);
	}
	type_members(t, &n);
	type_methods(t, &n);
	type_namings(t, &n);
	type_size(t);
}

static void read_place(Dwarf_Die *die)
{
	static struct location_code code;
	static const uint64_t registers[32];
	struct location_frame frame = { .target = fuzz_session(NULL)->target,
					.cfa = 0x9000,
					.registers = registers,
					.known = 0xffff };
	const struct location_context c = { .frame = &frame };
	Dwarf_Attribute its;
	struct location where;

	location_reader_get(dwarf_attr(die, DW_AT_location, &its), 0x1000, &code);
	location_run(&code, &c, &where);
}

static void read_entry(struct type_reader *r, Dwarf_Die *die)
{
	const struct type *t = type_reader_get(r, die);

	if (t)
		show(t);
	t = type_reader_of(r, die);
	if (t)
		show(t);
	if (dwarf_tag(die) == DW_TAG_subprogram)
		show(type_reader_function(r, die));
	read_place(die);
}

static void read_units(struct Dwarf *dwarf, struct type_reader *r)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die root;
	size_t left = ENTRIES_MAX;

	while (left && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &root, NULL) == 0) {
		static struct die_walk w;
		struct dwarf_spans spans = { 0 };
		if (!root.addr)
			continue;
		die_add_spans(&root, &spans);
		w.left = DIE_ENTRIES_MAX;
		r->spans = &spans;
		for (bool more = die_walk_start(&w, &root); more && --left;
		     more = die_walk_next(&w, true))
			read_entry(r, die_walk_here(&w));
		r->spans = NULL;
	}
}

static void read_members(void *context, struct type *t)
{
	(void)!member_reader_read(context, t);
}

static void read_others(void *context, struct type *t)
{
	(void)!member_reader_read_others(context, t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct budget budget = { .left = 1 << 30 };
	struct spending spending = { .from = &budget };
	struct type_reader r = { .store = type_store_new() };
	struct elf_file file = ELF_FILE_CLOSED;
	struct Dwarf *dwarf = NULL;
	AUTO_BUF image = { 0 };

	assert(r.store);
	type_store_set_source(r.store, &(struct type_source){ read_members, read_others, &r });
	make_image(&image, data, size);
	struct error *err = elf_file_open_image(&image, NULL, &file);
	if (!err)
		err = dwarf_open(&file, DWARF_OPEN_NEEDED, &spending, &dwarf);
	if (dwarf)
		read_units(dwarf, &r);
	error_free(err);
	type_store_set_source(r.store, NULL);
	type_reader_forget(&r);
	type_store_free(r.store);
	dwarf_end(dwarf);
	elf_file_close(&file);
	return 0;
}
