/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/shown.h"

#include <string.h>

#include "debugger/values/classes.h"
#include "debugger/values/fortran.h"
#include "debugger/values/registers.h"
#include "debugger/values/shown_parts.h"

enum { DEPTH_MAX = 32, ITEMS_MAX = 1 << 16, TEXT_MAX_READ = 1 << 20, EQUAL_MAX = 1 << 20 };

void shown_fini(struct shown *s)
{
	for (size_t i = 0; i < s->nitems; i++)
		shown_fini(&s->items[i]);
	free(s->items);
	free(s->symbol);
	free(s->head);
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

static struct error *make(const struct making *m, const struct value *v, struct shown *ret);

/* ---- texts ------------------------------------------------------------------------------ */

/* Whether values of a type, one after the other, are a text; begins it, then. */
static bool begin_text(const struct type *type, struct shown *ret)
{
	ret->text_width = type ? type_text_width(type, &ret->text_prefix) : 0;
	ret->has_text = ret->text_width != 0;
	return ret->has_text;
}

/* Up to the end of the text, of what can be read, or of what is wanted. */
static void read_text(const struct scope *s, taddr at, size_t most, struct shown *ret)
{
	const size_t width = ret->text_width;
	uint32_t c = 0;

	while (ret->text.len < most * width && ret->text.len < TEXT_MAX_READ) {
		struct error *err =
			target_examine(s->session->target, at + ret->text.len, &c, width);
		error_ignore(err);
		if (err) {
			ret->text_fault = true;
			return;
		}
		if (!c)
			return;
		buf_add(&ret->text, &c, width);
	}
	ret->text_more = true;
}

static size_t length(const char *text, size_t most, size_t width)
{
	static const char end[sizeof(uint32_t)];
	size_t n = 0;

	while (n < most && memcmp(text + n * width, end, width) != 0)
		n++;
	return n;
}

/* Characters of an array. One NUL at the end is not shown. */
static void take_text(const struct making *m, const struct value *v, uint64_t count,
		      struct shown *ret)
{
	size_t n = count < m->limits->elements ? count : m->limits->elements;
	const size_t width = ret->text_width;
	AUTO_FREE char *bytes = calloc(n + 1, width);

	ret->text_more = n < count;
	if (!bytes)
		return;
	const char *why = value_bytes(m->s, v, 0, bytes, n * width);
	if (why) {
		ret->missing = why;
		return;
	}
	if (!ret->text_more && n && !length(bytes + (n - 1) * width, 1, width) &&
	    !type_is_string(v->type))
		n--;
	if (m->limits->null_stop && length(bytes, n, width) < n) {
		n = length(bytes, n, width);
		ret->text_more = false;
	}
	buf_add(&ret->text, bytes, n * width);
}

/* ---- parts ------------------------------------------------------------------------------ */

/* What cannot be read is missing. */
struct error *shown_make_part(const struct making *m, struct error *err, struct value *part,
			      const struct type *type, struct shown *ret)
{
	if (err)
		*part = (struct value){ .type = type, .missing = "unavailable" };
	error_ignore(err);
	if (*m->left)
		--*m->left;
	return make(m, part, ret);
}

static bool equal(const struct scope *s, const struct value *v, uint64_t a, uint64_t b,
		  uint64_t size)
{
	uint8_t left[VALUE_BYTES_MAX], right[VALUE_BYTES_MAX];

	for (uint64_t at = 0; at < size; at += sizeof(left)) {
		size_t n = size - at < sizeof(left) ? size - at : sizeof(left);
		if (value_is_lost(v, a + at, n) && value_is_lost(v, b + at, n) && !v->pointers)
			continue;
		if (value_bytes(s, v, a + at, left, n) || value_bytes(s, v, b + at, right, n) ||
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

/* A CHARACTER whose length is not known before is a pointer for compilers, for users a text. */
static struct error *make_pointed_string(const struct making *m, const struct value *v,
					 struct shown *ret)
{
	const struct type *target = type_strip(v->type)->target;
	const struct making inner = shown_inside(m);
	struct value text = { .type = target };
	taddr addr = 0;

	memcpy(&addr, v->bytes, v->size < 8 ? v->size : 8);
	struct error *err = addr ? value_read(m->s, target, addr, &text) : NULL;
	if (err)
		text.missing = "error: Cannot access memory there";
	else if (!addr)
		text.missing = "not allocated";
	error_ignore(err);
	shown_fini(ret);
	return make(&inner, &text, ret);
}

static struct error *make_complex(const struct making *m, const struct value *v, struct shown *ret)
{
	const struct type *target = type_strip(v->type)->target;
	const struct making inner = shown_inside(m);

	ret->items = calloc(2, sizeof(*ret->items));
	if (!ret->items)
		return &error_nomem;
	for (; ret->nitems < 2; ret->nitems++) {
		struct value part;
		struct error *err = value_part(m->s, v, target, ret->nitems * target->size, &part);
		err = shown_make_part(&inner, err, &part, target, &ret->items[ret->nitems]);
		if (err)
			return err;
	}
	return NULL;
}

static bool is_folded(const struct making *m, const struct type *t)
{
	return m->depth >= m->limits->depth || m->nesting == DEPTH_MAX ||
	       (t->is_union && m->nesting && !m->limits->unions);
}

/* Of a text that is lost in part, characters alone can be shown; of one that is lost, nothing. */
static bool is_whole(const struct making *m, const struct value *v)
{
	const struct type *t = type_strip(v->type);
	const uint64_t all = type_size(t);
	const uint64_t n =
		t->count > m->limits->elements ? all / t->count * m->limits->elements : all;
	uint64_t lost = 0;

	for (uint64_t i = 0; i < n; i++)
		lost += value_is_lost(v, i, 1);
	return lost == 0 || lost == n;
}

/* What is counted as repeated is so many things, however often it is there: as in gdb. */
static struct error *make_array(const struct making *m, const struct value *v, struct shown *ret)
{
	const struct type *t = type_strip(v->type);
	const struct shown_limits *limits = m->limits;
	uint64_t size = (uint64_t)type_stride(t), most = limits->elements, i = 0, things = 0;
	const struct making inner = shown_inside(m);
	struct error *err = NULL;

	if (t->unbounded) {
		ret->missing = t->unbounded;
		return NULL;
	}
	if (t->is_fortran && !t->is_string)
		return shown_fortran_array(m, v, ret);
	/* Of an unspecified length: up to its end, as what a pointer points to. */
	if (!t->count && !t->is_string && v->place == VALUE_MEMORY && !limits->plain &&
	    begin_text(t->target, ret)) {
		read_text(m->s, v->addr, limits->elements, ret);
		return NULL;
	}
	if (begin_text(t->target, ret) && (t->is_string || (!limits->plain && is_whole(m, v)))) {
		take_text(m, v, t->count, ret);
		return NULL;
	}
	ret->has_text = false;
	if (is_folded(m, t)) {
		ret->folded = true;
		return NULL;
	}
	most = t->count < most ? t->count : most;
	most = *m->left < most ? *m->left : most;
	ret->items = calloc(most ? most : 1, sizeof(*ret->items));
	if (!ret->items)
		return &error_nomem;
	while (!err && i < t->count && things < most && *m->left) {
		struct shown *item = &ret->items[ret->nitems];
		struct value element;
		uint64_t n = count_equal(m->s, v, i, t->count, size);
		err = value_part(m->s, v, t->target, i * size, &element);
		err = shown_make_part(&inner, err, &element, t->target, item);
		item->index = i;
		bool counts = n >= limits->repeats && !item->apart;
		item->times = counts ? n : 1;
		things += counts ? limits->repeats : 1;
		ret->apart |= item->apart;
		i += item->times;
		ret->nitems += !err;
	}
	ret->more = i < t->count;
	return err;
}

/* ---- structures ------------------------------------------------------------------------- */

/* A virtual base that is there already, by another way. */
static bool is_seen(const struct making *m, const struct type_member *member,
		    const struct value *base)
{
	if (!member->is_virtual || base->missing)
		return false;
	vec_for_each (seen, m->bases) {
		if (seen->type == type_strip(member->type) && seen->addr == base->addr)
			return true;
	}
	return !vec_push(m->bases, ((struct seen_base){ type_strip(member->type), base->addr }));
}

/* A static member may be of the very class: what it has of them is not shown. */
static struct error *make_member(const struct making *m, const struct value *v,
				 const struct type_member *member, struct shown *ret,
				 bool *ret_shown)
{
	static const enum shown_part parts[] = {
		[MEMBER_FIELD] = PART_MEMBER,
		[MEMBER_BASE] = PART_BASE,
		[MEMBER_STATIC] = PART_STATIC,
		[MEMBER_LISTED] = PART_MEMBER,
	};
	struct shown_limits limits = *m->limits;
	struct making inner = shown_inside(m);
	struct value part = { 0 };
	struct error *err = value_member(m->s, v, member, &part);

	if (!err)
		err = fortran_elements(m->s, v, &part);
	*ret_shown = err || !is_seen(m, member, &part);
	if (!*ret_shown)
		return NULL;
	limits.statics &= member->kind != MEMBER_STATIC;
	inner.depth -= !member->name; /* an anonymous structure is no deeper */
	inner.limits = &limits;
	err = shown_make_part(&inner, err, &part, member->type, ret);
	ret->part = parts[member->kind];
	ret->name = member->name;
	return err;
}

static struct error *make_struct(const struct making *m, const struct value *v, struct shown *ret)
{
	size_t n;
	const struct type_member *members = type_members(v->type, &n);
	struct error *err = NULL;

	if (type_strip(v->type)->is_declared && !n) {
		ret->missing = "incomplete type";
		return NULL;
	}
	ret->items = calloc(n ? n : 1, sizeof(*ret->items));
	if (!ret->items)
		return &error_nomem;
	for (size_t i = 0; !err && i < n; i++) {
		bool shown;
		if (members[i].kind == MEMBER_STATIC && !m->limits->statics)
			continue;
		ret->more = *m->left == 0;
		if (ret->more)
			break;
		err = make_member(m, v, &members[i], &ret->items[ret->nitems], &shown);
		ret->apart |= !err && ret->items[ret->nitems].apart;
		ret->nitems += !err && shown;
	}
	return err;
}

static struct error *make_class(const struct making *m, const struct value *v, struct shown *ret)
{
	bool is;
	struct error *err = shown_container(m, v, ret, &is);

	return err || is ? err : make_struct(m, v, ret);
}

/* The member of a class, or of what it inherits, that is so far from the beginning. */
static bool add_member_at(const struct type *class, uint64_t offset, size_t depth, struct buf *ret)
{
	size_t n;
	const struct type_member *m = type_members(class, &n);

	for (size_t i = 0; i < n; i++) {
		if (m[i].kind == MEMBER_FIELD && m[i].offset == offset && m[i].name) {
			buf_addf(ret, "%s::%s", class->name ? class->name : "", m[i].name);
			return true;
		}
	}
	for (size_t i = 0; i < n && depth < DEPTH_MAX; i++) {
		if (m[i].kind == MEMBER_BASE && !m[i].where && offset >= m[i].offset &&
		    offset - m[i].offset < type_size(m[i].type) &&
		    add_member_at(type_strip(m[i].type), offset - m[i].offset, depth + 1, ret))
			return true;
	}
	return false;
}

/* A pointer to a member: "Class::x" by where it is in the class. */
static void name_member(const struct value *v, struct shown *ret)
{
	const struct type *t = type_strip(v->type);
	AUTO_BUF name = { 0 };
	uint64_t offset = 0;

	memcpy(&offset, v->bytes, v->size < 8 ? v->size : 8);
	ret->addr = offset;
	if (t->holder && add_member_at(type_strip(t->holder), offset, 0, &name))
		ret->symbol = TAKE(name.data);
}

/* Of the Itanium ABI: the address of a function; an odd number is a place in a virtual table. */
static void name_method(const struct scope *s, const struct value *v, struct shown *ret)
{
	memcpy(&ret->addr, v->bytes, v->size < 8 ? v->size : 8);
	if (!(ret->addr & 1)) {
		ret->symbol = shown_symbol(s, ret->addr);
		return;
	}
	const struct type *holder = type_strip(v->type)->holder, *class;
	const struct type_method *m =
		holder ? classes_in_slot(holder, ret->addr / 8, 0, &class) : NULL;
	AUTO_BUF name = { 0 };
	if (!m)
		return;
	buf_addf(&name, "%s::%s(", class->name ? class->name : "", m->name);
	for (size_t i = m->nartificial; i < m->type->nparameters; i++) {
		buf_adds(&name, i > m->nartificial ? ", " : "");
		type_add_name(&name, m->type->parameters[i]);
	}
	buf_addc(&name, ')');
	ret->symbol = buf_ok(&name) ? TAKE(name.data) : NULL;
}

static bool is_method_pointer(const struct type *t)
{
	return t->target && type_strip(t->target)->kind == TYPE_FUNCTION;
}

/* A vector register, in each way that its bits may be meant. */
static struct error *make_vector(const struct making *m, const struct value *v, struct shown *ret)
{
	struct shown_limits numbers = *m->limits;
	struct making inner = shown_inside(m);

	numbers.plain = true;
	inner.limits = &numbers;
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
		struct error *err = make(&inner, &part, item);
		if (err)
			return err;
		item->name = register_part_name(&register_parts[ret->nitems], v->type);
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
	if (addr && s->session && !limits->plain && begin_text(target, ret))
		read_text(s, addr, limits->elements, ret);
}

/* What a reference refers to is its one item; not within structures, as in gdb. */
static struct error *make_referred(const struct making *m, const struct value *v, struct shown *ret)
{
	const struct type *target = type_strip(v->type)->target;
	const struct making inner = shown_inside(m);
	struct value referred = { .type = target };

	memcpy(&ret->addr, v->bytes, v->size < 8 ? v->size : 8);
	ret->items = target && m->depth == 0 ? calloc(1, sizeof(*ret->items)) : NULL;
	if (!ret->items)
		return target && m->depth == 0 ? &error_nomem : NULL;
	ret->nitems = 1;
	struct error *err = v->missing ? value_pointed(m->s, v, 0, &referred)
				       : value_read(m->s, target, ret->addr, &referred);
	if (err)
		referred.missing = "error: Cannot access memory there";
	error_ignore(err);
	return make(&inner, &referred, ret->items);
}

static struct error *make(const struct making *m, const struct value *v, struct shown *ret)
{
	const struct type *t = type_strip(v->type);
	struct error *err = NULL;

	*ret = (struct shown){
		.type = v->type,
		.missing = v->missing,
		.addr = v->addr,
		.size = v->size,
		.how = *m->limits,
	};
	memcpy(ret->bytes, v->bytes, sizeof(ret->bytes));
	if (t->kind == TYPE_REFERENCE && value_points(v))
		return make_referred(m, v, ret);
	if (v->missing)
		return NULL;
	if (t->kind == TYPE_POINTER && t->target && type_is_string(t->target))
		err = make_pointed_string(m, v, ret);
	else if (t->kind == TYPE_POINTER)
		add_pointer(m->s, v, m->limits, ret);
	else if (t->kind == TYPE_COMPLEX)
		err = make_complex(m, v, ret);
	else if (t->kind == TYPE_FUNCTION || t == &type_data_symbol)
		ret->symbol = shown_symbol(m->s, v->addr);
	else if (t->kind == TYPE_MEMBER_POINTER && is_method_pointer(t))
		name_method(m->s, v, ret);
	else if (t->kind == TYPE_MEMBER_POINTER)
		name_member(v, ret);
	else if (type_is_integer(t))
		ret->symbol = NULL;
	else if (t->kind == TYPE_STRUCT && is_folded(m, t))
		ret->folded = true;
	else if (m->nesting == DEPTH_MAX)
		ret->missing = "nested too deeply";
	else if (t->kind == TYPE_STRUCT)
		err = make_class(m, v, ret);
	else if (t->kind == TYPE_REFERENCE)
		err = make_referred(m, v, ret);
	else if (t->kind == TYPE_ARRAY)
		err = make_array(m, v, ret);
	else if (register_is_vector(t))
		err = make_vector(m, v, ret);
	if (err)
		shown_fini(ret);
	return err;
}

struct error *shown_make(const struct scope *s, const struct value *v,
			 const struct shown_limits *limits, struct shown *ret)
{
	size_t left = ITEMS_MAX;
	struct seen_bases bases = { 0 };
	const struct making m = { s, limits, 0, 0, &left, &bases };
	struct error *err = make(&m, v, ret);

	vec_fini(&bases);
	return err;
}
