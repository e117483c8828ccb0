/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/cu_index.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/sorted.h"
#include "target/symbols/cu_entries.h"
#include "target/symbols/name_hits.h"
#include "target/symbols/split_dwarf.h"

enum {
	UNITS_AT_LEAST = 64,  /* read at a time: sorting again for each one costs more */
	RANGES_MAX = 4 << 20, /* of all units                                         */
};

struct unit {
	Dwarf_Off offset;     /* of its entry                              */
	struct cu *cu;        /* owned; NULL: not asked for yet, or damaged */
	uint64_t str_offsets; /* where its part of .debug_str_offsets begins; 0: it has none */
	bool tried, has_code, is_split;
	bool chosen; /* for what is looked for now */
};

struct cu_index {
	struct cu_context context;
	struct name_sections names;
	struct dwo_package package; /* owned */
	bool has_alt;               /* strings are in another file, too */
	VEC(struct unit) units;     /* but those of types: by offset     */
	struct ranges ranges;       /* ids are indexes of units */
	Dwarf_CU *last;             /* unit read last           */
	size_t read;                /* how many                 */
	bool complete;
};

static void release(void *context, struct cursor bytes)
{
	elf_file_release(context, bytes);
}

struct cu_index *cu_index_new(struct Dwarf *dwarf, const struct elf_file *file,
			      const char *directory, struct file_root *root,
			      struct spending *spending)
{
	struct cu_index *x = calloc(1, sizeof(*x));
	const struct elf_file f = { .elf = dwarf_getelf(dwarf) };
	Dwarf *alt = dwarf_getalt(dwarf);
	const struct elf_file alt_file = { .elf = alt ? dwarf_getelf(alt) : NULL };

	if (!x)
		return NULL;
	struct cu_context *c = &x->context;
	c->dwarf = dwarf;
	c->directory = directory;
	c->root = root;
	c->spending = spending;
	c->package = &x->package;
	x->package.file = ELF_FILE_CLOSED;
	if (file->path && asprintf(&x->package.path, "%s.dwp", file->path) < 0)
		x->package.path = NULL;
	c->sections.line = elf_file_data(&f, ".debug_line");
	c->sections.line_str = elf_file_data(&f, ".debug_line_str");
	c->sections.str = elf_file_data(&f, ".debug_str");
	x->names.info = elf_file_data(&f, ".debug_info");
	x->names.str = c->sections.str;
	x->names.str_offsets = elf_file_data(&f, ".debug_str_offsets");
	x->names.passed = release;
	x->names.context = (void *)file;
	x->has_alt = alt;
	dwarf_check_add_spans(&f, &c->spans);
	dwarf_check_add_spans(&alt_file, &c->spans);
	return x;
}

void cu_index_free(struct cu_index *x)
{
	if (!x)
		return;
	vec_for_each (unit, &x->units)
		cu_free(unit->cu);
	vec_fini(&x->units);
	ranges_fini(&x->ranges);
	dwo_package_close(&x->package);
	free(x);
}

/* Adds the ranges of a unit. false: out of memory. */
static bool add_unit(struct cu_index *x, Dwarf_Die *die, uint8_t type, taddr wanted, bool *found)
{
	struct unit unit = {
		.offset = dwarf_dieoffset(die),
		.is_split = type == DW_UT_skeleton,
		.str_offsets = die_number(die, DW_AT_str_offsets_base),
	};
	size_t id = x->units.len, before = x->ranges.len;
	struct die_ranges r = { 0 };

	while (x->ranges.len < RANGES_MAX && die_next_range(die, &r)) {
		/* Ranges at 0 are of functions that the linker has thrown away. */
		if (r.start && !ranges_add(&x->ranges, r.start, r.end, id))
			return false;
		*found |= r.start && r.start <= wanted && wanted < r.end;
	}
	unit.has_code = x->ranges.len > before;
	return vec_push(&x->units, unit);
}

/* Reads the next unit. false: there is none. */
static bool read_unit(struct cu_index *x, taddr wanted, bool *found)
{
	uint8_t type;
	Dwarf_CU *next;
	Dwarf_Die die;

	if (dwarf_get_units(x->context.dwarf, x->last, &next, NULL, &type, &die, NULL) != 0)
		return false;
	x->last = next;
	x->read++;
	if (type == DW_UT_type || type == DW_UT_split_type || !die.addr)
		return true;
	return add_unit(x, &die, type, wanted, found);
}

/* Reads units, at least as many again as there are, until one holds an address; or all. */
static void read_units(struct cu_index *x, taddr wanted, bool all)
{
	size_t at_least = x->read + (x->read > UNITS_AT_LEAST ? x->read : UNITS_AT_LEAST);
	bool found = false;

	if (x->complete)
		return;
	while (!x->complete && (all || !found || x->read < at_least))
		x->complete = !read_unit(x, wanted, &found);
	log_debug(LOG_SYMBOL, "read %zu compile units, %zu of them with code, %zu ranges", x->read,
		  x->units.len, x->ranges.len);
}

/* NULL: it is damaged. */
static struct cu *cu_of(struct cu_index *x, struct unit *unit)
{
	if (!unit->tried)
		unit->cu = cu_new(&x->context, unit->offset);
	unit->tried = true;
	return unit->cu;
}

struct cu *cu_index_find(struct cu_index *x, taddr addr)
{
	const struct range *range = ranges_find(&x->ranges, addr, NULL);

	if (!range && !x->complete) {
		read_units(x, addr, false);
		range = ranges_find(&x->ranges, addr, NULL);
	}
	return range && range->id < x->units.len ? cu_of(x, &x->units.items[range->id]) : NULL;
}

/* ---- many units ---------------------------------------------------------------------------- */

static bool visit_chosen(struct cu_index *x, cu_found *found, void *context)
{
	for (size_t i = 0; i < x->units.len; i++) {
		struct unit *unit = &x->units.items[i];
		struct cu *cu = unit->chosen ? cu_of(x, unit) : NULL;
		unit->chosen = false;
		if (cu && !found(context, cu, unit->has_code))
			return false;
	}
	return true;
}

bool cu_index_for_each(struct cu_index *x, cu_found *found, void *context)
{
	read_units(x, 0, true);
	vec_for_each (unit, &x->units)
		unit->chosen = unit->has_code;
	return visit_chosen(x, found, context);
}

static void choose_by_info(struct cu_index *x, const struct name_hits *hits)
{
	size_t i = 0;

	vec_for_each (hit, hits) {
		while (i < x->units.len && x->units.items[i].offset <= *hit)
			i++;
		if (i > 0)
			x->units.items[i - 1].chosen = true;
	}
}

static int by_str_offsets(const void *a, const void *b)
{
	const struct unit *const *x = a, *const *y = b;

	return sorted_order((*x)->str_offsets, (*y)->str_offsets);
}

/* Several units may have one part of the section. */
static void choose_by_str_offsets(struct cu_index *x, const struct name_hits *hits)
{
	AUTO_FREE struct unit **units = reallocarray(NULL, x->units.len + 1, sizeof(*units));
	size_t n = 0;

	for (size_t i = 0; units && hits->len && i < x->units.len; i++) {
		if (x->units.items[i].str_offsets)
			units[n++] = &x->units.items[i];
	}
	if (n)
		qsort(units, n, sizeof(*units), by_str_offsets);
	vec_for_each (hit, hits) {
		size_t i = sorted_count(unit, units, n, (*unit)->str_offsets <= *hit);
		for (uint64_t base = i ? units[i - 1]->str_offsets : 0;
		     i > 0 && units[i - 1]->str_offsets == base; i--)
			units[i - 1]->chosen = true;
	}
}

bool cu_index_with_name(struct cu_index *x, const char *name, size_t len, cu_found *found,
			void *context)
{
	struct name_hits in_info = { 0 }, in_str_offsets = { 0 };

	read_units(x, 0, true);
	if (!name_hits_find(&x->names, name, len, &in_info, &in_str_offsets))
		return true;
	vec_for_each (unit, &x->units)
		unit->chosen = unit->is_split || x->has_alt;
	choose_by_info(x, &in_info);
	choose_by_str_offsets(x, &in_str_offsets);
	name_hits_fini(&in_info);
	name_hits_fini(&in_str_offsets);
	return visit_chosen(x, found, context);
}

bool cu_index_with_references(struct cu_index *x, const uint32_t *offsets, size_t n,
			      cu_found *found, void *context)
{
	struct name_hits hits = { 0 };

	read_units(x, 0, true);
	if (!name_hits_find_numbers(&x->names, x->names.info, offsets, n, &hits))
		return true;
	choose_by_info(x, &hits);
	name_hits_fini(&hits);
	return visit_chosen(x, found, context);
}

/* ---- types in packages ----------------------------------------------------------------------- */

static bool id_of(Dwarf_CU *unit, uint64_t *ret)
{
	return !dwarf_cu_info(unit, NULL, NULL, NULL, NULL, ret, NULL, NULL);
}

static bool has_id(struct cu_index *x, const struct unit *unit, uint64_t wanted)
{
	uint64_t id;
	Dwarf_Die die;

	return unit->is_split && dwarf_offdie(x->context.dwarf, unit->offset, &die) &&
	       id_of(die.cu, &id) && id == wanted;
}

/* Among the types in the file of a split unit. */
static bool find_type_beside(struct cu *cu, uint64_t signature, Dwarf_Die *ret)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(cu_root(cu)->cu);
	Dwarf_CU *unit = NULL;
	Dwarf_Die type;
	uint64_t id;

	while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, NULL, &type) == 0) {
		if (type.addr && id_of(unit, &id) && id == signature) {
			*ret = type;
			return true;
		}
	}
	return false;
}

bool cu_index_find_type(struct cu_index *x, uint64_t signature, Dwarf_Die *ret)
{
	uint64_t id;

	if (!dwo_package_unit_of_type(&x->package, signature, &id))
		return false;
	read_units(x, 0, true);
	vec_for_each (unit, &x->units) {
		struct cu *cu = has_id(x, unit, id) ? cu_of(x, unit) : NULL;
		if (cu && find_type_beside(cu, signature, ret))
			return true;
	}
	return false;
}
