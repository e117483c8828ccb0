/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/stale_value.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "target/symbols/die_lists.h"
#include "target/symbols/location_reader.h"

enum { ENTRIES_MAX = 1 << 12 };

static const char first_value[] = "not available: clang describes only its first value";
static const char mixed[] = "not available: what clang computes it from is no longer there";
static const char initial[] = "not available: clang describes only the value it begins with";

static const char iteration_name[] = ".omp.iv";

/* ---- what is around a variable ----------------------------------------------------------- */

static bool is_of_construct(Dwarf_Die *die, const struct dwarf_spans *spans)
{
	const char *name = die_plain_name(die, spans);

	return dwarf_tag(die) == DW_TAG_variable && name &&
	       (name[0] != '.' || !strcmp(name, iteration_name)) &&
	       !die_declared(die, DW_AT_decl_line) &&
	       dwarf_hasattr_integrate(die, DW_AT_artificial);
}

/* An entry beside that one, of such a name and tag. */
static bool find_beside(Dwarf_Die *die, int tag, const char *name, const struct dwarf_spans *spans,
			Dwarf_Die *ret)
{
	Dwarf_Die around[DIE_DEPTH_MAX], other;
	size_t depth = die_around(NULL, die, around), left = ENTRIES_MAX;

	if (!depth || dwarf_child(&around[depth - 1], &other) != 0)
		return false;
	do {
		const char *its = dwarf_tag(&other) == tag ? die_plain_name(&other, spans) : NULL;
		*ret = other;
		if (its && !strcmp(its, name))
			return true;
	} while (--left && dwarf_siblingof(&other, &other) == 0);
	return false;
}

/* The variable of the same name that the construct was passed: this one is a copy. */
static bool is_copy(Dwarf_Die *die, const struct dwarf_spans *spans)
{
	Dwarf_Die written = *die, other;

	if (die_origin(die, &other))
		written = other;
	return find_beside(&written, DW_TAG_formal_parameter, die_plain_name(die, spans), spans,
			   &other);
}

/* ---- loops of the code ------------------------------------------------------------------- */

/* What a description reads. */
struct reads {
	uint32_t registers;
	uint8_t base; /* of a place in memory, or INSN_NO_REG */
	int64_t at;
};

struct loop {
	taddr pc;
	taddr from, to;         /* of the code that is executed again and again around pc */
	taddr more_than;        /* smallest: only what is larger than that                */
	bool smallest;          /* or else all of it                                      */
	uint32_t changed;       /* registers                                              */
	const struct reads *of; /* borrowed                                               */
	bool stored;            /* to their place, or it is passed on                     */
};

static bool find_loop(void *context, taddr at, const struct insn *insn)
{
	struct loop *l = context;
	taddr end = at + insn->size, from = insn->value;
	bool jumps = insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH;

	if (!jumps || insn->via != INSN_VIA_ADDRESS || from > at || from > l->pc || l->pc >= end)
		return true;
	if (!l->to || (l->smallest && end - from < l->to - l->from)) {
		if (end - from > l->more_than) {
			l->from = from;
			l->to = end;
		}
	} else if (!l->smallest) {
		l->from = from < l->from ? from : l->from;
		l->to = end > l->to ? end : l->to;
	}
	return true;
}

static bool is_place(const struct insn *insn, const struct reads *r)
{
	return r->base != INSN_NO_REG && insn->base == r->base && insn->index == INSN_NO_REG &&
	       (int64_t)insn->displacement == r->at && !insn->thread_local;
}

static bool find_changes(void *context, taddr at, const struct insn *insn)
{
	struct loop *l = context;

	if (insn->kind == INSN_ADDRESS && is_place(insn, l->of))
		l->stored = true;
	if (at < l->from || at >= l->to)
		return true;
	l->changed |= insn->writes;
	if (insn->stores == INSN_STORES_SOMEWHERE || (insn->stores && is_place(insn, l->of)))
		l->stored = true;
	return true;
}

/* ---- what a description reads ------------------------------------------------------------ */

static bool add_register(const struct arch *arch, uint64_t dwarf_reg, struct reads *ret)
{
	int reg = location_code_reg(arch, dwarf_reg);

	if (reg >= 0)
		ret->registers |= UINT32_C(1) << reg;
	return reg >= 0;
}

/* Number of the register that an operation names; -1: it names none. */
static int64_t named_register(const struct location_op *op)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return op->atom - DW_OP_reg0;
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return op->atom - DW_OP_breg0;
	if (op->atom == DW_OP_regx || op->atom == DW_OP_bregx || op->atom == DW_OP_regval_type)
		return (int64_t)op->number;
	return -1;
}

static bool computes(uint8_t atom)
{
	return (atom >= DW_OP_const1u && atom <= DW_OP_consts) ||
	       (atom >= DW_OP_abs && atom <= DW_OP_xor) ||
	       (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) || atom == DW_OP_stack_value ||
	       atom == DW_OP_implicit_value || atom == DW_OP_convert || atom == DW_OP_reinterpret ||
	       atom == DW_OP_const_type;
}

/* A register that is kept in the frame. */
static bool is_kept(const struct location_code *code, size_t i)
{
	const uint8_t atom = code->ops[i].atom;

	return atom >= DW_OP_breg0 && atom <= DW_OP_breg31 && i + 2 < code->n &&
	       code->ops[i + 1].atom == DW_OP_deref;
}

/* false: it reads something else, too. Registers that are kept stay as they are beside others. */
static bool read_all(const struct arch *arch, const struct location_code *code, struct reads *ret)
{
	bool kept = false;

	*ret = (struct reads){ .base = INSN_NO_REG };
	for (size_t i = 0; i < code->n; i++) {
		const struct location_op *op = &code->ops[i];
		int64_t reg = named_register(op);
		if (is_kept(code, i)) {
			kept = true;
			i++;
		} else if (reg < 0 ? !computes(op->atom)
				   : !add_register(arch, (uint64_t)reg, ret)) {
			return false;
		}
	}
	if (kept && !ret->registers)
		return false;
	/* A place in memory, which stays where it is. */
	const struct location_op *first = &code->ops[0];
	if (code->n == 1 && first->atom >= DW_OP_breg0 && first->atom <= DW_OP_breg31) {
		ret->base = (uint8_t)location_code_reg(arch, first->atom - DW_OP_breg0);
		ret->at = (int64_t)first->number;
	}
	return true;
}

/* ---- variables of loops ------------------------------------------------------------------ */

/* A loop around another one goes back behind that, or from the midst of it. */
struct way_back {
	const struct loop *loop;
	taddr from;  /* the last instruction before the loop that it goes back to; 0: it does not */
	bool enters; /* what is there goes on into the loop                                       */
};

static bool find_way_back(void *context, taddr at, const struct insn *insn)
{
	struct way_back *way = context;
	const struct loop *l = way->loop;
	bool jumps = insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH;

	if (jumps && insn->via == INSN_VIA_ADDRESS && at >= l->from && at < l->to &&
	    insn->value < l->from && insn->value > way->from)
		way->from = insn->value;
	return true;
}

static bool find_entry(void *context, taddr at, const struct insn *insn)
{
	struct way_back *way = context;
	const struct loop *l = way->loop;
	bool jumps = insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH;
	bool ends = insn->kind == INSN_JUMP || insn->kind == INSN_RETURN || insn->kind == INSN_END;

	if (at < way->from)
		return true;
	way->enters |= (jumps && insn->via == INSN_VIA_ADDRESS && insn->value >= l->from &&
			insn->value < l->to) ||
		       (!ends && at + insn->size == l->from);
	return !way->enters && at + insn->size < l->from;
}

static bool widen(const struct stale_value_code *c, struct loop *l)
{
	enum { LOOPS_MAX = 16 };

	for (size_t i = 0; i < LOOPS_MAX; i++) {
		struct way_back way = { .loop = l };
		if (!function_code_read(c->target, c->function, c->bias, find_way_back, &way))
			return false;
		if (!way.from ||
		    !function_code_read(c->target, c->function, c->bias, find_entry, &way) ||
		    !way.enters)
			return true;
		l->from = way.from;
	}
	return true;
}

/* false: the code cannot be read, or pc is in no such loop. */
static bool look_at_loop(const struct stale_value_code *c, struct loop *l)
{
	l->pc = c->pc;
	return function_code_read(c->target, c->function, c->bias, find_loop, l) && l->to &&
	       (l->smallest || widen(c, l)) &&
	       function_code_read(c->target, c->function, c->bias, find_changes, l);
}

/* Nothing changes it in any loop around pc. */
static bool is_constant_there(const struct stale_value_code *c, const struct reads *r)
{
	struct loop all = { .of = r };

	if (!look_at_loop(c, &all))
		return false;
	return r->base != INSN_NO_REG ? !all.stored : !(all.changed & r->registers);
}

/* In the smallest loop that changes one of its registers it changes several. */
static bool is_mixed(const struct stale_value_code *c, const struct reads *r)
{
	enum { LOOPS_MAX = 16 };
	taddr more_than = 0;

	if (__builtin_popcount(r->registers) < 2)
		return false;
	for (size_t i = 0; i < LOOPS_MAX; i++) {
		struct loop l = { .of = r, .smallest = true, .more_than = more_than };
		if (!look_at_loop(c, &l))
			return false;
		if (l.changed & r->registers)
			return __builtin_popcount(l.changed & r->registers) > 1;
		more_than = l.to - l.from;
	}
	return false;
}

/* A register that is multiplied or the like, as no counter is by itself. */
static bool computes_with_registers(const struct location_code *code)
{
	for (size_t i = 0; i < code->n; i++) {
		uint8_t atom = code->ops[i].atom;
		if (atom >= DW_OP_abs && atom <= DW_OP_xor && atom != DW_OP_plus_uconst &&
		    atom != DW_OP_and)
			return true;
	}
	return false;
}

/* It is computed from what the number of the iteration is described by, and from nothing else that
 * is changed. */
static bool rests_on_iteration(const struct stale_value_code *c, Dwarf_Die *iteration,
			       const struct location_code *code, const struct reads *r)
{
	struct location_code its;
	Dwarf_Attribute where;
	struct reads counter;

	location_reader_get(dwarf_attr_integrate(iteration, DW_AT_location, &where),
			    c->pc - c->bias, &its);
	if (its.missing || !its.n || !read_all(c->target->arch, &its, &counter) ||
	    computes_with_registers(&its) || !(counter.registers & r->registers))
		return false;
	int64_t reg = named_register(&its.ops[0]);
	bool in_register = its.ops[0].atom >= DW_OP_reg0 && its.ops[0].atom <= DW_OP_reg31;
	for (size_t i = 0; i < code->n; i++) {
		if (named_register(&code->ops[i]) == reg &&
		    code->ops[i].number != (in_register ? 0 : its.ops[0].number))
			return false;
	}
	return true;
}

/* ---- copies ------------------------------------------------------------------------------ */

/* The first description of a list holds at pc, which is behind where that begins. */
static bool is_behind_first(Dwarf_Die *variable, taddr pc)
{
	Dwarf_Addr base, start, end;
	Dwarf_Attribute its;
	Dwarf_Op *ops;
	size_t n;

	return dwarf_attr_integrate(variable, DW_AT_location, &its) &&
	       dwarf_getlocations(&its, 0, &base, &start, &end, &ops, &n) > 0 && start &&
	       start < pc && pc < end;
}

/* From 15 on clang leaves out constants where it has changed what a counter counts. */
static bool leaves_constants_out(Dwarf_Die *die, const struct dwarf_spans *spans)
{
	static const char name[] = "clang version ";
	Dwarf_Die unit;
	const char *maker = dwarf_diecu(die, &unit, NULL, NULL)
				    ? die_string(&unit, DW_AT_producer, spans)
				    : NULL;
	const char *version = maker ? strstr(maker, name) : NULL;

	return !version || strtoul(version + strlen(name), NULL, 10) >= 15;
}

/* Why the variable of a loop is not known; NULL: it is. */
static const char *check_counter(const struct stale_value_code *c, Dwarf_Die *variable,
				 Dwarf_Die *iteration, const struct location_code *code,
				 const struct reads *r)
{
	if (is_constant_there(c, r))
		return first_value;
	if (!computes_with_registers(code))
		return NULL;
	if (is_mixed(c, r))
		return mixed;
	if (!leaves_constants_out(variable, c->spans) ||
	    (variable->addr != iteration->addr && rests_on_iteration(c, iteration, code, r)))
		return NULL;
	return mixed;
}

/* More than a register, or a part of one. */
static bool is_moved(const struct location_code *code)
{
	const struct location_op *first = &code->ops[0];
	bool moved = first->atom >= DW_OP_breg0 && first->atom <= DW_OP_breg31 && first->number;

	for (size_t i = 0; i < code->n; i++)
		moved |= code->ops[i].atom == DW_OP_plus_uconst;
	return code->n > 1 && (moved || computes_with_registers(code));
}

/* What the code of a loop was passed, and changes: the value is its own copy. */
static const char *check_passed(const struct stale_value_code *c, Dwarf_Die *variable,
				const struct location_code *code, const struct reads *r)
{
	struct loop all = { .of = r };
	Dwarf_Die iteration;

	return dwarf_tag(variable) == DW_TAG_formal_parameter && is_moved(code) &&
			       leaves_constants_out(variable, c->spans) &&
			       find_beside(variable, DW_TAG_variable, iteration_name, c->spans,
					   &iteration) &&
			       look_at_loop(c, &all) && all.changed & r->registers
		       ? mixed
		       : NULL;
}

/* Why the private variable of a construct is not known; NULL: it is. */
static const char *check_private(const struct stale_value_code *c, Dwarf_Die *variable,
				 const struct location_code *code, const struct reads *r)
{
	const char *why = NULL;
	Dwarf_Die iteration;

	if (find_beside(variable, DW_TAG_variable, iteration_name, c->spans, &iteration))
		why = check_counter(c, variable, &iteration, code, r);
	if (!why && !r->registers && is_copy(variable, c->spans) &&
	    is_behind_first(variable, c->pc - c->bias))
		why = initial;
	return why;
}

void stale_value_find(const struct stale_value_code *c, Dwarf_Die *variable,
		      struct location_code *code)
{
	struct reads r;

	if (code->missing || !code->n || !c->target->arch || !read_all(c->target->arch, code, &r))
		return;
	const char *why = is_of_construct(variable, c->spans) ? check_private(c, variable, code, &r)
							      : check_passed(c, variable, code, &r);
	if (why)
		*code = (struct location_code){ .missing = why };
}
