/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <dwarf.h>
#include <string.h>

#include "target/symbols/frame_slot.h"
#include "target/symbols/gcc_faults.h"
#include "target/symbols/location_reader.h"
#include "target/symbols/loop_counter.h"
#include "target/symbols/stale_value.h"
#include "target/symbols/tls.h"
#include "target/symbols/variable_reader.h"
#include "target/symbols/variables.h"

static const char folded[] = "not available: calls of the function are folded into one, and gcc "
			     "describes the outermost alone";

/* What DWARF says of a variable, ready to be executed. */
struct described {
	struct location_code code, frame_base;
	struct location constant; /* instead of code, where constant.n */
	struct location_context context;
	struct tls_query tls;
};

static bool constant_of(Dwarf_Die *die, struct location *ret)
{
	Dwarf_Attribute its;
	Dwarf_Block block;
	struct location_part part = { .kind = LOCATION_VALUE };

	if (!dwarf_attr_integrate(die, DW_AT_const_value, &its))
		return false;
	int64_t value;
	if (dwarf_formblock(&its, &block) == 0) {
		part.kind = LOCATION_BLOCK;
		part.block = block.data;
		part.block_size = block.length;
	} else if (die_constant(&its, &value)) {
		part.value = (uint64_t)value;
	} else {
		return false;
	}
	*ret = (struct location){ .parts = { part }, .n = 1 };
	return true;
}

/* false: it is no static variable. several: what is said where it cannot be told which it is. */
static bool place_of(enum gcc_static its, taddr at, const char *several, struct location_code *ret)
{
	const struct location_op local = { .atom = DW_OP_form_tls_address };

	*ret = (struct location_code){ .n = 1, .ops = { { .atom = DW_OP_addr, .number = at } } };
	switch (its) {
	case GCC_STATIC_NONE:
		return false;
	case GCC_STATIC_ONE:
		return true;
	case GCC_STATIC_LOCAL:
		ret->ops[0].atom = DW_OP_const8u;
		ret->ops[ret->n++] = local;
		return true;
	case GCC_STATIC_SEVERAL:
		*ret = (struct location_code){ .missing = several };
		return true;
	}
	return false;
}

/* A static variable that is described as a constant. false: it is one. */
static bool is_no_constant(struct variables *v, const struct variable *variable, struct target *t,
			   Dwarf_Die *die, struct location_code *ret)
{
	struct variable_unit unit;
	taddr at;

	if (!variable_reader_unit_of(v, variable, &unit))
		return false;
	enum gcc_static its = gcc_faults_static(v, &unit, t, die, &at);
	return place_of(its, at, "gcc tells its initial value alone", ret);
}

/* In its function's frame, or nowhere. */
static bool is_automatic(Dwarf_Attribute *where)
{
	Dwarf_Op *ops;
	size_t n;

	return !where ||
	       (dwarf_getlocation(where, &ops, &n) == 0 && n == 1 && ops[0].atom == DW_OP_fbreg);
}

/* A static variable of gcc's that a construct has declared. */
static bool is_static(struct variables *v, const struct variable *variable, struct target *t,
		      struct location_code *ret)
{
	struct variable_unit unit;
	Dwarf_Die die, function;
	taddr at;

	memcpy(&die, variable->place, sizeof(die));
	memcpy(&function, variable->function, sizeof(function));
	if (!function.addr || variable->argument || !variable_reader_unit_of(v, variable, &unit))
		return false;
	enum gcc_static its = gcc_faults_declared(v, &unit, t, &die, &function, &at);
	return place_of(its, at,
			"not available: gcc does not tell which of several static variables of "
			"that name it is",
			ret);
}

/* What the frame has of it is where it is, or what describes it. */
static bool is_kept_elsewhere(const struct variable *variable, const struct location_code *code)
{
	return (code->n == 2 && code->ops[1].atom == DW_OP_deref) ||
	       (code->n == 1 && variable->argument && variable->type &&
		type_is_dynamic(variable->type));
}

static bool is_split_by_gcc(Dwarf_Die *die, const struct dwarf_spans *spans)
{
	Dwarf_Die unit;
	uint8_t type;

	if (dwarf_cu_info(die->cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) != 0 ||
	    type != DW_UT_split_compile || !dwarf_diecu(die, &unit, NULL, NULL))
		return false;
	const char *maker = die_string(&unit, DW_AT_producer, spans);
	return maker && !strncmp(maker, "GNU ", 4);
}

/* false: it has no place, but is a constant. */
static bool describe_constant(struct variables *v, const struct variable *variable,
			      struct target *t, Dwarf_Die *die, Dwarf_Die *function,
			      struct described *ret)
{
	if (variable->pc && function->addr && gcc_faults_folded(v, die, function, variable->pc))
		ret->constant = location_missing(folded);
	else if (is_no_constant(v, variable, t, die, &ret->code))
		ret->constant.n = 0;
	return !ret->constant.n;
}

static void describe_place(struct variables *v, const struct variable *variable,
			   const struct location_frame *f, Dwarf_Die *die, Dwarf_Die *function,
			   Dwarf_Attribute *where, struct described *ret)
{
	taddr pc = variable->pc ? variable->pc - variable->unit_bias : 0;
	struct variable_unit unit;
	Dwarf_Attribute its;
	Dwarf_Die placed;

	if (!where && die_is_fortran(die) && variable_reader_unit_of(v, variable, &unit) &&
	    gcc_faults_placed(&unit, die, &placed))
		where = dwarf_attr(&placed, DW_AT_location, &its);
	if (!is_automatic(where) || !is_static(v, variable, f->target, &ret->code))
		location_reader_get(where, pc, &ret->code);
	const bool artificial = dwarf_hasattr_integrate(die, DW_AT_artificial);
	if (function->addr && variable->type && variable->pc &&
	    (artificial || variable->argument) && variable_reader_unit(v, variable->pc, &unit)) {
		if (artificial)
			loop_counter_find(&(struct loop_counter_unit){ f->target, &unit.spans,
								       variable->unit_bias,
								       variable->pc },
					  die, function, type_size(variable->type), &ret->code);
		stale_value_find(&(struct stale_value_code){ f->target, &unit.spans,
							     variable->unit_bias, variable->pc,
							     function },
				 die, &ret->code);
	}
	variable_reader_mend(v, variable, &ret->code);
	if (function->addr && variable->pc && is_kept_elsewhere(variable, &ret->code) &&
	    frame_slot_is_empty(f->target, &ret->code, function, variable->unit_bias, variable->pc))
		ret->code.missing = "not there yet";
}

static void describe(struct variables *v, const struct variable *variable,
		     const struct location_frame *f, struct described *ret)
{
	const taddr pc = variable->pc ? variable->pc - variable->unit_bias : 0;
	Dwarf_Attribute its;
	Dwarf_Die die, function;

	memcpy(&die, variable->place, sizeof(die));
	memcpy(&function, variable->function, sizeof(function));
	ret->constant.n = 0;
	Dwarf_Attribute *where = dwarf_attr_integrate(&die, DW_AT_location, &its);
	if (where || !constant_of(&die, &ret->constant))
		describe_place(v, variable, f, &die, &function, where, ret);
	else if (!describe_constant(v, variable, f->target, &die, &function, ret))
		return;
	if (function.addr)
		location_reader_get(dwarf_attr(&function, DW_AT_frame_base, &its), pc,
				    &ret->frame_base);
	ret->tls = (struct tls_query){ v->symbols, variable->module, f->thread, false };
	if (location_reader_is_thread_local(&ret->code)) {
		struct dwarf_spans spans = { 0 };
		die_add_spans(&die, &spans);
		ret->tls.may_be_address = is_split_by_gcc(&die, &spans);
	}
	ret->context = (struct location_context){
		.frame = f,
		.bias = variable->unit_bias,
		.frame_base = function.addr ? &ret->frame_base : NULL,
		.tls = tls_find,
		.tls_context = &ret->tls,
	};
}

void variables_locate(struct variables *v, const struct variable *variable,
		      const struct location_frame *f, struct location *ret)
{
	struct described d;

	describe(v, variable, f, &d);
	if (d.constant.n)
		*ret = d.constant;
	else
		location_run(&d.code, &d.context, ret);
}

/* Of what is in no function no address tells of which unit it is. */
static bool unit_of_entry(struct variables *v, const struct variable *beside, Dwarf_Die *die,
			  struct variable_unit *ret)
{
	if (variable_reader_unit_of(v, beside, ret))
		return true;
	*ret = (struct variable_unit){ .module = beside->module, .bias = beside->unit_bias };
	die_add_spans(die, &ret->spans);
	return dwarf_diecu(die, &ret->root, NULL, NULL);
}

bool variables_at_entry(struct variables *v, const struct variable *beside, uint64_t entry,
			struct variable *ret)
{
	struct variable made = *beside;
	struct variable_unit unit;
	Dwarf_Die die, its, function;

	memcpy(&die, beside->place, sizeof(die));
	memcpy(&function, beside->function, sizeof(function));
	Dwarf *dwarf = die.addr ? dwarf_cu_getdwarf(die.cu) : NULL;
	if (!dwarf || !dwarf_offdie(dwarf, entry, &its))
		return false;
	int tag = dwarf_tag(&its);
	if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) {
		made.name = NULL;
		made.type = NULL;
		memcpy(made.place, &its, sizeof(its));
		*ret = made;
		return true;
	}
	if (!unit_of_entry(v, beside, &its, &unit))
		return false;
	*ret = variable_reader_make(v, &unit, &its, function.addr ? &function : NULL);
	ret->pc = beside->pc;
	return true;
}

/* What describes it where its function begins; n 0: nothing. */
static void code_at_entry(const struct variable *variable, struct location_code *ret)
{
	Dwarf_Attribute its;
	Dwarf_Die die, function;

	memcpy(&die, variable->place, sizeof(die));
	memcpy(&function, variable->function, sizeof(function));
	ret->n = 0;
	if (function.addr)
		location_reader_get(dwarf_attr_integrate(&die, DW_AT_location, &its),
				    die_entry(&function), ret);
	if (ret->missing)
		ret->n = 0;
}

int variables_entry_register(struct variables *v, const struct variable *variable)
{
	struct location_code code = { 0 };

	(void)v;
	if (!variable->argument || variable->inlined)
		return -1;
	code_at_entry(variable, &code);
	if (code.n != 1 || code.ops[0].atom < DW_OP_reg0 || code.ops[0].atom > DW_OP_reg31)
		return -1;
	return code.ops[0].atom - DW_OP_reg0;
}

/* How many operations get the pointer, and maybe add something to it; 0: others are there. */
static size_t operations_of_pointer(const struct location_code *pointer,
				    const struct location_code *code)
{
	const struct location_op *its = pointer->ops, *ops = code->ops;

	if (pointer->n != 1 || !code->n)
		return 0;
	if (its->atom >= DW_OP_reg0 && its->atom <= DW_OP_reg31)
		return ops->atom == its->atom - DW_OP_reg0 + DW_OP_breg0;
	return its->atom == DW_OP_fbreg && code->n > 1 && ops->atom == DW_OP_fbreg &&
			       ops->number == its->number && ops[1].atom == DW_OP_deref
		       ? 2
		       : 0;
}

bool variables_behind(const struct variable *pointer, const struct variable *variable,
		      struct target *t, taddr block, taddr *ret)
{
	const struct location_frame f = { .target = t };
	const struct location_context c = { .frame = &f, .initial = &block };
	struct location_code its = { 0 }, code = { 0 };
	struct location where;

	code_at_entry(pointer, &its);
	code_at_entry(variable, &code);
	const size_t n = operations_of_pointer(&its, &code);
	if (!n)
		return false;
	if (n == 1)
		block += code.ops[0].number;
	*ret = block;
	code.n -= n;
	memmove(code.ops, code.ops + n, code.n * sizeof(*code.ops));
	if (!code.n)
		return true;
	location_run(&code, &c, &where);
	*ret = where.parts[0].addr;
	return where.n == 1 && where.parts[0].kind == LOCATION_MEMORY;
}

struct error *variables_compile(struct variables *v, const struct variable *variable,
				struct target *t, const struct location_cfa *cfa, struct buf *ret,
				enum location_kind *ret_kind)
{
	const struct location_frame f = { .target = t };
	struct described d;

	describe(v, variable, &f, &d);
	if (d.constant.n)
		return error_new(ERROR_UNSUPPORTED, "it is a constant");
	return location_compile(&d.code, &d.context, cfa, ret, ret_kind);
}

/* ---- variables of a unit ----------------------------------------------------------------- */

static bool holds_variables(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module;
}

struct error *variables_of_unit(struct variables *v, taddr pc, size_t most,
				struct variable_list *ret)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	struct variable_unit unit;
	Dwarf_Attribute its;

	variable_reader_begin(v);
	if (!variable_reader_unit(v, pc, &unit))
		return NULL;
	for (bool more = die_walk_start(&w, &unit.root); more && ret->len < most;) {
		Dwarf_Die *die = die_walk_here(&w);
		int tag = dwarf_tag(die);
		if (tag == DW_TAG_variable && dwarf_attr(die, DW_AT_location, &its) &&
		    !vec_push(ret, variable_reader_make(v, &unit, die, NULL)))
			return &error_nomem;
		more = die_walk_next(&w, holds_variables(tag));
	}
	return NULL;
}

void variables_add_name(const struct variable *variable, struct buf *out)
{
	struct dwarf_spans spans = { 0 };
	Dwarf_Die die, origin;

	memcpy(&die, variable->place, sizeof(die));
	die_add_spans(&die, &spans);
	bool elsewhere = die_origin(&die, &origin);
	if (!die_is_fortran(&die))
		die_add_scopes(NULL, elsewhere ? &origin : &die, &spans, out);
	buf_adds(out, variable->name ? variable->name : "");
}

/* ---- programs that are optimized as a whole ---------------------------------------------- */

bool variables_have_place(Dwarf_Die *die)
{
	Dwarf_Attribute its;

	return dwarf_hasattr(die, DW_AT_location) || dwarf_tag(die) == DW_TAG_namelist ||
	       dwarf_attr_integrate(die, DW_AT_const_value, &its);
}

/*
 * What gcc's -flto has made of a variable lies in a unit of its own, "<artificial>", maybe in a
 * function there that uses it: only that knows the place.
 */
static bool take_instance(struct variables *v, struct variable_unit *u, const Dwarf_Die *of,
			  struct variable *ret)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	const char *name = die_plain_name(&u->root, &u->spans);
	Dwarf_Die origin;

	if (!name || strcmp(name, "<artificial>") != 0)
		return false;
	for (bool more = die_walk_start(&w, &u->root); more; more = die_walk_next(&w, true)) {
		Dwarf_Die *die = die_walk_here(&w);
		if (dwarf_tag(die) != DW_TAG_variable || !die_origin(die, &origin) ||
		    origin.addr != of->addr || !dwarf_hasattr(die, DW_AT_location))
			continue;
		*ret = variable_reader_make(v, u, die, NULL);
		return true;
	}
	return false;
}

void variables_find_instance(struct variables *v, struct variable *variable)
{
	struct debuginfo *d = symbol_files(v->symbols, variable->module);
	struct variable_unit u = { .module = variable->module, .bias = variable->module->bias };
	Dwarf *dwarf = d ? debuginfo_dwarf(d) : NULL;
	Dwarf_CU *cu = NULL;
	Dwarf_Die of;

	memcpy(&of, variable->place, sizeof(of));
	if (!dwarf || !of.addr || variables_have_place(&of))
		return;
	die_add_spans(&of, &u.spans);
	while (dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &u.root, NULL) == 0) {
		if (u.root.addr && take_instance(v, &u, &of, variable))
			return;
	}
}

const char *variables_linkage_name(const struct variable *variable)
{
	struct dwarf_spans spans = { 0 };
	Dwarf_Die die;

	memcpy(&die, variable->place, sizeof(die));
	if (!die.addr)
		return NULL;
	die_add_spans(&die, &spans);
	return die_name(&die, &spans);
}
