/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/array_reader.h"

#include <dwarf.h>
#include <string.h>

#include "target/symbols/location_reader.h"
#include "target/symbols/type_dynamic.h"

enum { DIMENSIONS_MAX = 15 };

/* ---- properties -------------------------------------------------------------------------- */

/* Operations as they are while their file is closed. */
static void keep_operations(const struct array_reader *r, Dwarf_Attribute *its,
			    struct type_property *ret)
{
	struct location_code code;

	location_reader_get(its, 0, &code);
	ret->kind = PROPERTY_EXPRESSION;
	ret->missing = code.missing;
	struct location_op *ops = type_alloc(r->store, code.n, sizeof(*ops));
	for (size_t i = 0; ops && i < code.n; i++) {
		ops[i] = code.ops[i];
		uint8_t *block = ops[i].block ? type_alloc(r->store, ops[i].number, 1) : NULL;
		if (block)
			ops[i].block = memcpy(block, code.ops[i].block, ops[i].number);
		else if (ops[i].block)
			ret->missing = "out of memory";
	}
	ret->ops = ops;
	ret->nops = ops ? code.n : 0;
}

static void note_variable(const struct array_reader *r, Dwarf_Die *die, struct type_property *ret)
{
	struct type_origin *origin = type_alloc(r->store, 1, sizeof(*origin));

	if (!origin)
		return;
	*origin = (struct type_origin){ *die, r->generation, r->bias, die_language(die), NULL };
	ret->kind = PROPERTY_VARIABLE;
	ret->variable = origin;
	ret->type = r->type_of(r->context, die);
}

/* What a variable points to, as gcc says it of lengths that are passed by reference: the place of
 * the variable changes from one pc to the next, which its own entry tells. */
static bool is_pointed(Dwarf_Attribute *its, Dwarf_Die *ret)
{
	Dwarf_Op *ops;
	size_t n;

	return dwarf_getlocation(its, &ops, &n) == 0 && n == 2 && ops[1].atom == DW_OP_deref &&
	       (ops[0].atom == DW_OP_call2 || ops[0].atom == DW_OP_call4 ||
		ops[0].atom == DW_OP_call_ref) &&
	       dwarf_getlocation_die(its, &ops[0], ret) == 0;
}

static struct type_property read_property(const struct array_reader *r, Dwarf_Die *die,
					  unsigned int attribute)
{
	struct type_property ret = { .kind = PROPERTY_NONE };
	Dwarf_Attribute its;
	Dwarf_Die other;
	Dwarf_Word number;

	if (!dwarf_attr(die, attribute, &its))
		return ret;
	if (dwarf_formudata(&its, &number) == 0) {
		ret.kind = PROPERTY_NUMBER;
		ret.number = (int64_t)number;
	} else if (dwarf_formref_die(&its, &other) || is_pointed(&its, &other)) {
		note_variable(r, &other, &ret);
	} else {
		keep_operations(r, &its, &ret);
	}
	return ret;
}

static bool is_known(const struct type_property *p)
{
	return p->kind == PROPERTY_NONE || p->kind == PROPERTY_NUMBER;
}

static bool is_there(const struct type_property *p)
{
	return p->kind != PROPERTY_NONE;
}

/* ---- dimensions -------------------------------------------------------------------------- */

static void read_dimension(const struct array_reader *r, Dwarf_Die *die, struct type_dynamic *ret)
{
	*ret = (struct type_dynamic){
		.lower = read_property(r, die, DW_AT_lower_bound),
		.upper = read_property(r, die, DW_AT_upper_bound),
		.count = read_property(r, die, DW_AT_count),
		.byte_stride = read_property(r, die, DW_AT_byte_stride),
		.bit_stride = read_property(r, die, DW_AT_bit_stride),
		.is_generic = dwarf_tag(die) == DW_TAG_generic_subrange,
		.bias = r->bias,
	};
}

static bool is_fixed(const struct type_dynamic *d)
{
	return is_known(&d->lower) && is_known(&d->upper) && is_known(&d->count) &&
	       is_known(&d->byte_stride) && is_known(&d->bit_stride) && !d->is_generic;
}

/* Of what is known for good. In C what has no bound may have one elsewhere. */
static void set_dimension(struct type *t, const struct type_dynamic *d)
{
	if (is_there(&d->lower))
		t->lower = d->lower.number;
	if (is_there(&d->count) && d->count.number > 0)
		t->count = (uint64_t)d->count.number;
	else if (is_there(&d->upper) && d->upper.number >= t->lower && d->upper.number < INT64_MAX)
		t->count = (uint64_t)d->upper.number - (uint64_t)t->lower + 1;
	t->is_open = t->is_fortran && !is_there(&d->upper) && !is_there(&d->count);
	t->unbounded = t->is_open ? "it has no upper bound" : NULL;
	t->stride = is_there(&d->byte_stride)  ? d->byte_stride.number
		    : is_there(&d->bit_stride) ? d->bit_stride.number / 8
					       : 0;
	if ((uint64_t)t->stride == type_size(t->target))
		t->stride = 0;
}

/* From the innermost one out; the outermost is t itself. */
static bool nest(const struct array_reader *r, struct type *t, struct type_dynamic *dimensions,
		 size_t n, bool dynamic)
{
	for (size_t i = 0; i < n; i++) {
		bool last = i + 1 == n;
		struct type *one = last ? t : type_new(r->store, TYPE_ARRAY, NULL, 0);
		if (!one)
			return false;
		one->is_fortran = t->is_fortran;
		one->lower = t->is_fortran;
		one->is_row = !last;
		one->target = t->target;
		set_dimension(one, &dimensions[i]);
		if (dynamic) {
			struct type_dynamic *d = type_alloc(r->store, 1, sizeof(*d));
			if (!d)
				return false;
			*d = dimensions[i];
			one->dynamic = d;
			one->count = 0;
		}
		if (__builtin_mul_overflow(type_size(one->target), one->count, &one->size))
			return false;
		t->target = last ? t->target : one;
	}
	return n > 0;
}

static void read_whole(const struct array_reader *r, Dwarf_Die *die, struct type_dynamic *ret)
{
	ret->allocated = read_property(r, die, DW_AT_allocated);
	ret->associated = read_property(r, die, DW_AT_associated);
	ret->data = read_property(r, die, DW_AT_data_location);
	ret->rank = read_property(r, die, DW_AT_rank);
}

/* The first one in DWARF varies slowest, in Fortran fastest. Returns how many, innermost first. */
static size_t read_dimensions(const struct array_reader *r, Dwarf_Die *die, bool by_columns,
			      struct type_dynamic ret[DIMENSIONS_MAX])
{
	Dwarf_Die child;
	size_t n = 0;

	for (int more = dwarf_child(die, &child); more == 0 && n < DIMENSIONS_MAX;
	     more = dwarf_siblingof(&child, &child)) {
		int tag = dwarf_tag(&child);
		if (tag == DW_TAG_subrange_type || tag == DW_TAG_generic_subrange)
			read_dimension(r, &child, &ret[n++]);
	}
	for (size_t i = 0; !by_columns && i < n / 2; i++) {
		struct type_dynamic moved = ret[i];
		ret[i] = ret[n - 1 - i];
		ret[n - 1 - i] = moved;
	}
	return n;
}

void array_reader_read(const struct array_reader *r, struct type *t, Dwarf_Die *die)
{
	struct type_dynamic dimensions[DIMENSIONS_MAX];
	Dwarf_Attribute its;
	bool by_columns = dwarf_attr(die, DW_AT_ordering, &its)
				  ? die_number(die, DW_AT_ordering) == DW_ORD_col_major
				  : t->is_fortran;
	size_t n = read_dimensions(r, die, by_columns, dimensions);
	bool dynamic = type_is_dynamic(t->target);

	if (n == 0) {
		t->kind = t->is_fortran ? TYPE_OTHER : t->kind;
		return;
	}
	struct type_dynamic *outer = &dimensions[n - 1], *inner = &dimensions[0];
	read_whole(r, die, outer);
	if (dwarf_hasattr(die, DW_AT_byte_stride) || dwarf_hasattr(die, DW_AT_bit_stride)) {
		inner->byte_stride = read_property(r, die, DW_AT_byte_stride);
		inner->bit_stride = read_property(r, die, DW_AT_bit_stride);
	}
	for (size_t i = 0; i < n; i++)
		dynamic |= !is_fixed(&dimensions[i]);
	dynamic |= is_there(&outer->allocated) || is_there(&outer->associated) ||
		   is_there(&outer->data);
	t->is_allocatable = is_there(&outer->allocated);
	t->is_pointer = is_there(&outer->associated);
	if (!nest(r, t, dimensions, n, dynamic))
		t->kind = TYPE_OTHER;
}

void array_reader_read_string(const struct array_reader *r, struct type *t, Dwarf_Die *die)
{
	t->target = &type_char;
	t->is_string = true;
	t->lower = 1;
	t->count = t->size;
	if (!dwarf_hasattr(die, DW_AT_string_length)) {
		if (!dwarf_hasattr(die, DW_AT_byte_size))
			t->unbounded = "its length is not known";
		return;
	}
	struct type_dynamic *d = type_alloc(r->store, 1, sizeof(*d));
	if (!d) {
		t->kind = TYPE_OTHER;
		return;
	}
	/* Before DWARF 5 the size of the string was that of its length. */
	uint64_t of_length = die_number(die, DW_AT_string_length_byte_size);
	*d = (struct type_dynamic){
		.length = read_property(r, die, DW_AT_string_length),
		.length_size = of_length ? of_length : t->size,
		.bias = r->bias,
	};
	t->dynamic = d;
	t->size = t->count = 0;
}
