/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/container_ops.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debugger/values/classes.h"
#include "debugger/values/container_compare.h"
#include "debugger/values/container_elements.h"
#include "debugger/values/container_iterators.h"
#include "debugger/values/reach.h"

enum { BASES_MAX = 16, SLICE_MAX = 1 << 16 };

/* ---- single things ---------------------------------------------------------------------- */

/* The first item. USAGE: there is none. */
static struct error *take_first(const struct operating *o, struct value *ret)
{
	AUTO_CONTAINER c = { 0 };
	struct error *err = container_take_items(o, 1, &c);

	if (err)
		return err;
	if (!c.items.len)
		return c.fault ? container_fault(&c)
			       : error_new(ERROR_USAGE, "the std::%s holds nothing", o->kind->name);
	*ret = c.items.items[0].value;
	return NULL;
}

static struct error *held(const struct operating *o, struct value *ret)
{
	return take_first(o, ret);
}

static struct error *target(const struct operating *o, struct value *ret)
{
	struct value pointer;
	struct error *err = held(o, &pointer);

	return err ? err : reach_target(o->s, &pointer, 0, ret);
}

static struct error *pointed_element(const struct operating *o, struct value *ret)
{
	struct value pointer;
	struct number index;
	struct error *err = held(o, &pointer);

	if (!err)
		err = value_number(&o->args[0], &index);
	return err ? err : reach_element(o->s, &pointer, &index, ret);
}

static struct error *uses(const struct operating *o, struct value *ret)
{
	AUTO_CONTAINER c = { 0 };
	struct error *err = container_take_items(o, 1, &c);

	*ret = value_of_int(&type_long, c.number);
	return !err && c.fault ? container_fault(&c) : err;
}

static struct error *is_expired(const struct operating *o, struct value *ret)
{
	struct error *err = uses(o, ret);

	*ret = value_of_int(&type_bool, !ret->bytes[0] && !ret->bytes[1]);
	return err;
}

static struct error *has_value(const struct operating *o, struct value *ret)
{
	AUTO_CONTAINER c = { 0 };
	struct error *err = container_take_items(o, 1, &c);

	*ret = value_of_int(&type_bool, c.form != CONTAINER_EMPTY);
	return !err && c.fault ? container_fault(&c) : err;
}

static struct error *value_or(const struct operating *o, struct value *ret)
{
	struct value has;
	struct error *err = has_value(o, &has);

	*ret = o->args[0];
	return !err && has.bytes[0] ? held(o, ret) : err;
}

/* A number of two: the first part of it, or the second. */
static struct error *part_of_complex(const struct operating *o, uint64_t n, struct value *ret)
{
	struct value both;
	struct error *err = held(o, &both);
	const struct type *part = err ? NULL : type_strip(both.type)->target;

	if (!err && !part)
		err = error_new(ERROR_USAGE, "it is no complex number");
	return err ? err : value_part(o->s, &both, part, n * type_size(part), ret);
}

static struct error *real_part(const struct operating *o, struct value *ret)
{
	return part_of_complex(o, 0, ret);
}

static struct error *imaginary_part(const struct operating *o, struct value *ret)
{
	return part_of_complex(o, 1, ret);
}

static struct error *variant_index(const struct operating *o, struct value *ret)
{
	struct error *err = uses(o, ret);

	ret->type = &type_unsigned_long;
	return err;
}

/* A star in front tells that the name is no other type's, whatever that is called. */
static struct error *name_of_type(const struct operating *o, struct value *ret)
{
	struct value first;
	taddr at;
	struct error *err = container_type_name(o->s, o->object, ret);

	if (!err)
		err = value_address(ret, &at);
	if (!err)
		err = value_read(o->s, &type_char, at, &first);
	if (!err)
		*ret = value_of_int(ret->type, at + (first.bytes[0] == '*'));
	return err;
}

static struct error *is_type_before(const struct operating *o, struct value *ret)
{
	int order;
	struct error *err = container_compare(o->s, o->object, &o->args[0], &order);

	if (!err)
		*ret = value_of_int(&type_bool, order < 0);
	return err;
}

/* ---- the tables ------------------------------------------------------------------------- */

static const struct container_kind kinds[] = {
	{ "basic_string", IS_TEXT, 0 },
	{ "basic_string_view", IS_TEXT, 0 },
	{ "vector", IS_ROW, 0 },
	{ "array", IS_ROW | IS_PARTS, 0 },
	{ "span", IS_ROW, 0 },
	{ "initializer_list", IS_ROW, 0 },
	{ "valarray", IS_ROW, 0 },
	{ "deque", IS_ROW, 0 },
	{ "list", IS_CHAIN, 0 },
	{ "forward_list", IS_CHAIN, 0 },
	{ "map", IS_MAP, 2 },
	{ "multimap", IS_MULTIMAP, 2 },
	{ "set", IS_SET, 1 },
	{ "multiset", IS_SET, 1 },
	{ "unordered_map", IS_MAP, 3 },
	{ "unordered_multimap", IS_MULTIMAP, 3 },
	{ "unordered_set", IS_SET, 2 },
	{ "unordered_multiset", IS_SET, 2 },
	{ "unique_ptr", IS_POINTER, 0 },
	{ "shared_ptr", IS_POINTER | IS_SHARED, 0 },
	{ "weak_ptr", IS_WEAK, 0 },
	{ "optional", IS_OPTIONAL, 0 },
	{ "variant", IS_VARIANT, 0 },
	{ "tuple", IS_PARTS, 0 },
	{ "pair", IS_PARTS, 0 },
	{ "bitset", IS_BITS, 0 },
	{ "atomic", IS_ATOMIC, 0 },
	{ "function", IS_FUNCTION, 0 },
	{ "stack", IS_STACK, 0 },
	{ "queue", IS_QUEUE, 0 },
	{ "priority_queue", IS_HEAP, 0 },
	{ "complex", IS_COMPLEX, 0 },
	{ "any", IS_ANY, 0 },
	{ "type_info", IS_TYPE_INFO, 0 },
};

static const struct container_kind *kind_of(const struct type *type)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (container_is(type, kinds[i].name))
			return &kinds[i];
	}
	return NULL;
}

static const struct operation {
	const char *name;
	unsigned int kinds;
	size_t arguments;
	container_operation *run;
} operations[] = {
	{ "size", IS_COUNTED | IS_BITS, 0, container_size_of },
	{ "length", IS_TEXT, 0, container_size_of },
	{ "empty", IS_COUNTED, 0, container_is_empty },
	{ "front", IS_TEXT | IS_ROW | IS_CHAIN | IS_QUEUE, 0, container_front },
	{ "back", IS_TEXT | IS_ROW | IS_CHAIN | IS_QUEUE, 0, container_back },
	{ "top", IS_HEAP, 0, container_front },
	{ "top", IS_STACK, 0, container_back },
	{ "capacity", IS_ROW, 0, container_capacity },
	{ "data", IS_TEXT | IS_ROW, 0, container_data },
	{ "c_str", IS_TEXT, 0, container_data },
	{ "[]", IS_TEXT | IS_ROW | IS_BITS, 1, container_element },
	{ "at", IS_TEXT | IS_ROW, 1, container_element },
	{ "test", IS_BITS, 1, container_element },
	{ "count", IS_BITS, 0, container_bits_set },
	{ "any", IS_BITS, 0, container_any_bit },
	{ "none", IS_BITS, 0, container_no_bit },
	{ "all", IS_BITS, 0, container_all_bits },
	{ "[]", IS_MAP, 1, container_mapped },
	{ "at", IS_MAP, 1, container_mapped },
	{ "count", IS_KEYED, 1, container_count_key },
	{ "contains", IS_KEYED, 1, container_contains },
	{ "get", IS_POINTER, 0, held },
	{ "->", IS_POINTER, 0, held },
	{ "*", IS_POINTER, 0, target },
	{ "[]", IS_POINTER, 1, pointed_element },
	{ "use_count", IS_SHARED | IS_WEAK, 0, uses },
	{ "expired", IS_WEAK, 0, is_expired },
	{ "value", IS_OPTIONAL, 0, held },
	{ "*", IS_OPTIONAL, 0, held },
	{ "->", IS_OPTIONAL, 0, held },
	{ "has_value", IS_OPTIONAL | IS_ANY, 0, has_value },
	{ "value_or", IS_OPTIONAL, 1, value_or },
	{ "index", IS_VARIANT, 0, variant_index },
	{ "load", IS_ATOMIC, 0, held },
	{ "name", IS_TYPE_INFO, 0, name_of_type },
	{ "before", IS_TYPE_INFO, 1, is_type_before },
	{ "real", IS_COMPLEX, 0, real_part },
	{ "imag", IS_COMPLEX, 0, imaginary_part },
};

static const struct operation *find_operation(unsigned int kind, const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		const struct operation *row = &operations[i];
		if ((row->kinds & kind) && row->arguments == n && !strcmp(row->name, name))
			return row;
	}
	return NULL;
}

/* What a class has for it: operator[] for "[]". */
static bool has_own(const struct type *type, const char *name)
{
	AUTO_BUF word = { 0 };
	size_t n;
	const struct type_method *methods = type_methods(type, &n);

	buf_addf(&word, "%s%s", strchr("[*-", name[0]) ? "operator" : "", name);
	for (size_t i = 0; i < n; i++) {
		if (methods[i].name && !strcmp(methods[i].name, buf_text(&word)))
			return true;
	}
	return false;
}

/* The container that an object is, or inherits. false: none, or it has such a function itself. */
static bool find_container(const struct scope *s, const struct value *object, const char *name,
			   size_t depth, struct value *ret)
{
	size_t n;

	if (!type_is_struct(object->type) || object->missing)
		return false;
	if (kind_of(object->type)) {
		*ret = *object;
		return true;
	}
	if (depth == BASES_MAX || has_own(object->type, name))
		return false;
	const struct type_member *members = type_members(object->type, &n);
	for (size_t i = 0; i < n; i++) {
		struct value base;
		if (members[i].kind != MEMBER_BASE)
			continue;
		struct error *err = value_member(s, object, &members[i], &base);
		error_ignore(err);
		if (!err && find_container(s, &base, name, depth + 1, ret))
			return true;
	}
	return false;
}

struct error *container_operate(const struct scope *s, const struct value *object, const char *name,
				const struct value *args, size_t n, struct value *ret,
				bool *ret_known)
{
	struct value container;

	*ret_known = false;
	if (!s || !s->session)
		return NULL;
	if (n == 0 && (!strcmp(name, "*") || !strcmp(name, "->"))) {
		struct error *err = container_iterator_target(s, object, ret, ret_known);
		if (err || *ret_known)
			return err;
	}
	if (!find_container(s, object, name, 0, &container))
		return NULL;
	const struct operating o = {
		.s = s, .object = &container, .kind = kind_of(container.type), .args = args
	};
	const struct operation *row = find_operation(o.kind->kind, name, n);
	*ret_known = row != NULL;
	return row     ? row->run(&o, ret)
	       : n > 0 ? NULL
		       : container_iterator_of(s, &container, name, ret, ret_known);
}

/* ---- several elements ------------------------------------------------------------------- */

struct slice {
	const struct scope *s;
	struct value first;
	uint64_t n, wanted;
	bool in_a_row;
	struct buf bytes;
	const char *missing;
};

static bool take_slice(void *context, const struct container_item *item)
{
	struct slice *slice = context;
	const struct value *v = &item->value;
	uint64_t size = type_size(v->type);
	AUTO_FREE char *bytes = size <= SLICE_MAX ? malloc(size + 1) : NULL;

	if (!slice->n)
		slice->first = *v;
	slice->in_a_row &= v->place == VALUE_MEMORY && slice->first.place == VALUE_MEMORY &&
			   v->addr == slice->first.addr + slice->n * size;
	slice->missing = bytes ? value_bytes(slice->s, v, 0, bytes, size) : "too large";
	if (!slice->missing)
		buf_add(&slice->bytes, bytes, size);
	return ++slice->n < slice->wanted && (!slice->missing || slice->in_a_row);
}

static struct error *make_array(const struct scope *s, const struct slice *slice, struct value *ret)
{
	struct type_store *store;
	struct error *err = reach_types(s, &store);
	const struct type *type =
		err ? NULL : type_array_of(store, slice->first.type, slice->wanted);

	if (err || !type)
		return err ? err : &error_nomem;
	*ret = (struct value){ .type = type };
	if (slice->in_a_row) {
		ret->place = VALUE_MEMORY;
		ret->addr = slice->first.addr;
		return NULL;
	}
	if (slice->missing || !buf_ok(&slice->bytes))
		return error_new(ERROR_USAGE, "one of them is %s",
				 slice->missing ? slice->missing : "too large");
	AUTO_FREE uint8_t *lost = calloc(1, slice->bytes.len + 1);
	return lost ? value_set_bytes(s, ret, (const uint8_t *)slice->bytes.data, lost,
				      slice->bytes.len)
		    : &error_nomem;
}

struct error *container_slice(const struct scope *s, const struct value *object,
			      const struct number *first, const struct number *last,
			      struct value *ret, bool *ret_known)
{
	struct slice slice = { .s = s, .in_a_row = true };
	struct number n = { .type = &type_unsigned_long };
	struct value container, start;
	AUTO_CONTAINER c = { 0 };

	*ret_known = find_container(s, object, "[]", 0, &container) &&
		     kind_of(container.type)->kind & (IS_TEXT | IS_ROW);
	if (!*ret_known)
		return NULL;
	const struct operating o = { .s = s,
				     .object = &container,
				     .kind = kind_of(container.type) };
	if ((__int128)first->bits < 0 || (__int128)last->bits < (__int128)first->bits ||
	    last->bits - first->bits >= SLICE_MAX)
		return error_new(ERROR_USAGE, "that is no slice of it, or too large a one");
	struct error *err = container_at(&o, last, &start);
	if (!err)
		err = container_at(&o, first, &start);
	n.bits = last->bits - first->bits + 1;
	if (err || o.kind->kind & IS_TEXT)
		return err ? err : reach_array(s, &start, &n, ret);
	slice.wanted = (uint64_t)n.bits;
	err = container_walk(&o, (uint64_t)first->bits, take_slice, &slice, &c);
	if (!err)
		err = make_array(s, &slice, ret);
	buf_fini(&slice.bytes);
	return err;
}

/* ---- get<0>(t), conditions -------------------------------------------------------------- */

static bool is_type(const struct value *v, const struct type *type)
{
	AUTO_BUF a = { 0 }, b = { 0 };

	if (type_strip(v->type) == type_strip(type) || classes_same(v->type, type))
		return true;
	type_add_name(&a, type_strip(v->type));
	type_add_name(&b, type_strip(type));
	return !strcmp(buf_text(&a), buf_text(&b));
}

static struct error *get_by_type(const struct container *c, const struct type *type,
				 struct value *ret)
{
	size_t found = 0;

	vec_for_each (item, &c->items) {
		if (!is_type(&item->value, type))
			continue;
		*ret = item->value;
		found++;
	}
	if (found != 1)
		return error_new(ERROR_NOT_FOUND, "%s of them is of that type",
				 found ? "more than one" : "none");
	return NULL;
}

struct error *container_get_part(const struct scope *s, const struct value *object,
				 const char *number, const struct type *type, struct value *ret,
				 bool *ret_known)
{
	const struct container_kind *kind = kind_of(object->type);
	const uint64_t n = number ? strtoull(number, NULL, 10) : 0;
	AUTO_CONTAINER c = { 0 };

	*ret_known = kind && kind->kind & (IS_PARTS | IS_VARIANT);
	if (!*ret_known)
		return NULL;
	const struct operating o = { .s = s, .object = object, .kind = kind };
	struct error *err = container_take_items(&o, SLICE_MAX, &c);
	if (err || c.fault)
		return err ? err : container_fault(&c);
	if (!number)
		return get_by_type(&c, type, ret);
	bool variant = kind->kind & IS_VARIANT;
	if (variant && n != c.number)
		return error_new(ERROR_NOT_FOUND, "it does not hold that: its index is %" PRIu64,
				 c.number);
	if (variant ? !c.items.len : n >= c.items.len)
		return error_new(ERROR_NOT_FOUND, "there is no element %" PRIu64 ": there are %zu",
				 n, c.items.len);
	*ret = c.items.items[variant ? 0 : n].value;
	return NULL;
}

struct error *container_truth(const struct scope *s, const struct value *object, bool *ret,
			      bool *ret_known)
{
	const struct container_kind *kind = kind_of(object->type);
	const struct operating o = { .s = s, .object = object, .kind = kind };
	struct value v;
	struct number n;

	*ret_known = kind && kind->kind & (IS_POINTER | IS_OPTIONAL | IS_FUNCTION);
	if (!*ret_known)
		return NULL;
	struct error *err = kind->kind & IS_POINTER ? held(&o, &v) : has_value(&o, &v);
	if (!err)
		err = value_number(&v, &n);
	if (!err)
		*ret = value_is_true(&n);
	return err;
}
