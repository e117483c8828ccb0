/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/abi.h"

#include <string.h>

#include "target/symbols/name_scopes.h"

enum { PART = 8, PAIR = 2 * PART, DEPTH_MAX = 32 };

/* ---- what a type is --------------------------------------------------------------------- */

struct survey {
	enum abi_class parts[ABI_PARTS];
	uint64_t alignment;
	bool in_memory; /* something is not aligned, or only memory takes it */
	const char *why;
};

/* Rule 4: what two members make of the eight bytes that both are in. */
static enum abi_class merge(enum abi_class a, enum abi_class b)
{
	if (a == b || b == ABI_NONE)
		return a;
	if (a == ABI_NONE)
		return b;
	if (a == ABI_MEMORY || b == ABI_MEMORY)
		return ABI_MEMORY;
	if (a == ABI_INTEGER || b == ABI_INTEGER)
		return ABI_INTEGER;
	return a == ABI_X87 || b == ABI_X87 ? ABI_MEMORY : ABI_SSE;
}

static void add_part(struct survey *s, uint64_t offset, enum abi_class class)
{
	uint64_t part = offset / PART;

	if (part < ABI_PARTS)
		s->parts[part] = merge(s->parts[part], class);
}

static void add_scalar(struct survey *s, uint64_t offset, uint64_t size, enum abi_class class)
{
	s->alignment = size > s->alignment ? size : s->alignment;
	s->in_memory |= offset % size;
	add_part(s, offset, class);
	for (uint64_t at = PART; at < size; at += PART)
		add_part(s, offset + at, class == ABI_SSE ? ABI_SSE_UP : class);
}

static void add_type(struct survey *s, const struct type *type, uint64_t offset,
		     unsigned int depth);

static void add_vector(struct survey *s, const struct type *t, uint64_t offset)
{
	uint64_t size = type_size(t);

	if (size != PART && size != PAIR && size != ABI_VECTOR)
		s->why = "it is a vector of another size than 8, 16 or 32 bytes";
	else
		add_scalar(s, offset, size, ABI_SSE);
}

static void add_elements(struct survey *s, const struct type *t, uint64_t offset,
			 unsigned int depth)
{
	uint64_t size = t->target ? type_size(t->target) : 0;

	if (type_is_dynamic(t) || (t->count && !size)) {
		s->why = "its size is known at run time only";
		return;
	}
	if (t->count > ABI_PARTS * PART) {
		s->in_memory = true;
		return;
	}
	for (uint64_t i = 0; i < t->count; i++)
		add_type(s, t->target, offset + i * size, depth);
}

static void add_bits(struct survey *s, const struct type_member *m, uint64_t offset)
{
	uint64_t first = (offset + m->offset) * 8 + m->bit_offset, last = first + m->bit_size - 1;
	uint64_t size = type_size(m->type);

	s->alignment = size > s->alignment ? size : s->alignment;
	add_part(s, first / 8, ABI_INTEGER);
	add_part(s, last / 8, ABI_INTEGER);
}

static void add_members(struct survey *s, const struct type *t, uint64_t offset, unsigned int depth)
{
	size_t n;
	const struct type_member *members = type_members(t, &n);

	if (t->is_declared)
		s->why = "its type is not complete";
	for (size_t i = 0; i < n && !s->why; i++) {
		const struct type_member *m = &members[i];
		if (m->kind == MEMBER_STATIC)
			continue;
		if (m->bit_size)
			add_bits(s, m, offset);
		else
			add_type(s, m->type, offset + m->offset, depth);
	}
}

static void add_type(struct survey *s, const struct type *type, uint64_t offset, unsigned int depth)
{
	const struct type *t = type_strip(type);

	if (depth >= DEPTH_MAX) {
		s->why = "its type is nested too deeply";
		return;
	}
	switch (t->kind) {
	case TYPE_INT:
	case TYPE_CHAR:
	case TYPE_BOOL:
	case TYPE_ENUM:
	case TYPE_POINTER:
	case TYPE_REFERENCE:
		add_scalar(s, offset, t->size ? t->size : PART, ABI_INTEGER);
		break;
	case TYPE_FLOAT:
		add_scalar(s, offset, t->size ? t->size : PART,
			   t->size > PART && !t->is_quad ? ABI_X87 : ABI_SSE);
		break;
	case TYPE_COMPLEX:
		add_type(s, t->target, offset, depth + 1);
		add_type(s, t->target, offset + type_size(t->target), depth + 1);
		break;
	case TYPE_ARRAY:
		if (t->is_vector)
			add_vector(s, t, offset);
		else
			add_elements(s, t, offset, depth + 1);
		break;
	case TYPE_STRUCT:
		add_members(s, t, offset, depth + 1);
		break;
	case TYPE_MEMBER_POINTER: /* to a function: two words */
		for (uint64_t at = 0; at < t->size; at += PART)
			add_scalar(s, offset + at, PART, ABI_INTEGER);
		break;
	case TYPE_VOID:
	case TYPE_FUNCTION:
	case TYPE_ALIAS:
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
	case TYPE_ATOMIC:
	case TYPE_OTHER:
		s->why = "ompdb does not know what its type consists of";
		break;
	}
}

/* Constructors have the name of their class without its scopes and template arguments. */
static bool is_constructor(const struct type *class, const struct type_method *m)
{
	const char *own = class->name ? name_scopes_last(class->name) : "";
	size_t len = strcspn(own, "<");

	return m->name && len && !strncmp(m->name, own, len) && !m->name[len];
}

bool abi_copies(const struct type *class, const struct type_method *m)
{
	const struct type *f = m->type;

	if (!is_constructor(class, m) || !f || f->nparameters != m->nartificial + 1)
		return false;
	const struct type *given = type_strip(f->parameters[m->nartificial]);
	return given->kind == TYPE_REFERENCE && given->target && type_strip(given->target) == class;
}

static bool is_by_reference(const struct type *type, unsigned int depth)
{
	const struct type *t = type_strip(type);
	bool ret = false;
	size_t n;

	while (t->kind == TYPE_ARRAY && t->target)
		t = type_strip(t->target);
	if (t->kind != TYPE_STRUCT || t->passing != PASSING_UNKNOWN || depth > DEPTH_MAX)
		return t->kind == TYPE_STRUCT && t->passing == PASSING_REFERENCE;
	const struct type_method *methods = type_methods(t, &n);
	for (size_t i = 0; i < n; i++) {
		const struct type_method *m = &methods[i];
		bool copies = (m->name && m->name[0] == '~') || abi_copies(t, m);
		ret |= m->is_virtual || (copies && !m->is_artificial && !m->is_defaulted);
	}
	const struct type_member *members = type_members(t, &n);
	for (size_t i = 0; i < n && !ret; i++) {
		bool is_static = members[i].kind == MEMBER_STATIC;
		ret = members[i].is_virtual ||
		      (!is_static && is_by_reference(members[i].type, depth + 1));
	}
	return ret;
}

/* Rule 5, behind the merging: more than two parts are in registers only as one vector. */
static bool goes_in_memory(const struct survey *s, uint64_t size)
{
	bool x87 = s->parts[0] == ABI_X87 || s->parts[1] == ABI_X87;

	if (size > ABI_VECTOR || s->in_memory || (size > PAIR && s->parts[0] != ABI_SSE))
		return true;
	for (size_t i = 0; i < ABI_PARTS; i++) {
		bool is_up = i == 0 || i * PART >= size || s->parts[i] == ABI_SSE_UP;
		if (s->parts[i] == ABI_MEMORY || (size > PAIR && !is_up))
			return true;
	}
	/* The upper half of a number of x87 shares its eight bytes with nothing else. */
	return x87 && (s->parts[0] != ABI_X87 || s->parts[1] != ABI_X87);
}

const char *abi_find_way(const struct type *type, struct abi_way *ret)
{
	const struct type *t = type_strip(type);
	struct survey s = { .alignment = 1 };
	struct abi_way way = { .size = type_size(t), .by_reference = is_by_reference(t, 0) };

	if (t->kind == TYPE_ARRAY && !t->is_vector)
		return "arrays are not passed by value";
	add_type(&s, t, 0, 0);
	/* What is in an object whose address is passed does not matter. */
	if (s.why && !(way.by_reference && way.size))
		return s.why;
	way.alignment = s.alignment;
	way.nparts = (way.size + PART - 1) / PART;
	way.in_x87 = t->kind == TYPE_COMPLEX && type_size(t->target) > PART && !t->target->is_quad;
	memcpy(way.parts, s.parts, sizeof(way.parts));
	if (way.by_reference || goes_in_memory(&s, way.size))
		way.parts[0] = ABI_MEMORY;
	else if (way.parts[1] == ABI_SSE_UP && way.parts[0] != ABI_SSE)
		way.parts[1] = ABI_SSE;
	*ret = way;
	return NULL;
}

/* ---- arguments -------------------------------------------------------------------------- */

static size_t count(const struct abi_way *way, enum abi_class class)
{
	size_t n = 0;

	for (size_t i = 0; i < way->nparts && i < ABI_PARTS; i++)
		n += way->parts[i] == class;
	return n;
}

static void pass_on_stack(struct abi_call *c, const struct abi_way *way, const uint8_t *bytes)
{
	const uint64_t alignment = way->alignment > PART ? way->alignment : PART;

	while (c->stack.len % alignment)
		buf_addc(&c->stack, '\0');
	buf_add(&c->stack, (const char *)bytes, way->size);
	while (c->stack.len % PART)
		buf_addc(&c->stack, '\0');
}

static size_t bytes_of(const struct abi_way *way, size_t part)
{
	uint64_t left = way->size - part * PART;

	return left < PART ? left : PART;
}

/* All in registers, or nothing of it. Numbers of x87 are passed in memory. */
void abi_pass(struct abi_call *c, const struct abi_way *way, const uint8_t *bytes)
{
	if (way->parts[0] == ABI_MEMORY || count(way, ABI_X87) ||
	    c->nintegers + count(way, ABI_INTEGER) > ABI_INTEGERS ||
	    c->nvectors + count(way, ABI_SSE) > ABI_VECTORS) {
		pass_on_stack(c, way, bytes);
		return;
	}
	for (size_t i = 0; i < way->nparts; i++) {
		const uint8_t *from = bytes + i * PART;
		if (way->parts[i] == ABI_INTEGER)
			memcpy(&c->integers[c->nintegers++], from, bytes_of(way, i));
		else if (way->parts[i] == ABI_SSE)
			memcpy(c->vectors[c->nvectors++], from, bytes_of(way, i));
		else if (way->parts[i] == ABI_SSE_UP) /* nothing but parts of it stands before */
			memcpy(c->vectors[c->nvectors - 1] + i * PART, from, bytes_of(way, i));
	}
	c->wide |= way->nparts > PAIR / PART;
}

void abi_pass_integer(struct abi_call *c, uint64_t value)
{
	static const struct abi_way way = {
		.parts = { ABI_INTEGER }, .nparts = 1, .size = PART, .alignment = PART
	};

	abi_pass(c, &way, (const uint8_t *)&value);
}

/* ---- results ---------------------------------------------------------------------------- */

void abi_take(const struct abi_way *way, const struct abi_result *r, uint8_t *ret)
{
	size_t integers = 0, vectors = 0;

	if (way->in_x87 || count(way, ABI_X87)) {
		memset(ret, 0, way->size);
		memcpy(ret, r->x87[0], ABI_X87_BYTES);
		if (way->in_x87)
			memcpy(ret + way->size / 2, r->x87[1], ABI_X87_BYTES);
		return;
	}
	for (size_t i = 0; i < way->nparts; i++) {
		uint8_t *to = ret + i * PART;
		if (way->parts[i] == ABI_INTEGER)
			memcpy(to, &r->integers[integers++], bytes_of(way, i));
		else if (way->parts[i] == ABI_SSE)
			memcpy(to, r->vectors[vectors++], bytes_of(way, i));
		else if (way->parts[i] == ABI_SSE_UP)
			memcpy(to, r->vectors[vectors - 1] + i * PART, bytes_of(way, i));
		else
			memset(to, 0, bytes_of(way, i));
	}
}

void abi_put(const struct abi_way *way, const uint8_t *bytes, struct abi_result *ret)
{
	struct abi_call c = { 0 };

	*ret = (struct abi_result){ 0 };
	if (way->in_x87 || count(way, ABI_X87)) {
		memcpy(ret->x87[ret->nx87++], bytes, ABI_X87_BYTES);
		if (way->in_x87)
			memcpy(ret->x87[ret->nx87++], bytes + way->size / 2, ABI_X87_BYTES);
		return;
	}
	abi_pass(&c, way, bytes);
	memcpy(ret->integers, c.integers, sizeof(ret->integers));
	memcpy(ret->vectors, c.vectors, sizeof(ret->vectors));
	ret->nintegers = c.nintegers;
	ret->nvectors = c.nvectors;
	ret->wide = c.wide;
	abi_call_fini(&c);
}
