/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/values/eval.h"
#include "debugger/values/eval_parts.h"
#include "debugger/values/lookup.h"
#include "debugger/values/operate.h"
#include "debugger/values/reach.h"

typedef const struct eval_context context;

enum { ITEMS_MAX = 1024, LARGEST = 1 << 20 };

/* What stands between the braces. */
struct items {
	const struct expr *items[ITEMS_MAX];
	size_t n;
};

static struct error *add_items(const struct expr *e, struct items *ret)
{
	if (!e)
		return NULL;
	if (e->kind == EXPR_BINARY && e->op == EXPR_COMMA) {
		struct error *err = add_items(e->kids[0], ret);
		return err ? err : add_items(e->kids[1], ret);
	}
	if (ret->n == ITEMS_MAX)
		return error_new(ERROR_USAGE, "a list of more than %d elements", ITEMS_MAX);
	ret->items[ret->n++] = e;
	return NULL;
}

static struct error *too_many(const struct type *t, size_t n)
{
	AUTO_BUF name = { 0 };

	type_add_name(&name, t);
	return error_new(ERROR_USAGE, "a list of %zu is too long for the type %s", n,
			 buf_text(&name));
}

static struct error *fill(context *c, const struct expr *e, const struct type *type,
			  uint8_t *bytes);

static struct error *fill_array(context *c, const struct items *list, const struct type *t,
				uint8_t *bytes)
{
	struct error *err = NULL;

	if (!t->target || type_is_dynamic(t) || t->stride)
		return error_new(ERROR_USAGE, "its size is known at run time only");
	if (list->n > t->count)
		return too_many(t, list->n);
	for (size_t i = 0; !err && i < list->n; i++)
		err = fill(c, list->items[i], t->target, bytes + i * type_size(t->target));
	return err;
}

/* The bits of a bit-field, from the lowest on. */
static void put_bits(const struct type_member *m, const uint8_t *from, uint8_t *bytes)
{
	for (unsigned int i = 0; i < m->bit_size; i++) {
		unsigned int at = m->bit_offset + i;
		unsigned int bit = from[i / 8] >> i % 8 & 1u;
		bytes[at / 8] = (uint8_t)((bytes[at / 8] & ~(1u << at % 8)) | bit << at % 8);
	}
}

static struct error *fill_member(context *c, const struct expr *e, const struct type *t,
				 const struct type_member *m, uint8_t *bytes)
{
	uint8_t number[ARCH_REGISTER_MAX] = { 0 };
	uint64_t size = type_size(t), last = (m->bit_offset + m->bit_size + 7) / 8;
	uint64_t takes = m->bit_size ? last : type_size(m->type);

	if (m->where || m->offset > size || takes > size - m->offset ||
	    (m->bit_size && type_size(m->type) > sizeof(number)))
		return error_new(ERROR_USAGE, "where \"%s\" lies is not known before",
				 m->name ? m->name : "it");
	if (!m->bit_size)
		return fill(c, e, m->type, bytes + m->offset);
	struct error *err = fill(c, e, m->type, number);
	if (!err)
		put_bits(m, number, bytes + m->offset);
	return err;
}

/* As in C: inherited classes first, in a union only its first member. */
static struct error *fill_struct(context *c, const struct items *list, const struct type *t,
				 uint8_t *bytes)
{
	size_t n, taken = 0;
	const struct type_member *members = type_members(t, &n);
	struct error *err = NULL;

	for (size_t i = 0; !err && i < n && taken < list->n; i++) {
		if (members[i].kind == MEMBER_STATIC || members[i].is_artificial)
			continue;
		if (t->is_union && taken)
			break;
		err = fill_member(c, list->items[taken++], t, &members[i], bytes);
	}
	return err || taken == list->n ? err : too_many(t, list->n);
}

/* A text in an array of its characters: zeros follow. */
static bool is_text_of(const struct value *v, const struct type *t)
{
	const struct type *own = type_strip(v->type);

	return t->kind == TYPE_ARRAY && own->kind == TYPE_ARRAY && t->target && own->target &&
	       type_is_text(t->target) && type_is_text(own->target);
}

static struct error *fill_value(context *c, const struct expr *e, const struct type *type,
				uint8_t *bytes)
{
	const struct type *t = type_strip(type);
	struct value v, converted;
	struct error *err = eval_referred(c, e, &v);

	if (!err && type_is_pointer(t))
		err = eval_place(c, &v);
	if (!err && !type_is_struct(t) && t->kind != TYPE_ARRAY)
		err = reach_settle(c->scope, &v, true);
	if (err)
		return err;
	if (v.missing)
		return value_missing(&v);
	uint64_t size = type_size(t);
	if (is_text_of(&v, t)) {
		/* As in C the NUL may be what does not fit. */
		uint64_t its = type_size(v.type), most = its == size + 1 ? size : its;
		if (most > size)
			return too_many(t, its);
		size = most;
		converted = v;
	} else {
		err = operate_convert(c->scope, &v, type, &converted);
		if (err)
			return err;
	}
	return value_copy(c->scope, &converted, bytes, size);
}

static struct error *fill(context *c, const struct expr *e, const struct type *type, uint8_t *bytes)
{
	const struct type *t = type_strip(type);

	if (e->kind != EXPR_LIST)
		return fill_value(c, e, type, bytes);
	AUTO_FREE struct items *list = calloc(1, sizeof(*list));
	if (!list)
		return &error_nomem;
	struct error *err = add_items(e->kids[0], list);
	if (err)
		return err;
	if (t->kind == TYPE_ARRAY && list->n == 1 && list->items[0]->kind == EXPR_STRING)
		return fill_value(c, list->items[0], type, bytes);
	if (t->kind == TYPE_ARRAY)
		return fill_array(c, list, t, bytes);
	if (type_is_struct(t))
		return fill_struct(c, list, t, bytes);
	return list->n == 1 ? fill(c, list->items[0], type, bytes) : too_many(t, list->n);
}

struct error *eval_list_as(const struct eval_context *c, const struct expr *e,
			   const struct type *type, struct value *ret)
{
	uint64_t size = type_size(type);
	AUTO_FREE uint8_t *bytes = size && size <= LARGEST ? calloc(2, size) : NULL;
	struct value v = { .type = type };

	if (!bytes)
		return error_new(ERROR_USAGE, "no value of %" PRIu64 " bytes is made of a list",
				 size);
	struct error *err = fill(c, e, type, bytes);
	if (!err)
		err = value_set_bytes(c->scope, &v, bytes, bytes + size, size);
	if (!err)
		*ret = v;
	return err;
}

/* By itself it is an array of what its first element is. */
struct error *eval_list(const struct eval_context *c, const struct expr *e, struct value *ret)
{
	AUTO_FREE struct items *list = calloc(1, sizeof(*list));
	struct type_store *types;
	struct value first;
	struct error *err = list ? add_items(e->kids[0], list) : &error_nomem;

	if (err)
		return err;
	if (!list->n || list->items[0]->kind == EXPR_LIST)
		return error_new(ERROR_USAGE,
				 "what a list is of, the type says that it is assigned "
				 "or cast to");
	err = eval_referred(c, list->items[0], &first);
	if (!err)
		err = reach_types(c->scope, &types);
	if (err)
		return err;
	const struct type *type = type_array_of(types, type_unqualified(first.type), list->n);
	return type ? eval_list_as(c, e, type, ret) : &error_nomem;
}
