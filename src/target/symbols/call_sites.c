/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/call_sites.h"

#include <dwarf.h>
#include <string.h>

#include "target/symbols/cu_entries.h"
#include "target/symbols/location_reader.h"
#include "target/symbols/symbol_parts.h"

enum { STEPS_MAX = 4096 }; /* calls that are followed in one search */

/* A function and its calls. */
struct function {
	struct unit_here unit;
	Dwarf_Die die;
	taddr entry;
};

static bool function_at(struct symbol_table *s, taddr pc, struct function *ret)
{
	if (!symbol_unit_at(s, pc, &ret->unit) ||
	    !cu_function_at(ret->unit.cu, pc - ret->unit.bias, &ret->die))
		return false;
	ret->entry = die_entry(&ret->die) + ret->unit.bias;
	return true;
}

/* As far as it has a name, without DWARF, too: runtimes are stripped. 0: it has none. */
static taddr entry_at(struct symbol_table *s, taddr pc)
{
	struct function f;
	struct symbol symbol;

	if (function_at(s, pc, &f))
		return f.entry;
	return symbol_at(s, pc, &symbol) && symbol.function ? symbol.addr : 0;
}

/* The compiler says that it has described the calls in it. */
static bool has_calls(Dwarf_Die *function)
{
	static const unsigned int all[] = { DW_AT_call_all_calls, DW_AT_call_all_source_calls,
					    DW_AT_GNU_all_call_sites,
					    DW_AT_GNU_all_source_call_sites };
	Dwarf_Attribute its;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (dwarf_attr_integrate(function, all[i], &its))
			return true;
	}
	return false;
}

static bool is_call(int tag)
{
	return tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site;
}

static bool may_hold_calls(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/* To the first call of a function, or the next one. */
static bool next_call(struct die_walk *w, struct function *f)
{
	bool more = w->depth ? die_walk_next(w, false)
			     : has_calls(&f->die) && die_walk_start(w, &f->die);

	while (more && !is_call(dwarf_tag(die_walk_here(w))))
		more = die_walk_next(w, may_hold_calls(dwarf_tag(die_walk_here(w))));
	return more;
}

/* Behind the call; 0: unknown. */
static taddr pc_of(const struct function *f, Dwarf_Die *call)
{
	Dwarf_Attribute its;
	Dwarf_Addr addr;

	if (!dwarf_attr(call, DW_AT_call_return_pc, &its) && !dwarf_attr(call, DW_AT_low_pc, &its))
		return 0;
	return dwarf_formaddr(&its, &addr) == 0 ? addr + f->unit.bias : 0;
}

static bool is_tail(Dwarf_Die *call)
{
	return dwarf_hasattr(call, DW_AT_call_tail_call) ||
	       dwarf_hasattr(call, DW_AT_GNU_tail_call);
}

static bool take_function(void *context, const struct symbol *symbol)
{
	if (symbol->function)
		*(taddr *)context = symbol->addr;
	return !symbol->function;
}

/* By pointer: what the caller's registers say, as long as it is the caller. */
static taddr called_by_value(const struct function *f, Dwarf_Die *call,
			     const struct location_frame *caller)
{
	const struct location_context context = { .frame = caller, .bias = f->unit.bias };
	struct location_code code;
	struct location where;
	Dwarf_Attribute its;

	if (!caller || (!dwarf_attr(call, DW_AT_call_target, &its) &&
			!dwarf_attr(call, DW_AT_GNU_call_site_target, &its)))
		return 0;
	location_reader_get(&its, caller->pc - f->unit.bias, &code);
	location_run(&code, &context, &where);
	return where.parts[0].kind == LOCATION_MEMORY ? where.parts[0].addr : 0;
}

/* What is called; 0: that is not certain. caller: the frame that calls; NULL: not known. */
static taddr called_by(struct symbol_table *s, const struct function *f, Dwarf_Die *call,
		       const struct location_frame *caller)
{
	Dwarf_Attribute its;
	Dwarf_Die origin;
	taddr addr = 0;

	if (!dwarf_formref_die(dwarf_attr(call, DW_AT_call_origin, &its), &origin) &&
	    !dwarf_formref_die(dwarf_attr(call, DW_AT_abstract_origin, &its), &origin))
		return called_by_value(f, call, caller);
	if (die_entry(&origin))
		return die_entry(&origin) + f->unit.bias;
	const char *name = die_name(&origin, cu_spans(f->unit.cu));
	if (name)
		symbol_find(s, name, take_function, &addr);
	return addr;
}

/* The call that returns to pc. */
static bool find_call(struct symbol_table *s, taddr pc, struct function *ret, Dwarf_Die *ret_call)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };

	if (!pc || !function_at(s, pc - 1, ret))
		return false;
	while (next_call(&w, ret)) {
		*ret_call = *die_walk_here(&w);
		if (pc_of(ret, ret_call) == pc)
			return true;
	}
	return false;
}

/* ---- functions that were left ------------------------------------------------------------- */

/* All ways by tail calls to a function. */
struct search {
	struct symbol_table *symbols;
	taddr callee;
	taddr path[CALL_SITES_MAX]; /* behind each jump, from the outside in */
	size_t depth;
	taddr best[CALL_SITES_MAX]; /* the first way that was found */
	size_t nbest;
	size_t outer, inner; /* how many at its ends all ways have in common */
	bool found;
	bool lost; /* nothing is certain */
	size_t steps;
};

/* All ways begin and end as this one, as far as "outer" and "inner" say. */
static void take_path(struct search *s)
{
	if (!s->found) {
		s->found = true;
		memcpy(s->best, s->path, sizeof(s->best));
		s->nbest = s->outer = s->inner = s->depth;
		return;
	}
	size_t outer = 0, inner = 0;
	while (outer < s->outer && outer < s->depth && s->best[outer] == s->path[outer])
		outer++;
	while (inner < s->inner && inner < s->depth &&
	       s->best[s->nbest - 1 - inner] == s->path[s->depth - 1 - inner])
		inner++;
	s->outer = outer;
	s->inner = inner;
	s->lost = !outer && !inner;
}

static bool is_on_path(const struct search *s, taddr pc)
{
	for (size_t i = 0; i < s->depth; i++) {
		if (s->path[i] == pc)
			return true;
	}
	return false;
}

/* From a function that has been called on, by all of its tail calls. */
static void follow(struct search *s, taddr called)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	struct function f;

	if (called == s->callee) {
		take_path(s);
		return;
	}
	s->lost |= !called || s->steps++ == STEPS_MAX || !function_at(s->symbols, called, &f);
	while (!s->lost && next_call(&w, &f)) {
		Dwarf_Die *call = die_walk_here(&w);
		taddr pc = pc_of(&f, call);
		if (!is_tail(call) || (pc && is_on_path(s, pc)))
			continue;
		/* clang does not say where its jumps end. */
		s->lost = !pc || s->depth == CALL_SITES_MAX;
		if (s->lost)
			return;
		s->path[s->depth++] = pc;
		follow(s, called_by(s->symbols, &f, call, NULL));
		s->depth--;
	}
}

size_t call_sites_left(struct symbol_table *s, taddr return_pc, taddr callee_pc,
		       taddr ret[CALL_SITES_MAX])
{
	struct search search = { .symbols = s };
	struct function caller;
	Dwarf_Die call;
	size_t n = 0;

	search.callee = entry_at(s, callee_pc);
	if (!search.callee || !find_call(s, return_pc, &caller, &call))
		return 0;
	follow(&search, called_by(s, &caller, &call, NULL));
	if (!search.found || search.lost)
		return 0;
	for (; n < search.inner; n++)
		ret[n] = search.best[search.nbest - 1 - n];
	for (size_t i = search.inner == search.nbest ? 0 : search.outer; i-- > 0;)
		ret[n++] = search.best[i];
	return n;
}

/* ---- what was passed ------------------------------------------------------------------------ */

/* Functions that are reached by tail calls from one. */
struct reached {
	struct symbol_table *symbols;
	taddr from;
	taddr seen[CALL_SITES_MAX];
	size_t n;
	bool again; /* "from" may be among them */
};

static void add_reached(struct reached *r, taddr function)
{
	for (size_t i = 0; i < r->n; i++) {
		if (r->seen[i] == function)
			return;
	}
	if (!function || function == r->from || r->n == CALL_SITES_MAX)
		r->again = true;
	else
		r->seen[r->n++] = function;
}

static void add_tail_calls(struct reached *r, taddr from)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	struct function f;

	r->again |= !function_at(r->symbols, from, &f);
	while (!r->again && next_call(&w, &f)) {
		if (is_tail(die_walk_here(&w)))
			add_reached(r, called_by(r->symbols, &f, die_walk_here(&w), NULL));
	}
}

/* A function that can come to itself by tail calls need not have been entered by its caller. */
static bool may_return_to_itself(struct symbol_table *s, taddr function)
{
	struct reached r = { .symbols = s, .from = function };

	add_tail_calls(&r, function);
	for (size_t i = 0; i < r.n && !r.again; i++)
		add_tail_calls(&r, r.seen[i]);
	return r.again;
}

static bool is_register(Dwarf_Die *parameter, int dwarf_reg)
{
	struct location_code code;
	Dwarf_Attribute its;

	location_reader_get(dwarf_attr(parameter, DW_AT_location, &its), 0, &code);
	if (code.missing || code.n != 1)
		return false;
	const struct location_op *op = &code.ops[0];
	if (op->atom == DW_OP_regx)
		return op->number == (uint64_t)dwarf_reg;
	return op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31 &&
	       op->atom - DW_OP_reg0 == dwarf_reg;
}

/* Of a function that has lost it by optimisation. */
static bool is_lost(Dwarf_Die *parameter, uint64_t offset)
{
	Dwarf_Attribute its;
	Dwarf_Die formal;

	if (!dwarf_formref_die(dwarf_attr(parameter, DW_AT_call_parameter, &its), &formal) &&
	    !dwarf_formref_die(dwarf_attr(parameter, DW_AT_abstract_origin, &its), &formal))
		return false;
	return dwarf_dieoffset(&formal) == offset;
}

/* Which expression says what the call passes. */
static bool find_parameter(Dwarf_Die *call, struct location_passed what, Dwarf_Attribute *ret)
{
	enum { PARAMETERS_MAX = 256 };
	Dwarf_Die child;
	size_t n = 0;

	for (int more = dwarf_child(call, &child); more == 0 && n < PARAMETERS_MAX;
	     more = dwarf_siblingof(&child, &child), n++) {
		int tag = dwarf_tag(&child);
		if ((tag == DW_TAG_call_site_parameter || tag == DW_TAG_GNU_call_site_parameter) &&
		    (what.dwarf_reg < 0 ? is_lost(&child, what.parameter)
					: is_register(&child, what.dwarf_reg)))
			return dwarf_attr(&child, DW_AT_call_value, ret) ||
			       dwarf_attr(&child, DW_AT_GNU_call_site_value, ret);
	}
	return false;
}

bool call_sites_passed(struct symbol_table *s, const struct location_frame *caller, taddr callee_pc,
		       struct location_passed what, struct location_value *ret)
{
	struct location_code code, base;
	struct function f, callee;
	Dwarf_Attribute its;
	Dwarf_Die call;

	if (!function_at(s, callee_pc, &callee) || !find_call(s, caller->pc, &f, &call) ||
	    called_by(s, &f, &call, caller) != callee.entry || !find_parameter(&call, what, &its) ||
	    may_return_to_itself(s, callee.entry))
		return false;
	taddr pc = caller->pc - 1 - f.unit.bias;
	location_reader_get(&its, pc, &code);
	location_reader_get(dwarf_attr(&f.die, DW_AT_frame_base, &its), pc, &base);
	const struct location_context context = {
		.frame = caller,
		.bias = f.unit.bias,
		.frame_base = &base,
	};
	struct location where;
	location_run(&code, &context, &where);
	/* What is left on the stack is the value itself. */
	const struct location_part *p = &where.parts[0];
	*ret = (struct location_value){ p->type, p->kind == LOCATION_VALUE ? p->value : p->addr };
	return where.n == 1 && (p->kind == LOCATION_VALUE || p->kind == LOCATION_MEMORY);
}
