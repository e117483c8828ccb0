/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/cu_index.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/log.h"
#include "target/symbols/die.h"

enum {
	UNITS_AT_LEAST = 64,  /* read at a time: sorting again for each one costs more */
	RANGES_MAX = 4 << 20, /* of all units                                         */
};

/* A unit that has code. */
struct unit {
	Dwarf_Off offset; /* of its entry                              */
	struct cu *cu;    /* owned; NULL: not asked for yet, or damaged */
	bool tried;
};

struct cu_index {
	struct cu_context context;
	VEC(struct unit) units;
	struct ranges ranges; /* ids are indexes of units */
	Dwarf_CU *last;       /* unit read last           */
	size_t read;          /* how many                 */
	bool complete;
};

struct cu_index *cu_index_new(struct Dwarf *dwarf, const char *directory, struct file_root *root,
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
	c->sections.line = elf_file_data(&f, ".debug_line");
	c->sections.line_str = elf_file_data(&f, ".debug_line_str");
	c->sections.str = elf_file_data(&f, ".debug_str");
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
	free(x);
}

/* Adds the ranges of a unit. false: out of memory. */
static bool add_unit(struct cu_index *x, Dwarf_Die *die, taddr wanted, bool *found)
{
	size_t id = x->units.len, before = x->ranges.len;
	struct die_ranges r = { 0 };

	while (x->ranges.len < RANGES_MAX && die_next_range(die, &r)) {
		/* Ranges at 0 are of functions that the linker has thrown away. */
		if (r.start && !ranges_add(&x->ranges, r.start, r.end, id))
			return false;
		*found |= r.start && r.start <= wanted && wanted < r.end;
	}
	return x->ranges.len == before ||
	       vec_push(&x->units, (struct unit){ .offset = dwarf_dieoffset(die) });
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
	return add_unit(x, &die, wanted, found);
}

/* Reads units, at least as many again as there are, until one holds an address. */
static void read_units(struct cu_index *x, taddr wanted)
{
	size_t at_least = x->read + (x->read > UNITS_AT_LEAST ? x->read : UNITS_AT_LEAST);
	bool found = false;

	while (!x->complete && (!found || x->read < at_least))
		x->complete = !read_unit(x, wanted, &found);
	log_debug(LOG_SYMBOL, "read %zu compile units, %zu of them with code, %zu ranges", x->read,
		  x->units.len, x->ranges.len);
}

struct cu *cu_index_find(struct cu_index *x, taddr addr)
{
	const struct range *range = ranges_find(&x->ranges, addr, NULL);

	if (!range && !x->complete) {
		read_units(x, addr);
		range = ranges_find(&x->ranges, addr, NULL);
	}
	if (!range || range->id >= x->units.len)
		return NULL;
	struct unit *unit = &x->units.items[range->id];
	if (!unit->tried)
		unit->cu = cu_new(&x->context, unit->offset);
	unit->tried = true;
	return unit->cu;
}
