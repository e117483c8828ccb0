/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <dwarf.h>
#include <string.h>
#include <strings.h>

#include "target/symbols/variable_reader.h"
#include "target/symbols/variables.h"

enum { PATH_DEPTH_MAX = 8 };

struct search {
	struct variables *v;
	enum variable_sort sort;
	const char *file; /* NULL: any                                       */
	const char *tag;  /* "struct": NULL: any                             */
	const char *name; /* with its scopes                                 */
	const char *last; /* without                                         */
	struct variable *ret;
	int (*compare)(const char *a, const char *b); /* of names, in the unit that is searched */
	bool nested; /* what was found lies in scopes that were not asked for */
};

static bool is_sought(enum variable_sort sort, int tag)
{
	switch (sort) {
	case VARIABLE_DATA:
		return tag == DW_TAG_variable || tag == DW_TAG_constant;
	case VARIABLE_FUNCTION:
		return tag == DW_TAG_subprogram;
	case VARIABLE_ENUMERATOR:
		return tag == DW_TAG_enumerator;
	case VARIABLE_TYPE:
		return tag == DW_TAG_base_type || tag == DW_TAG_typedef ||
		       tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
		       tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type;
	}
	return false;
}

static bool holds_names(enum variable_sort sort, int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type ||
	       (sort == VARIABLE_ENUMERATOR && tag == DW_TAG_enumeration_type);
}

static bool tag_fits(const struct search *s, int tag)
{
	static const struct {
		const char *word;
		int tags[2];
	} words[] = {
		{ "struct", { DW_TAG_structure_type, DW_TAG_class_type } },
		{ "class", { DW_TAG_class_type, DW_TAG_structure_type } },
		{ "union", { DW_TAG_union_type } },
		{ "enum", { DW_TAG_enumeration_type } },
	};

	for (size_t i = 0; s->tag && i < sizeof(words) / sizeof(*words); i++) {
		if (!strcmp(words[i].word, s->tag))
			return tag == words[i].tags[0] || tag == words[i].tags[1];
	}
	return true;
}

/* Of a function: it has code. All else is no mere declaration. */
static bool is_defined(enum variable_sort sort, Dwarf_Die *die)
{
	if (sort == VARIABLE_FUNCTION)
		return die_entry(die) != 0;
	return !dwarf_hasattr(die, DW_AT_declaration);
}

/* "ns::Class::" of the entries around the current one. */
static void add_scopes(struct die_walk *w, const struct dwarf_spans *spans, struct buf *ret)
{
	for (size_t i = 0; i + 1 < w->depth && i < PATH_DEPTH_MAX; i++) {
		const char *name = die_plain_name(&w->path[i], spans);
		if (dwarf_tag(&w->path[i]) == DW_TAG_enumeration_type)
			continue;
		buf_adds(ret, name ? name : "(anonymous namespace)");
		buf_adds(ret, "::");
	}
}

/* Its name with all scopes. What is defined outside of its scope has a linkage name to tell. */
static void add_full_name(struct search *s, struct die_walk *w, const struct dwarf_spans *spans,
			  struct buf *ret)
{
	const char *linkage = die_name(die_walk_here(w), spans);

	bool outside = w->depth == 1 || dwarf_hasattr(die_walk_here(w), DW_AT_specification);
	if (linkage && outside && linkage[0] == '_' && linkage[1] == 'Z') {
		AUTO_FREE char *shown = symbol_demangle(linkage);
		size_t len = shown ? strcspn(shown, "(") : 0;
		buf_add(ret, shown, len);
		return;
	}
	add_scopes(w, spans, ret);
	buf_adds(ret, s->last);
}

static bool has_place(Dwarf_Die *die)
{
	Dwarf_Attribute its;

	return dwarf_hasattr(die, DW_AT_location) ||
	       dwarf_attr_integrate(die, DW_AT_const_value, &its);
}

/* 2: it is what is sought; 1: it lies in more scopes; 0: it is something else. */
static int judge(struct search *s, struct die_walk *w, struct variable_unit *u)
{
	Dwarf_Die *die = die_walk_here(w);
	const char *name = die_plain_name(die, &u->spans);

	if (!name || s->compare(name, s->last) || !tag_fits(s, dwarf_tag(die)) ||
	    !is_defined(s->sort, die))
		return 0;
	AUTO_BUF full = { 0 };
	add_full_name(s, w, &u->spans, &full);
	size_t len = strlen(s->name), has = full.len;
	if (has < len || s->compare(buf_text(&full) + (has - len), s->name))
		return 0;
	if (s->sort == VARIABLE_DATA && !has_place(die))
		return has >= len; /* optimized out; there may be one elsewhere that is not */
	return has == len ? 2 : has >= len + 2 && full.data[has - len - 1] == ':';
}

/* true: found, and nothing is better. */
static bool search_unit(struct search *s, struct variable_unit *u)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };

	if (s->file) {
		const char *path = die_plain_name(&u->root, &u->spans);
		size_t len = strlen(s->file), has = path ? strlen(path) : 0;
		if (has < len || strcmp(path + (has - len), s->file) ||
		    (has > len && path[has - len - 1] != '/'))
			return false;
	}
	s->compare = die_is_fortran(&u->root) ? strcasecmp : strcmp;
	for (bool more = die_walk_start(&w, &u->root); more;) {
		int tag = dwarf_tag(die_walk_here(&w));
		int fits = is_sought(s->sort, tag) ? judge(s, &w, u) : 0;
		if (fits == 2 || (fits && !s->nested)) {
			const struct type *type = s->ret->type;
			*s->ret = variable_reader_make(s->v, u, die_walk_here(&w), NULL);
			if (s->sort == VARIABLE_ENUMERATOR)
				s->ret->type =
					w.depth > 1 ? variable_reader_make(
							      s->v, u, &w.path[w.depth - 2], NULL)
							      .type
						    : type;
			s->nested = fits == 1;
		}
		if (fits == 2)
			return true;
		more = die_walk_next(&w, holds_names(s->sort, tag));
	}
	return false;
}

/* The entries of a split unit are in another file. */
static bool find_split(struct search *s, struct module *m, Dwarf_Die *die, taddr bias,
		       struct variable_unit *ret)
{
	struct die_ranges r = { 0 };

	(void)m;
	return die_next_range(die, &r) && r.start &&
	       variable_reader_unit(s->v, r.start + bias, ret);
}

static bool search_module(struct search *s, struct module *m)
{
	struct debuginfo *d = symbol_files(s->v->symbols, m);
	struct variable_unit u = { .module = m };
	Dwarf *dwarf = d ? debuginfo_dwarf(d, &u.bias) : NULL;
	Dwarf_CU *cu = NULL;
	uint8_t type;

	if (!dwarf)
		return false;
	const struct elf_file f = { .elf = dwarf_getelf(dwarf) };
	Dwarf *alt = dwarf_getalt(dwarf);
	const struct elf_file alt_file = { .elf = alt ? dwarf_getelf(alt) : NULL };
	dwarf_check_add_spans(&f, &u.spans);
	dwarf_check_add_spans(&alt_file, &u.spans);
	const struct variable_unit whole = u;
	while (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &u.root, NULL) == 0) {
		Dwarf_Die root = u.root;
		bool split = type == DW_UT_skeleton && root.addr;
		if (type == DW_UT_type || type == DW_UT_split_type || !root.addr ||
		    (split && !find_split(s, m, &root, whole.bias, &u)))
			continue;
		bool found = search_unit(s, &u);
		u = whole;
		if (found)
			return true;
	}
	return false;
}

static bool search_all(struct search *s, taddr pc)
{
	struct module_list *list = symbol_modules(s->v->symbols);
	struct module *here = module_at(list, pc), *exe = module_exe(list);
	struct variable_unit u;

	if (pc && variable_reader_unit(s->v, pc, &u) && search_unit(s, &u))
		return true;
	if (here && search_module(s, here))
		return true;
	if (exe && exe != here && search_module(s, exe))
		return true;
	for (size_t i = 0; i < list->len; i++) {
		struct module *m = list->items[i];
		if (m != here && m != exe && search_module(s, m))
			return true;
	}
	return s->nested;
}

/* ---- static variables of functions ------------------------------------------------------ */

static bool first_function(void *context, const struct symbol *symbol)
{
	if (!symbol->function)
		return true;
	*(taddr *)context = symbol->addr;
	return false;
}

/* "work::count" */
static bool find_static(struct search *s)
{
	size_t len = (size_t)(s->last - s->name);
	AUTO_FREE char *function = len > 2 ? strndup(s->name, len - 2) : NULL;
	struct variable_unit u;
	Dwarf_Die chain[CU_LEVELS_MAX];
	struct unit_here here;
	taddr at = 0;

	if (!function || s->sort != VARIABLE_DATA)
		return false;
	symbol_find(s->v->symbols, function, first_function, &at);
	if (!at || !variable_reader_unit(s->v, at, &u))
		return false;
	if (!symbol_unit_at(s->v->symbols, at, &here) ||
	    !cu_chain(here.cu, at - here.bias, chain, CU_LEVELS_MAX))
		return false;
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	for (bool more = die_walk_start(&w, &chain[0]); more;) {
		Dwarf_Die *die = die_walk_here(&w);
		int tag = dwarf_tag(die);
		const char *name = tag == DW_TAG_variable ? die_plain_name(die, &u.spans) : NULL;
		if (name && !strcmp(name, s->last)) {
			*s->ret = variable_reader_make(s->v, &u, die, &chain[0]);
			s->ret->pc = at;
			return true;
		}
		more = die_walk_next(&w, tag == DW_TAG_lexical_block);
	}
	return false;
}

/* "struct foo": takes the word away. */
static const char *split_tag(const char **name)
{
	static const char *const words[] = { "struct ", "class ", "union ", "enum " };
	static const char *const tags[] = { "struct", "class", "union", "enum" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!strncmp(*name, words[i], strlen(words[i]))) {
			*name += strlen(words[i]);
			return tags[i];
		}
	}
	return NULL;
}

bool variables_find_global(struct variables *v, enum variable_sort sort, taddr pc, const char *file,
			   const char *name, struct variable *ret)
{
	struct search s = { .v = v, .sort = sort, .file = file, .ret = ret };
	struct variable found = { 0 };

	variable_reader_begin(v);
	s.ret = &found;
	s.tag = sort == VARIABLE_TYPE ? split_tag(&name) : NULL;
	s.name = s.last = name;
	for (const char *at = name; (at = strstr(at, "::")); at += 2)
		s.last = at + 2;
	if (!search_all(&s, pc) && !(s.last != name && find_static(&s)))
		return false;
	*ret = found;
	return true;
}
