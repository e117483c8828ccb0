/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/sorted.h"
#include "target/symbols/cu_entries.h"
#include "target/symbols/place_parts.h"

enum { FUNCTIONS_MAX = 4 << 20 };

/* ---- functions ----------------------------------------------------------------------------------
 */

struct listing {
	struct symbol_table *symbols;
	struct module *module;
	taddr bias;
	struct hash_map starts; /* addresses of functions that are in the list */
	VEC(struct known_function) found;
	struct error *err;
};

static bool add_function(struct listing *l, struct known_function f)
{
	struct map_item *item = map_add(&l->starts, f.entry);

	if (item && item->number)
		return true;
	if (!item || !f.name || l->found.len >= FUNCTIONS_MAX || !vec_push(&l->found, f)) {
		l->err = &error_nomem;
		return false;
	}
	item->number = 1;
	return true;
}

static bool list_entry(struct listing *l, struct cu *cu, Dwarf_Die *die)
{
	const char *name = die_name(die, cu_spans(cu));
	uint64_t line = die_declared(die, DW_AT_decl_line);
	taddr entry = die_start(die);

	if (!entry || !name)
		return true;
	return add_function(
		l,
		(struct known_function){
			.name = symbol_shown_name(l->symbols, name),
			.file = cu_lines(cu) ? line_table_file(cu_lines(cu),
							       die_declared(die, DW_AT_decl_file))
					     : NULL,
			.line = line <= INT_MAX ? (int)line : 0,
			.entry = entry + l->bias,
			.module = l->module,
		});
}

static bool list_unit(void *context, struct cu *cu, bool has_code)
{
	struct listing *l = context;
	struct die_walk w = { .left = DIE_ENTRIES_MAX };

	(void)has_code;
	l->err = symbol_check_interrupt(l->symbols);
	for (bool more = !l->err && die_walk_start(&w, cu_root(cu)); more && !l->err;) {
		int tag = dwarf_tag(die_walk_here(&w));
		if (tag == DW_TAG_subprogram)
			list_entry(l, cu, die_walk_here(&w));
		more = die_walk_next(&w, die_may_hold_functions(tag));
	}
	return !l->err;
}

static bool list_symbol(void *context, const struct symtab_entry *e)
{
	struct listing *l = context;

	if (!e->function)
		return true;
	return add_function(l, (struct known_function){
				       .name = symbol_shown_name(l->symbols, e->name),
				       .entry = e->addr + l->module->bias,
				       .module = l->module,
			       });
}

static void list_modules(struct listing *l)
{
	struct module_list *list = symbol_modules(l->symbols);

	for (size_t i = 0; i < list->len && !l->err; i++) {
		l->module = list->items[i];
		struct cu_index *units = symbol_units(l->symbols, l->module, &l->bias);
		if (units)
			cu_index_for_each(units, list_unit, l);
		struct symtab *symtab = l->err ? NULL : symbol_symtab(l->symbols, l->module);
		if (symtab)
			symtab_for_each(symtab, list_symbol, l);
	}
}

/* Those without a file come last. */
static int by_file(const void *a, const void *b)
{
	const struct known_function *x = a, *y = b;
	int order = x->file && y->file ? strcmp(x->file, y->file) : !x->file - !y->file;

	if (!order)
		order = strcmp(x->name, y->name);
	return order ? order : sorted_order(x->entry, y->entry);
}

struct error *places_functions(struct symbol_table *s,
			       bool (*found)(void *context, const struct known_function *f),
			       void *context)
{
	struct listing l = { .symbols = s };

	list_modules(&l);
	if (l.found.len)
		qsort(l.found.items, l.found.len, sizeof(*l.found.items), by_file);
	for (size_t i = 0; i < l.found.len && !l.err; i++) {
		if (!found(context, &l.found.items[i]))
			break;
	}
	vec_fini(&l.found);
	map_fini(&l.starts);
	return l.err;
}

struct data_listing {
	struct symbol_table *symbols;
	struct module *module;
	bool (*found)(void *context, const struct known_function *f);
	void *context;
	bool more;
};

static bool list_data(void *context, const struct symtab_entry *e)
{
	struct data_listing *l = context;
	const struct known_function f = {
		.name = symbol_shown_name(l->symbols, e->name),
		.entry = e->addr + l->module->bias,
		.module = l->module,
	};

	l->more = e->function || l->found(l->context, &f);
	return l->more;
}

static bool list_local(void *context, const struct symtab_entry *e)
{
	struct data_listing *l = context;
	const struct known_function f = {
		.name = symbol_shown_name(l->symbols, e->name),
		.local = true,
		.module = l->module,
	};

	l->more = l->found(l->context, &f);
	return l->more;
}

struct error *places_data(struct symbol_table *s,
			  bool (*found)(void *context, const struct known_function *f),
			  void *context)
{
	struct module_list *list = symbol_modules(s);
	struct data_listing l = { .symbols = s, .found = found, .context = context, .more = true };
	struct error *err = NULL;

	for (size_t i = 0; i < list->len && l.more && !err; i++) {
		l.module = list->items[i];
		struct symtab *symtab = symbol_symtab(s, l.module);
		if (symtab)
			symtab_for_each(symtab, list_data, &l);
		if (symtab && l.more)
			symtab_for_each_local(symtab, list_local, &l);
		err = symbol_check_interrupt(s);
	}
	return err;
}

/* ---- files
 * --------------------------------------------------------------------------------------- */

struct files {
	struct symbol_table *symbols;
	struct hash_map seen; /* hashes of paths      */
	VEC(const char *) paths;
	struct error *err;
};

static bool list_files(void *context, struct cu *cu, bool has_code)
{
	struct files *f = context;
	struct line_table *lines = cu_lines(cu);

	(void)has_code;
	f->err = symbol_check_interrupt(f->symbols);
	for (uint64_t i = 0; !f->err && lines && i < line_table_files(lines); i++) {
		const char *path = line_table_file(lines, i);
		struct map_item *item =
			path ? map_add(&f->seen, hash_text(HASH_START, path)) : NULL;
		if (item && !item->number && !vec_push(&f->paths, path))
			f->err = &error_nomem;
		if (item)
			item->number = 1;
	}
	return !f->err;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct error *places_files(struct symbol_table *s, bool (*found)(void *context, const char *path),
			   void *context)
{
	struct files f = { .symbols = s };
	struct module_list *list = symbol_modules(s);

	for (size_t i = 0; i < list->len && !f.err; i++) {
		taddr bias;
		struct cu_index *units = symbol_units(s, list->items[i], &bias);
		if (units)
			cu_index_for_each(units, list_files, &f);
	}
	if (f.paths.len)
		qsort(f.paths.items, f.paths.len, sizeof(*f.paths.items), by_path);
	for (size_t i = 0; i < f.paths.len && !f.err; i++) {
		if (!found(context, f.paths.items[i]))
			break;
	}
	vec_fini(&f.paths);
	map_fini(&f.seen);
	return f.err;
}
