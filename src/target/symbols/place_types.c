/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "target/symbols/cu_entries.h"
#include "target/symbols/die_lists.h"
#include "target/symbols/place_parts.h"

enum { TYPES_MAX = 4 << 20 };

static const struct {
	int tag;
	const char *word; /* NULL: its name is enough */
} kinds[] = {
	{ DW_TAG_structure_type, "struct" }, { DW_TAG_class_type, "class" },
	{ DW_TAG_union_type, "union" },      { DW_TAG_enumeration_type, "enum" },
	{ DW_TAG_typedef, "typedef" },       { DW_TAG_base_type, NULL },
};

struct listing {
	struct symbol_table *symbols;
	struct die_lists lists; /* owned; of the unit that is walked */
	VEC(struct known_type) found;
	struct error *err;
};

static void list_type(struct listing *l, struct cu *cu, Dwarf_Die *die, const char *word)
{
	const char *name = die_string(die, DW_AT_name, cu_spans(cu));
	uint64_t line = die_number(die, DW_AT_decl_line);
	AUTO_BUF full = { 0 };

	if (!name || dwarf_hasattr(die, DW_AT_declaration))
		return;
	die_add_scopes(&l->lists, die, cu_spans(cu), &full);
	buf_adds(&full, name);
	struct known_type t = {
		.name = buf_ok(&full) ? strdup(buf_text(&full)) : NULL,
		.word = word,
		.line = line <= INT_MAX ? (int)line : 0,
		.file = line && cu_lines(cu)
				? line_table_file(cu_lines(cu), die_number(die, DW_AT_decl_file))
				: NULL,
	};
	if (t.name && l->found.len < TYPES_MAX && vec_push(&l->found, t))
		return;
	free(t.name);
	l->err = &error_nomem;
}

static bool list_unit(void *context, struct cu *cu, bool has_code)
{
	struct listing *l = context;
	struct die_walk w = { .left = DIE_ENTRIES_MAX };

	(void)has_code;
	l->err = symbol_check_interrupt(l->symbols);
	for (bool more = !l->err && die_walk_start(&w, cu_root(cu)); more && !l->err;) {
		Dwarf_Die *die = die_walk_here(&w);
		int tag = dwarf_tag(die);
		for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
			if (tag == kinds[i].tag)
				list_type(l, cu, die, kinds[i].word);
		}
		more = die_walk_next(&w, tag != DW_TAG_subprogram && die_may_hold_functions(tag));
	}
	die_lists_fini(&l->lists);
	return !l->err;
}

/* Those without a file come last. */
static int by_file(const void *a, const void *b)
{
	const struct known_type *x = a, *y = b;
	int order = x->file && y->file ? strcmp(x->file, y->file) : !x->file - !y->file;

	if (!order)
		order = strcmp(x->name, y->name);
	return order ? order : sorted_order(x->line, y->line);
}

struct error *places_types(struct symbol_table *s,
			   bool (*found)(void *context, const struct known_type *t), void *context)
{
	struct listing l = { .symbols = s };
	struct module_list *list = symbol_modules(s);
	bool more = true;
	taddr bias;

	for (size_t i = 0; i < list->len && !l.err; i++) {
		struct cu_index *units = symbol_units(s, list->items[i], &bias);
		if (units)
			cu_index_for_each(units, list_unit, &l);
	}
	if (l.found.len)
		qsort(l.found.items, l.found.len, sizeof(*l.found.items), by_file);
	for (size_t i = 0; i < l.found.len && !l.err && more; i++) {
		/* Each unit that knows it tells of it. */
		if (!i || by_file(&l.found.items[i - 1], &l.found.items[i]) != 0)
			more = found(context, &l.found.items[i]);
	}
	vec_for_each (t, &l.found)
		free(t->name);
	vec_fini(&l.found);
	return l.err;
}
