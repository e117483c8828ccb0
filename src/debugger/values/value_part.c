/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/values/value.h"

static bool is_large(const struct type *type)
{
	enum type_kind kind = type_strip(type)->kind;

	return kind == TYPE_STRUCT || kind == TYPE_ARRAY;
}

/* How many bytes there are of what is not read from memory when it is asked for. */
static uint64_t size_here(const struct value *v)
{
	return v->block ? v->block->size : v->size;
}

static bool is_in_memory(const struct value *v)
{
	return v->place == VALUE_MEMORY && !v->block;
}

/* Which bits of a byte are. */
static uint8_t lost_bits(const struct value *v, uint64_t at)
{
	if (v->block)
		return v->block->lost[at];
	return at < VALUE_BYTES_MAX && v->lost >> at & 1 ? UINT8_MAX : 0;
}

bool value_is_lost(const struct value *v, uint64_t offset, size_t n)
{
	uint64_t size = size_here(v);

	for (size_t i = 0; i < n; i++) {
		if (is_in_memory(v) || offset + i >= size || lost_bits(v, offset + i) != UINT8_MAX)
			return false;
	}
	return true;
}

/* With those bits of each byte that are asked for; mask NULL: all. */
static const char *read_bits(const struct scope *s, const struct value *v, uint64_t offset,
			     const uint8_t *mask, uint8_t *ret, size_t n)
{
	uint64_t size = size_here(v);

	if (v->missing)
		return v->missing;
	if (is_in_memory(v)) {
		struct error *err = target_examine(s->session->target, v->addr + offset, ret, n);
		error_ignore(err);
		return err ? "unavailable" : NULL;
	}
	if (offset > size || n > size - offset)
		return "unavailable";
	for (size_t i = 0; i < n; i++) {
		if (lost_bits(v, offset + i) & (mask ? mask[i] : UINT8_MAX))
			return "optimized out";
	}
	memcpy(ret, (v->block ? v->block->bytes : v->bytes) + offset, n);
	return NULL;
}

const char *value_bytes(const struct scope *s, const struct value *v, uint64_t offset, void *ret,
			size_t n)
{
	return read_bits(s, v, offset, NULL, ret, n);
}

struct error *value_copy(const struct scope *s, const struct value *v, void *ret, size_t n)
{
	const char *why = value_bytes(s, v, 0, ret, n);

	return why ? value_not_available(why) : NULL;
}

/* A large part of a block is a block in it. */
static struct error *part_of_block(const struct scope *s, const struct value_block *whole,
				   uint64_t offset, struct value *part)
{
	struct value_block *block =
		type_alloc(variables_types(s->session->variables), 1, sizeof(*block));

	if (!block)
		return &error_nomem;
	*block = (struct value_block){ type_size(part->type), whole->bytes + offset,
				       whole->lost + offset };
	part->block = block;
	return NULL;
}

/* Bytes that are here, and which of them are lost. */
static void copy_part(const struct value *whole, uint64_t offset, struct value *part)
{
	const uint8_t *from = whole->block ? whole->block->bytes : whole->bytes;

	memcpy(part->bytes, from + offset, part->size);
	for (uint64_t i = 0; i < part->size; i++)
		part->lost |= (uint64_t)(lost_bits(whole, offset + i) != 0) << i;
	if (part->lost && !is_large(part->type)) {
		part->missing = "optimized out";
		part->missing = value_points(part) ? "synthetic pointer" : part->missing;
		part->lost = 0;
	}
}

/* The place of a part, by that of the whole. */
static void place_part(const struct value *whole, uint64_t offset, struct value *part)
{
	part->place = whole->place == VALUE_NAMED ? VALUE_NOWHERE : whole->place;
	part->addr = whole->addr + offset;
	part->reg = whole->reg;
	part->pieces = whole->pieces;
	part->reg_offset = (uint16_t)(whole->reg_offset + offset);
	part->pointers = whole->pointers;
	part->pointers_at = whole->pointers_at + offset;
}

struct error *value_part(const struct scope *s, const struct value *whole, const struct type *type,
			 uint64_t offset, struct value *ret)
{
	struct value part = { .type = type };
	uint64_t size = type_size(type);

	if (whole->missing && whole->missing != value_unreadable) {
		part.missing = whole->missing;
		*ret = part;
		return NULL;
	}
	/* What tells its shape may have changed since the whole was kept: it is looked at anew. */
	if (is_in_memory(whole) || (type_is_dynamic(type) && whole->place == VALUE_MEMORY))
		return value_read(s, type, whole->addr + offset, ret);
	if (type_is_dynamic(type)) {
		part.missing = "not in memory";
		*ret = part;
		return NULL;
	}
	if (offset > size_here(whole) || size > size_here(whole) - offset)
		return error_new(ERROR_USAGE, "no such part: the value ends before it");
	place_part(whole, offset, &part);
	if (whole->block && (is_large(type) || size > VALUE_BYTES_MAX)) {
		struct error *err = part_of_block(s, whole->block, offset, &part);
		if (err)
			return err;
	} else {
		part.size = size < VALUE_BYTES_MAX ? size : VALUE_BYTES_MAX;
		copy_part(whole, offset, &part);
	}
	*ret = part;
	return NULL;
}

/* ---- members ---------------------------------------------------------------------------- */

/* Bits of a field, in the bytes that hold it. */
void value_set_bits(struct value *v, const uint8_t *bytes)
{
	unsigned __int128 bits = 0;

	for (unsigned int i = 0; i < v->bit_size; i++) {
		unsigned int at = v->bit_offset + i;
		bits |= (unsigned __int128)(bytes[at / 8] >> at % 8 & 1) << i;
	}
	if (type_strip(v->type)->is_signed && bits >> (v->bit_size - 1) & 1)
		bits |= v->bit_size < 128 ? ~(unsigned __int128)0 << v->bit_size : 0;
	v->size = type_size(v->type) < sizeof(bits) ? type_size(v->type) : sizeof(bits);
	memcpy(v->bytes, &bits, v->size);
}

size_t value_bit_bytes(const struct value *v)
{
	return (v->bit_offset + v->bit_size + 7u) / 8;
}

static struct error *read_bit_field(const struct scope *s, const struct value *whole,
				    const struct type_member *m, struct value *ret)
{
	struct value part = { .type = m->type,
			      .bit_offset = m->bit_offset,
			      .bit_size = m->bit_size };
	uint8_t bytes[VALUE_BITS_BYTES_MAX] = { 0 }, mask[VALUE_BITS_BYTES_MAX] = { 0 };

	for (unsigned int i = part.bit_offset; i < 0u + part.bit_offset + part.bit_size; i++)
		mask[i / 8] |= (uint8_t)(1u << i % 8);
	part.missing = read_bits(s, whole, m->offset, mask, bytes, value_bit_bytes(&part));
	if (whole->place == VALUE_MEMORY && !whole->block)
		value_note_cell(s, part.type, whole->addr + m->offset, value_bit_bytes(&part));
	value_set_bits(&part, bytes);
	place_part(whole, m->offset, &part);
	*ret = part;
	return NULL;
}

/* Of a virtual base, whose place the object itself tells. */
static struct error *read_elsewhere(const struct scope *s, const struct value *whole,
				    const struct type_member *m, struct value *ret)
{
	const struct location_frame f = value_frame(s);
	const struct location_context context = { .frame = &f, .initial = &whole->addr };
	struct location where;

	if (whole->place != VALUE_MEMORY) {
		*ret = (struct value){ .type = m->type, .missing = "not in memory" };
		return NULL;
	}
	location_run(m->where, &context, &where);
	if (where.n == 1 && where.parts[0].kind == LOCATION_MEMORY)
		return value_read(s, m->type, where.parts[0].addr, ret);
	const char *why = where.parts[0].kind == LOCATION_MISSING ? where.parts[0].why : NULL;
	*ret = (struct value){ .type = m->type, .missing = why ? why : "not in memory" };
	return NULL;
}

static struct error *read_static(const struct scope *s, const struct value *whole,
				 const struct type_member *m, struct value *ret)
{
	const struct type *t = type_strip(whole->type);
	AUTO_BUF name = { 0 };
	struct variable v;

	buf_addf(&name, "%s::%s", t->name ? t->name : "", m->name ? m->name : "");
	if (variables_find_global(s->session->variables, VARIABLE_DATA, scope_lookup_pc(s), NULL,
				  buf_text(&name), &v) &&
	    v.type) {
		struct error *err = value_of_variable(s, &v, ret);
		if (err || !ret->missing || !m->has_constant)
			return err;
	}
	if (m->has_constant)
		*ret = value_of_int(m->type, m->constant);
	else
		*ret = (struct value){ .type = m->type, .missing = "optimized out" };
	return NULL;
}

/* A CHARACTER whose length is in another member, which gfortran calls so. */
static const struct type_member *length_of(const struct value *whole, const struct type_member *m)
{
	const struct type *t = type_strip(m->type);
	AUTO_BUF name = { 0 };

	if (t->kind != TYPE_POINTER || !t->target || !type_is_string(t->target) || !m->name ||
	    type_strip(t->target)->count)
		return NULL;
	buf_addf(&name, "_%s_length", m->name);
	size_t n;
	const struct type_member *all = type_members(whole->type, &n);
	for (size_t i = 0; i < n; i++) {
		if (all[i].name && !strcmp(all[i].name, buf_text(&name)))
			return &all[i];
	}
	return NULL;
}

static struct error *set_length(const struct scope *s, const struct value *whole,
				const struct type_member *length, struct value *text)
{
	struct type_store *store = variables_types(s->session->variables);
	struct type like = *type_strip(type_strip(text->type)->target);
	struct value v;
	struct number n;
	struct error *err = value_part(s, whole, length->type, length->offset, &v);

	if (!err)
		err = value_number(&v, &n);
	if (err)
		return err;
	like.count = (int64_t)n.bits > 0 ? (uint64_t)n.bits : 0;
	like.unbounded = NULL;
	like.dynamic = NULL;
	const struct type *type = type_array_like(store, &like);
	type = type ? type_pointer_to(store, type) : NULL;
	if (type)
		text->type = type;
	return type ? NULL : error_new(ERROR_USAGE, "the length of the text makes no sense");
}

struct error *value_member(const struct scope *s, const struct value *whole,
			   const struct type_member *m, struct value *ret)
{
	const struct type_member *length = length_of(whole, m);

	if (length) {
		struct error *err = value_part(s, whole, m->type, m->offset, ret);
		return err || ret->missing ? err : set_length(s, whole, length, ret);
	}
	if (m->kind == MEMBER_LISTED) {
		*ret = (struct value){ .type = m->type, .missing = "not available" };
		if (whole->listed)
			*ret = whole->listed[m->offset];
		return NULL;
	}
	if (m->kind == MEMBER_STATIC)
		return read_static(s, whole, m, ret);
	if (m->where)
		return read_elsewhere(s, whole, m, ret);
	if (m->bit_size)
		return read_bit_field(s, whole, m, ret);
	return value_part(s, whole, m->type, m->offset, ret);
}

/* ---- keeping ---------------------------------------------------------------------------- */

struct value_block *value_block_new(const struct scope *s, uint64_t size)
{
	struct type_store *store = variables_types(s->session->variables);
	struct value_block *block = type_alloc(store, 1, sizeof(*block));

	if (!block)
		return NULL;
	block->size = size;
	block->bytes = type_alloc(store, 2, size ? size : 1);
	block->lost = block->bytes + size;
	return block->bytes ? block : NULL;
}

struct error *value_set_bytes(const struct scope *s, struct value *v, const uint8_t *bytes,
			      const uint8_t *lost, uint64_t size)
{
	bool parted = false;

	for (uint64_t i = 0; i < size; i++)
		parted |= lost[i] && lost[i] != UINT8_MAX;
	if (size > VALUE_BYTES_MAX || parted) {
		struct value_block *block = value_block_new(s, size);
		if (!block)
			return &error_nomem;
		memcpy(block->bytes, bytes, size);
		memcpy(block->lost, lost, size);
		v->block = block;
		return NULL;
	}
	v->size = size;
	memcpy(v->bytes, bytes, size);
	for (uint64_t i = 0; i < size; i++)
		v->lost |= (uint64_t)(lost[i] != 0) << i;
	return NULL;
}

/* Elements, or rows of them, lie apart from each other. */
static bool is_scattered(const struct type *t)
{
	t = type_strip(t);
	return t->kind == TYPE_ARRAY && (t->stride || is_scattered(t->target));
}

/* The same array without gaps. NULL: out of memory. */
static const struct type *packed(struct type_store *store, const struct type *t)
{
	struct type like = *type_strip(t);

	if (!is_scattered(t))
		return t;
	like.target = packed(store, like.target);
	like.stride = 0;
	return like.target ? type_array_like(store, &like) : NULL;
}

/* Elements one behind the other, from *at on. */
static void pack(const struct scope *s, const struct value *v, const struct type *t, uint64_t from,
		 struct value_block *ret, uint64_t *at)
{
	const struct type *a = type_strip(t);
	uint64_t size = type_size(t);

	if (is_scattered(t)) {
		for (uint64_t i = 0; size && i < a->count; i++)
			pack(s, v, a->target, from + i * (uint64_t)type_stride(a), ret, at);
		return;
	}
	if (value_bytes(s, v, from, ret->bytes + *at, size))
		memset(ret->lost + *at, UINT8_MAX, size);
	*at += size;
}

static struct error *keep_scattered(const struct scope *s, struct value *v)
{
	struct value_block *block = value_block_new(s, type_size(v->type));
	const struct type *type = packed(variables_types(s->session->variables), v->type);
	uint64_t at = 0;

	if (!block || !type)
		return &error_nomem;
	pack(s, v, v->type, 0, block, &at);
	v->type = type;
	v->block = block;
	return NULL;
}

/* Descriptors of arrays lead to these only from where they lie. */
static bool has_descriptors(const struct type *t, size_t depth)
{
	enum { DEPTH_MAX = 16 };
	size_t n = 0;

	t = type_strip(t);
	if (type_is_dynamic(t) || depth == DEPTH_MAX)
		return true;
	if (t->kind == TYPE_ARRAY)
		return has_descriptors(t->target, depth + 1);
	const struct type_member *members = type_is_struct(t) ? type_members(t, &n) : NULL;
	for (size_t i = 0; i < n; i++) {
		if (members[i].kind != MEMBER_STATIC && has_descriptors(members[i].type, depth + 1))
			return true;
	}
	return false;
}

struct error *value_keep(const struct scope *s, struct value *v)
{
	uint64_t size = type_size(v->type);

	if (!s->session || v->missing || !is_in_memory(v) || !is_large(v->type) ||
	    size > VALUE_KEEP_MAX)
		return NULL;
	if (is_scattered(v->type))
		return has_descriptors(v->type, 0) ? NULL : keep_scattered(s, v);
	struct value_block *block = value_block_new(s, size);
	if (!block)
		return &error_nomem;
	if (!value_bytes(s, v, 0, block->bytes, size))
		v->block = block;
	return NULL;
}
