/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Containers of libstdc++: names and order of members by its headers, GCC 9 to 15. */
#include <inttypes.h>
#include <string.h>

#include "debugger/values/container_parts.h"

enum { STEPS_MAX = 1 << 22, TUPLE_MAX = 256 };
static const uint64_t length_max = (uint64_t)1 << 47;

/* ---- one behind the other --------------------------------------------------------------- */

/* clang declares the class alone, or what its pointer is in: the ABI says where that is. */
static bool find_string(struct container_reading *r, uint64_t *ret_at, uint64_t *ret_len)
{
	if (r->v->place != VALUE_MEMORY || !container_word(r, r->v->addr, ret_at))
		return false;
	if (strstr(r->type->name, "__cxx11"))
		return container_word(r, r->v->addr + 8, ret_len);
	/* Before GCC 5, and where that is asked for, the length stands before the text. */
	return container_word(r, *ret_at - 24, ret_len);
}

static bool read_string(struct container_reading *r)
{
	uint64_t at, len;

	if (!container_number(r, r->v, "_M_dataplus._M_p", &at) ||
	    !container_number(r, r->v, "_M_string_length", &len)) {
		size_t n;
		type_members(r->type, &n);
		bool ours = !n || container_number(r, r->v, "_M_string_length", &len);
		if (!ours || !find_string(r, &at, &len))
			return false;
	}
	const struct type *c = container_argument(r->type, 0);
	if (c && type_size(c) != 1)
		return false;
	if (len > length_max)
		return container_damaged(r, "its length makes no sense");
	return container_text(r, at, len);
}

static bool read_string_view(struct container_reading *r)
{
	uint64_t at, len;

	if (!container_number(r, r->v, "_M_str", &at) || !container_number(r, r->v, "_M_len", &len))
		return false;
	if (len > length_max)
		return container_damaged(r, "its length makes no sense");
	return container_text(r, at, len);
}

static void head_of_length(struct container_reading *r, uint64_t length, uint64_t capacity)
{
	buf_addf(&r->ret->head, "std::%s of length %" PRIu64 ", capacity %" PRIu64, r->name, length,
		 capacity);
}

static bool read_bits(struct container_reading *r)
{
	uint64_t first, last, used, end, byte;

	if (!container_number(r, r->v, "_M_impl._M_start._M_p", &first) ||
	    !container_number(r, r->v, "_M_impl._M_finish._M_p", &last) ||
	    !container_number(r, r->v, "_M_impl._M_finish._M_offset", &used) ||
	    !container_number(r, r->v, "_M_impl._M_end_of_storage", &end))
		return false;
	if (last < first || end < last || used >= 64 || last - first > length_max)
		return container_damaged(r, "its end lies before its beginning");
	uint64_t n = 8 * (last - first) + used;
	buf_addf(&r->ret->head, "std::vector<bool> of length %" PRIu64 ", capacity %" PRIu64, n,
		 8 * (end - first));
	r->ret->size = n;
	r->ret->sized = true;
	for (uint64_t i = 0; i < n && i < r->most; i++) {
		if (i % 64 == 0 && !container_word(r, first + i / 8, &byte))
			return container_damaged(r, "its elements cannot be read");
		struct value bit = value_of_int(&type_bool, byte >> i % 64 & 1);
		container_add_value(r, &bit, NULL);
	}
	return true;
}

static bool read_vector(struct container_reading *r)
{
	uint64_t first, last, end;
	struct value start;

	if (!container_get(r, r->v, "_M_impl._M_start", &start) ||
	    type_strip(start.type)->kind != TYPE_POINTER)
		return read_bits(r);
	const struct type *type = type_strip(start.type)->target;
	uint64_t size = type ? type_size(type) : 0;
	if (!size || !container_number(r, r->v, "_M_impl._M_start", &first) ||
	    !container_number(r, r->v, "_M_impl._M_finish", &last) ||
	    !container_number(r, r->v, "_M_impl._M_end_of_storage", &end))
		return false;
	if (last < first || end < last || end - first > length_max)
		return container_damaged(r, "its end lies before its beginning");
	if ((last - first) % size)
		return container_damaged(r, "it ends within an element");
	head_of_length(r, (last - first) / size, (end - first) / size);
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

static bool read_span(struct container_reading *r)
{
	const struct type *type = container_argument(r->type, 0);
	uint64_t first, n;
	int64_t fixed;

	if (!type || !container_number(r, r->v, "_M_ptr|__data_|__data", &first))
		return false;
	if (!container_number(r, r->v, "_M_extent._M_extent_value|__size_|__size", &n)) {
		if (!container_argument_number(r->type, 1, &fixed))
			return false;
		n = (uint64_t)fixed;
	}
	if (n > length_max)
		return container_damaged(r, "its length makes no sense");
	buf_addf(&r->ret->head, "std::span of length %" PRIu64, n);
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

/* ---- linked ----------------------------------------------------------------------------- */

/* Of a chain of nodes, each of which begins with the address of the next one, and has its element
 * behind so many bytes. */
static bool read_chain(struct container_reading *r, taddr node, taddr end, uint64_t behind,
		       const struct type *type, uint64_t size)
{
	uint64_t at = container_align(behind, type);

	for (uint64_t i = 0; node != end; i++) {
		if (i == size || i == STEPS_MAX)
			return container_damaged(r,
						 "its chain is longer than it says, or a circle");
		if (i == r->most && size == UINT64_MAX)
			break;
		if (i < r->most)
			container_add(r, type, node + at);
		if (!container_word(r, node, &node))
			return container_damaged(r, "its chain leads to where nothing can be read");
		if (i + 1 >= r->most && size != UINT64_MAX)
			break;
	}
	return true;
}

static bool read_list(struct container_reading *r)
{
	const struct type *type = container_argument(r->type, 0);
	struct value head;
	uint64_t first, n = UINT64_MAX;

	if (!type || !container_get(r, r->v, "_M_impl._M_node", &head) ||
	    head.place != VALUE_MEMORY || !container_number(r, &head, "_M_next", &first))
		return false;
	if (container_number(r, &head, "_M_storage|_M_size", &n) && n > length_max)
		n = UINT64_MAX;
	buf_addf(&r->ret->head, "std::__cxx11::list");
	r->ret->form = CONTAINER_NUMBERED;
	if (first == head.addr) {
		buf_clear(&r->ret->head);
		buf_adds(&r->ret->head, "empty std::__cxx11::list");
		r->ret->form = CONTAINER_EMPTY;
		r->ret->sized = true;
		return true;
	}
	return read_chain(r, first, head.addr, 16, type, UINT64_MAX);
}

static bool read_forward_list(struct container_reading *r)
{
	const struct type *type = container_argument(r->type, 0);
	uint64_t first;

	if (!type || !container_number(r, r->v, "_M_impl._M_head._M_next", &first))
		return false;
	r->ret->form = first ? CONTAINER_NUMBERED : CONTAINER_EMPTY;
	r->ret->sized = !first;
	buf_addf(&r->ret->head, "%sstd::forward_list", first ? "" : "empty ");
	return read_chain(r, first, 0, 8, type, UINT64_MAX);
}

/* Key and value, or the key alone, of an element. */
struct pair_types {
	const struct type *key, *value; /* value NULL: there is the key alone */
};

static bool types_of(struct container_reading *r, struct pair_types *ret)
{
	bool map = strstr(r->name, "map") != NULL;

	ret->key = container_argument(r->type, 0);
	ret->value = map ? container_argument(r->type, 1) : NULL;
	return ret->key && (!map || ret->value);
}

static uint64_t align_pair(uint64_t at, const struct pair_types *t)
{
	uint64_t a = container_align(at, t->key), b = t->value ? container_align(at, t->value) : a;

	return a > b ? a : b;
}

static void add_pair(struct container_reading *r, const struct pair_types *t, taddr at)
{
	container_add(r, t->key, at);
	if (t->value)
		container_add(r, t->value, at + container_align(type_size(t->key), t->value));
}

static void head_of_elements(struct container_reading *r, const struct pair_types *t, uint64_t n)
{
	buf_addf(&r->ret->head, "std::%s with %" PRIu64 " element%s", r->name, n,
		 n == 1 ? "" : "s");
	r->ret->form = t->value ? CONTAINER_MAP : CONTAINER_NUMBERED;
	r->ret->size = n;
	r->ret->sized = true;
}

struct tree_node {
	uint64_t parent, left, right;
};

static bool read_node(struct container_reading *r, taddr at, struct tree_node *ret)
{
	return container_word(r, at + 8, &ret->parent) && container_word(r, at + 16, &ret->left) &&
	       container_word(r, at + 24, &ret->right);
}

/* The next node in order. false: it cannot be read, or there are too many steps. */
static bool next_node(struct container_reading *r, taddr *at, size_t *steps)
{
	struct tree_node n;
	taddr from = *at;

	if (!read_node(r, from, &n))
		return false;
	if (n.right) {
		for (*at = n.right; read_node(r, *at, &n); *at = n.left) {
			if (!n.left)
				return true;
			if (++*steps > STEPS_MAX)
				return false;
		}
		return false;
	}
	for (*at = n.parent; read_node(r, *at, &n); *at = n.parent) {
		if (n.right != from)
			return true;
		from = *at;
		if (++*steps > STEPS_MAX)
			return false;
	}
	return false;
}

static bool read_tree(struct container_reading *r)
{
	struct pair_types types;
	struct value header;
	uint64_t n, at;
	size_t steps = 0;

	if (!types_of(r, &types) || !container_get(r, r->v, "_M_t._M_impl._M_header", &header) ||
	    header.place != VALUE_MEMORY || !container_number(r, &header, "_M_left", &at) ||
	    !container_number(r, r->v, "_M_t._M_impl._M_node_count", &n))
		return false;
	if (n > length_max)
		return container_damaged(r, "its number of elements makes no sense");
	head_of_elements(r, &types, n);
	for (uint64_t i = 0; i < n && i < r->most; i++) {
		if (at == header.addr)
			return container_damaged(r, "it has fewer elements than it says");
		add_pair(r, &types, at + align_pair(32, &types));
		if (i + 1 < n && i + 1 < r->most && !next_node(r, &at, &steps))
			return container_damaged(r, "its tree leads to where nothing can be read");
	}
	return true;
}

static bool read_hash(struct container_reading *r)
{
	struct pair_types types;
	uint64_t n, at;

	if (!types_of(r, &types) ||
	    !container_number(r, r->v, "_M_h._M_before_begin._M_nxt", &at) ||
	    !container_number(r, r->v, "_M_h._M_element_count", &n))
		return false;
	if (n > length_max)
		return container_damaged(r, "its number of elements makes no sense");
	head_of_elements(r, &types, n);
	for (uint64_t i = 0; i < n && i < r->most; i++) {
		if (!at)
			return container_damaged(r, "it has fewer elements than it says");
		add_pair(r, &types, at + align_pair(8, &types));
		if (!container_word(r, at, &at))
			return container_damaged(r, "its chain leads to where nothing can be read");
	}
	return true;
}

/* ---- one or none ------------------------------------------------------------------------ */

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

	container_head(r, "tuple containing");
	r->ret->form = CONTAINER_NUMBERED;
	for (size_t i = 0; i < r->most && tuple_element(r, r->v, i, &element); i++) {
		container_add_value(r, &element, NULL);
		/* gdb's users know them from 1 on. */
		if (r->ret->items.len)
			r->ret->items.items[r->ret->items.len - 1].number++;
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

	if (!container_get(r, r->v, "_M_t._M_t|_M_t", &tuple) ||
	    !tuple_element(r, &tuple, 0, &pointer))
		return false;
	container_head_with(r);
	r->ret->form = CONTAINER_PARTS;
	container_add_value(r, &pointer, "get()");
	return true;
}

static bool read_shared_ptr(struct container_reading *r)
{
	uint64_t counts, uses, weak;
	struct value pointer;

	if (!container_get(r, r->v, "_M_ptr", &pointer) ||
	    !container_number(r, r->v, "_M_refcount._M_pi", &counts))
		return false;
	container_head_with(r);
	r->ret->form = CONTAINER_PARTS;
	container_add_value(r, &pointer, "get()");
	if (!counts) {
		buf_adds(&r->ret->head, " (empty)");
		return true;
	}
	/* Behind the pointer to its virtual functions: two counts of 32 bits. */
	if (!container_word(r, counts + 8, &uses))
		return container_damaged(r, "its counts cannot be read");
	weak = uses >> 32;
	uses = (uint32_t)uses;
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

	if (!container_number(r, r->v, "_M_payload._M_engaged", &engaged))
		return false;
	container_head_with(r);
	if (!engaged) {
		buf_adds(&r->ret->head, " [no contained value]");
		r->ret->form = CONTAINER_EMPTY;
		return true;
	}
	if (!container_get(r, r->v, "_M_payload._M_payload._M_value", &held))
		return false;
	r->ret->form = CONTAINER_PARTS;
	container_add_value(r, &held, "[contained value]");
	return true;
}

static bool read_variant(struct container_reading *r)
{
	struct value held, index;
	uint64_t n;

	if (!container_number(r, r->v, "_M_index", &n) ||
	    !container_get(r, r->v, "_M_index", &index))
		return false;
	container_head_type(r);
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

/* ---- others ----------------------------------------------------------------------------- */

static bool read_atomic(struct container_reading *r)
{
	struct value held;

	if (!container_get(r, r->v, "_M_i|_M_base._M_i|_M_b._M_p|_M_fp", &held))
		return false;
	container_head_with(r);
	container_add_value(r, &held, NULL);
	return true;
}

static bool read_bitset(struct container_reading *r)
{
	int64_t n;
	struct value words;
	uint8_t byte = 0;

	if (!container_argument_number(r->type, 0, &n) || n < 0 ||
	    !container_get(r, r->v, "_M_w", &words))
		return false;
	buf_adds(&r->ret->head, "std::bitset");
	r->ret->form = CONTAINER_NUMBERED;
	for (uint64_t i = 0; i < (uint64_t)n && r->ret->items.len < r->most; i++) {
		if (i % 8 == 0 && value_bytes(r->s, &words, i / 8, &byte, 1))
			return container_damaged(r, "its bits cannot be read");
		if (!(byte >> i % 8 & 1))
			continue;
		struct value one = value_of_int(&type_int, 1);
		container_add_value(r, &one, NULL);
		if (r->ret->items.len)
			r->ret->items.items[r->ret->items.len - 1].number = i;
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

	if (!container_number(r, r->v, "_M_mutex.__data.__lock", &locked) ||
	    !container_number(r, r->v, "_M_mutex.__data.__owner", &owner))
		return false;
	container_head(r, r->name);
	r->ret->form = CONTAINER_EMPTY;
	if (!locked)
		buf_adds(&r->ret->head, " (not locked)");
	else
		buf_addf(&r->ret->head, " (locked by LWP %" PRIu64 ")", owner);
	return true;
}

static bool read_thread(struct container_reading *r)
{
	uint64_t id;

	if (!container_number(r, r->v, "_M_id._M_thread", &id))
		return false;
	container_head(r, "thread");
	r->ret->form = CONTAINER_EMPTY;
	if (id)
		buf_addf(&r->ret->head, " (pthread 0x%" PRIx64 ")", id);
	else
		buf_adds(&r->ret->head, " (not joinable)");
	return true;
}

/* What its invoker is made for. */
static bool read_function(struct container_reading *r)
{
	struct value invoker;
	uint64_t manager;

	if (!container_number(r, r->v, "_M_manager", &manager) ||
	    !container_get(r, r->v, "_M_invoker", &invoker))
		return false;
	container_head_with(r);
	if (!manager) {
		buf_adds(&r->ret->head, " (empty)");
		r->ret->form = CONTAINER_EMPTY;
		return true;
	}
	r->ret->form = CONTAINER_PARTS;
	container_add_value(r, &invoker, "invoker");
	return true;
}

static bool read_duration(struct container_reading *r)
{
	/* By the ratio's name. */
	static const char *const units[][2] = { { "1000000000", "ns" },
						{ "1000000", "us" },
						{ "1000", "ms" } };
	const struct type *ratio = container_argument(r->type, 1);
	int64_t above, below;
	struct value count;
	struct number n;

	if (!ratio || !container_get(r, r->v, "__r", &count) ||
	    !container_argument_number(type_strip(ratio), 0, &above) ||
	    !container_argument_number(type_strip(ratio), 1, &below))
		return false;
	struct error *err = value_number(&count, &n);
	error_ignore(err);
	if (err)
		return false;
	if (n.is_float)
		buf_addf(&r->ret->head, "std::chrono::duration = { %g", (double)n.real);
	else
		buf_addf(&r->ret->head, "std::chrono::duration = { %" PRId64, (int64_t)n.bits);
	r->ret->form = CONTAINER_EMPTY;
	AUTO_BUF text = { 0 };
	buf_addf(&text, "%" PRId64, below);
	for (size_t i = 0; above == 1 && i < sizeof(units) / sizeof(*units); i++) {
		if (!strcmp(units[i][0], buf_text(&text))) {
			buf_addf(&r->ret->head, "%s }", units[i][1]);
			return true;
		}
	}
	if (above == 1 && below == 1)
		buf_adds(&r->ret->head, "s }");
	else if (below == 1 && above == 60)
		buf_adds(&r->ret->head, "min }");
	else if (below == 1 && above == 3600)
		buf_adds(&r->ret->head, "h }");
	else
		buf_addf(&r->ret->head, " [%" PRId64 "/%" PRId64 "]s }", above, below);
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
	{ "list", read_list },
	{ "forward_list", read_forward_list },
	{ "map", read_tree },
	{ "multimap", read_tree },
	{ "set", read_tree },
	{ "multiset", read_tree },
	{ "unordered_map", read_hash },
	{ "unordered_multimap", read_hash },
	{ "unordered_set", read_hash },
	{ "unordered_multiset", read_hash },
	{ "tuple", read_tuple },
	{ "pair", read_pair },
	{ "unique_ptr", read_unique_ptr },
	{ "shared_ptr", read_shared_ptr },
	{ "weak_ptr", read_shared_ptr },
	{ "optional", read_optional },
	{ "variant", read_variant },
	{ "atomic", read_atomic },
	{ "bitset", read_bitset },
	{ "complex", read_complex },
	{ "mutex", read_mutex },
	{ "recursive_mutex", read_mutex },
	{ "thread", read_thread },
	{ "function", read_function },
	{ "chrono::duration", read_duration },
	{ NULL, NULL },
};
