/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/gcc_faults.h"

#include <dwarf.h>
#include <string.h>

#include "base/text.h"
#include "target/symbols/code_places.h"
#include "target/symbols/symtab.h"
#include "target/symbols/tls.h"

/* gcc copies entries with the place of their declaration. */
static bool is_same(const struct variable_unit *u, Dwarf_Die *a, Dwarf_Die *b)
{
	static const unsigned int places[] = { DW_AT_decl_file, DW_AT_decl_line,
					       DW_AT_decl_column };
	const char *x = die_plain_name(a, &u->spans), *y = die_plain_name(b, &u->spans);
	bool same = a->addr != b->addr && x && y && !strcmp(x, y);

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		same = same && die_declared(a, places[i]) == die_declared(b, places[i]);
	return same && die_declared(a, DW_AT_decl_line);
}

/* The common block that an entry lies in. */
static bool common_of(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Die around[DIE_DEPTH_MAX];
	size_t n = die_is_fortran(die) ? die_around(NULL, die, around) : 0;

	if (!n || dwarf_tag(&around[n - 1]) != DW_TAG_common_block)
		return false;
	*ret = around[n - 1];
	return true;
}

static bool may_hold_variables(int tag)
{
	return tag == DW_TAG_common_block || tag == DW_TAG_lexical_block;
}

bool gcc_faults_original(const struct variable_unit *u, Dwarf_Die *die, Dwarf_Die *function,
			 Dwarf_Die *ret, Dwarf_Die *ret_function)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	Dwarf_Die around[DIE_DEPTH_MAX], block;

	if (dwarf_tag(die) != DW_TAG_variable || !die_is_fortran(die) || common_of(die, &block))
		return false;
	for (size_t n = die_around(NULL, function, around); n-- > 0;) {
		*ret_function = around[n];
		if (dwarf_tag(ret_function) != DW_TAG_subprogram)
			continue;
		for (bool more = die_walk_start(&w, ret_function); more;) {
			*ret = *die_walk_here(&w);
			if (common_of(ret, &block) && is_same(u, die, ret))
				return true;
			more = die_walk_next(&w, may_hold_variables(dwarf_tag(ret)));
		}
	}
	return false;
}

bool gcc_faults_placed(struct variable_unit *u, Dwarf_Die *die, Dwarf_Die *ret)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	Dwarf_Die block, other;

	if (!common_of(die, &block))
		return false;
	const char *name = die_string(&block, DW_AT_linkage_name, &u->spans);
	for (bool more = die_walk_start(&w, &u->root); more && name;) {
		Dwarf_Die *here = die_walk_here(&w);
		int tag = dwarf_tag(here);
		*ret = *here;
		const char *its =
			tag == DW_TAG_variable && common_of(here, &other) && is_same(u, die, ret)
				? die_string(&other, DW_AT_linkage_name, &u->spans)
				: NULL;
		if (its && !strcmp(its, name) && dwarf_hasattr(ret, DW_AT_location))
			return true;
		more = die_walk_next(&w, die_may_hold_functions(tag) || may_hold_variables(tag));
	}
	return false;
}

/* ---- static variables ------------------------------------------------------------------- */

enum { KINDS = 4 }; /* of enum gcc_static */

/* What has been found of a variable before. *ret: its place, or 0. */
static bool recall(const struct variables *v, const Dwarf_Die *die, enum gcc_static *ret_its,
		   taddr *ret)
{
	const struct map_item *known = map_find(&v->statics, map_key(die->addr));
	const taddr number = known ? (taddr)known->number : 0;

	*ret = number / KINDS;
	*ret_its = (enum gcc_static)(number % KINDS);
	return known;
}

static void remember(struct variables *v, const Dwarf_Die *die, enum gcc_static its, taddr at)
{
	struct map_item *known = map_add(&v->statics, map_key(die->addr));

	if (known)
		known->number = (int64_t)(at * KINDS + its);
}

/* Places of static variables of that name: "count.0", as far as no entry has them. */
struct unclaimed {
	const char *name;
	struct code_places places;
	bool many;
};

static bool is_numbered(const char *symbol, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(symbol, name, len) != 0 || symbol[len] != '.')
		return false;
	return text_is_number(symbol + len + 1);
}

/* C++ ABI (Itanium), 5.1.6: of a function, _ZZ f E, with the length before the name; behind it "_0"
 * and the like where the function has several of that name. */
static bool is_mangled(const char *symbol, const char *name)
{
	AUTO_BUF own = { 0 };

	buf_addf(&own, "E%zu%s", strlen(name), name);
	if (!buf_ok(&own) || strncmp(symbol, "_ZZ", 3) != 0)
		return false;
	for (const char *at = symbol; (at = strstr(at, buf_text(&own))); at++) {
		const char *behind = at + own.len;
		if (!behind[strspn(behind, "_0123456789")] && (!*behind || *behind == '_'))
			return true;
	}
	return false;
}

static bool take_symbol(void *context, const struct symtab_entry *entry)
{
	struct unclaimed *c = context;
	bool numbered = !entry->global && is_numbered(entry->name, c->name);

	if (entry->function || (!numbered && !is_mangled(entry->name, c->name)))
		return true;
	c->many = !code_places_add(&c->places, entry->addr, entry->size);
	return !c->many;
}

static bool is_place(bool local, const Dwarf_Op *ops, size_t n)
{
	if (!local)
		return n == 1 && ops[0].atom == DW_OP_addr;
	return n == 2 &&
	       (ops[1].atom == DW_OP_GNU_push_tls_address || ops[1].atom == DW_OP_form_tls_address);
}

static void claim(struct unclaimed *c, Dwarf_Die *die)
{
	struct code_places *p = &c->places;
	Dwarf_Attribute its;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_getlocation(dwarf_attr(die, DW_AT_location, &its), &ops, &n) != 0 ||
	    !is_place(p->local, ops, n))
		return;
	for (size_t i = 0; i < p->n; i++) {
		if (p->place[i].addr == ops[0].number)
			p->place[i] = p->place[--p->n];
	}
}

static bool is_variable(Dwarf_Die *die, const char *name, const struct dwarf_spans *spans)
{
	const char *its = dwarf_tag(die) == DW_TAG_variable ? die_plain_name(die, spans) : NULL;

	return its && !strcmp(its, name);
}

/* Takes away what entries have for places. false: another variable of that name has none. */
static bool claim_all(struct unclaimed *c, struct variable_unit *u, Dwarf_Die *die)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	bool alone = true;

	for (bool more = die_walk_start(&w, &u->root); more;) {
		Dwarf_Die *here = die_walk_here(&w);
		int tag = dwarf_tag(here);
		if (is_variable(here, c->name, &u->spans)) {
			claim(c, here);
			alone = alone && (here->addr == die->addr || is_same(u, here, die) ||
					  dwarf_hasattr_integrate(here, DW_AT_location));
		}
		more = die_walk_next(&w, die_may_hold_functions(tag) || may_hold_variables(tag));
	}
	return alone;
}

static bool is_constant_type(Dwarf_Die *die)
{
	Dwarf_Die type;

	return die_type(die, &type) && dwarf_tag(&type) == DW_TAG_const_type;
}

static bool is_gcc(const char *producer)
{
	return producer && !strncmp(producer, "GNU ", 4);
}

static bool is_construct(Dwarf_Die *function, const struct dwarf_spans *spans)
{
	const char *name = die_plain_name(function, spans);

	return name && strstr(name, "._omp_fn.");
}

/* Code of the unit's constructs. */
static void read_constructs(struct code_places *p, struct variable_unit *u, struct target *t)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };

	for (bool more = die_walk_start(&w, &u->root); more;) {
		Dwarf_Die *here = die_walk_here(&w);
		int tag = dwarf_tag(here);
		if (tag == DW_TAG_subprogram && is_construct(here, &u->spans))
			code_places_look(p, t, here, u->bias);
		more = die_walk_next(&w, die_may_hold_functions(tag) || may_hold_variables(tag));
	}
}

/* ---- static variables that only constructs use ------------------------------------------- */

/*
 * Those of that name that nothing describes and that code of constructs refers to: their number, or
 * more where there may be more; 0: what is described is a constant.
 */
static size_t find_used(struct symtab *symtab, struct variable_unit *u, struct target *t,
			Dwarf_Die *die, bool local, taddr *ret)
{
	struct unclaimed c = { die_plain_name(die, &u->spans),
			       { .local = local, .bias = u->bias },
			       false };

	if (local && !tls_program_block(t, u->module, &c.places.bias))
		return 0;
	(local ? symtab_for_each_local : symtab_for_each)(symtab, take_symbol, &c);
	const bool alone = !c.places.n || claim_all(&c, u, die);
	if (!c.places.n)
		return 0;
	read_constructs(&c.places, u, t);
	const size_t n = code_places_referred(&c.places, ret);
	return n && !alone ? 2 : n + c.many;
}

static enum gcc_static find_static(struct variables *v, struct variable_unit *u, struct target *t,
				   Dwarf_Die *die, taddr *ret)
{
	struct symtab *symtab = symbol_symtab(v->symbols, u->module);
	Dwarf_Die around[DIE_DEPTH_MAX];
	taddr own = 0;

	if (!symtab || !die_plain_name(die, &u->spans) || is_constant_type(die) ||
	    !die_around(NULL, die, around) ||
	    !is_gcc(die_string(&u->root, DW_AT_producer, &u->spans)))
		return GCC_STATIC_NONE;
	const size_t n = find_used(symtab, u, t, die, false, ret);
	const size_t locals = find_used(symtab, u, t, die, true, &own);
	if (n + locals > 1)
		return GCC_STATIC_SEVERAL;
	*ret = locals ? own : *ret;
	return n ? GCC_STATIC_ONE : locals ? GCC_STATIC_LOCAL : GCC_STATIC_NONE;
}

enum gcc_static gcc_faults_static(struct variables *v, struct variable_unit *u, struct target *t,
				  Dwarf_Die *die, taddr *ret)
{
	enum gcc_static its;

	if (!recall(v, die, &its, ret)) {
		its = find_static(v, u, t, die, ret);
		remember(v, die, its, *ret);
	}
	return its;
}

/* ---- static variables that constructs declare -------------------------------------------- */

/* How many variables of the function have that name. */
static size_t count_named(const struct variable_unit *u, Dwarf_Die *function, const char *name)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	size_t n = 0;

	for (bool more = die_walk_start(&w, function); more;) {
		Dwarf_Die *here = die_walk_here(&w);
		n += is_variable(here, name, &u->spans);
		more = die_walk_next(&w, may_hold_variables(dwarf_tag(here)));
	}
	return n;
}

static enum gcc_static find_declared(struct variables *v, struct variable_unit *u, struct target *t,
				     Dwarf_Die *die, Dwarf_Die *function, bool local, taddr *ret)
{
	struct unclaimed c = { die_plain_name(die, &u->spans),
			       { .local = local, .bias = u->bias },
			       false };
	struct symtab *symtab = symbol_symtab(v->symbols, u->module);

	if (!symtab || !c.name)
		return GCC_STATIC_NONE;
	c.places.by_slots = local && !tls_program_block(t, u->module, &c.places.bias);
	(local ? symtab_for_each_local : symtab_for_each)(symtab, take_symbol, &c);
	if (!c.places.n)
		return GCC_STATIC_NONE;
	claim_all(&c, u, die);
	code_places_look(&c.places, t, function, u->bias);
	const size_t n = code_places_referred(&c.places, ret);
	if (n > 1 || (n && (c.many || count_named(u, function, c.name) > 1)))
		return GCC_STATIC_SEVERAL;
	return n == 0 ? GCC_STATIC_NONE : local ? GCC_STATIC_LOCAL : GCC_STATIC_ONE;
}

static bool is_of_construct(const struct variable_unit *u, Dwarf_Die *die, Dwarf_Die *function)
{
	return function->addr && dwarf_tag(die) == DW_TAG_variable &&
	       is_construct(function, &u->spans) && !die_is_fortran(die) &&
	       !dwarf_hasattr_integrate(die, DW_AT_artificial);
}

enum gcc_static gcc_faults_declared(struct variables *v, struct variable_unit *u, struct target *t,
				    Dwarf_Die *die, Dwarf_Die *function, taddr *ret)
{
	enum gcc_static its;

	if (!is_of_construct(u, die, function))
		return GCC_STATIC_NONE;
	if (!recall(v, die, &its, ret)) {
		its = find_declared(v, u, t, die, function, false, ret);
		if (its == GCC_STATIC_NONE)
			its = find_declared(v, u, t, die, function, true, ret);
		remember(v, die, its, *ret);
	}
	return its;
}

/* ---- calls that are put into each other -------------------------------------------------- */

/* The rows of the line table within a function. */
struct statements {
	taddr start, end;
	struct line_row first; /* behind that of the function itself; line 0: not found yet */
	bool inside, again;
};

static bool is_first(const struct statements *s, const struct line_row *row)
{
	return row->line == s->first.line && row->column == s->first.column &&
	       row->file == s->first.file;
}

static bool take_row(void *context, const struct line_row *row)
{
	struct statements *s = context;

	if (row->end || row->addr < s->start || row->addr >= s->end || !row->is_stmt)
		return true;
	if (!s->inside)
		s->inside = true; /* where the function is declared */
	else if (!s->first.line)
		s->first = *row;
	else if (is_first(s, row) && row->addr > s->first.addr)
		s->again = true;
	return !s->again;
}

bool gcc_faults_folded(struct variables *v, Dwarf_Die *die, Dwarf_Die *function, taddr pc)
{
	struct statements s = { 0 };
	Dwarf_Die around[DIE_DEPTH_MAX], origin;
	struct unit_here here;
	size_t depth =
		dwarf_tag(die) == DW_TAG_formal_parameter ? die_around(NULL, die, around) : 0;

	/* Not of what is inlined there: that has an entry of its own for each call. */
	if (!depth || around[depth - 1].addr != function->addr || !die_origin(function, &origin) ||
	    dwarf_lowpc(function, &s.start) != 0 || dwarf_highpc(function, &s.end) != 0 ||
	    !symbol_unit_at(v->symbols, pc, &here) || !cu_is_of_gcc(here.cu) || !cu_lines(here.cu))
		return false;
	line_table_rows(cu_lines(here.cu), take_row, &s);
	return s.again;
}
