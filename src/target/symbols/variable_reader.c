/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/variable_reader.h"

#include <ctype.h>
#include <dwarf.h>
#include <string.h>

#include "target/symbols/passed_variable.h"
#include "target/symbols/task_copy.h"

void variable_reader_begin(struct variables *v)
{
	unsigned long now = symbol_modules(v->symbols)->generation;

	if (now == v->reader.generation)
		return;
	v->reader.generation = now;
	type_reader_forget(&v->reader);
	map_fini(&v->statics);
	v->statics = (struct hash_map){ 0 };
	map_fini(&v->passings);
	v->passings = (struct hash_map){ 0 };
	map_fini(&v->copied);
	v->copied = (struct hash_map){ 0 };
}

bool variable_reader_unit(struct variables *v, taddr pc, struct variable_unit *ret)
{
	struct unit_here here;

	if (!symbol_unit_at(v->symbols, pc, &here))
		return false;
	*ret = (struct variable_unit){ here.module, *cu_spans(here.cu), *cu_root(here.cu),
				       here.bias, 0 };
	return true;
}

bool variable_reader_unit_of(struct variables *v, const struct variable *variable,
			     struct variable_unit *ret)
{
	Dwarf_Die function;

	memcpy(&function, variable->function, sizeof(function));
	taddr entry = function.addr ? die_entry(&function) : 0;
	taddr pc = variable->pc || !entry ? variable->pc : entry + variable->unit_bias;
	return pc && variable_reader_unit(v, pc, ret);
}

static int64_t enumerator_value(Dwarf_Die *die)
{
	Dwarf_Attribute its;
	int64_t value;

	return die_constant(dwarf_attr(die, DW_AT_const_value, &its), &value) ? value : 0;
}

bool variable_reader_is_internal(Dwarf_Die *die, const char *name)
{
	static const char *const made[] = {
		"__context", "__vla_expr",  "vla",         "__range",   "__begin",
		"__end",     "__for_range", "__for_begin", "__for_end", "__closure",
	};
	Dwarf_Attribute its;
	bool artificial = false;

	if (name[0] == '.' || (!strncmp(name, "D.", 2) && isdigit((unsigned char)name[2])))
		return true;
	dwarf_formflag(dwarf_attr_integrate(die, DW_AT_artificial, &its), &artificial);
	/* clang does not say it of what it passes to tasks, but that is declared nowhere. */
	artificial |= !die_declared(die, DW_AT_decl_line);
	const char *dot = strchr(name, '.'); /* gfortran: of the array "a" it passes "a.0" */
	if (artificial && dot && isdigit((unsigned char)dot[1]))
		return true;
	for (size_t i = 0; artificial && i < sizeof(made) / sizeof(*made); i++) {
		size_t len = strlen(made[i]);
		if (!strncmp(name, made[i], len) && !name[len + strspn(name + len, "0123456789")])
			return true;
	}
	return false;
}

static enum variable_passing find_passing(const struct variable_unit *u, Dwarf_Die *die,
					  const struct type *type)
{
	const enum variable_passing its = passed_variable_how(die, &u->root, &u->spans);

	/* The type may be one that could not be read. */
	type = type_strip(type);
	return its >= VARIABLE_BY_REFERENCE && (type->kind != TYPE_REFERENCE || !type->target)
		       ? VARIABLE_BY_VALUE
		       : its;
}

/* Units are gone through for it, so what has been found is kept. */
static enum variable_passing passing_of(struct variables *v, const struct variable_unit *u,
					Dwarf_Die *die, const struct type *type)
{
	const struct map_item *known = map_find(&v->passings, map_key(die->addr));

	if (known)
		return (enum variable_passing)known->number;
	const enum variable_passing its = find_passing(u, die, type);
	struct map_item *item = map_add(&v->passings, map_key(die->addr));
	if (item)
		item->number = its;
	return its;
}

_Static_assert(sizeof(Dwarf_Die) <= sizeof(((struct variable *)0)->place), "place");

struct variable variable_reader_make(struct variables *v, struct variable_unit *u, Dwarf_Die *die,
				     const Dwarf_Die *function)
{
	Dwarf_Attribute its;
	struct variable made = { .module = u->module, .unit_bias = u->bias };
	int tag = dwarf_tag(die);

	v->reader.spans = &u->spans;
	v->reader.depth = 0;
	v->reader.bias = u->bias;
	v->reader.module = u->module;
	v->reader.language = die_language(&u->root);
	if (!v->reader.language)
		v->reader.language = u->language;
	made.name = die_string(die, DW_AT_name, &u->spans);
	if (!made.name) {
		made.name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &its));
		made.name = dwarf_check_string(&u->spans, made.name) ? made.name : NULL;
	}
	made.argument = tag == DW_TAG_formal_parameter;
	made.internal = made.name && variable_reader_is_internal(die, made.name);
	memcpy(made.place, die, sizeof(*die));
	if (function)
		memcpy(made.function, function, sizeof(*function));
	if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
		made.type = type_reader_function(&v->reader, die);
		made.entry = die_entry(die) ? die_entry(die) + u->bias : 0;
	} else if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter ||
		   tag == DW_TAG_member || tag == DW_TAG_constant) {
		made.type = type_reader_of(&v->reader, die);
		made.refers = made.type && type_strip(made.type)->kind == TYPE_REFERENCE &&
			      task_copy_is_one(die, function, &u->spans);
		if (made.refers)
			made.type = type_strip(made.type)->target;
		if (made.argument && made.type && !made.internal)
			made.passing = passing_of(v, u, die, made.type);
	} else if (tag == DW_TAG_enumerator) {
		made.value = enumerator_value(die);
	} else {
		made.type = type_reader_get(&v->reader, die);
	}
	v->reader.spans = NULL;
	return made;
}

bool variable_is_same(const struct variable *a, const struct variable *b)
{
	Dwarf_Die of_a, of_b;

	memcpy(&of_a, a->place, sizeof(of_a));
	memcpy(&of_b, b->place, sizeof(of_b));
	return of_a.addr == of_b.addr;
}

int variable_line(const struct variable *variable)
{
	Dwarf_Die die;

	memcpy(&die, variable->place, sizeof(die));
	uint64_t line = die.addr ? die_declared(&die, DW_AT_decl_line) : 0;
	return line <= INT32_MAX ? (int)line : 0;
}

bool variable_is_placed(const struct variable *variable)
{
	Dwarf_Die die;

	memcpy(&die, variable->place, sizeof(die));
	return die.addr && variables_have_place(&die);
}

uint64_t variable_alignment(const struct variable *variable)
{
	Dwarf_Attribute its;
	Dwarf_Word n = 0;
	Dwarf_Die die;

	memcpy(&die, variable->place, sizeof(die));
	if (!die.addr || dwarf_formudata(dwarf_attr_integrate(&die, DW_AT_alignment, &its), &n))
		return 0;
	return n;
}

/* On the function itself, or on the type of it. */
bool variable_is_called_otherwise(const struct variable *variable)
{
	Dwarf_Attribute its;
	Dwarf_Word how = 0;
	Dwarf_Die die;

	memcpy(&die, variable->place, sizeof(die));
	return die.addr &&
	       dwarf_formudata(dwarf_attr_integrate(&die, DW_AT_calling_convention, &its), &how) ==
		       0 &&
	       how == DW_CC_nocall;
}
