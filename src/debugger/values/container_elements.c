/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/container_elements.h"

#include <inttypes.h>
#include <string.h>

#include "debugger/values/reach.h"

/* ---- what containers say ---------------------------------------------------------------- */

struct error *container_fault(const struct container *c)
{
	return error_new(ERROR_USAGE, "%s is damaged: %s", buf_text(&c->head), c->fault);
}

static struct error *unknown_layout(const struct operating *o)
{
	if (o->object->place == VALUE_PIECES)
		return error_new(ERROR_USAGE,
				 "what is left of std::%s is not enough: the rest has been "
				 "optimized out",
				 o->kind->name);
	return error_new(ERROR_USAGE, "std::%s is laid out in a way that is not known here",
			 o->kind->name);
}

/* With so many of its items. */
struct error *container_take_items(const struct operating *o, size_t most, struct container *ret)
{
	if (o->object->missing)
		return value_missing(o->object);
	return container_read(o->s, o->object, most, ret) ? NULL : unknown_layout(o);
}

struct error *container_walk(const struct operating *o, uint64_t first, container_take *taken,
			     void *context, struct container *ret)
{
	if (o->object->missing)
		return value_missing(o->object);
	return container_each(o->s, o->object, first, taken, context, ret) ? NULL
									   : unknown_layout(o);
}

static bool take_last(void *context, const struct container_item *item)
{
	*(struct value *)context = item->value;
	return true;
}

static bool take_one(void *context, const struct container_item *item)
{
	*(struct value *)context = item->value;
	return false;
}

static bool count_one(void *context, const struct container_item *item)
{
	(void)item;
	++*(uint64_t *)context;
	return true;
}

/* ---- how many --------------------------------------------------------------------------- */

static struct error *count(const struct operating *o, uint64_t *ret)
{
	AUTO_CONTAINER c = { 0 };
	uint64_t walked = 0;
	struct error *err = container_take_items(o, 0, &c);

	if (err)
		return err;
	if (c.fault)
		return container_fault(&c);
	*ret = c.size;
	if (c.sized || o->kind->kind == IS_BITS)
		return NULL;
	container_fini(&c);
	c = (struct container){ 0 };
	err = container_walk(o, 0, count_one, &walked, &c);
	*ret = walked;
	return !err && c.fault ? container_fault(&c) : err;
}

struct error *container_size_of(const struct operating *o, struct value *ret)
{
	uint64_t n = 0;
	struct error *err = count(o, &n);

	*ret = value_of_int(&type_unsigned_long, err ? 0 : n);
	return err;
}

struct error *container_is_empty(const struct operating *o, struct value *ret)
{
	AUTO_CONTAINER c = { 0 };
	struct error *err = container_take_items(o, 1, &c);
	bool any = c.items.len || (c.sized && c.size);

	*ret = value_of_int(&type_bool, !any);
	return !err && c.fault && !any ? container_fault(&c) : err;
}

struct error *container_capacity(const struct operating *o, struct value *ret)
{
	AUTO_CONTAINER c = { 0 };
	struct error *err = container_take_items(o, 0, &c);

	*ret = value_of_int(&type_unsigned_long, c.number);
	return !err && c.fault ? container_fault(&c) : err;
}

struct error *container_bits_set(const struct operating *o, struct value *ret)
{
	AUTO_CONTAINER c = { 0 };
	uint64_t n = 0;
	struct error *err = container_walk(o, 0, count_one, &n, &c);

	*ret = value_of_int(&type_unsigned_long, n);
	return err;
}

struct error *container_any_bit(const struct operating *o, struct value *ret)
{
	struct error *err = container_bits_set(o, ret);

	*ret = value_of_int(&type_bool, ret->bytes[0] || ret->bytes[1]);
	return err;
}

struct error *container_no_bit(const struct operating *o, struct value *ret)
{
	struct error *err = container_any_bit(o, ret);

	*ret = value_of_int(&type_bool, !ret->bytes[0]);
	return err;
}

struct error *container_all_bits(const struct operating *o, struct value *ret)
{
	uint64_t n = 0;
	struct value bits;
	struct error *err = container_bits_set(o, &bits);

	if (!err)
		err = count(o, &n);
	*ret = value_of_int(&type_bool, !err && !memcmp(bits.bytes, &n, sizeof(n)));
	return err;
}

/* ---- elements --------------------------------------------------------------------------- */

static struct error *no_element(const struct number *index, uint64_t n)
{
	return error_new(ERROR_NOT_FOUND, "index %lld is out of range: the size is %" PRIu64,
			 (long long)index->bits, n);
}

static struct error *character(const struct operating *o, const struct number *index,
			       struct value *ret)
{
	const struct type *type = container_character(o->object->type);
	const uint64_t at = (uint64_t)index->bits, width = type_size(type);
	AUTO_CONTAINER c = { 0 };
	struct error *err = container_take_items(o, (size_t)at + 1, &c);

	if (err || c.fault)
		return err ? err : container_fault(&c);
	if (index->bits >= c.size)
		return no_element(index, c.size);
	if (c.at)
		return value_read(o->s, type, c.at + at * width, ret);
	if (c.text.len < (at + 1) * width || width > sizeof(uint64_t))
		return error_new(ERROR_USAGE, "its characters cannot be read");
	uint64_t bits = 0;
	memcpy(&bits, c.text.data + at * width, width);
	*ret = value_of_int(type, bits);
	return NULL;
}

struct bit_search {
	uint64_t number;
	bool found;
};

static bool find_bit(void *context, const struct container_item *item)
{
	struct bit_search *search = context;

	search->found = item->number == search->number;
	return item->number < search->number;
}

static struct error *bit(const struct operating *o, const struct number *index, struct value *ret)
{
	struct bit_search search = { .number = (uint64_t)index->bits };
	AUTO_CONTAINER c = { 0 };
	struct error *err = container_walk(o, 0, find_bit, &search, &c);

	if (err || c.fault)
		return err ? err : container_fault(&c);
	if (search.number >= c.size)
		return no_element(index, c.size);
	*ret = value_of_int(&type_bool, search.found);
	return NULL;
}

struct error *container_at(const struct operating *o, const struct number *index, struct value *ret)
{
	AUTO_CONTAINER c = { 0 };
	uint64_t n;
	struct error *err = NULL;

	if (o->kind->kind & IS_TEXT)
		return character(o, index, ret);
	if (o->kind->kind & IS_BITS)
		return bit(o, index, ret);
	err = count(o, &n);
	if (err)
		return err;
	if (index->bits >= n)
		return no_element(index, n);
	*ret = (struct value){ .type = NULL };
	err = container_walk(o, (uint64_t)index->bits, take_one, ret, &c);
	if (!err && !ret->type)
		err = c.fault ? container_fault(&c) : no_element(index, n);
	return err;
}

struct error *container_element(const struct operating *o, struct value *ret)
{
	struct number index;
	struct error *err = value_number(&o->args[0], &index);

	if (!err && index.is_float)
		err = error_new(ERROR_USAGE, "an index is no floating point number");
	if (err)
		return err;
	if ((__int128)index.bits < 0) {
		uint64_t n;
		err = count(o, &n);
		return err ? err : no_element(&index, n);
	}
	return container_at(o, &index, ret);
}

struct error *container_front(const struct operating *o, struct value *ret)
{
	const struct number first = { .type = &type_int };

	return container_at(o, &first, ret);
}

struct error *container_back(const struct operating *o, struct value *ret)
{
	struct number last = { .type = &type_unsigned_long };
	AUTO_CONTAINER c = { 0 };
	uint64_t n;
	struct error *err = count(o, &n);

	if (err)
		return err;
	if (!n)
		return no_element(&last, n);
	last.bits = n - 1;
	if (!(o->kind->kind & IS_CHAIN))
		return container_at(o, &last, ret);
	err = container_walk(o, n - 1, take_last, ret, &c);
	return !err && c.fault ? container_fault(&c) : err;
}

/* The address of what there is from the beginning on. */
struct error *container_data(const struct operating *o, struct value *ret)
{
	struct type_store *store;
	struct value first;
	struct error *err = reach_types(o->s, &store);

	if (!err)
		err = container_front(o, &first);
	if (!err && first.place != VALUE_MEMORY)
		err = error_new(ERROR_USAGE, "its elements do not lie in memory");
	const struct type *type = err ? NULL : type_pointer_to(store, first.type);
	if (!err)
		*ret = type ? value_of_int(type, first.addr) : *ret;
	return err ? err : type ? NULL : &error_nomem;
}
