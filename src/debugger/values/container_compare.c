/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/container_compare.h"

#include <string.h>

#include "debugger/values/operate.h"
#include "debugger/values/reach.h"

enum { TEXT_MAX = 1 << 20, ITEMS_MAX = 1 << 14, DEPTH_MAX = 8, WIDTH_MAX = 4, CHUNK = 64 };

/* ---- texts ------------------------------------------------------------------------------ */

static bool is_character(const struct type *t)
{
	t = t ? type_strip(t) : &type_void;
	return t->kind == TYPE_CHAR || (t->kind == TYPE_INT && t->size == 1);
}

/* Up to where a character is 0: so many bytes. */
static size_t text_length(const char *bytes, size_t len, uint64_t width)
{
	static const char nul[WIDTH_MAX];
	size_t n = 0;

	while (n + width <= len && memcmp(bytes + n, nul, width) != 0)
		n += width;
	return n;
}

static struct error *take_array(const struct scope *s, const struct value *v, uint64_t width,
				struct buf *ret)
{
	uint64_t size = type_size(v->type);
	AUTO_FREE char *bytes = size <= TEXT_MAX ? malloc(size + 1) : NULL;

	if (!bytes)
		return error_new(ERROR_USAGE, "that text is too long to be compared");
	const char *missing = value_bytes(s, v, 0, bytes, size);
	if (missing)
		return error_new(ERROR_USAGE, "that text is %s", missing);
	buf_add(ret, bytes, text_length(bytes, size, width));
	return NULL;
}

/* As far as the next multiple of 64 bytes at once, for what lies behind may not be there. */
static struct error *take_pointed(const struct scope *s, const struct value *v, uint64_t width,
				  struct buf *ret)
{
	taddr at;
	struct error *err = value_address(v, &at);

	while (!err && ret->len < TEXT_MAX) {
		char bytes[CHUNK];
		size_t n = CHUNK - at % CHUNK;
		n = at % width ? width : n;
		err = target_examine(s->session->target, at, bytes, n);
		size_t len = err ? 0 : text_length(bytes, n, width);
		buf_add(ret, bytes, len);
		if (len < n)
			return err;
		at += n;
	}
	return err ? err : error_new(ERROR_USAGE, "that text does not end");
}

static struct error *take_string(const struct scope *s, const struct value *v,
				 struct container_string *ret, bool *ret_are)
{
	AUTO_CONTAINER c = { 0 };

	if (!container_read(s, v, TEXT_MAX, &c) || c.form != CONTAINER_TEXT)
		return NULL;
	if (c.fault)
		return error_new(ERROR_USAGE, "%s is damaged: %s", buf_text(&c.head), c.fault);
	if (c.text.len < c.size * c.width)
		return error_new(ERROR_USAGE, "that text is too long to be compared");
	ret->width = c.width;
	ret->bytes = c.text;
	c.text = (struct buf){ 0 };
	*ret_are = true;
	return NULL;
}

struct error *container_string_of(const struct scope *s, const struct value *v,
				  struct container_string *ret, bool *ret_are)
{
	const struct type *t = type_strip(v->type);
	bool row = t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER;

	*ret_are = false;
	if (container_is_known(t))
		return take_string(s, v, ret, ret_are);
	if (!row || !is_character(t->target) || v->missing)
		return NULL;
	*ret_are = true;
	ret->width = type_size(t->target);
	if (!ret->width || ret->width > WIDTH_MAX)
		return error_new(ERROR_USAGE, "these are no characters");
	struct error *err = t->kind == TYPE_ARRAY ? take_array(s, v, ret->width, &ret->bytes)
						  : take_pointed(s, v, ret->width, &ret->bytes);
	return !err && !buf_ok(&ret->bytes) ? &error_nomem : err;
}

static int order_of(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Characters count without their sign, those of one byte as std::char_traits has it. */
static int compare_characters(const struct container_string *a, const struct container_string *b)
{
	size_t least = a->bytes.len < b->bytes.len ? a->bytes.len : b->bytes.len;

	for (size_t i = 0; i + a->width <= least; i += a->width) {
		uint32_t x = 0, y = 0;
		memcpy(&x, a->bytes.data + i, a->width);
		memcpy(&y, b->bytes.data + i, a->width);
		if (x != y)
			return order_of(x, y);
	}
	return order_of(a->bytes.len, b->bytes.len);
}

static struct error *compare_texts(const struct scope *s, const struct value *a,
				   const struct value *b, int *ret, bool *ret_are)
{
	AUTO(container_string_fini) struct container_string x = { .width = 1 };
	AUTO(container_string_fini) struct container_string y = { .width = 1 };
	struct error *err = container_string_of(s, a, &x, ret_are);

	if (!err && *ret_are)
		err = container_string_of(s, b, &y, ret_are);
	if (err || !*ret_are)
		return err;
	if (x.width != y.width)
		return error_new(ERROR_USAGE, "texts of two widths are compared");
	*ret = compare_characters(&x, &y);
	return NULL;
}

/* ---- type information ------------------------------------------------------------------- */

struct error *container_type_name(const struct scope *s, const struct value *info,
				  struct value *ret)
{
	struct error *err = reach_member(s, info, "__name", ret);

	if (!error_is(err, ERROR_NOT_FOUND))
		return err;
	error_ignore(err);
	return reach_member(s, info, "__type_name", ret);
}

/* A star in front tells that the name is no other type's, whatever that is called. */
static struct error *compare_infos(const struct scope *s, const struct value *a,
				   const struct value *b, int *ret)
{
	AUTO(container_string_fini) struct container_string text = { 0 };
	struct value x, y;
	taddr at, other;
	bool are;
	struct error *err = container_type_name(s, a, &x);

	if (!err)
		err = container_type_name(s, b, &y);
	if (!err)
		err = value_address(&x, &at);
	if (!err)
		err = value_address(&y, &other);
	if (!err)
		err = container_string_of(s, &x, &text, &are);
	if (err)
		return err;
	if (!text.bytes.len || text.bytes.data[0] != '*')
		return compare_texts(s, &x, &y, ret, &are);
	*ret = order_of(at, other);
	return NULL;
}

/* ---- numbers, and all else -------------------------------------------------------------- */

static struct error *compare_numbers(const struct value *a, const struct value *b, int *ret)
{
	struct value equal, less;
	struct error *err = operate_binary(EXPR_EQUAL, a, b, &equal);

	if (!err)
		err = operate_binary(EXPR_LESS, a, b, &less);
	if (!err)
		*ret = equal.bytes[0] ? 0 : less.bytes[0] ? -1 : 1;
	return err;
}

static struct error *cannot(const struct value *a, const struct value *b)
{
	AUTO_BUF x = { 0 }, y = { 0 };

	type_add_name(&x, a->type);
	type_add_name(&y, b->type);
	return error_new(ERROR_USAGE, "%s and %s are not compared", buf_text(&x), buf_text(&y));
}

static struct error *compare(const struct scope *s, const struct value *a, const struct value *b,
			     size_t depth, int *ret);

/* What stands for a container of one thing. NULL: it is not such a one; *ret_none: it is empty. */
static const struct value *single(const struct container *c, const struct value *v, bool *ret_none)
{
	static const char *const names[] = { "optional", "unique_ptr", "shared_ptr", "atomic" };

	*ret_none = false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!container_is(v->type, names[i]))
			continue;
		*ret_none = !c->items.len;
		return c->items.len ? &c->items.items[0].value : NULL;
	}
	return NULL;
}

static struct error *compare_items(const struct scope *s, const struct container *a,
				   const struct container *b, size_t depth, int *ret)
{
	size_t n = a->items.len < b->items.len ? a->items.len : b->items.len;
	struct error *err = NULL;

	*ret = 0;
	for (size_t i = 0; !err && !*ret && i < n; i++)
		err = compare(s, &a->items.items[i].value, &b->items.items[i].value, depth + 1,
			      ret);
	if (!err && !*ret)
		*ret = order_of(a->items.len, b->items.len);
	return err;
}

static struct error *check(const struct container *c)
{
	if (c->fault)
		return error_new(ERROR_USAGE, "%s is damaged: %s", buf_text(&c->head), c->fault);
	if (c->items.len > ITEMS_MAX)
		return error_new(ERROR_USAGE, "that are too many elements to be compared");
	return NULL;
}

/* Of the same class, element by element. Hash tables have no order to go by. */
static struct error *compare_containers(const struct scope *s, const struct value *a,
					const struct value *b, size_t depth, int *ret)
{
	AUTO_CONTAINER x = { 0 }, y = { 0 };
	bool is_x = container_read(s, a, ITEMS_MAX + 1, &x);
	bool is_y = container_read(s, b, ITEMS_MAX + 1, &y), no_x = false, no_y = false;
	const struct value *one = is_x ? single(&x, a, &no_x) : a;
	const struct value *other = is_y ? single(&y, b, &no_y) : b;
	struct error *err = is_x ? check(&x) : NULL;

	if (!err && is_y)
		err = check(&y);
	if (err)
		return err;
	if (no_x || no_y) {
		*ret = no_y - no_x;
		return NULL;
	}
	if (one && other && (is_x || is_y))
		return compare(s, one, other, depth + 1, ret);
	size_t len, other_len;
	const char *class = container_class(a->type, &len);
	const char *other_class = container_class(b->type, &other_len);
	if (!class || !other_class || len != other_len || strncmp(class, other_class, len) != 0 ||
	    !strncmp(class, "unordered_", 10) || (x.form == CONTAINER_EMPTY && !x.sized))
		return cannot(a, b);
	if (container_is(a->type, "variant") && x.number != y.number) {
		*ret = order_of(x.number, y.number);
		return NULL;
	}
	return compare_items(s, &x, &y, depth, ret);
}

static struct error *compare(const struct scope *s, const struct value *a, const struct value *b,
			     size_t depth, int *ret)
{
	bool known = container_is_known(a->type) || container_is_known(b->type), are = false;

	if (depth == DEPTH_MAX)
		return error_new(ERROR_USAGE, "containers in containers are nested too deeply to "
					      "be compared");
	if (a->missing || b->missing)
		return value_missing(a->missing ? a : b);
	if (container_is(a->type, "type_info") && container_is(b->type, "type_info"))
		return compare_infos(s, a, b, ret);
	/* Two pointers to characters are pointers. */
	struct error *err = known ? compare_texts(s, a, b, ret, &are) : NULL;
	if (err || are)
		return err;
	return known ? compare_containers(s, a, b, depth, ret) : compare_numbers(a, b, ret);
}

struct error *container_compare(const struct scope *s, const struct value *a, const struct value *b,
				int *ret)
{
	return compare(s, a, b, 0, ret);
}

struct error *container_compared(const struct scope *s, enum expr_op op, const struct value *a,
				 const struct value *b, bool *ret, bool *ret_known)
{
	int order = 0;

	*ret_known = op >= EXPR_EQUAL && op <= EXPR_GREATER_OR_EQUAL &&
		     (container_is_known(a->type) || container_is_known(b->type));
	*ret = false;
	if (!*ret_known || scope_asks_types(s))
		return NULL;
	struct error *err = container_compare(s, a, b, &order);
	if (err)
		return err;
	const bool results[] = {
		[EXPR_EQUAL - EXPR_EQUAL] = order == 0,
		[EXPR_NOT_EQUAL - EXPR_EQUAL] = order != 0,
		[EXPR_LESS - EXPR_EQUAL] = order<0, [EXPR_GREATER - EXPR_EQUAL] = order> 0,
		[EXPR_LESS_OR_EQUAL - EXPR_EQUAL] = order <= 0,
		[EXPR_GREATER_OR_EQUAL - EXPR_EQUAL] = order >= 0,
	};
	*ret = results[op - EXPR_EQUAL];
	return NULL;
}
