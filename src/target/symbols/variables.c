/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/variables.h"

#include <dwarf.h>
#include <string.h>
#include <strings.h>

#include "target/symbols/copied_in.h"
#include "target/symbols/gcc_faults.h"
#include "target/symbols/location_reader.h"
#include "target/symbols/lost_statics.h"
#include "target/symbols/member_reader.h"
#include "target/symbols/tls.h"
#include "target/symbols/variable_reader.h"

enum { VARIABLES_MAX = 1 << 14 };

/* What one file only declares another one may define. NULL: none does. */
static const struct type *defined_elsewhere(struct variables *v, const struct type *t)
{
	struct variable found;

	if (!t->name || !variables_find_global(v, VARIABLE_TYPE, 0, NULL, t->name, &found) ||
	    !found.type || found.type == t || !type_is_struct(found.type))
		return NULL;
	return type_strip(found.type);
}

static void read_members(void *context, struct type *t)
{
	struct variables *v = context;

	variable_reader_begin(v);
	const struct type *other =
		member_reader_read(&v->reader, t) ? NULL : defined_elsewhere(v, t);
	if (other)
		member_reader_copy(t, other);
}

static void read_others(void *context, struct type *t)
{
	struct variables *v = context;

	variable_reader_begin(v);
	const struct type *other =
		member_reader_read_others(&v->reader, t) ? NULL : defined_elsewhere(v, t);
	if (other)
		member_reader_copy_others(t, other);
}

/* Of a package of split units: in another one of them. */
static bool find_signed(void *context, struct module *m, uint64_t signature, Dwarf_Die *ret)
{
	struct variables *v = context;
	taddr bias;
	struct cu_index *cus = m ? symbol_units(v->symbols, m, &bias) : NULL;

	return cus && cu_index_find_type(cus, signature, ret);
}

struct variables *variables_new(struct symbol_table *symbols)
{
	struct variables *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->symbols = symbols;
	v->reader.find_signed = find_signed;
	v->reader.context = v;
	v->reader.store = type_store_new();
	if (!v->reader.store) {
		variables_free(v);
		return NULL;
	}
	type_store_set_source(v->reader.store,
			      &(struct type_source){ read_members, read_others, v });
	return v;
}

void variables_free(struct variables *v)
{
	if (!v)
		return;
	type_reader_forget(&v->reader);
	map_fini(&v->statics);
	map_fini(&v->passings);
	map_fini(&v->copied);
	if (v->reader.store)
		type_store_set_source(v->reader.store, NULL);
	type_store_free(v->reader.store);
	free(v);
}

struct type_store *variables_types(struct variables *v)
{
	return v->reader.store;
}

/* ---- in scope --------------------------------------------------------------------------- */

/* The function or inlined call of a level, and the function around it. */
struct scope_of_pc {
	struct variable_unit unit;
	struct cu *cu;
	Dwarf_Die top, function;
	taddr addr;              /* pc as the DWARF has it */
	struct hash_map *copied; /* borrowed: whether entries are of copied_in.h */
};

static bool find_scope(struct variables *v, taddr pc, size_t level, struct scope_of_pc *ret)
{
	Dwarf_Die chain[CU_LEVELS_MAX];
	struct unit_here here;

	variable_reader_begin(v);
	if (!symbol_unit_at(v->symbols, pc, &here))
		return false;
	taddr bias = here.bias;
	size_t n = cu_chain(here.cu, pc - bias, chain, CU_LEVELS_MAX);
	if (n == 0)
		return false;
	ret->unit = (struct variable_unit){ here.module, *cu_spans(here.cu), *cu_root(here.cu),
					    bias, 0 };
	ret->cu = here.cu;
	ret->top = chain[level < n ? n - 1 - level : 0];
	ret->function = chain[0];
	ret->addr = pc - bias;
	ret->copied = &v->copied;
	return true;
}

/* An entry without addresses holds everywhere. */
static bool covers(Dwarf_Die *die, taddr addr)
{
	struct die_ranges r = { 0 };
	bool any = false;

	for (size_t i = 0; i < 4096 && die_next_range(die, &r); i++) {
		if (r.start <= addr && addr < r.end)
			return true;
		any = true;
	}
	return !any;
}

static bool is_block(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block || tag == DW_TAG_common_block;
}

/* depth: of blocks; 0: it is known only that the function has it, any other one hides it. */
typedef bool (*local_found)(void *context, Dwarf_Die *die, unsigned int depth);

static bool is_local(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_formal_parameter || tag == DW_TAG_variable || tag == DW_TAG_namelist;
}

/* The entry below top, or in its blocks, that stands for that one. */
static bool find_instance(const Dwarf_Die *top, const Dwarf_Die *of, unsigned long *left,
			  Dwarf_Die *ret)
{
	struct die_walk w = { .left = *left };
	Dwarf_Die origin;
	bool found = false;

	for (bool more = die_walk_start(&w, top); more && !found;) {
		Dwarf_Die *die = die_walk_here(&w);
		found = die_origin(die, &origin) && origin.addr == of->addr;
		*ret = *die;
		more = die_walk_next(&w, is_block(dwarf_tag(die)));
	}
	*left = w.left;
	return found;
}

/*
 * What is optimized away in a call that is inlined has an entry in the function itself alone, as
 * may have the blocks around it: where those were, nothing tells. Such a block can be left out only
 * where the call has one that stands for it and is elsewhere.
 */
static void for_each_inherited(struct scope_of_pc *s, local_found found, void *context)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	unsigned long left = DIE_ENTRIES_MAX;
	Dwarf_Die origin, instance;

	if (!die_origin(&s->top, &origin))
		return;
	for (bool more = die_walk_start(&w, &origin); more;) {
		Dwarf_Die *die = die_walk_here(&w);
		bool inside = false;
		if (is_local(die) && !find_instance(&s->top, die, &left, &instance) &&
		    !found(context, die, 0))
			return;
		if (is_block(dwarf_tag(die)))
			inside = !find_instance(&s->top, die, &left, &instance) ||
				 covers(&instance, s->addr);
		more = die_walk_next(&w, inside);
	}
}

/* Units are gone through for it, so what has been found is kept. */
static bool is_copied_in(struct scope_of_pc *s, Dwarf_Die *die)
{
	const struct map_item *known = map_find(s->copied, map_key(die->addr));

	if (known)
		return known->number;
	const bool its = copied_in_is_one(die, &s->top, &s->unit.spans) ||
			 copied_in_is_of_scan(die, &s->unit.spans);
	struct map_item *item = map_add(s->copied, map_key(die->addr));
	if (item)
		item->number = its;
	return its;
}

/* Calls "found" for each argument and variable that holds at s->addr, until it says false. */
static void for_each_in(struct scope_of_pc *s, local_found found, void *context)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };

	for (bool more = die_walk_start(&w, &s->top); more;) {
		Dwarf_Die *die = die_walk_here(&w);
		int tag = dwarf_tag(die);
		if (is_local(die) && !is_copied_in(s, die) &&
		    !found(context, die, (unsigned int)w.depth))
			return;
		more = die_walk_next(&w, is_block(tag) && covers(die, s->addr));
	}
	for_each_inherited(s, found, context);
}

/* Those of an inlined call that clang describes apart from it. */
static void for_each_lost(struct variables *v, struct scope_of_pc *s, taddr pc, size_t level,
			  bool (*found)(void *context, Dwarf_Die *die), void *context)
{
	const struct source_frame *levels;
	size_t n = 0;

	if (dwarf_tag(&s->top) != DW_TAG_inlined_subroutine || cu_is_of_gcc(s->cu))
		return;
	error_ignore(symbol_locate(v->symbols, pc, &levels, &n));
	const struct lost_statics lost = {
		.root = &s->unit.root,
		.call = &s->top,
		.function = &s->function,
		.line = level < n ? levels[level].line : 0,
		.spans = &s->unit.spans,
		.lines = cu_lines(s->cu),
		.symbols = v->symbols,
		.module = s->unit.module,
		.bias = s->unit.bias,
	};
	lost_statics_each(&lost, found, context);
}

struct local_search {
	const struct dwarf_spans *spans;
	int (*compare)(const char *a, const char *b); /* of names in that language */
	const char *name;
	Dwarf_Die best;
	unsigned int depth; /* of it */
	bool found, internal;
};

static bool match_local(void *context, Dwarf_Die *die, unsigned int depth)
{
	struct local_search *s = context;
	const char *name = die_plain_name(die, s->spans);

	if (!name || s->compare(name, s->name) != 0)
		return true;
	/* A later variable of the same block hides an earlier one; the compiler's own hide none. */
	const bool internal = variable_reader_is_internal(die, name);
	if (s->found && internal != s->internal ? internal : depth < s->depth)
		return true;
	s->best = *die;
	s->depth = depth;
	s->found = true;
	s->internal = internal;
	return true;
}

static bool match_lost(void *context, Dwarf_Die *die)
{
	return match_local(context, die, 0);
}

/* gfortran calls variables of namelists so, even where it says where they are. */
static bool is_declaration(Dwarf_Die *die)
{
	Dwarf_Attribute its;
	bool yes;

	return dwarf_formflag(dwarf_attr(die, DW_AT_declaration, &its), &yes) == 0 && yes &&
	       !variables_have_place(die);
}

bool variables_find_local(struct variables *v, taddr pc, size_t level, const char *name,
			  struct variable *ret)
{
	struct scope_of_pc s;

	if (!find_scope(v, pc, level, &s))
		return false;
	struct local_search search = {
		.spans = &s.unit.spans,
		.compare = die_is_fortran(&s.unit.root) ? strcasecmp : strcmp,
		.name = name,
	};
	for_each_in(&s, match_local, &search);
	if (!search.found)
		for_each_lost(v, &s, pc, level, match_lost, &search);
	if (!search.found)
		return false;
	if (is_declaration(&search.best))
		return variables_find_global(v, VARIABLE_DATA, pc, NULL, name, ret);
	*ret = variable_reader_make(v, &s.unit, &search.best, &s.function);
	ret->pc = pc;
	ret->depth = search.depth;
	return true;
}

/* ---- of functions around --------------------------------------------------------------- */

/* What the entry of an out-of-line copy was made of, which is where it was written. */
static Dwarf_Die written(Dwarf_Die die)
{
	Dwarf_Attribute its;
	Dwarf_Die origin;

	return dwarf_formref_die(dwarf_attr(&die, DW_AT_abstract_origin, &its), &origin) ? origin
											 : die;
}

/* The function that one of the entries around an entry belongs to. NULL: none. */
static Dwarf_Die *owner_of(Dwarf_Die *around, size_t n)
{
	for (n++; n-- > 0;) {
		if (dwarf_tag(&around[n]) == DW_TAG_subprogram)
			return &around[n];
	}
	return NULL;
}

bool variables_find_outer(struct variables *v, taddr pc, const char *name, struct variable *ret,
			  size_t *ret_inner)
{
	Dwarf_Die around[DIE_DEPTH_MAX];
	struct scope_of_pc s;

	*ret_inner = 0;
	if (!find_scope(v, pc, SIZE_MAX, &s))
		return false;
	Dwarf_Die here = written(s.function);
	for (size_t n = die_around(&v->reader.lists, &here, around); n-- > 0;) {
		struct local_search search = {
			.spans = &s.unit.spans,
			.compare = die_is_fortran(&s.unit.root) ? strcasecmp : strcmp,
			.name = name,
		};
		Dwarf_Die *owner = owner_of(around, n);
		if (!owner || (owner != &around[n] && !is_block(dwarf_tag(&around[n]))))
			continue;
		s.top = around[n];
		for_each_in(&s, match_local, &search);
		if (search.found) {
			*ret = variable_reader_make(v, &s.unit, &search.best, owner);
			ret->depth = owner != &around[n];
			return true;
		}
		*ret_inner += owner == &around[n];
	}
	return false;
}

bool variables_belong(struct variables *v, const struct variable *variable, taddr pc)
{
	Dwarf_Die function;
	struct scope_of_pc s;

	memcpy(&function, variable->function, sizeof(function));
	return find_scope(v, pc, SIZE_MAX, &s) && s.function.addr == function.addr;
}

taddr variables_outer_frame(struct variables *v, taddr pc, const struct location_frame *f)
{
	struct location_code code, base;
	struct location where;
	Dwarf_Attribute its;
	struct scope_of_pc s;

	if (!find_scope(v, pc, SIZE_MAX, &s) || !dwarf_hasattr(&s.function, DW_AT_static_link))
		return 0;
	location_reader_get(dwarf_attr(&s.function, DW_AT_static_link, &its), s.addr, &code);
	location_reader_get(dwarf_attr(&s.function, DW_AT_frame_base, &its), s.addr, &base);
	const struct location_context context = {
		.frame = f,
		.bias = s.unit.bias,
		.frame_base = &base,
	};
	location_run(&code, &context, &where);
	return where.parts[0].kind == LOCATION_MEMORY ? where.parts[0].addr : 0;
}

/* ---- common blocks ---------------------------------------------------------------------- */

/* The common block of a variable. */
static const char *common_of(Dwarf_Die *die, const struct dwarf_spans *spans)
{
	Dwarf_Die around[DIE_DEPTH_MAX];
	size_t n = die_is_fortran(die) ? die_around(NULL, die, around) : 0;

	return n && dwarf_tag(&around[n - 1]) == DW_TAG_common_block
		       ? die_string(&around[n - 1], DW_AT_name, spans)
		       : NULL;
}

bool variables_find_original(struct variables *v, const struct variable *variable,
			     struct variable *ret)
{
	Dwarf_Die die, function, found, around;
	struct variable_unit unit;

	memcpy(&die, variable->place, sizeof(die));
	memcpy(&function, variable->function, sizeof(function));
	if (!function.addr || !die.addr || !die_is_fortran(&die) ||
	    !variable_reader_unit_of(v, variable, &unit))
		return false;
	function = written(function);
	if (!gcc_faults_original(&unit, &die, &function, &found, &around))
		return false;
	*ret = variable_reader_make(v, &unit, &found, &around);
	ret->common = common_of(&found, &unit.spans);
	ret->pc = variable->pc;
	return true;
}

/* ---- all in scope ---------------------------------------------------------------------- */

struct all_locals {
	struct variables *v;
	struct scope_of_pc *scope;
	struct variable_list *list;
	taddr pc;
	bool arguments, nomem;
};

/* gfortran describes a namelist twice: where the places of its variables are not known yet, too. */
static bool is_told_again(struct variable_list *list, const struct variable *by)
{
	vec_for_each (v, list) {
		if (by->type && by->type->is_namelist && v->type && v->type->is_namelist &&
		    !strcasecmp(v->name, by->name)) {
			*v = by->depth ? *by : *v;
			return true;
		}
	}
	return false;
}

static bool add_local(void *context, Dwarf_Die *die, unsigned int depth)
{
	struct all_locals *all = context;

	if ((dwarf_tag(die) == DW_TAG_formal_parameter) != all->arguments || is_declaration(die))
		return true;
	if (all->list->len == VARIABLES_MAX)
		return false;
	struct variable made =
		variable_reader_make(all->v, &all->scope->unit, die, &all->scope->function);
	/* What the compiler passes to what it has outlined; gdb shows none either. */
	if (!made.name)
		return true;
	made.common = depth > 1 ? common_of(die, &all->scope->unit.spans) : NULL;
	made.pc = all->pc;
	made.depth = depth;
	made.inlined = all->scope->top.addr != all->scope->function.addr;
	all->nomem = !is_told_again(all->list, &made) && !vec_push(all->list, made);
	return !all->nomem;
}

static bool add_lost(void *context, Dwarf_Die *die)
{
	return add_local(context, die, 0);
}

struct error *variables_in_scope(struct variables *v, taddr pc, size_t level,
				 struct variable_list *ret)
{
	struct scope_of_pc s;

	if (!find_scope(v, pc, level, &s))
		return NULL;
	struct all_locals all = { v, &s, ret, pc, true, false };
	for_each_in(&s, add_local, &all);
	all.arguments = false;
	if (!all.nomem)
		for_each_in(&s, add_local, &all);
	if (!all.nomem)
		for_each_lost(v, &s, pc, level, add_lost, &all);
	return all.nomem ? &error_nomem : NULL;
}

struct common_members {
	struct all_locals all;
	const char *block;
};

static bool add_of_common(void *context, Dwarf_Die *die, unsigned int depth)
{
	struct common_members *m = context;
	const char *its = common_of(die, &m->all.scope->unit.spans);

	return !its || strcasecmp(its, m->block) != 0 || add_local(&m->all, die, depth);
}

struct error *variables_in_common(struct variables *v, taddr pc, const char *block,
				  struct variable_list *ret)
{
	Dwarf_Die around[DIE_DEPTH_MAX];
	struct scope_of_pc s;

	if (!find_scope(v, pc, SIZE_MAX, &s) || !die_is_fortran(&s.unit.root))
		return NULL;
	struct common_members m = { { v, &s, ret, pc, false, false }, block };
	Dwarf_Die here = written(s.function);
	size_t n = die_around(&v->reader.lists, &here, around);
	for_each_in(&s, add_of_common, &m);
	while (!m.all.nomem && n-- > 0) {
		if (dwarf_tag(&around[n]) != DW_TAG_subprogram)
			continue;
		s.top = s.function = around[n];
		for_each_in(&s, add_of_common, &m);
	}
	return m.all.nomem ? &error_nomem : NULL;
}

static bool take_unnamed(void *context, Dwarf_Die *die, unsigned int depth)
{
	Dwarf_Die *ret = context;

	(void)depth;
	if (dwarf_tag(die) != DW_TAG_formal_parameter || dwarf_diename(die))
		return true;
	*ret = *die;
	return false;
}

bool variables_find_unnamed(struct variables *v, taddr pc, size_t level, struct variable *ret)
{
	Dwarf_Die die = { 0 };
	struct scope_of_pc s;

	if (find_scope(v, pc, level, &s))
		for_each_in(&s, take_unnamed, &die);
	if (die.addr)
		*ret = variable_reader_make(v, &s.unit, &die, &s.function);
	ret->pc = pc;
	return die.addr;
}

bool variables_function(struct variables *v, taddr pc, size_t level, struct variable *ret)
{
	struct scope_of_pc s;

	if (!find_scope(v, pc, level, &s))
		return false;
	*ret = variable_reader_make(v, &s.unit, &s.top, NULL);
	ret->pc = pc;
	return true;
}
