/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <dwarf.h>
#include <string.h>

#include "target/symbols/frame_slot.h"
#include "target/symbols/location_reader.h"
#include "target/symbols/variable_reader.h"
#include "target/symbols/variables.h"

struct reckoning {
	struct variables *v;
	const struct location_frame *frame;
	taddr pc;
};

/* ---- numbers ----------------------------------------------------------------------------- */

static const char *read_number(const struct reckoning *r, taddr addr, uint64_t size, bool is_signed,
			       int64_t *ret)
{
	uint64_t n;

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return "its bounds make no sense";
	struct error *err = target_read_uint(r->frame->target, addr, size, &n);
	error_ignore(err);
	if (err)
		return "its bounds cannot be read";
	unsigned int unused = 64 - 8 * (unsigned int)size;
	*ret = is_signed ? (int64_t)(n << unused) >> unused : (int64_t)n;
	return NULL;
}

static const char *register_number(const struct reckoning *r, int dwarf, int64_t *ret)
{
	const struct location_frame *f = r->frame;
	int index = dwarf < 0 ? -1 : location_code_reg(f->target->arch, (uint64_t)dwarf);

	if (!f->registers || index < 0 || !(f->known >> index & 1))
		return "its bounds lie in a register that was not saved";
	*ret = (int64_t)f->registers[index];
	return NULL;
}

/* ---- what is said by operations ---------------------------------------------------------- */

/* Of the function around a pc. */
static bool find_frame_base(const struct reckoning *r, struct location_code *ret)
{
	struct variable function;
	Dwarf_Attribute its;
	Dwarf_Die die;

	if (!r->pc || !variables_function(r->v, r->pc, SIZE_MAX, &function))
		return false;
	memcpy(&die, function.place, sizeof(die));
	location_reader_get(dwarf_attr(&die, DW_AT_frame_base, &its), r->pc - function.unit_bias,
			    ret);
	return true;
}

static const char *reckon_expression(const struct reckoning *r, const struct type_property *p,
				     const taddr *object, const taddr *initial, uint64_t at_place,
				     int64_t *ret)
{
	struct location_code code = { .missing = p->missing }, base;
	struct location where;

	memcpy(code.ops, p->ops, p->nops * sizeof(*p->ops));
	code.n = p->nops;
	const struct location_context context = {
		.frame = r->frame,
		.frame_base = find_frame_base(r, &base) ? &base : NULL,
		.initial = initial,
		.object = object,
	};
	location_run(&code, &context, &where);
	const struct location_part *part = &where.parts[0];
	if (part->kind == LOCATION_MEMORY && at_place)
		return read_number(r, part->addr, at_place, true, ret);
	if (part->kind == LOCATION_REGISTER)
		return register_number(r, part->dwarf_reg, ret);
	if ((part->kind != LOCATION_MEMORY && part->kind != LOCATION_REGISTER &&
	     part->kind != LOCATION_VALUE) ||
	    where.n != 1)
		return part->why ? part->why : "its bounds make no sense";
	*ret = (int64_t)(part->kind == LOCATION_VALUE ? part->value : part->addr);
	return NULL;
}

/* ---- what a variable says ---------------------------------------------------------------- */

static bool stands_for(const struct variable *variable, const Dwarf_Die *of)
{
	Dwarf_Die die, origin;

	memcpy(&die, variable->place, sizeof(die));
	return die.addr == of->addr || (die_origin(&die, &origin) && origin.addr == of->addr);
}

/* What a type names may be in a function as it was written: what counts is its copy at this pc. */
static void find_instance(const struct reckoning *r, const Dwarf_Die *of, struct variable *ret)
{
	uint64_t last = 0;

	for (size_t level = 0; level < CU_LEVELS_MAX; level++) {
		struct variable_list all = { 0 };
		struct variable function;
		bool found = false;
		if (!variables_function(r->v, r->pc, level, &function) || function.place[0] == last)
			return;
		last = function.place[0];
		struct error *err = variables_in_scope(r->v, r->pc, level, &all);
		error_ignore(err);
		for (size_t i = 0; i < all.len && !found; i++) {
			found = stands_for(&all.items[i], of);
			if (found)
				*ret = all.items[i];
		}
		vec_fini(&all);
		if (found)
			return;
	}
}

/* The variable is one of that function, or of none: of another one the frame is not known. */
static bool is_in(const Dwarf_Die *variable, const struct variable *function)
{
	Dwarf_Die die = *variable, its, around[DIE_DEPTH_MAX];
	size_t n = die_around(NULL, &die, around);

	memcpy(&its, function->place, sizeof(its));
	while (n && dwarf_tag(&around[n - 1]) != DW_TAG_subprogram)
		n--;
	return !n || around[n - 1].addr == its.addr;
}

static const char *number_at(const struct reckoning *r, const struct location_part *part,
			     const struct type *type, int64_t *ret)
{
	if (part->kind == LOCATION_MEMORY)
		return read_number(r, part->addr, type_size(type), type->is_signed, ret);
	if (part->kind == LOCATION_REGISTER)
		return register_number(r, part->dwarf_reg, ret);
	if (part->kind != LOCATION_VALUE)
		return part->why ? part->why : "optimized out";
	*ret = (int64_t)part->value;
	return NULL;
}

/* Code of gfortran without optimisation reckons bounds behind the prologue, where breakpoints are.
 */
static bool is_reckoned_later(const struct reckoning *r, const struct variable *bound)
{
	struct location_code code;
	Dwarf_Attribute its;
	Dwarf_Die die, function;

	memcpy(&die, bound->place, sizeof(die));
	memcpy(&function, bound->function, sizeof(function));
	location_reader_get(dwarf_attr(&die, DW_AT_location, &its), r->pc - bound->unit_bias,
			    &code);
	return dwarf_hasattr(&die, DW_AT_artificial) && code.n == 1 &&
	       frame_slot_is_empty(r->frame->target, &code, &function, bound->unit_bias, r->pc);
}

static const char *reckon_variable(const struct reckoning *r, const struct type_property *p,
				   int64_t *ret)
{
	const struct type_origin *origin = p->variable;
	struct variable variable = { .pc = r->pc, .type = p->type }, function;
	struct location where;

	variable_reader_begin(r->v);
	if (origin->generation != r->v->reader.generation)
		return "what tells its bounds is no longer there";
	memcpy(variable.place, &origin->die, sizeof(origin->die));
	variable.unit_bias = origin->bias;
	bool known = r->pc && variables_function(r->v, r->pc, SIZE_MAX, &function);
	bool elsewhere = known && !is_in(&origin->die, &function);
	if (known && !elsewhere) {
		memcpy(variable.function, function.place, sizeof(variable.function));
		variable.module = function.module;
	}
	Dwarf_Die die = origin->die;
	if (r->pc && !dwarf_hasattr(&die, DW_AT_location))
		find_instance(r, &die, &variable);
	if (known && !elsewhere && is_reckoned_later(r, &variable))
		return "its bounds are not reckoned yet";
	variables_locate(r->v, &variable, r->frame, &where);
	if (where.n != 1)
		return "optimized out";
	const struct type *type = p->type ? type_strip(p->type) : &type_long;
	const char *why = number_at(r, &where.parts[0], type, ret);
	if (why && elsewhere)
		return "what tells its bounds is in the frame of another function";
	if (why || !type_is_pointer(type) || !type->target)
		return why;
	type = type_strip(type->target);
	return read_number(r, (taddr)*ret, type_size(type), type->is_signed, ret);
}

static const char *reckon(void *context, const struct type_property *p, taddr object,
			  const taddr *initial, uint64_t at_place, int64_t *ret)
{
	const struct reckoning *r = context;

	if (p->kind == PROPERTY_VARIABLE)
		return reckon_variable(r, p, ret);
	return reckon_expression(r, p, &object, initial, at_place, ret);
}

void variables_resolve(struct variables *v, const struct type *type, taddr addr, taddr pc,
		       const struct location_frame *f, struct type_resolved *ret)
{
	struct reckoning r = { .v = v, .frame = f, .pc = pc };
	const struct type_reckoner with = { reckon, &r };

	type_resolve(v->reader.store, type, addr, &with, ret);
}

/* ---- what clang leaves out --------------------------------------------------------------- */

static bool is_place(const struct location_code *a, const struct location_code *b)
{
	return !a->missing && !b->missing && a->n == 1 && b->n == 1 &&
	       a->ops[0].atom == DW_OP_fbreg && b->ops[0].atom == DW_OP_fbreg &&
	       a->ops[0].number == b->ops[0].number;
}

/* It begins with a pointer to another one of its type, which may be meant; or has no members. */
static bool may_begin_with_pointer(const struct type *t)
{
	size_t n;
	const struct type_member *members = type_members(t, &n);
	const struct type *first = n && members[0].type ? type_strip(members[0].type) : NULL;

	return !first ||
	       (first->kind == TYPE_POINTER && first->target && type_strip(first->target) == t);
}

void variable_reader_mend(struct variables *v, const struct variable *pointer,
			  struct location_code *code)
{
	const struct type *t = pointer->type ? type_strip(pointer->type) : NULL;
	struct variable_list all = { 0 };
	struct location_code other;
	Dwarf_Attribute its;
	Dwarf_Die die;

	memcpy(&die, pointer->place, sizeof(die));
	if (!pointer->argument || !dwarf_hasattr(&die, DW_AT_abstract_origin) || code->missing ||
	    code->n != 1 || code->ops[0].atom != DW_OP_fbreg || !t || t->kind != TYPE_POINTER ||
	    !t->target || !type_is_struct(type_strip(t->target)))
		return;
	t = type_strip(t->target);
	error_ignore(variables_in_scope(v, pointer->pc, SIZE_MAX, &all));
	vec_for_each (object, &all) {
		if (!object->argument || !object->type || type_strip(object->type) != t)
			continue;
		memcpy(&die, object->place, sizeof(die));
		location_reader_get(dwarf_attr_integrate(&die, DW_AT_location, &its),
				    pointer->pc - pointer->unit_bias, &other);
		if (!is_place(code, &other) || may_begin_with_pointer(t))
			continue;
		code->ops[code->n++] = (struct location_op){ .atom = DW_OP_stack_value };
		break;
	}
	vec_fini(&all);
}
