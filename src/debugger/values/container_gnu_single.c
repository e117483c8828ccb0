/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What holds one thing or none, or a fixed number of them; and locks: in libstdc++ and in libc++,
 * which have other names for the same.
 */
#include <inttypes.h>
#include <string.h>

#include "debugger/values/container_parts.h"
#include "debugger/values/locks.h"

enum { TUPLE_MAX = 256 };

/* Element n of a tuple: bases of bases, each with the head of its element. */
static bool tuple_element(struct container_reading *r, const struct value *tuple, size_t n,
			  struct value *ret)
{
	struct value at = *tuple;

	for (size_t steps = 0; steps < TUPLE_MAX; steps++) {
		size_t count;
		const struct type_member *members = type_members(at.type, &count);
		const struct type_member *next = NULL, *head = NULL;
		for (size_t i = 0; i < count; i++) {
			const char *name = members[i].kind == MEMBER_BASE ? members[i].name : NULL;
			const char *own = name ? strstr(name, "_Tuple_impl<") : NULL;
			if (own)
				next = &members[i];
			else if (name)
				head = &members[i];
		}
		bool outer = at.type == tuple->type;
		if (!outer && n-- == 0) {
			struct value held;
			struct error *err = head ? value_member(r->s, &at, head, &held) : NULL;
			error_ignore(err);
			if (err || !head)
				return false;
			return container_get(r, &held, "_M_head_impl", ret) || (*ret = held, true);
		}
		struct error *err = next ? value_member(r->s, &at, next, &at) : NULL;
		error_ignore(err);
		if (err || !next)
			return false;
	}
	return false;
}

static bool read_tuple(struct container_reading *r)
{
	struct value element;

	if (strstr(r->type->name, "tuple<>")) {
		buf_adds(&r->ret->head, "empty std::tuple");
		r->ret->form = CONTAINER_EMPTY;
		return true;
	}
	container_head(r, "tuple containing");
	r->ret->form = CONTAINER_NUMBERED;
	for (size_t i = 0; i < r->most && tuple_element(r, r->v, i, &element); i++) {
		/* gdb's users know them from 1 on. */
		container_add_numbered(r, &element, i + 1);
	}
	r->ret->size = r->ret->items.len;
	r->ret->sized = true;
	return r->ret->items.len > 0;
}

static bool read_pair(struct container_reading *r)
{
	static const char *const names[] = { "first", "second" };
	struct value half = { 0 };

	r->ret->form = CONTAINER_PARTS;
	for (size_t i = 0; i < 2; i++) {
		if (!container_get(r, r->v, names[i], &half) && !half.missing)
			return false;
		container_add_value(r, &half, names[i]);
	}
	return true;
}

static bool read_unique_ptr(struct container_reading *r)
{
	struct value tuple, pointer;

	if (container_get(r, r->v, "_M_t._M_t|_M_t", &tuple)
		    ? !tuple_element(r, &tuple, 0, &pointer)
		    : !container_get(r, r->v, "__ptr_.__value_|__ptr_", &pointer))
		return false;
	container_head_with(r);
	r->ret->form = CONTAINER_PARTS;
	container_add_value(r, &pointer, "get()");
	return true;
}

/* How many share a thing, and how many only look at it. Behind the pointer to virtual functions:
 * two counts of 32 bits, or in libc++ of 64, which are one less. */
static bool read_counts(struct container_reading *r, uint64_t *ret_uses, uint64_t *ret_weak)
{
	uint64_t at, weak;

	if (container_number(r, r->v, "_M_refcount._M_pi", &at)) {
		if (!container_word(r, at + 8, &weak))
			return false;
		*ret_uses = (uint32_t)weak;
		*ret_weak = weak >> 32;
		return true;
	}
	if (!container_number(r, r->v, "__cntrl_", &at) || !container_word(r, at + 8, ret_uses) ||
	    !container_word(r, at + 16, ret_weak))
		return false;
	++*ret_uses;
	++*ret_weak;
	return true;
}

static bool read_shared_ptr(struct container_reading *r)
{
	uint64_t counts, uses, weak;
	struct value pointer;

	if (!container_get(r, r->v, "_M_ptr|__ptr_", &pointer) ||
	    !container_number(r, r->v, "_M_refcount._M_pi|__cntrl_", &counts))
		return false;
	container_head_with(r);
	r->ret->form = CONTAINER_PARTS;
	container_add_value(r, &pointer, "get()");
	if (!counts) {
		buf_adds(&r->ret->head, " (empty)");
		return true;
	}
	if (!read_counts(r, &uses, &weak))
		return container_damaged(r, "its counts cannot be read");
	r->ret->number = uses;
	if (uses)
		buf_addf(&r->ret->head, " (use count %" PRIu64 ", weak count %" PRIu64 ")", uses,
			 weak - 1);
	else
		buf_addf(&r->ret->head, " (expired, weak count %" PRIu64 ")", weak);
	return true;
}

static bool read_optional(struct container_reading *r)
{
	uint64_t engaged;
	struct value held;

	if (!container_number(r, r->v, "_M_payload._M_engaged|__engaged_", &engaged))
		return false;
	container_head_with(r);
	if (!engaged) {
		buf_adds(&r->ret->head, " [no contained value]");
		r->ret->form = CONTAINER_EMPTY;
		return true;
	}
	if (!container_get(r, r->v, "_M_payload._M_payload._M_value|__val_", &held))
		return false;
	r->ret->form = CONTAINER_PARTS;
	container_add_value(r, &held, "[contained value]");
	return true;
}

static bool read_variant(struct container_reading *r)
{
	static const char at[] = "_M_index|__impl_.__index|__impl.__index";
	struct value held, index;
	uint64_t n;

	if (!container_number(r, r->v, at, &n) || !container_get(r, r->v, at, &index))
		return false;
	container_head_type(r);
	r->ret->number = n;
	const uint64_t none = index.size < 8 ? ((uint64_t)1 << 8 * index.size) - 1 : UINT64_MAX;
	if (n == none) {
		buf_adds(&r->ret->head, " [no contained value]");
		r->ret->form = CONTAINER_EMPTY;
		return true;
	}
	/* The union of all kinds is where the object begins. */
	const struct type *type = container_argument(r->type, n);
	if (!type)
		return container_damaged(r, "its index is that of no kind");
	struct error *err = value_part(r->s, r->v, type, 0, &held);
	error_ignore(err);
	if (err)
		return false;
	buf_addf(&r->ret->head, " [index %" PRIu64 "]", n);
	container_add_value(r, &held, NULL);
	return true;
}

static bool read_atomic(struct container_reading *r)
{
	struct value held;

	if (!container_get(r, r->v, "_M_i|_M_base._M_i|_M_b._M_p|_M_fp|__a_.__a_value", &held))
		return false;
	container_head_with(r);
	container_add_value(r, &held, NULL);
	return true;
}

static bool read_bitset(struct container_reading *r)
{
	int64_t n;
	struct value words = { 0 };
	uint8_t byte = 0;

	if (!container_argument_number(r->type, 0, &n) || n < 0 ||
	    (n && !container_get(r, r->v, "_M_w|__first_", &words)))
		return false;
	buf_adds(&r->ret->head, "std::bitset");
	r->ret->form = CONTAINER_NUMBERED;
	for (uint64_t i = 0; i < (uint64_t)n && r->ret->items.len < r->most; i++) {
		if (i % 8 == 0 && value_bytes(r->s, &words, i / 8, &byte, 1))
			return container_damaged(r, "its bits cannot be read");
		if (!(byte >> i % 8 & 1))
			continue;
		struct value one = value_of_int(&type_int, 1);
		container_add_numbered(r, &one, i);
	}
	r->ret->size = (uint64_t)n;
	return true;
}

static bool read_complex(struct container_reading *r)
{
	struct value held;

	if (!container_get(r, r->v, "_M_value", &held))
		return false;
	container_head_with(r);
	container_add_value(r, &held, NULL);
	return true;
}

static bool read_mutex(struct container_reading *r)
{
	uint64_t locked, owner;

	if (!container_number(r, r->v, "_M_mutex.__data.__lock|__m_.__data.__lock", &locked) ||
	    !container_number(r, r->v, "_M_mutex.__data.__owner|__m_.__data.__owner", &owner))
		return false;
	container_head(r, r->name);
	r->ret->form = CONTAINER_EMPTY;
	const struct lock_list *threads =
		locked && r->v->place == VALUE_MEMORY ? locks_of(r->s) : NULL;
	buf_adds(&r->ret->head, " (");
	if (!locked)
		buf_adds(&r->ret->head, "not locked");
	else if (!threads)
		buf_addf(&r->ret->head, "locked by LWP %" PRIu64, owner);
	else
		lock_list_add_mutex(threads, r->v->addr, (pid_t)owner, &r->ret->head);
	buf_adds(&r->ret->head, ")");
	return true;
}

static bool read_thread(struct container_reading *r)
{
	uint64_t id;

	if (!container_number(r, r->v, "_M_id._M_thread|__t_", &id))
		return false;
	container_head(r, "thread");
	r->ret->form = CONTAINER_EMPTY;
	if (id)
		buf_addf(&r->ret->head, " (pthread 0x%" PRIx64 ")", id);
	else
		buf_adds(&r->ret->head, " (not joinable)");
	return true;
}

const struct container_row container_gnu_single_rows[] = {
	{ "tuple", read_tuple },           { "pair", read_pair },
	{ "unique_ptr", read_unique_ptr }, { "shared_ptr", read_shared_ptr },
	{ "weak_ptr", read_shared_ptr },   { "optional", read_optional },
	{ "variant", read_variant },       { "atomic", read_atomic },
	{ "bitset", read_bitset },         { "complex", read_complex },
	{ "mutex", read_mutex },           { "recursive_mutex", read_mutex },
	{ "thread", read_thread },         { NULL, NULL },
};
