/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/name_scopes.h"

#include <dwarf.h>
#include <string.h>

enum { NAMES_MAX = 64, BASES_MAX = 8 };

void scoped_names_fini(struct scoped_names *l)
{
	vec_for_each (item, l)
		free(*item);
	vec_fini(l);
}

/* ---- names ------------------------------------------------------------------------------ */

const char *name_scopes_last(const char *name)
{
	const char *last = name;
	size_t depth = 0;

	for (const char *p = name; *p; p++) {
		if (*p == '<' || *p == '(')
			depth++;
		else if ((*p == '>' || *p == ')') && depth)
			depth--;
		else if (!depth && p[0] == ':' && p[1] == ':')
			last = p + 2;
	}
	return last;
}

static bool is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* The basic type whose words begin at p, "long unsigned int", as C calls it; NULL: none. */
static const char *basic_at(const char *p, size_t *ret_len)
{
	const char *found = NULL;
	char words[64];

	for (size_t len = 0; len < sizeof(words) - 1;) {
		len += strspn(p + len, " ");
		size_t end = len;
		while (is_word(p[end]))
			end++;
		if (end == len || end >= sizeof(words))
			break;
		memcpy(words, p, end);
		words[end] = '\0';
		const struct type *t = type_find_basic(words);
		if (t) {
			found = t->name;
			*ret_len = end;
		}
		len = end;
	}
	return found;
}

/* With basic types in one form: compilers write the arguments of templates in several. */
static char *canonical(const char *name)
{
	AUTO_BUF out = { 0 };
	size_t len;

	for (const char *p = name; *p;) {
		bool begins = p == name || !is_word(p[-1]);
		const char *basic = begins && is_word(*p) ? basic_at(p, &len) : NULL;
		if (basic)
			buf_adds(&out, basic);
		else
			buf_addc(&out, *p);
		p += basic ? len : 1;
	}
	return buf_ok(&out) ? strdup(buf_text(&out)) : NULL;
}

static int compare(const char *a, const char *b)
{
	for (;; a++, b++) {
		a += strspn(a, " ");
		b += strspn(b, " ");
		if (*a != *b || !*a)
			return (unsigned char)*a - (unsigned char)*b;
	}
}

int name_scopes_compare(const char *a, const char *b)
{
	int differ = compare(a, b);

	if (!differ || !strchr(a, '<') || !strchr(b, '<'))
		return differ;
	AUTO_FREE char *x = canonical(a), *y = canonical(b);
	return x && y ? compare(x, y) : differ;
}

struct finder {
	struct die_lists *lists;
	struct variable_unit *unit;
	const char *name;
	size_t first; /* characters of its first part                         */
	struct scoped_names *list;
	bool nomem;
};

static void add(struct finder *f, const char *prefix, const char *name)
{
	AUTO_BUF full = { 0 };

	if (f->list->len == NAMES_MAX)
		return;
	buf_adds(&full, prefix);
	buf_adds(&full, name);
	if (!buf_ok(&full) || !vec_push(f->list, full.data)) {
		f->nomem = true;
		return;
	}
	full = (struct buf){ 0 };
}

/* Where it was declared: of a copy of a function, of what is defined outside of its scope. */
static Dwarf_Die declared(Dwarf_Die die)
{
	static const unsigned int ways[] = { DW_AT_abstract_origin, DW_AT_specification };
	Dwarf_Attribute its;
	Dwarf_Die origin;

	for (size_t i = 0; i < 2; i++) {
		if (dwarf_formref_die(dwarf_attr(&die, ways[i], &its), &origin))
			die = origin;
	}
	return die;
}

/* The full name of an entry. */
static void add_full(struct finder *f, Dwarf_Die *die, struct buf *out)
{
	const char *name = die_plain_name(die, &f->unit->spans);
	Dwarf_Die decl = declared(*die);

	die_add_scopes(f->lists, &decl, &f->unit->spans, out);
	buf_adds(out, name ? name : "(anonymous namespace)");
}

/* ---- what is brought in ------------------------------------------------------------------ */

/* "using namespace ns", "using ns::x", "namespace n = ns": at an entry that says so. */
static void take_import(struct finder *f, Dwarf_Die *die)
{
	const char *alias = die_string(die, DW_AT_name, &f->unit->spans);
	Dwarf_Attribute its;
	Dwarf_Die what;
	AUTO_BUF full = { 0 };

	if (!dwarf_formref_die(dwarf_attr(die, DW_AT_import, &its), &what))
		return;
	if (dwarf_tag(die) == DW_TAG_imported_module) {
		add_full(f, &what, &full);
		buf_adds(&full, "::");
		add(f, buf_text(&full), f->name);
		return;
	}
	const char *name = alias ? alias : die_plain_name(&what, &f->unit->spans);
	if (!name || strlen(name) != f->first || strncmp(name, f->name, f->first))
		return;
	add_full(f, &what, &full);
	add(f, buf_text(&full), f->name + f->first);
}

static bool covers(Dwarf_Die *die, Dwarf_Addr addr)
{
	struct die_ranges r = { 0 };

	for (size_t i = 0; i < 4096 && die_next_range(die, &r); i++) {
		if (r.start <= addr && addr < r.end)
			return true;
	}
	return false;
}

static void take_imports_of(int tag, struct finder *f, const Dwarf_Die *scope, bool blocks,
			    Dwarf_Addr addr)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };

	for (bool more = die_walk_start(&w, scope); more;) {
		Dwarf_Die *die = die_walk_here(&w);
		int its = dwarf_tag(die);
		if (its == tag)
			take_import(f, die);
		more = die_walk_next(&w,
				     blocks && its == DW_TAG_lexical_block && covers(die, addr));
	}
}

/*
 * What is said directly in a scope; in a function, in its blocks around addr, too. "using ns::x"
 * makes x the scope's own, which hides what "using namespace" brings (C++17, 6.4.3.2).
 */
static void take_imports(struct finder *f, const Dwarf_Die *scope, bool blocks, Dwarf_Addr addr)
{
	take_imports_of(DW_TAG_imported_declaration, f, scope, blocks, addr);
	take_imports_of(DW_TAG_imported_module, f, scope, blocks, addr);
}

/* ---- scopes ----------------------------------------------------------------------------- */

static void take_class(struct finder *f, Dwarf_Die *class, size_t depth);

/* The classes that one inherits from. */
static void take_bases(struct finder *f, const Dwarf_Die *class, size_t depth)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };

	for (bool more = depth < BASES_MAX && die_walk_start(&w, class); more;) {
		Dwarf_Die *die = die_walk_here(&w);
		Dwarf_Attribute its;
		Dwarf_Die base;
		if (dwarf_tag(die) == DW_TAG_inheritance &&
		    dwarf_formref_die(dwarf_attr(die, DW_AT_type, &its), &base))
			take_class(f, &base, depth + 1);
		more = die_walk_next(&w, false);
	}
}

/* A class, and those. */
static void take_class(struct finder *f, Dwarf_Die *class, size_t depth)
{
	AUTO_BUF full = { 0 };

	add_full(f, class, &full);
	buf_adds(&full, "::");
	add(f, buf_text(&full), f->name);
	take_bases(f, class, depth);
}

/* From the inside out; what a namespace brings in is looked for with what it holds. */
static void take_scopes(struct finder *f, Dwarf_Die *function)
{
	Dwarf_Die around[DIE_DEPTH_MAX], decl = declared(*function);

	for (size_t n = die_around(f->lists, &decl, around); n-- > 0;) {
		AUTO_BUF full = { 0 };
		int tag = dwarf_tag(&around[n]);
		if (tag == DW_TAG_class_type || tag == DW_TAG_structure_type) {
			take_class(f, &around[n], 0);
		} else if (tag == DW_TAG_namespace) {
			add_full(f, &around[n], &full);
			buf_adds(&full, "::");
			add(f, buf_text(&full), f->name);
			take_imports(f, &around[n], false, 0);
		}
	}
}

bool name_scopes_find(struct variables *v, struct variable_unit *u, const Dwarf_Die *top,
		      Dwarf_Addr addr, const char *name, struct scoped_names *ret)
{
	bool outermost = !strncmp(name, "::", 2);
	struct finder f = { .lists = &v->reader.lists,
			    .unit = u,
			    .name = name + (outermost ? 2 : 0),
			    .list = ret };

	f.first = strcspn(f.name, ":<");
	if (!outermost && die_is_cxx(&u->root)) {
		Dwarf_Die function = top ? *top : u->root;
		Dwarf_Die origin;
		if (top) {
			take_imports(&f, top, true, addr);
			if (die_origin(&function, &origin))
				take_imports(&f, &origin, false, 0);
			take_scopes(&f, &function);
		}
		add(&f, "", f.name);
		take_imports(&f, &u->root, false, 0);
	} else {
		add(&f, "", f.name);
	}
	return !f.nomem;
}

/* Of a namespace or a class: its last part is the same, and all of them. */
static bool is_scope_of(struct finder *f, Dwarf_Die *scope, const char *name)
{
	const char *own = die_plain_name(scope, &f->unit->spans), *last = name_scopes_last(name);
	const size_t len = last > name + 2 ? (size_t)(last - name) - 2 : 0,
		     n = own ? strlen(own) : 0;
	AUTO_BUF full = { 0 };

	if (!n || n > len || strncmp(name + (len - n), own, n) != 0)
		return false;
	add_full(f, scope, &full);
	return full.len == len && !strncmp(buf_text(&full), name, len);
}

bool name_scopes_find_brought(struct variables *v, struct variable_unit *u,
			      struct scoped_names *names)
{
	struct finder f = { .lists = &v->reader.lists, .unit = u, .list = names };
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	const size_t n = names->len;

	for (bool more = n && die_is_cxx(&u->root) && die_walk_start(&w, &u->root); more;) {
		Dwarf_Die *die = die_walk_here(&w);
		const bool space = dwarf_tag(die) == DW_TAG_namespace;
		const bool scope = space || dwarf_tag(die) == DW_TAG_class_type ||
				   dwarf_tag(die) == DW_TAG_structure_type;
		for (size_t i = 0; scope && i < n; i++) {
			if (!is_scope_of(&f, die, names->items[i]))
				continue;
			AUTO_FREE char *last = strdup(name_scopes_last(names->items[i]));
			f.name = last ? last : "";
			f.first = strlen(f.name);
			if (space)
				take_imports(&f, die, false, 0);
			else
				take_bases(&f, die, 0);
			f.nomem |= !last;
		}
		more = die_walk_next(&w, space);
	}
	return !f.nomem && names->len > n;
}
