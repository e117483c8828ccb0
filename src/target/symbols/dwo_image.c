/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/dwo_image.h"

#include <elf.h>
#include <libelf.h>
#include <string.h>

enum { SECTIONS_MAX = 16, COLUMNS_MAX = 16, ROWS_MAX = 1 << 22 };

/* ---- the file that is made ---------------------------------------------------------------- */

struct image {
	struct buf data;  /* owned */
	struct buf names; /* owned: of its sections */
	Elf64_Shdr sections[SECTIONS_MAX];
	size_t n;
	Elf64_Half machine;
};

/* For the machine that another file is for. */
static void begin(struct image *im, const struct elf_file *like)
{
	const Elf64_Ehdr nothing = { 0 }, *its = elf64_getehdr(like->elf);

	*im = (struct image){ .n = 1, .machine = its ? its->e_machine : EM_NONE };
	buf_add(&im->data, &nothing, sizeof(nothing));
	buf_addc(&im->names, '\0');
}

/* What is added behind that belongs to it. */
static bool begin_section(struct image *im, const char *name)
{
	if (im->n == SECTIONS_MAX)
		return false;
	im->sections[im->n++] = (Elf64_Shdr){
		.sh_name = (Elf64_Word)im->names.len,
		.sh_type = SHT_PROGBITS,
		.sh_offset = im->data.len,
		.sh_addralign = 1,
	};
	buf_add(&im->names, name, strlen(name) + 1);
	return true;
}

static void end_section(struct image *im)
{
	Elf64_Shdr *last = &im->sections[im->n - 1];

	last->sh_size = im->data.len - last->sh_offset;
}

static struct error *finish(struct image *im, struct buf *ret)
{
	Elf64_Ehdr h = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_REL,
		.e_machine = im->machine,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(h),
		.e_shentsize = sizeof(Elf64_Shdr),
	};

	if (begin_section(im, ".shstrtab")) {
		im->sections[im->n - 1].sh_type = SHT_STRTAB;
		buf_add(&im->data, im->names.data, im->names.len);
		end_section(im);
	}
	while (im->data.len % sizeof(uint64_t))
		buf_addc(&im->data, '\0');
	h.e_shoff = im->data.len;
	h.e_shnum = (Elf64_Half)im->n;
	h.e_shstrndx = (Elf64_Half)(im->n - 1);
	buf_add(&im->data, im->sections, im->n * sizeof(*im->sections));
	bool ok = buf_ok(&im->data) && buf_ok(&im->names);
	buf_fini(&im->names);
	if (!ok) {
		buf_fini(&im->data);
		return &error_nomem;
	}
	memcpy(im->data.data, &h, sizeof(h));
	*ret = im->data;
	return NULL;
}

/* ---- one section of each name ------------------------------------------------------------- */

static const char *const dwo_sections[] = {
	".debug_info.dwo",     ".debug_types.dwo",       ".debug_abbrev.dwo",   ".debug_line.dwo",
	".debug_loc.dwo",      ".debug_loclists.dwo",    ".debug_rnglists.dwo", ".debug_str.dwo",
	".debug_line_str.dwo", ".debug_str_offsets.dwo",
};
enum { NUM_SECTIONS = sizeof(dwo_sections) / sizeof(*dwo_sections) };

bool dwo_image_is_needed(const struct elf_file *dwo)
{
	size_t count[NUM_SECTIONS] = { 0 };
	struct elf_section section = { 0 };
	bool twice = false;

	while (elf_file_next(dwo, &section)) {
		if (section.compressed)
			return false;
		for (size_t i = 0; i < NUM_SECTIONS; i++)
			twice |= !strcmp(section.name, dwo_sections[i]) && count[i]++;
	}
	return twice;
}

struct error *dwo_image_merge(const struct elf_file *dwo, struct spending *spending,
			      struct buf *ret)
{
	struct image im;
	bool enough = true;

	begin(&im, dwo);
	for (size_t i = 0; i < NUM_SECTIONS; i++) {
		struct elf_section section = { 0 };
		struct cursor data;
		if (!elf_file_data(dwo, dwo_sections[i]).p || !begin_section(&im, dwo_sections[i]))
			continue;
		while (enough && elf_file_next_data(dwo, dwo_sections[i], &section, &data)) {
			enough = budget_spend(spending, cursor_left(&data));
			buf_add(&im.data, data.p, enough ? cursor_left(&data) : 0);
		}
		end_section(&im);
	}
	struct error *err = finish(&im, ret);
	if (err || enough)
		return err;
	buf_fini(ret);
	return error_new(ERROR_UNSUPPORTED, "file is too large");
}

/* ---- packages ------------------------------------------------------------------------------ */

/* What columns of an index are about: DW_SECT_* of DWARF 5, and what GNU had before. */
enum { GNU = 2, COLUMN_ABBREV = 3, COLUMN_STR_OFFSETS = 6, COLUMN_IDS = 9 };

static const char *const columns_gnu[COLUMN_IDS] = {
	NULL,
	".debug_info.dwo",
	".debug_types.dwo",
	".debug_abbrev.dwo",
	".debug_line.dwo",
	".debug_loc.dwo",
	".debug_str_offsets.dwo",
};
static const char *const columns_5[COLUMN_IDS] = {
	NULL,
	".debug_info.dwo",
	NULL,
	".debug_abbrev.dwo",
	".debug_line.dwo",
	".debug_loclists.dwo",
	".debug_str_offsets.dwo",
	NULL,
	".debug_rnglists.dwo",
};

struct index {
	uint64_t version;
	const char *const *names;
	uint64_t columns, rows, slots;
	uint32_t ids[COLUMNS_MAX];
	const uint8_t *hashes, *numbers, *offsets, *sizes;
};

static uint64_t number_at(const uint8_t *p, uint64_t index, size_t size)
{
	struct cursor c = cursor_of(p + index * size, size);

	return cursor_uint(&c, size);
}

static bool open_index(const struct elf_file *package, const char *name, struct index *ret)
{
	struct cursor c = elf_file_data(package, name);

	ret->version = cursor_uint(&c, 4) & 0xffff; /* two bytes in DWARF 5, and two of nothing */
	ret->names = ret->version == GNU ? columns_gnu : columns_5;
	ret->columns = cursor_uint(&c, 4);
	ret->rows = cursor_uint(&c, 4);
	ret->slots = cursor_uint(&c, 4);
	if (c.bad || (ret->version != GNU && ret->version != 5) || ret->columns > COLUMNS_MAX ||
	    ret->rows > ROWS_MAX || ret->slots > 4 * ROWS_MAX || (ret->slots & (ret->slots - 1)))
		return false;
	ret->hashes = cursor_take(&c, ret->slots * 8);
	ret->numbers = cursor_take(&c, ret->slots * 4);
	for (size_t i = 0; i < ret->columns; i++)
		ret->ids[i] = (uint32_t)cursor_uint(&c, 4);
	ret->offsets = cursor_take(&c, ret->rows * ret->columns * 4);
	ret->sizes = cursor_take(&c, ret->rows * ret->columns * 4);
	return !c.bad && ret->slots;
}

/* The row of a unit or type; its rows count from 1, as in the file. 0: none. */
static uint64_t find_row(const struct index *x, uint64_t id)
{
	uint64_t mask = x->slots - 1, at = id & mask, step = (id >> 32 & mask) | 1;

	for (uint64_t i = 0; i < x->slots; i++, at = (at + step) & mask) {
		uint64_t row = number_at(x->numbers, at, 4);
		if (!row || row > x->rows)
			return 0;
		if (number_at(x->hashes, at, 8) == id)
			return row;
	}
	return 0;
}

/* The part of a section that a row is about; its section is ret_name. Empty: none. */
static struct cursor part_of(const struct elf_file *package, const struct index *x, uint64_t row,
			     size_t column, const char **ret_name)
{
	uint32_t id = x->ids[column];
	const char *name = id < COLUMN_IDS ? x->names[id] : NULL;
	struct cursor c = name ? elf_file_data(package, name) : cursor_of(NULL, 0);
	uint64_t at = (row - 1) * x->columns + column;
	uint64_t size = number_at(x->sizes, at, 4);

	*ret_name = name;
	cursor_take(&c, number_at(x->offsets, at, 4));
	const uint8_t *p = cursor_take(&c, size);
	return c.bad ? cursor_of(NULL, 0) : cursor_of(p, size);
}

/* Where a row's part of that column begins; UINT64_MAX: it has none. */
static uint64_t offset_of(const struct index *x, uint64_t row, uint32_t id)
{
	for (size_t i = 0; i < x->columns; i++) {
		if (x->ids[i] == id)
			return number_at(x->offsets, (row - 1) * x->columns + i, 4);
	}
	return UINT64_MAX;
}

/* Two rows have come from one file. */
static bool is_from_same_file(const struct index *a, uint64_t i, const struct index *b, uint64_t k)
{
	return offset_of(a, i, COLUMN_ABBREV) == offset_of(b, k, COLUMN_ABBREV) &&
	       offset_of(a, i, COLUMN_STR_OFFSETS) == offset_of(b, k, COLUMN_STR_OFFSETS);
}

bool dwo_image_unit_of_type(const struct elf_file *package, uint64_t signature, uint64_t *ret_id)
{
	struct index types, units;

	if (!open_index(package, ".debug_tu_index", &types) ||
	    !open_index(package, ".debug_cu_index", &units))
		return false;
	uint64_t row = find_row(&types, signature);
	for (uint64_t i = 0; row && i < units.slots; i++) {
		uint64_t its = number_at(units.numbers, i, 4);
		if (its && its <= units.rows && is_from_same_file(&types, row, &units, its)) {
			*ret_id = number_at(units.hashes, i, 8);
			return true;
		}
	}
	return false;
}

/* The offsets of a file's strings, and the strings: those of the package are of all files. false:
 * they are too long. */
static bool add_strings(struct image *im, struct cursor offsets, struct cursor strings,
			struct spending *spending, struct buf *ret)
{
	const uint8_t *p = offsets.p;
	uint64_t header = 0;

	if (cursor_left(&offsets) >= 8 && number_at(p + 4, 0, 2) == 5)
		header = 8;
	buf_add(&im->data, p, header);
	for (uint64_t i = 0; i < (cursor_left(&offsets) - header) / 4; i++) {
		uint32_t at = (uint32_t)ret->len;
		struct cursor c = strings;
		cursor_take(&c, number_at(p + header, i, 4));
		const char *text = cursor_string(&c);
		size_t len = text ? strlen(text) : 0;
		if (!budget_spend(spending, len + 1) || ret->len > UINT32_MAX)
			return false;
		buf_add(ret, len ? text : "", len + 1);
		buf_add(&im->data, &at, sizeof(at));
	}
	return true;
}

static void add_types(struct image *im, const struct elf_file *package, const struct index *types,
		      const struct index *units, uint64_t row, const char *wanted)
{
	for (uint64_t i = 1; i <= types->rows; i++) {
		if (!is_from_same_file(types, i, units, row))
			continue;
		for (size_t k = 0; k < types->columns; k++) {
			const char *name;
			struct cursor part = part_of(package, types, i, k, &name);
			if (name && !strcmp(name, wanted))
				buf_add(&im->data, part.p, cursor_left(&part));
		}
	}
}

/* All sections of a unit but .debug_str.dwo. false: they are too large. */
static bool add_parts(struct image *im, const struct elf_file *package, const struct index *units,
		      uint64_t row, struct spending *spending, struct buf *ret_strings)
{
	struct cursor strings = elf_file_data(package, ".debug_str.dwo");
	struct index types;
	bool has_types = open_index(package, ".debug_tu_index", &types), enough = true;

	for (size_t i = 0; i < units->columns && enough; i++) {
		const char *name;
		struct cursor part = part_of(package, units, row, i, &name);
		if (!name || !begin_section(im, name))
			continue;
		if (units->ids[i] == COLUMN_STR_OFFSETS)
			enough = add_strings(im, part, strings, spending, ret_strings);
		else
			buf_add(&im->data, part.p, cursor_left(&part));
		if (has_types && !strcmp(name, ".debug_info.dwo"))
			add_types(im, package, &types, units, row, name);
		end_section(im);
	}
	if (has_types && units->version == GNU && begin_section(im, ".debug_types.dwo")) {
		add_types(im, package, &types, units, row, ".debug_types.dwo");
		end_section(im);
	}
	return enough && budget_spend(spending, im->data.len);
}

struct error *dwo_image_extract(const struct elf_file *package, uint64_t id,
				struct spending *spending, struct buf *ret)
{
	struct index units;
	AUTO_BUF strings = { 0 };
	struct image im;
	uint64_t row = open_index(package, ".debug_cu_index", &units) ? find_row(&units, id) : 0;

	if (!row)
		return error_new(ERROR_NOT_FOUND, "package does not have it");
	begin(&im, package);
	if (!add_parts(&im, package, &units, row, spending, &strings) || !buf_ok(&strings)) {
		buf_fini(&im.data);
		buf_fini(&im.names);
		return error_new(ERROR_UNSUPPORTED, "unit is too large");
	}
	if (begin_section(&im, ".debug_str.dwo")) {
		buf_add(&im.data, strings.data, strings.len);
		end_section(&im);
	}
	return finish(&im, ret);
}
