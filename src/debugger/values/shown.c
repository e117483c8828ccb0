/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/shown.h"

#include <string.h>

#include "debugger/values/registers.h"

enum { DEPTH_MAX = 8, TEXT_MAX_READ = 1 << 20, EQUAL_MAX = 1 << 20 };

void shown_fini(struct shown *s)
{
	for (size_t i = 0; i < s->nitems; i++)
		shown_fini(&s->items[i]);
	free(s->items);
	free(s->symbol);
	buf_fini(&s->text);
	*s = (struct shown){ 0 };
}

char *shown_symbol(const struct scope *s, taddr addr)
{
	AUTO_BUF text = { 0 };
	struct symbol symbol;

	if (!s->session || !symbol_at(s->session->symbols, addr, &symbol))
		return NULL;
	/* What is not known to reach so far has nothing to say about it. */
	if (symbol.size ? addr - symbol.addr >= symbol.size : addr != symbol.addr)
		return NULL;
	const char *name = symbol_shown_name(s->session->symbols, symbol.name);
	buf_adds(&text, name ? name : symbol.name);
	if (addr != symbol.addr)
		buf_addf(&text, "+%" PRIu64, addr - symbol.addr);
	return TAKE(text.data);
}

static struct error *make(const struct scope *s, const struct value *v,
			  const struct shown_limits *limits, size_t depth, struct shown *ret);

/* ---- texts ------------------------------------------------------------------------------ */

/* Up to the end of the text, of what can be read, or of what is wanted. */
static void read_text(const struct scope *s, taddr at, size_t most, struct shown *ret)
{
	char c = '\0';

	ret->has_text = true;
	while (ret->text.len < most && ret->text.len < TEXT_MAX_READ) {
		struct error *err = target_examine(s->session->target, at + ret->text.len, &c, 1);
		error_ignore(err);
		if (err) {
			ret->text_fault = true;
			return;
		}
		if (!c)
			return;
		buf_addc(&ret->text, c);
	}
	ret->text_more = true;
}

/* Characters of an array. One NUL at the end is not shown. */
static void take_text(const struct scope *s, const struct value *v, uint64_t count,
		      const struct shown_limits *limits, struct shown *ret)
{
	size_t n = count < limits->elements ? count : limits->elements;
	AUTO_FREE char *bytes = calloc(1, n + 1);
	struct error *err = NULL;

	ret->has_text = true;
	ret->text_more = n < count;
	if (!bytes)
		return;
	if (v->place == VALUE_MEMORY)
		err = target_examine(s->session->target, v->addr, bytes, n);
	else
		memcpy(bytes, v->bytes, n < v->size ? n : v->size);
	error_ignore(err);
	if (err) {
		ret->missing = "unavailable";
		return;
	}
	if (!ret->text_more && n && !bytes[n - 1])
		n--;
	if (limits->null_stop && strnlen(bytes, n) < n) {
		n = strnlen(bytes, n);
		ret->text_more = false;
	}
	buf_add(&ret->text, bytes, n);
}

/* ---- parts ------------------------------------------------------------------------------ */

static struct error *make_element(const struct scope *s, const struct value *v,
				  const struct type *type, uint64_t at,
				  const struct shown_limits *limits, size_t depth,
				  struct shown *ret)
{
	struct value element = { .type = type, .size = type_size(type) };
	struct error *err = NULL;

	if (v->place == VALUE_MEMORY)
		err = value_read(s, type, v->addr + at, &element);
	else if (at + element.size <= v->size && element.size <= sizeof(element.bytes))
		memcpy(element.bytes, v->bytes + at, element.size);
	else
		element.missing = "unavailable";
	if (err)
		element.missing = "unavailable";
	error_ignore(err);
	return make(s, &element, limits, depth, ret);
}

/* Bytes of an array, wherever it is. */
static bool read_bytes(const struct scope *s, const struct value *v, uint64_t at, uint8_t *ret,
		       size_t size)
{
	if (v->place != VALUE_MEMORY) {
		if (at + size <= v->size)
			memcpy(ret, v->bytes + at, size);
		return at + size <= v->size;
	}
	struct error *err = target_examine(s->session->target, v->addr + at, ret, size);
	error_ignore(err);
	return !err;
}

static bool equal(const struct scope *s, const struct value *v, uint64_t a, uint64_t b,
		  uint64_t size)
{
	uint8_t left[VALUE_BYTES_MAX], right[VALUE_BYTES_MAX];

	for (uint64_t at = 0; at < size; at += sizeof(left)) {
		size_t n = size - at < sizeof(left) ? size - at : sizeof(left);
		if (!read_bytes(s, v, a + at, left, n) || !read_bytes(s, v, b + at, right, n) ||
		    memcmp(left, right, n) != 0)
			return false;
	}
	return true;
}

/* How many elements from one on are the same. */
static uint64_t count_equal(const struct scope *s, const struct value *v, uint64_t first,
			    uint64_t count, uint64_t size)
{
	uint64_t n = 1;

	while (size && first + n < count && n < EQUAL_MAX &&
	       equal(s, v, first * size, (first + n) * size, size))
		n++;
	return n;
}

/* What is counted as repeated is so many things, however often it is there: as in gdb. */
static struct error *make_array(const struct scope *s, const struct value *v,
				const struct shown_limits *limits, size_t depth, struct shown *ret)
{
	const struct type *t = type_strip(v->type);
	uint64_t size = type_size(t->target), most = limits->elements, i = 0, things = 0;
	struct error *err = NULL;

	if (type_is_text(t->target) && !limits->plain) {
		take_text(s, v, t->count, limits, ret);
		return NULL;
	}
	most = t->count < most ? t->count : most;
	ret->items = calloc(most ? most : 1, sizeof(*ret->items));
	if (!ret->items)
		return &error_nomem;
	while (!err && i < t->count && things < limits->elements) {
		struct shown *item = &ret->items[ret->nitems];
		uint64_t n = count_equal(s, v, i, t->count, size);
		err = make_element(s, v, t->target, i * size, limits, depth, item);
		item->index = i;
		item->times = n >= limits->repeats ? n : 1;
		things += n >= limits->repeats ? limits->repeats : 1;
		i += item->times;
		ret->nitems += !err;
	}
	ret->more = i < t->count;
	return err;
}

/* A vector register, in each way that its bits may be meant. */
static struct error *make_vector(const struct scope *s, const struct value *v,
				 const struct shown_limits *limits, size_t depth, struct shown *ret)
{
	static const char *const names[][2] = {
		{ "v4_float", "v8_float" }, { "v2_double", "v4_double" },
		{ "v16_int8", "v32_int8" }, { "v8_int16", "v16_int16" },
		{ "v4_int32", "v8_int32" }, { "v2_int64", "v4_int64" },
		{ "uint128", "v2_int128" },
	};

	ret->items = calloc(register_part_count, sizeof(*ret->items));
	if (!ret->items)
		return &error_nomem;
	for (; ret->nitems < register_part_count; ret->nitems++) {
		const struct type *element = register_parts[ret->nitems].type;
		const struct type array = { .kind = TYPE_ARRAY,
					    .target = element,
					    .size = v->size,
					    .count = v->size / element->size };
		struct value part = *v;
		part.type = array.count > 1 ? &array : element;
		part.place = VALUE_NOWHERE;
		struct shown *item = &ret->items[ret->nitems];
		struct shown_limits numbers = *limits;
		numbers.plain = true;
		struct error *err = make(s, &part, &numbers, depth, item);
		if (err)
			return err;
		item->name = names[ret->nitems][v->size == 32];
		/* The array type ends here: what it is made of says enough. */
		item->type = array.count > 1 ? &type_void : element;
	}
	return NULL;
}

/* ---- values ----------------------------------------------------------------------------- */

static void add_pointer(const struct scope *s, const struct value *v,
			const struct shown_limits *limits, struct shown *ret)
{
	const struct type *target = type_strip(v->type)->target;
	taddr addr = 0;

	memcpy(&addr, v->bytes, v->size < 8 ? v->size : 8);
	ret->addr = addr;
	bool names = limits->symbol || (target && type_strip(target)->kind == TYPE_FUNCTION);
	ret->symbol = names ? shown_symbol(s, addr) : NULL;
	if (addr && s->session && target && type_is_text(target) && !limits->plain)
		read_text(s, addr, limits->elements, ret);
}

/* What a reference refers to is its one item. */
static struct error *make_referred(const struct scope *s, const struct value *v,
				   const struct shown_limits *limits, size_t depth,
				   struct shown *ret)
{
	const struct type *target = type_strip(v->type)->target;
	struct value referred = { .type = target };

	memcpy(&ret->addr, v->bytes, v->size < 8 ? v->size : 8);
	ret->items = target ? calloc(1, sizeof(*ret->items)) : NULL;
	if (!ret->items)
		return target ? &error_nomem : NULL;
	ret->nitems = 1;
	struct error *err = value_read(s, target, ret->addr, &referred);
	if (err)
		referred.missing = "error: Cannot access memory there";
	error_ignore(err);
	return make(s, &referred, limits, depth, ret->items);
}

static struct error *make(const struct scope *s, const struct value *v,
			  const struct shown_limits *limits, size_t depth, struct shown *ret)
{
	const struct type *t = type_strip(v->type);
	struct error *err = NULL;

	*ret = (struct shown){
		.type = v->type,
		.missing = v->missing,
		.addr = v->addr,
		.size = v->size,
		.how = *limits,
	};
	memcpy(ret->bytes, v->bytes, sizeof(ret->bytes));
	if (v->missing)
		return NULL;
	if (t->kind == TYPE_POINTER)
		add_pointer(s, v, limits, ret);
	else if (t->kind == TYPE_FUNCTION || t == &type_data_symbol)
		ret->symbol = shown_symbol(s, v->addr);
	else if (type_is_integer(t))
		ret->symbol = NULL;
	else if (depth == DEPTH_MAX)
		ret->missing = "nested too deeply";
	else if (t->kind == TYPE_REFERENCE)
		err = make_referred(s, v, limits, depth + 1, ret);
	else if (t->kind == TYPE_ARRAY)
		err = make_array(s, v, limits, depth + 1, ret);
	else if (register_is_vector(t))
		err = make_vector(s, v, limits, depth + 1, ret);
	if (err)
		shown_fini(ret);
	return err;
}

struct error *shown_make(const struct scope *s, const struct value *v,
			 const struct shown_limits *limits, struct shown *ret)
{
	return make(s, v, limits, 0, ret);
}

/* ---- variables of a frame --------------------------------------------------------------- */

void shown_variables_fini(struct shown_variables *l)
{
	vec_for_each (item, l) {
		shown_fini(&item->value);
		shown_fini(&item->at_entry);
	}
	vec_fini(l);
}

static struct error *add_entry(const struct scope *s, const struct variable *variable,
			       const struct value *now, const struct shown_limits *limits,
			       struct shown_variable *ret)
{
	struct value then;

	if (!value_at_entry(s, variable, &then))
		return NULL;
	ret->is_entry = !now->missing && now->size == then.size &&
			!memcmp(now->bytes, then.bytes, then.size);
	ret->has_entry = !ret->is_entry;
	return ret->is_entry ? NULL : shown_make(s, &then, limits, &ret->at_entry);
}

static struct error *add_variable(const struct scope *s, const struct variable *variable,
				  const struct shown_limits *limits, struct shown_variables *ret)
{
	struct shown_variable item = { .name = variable->name };
	struct value v;

	struct error *err = value_of_variable(s, variable, &v);
	if (err)
		v = (struct value){ .type = variable->type ? variable->type : &type_void,
				    .missing = "unavailable" };
	error_ignore(err);
	err = shown_make(s, &v, limits, &item.value);
	if (!err)
		err = add_entry(s, variable, &v, limits, &item);
	if (!err && vec_push(ret, item))
		return NULL;
	shown_fini(&item.value);
	shown_fini(&item.at_entry);
	return err ? err : &error_nomem;
}

static struct error *show_all(const struct scope *s, bool arguments,
			      const struct shown_limits *limits, struct shown_variables *ret)
{
	struct variable_list all = { 0 };
	struct error *err = NULL;

	if (!s->thread)
		return NULL;
	err = variables_in_scope(s->session->variables, scope_lookup_pc(s), s->level, &all);
	vec_for_each (variable, &all) {
		if (!err && variable->argument == arguments)
			err = add_variable(s, variable, limits, ret);
	}
	vec_fini(&all);
	return err;
}

struct error *shown_arguments(const struct scope *s, const struct shown_limits *limits,
			      struct shown_variables *ret)
{
	return show_all(s, true, limits, ret);
}

struct error *shown_locals(const struct scope *s, const struct shown_limits *limits,
			   struct shown_variables *ret)
{
	return show_all(s, false, limits, ret);
}
