/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <dwarf.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "target/symbols/function_name.h"
#include "target/symbols/name_scopes.h"
#include "target/symbols/variables.h"

enum { PATH_DEPTH_MAX = 8 };

struct search {
	struct variables *v;
	enum variable_sort sort;
	const char *file;          /* NULL: any                                       */
	const char *tag;           /* "struct": NULL: any                             */
	struct scoped_names names; /* owned: what it may be called, the best one first */
	size_t first, end;         /* those of them that are still looked for          */
	struct variable *ret;
	int (*compare)(const char *a, const char *b); /* of names, in the unit that is searched */
	bool found;
	bool nested; /* what was found lies in scopes that were not asked for */
};

static bool is_sought(enum variable_sort sort, int tag)
{
	switch (sort) {
	case VARIABLE_DATA:
	case VARIABLE_DECLARED:
		return tag == DW_TAG_variable || tag == DW_TAG_constant || tag == DW_TAG_member ||
		       tag == DW_TAG_namelist;
	case VARIABLE_FUNCTION:
		return tag == DW_TAG_subprogram;
	case VARIABLE_ENUMERATOR:
		return tag == DW_TAG_enumerator;
	case VARIABLE_VALUE:
		return is_sought(VARIABLE_DATA, tag) || tag == DW_TAG_subprogram ||
		       tag == DW_TAG_enumerator;
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
	       ((sort == VARIABLE_ENUMERATOR || sort == VARIABLE_VALUE) &&
		tag == DW_TAG_enumeration_type);
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

/* Of a function: it has code. All else is no mere declaration, unless that has the value, too. */
static bool is_defined(enum variable_sort sort, Dwarf_Die *die)
{
	if (dwarf_tag(die) == DW_TAG_subprogram)
		return die_entry(die) != 0;
	return !dwarf_hasattr(die, DW_AT_declaration) ||
	       (sort != VARIABLE_TYPE && dwarf_hasattr(die, DW_AT_const_value));
}

/* A scope whose names are as good as those of the scope around. */
static bool is_transparent(Dwarf_Die *scope, const char *name)
{
	int tag = dwarf_tag(scope);

	return !name || dwarf_hasattr(scope, DW_AT_export_symbols) ||
	       (tag == DW_TAG_enumeration_type && !dwarf_hasattr(scope, DW_AT_enum_class));
}

/* "ns::Class::" of the entries around one; all: of transparent ones, too. */
static void add_scopes(struct die_lists *lists, Dwarf_Die *die, const struct dwarf_spans *spans,
		       bool all, struct buf *ret)
{
	Dwarf_Die around[DIE_DEPTH_MAX];
	size_t n = die_around(lists, die, around);

	for (size_t i = 0; i < n && i < PATH_DEPTH_MAX; i++) {
		const char *name = die_plain_name(&around[i], spans);
		if (!all && is_transparent(&around[i], name))
			continue;
		buf_adds(ret, name ? name : "(anonymous namespace)");
		buf_adds(ret, "::");
	}
}

/* Without the tags that nobody has written: "name[abi:cxx11]". */
static void add_untagged(struct buf *out, const char *name, size_t len)
{
	static const char tag[] = "[abi:";
	const char *end = name + len, *start;

	while ((start = memmem(name, (size_t)(end - name), tag, strlen(tag)))) {
		const char *close = memchr(start, ']', (size_t)(end - start));
		buf_add(out, name, (size_t)(start - name));
		name = close ? close + 1 : end;
	}
	buf_add(out, name, (size_t)(end - name));
}

/* Its name with its scopes. What is defined outside of its scope has a linkage name to tell, or is
 * a type, which is declared there. */
static void add_full_name(struct die_lists *lists, struct die_walk *w,
			  const struct dwarf_spans *spans, bool all, struct buf *ret)
{
	const char *linkage = die_name(die_walk_here(w), spans);

	bool outside = w->depth == 1 || dwarf_hasattr(die_walk_here(w), DW_AT_specification);
	if (linkage && outside && linkage[0] == '_' && linkage[1] == 'Z') {
		AUTO_FREE char *shown = symbol_demangle(linkage);
		size_t len;
		const char *own = shown ? function_name_without_result(shown, &len) : NULL;
		if (own)
			add_untagged(ret, own, len);
		return;
	}
	const char *name = die_plain_name(die_walk_here(w), spans);
	add_scopes(lists, die_walk_here(w), spans, all, ret);
	buf_adds(ret, name ? name : "");
}

static enum variable_sort sort_of(int tag)
{
	static const enum variable_sort sorts[] = { VARIABLE_FUNCTION, VARIABLE_ENUMERATOR,
						    VARIABLE_TYPE };

	for (size_t i = 0; i < sizeof(sorts) / sizeof(*sorts); i++) {
		if (is_sought(sorts[i], tag))
			return sorts[i];
	}
	return VARIABLE_DATA;
}

static void take(struct search *s, struct die_walk *w, struct variable_unit *u)
{
	*s->ret = variable_reader_make(s->v, u, die_walk_here(w), NULL);
	s->ret->sort = sort_of(dwarf_tag(die_walk_here(w)));
	if (s->ret->sort == VARIABLE_ENUMERATOR && w->depth > 1)
		s->ret->type = variable_reader_make(s->v, u, &w->path[w->depth - 2], NULL).type;
}

/* "pi<double>" of a template whose name is "pi". */
static bool names_instance(int tag, const char *name, const char *asked)
{
	const size_t len = strlen(name);

	return tag == DW_TAG_variable && !strncmp(name, asked, len) && asked[len] == '<';
}

/* "<double>", by the parameters that clang tells of. */
static void add_arguments(struct search *s, Dwarf_Die *die, struct variable_unit *u,
			  struct buf *ret)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	int64_t value;

	for (bool more = die_walk_start(&w, die); more; more = die_walk_next(&w, false)) {
		const int tag = dwarf_tag(die_walk_here(&w));
		Dwarf_Attribute its;
		Dwarf_Die type;
		if (tag != DW_TAG_template_type_parameter && tag != DW_TAG_template_value_parameter)
			continue;
		buf_adds(ret, ret->len && ret->data[ret->len - 1] == '<' ? "" : ",");
		if (die_constant(dwarf_attr(die_walk_here(&w), DW_AT_const_value, &its), &value))
			buf_addf(ret, "%" PRId64, value);
		else if (dwarf_formref_die(dwarf_attr(die_walk_here(&w), DW_AT_type, &its), &type))
			type_add_name(ret, variable_reader_make(s->v, u, &type, NULL).type);
	}
}

/*
 * The name of a variable with the arguments of its template: the linker's, or if that is not told
 * that of the symbol at its place, or what its parameters come to.
 */
static void add_instance(struct search *s, struct die_walk *w, struct variable_unit *u,
			 struct buf *ret)
{
	const struct location_frame nowhere = { .target = NULL };
	const struct variable v = variable_reader_make(s->v, u, die_walk_here(w), NULL);
	const char *linkage = variables_linkage_name(&v);
	struct symbol symbol;
	struct location where;

	if (!linkage || strncmp(linkage, "_Z", 2) != 0) {
		variables_locate(s->v, &v, &nowhere, &where);
		linkage = where.parts[0].kind == LOCATION_MEMORY &&
					  symbol_at(s->v->symbols, where.parts[0].addr, &symbol)
				  ? symbol.name
				  : NULL;
	}
	AUTO_FREE char *shown = linkage ? symbol_demangle(linkage) : NULL;
	size_t len;
	const char *own = shown ? function_name_without_result(shown, &len) : NULL;
	if (own) {
		add_untagged(ret, own, len);
		return;
	}
	add_scopes(&s->v->reader.lists, die_walk_here(w), &u->spans, true, ret);
	buf_addf(ret, "%s<", die_plain_name(die_walk_here(w), &u->spans));
	add_arguments(s, die_walk_here(w), u, ret);
	buf_addc(ret, '>');
}

/* Which of the names that are looked for it has, with all scopes or but for transparent ones;
 * s->end: none. */
static size_t which_name(struct search *s, struct die_walk *w, struct variable_unit *u)
{
	AUTO_BUF full = { 0 }, plain = { 0 };

	add_full_name(&s->v->reader.lists, w, &u->spans, true, &full);
	add_full_name(&s->v->reader.lists, w, &u->spans, false, &plain);
	for (size_t i = s->first; i < s->end; i++) {
		if (!s->compare(buf_text(&full), s->names.items[i]) ||
		    !s->compare(buf_text(&plain), s->names.items[i]))
			return i;
	}
	for (size_t i = s->first; i < s->end; i++) {
		Dwarf_Die *die = die_walk_here(w);
		const char *name = die_plain_name(die, &u->spans);
		if (!names_instance(dwarf_tag(die), name, name_scopes_last(s->names.items[i])))
			continue;
		buf_clear(&full);
		add_instance(s, w, u, &full);
		if (!s->compare(buf_text(&full), s->names.items[i]))
			return i;
	}
	return s->end;
}

/* In Fortran what is in a module is known by its own name, too. */
static bool is_nested(struct search *s, struct die_walk *w, struct variable_unit *u)
{
	const char *name = s->names.items[s->names.len - 1];
	AUTO_BUF full = { 0 };

	add_full_name(&s->v->reader.lists, w, &u->spans, true, &full);
	size_t len = strlen(name), has = full.len;
	return s->compare == strcasecmp && has >= len + 2 && full.data[has - len - 1] == ':' &&
	       !strcasecmp(full.data + (has - len), name);
}

/* Takes the current entry if it is what is sought. true: nothing can be better. */
static bool judge(struct search *s, struct die_walk *w, struct variable_unit *u)
{
	Dwarf_Die *die = die_walk_here(w);
	const char *name = die_plain_name(die, &u->spans);
	bool known = false;

	for (size_t i = s->first; name && i < s->end && !known; i++) {
		const char *asked = name_scopes_last(s->names.items[i]);
		known = !s->compare(name, asked) || names_instance(dwarf_tag(die), name, asked);
	}
	/* A member that is not static is no variable. */
	if (!known || !tag_fits(s, dwarf_tag(die)) ||
	    (dwarf_tag(die) == DW_TAG_member && !dwarf_hasattr(die, DW_AT_declaration)))
		return false;
	size_t which = which_name(s, w, u);
	bool nested = which == s->end && !s->found && is_nested(s, w, u);
	if (which == s->end && !nested)
		return false;
	bool defined = is_defined(s->sort, die);
	/* The better names are not meant here: it is declared by this one. */
	if (!defined && which < s->end)
		s->end = which + 1;
	if (!defined && s->sort != VARIABLE_TYPE && s->sort != VARIABLE_DECLARED)
		return false;
	/* Optimized out, or declared only; there may be one elsewhere that is not. */
	bool lost = !defined ||
		    (sort_of(dwarf_tag(die)) == VARIABLE_DATA && !variables_have_place(die));
	if ((nested || lost) && s->found)
		return false;
	take(s, w, u);
	s->found = true;
	s->nested = nested || lost;
	s->end = nested || lost ? s->end : which;
	return s->end == s->first && !s->nested;
}

static enum die_language language_of(struct variable_unit *u)
{
	enum die_language its = die_language(&u->root);

	return its ? its : u->language;
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
	bool fortran = language_of(u) == DIE_LANGUAGE_FORTRAN;
	s->compare = fortran ? strcasecmp : name_scopes_compare;
	for (bool more = die_walk_start(&w, &u->root); more;) {
		int tag = dwarf_tag(die_walk_here(&w));
		if (is_sought(s->sort, tag) && judge(s, &w, u))
			return true;
		more = die_walk_next(&w, holds_names(s->sort, tag));
	}
	return false;
}

/* The entries of a split unit are in another file. */
static bool find_split(struct search *s, Dwarf_Die *die, taddr bias, struct variable_unit *ret)
{
	struct die_ranges r = { 0 };

	return die_next_range(die, &r) && r.start &&
	       variable_reader_unit(s->v, r.start + bias, ret);
}

/* The units of types that are in the file of a split unit. */
static bool search_types(struct search *s, const struct variable_unit *split)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(split->root.cu);
	struct variable_unit u = *split;
	Dwarf_CU *cu = NULL;
	uint8_t type;

	while (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &u.root, NULL) == 0) {
		bool types = type == DW_UT_type || type == DW_UT_split_type;
		if (types && u.root.addr && search_unit(s, &u))
			return true;
	}
	return false;
}

/* All units of a file; u: what they have in common. */
static bool search_file(struct search *s, struct variable_unit *u, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	uint8_t type;

	while (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &u->root, NULL) == 0) {
		struct variable_unit its = *u;
		bool split = type == DW_UT_skeleton && u->root.addr;
		if (!u->root.addr || (split && !find_split(s, &u->root, u->bias, &its)))
			continue;
		u->language = language_of(&its);
		if (search_unit(s, &its) || (split && search_types(s, &its)))
			return true;
	}
	return false;
}

static bool search_module(struct search *s, struct module *m)
{
	struct debuginfo *d = symbol_files(s->v->symbols, m);
	struct variable_unit u = { .module = m, .bias = m->bias };
	Dwarf *dwarf = d ? debuginfo_dwarf(d) : NULL;

	if (!dwarf)
		return false;
	const struct elf_file f = { .elf = dwarf_getelf(dwarf) };
	Dwarf *alt = dwarf_getalt(dwarf);
	const struct elf_file alt_file = { .elf = alt ? dwarf_getelf(alt) : NULL };
	dwarf_check_add_spans(&f, &u.spans);
	dwarf_check_add_spans(&alt_file, &u.spans);
	return search_file(s, &u, dwarf) || (alt && search_file(s, &u, alt));
}

static bool search_all(struct search *s, taddr pc)
{
	struct module_list *list = symbol_modules(s->v->symbols);
	struct module *here = module_at(list, pc), *exe = module_exe(list);
	struct variable_unit u;

	/* What is meant is declared in the unit that names it. */
	if (pc && variable_reader_unit(s->v, pc, &u) &&
	    (search_unit(s, &u) || (s->found && !s->nested)))
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
	return s->found;
}

/* ---- static variables of functions ------------------------------------------------------ */

static bool first_function(void *context, const struct symbol *symbol)
{
	if (!symbol->function)
		return true;
	*(taddr *)context = symbol->addr;
	return false;
}

/* Without its parameters. */
static size_t function_length(const char *name)
{
	const char *last = name_scopes_last(name);

	return (size_t)(last - name) + strcspn(last, "(");
}

/* Where the function of that name begins, in C++ with or without its parameters; 0: none. */
static taddr find_function(struct search *s, taddr pc, const char *name)
{
	AUTO_FREE char *plain = strndup(name, function_length(name));
	struct variable f;
	taddr at = 0;

	symbol_find(s->v->symbols, name, first_function, &at);
	if (!at && plain && variables_find_global(s->v, VARIABLE_FUNCTION, pc, NULL, plain, &f))
		at = f.entry;
	return at;
}

/* The variable or argument of that name in a function, or in one of its blocks. */
static bool find_in(const Dwarf_Die *function, struct variable_unit *u, const char *name,
		    Dwarf_Die *ret)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };

	for (bool more = die_walk_start(&w, function); more;) {
		Dwarf_Die *die = die_walk_here(&w);
		int tag = dwarf_tag(die);
		bool local = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
		const char *its = local ? die_plain_name(die, &u->spans) : NULL;
		if (its && !strcmp(its, name)) {
			*ret = *die;
			return true;
		}
		more = die_walk_next(&w, tag == DW_TAG_lexical_block);
	}
	return false;
}

/* "work::count" */
static bool find_static_named(struct search *s, taddr pc, const char *name)
{
	const char *last = name_scopes_last(name);
	size_t len = (size_t)(last - name);
	AUTO_FREE char *function = len > 2 ? strndup(name, len - 2) : NULL;
	struct variable_unit u;
	Dwarf_Die chain[CU_LEVELS_MAX];
	struct unit_here here;
	taddr at = function ? find_function(s, pc, function) : 0;

	if (!at || !variable_reader_unit(s->v, at, &u))
		return false;
	if (!symbol_unit_at(s->v->symbols, at, &here) ||
	    !cu_chain(here.cu, at - here.bias, chain, CU_LEVELS_MAX))
		return false;
	/* What is static has its place in what a copy of the function was made of. */
	Dwarf_Die origin, found;
	if (!find_in(&chain[0], &u, last, &found) &&
	    !(die_origin(&chain[0], &origin) && find_in(&origin, &u, last, &found)))
		return false;
	*s->ret = variable_reader_make(s->v, &u, &found, &chain[0]);
	s->ret->pc = at;
	s->ret->of_other = true;
	return true;
}

static bool find_static(struct search *s, taddr pc)
{
	bool found = false;

	if (s->sort != VARIABLE_DATA && s->sort != VARIABLE_VALUE)
		return false;
	for (size_t i = 0; i < s->names.len && !found; i++)
		found = find_static_named(s, pc, s->names.items[i]);
	return found;
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

/* What the name may be in full. false: out of memory. */
static bool find_names(struct search *s, taddr pc, const char *name)
{
	Dwarf_Die chain[CU_LEVELS_MAX];
	struct variable_unit u = { 0 };
	struct unit_here here;
	size_t n = 0;

	if (!pc || s->file || !variable_reader_unit(s->v, pc, &u) ||
	    !symbol_unit_at(s->v->symbols, pc, &here)) {
		char *only = strdup(name + (strncmp(name, "::", 2) ? 0 : 2));
		return only && (vec_push(&s->names, only) || (free(only), false));
	}
	n = cu_chain(here.cu, pc - here.bias, chain, CU_LEVELS_MAX);
	return name_scopes_find(s->v, &u, n ? &chain[n - 1] : NULL, pc - here.bias, name,
				&s->names);
}

/* "ns::x", which ns has by "using". */
static bool find_brought(struct search *s, taddr pc)
{
	const char *name = s->names.len ? s->names.items[s->names.len - 1] : "";
	struct variable_unit u = { 0 };

	s->first = s->names.len;
	if (name_scopes_last(name) == name || s->file || !pc ||
	    !variable_reader_unit(s->v, pc, &u) || !name_scopes_find_brought(s->v, &u, &s->names))
		return false;
	s->end = s->names.len;
	return search_all(s, pc);
}

bool variables_find_global(struct variables *v, enum variable_sort sort, taddr pc, const char *file,
			   const char *name, struct variable *ret)
{
	struct search s = { .v = v, .sort = sort, .file = file };
	struct variable found = { 0 };

	variable_reader_begin(v);
	s.ret = &found;
	s.tag = sort == VARIABLE_TYPE ? split_tag(&name) : NULL;
	bool ok = find_names(&s, pc, name);
	s.end = s.names.len;
	ok = ok && s.end && (search_all(&s, pc) || find_static(&s, pc) || find_brought(&s, pc));
	scoped_names_fini(&s.names);
	if (ok && s.nested && found.sort == VARIABLE_DATA)
		variables_find_instance(v, &found);
	if (ok)
		*ret = found;
	return ok;
}
