/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What libstdc++ keeps one behind the other: names and order of members by its headers, GCC 9
 * to 15. Where libc++ has other names alone, they are here, too. */
#include <inttypes.h>
#include <string.h>

#include "debugger/values/container_parts.h"

static const uint64_t length_max = (uint64_t)1 << 47;

static bool word_inside(const struct container_reading *r, uint64_t offset, uint64_t *ret)
{
	return r->v->place == VALUE_MEMORY
		       ? container_word(r, r->v->addr + offset, ret)
		       : !value_bytes(r->s, r->v, offset, (uint8_t *)ret, sizeof(*ret));
}

/* clang declares the class alone, or what its pointer is in: the ABI says where that is. */
static bool find_string(struct container_reading *r, uint64_t *ret_at, uint64_t *ret_len)
{
	if (!word_inside(r, 0, ret_at))
		return false;
	if (!strncmp(r->type->name, "std::__cxx11::", 14))
		return word_inside(r, 8, ret_len);
	/* Before GCC 5, and where that is asked for, the length stands before the text. */
	return !strncmp(r->type->name, "std::basic_string<", 18) &&
	       container_word(r, *ret_at - 24, ret_len);
}

/* Whether it is longer than the room that it has: in itself, or as it says there. */
static bool is_too_long(struct container_reading *r, uint64_t at, uint64_t len)
{
	enum { INSIDE = 16 };
	uint64_t capacity;

	if (len > length_max)
		return true;
	if (r->v->place != VALUE_MEMORY || strncmp(r->type->name, "std::__cxx11::", 14) != 0)
		return false;
	if (at == r->v->addr + INSIDE)
		return len >= INSIDE / r->ret->width;
	return word_inside(r, INSIDE, &capacity) && len > capacity;
}

static bool read_string(struct container_reading *r)
{
	uint64_t at, len;

	if (!container_characters(r))
		return false;
	if (!container_number(r, r->v, "_M_dataplus._M_p", &at) ||
	    !container_number(r, r->v, "_M_string_length", &len)) {
		size_t n;
		type_members(r->type, &n);
		bool ours = !n || container_number(r, r->v, "_M_string_length", &len);
		if (!ours || !find_string(r, &at, &len))
			return false;
	}
	if (is_too_long(r, at, len))
		return container_damaged(r, "it is longer than the room that it has");
	return container_text(r, at, len);
}

static bool read_string_view(struct container_reading *r)
{
	uint64_t at, len;

	if (!container_characters(r) || !container_number(r, r->v, "_M_str|__data_|__data", &at) ||
	    !container_number(r, r->v, "_M_len|__size_|__size", &len))
		return false;
	if (len > length_max)
		return container_damaged(r, "its length makes no sense");
	return container_text(r, at, len);
}

static bool read_bits(struct container_reading *r)
{
	uint64_t first, last, used, end;

	if (!container_number(r, r->v, "_M_impl._M_start._M_p", &first) ||
	    !container_number(r, r->v, "_M_impl._M_finish._M_p", &last) ||
	    !container_number(r, r->v, "_M_impl._M_finish._M_offset", &used) ||
	    !container_number(r, r->v, "_M_impl._M_end_of_storage", &end))
		return false;
	if (last < first || end < last || used >= 64 || last - first > length_max)
		return container_damaged(r, "its end lies before its beginning");
	return container_bits(r, first, 8 * (last - first) + used, 8 * (end - first));
}

static bool read_vector(struct container_reading *r)
{
	uint64_t first, last, end;
	struct value start;

	if (!container_get(r, r->v, "_M_impl._M_start|__begin_", &start) ||
	    type_strip(start.type)->kind != TYPE_POINTER)
		return read_bits(r);
	const struct type *type = type_strip(start.type)->target;
	uint64_t size = type ? type_size(type) : 0;
	if (!size || !container_number(r, r->v, "_M_impl._M_start|__begin_", &first) ||
	    !container_number(r, r->v, "_M_impl._M_finish|__end_", &last) ||
	    !container_number(r, r->v,
			      "_M_impl._M_end_of_storage|__end_cap_.__value_|__end_cap_|__cap_",
			      &end))
		return false;
	if (last < first || end < last || end - first > length_max)
		return container_damaged(r, "its end lies before its beginning");
	if ((last - first) % size)
		return container_damaged(r, "it ends within an element");
	container_head_length(r, (last - first) / size, (end - first) / size);
	container_add_row(r, type, first, (last - first) / size);
	return true;
}

static bool read_array(struct container_reading *r)
{
	const struct type *type = container_argument(r->type, 0);
	struct value elements;
	int64_t n;

	if (!type || !container_argument_number(r->type, 1, &n) || n < 0)
		return false;
	buf_addf(&r->ret->head, "std::array of length %" PRId64, n);
	r->ret->size = (uint64_t)n;
	r->ret->sized = true;
	if (!container_get(r, r->v, "_M_elems|__elems_", &elements))
		return n == 0;
	for (uint64_t i = 0; i < (uint64_t)n && i < r->most; i++) {
		struct value element;
		struct error *err =
			value_part(r->s, &elements, type, i * type_size(type), &element);
		if (err)
			element = (struct value){ .type = type, .missing = "unavailable" };
		error_ignore(err);
		container_add_value(r, &element, NULL);
	}
	return true;
}

/* And a list of initializers. */
static bool read_span(struct container_reading *r)
{
	const struct type *type = container_argument(r->type, 0);
	uint64_t first, n;
	int64_t fixed;

	if (!type || !container_number(r, r->v, "_M_ptr|__data_|__data|_M_array|__begin_", &first))
		return false;
	if (!container_number(r, r->v, "_M_extent._M_extent_value|__size_|__size|_M_len", &n)) {
		if (!container_argument_number(r->type, 1, &fixed))
			return false;
		n = (uint64_t)fixed;
	}
	if (n > length_max)
		return container_damaged(r, "its length makes no sense");
	buf_addf(&r->ret->head, "std::%s of length %" PRIu64, r->name, n);
	container_add_row(r, type, first, n);
	return true;
}

static bool read_valarray(struct container_reading *r)
{
	const struct type *type = container_argument(r->type, 0);
	uint64_t first, n;

	if (!type || !container_number(r, r->v, "_M_data", &first) ||
	    !container_number(r, r->v, "_M_size", &n))
		return false;
	if (n > length_max)
		return container_damaged(r, "its length makes no sense");
	buf_addf(&r->ret->head, "std::valarray of length %" PRIu64, n);
	container_add_row(r, type, first, n);
	return true;
}

struct deque_end {
	uint64_t cur, first, last, node;
};

static bool read_deque_end(struct container_reading *r, const char *which, struct deque_end *ret)
{
	struct value end;

	return container_get(r, r->v, which, &end) &&
	       container_number(r, &end, "_M_cur", &ret->cur) &&
	       container_number(r, &end, "_M_first", &ret->first) &&
	       container_number(r, &end, "_M_last", &ret->last) &&
	       container_number(r, &end, "_M_node", &ret->node);
}

static bool read_deque(struct container_reading *r)
{
	const struct type *type = container_argument(r->type, 0);
	uint64_t size = type ? type_size(type) : 0;
	struct deque_end first, last;

	if (!size || !read_deque_end(r, "_M_impl._M_start", &first) ||
	    !read_deque_end(r, "_M_impl._M_finish", &last))
		return false;
	uint64_t bytes = size < 512 ? 512 / size * size : size;
	if (last.node < first.node || (last.node - first.node) % 8 || first.cur < first.first ||
	    last.cur < last.first || first.last - first.first != bytes ||
	    last.cur - last.first > bytes || first.cur > first.last ||
	    last.node - first.node > length_max)
		return container_damaged(r, "its ends make no sense");
	uint64_t before = (first.cur - first.first) / size, in_buffer = bytes / size;
	uint64_t n = (last.node - first.node) / 8 * in_buffer + (last.cur - last.first) / size;
	if (n < before)
		return container_damaged(r, "its ends make no sense");
	n -= before;
	buf_addf(&r->ret->head, "std::deque with %" PRIu64 " element%s", n, n == 1 ? "" : "s");
	r->ret->size = n;
	r->ret->sized = true;
	for (uint64_t i = 0; i < n && i < r->most; i++) {
		uint64_t at = i + before, buffer;
		if (!container_word(r, first.node + at / in_buffer * 8, &buffer))
			return container_damaged(r, "its buffers cannot be read");
		container_add(r, type, buffer + at % in_buffer * size);
	}
	return true;
}

const struct container_row container_gnu_rows[] = {
	{ "basic_string", read_string },
	{ "basic_string_view", read_string_view },
	{ "vector", read_vector },
	{ "array", read_array },
	{ "span", read_span },
	{ "valarray", read_valarray },
	{ "deque", read_deque },
	{ "initializer_list", read_span },
	{ NULL, NULL },
};
