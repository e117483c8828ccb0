/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/sorted.h"
#include "target/symbols/cu_entries.h"
#include "target/symbols/demangle.h"
#include "target/symbols/function_name.h"
#include "target/symbols/ifunc.h"
#include "target/symbols/place_parts.h"
#include "target/symbols/plt.h"

enum { ORIGINS_MAX = 8 };

/* A search of one name in all modules. */
struct search {
	struct symbol_table *symbols;
	const struct places_query *query;
	struct function_name asked;
	struct module *module;
	taddr bias;
	struct hash_map entries; /* of .debug_info that are such functions, by offset */
	struct hash_map starts;  /* addresses that are in "found"                      */
	VEC(struct cu *) units;  /* borrowed; with code                                */
	bool from_elsewhere;     /* such a function is in a unit without code          */
	bool has_dwarf;          /* the module has functions of that name in its DWARF */
	struct code_places found;
	struct error *err;
};

/* ---- which entries have the name ---------------------------------------------------------- */

static bool matches(const struct search *s, const char *name, bool any_case)
{
	struct function_name parsed;

	if (!name || !function_name_parse(name, &parsed))
		return false;
	bool is_it = function_name_matches(&s->asked, &parsed, any_case) &&
		     (!s->query->qualified || parsed.nparts == s->asked.nparts);
	function_name_fini(&parsed);
	return is_it;
}

/* Of C++, known elsewhere without a linkage name, as main() and extern "C": it has no overloads. */
static bool matches_without_parameters(struct search *s, const char *name)
{
	const char *parameters = s->asked.parameters;

	s->asked.parameters = NULL;
	bool is_it = matches(s, name, false);
	s->asked.parameters = parameters;
	return is_it;
}

/* Its own plain name could be the last part of what was asked for. */
static bool may_match(const struct search *s, const char *name, bool any_case)
{
	const struct name_part *last = function_name_last(&s->asked);
	size_t len = last->base;

	if ((any_case ? strncasecmp(name, last->text, len) : strncmp(name, last->text, len)) != 0)
		return !strncmp(last->text, "operator", strlen("operator")) &&
		       !strncmp(name, "operator", strlen("operator"));
	return !name[len] || name[len] == '<' || name[len] == ' ' || name[len] == '[';
}

/* The scopes around the current entry and its name, as they are written. Fortran's functions are
 * scopes, too. */
static void add_scopes(struct die_walk *w, const struct dwarf_spans *spans, bool fortran,
		       struct buf *ret)
{
	for (size_t i = 0; i < w->depth; i++) {
		const char *name = NULL;
		switch (dwarf_tag(&w->path[i])) {
		case DW_TAG_subprogram:
			if (!fortran || i + 1 == w->depth)
				break;
			/* fall through */
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
			name = die_string(&w->path[i], DW_AT_name, spans);
			buf_addf(ret, "%s::", name ? name : "(anonymous namespace)");
			break;
		default:
			break;
		}
	}
	const char *name = die_string(&w->path[w->depth - 1], DW_AT_name, spans);
	buf_adds(ret, name ? name : "");
}

static bool entry_matches(struct search *s, struct cu *cu, struct die_walk *w, bool any_case)
{
	Dwarf_Die *die = die_walk_here(w);
	const struct dwarf_spans *spans = cu_spans(cu);
	const char *name = die_string(die, DW_AT_name, spans);
	AUTO_BUF text = { 0 };

	if (!name || !may_match(s, name, any_case))
		return false;
	const char *linkage = die_string(die, DW_AT_linkage_name, spans);
	AUTO_FREE char *shown = linkage ? demangle_name(linkage) : NULL;
	if (matches(s, shown, any_case))
		return true;
	add_scopes(w, spans, any_case, &text);
	if (!linkage && cu_is_cxx(cu) && dwarf_hasattr(die, DW_AT_external))
		return matches_without_parameters(s, buf_text(&text));
	return matches(s, buf_text(&text), any_case);
}

static bool note_unit(void *context, struct cu *cu, bool has_code)
{
	struct search *s = context;

	vec_for_each (known, &s->units) {
		if (*known == cu)
			return true;
	}
	if (has_code && !vec_push(&s->units, cu))
		s->err = &error_nomem;
	return !s->err;
}

/* Which of a unit's entries have the name. */
static bool note_entries(void *context, struct cu *cu, bool has_code)
{
	struct search *s = context;
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	bool any_case = cu_is_fortran(cu), any = false;

	s->err = symbol_check_interrupt(s->symbols);
	for (bool more = !s->err && die_walk_start(&w, cu_root(cu)); more;) {
		int tag = dwarf_tag(die_walk_here(&w));
		if ((tag == DW_TAG_subprogram || tag == DW_TAG_entry_point) &&
		    entry_matches(s, cu, &w, any_case)) {
			struct map_item *item =
				map_add(&s->entries, dwarf_dieoffset(die_walk_here(&w)));
			any |= item != NULL;
			if (item)
				item->number = 1;
		}
		more = die_walk_next(&w, die_may_hold_functions(tag));
	}
	s->from_elsewhere |= any && !has_code;
	return !s->err && (!any || note_unit(s, cu, has_code));
}

static bool note_fortran_entries(void *context, struct cu *cu, bool has_code)
{
	return !cu_is_fortran(cu) || note_entries(context, cu, has_code);
}

/* ---- their code ----------------------------------------------------------------------------- */

static bool add_place(struct search *s, taddr addr, const char *function)
{
	struct map_item *item = map_add(&s->starts, addr);

	if (!item || item->number)
		return item;
	item->number = 1;
	s->err = place_add(s->symbols,
			   &(struct meant_code){ .addr = addr,
						 .function = function,
						 .exact = s->query->exact_entry },
			   &s->found);
	return !s->err;
}

/* Whether an entry, or what it is an instance of, has the name. */
static bool is_noted(const struct search *s, const Dwarf_Die *die)
{
	static const unsigned int links[] = { DW_AT_abstract_origin, DW_AT_specification };
	Dwarf_Die here = *die;

	for (size_t i = 0; i < ORIGINS_MAX; i++) {
		Dwarf_Attribute link;
		bool any = false;
		if (map_find(&s->entries, dwarf_dieoffset(&here)))
			return true;
		for (size_t j = 0; j < 2 && !any; j++)
			any = dwarf_attr(&here, links[j], &link) && dwarf_formref_die(&link, &here);
		if (!any)
			return false;
	}
	return false;
}

static bool may_hold_code(int tag)
{
	return die_may_hold_functions(tag) || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/* The code of the functions that were noted, in one unit. */
static void find_code(struct search *s, struct cu *cu)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };

	for (bool more = die_walk_start(&w, cu_root(cu)); more;) {
		Dwarf_Die *die = die_walk_here(&w);
		int tag = dwarf_tag(die);
		if ((tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
		     tag == DW_TAG_entry_point) &&
		    is_noted(s, die)) {
			taddr entry = die_start(die);
			if (entry && !add_place(s, entry + s->bias, die_name(die, cu_spans(cu))))
				return;
		}
		more = die_walk_next(&w, may_hold_code(tag));
	}
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return sorted_order(*x, *y);
}

/* Units that have copies of functions of others: those of programs that were optimised as a whole.
 */
static void note_users(struct search *s, struct cu_index *units)
{
	AUTO_FREE uint32_t *offsets = reallocarray(NULL, s->entries.len + 1, sizeof(*offsets));
	size_t n = 0;

	if (!offsets || !s->from_elsewhere)
		return;
	map_for_each (item, &s->entries) {
		if (item->key <= UINT32_MAX)
			offsets[n++] = (uint32_t)item->key;
	}
	qsort(offsets, n, sizeof(*offsets), by_number);
	cu_index_with_references(units, offsets, n, note_unit, s);
}

/* Whatever case a name of Fortran is written in, compilers put it down in small letters. */
static void search_small(struct search *s, struct cu_index *units, const struct name_part *name)
{
	AUTO_FREE char *small = strndup(name->text, name->base);

	for (char *p = small; p && *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (!small)
		s->err = s->err ? s->err : &error_nomem;
	if (!s->err && strncmp(small, name->text, name->base) != 0)
		cu_index_with_name(units, small, name->base, note_fortran_entries, s);
}

static void search_dwarf(struct search *s)
{
	struct cu_index *units = symbol_units(s->symbols, s->module, &s->bias);
	const struct name_part *last = function_name_last(&s->asked);

	if (!units)
		return;
	s->units.len = 0;
	s->from_elsewhere = false;
	map_fini(&s->entries);
	cu_index_with_name(units, last->text, last->base, note_entries, s);
	search_small(s, units, last);
	if (!s->err)
		note_users(s, units);
	for (size_t i = 0; i < s->units.len && !s->err; i++)
		find_code(s, s->units.items[i]);
}

/* ---- the symbol table ------------------------------------------------------------------------ */

/* Made by the compiler for the function, and no function of that name. */
static bool is_helper(const char *shown)
{
	return strstr(shown, "[clone ") || strstr(shown, " thunk to ") ||
	       !strncmp(shown, "guard variable", strlen("guard variable"));
}

static bool symbol_matches(const struct search *s, const char *name)
{
	if (!strcmp(name, s->query->name))
		return true;
	if (strncmp(name, "_Z", 2) != 0 && strncmp(name, "__", 2) != 0)
		return false;
	if (name[1] == 'Z' && !function_name_may_be_mangled(&s->asked, name))
		return false;
	AUTO_FREE char *shown = demangle_name(name);
	return shown && strcmp(shown, name) != 0 && !is_helper(shown) &&
	       matches(s, shown, name[1] == '_');
}

/* Hand-written code has no types. */
static bool is_code(const struct search *s, const struct symtab_entry *e, taddr addr)
{
	const struct map *map = map_list_find(&symbol_modules(s->symbols)->maps, addr);

	return e->function ||
	       (map && map->flags & (MAP_EXEC | MAP_NO_FLAGS) && !strcmp(e->name, s->query->name));
}

/* Functions with DWARF of that name are what is meant, too: versions for several processors. */
static bool add_chosen(struct search *s, const char *name, taddr resolver)
{
	struct map_item *item = map_add(&s->starts, resolver);
	taddr chosen = ifunc_chosen(s->symbols, s->module, name, resolver);

	if (chosen)
		return add_place(s, chosen, name);
	if (!item || item->number)
		return item;
	item->number = 1;
	return vec_push(&s->found, (struct code_place){ .addr = resolver,
							.entry = resolver,
							.function = name,
							.module = s->module,
							.resolver = true });
}

static bool look_at_symbol(void *context, const struct symtab_entry *e)
{
	struct search *s = context;
	taddr addr = e->addr + s->module->bias;

	if (e->resolver && symbol_matches(s, e->name))
		return s->has_dwarf || add_chosen(s, e->name, addr);
	return !symbol_matches(s, e->name) || !is_code(s, e, addr) || add_place(s, addr, e->name);
}

static bool note_symbol(void *context, const struct symbol *symbol)
{
	*(bool *)context |= symbol->function;
	return !symbol->function;
}

static bool look_at_stub(void *context, const char *name, taddr stub)
{
	struct search *s = context;
	bool defined = false;

	if (!symbol_matches(s, name))
		return true;
	symbol_find(s->symbols, name, note_symbol, &defined);
	return defined || add_place(s, stub, name);
}

/* The program's way to functions that are in no module (yet). */
static void search_stubs(struct search *s)
{
	struct module *exe = module_exe(symbol_modules(s->symbols));
	struct debuginfo *d = exe ? symbol_files(s->symbols, exe) : NULL;

	if (d)
		plt_for_each(d, symbol_modules(s->symbols)->target, exe, look_at_stub, s);
}

/* ---- all --------------------------------------------------------------------------------------
 */

static struct error *search_modules(struct search *s)
{
	AUTO_FREE struct module **modules = symbol_modules_in_order(s->symbols);
	size_t n = symbol_modules(s->symbols)->len;

	for (size_t i = 0; modules && i < n && !s->err; i++) {
		s->module = modules[i];
		size_t before = s->found.len;
		search_dwarf(s);
		s->has_dwarf = s->found.len > before;
		struct symtab *symtab = symbol_symtab(s->symbols, s->module);
		if (symtab && !s->err)
			symtab_for_each(symtab, look_at_symbol, s);
	}
	if (!s->err)
		search_stubs(s);
	return modules ? s->err : &error_nomem;
}

/* The file that a compile unit was made of. */
static bool unit_is_file(struct symbol_table *s, taddr addr, const char *file)
{
	struct unit_here unit;

	if (!symbol_unit_at(s, addr, &unit))
		return false;
	Dwarf_Die root = *cu_root(unit.cu);
	const char *name = die_string(&root, DW_AT_name, cu_spans(unit.cu));
	return name && place_is_file(name, file);
}

static void keep_file(struct symbol_table *s, struct code_places *found, const char *file)
{
	size_t kept = 0;

	vec_for_each (p, found) {
		if ((p->file && place_is_file(p->file, file)) || unit_is_file(s, p->addr, file))
			found->items[kept++] = *p;
	}
	found->len = kept;
}

struct error *places_of_function(struct symbol_table *s, const struct places_query *q,
				 struct code_places *ret)
{
	struct search search = { .symbols = s, .query = q };

	if (!function_name_parse(q->name, &search.asked)) {
		*ret = (struct code_places){ 0 };
		return NULL;
	}
	struct error *err = search_modules(&search);
	vec_fini(&search.units);
	map_fini(&search.entries);
	map_fini(&search.starts);
	function_name_fini(&search.asked);
	if (err) {
		vec_fini(&search.found);
		return err;
	}
	if (q->file)
		keep_file(s, &search.found, q->file);
	places_sort(&search.found);
	*ret = search.found;
	return NULL;
}

/* ---- labels -----------------------------------------------------------------------------------
 */

/* It is where it is written, even if the line of its code is the next one. */
static struct error *add_label(struct symbol_table *s, Dwarf_Die *die, taddr addr,
			       struct code_places *ret)
{
	const struct meant_code meant = { .addr = addr, .exact = true };
	struct error *err = place_add(s, &meant, ret);
	uint64_t line = die_number(die, DW_AT_decl_line);

	if (!err && ret->len && line && line <= INT_MAX)
		ret->items[ret->len - 1].line = (int)line;
	return err;
}

struct error *places_of_label(struct symbol_table *s, taddr pc, const char *label,
			      struct code_places *ret)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	struct unit_here here;
	Dwarf_Die function;
	struct error *err = NULL;

	if (!symbol_unit_at(s, pc, &here) || !cu_function_at(here.cu, pc - here.bias, &function))
		return NULL;
	for (bool more = die_walk_start(&w, &function); more && !err;) {
		Dwarf_Die *die = die_walk_here(&w);
		int tag = dwarf_tag(die);
		const char *name =
			tag == DW_TAG_label ? die_string(die, DW_AT_name, cu_spans(here.cu)) : NULL;
		taddr addr = name && !strcmp(name, label) ? die_entry(die) : 0;
		if (addr)
			err = add_label(s, die, addr + here.bias, ret);
		more = die_walk_next(&w, tag == DW_TAG_lexical_block);
	}
	return err;
}
