/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/lost_statics.h"

#include <dwarf.h>
#include <string.h>

#include "target/symbols/code_places.h"
#include "target/symbols/die_lists.h"
#include "target/symbols/location_reader.h"
#include "target/symbols/symbol_parts.h"
#include "target/symbols/tls.h"

/* Where the source of a call's function is. */
struct extent {
	Dwarf_Die written;
	const char *file;
	uint64_t from, to;
};

/* By its number it is not known: clang has two for the unit's own with DWARF 5. */
static const char *file_of(const struct lost_statics *s, Dwarf_Die *die)
{
	return line_table_file(s->lines, die_declared(die, DW_AT_decl_file));
}

static bool is_outlined(const struct lost_statics *s, Dwarf_Die *function)
{
	const char *name = die_name(function, s->spans);

	return name && !strncmp(name, ".omp_", 5);
}

/* What is made of a task begins with the lines of its code, what executes that with the directive.
 */
static bool find_extent(const struct lost_statics *s, struct extent *ret)
{
	Dwarf_Die around = *s->function;

	if (s->line <= 0 || !s->lines || dwarf_tag(s->call) != DW_TAG_inlined_subroutine ||
	    !die_origin(s->call, &ret->written))
		return false;
	ret->file = file_of(s, &ret->written);
	ret->from = die_declared(&ret->written, DW_AT_decl_line);
	ret->to = (uint64_t)s->line;
	uint64_t line = die_declared(&around, DW_AT_decl_line);
	if (is_outlined(s, &ret->written) && is_outlined(s, &around) && line && line < ret->from)
		ret->from = line;
	return ret->file && ret->from;
}

static bool is_within(const struct lost_statics *s, const struct extent *e, Dwarf_Die *die)
{
	uint64_t line = die_declared(die, DW_AT_decl_line);
	const char *file = e->from <= line && line <= e->to ? file_of(s, die) : NULL;

	return file && !strcmp(file, e->file);
}

static bool is_nameless(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subprogram && !dwarf_hasattr(die, DW_AT_name) &&
	       !dwarf_hasattr(die, DW_AT_low_pc) && !dwarf_hasattr(die, DW_AT_ranges) &&
	       !dwarf_hasattr(die, DW_AT_abstract_origin) &&
	       !dwarf_hasattr(die, DW_AT_specification);
}

static bool may_hold(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_namespace || is_nameless(die);
}

/* Another function begins between the one of the call and that line, or where that one does, as
 * other instances of a template do. */
static bool is_of_other(const struct lost_statics *s, const struct extent *e, uint64_t line)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	Dwarf_Die origin;

	for (bool more = die_walk_start(&w, s->root); more;) {
		Dwarf_Die *die = die_walk_here(&w);
		bool own = die->addr == e->written.addr || die->addr == s->function->addr ||
			   (die_origin(die, &origin) && origin.addr == e->written.addr);
		if (dwarf_tag(die) == DW_TAG_subprogram && !own && is_within(s, e, die) &&
		    die_declared(die, DW_AT_decl_line) <= line)
			return true;
		more = die_walk_next(&w, dwarf_tag(die) == DW_TAG_namespace);
	}
	return false;
}

/* What the linker calls what lies at a variable's address. NULL: not known. */
static const char *name_in_file(const struct lost_statics *s, Dwarf_Die *die)
{
	struct location_code code;
	struct symbol symbol;
	Dwarf_Attribute place;

	location_reader_get(dwarf_attr(die, DW_AT_location, &place), 0, &code);
	if (code.missing || code.n != 1 || code.ops[0].atom != DW_OP_addr)
		return NULL;
	const taddr addr = code.ops[0].number + s->bias;
	return symbol_at(s->symbols, addr, &symbol) && symbol.addr == addr ? symbol.name : NULL;
}

/* By the linker's names: "_ZZ3runIiEvT_E5total" is of "_Z3runIiEvT_", and of what clang 19 calls
 * "_Z3runIiEvT_.omp_outlined_debug__". 0: they do not tell. */
static int compare_names(const struct lost_statics *s, struct extent *e, Dwarf_Die *die)
{
	const char *its = die_name(die, s->spans), *of = die_name(&e->written, s->spans);

	if (its && strncmp(its, "_ZZ", 3) != 0)
		its = name_in_file(s, die);
	if (!its || !of || strncmp(its, "_ZZ", 3) != 0 || strncmp(of, "_Z", 2) != 0)
		return 0;
	const size_t len = strcspn(of + 2, ".");
	return !strncmp(its + 3, of + 2, len) && its[3 + len] == 'E' ? 1 : -1;
}

/* ---- by what code refers to -------------------------------------------------------------- */

static void add_place(const struct lost_statics *s, Dwarf_Die *die, struct code_places *plain,
		      struct code_places *local)
{
	struct location_code code;
	Dwarf_Attribute place;
	struct symbol symbol;

	location_reader_get(dwarf_attr(die, DW_AT_location, &place), 0, &code);
	if (code.missing || !code.n)
		return;
	const taddr at = code.ops[0].number;
	if (location_reader_is_thread_local(&code))
		code_places_add(local, at, 1);
	else if (code.n == 1 && code.ops[0].atom == DW_OP_addr)
		code_places_add(plain, at,
				symbol_at(s->symbols, at + s->bias, &symbol) ? symbol.size : 1);
}

/* The code around the call refers to a variable of that function without a name. */
static bool refers(const struct lost_statics *s, Dwarf_Die *nameless)
{
	struct target *t = symbol_modules(s->symbols)->target;
	struct code_places plain = { .bias = s->bias }, local = { .local = true };
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	taddr last;

	for (bool more = die_walk_start(&w, nameless); more; more = die_walk_next(&w, true))
		add_place(s, die_walk_here(&w), &plain, &local);
	local.by_slots = !tls_program_block(t, s->module, &local.bias);
	code_places_look(&plain, t, s->function, s->bias);
	code_places_look(&local, t, s->function, s->bias);
	return code_places_referred(&plain, &last) || code_places_referred(&local, &last);
}

static bool is_same(const struct lost_statics *s, Dwarf_Die *a, Dwarf_Die *b)
{
	const char *x = die_plain_name(a, s->spans), *y = die_plain_name(b, s->spans);

	return dwarf_tag(b) == DW_TAG_variable && x && y && !strcmp(x, y) &&
	       die_declared(a, DW_AT_decl_line) == die_declared(b, DW_AT_decl_line);
}

/* Of those that declare the variable there, which are instances of a template. */
static bool refers_alone(const struct lost_statics *s, const Dwarf_Die *nameless, Dwarf_Die *die)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	bool its = false;

	for (bool more = die_walk_start(&w, s->root); more;) {
		Dwarf_Die *here = die_walk_here(&w);
		Dwarf_Die *around = w.depth > 1 ? &w.path[w.depth - 2] : NULL;
		if (around && is_nameless(around) && is_same(s, die, here) && refers(s, around)) {
			if (around->addr != nameless->addr)
				return false;
			its = true;
		}
		more = die_walk_next(&w, may_hold(here));
	}
	return its;
}

static bool is_of_call(const struct lost_statics *s, struct extent *e, const Dwarf_Die *nameless,
		       Dwarf_Die *die)
{
	if (dwarf_tag(die) != DW_TAG_variable || !is_within(s, e, die))
		return false;
	int sure = compare_names(s, e, die);
	return sure ? sure > 0
		    : !is_of_other(s, e, die_declared(die, DW_AT_decl_line)) ||
			       refers_alone(s, nameless, die);
}

void lost_statics_each(const struct lost_statics *s, bool (*found)(void *context, Dwarf_Die *die),
		       void *context)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	struct extent e;

	if (!find_extent(s, &e))
		return;
	for (bool more = die_walk_start(&w, s->root); more;) {
		Dwarf_Die *die = die_walk_here(&w);
		Dwarf_Die *around = w.depth > 1 ? &w.path[w.depth - 2] : NULL;
		if (around && is_nameless(around) && is_of_call(s, &e, around, die) &&
		    !found(context, die))
			return;
		more = die_walk_next(&w, may_hold(die));
	}
}
