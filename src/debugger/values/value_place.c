/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/value.h"

#include <string.h>

#include "debugger/values/captured.h"
#include "debugger/values/raw_scope.h"
#include "debugger/values/region_block.h"
#include "target/symbols/call_sites.h"
#include "target/symbols/source_unit.h"

enum { OUTWARD_MAX = 32, COMPOSITE_MAX = 1 << 16 };

bool value_passed(void *context, struct location_passed what, struct location_value *ret)
{
	const struct scope *s = context;
	uint64_t registers[SCOPE_REGISTERS_MAX];
	struct scope caller;

	if (!s->caller || s->outward == OUTWARD_MAX || !s->caller(s, &caller, registers))
		return false;
	const struct location_frame f = value_frame(&caller);
	return call_sites_passed(s->session->symbols, &f, scope_lookup_pc(s), what, ret);
}

/* ---- registers -------------------------------------------------------------------------- */

/* The bytes of a register in the frame of a scope. NULL, or why they are missing. */
static const char *register_bytes(const struct scope *s, const struct reg *r, uint8_t *ret,
				  size_t *ret_size)
{
	const struct arch *arch = s->session->target->arch;
	struct error *err = NULL;

	for (size_t i = 0; i < arch->ncode_regs; i++) {
		if (arch->code_regs[i] != r || !s->registers)
			continue;
		if (!(s->known >> i & 1))
			return "not saved";
		memcpy(ret, &s->registers[i], 8);
		*ret_size = 8;
		return NULL;
	}
	/* Functions need keep none of the others (x86-64 psABI, 3.2.1). */
	if (s->raw && raw_scope_untouched(s->session, s->raw, s->frame) != UINT32_MAX)
		return "not saved";
	err = target_get_register(s->session->target, s->thread, r, ret, ret_size);
	error_ignore(err);
	return err ? "unavailable" : NULL;
}

static void take_register(const struct scope *s, int dwarf, struct value *v)
{
	uint8_t bytes[ARCH_REGISTER_MAX];
	uint64_t wanted = type_size(v->type);
	const struct reg *r = arch_find_wide_reg(s->session->target->arch, dwarf, wanted);
	size_t size;

	v->missing = r && s->thread ? register_bytes(s, r, bytes, &size) : "not available";
	if (v->missing)
		return;
	v->place = VALUE_REGISTER;
	v->reg = r;
	v->size = wanted;
	memcpy(v->bytes, bytes, v->size);
}

/* ---- parts ------------------------------------------------------------------------------ */

/* What is put together: bytes, and a bit for each of their bits that is lost. */
struct pieces {
	const struct scope *s;
	const struct variable *variable;
	uint64_t bits; /* of all                    */
	uint8_t *bytes, *lost;
	const struct value_pointers *pointers;
};

/* Bytes of what lies at one place, from its begin on. How many there are. */
static uint64_t part_bytes(const struct scope *s, const struct location_part *p, uint64_t size,
			   uint8_t *ret)
{
	const struct arch *arch = s->session->target->arch;
	const struct reg *r =
		p->kind == LOCATION_REGISTER ? arch_find_wide_reg(arch, p->dwarf_reg, size) : NULL;
	uint8_t bytes[ARCH_REGISTER_MAX] = { 0 };
	size_t have = 0;

	if (p->kind == LOCATION_REGISTER && !r)
		r = arch_find_dwarf_reg(arch, p->dwarf_reg);
	if (p->kind == LOCATION_MEMORY) {
		struct error *err = target_examine(s->session->target, p->addr, ret, size);
		error_ignore(err);
		return err ? 0 : size;
	}
	if (p->kind == LOCATION_BLOCK) {
		have = p->block_size < size ? p->block_size : size;
		memcpy(ret, p->block, have);
		return have;
	}
	if (p->kind == LOCATION_VALUE)
		memcpy(bytes, &p->value, have = sizeof(p->value));
	else if (r && register_bytes(s, r, bytes, &have))
		have = 0;
	have = have < size ? have : size;
	memcpy(ret, bytes, have);
	return have;
}

static struct error *note_pointer(struct pieces *to, const struct location_part *p, uint64_t at)
{
	struct value_pointers *made =
		type_alloc(variables_types(to->s->session->variables), 1, sizeof(*made));

	if (!made)
		return &error_nomem;
	*made = (struct value_pointers){ to->pointers, *to->variable, to->s->cfa,
					 at,           p->entry,      p->value };
	to->pointers = made;
	return NULL;
}

/* Bits of one part, to "at" bits from the begin of all. */
static struct error *add_part(struct pieces *to, const struct location_part *p, uint64_t at,
			      uint64_t bits)
{
	uint64_t from = p->bit_offset, size = (from + bits + 7) / 8;

	if (p->kind == LOCATION_POINTER && at % 8 == 0) {
		struct error *err = note_pointer(to, p, at / 8);
		if (err)
			return err;
	}
	AUTO_FREE uint8_t *bytes = size <= 2 * COMPOSITE_MAX ? calloc(1, size + 1) : NULL;
	if (!bytes)
		return &error_nomem;
	uint64_t have = 8 * part_bytes(to->s, p, size, bytes);
	for (uint64_t i = 0; i < bits; i++, at++) {
		uint8_t bit = (uint8_t)(bytes[(from + i) / 8] >> (from + i) % 8 & 1);
		to->bytes[at / 8] |= (uint8_t)(bit << at % 8);
		to->lost[at / 8] |= (uint8_t)((from + i >= have) << at % 8);
	}
	return NULL;
}

static struct error *add_parts(struct pieces *to, const struct location *l)
{
	uint64_t at = 0;

	for (size_t i = 0; i < l->n && at < to->bits; i++) {
		uint64_t bits = l->parts[i].bits, room = to->bits - at;
		bits = bits && bits < room ? bits : room;
		struct error *err = add_part(to, &l->parts[i], at, bits);
		if (err)
			return err;
		at += bits;
	}
	for (; at < to->bits; at++)
		to->lost[at / 8] |= (uint8_t)(1u << at % 8);
	return NULL;
}

/* Where it is, once its bytes are there. */
static struct error *keep_pieces(const struct scope *s, const struct location *l, struct value *v)
{
	struct value_pieces *made = type_alloc(variables_types(s->session->variables), 1,
					       sizeof(*made) + l->n * sizeof(*l->parts));

	if (!made)
		return &error_nomem;
	made->n = l->n;
	memcpy(made->parts, l->parts, l->n * sizeof(*l->parts));
	v->place = VALUE_PIECES;
	v->pieces = made;
	return NULL;
}

/* What lies in several places, or in none: its bits one after the other. */
static struct error *take_parts(const struct scope *s, const struct variable *variable,
				const struct location *l, struct value *v)
{
	uint64_t size = type_size(v->type), lost = 0;

	if (size > COMPOSITE_MAX) {
		v->missing = "optimized out";
		return NULL;
	}
	AUTO_FREE uint8_t *bytes = calloc(2, size + 1);
	if (!bytes)
		return &error_nomem;
	struct pieces to = { s, variable, 8 * size, bytes, bytes + size, NULL };
	struct error *err = add_parts(&to, l);
	if (err)
		return err;
	v->pointers = to.pointers;
	for (uint64_t i = 0; i < size; i++)
		lost += to.lost[i] == 0xff;
	bool scalar = type_is_scalar(v->type) || type_strip(v->type)->kind == TYPE_MEMBER_POINTER;
	for (uint64_t i = 0; i < size && scalar; i++)
		lost = to.lost[i] ? size : lost;
	if (lost == size && (scalar || !to.pointers)) {
		v->missing = to.pointers ? "synthetic pointer" : "optimized out";
		return NULL;
	}
	err = value_set_bytes(s, v, bytes, to.lost, size);
	return err ? err : keep_pieces(s, l, v);
}

/* ---- variables --------------------------------------------------------------------------- */

static struct error *take_location(const struct scope *s, const struct variable *variable,
				   const struct location *l, struct value *v)
{
	const struct location_part *p = &l->parts[0];
	bool whole = l->n == 1 && !p->bit_offset && (!p->bits || p->bits >= 8 * type_size(v->type));

	if (whole && p->kind == LOCATION_MEMORY)
		return value_read(s, v->type, p->addr, v);
	if (whole && p->kind == LOCATION_REGISTER) {
		take_register(s, p->dwarf_reg, v);
		return NULL;
	}
	if (whole && p->kind == LOCATION_MISSING) {
		v->missing = p->why;
		return NULL;
	}
	return take_parts(s, variable, l, v);
}

/* A dummy argument of Fortran's for which nothing was passed: no other variable lies there. */
static bool is_absent(const struct scope *s, const struct location *l)
{
	struct source_unit unit;

	return l->n == 1 && l->parts[0].kind == LOCATION_MEMORY && !l->parts[0].addr &&
	       source_unit_at(s->session->symbols, scope_lookup_pc(s), &unit) && unit.language &&
	       !strcmp(unit.language, "fortran");
}

/* Of a call that is inlined, a namelist may list what the function itself has, without places. */
static void take_instance(const struct scope *s, struct variable *variable)
{
	struct variable found;

	if (variables_find_local(s->session->variables, scope_lookup_pc(s), s->level,
				 variable->name, &found) &&
	    variable_line(&found) == variable_line(variable))
		*variable = found;
}

static struct error *take_listed(const struct scope *s, const struct variable *list,
				 const struct type_member *m, struct value *ret)
{
	struct variable v;

	*ret = (struct value){ .type = m->type, .missing = "not available" };
	if (!m->name || !m->entry ||
	    !variables_at_entry(s->session->variables, list, m->entry, &v) || !v.type)
		return NULL;
	struct error *err = value_of_variable(s, &v, ret);
	if (err || !ret->missing)
		return err;
	take_instance(s, &v);
	return value_of_variable(s, &v, ret);
}

/* A value of each of them. */
static struct error *take_namelist(const struct scope *s, const struct variable *list,
				   struct value *ret)
{
	size_t n;
	const struct type_member *members = type_members(list->type, &n);
	struct value *all = type_alloc(variables_types(s->session->variables), n, sizeof(*all));

	if (!all)
		return &error_nomem;
	for (size_t i = 0; i < n; i++) {
		struct error *err = take_listed(s, list, &members[i], &all[i]);
		if (err)
			all[i] =
				(struct value){ .type = members[i].type, .missing = "unavailable" };
		error_ignore(err);
		if (all[i].place != VALUE_MEMORY)
			all[i].place = VALUE_NOWHERE;
	}
	*ret = (struct value){ .type = list->type, .listed = all };
	return NULL;
}

/* What a construct is passed by reference becomes what the source calls so. */
static struct error *follow(const struct scope *s, struct value *v)
{
	const struct value reference = *v;
	taddr at;

	if (value_points(v))
		return value_pointed(s, &reference, 0, v);
	v->type = type_strip(v->type)->target;
	if (v->missing)
		return NULL;
	struct error *err = value_address(&reference, &at);
	return err ? err : value_read(s, v->type, at, v);
}

struct error *value_of_variable(const struct scope *s, const struct variable *variable,
				struct value *ret)
{
	const struct location_frame f = value_frame(s);
	struct value v = { .type = variable->type ? variable->type : &type_void };
	struct variable settled = *variable;
	struct location where;
	struct error *err = NULL;
	taddr block;

	if (v.type->is_namelist)
		return take_namelist(s, variable, ret);
	v.missing = captured_settle(s, &settled);
	v.type = settled.type ? settled.type : v.type;
	if (!v.missing && region_block_find(s, &settled, &block)) {
		err = value_read(s, v.type, block, &v);
		if (s->cells)
			s->cells->of_region = true;
	} else if (!v.missing) {
		variables_locate(s->session->variables, &settled, &f, &where);
		if (is_absent(s, &where))
			v.missing = "absent";
		else
			err = take_location(s, variable, &where, &v);
	}
	if (!err && settled.passing == VARIABLE_BY_REFERENCE)
		err = follow(s, &v);
	if (err)
		return err;
	if (s->cells && v.place != VALUE_MEMORY)
		s->cells->unplaced = true;
	if (v.missing && !s->thread && s->given)
		v.missing = "not available: the task has not begun";
	if (!v.missing || !s->thread || !s->counted || !s->counted(s, variable, ret))
		*ret = v;
	return NULL;
}

bool value_at_entry(const struct scope *s, const struct variable *variable, struct value *ret)
{
	const struct type *type = variable->type;
	int reg = variables_entry_register(s->session->variables, variable);
	const struct location_passed what = { .dwarf_reg = reg };
	struct location_value then;

	if (reg < 0 || !type || variable->passing ||
	    !(type_is_scalar(type) || type_is_pointer(type)) ||
	    type_size(type) > sizeof(then.bits) || !value_passed((void *)s, what, &then))
		return false;
	*ret = value_of_int(type, then.bits);
	return true;
}

/* ---- pointers to what has no address ------------------------------------------------------ */

static const struct value_pointers *pointer_at(const struct value *v)
{
	for (const struct value_pointers *p = v->pointers; p; p = p->next) {
		if (p->at == v->pointers_at)
			return p;
	}
	return NULL;
}

bool value_points(const struct value *v)
{
	const struct type *t = type_strip(v->type);

	return v->missing && (t->kind == TYPE_POINTER || t->kind == TYPE_REFERENCE) &&
	       pointer_at(v) != NULL;
}

/* What is described and has no type, such as a text, is an array of what is pointed to. */
static const struct type *type_of(const struct scope *s, const struct variable *variable,
				  const struct type *target, const struct location *where)
{
	uint64_t size = type_size(target);

	if (variable->type || !size || where->n != 1 || where->parts[0].kind != LOCATION_BLOCK)
		return variable->type ? variable->type : target;
	return type_array_of(variables_types(s->session->variables), target,
			     where->parts[0].block_size / size);
}

struct error *value_pointed(const struct scope *s, const struct value *v, uint64_t index,
			    struct value *ret)
{
	const struct value_pointers *p = value_points(v) ? pointer_at(v) : NULL;
	const struct type *target = type_strip(v->type)->target;
	const struct location_frame f = value_frame(s);
	struct variable variable;
	struct location where;

	if (!p || !target || p->cfa != s->cfa)
		return value_missing(v);
	uint64_t at = p->offset + index * type_size(target);
	*ret = (struct value){ .type = target, .missing = "optimized out" };
	if (!variables_at_entry(s->session->variables, &p->holder, p->entry, &variable))
		return NULL;
	variables_locate(s->session->variables, &variable, &f, &where);
	if (where.n == 1 && !where.parts[0].bits && where.parts[0].kind == LOCATION_MEMORY)
		return value_read(s, target, where.parts[0].addr + at, ret);
	struct value whole = { .type = type_of(s, &variable, target, &where) };
	if (!whole.type)
		return &error_nomem;
	struct error *err = take_location(s, &variable, &where, &whole);
	if (err)
		return err;
	whole.place = VALUE_NOWHERE;
	if (whole.missing && whole.pointers && at == 0)
		*ret = whole;
	else
		return value_part(s, &whole, target, at, ret);
	return NULL;
}
