/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/container_parts.h"

#include <inttypes.h>
#include <string.h>

#include "debugger/values/reach.h"

enum { PATH_MAX_LEN = 128, ALIGN_DEPTH_MAX = 16, TEXT_MAX = 1 << 20 };

void container_fini(struct container *c)
{
	buf_fini(&c->head);
	buf_fini(&c->text);
	vec_fini(&c->items);
}

void container_head(struct container_reading *r, const char *what)
{
	buf_addf(&r->ret->head, "std::%s", what);
}

void container_head_length(struct container_reading *r, uint64_t length, uint64_t capacity)
{
	r->ret->number = capacity;
	buf_addf(&r->ret->head, "std::%s of length %" PRIu64 ", capacity %" PRIu64, r->name, length,
		 capacity);
}

/* Nobody writes what "std::string" stands for, or which version of a library hides in a name. */
static void add_short_name(struct buf *out, const char *name)
{
	static const char *const words[][2] = {
		{ "std::__cxx11::basic_string<char, std::char_traits<char>, "
		  "std::allocator<char> >",
		  "std::string" },
		{ "std::__1::basic_string<char, std::__1::char_traits<char>, "
		  "std::__1::allocator<char> >",
		  "std::string" },
		{ "std::__1::", "std::" },
		{ "std::__2::", "std::" },
	};
	enum { NUM_WORDS = sizeof(words) / sizeof(*words) };

	while (*name) {
		size_t i = 0, len = 0;
		while (i < NUM_WORDS && strncmp(name, words[i][0], len = strlen(words[i][0])) != 0)
			i++;
		if (i == NUM_WORDS) {
			buf_addc(out, *name++);
			continue;
		}
		buf_adds(out, words[i][1]);
		name += len;
		/* The blank stood between two of them. */
		if (name[-1] == '>' && !strncmp(name, " >", 2))
			name++;
	}
}

void container_head_add(struct container_reading *r, const struct type *type)
{
	AUTO_BUF name = { 0 };

	type_add_name(&name, type);
	add_short_name(&r->ret->head, buf_text(&name));
}

void container_head_type(struct container_reading *r)
{
	add_short_name(&r->ret->head, r->type->name);
}

void container_head_with(struct container_reading *r)
{
	buf_addf(&r->ret->head, "std::%s<", r->name);
	container_head_add(r, container_argument(r->type, 0));
	buf_addc(&r->ret->head, '>');
}

/* ---- members ---------------------------------------------------------------------------- */

static bool get_one(const struct container_reading *r, const struct value *v, const char *path,
		    size_t len, struct value *ret)
{
	char text[PATH_MAX_LEN], *rest = text;
	struct value at = *v;

	if (len >= sizeof(text))
		return false;
	memcpy(text, path, len);
	text[len] = '\0';
	for (char *name; (name = strsep(&rest, "."));) {
		struct value next;
		struct error *err = reach_first_member(r->s, &at, name, &next);
		error_ignore(err);
		if (err)
			return false;
		at = next;
	}
	*ret = at;
	return !at.missing;
}

bool container_get(const struct container_reading *r, const struct value *v, const char *path,
		   struct value *ret)
{
	for (size_t len; *path; path += len + (path[len] == '|')) {
		len = strcspn(path, "|");
		if (get_one(r, v, path, len, ret))
			return true;
	}
	return false;
}

bool container_number(const struct container_reading *r, const struct value *v, const char *path,
		      uint64_t *ret)
{
	struct value found;
	struct number n;

	if (!container_get(r, v, path, &found))
		return false;
	struct error *err = value_number(&found, &n);
	error_ignore(err);
	if (!err)
		*ret = (uint64_t)n.bits;
	return !err;
}

bool container_word(const struct container_reading *r, taddr at, uint64_t *ret)
{
	struct error *err = target_examine(r->s->session->target, at, ret, sizeof(*ret));

	error_ignore(err);
	return !err;
}

/* ---- types ------------------------------------------------------------------------------ */

static const struct type_naming *argument(const struct type *t, size_t n)
{
	size_t count;
	const struct type_naming *namings = type_namings(t, &count);

	for (size_t i = 0; i < count; i++) {
		if (namings[i].is_parameter && n-- == 0)
			return &namings[i];
	}
	return NULL;
}

const struct type *container_argument(const struct type *t, size_t n)
{
	const struct type_naming *found = argument(t, n);

	return found && !found->is_value ? found->type : NULL;
}

bool container_argument_number(const struct type *t, size_t n, int64_t *ret)
{
	const struct type_naming *found = argument(t, n);

	if (!found || !found->is_value)
		return false;
	*ret = found->value;
	return true;
}

static uint64_t alignment(const struct type *t, size_t depth)
{
	uint64_t most = 1;
	size_t n;

	t = type_strip(t);
	if (t->kind == TYPE_ARRAY && t->target)
		return alignment(t->target, depth);
	if (t->kind == TYPE_MEMBER_POINTER || t->kind == TYPE_REFERENCE)
		return 8;
	if (t->kind != TYPE_STRUCT)
		return t->size && t->size <= 16 && !(t->size & (t->size - 1)) ? t->size : 1;
	const struct type_member *members = type_members(t, &n);
	/* What is said of strings that are only declared (type.h). */
	if (t->is_declared && !n && t->size)
		return 8;
	for (size_t i = 0; i < n && depth < ALIGN_DEPTH_MAX; i++) {
		uint64_t its = members[i].kind == MEMBER_STATIC ? 1
			       : members[i].is_virtual          ? 8
						       : alignment(members[i].type, depth + 1);
		most = its > most ? its : most;
	}
	return most;
}

uint64_t container_alignment(const struct type *t)
{
	return alignment(t, 0);
}

uint64_t container_align(uint64_t at, const struct type *t)
{
	uint64_t to = container_alignment(t);

	return (at + to - 1) / to * to;
}

/* ---- items ------------------------------------------------------------------------------ */

/* Whoever has been told enough is handed nothing more. */
static void add_item(struct container_reading *r, const struct container_item *item)
{
	uint64_t n = r->added++;

	if (n < r->first || !r->most)
		return;
	if (r->take && !r->take(r->context, item))
		r->most = 0;
	/* What does not fit into memory is left out, as what is beyond the limit. */
	if (!r->take)
		(void)!vec_push(&r->ret->items, *item);
}

void container_add_value(struct container_reading *r, const struct value *v, const char *label)
{
	const struct container_item item = { .value = *v, .label = label, .number = r->added };

	add_item(r, &item);
}

void container_add_numbered(struct container_reading *r, const struct value *v, uint64_t number)
{
	const struct container_item item = { .value = *v, .number = number };

	add_item(r, &item);
}

bool container_add(struct container_reading *r, const struct type *type, taddr at)
{
	struct value v = { .type = type, .missing = "unavailable" };
	const bool wanted = r->added >= r->first && r->most;

	if (wanted) {
		struct error *err = value_read(r->s, type, at, &v);
		if (err)
			v = (struct value){ .type = type, .missing = "unavailable" };
		error_ignore(err);
	}
	container_add_value(r, &v, NULL);
	return !wanted || !v.missing;
}

void container_add_row(struct container_reading *r, const struct type *type, taddr first,
		       uint64_t n)
{
	enum { LOST_MAX = 1 << 12 }; /* one behind the other: there is no memory any more */
	uint64_t size = type_size(type), lost = 0;

	r->ret->size = n;
	r->ret->sized = true;
	r->added = r->first < n ? r->first : n;
	for (uint64_t i = r->added; i < n && i < r->most && lost < LOST_MAX; i++)
		lost = container_add(r, type, first + i * size) ? 0 : lost + 1;
	if (lost == LOST_MAX)
		container_damaged(r, "its elements cannot be read");
	if (!r->ret->items.len || !r->ret->items.items[0].value.missing)
		return;
	r->ret->items.len = 0;
	container_damaged(r, "its elements cannot be read");
}

bool container_bits(struct container_reading *r, taddr first, uint64_t n, uint64_t capacity)
{
	uint64_t word = 0;

	r->ret->number = capacity;
	buf_addf(&r->ret->head, "std::vector<bool> of length %" PRIu64 ", capacity %" PRIu64, n,
		 capacity);
	r->ret->size = n;
	r->ret->sized = true;
	for (uint64_t i = 0; i < n && i < r->most; i++) {
		if (i % 64 == 0 && !container_word(r, first + i / 8, &word))
			return container_damaged(r, "its elements cannot be read");
		struct value bit = value_of_int(&type_bool, word >> i % 64 & 1);
		container_add_value(r, &bit, NULL);
	}
	return true;
}

bool container_characters(struct container_reading *r)
{
	static const struct {
		const char *name, *prefix;
		size_t width;
	} kinds[] = {
		{ "char", NULL, 1 },        { "wchar_t", "L", 4 },  { "char8_t", "u8", 1 },
		{ "char16_t", "u", 2 },     { "char32_t", "U", 4 }, { "unsigned char", NULL, 1 },
		{ "signed char", NULL, 1 },
	};
	const char *name = r->type->name + strcspn(r->type->name, "<");

	name += *name == '<';
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t len = strlen(kinds[i].name);
		if (strncmp(name, kinds[i].name, len) != 0 || !strchr(",>", name[len]))
			continue;
		r->ret->width = kinds[i].width;
		r->ret->prefix = kinds[i].prefix;
		return true;
	}
	return false;
}

bool container_text_here(struct container_reading *r, const void *bytes, uint64_t len)
{
	r->ret->form = CONTAINER_TEXT;
	r->ret->size = len;
	r->ret->sized = true;
	buf_add(&r->ret->text, bytes, (len < r->most ? len : r->most) * r->ret->width);
	return true;
}

bool container_text(struct container_reading *r, taddr at, uint64_t len)
{
	size_t n = len < r->most ? len : r->most;

	n = n < TEXT_MAX ? n : TEXT_MAX;
	AUTO_FREE char *bytes = calloc(r->ret->width, n + 1);
	if (!bytes)
		return false;
	struct error *err = target_examine(r->s->session->target, at, bytes, n * r->ret->width);
	error_ignore(err);
	if (err)
		return container_damaged(r, "its text cannot be read");
	container_text_here(r, bytes, n);
	r->ret->size = len;
	r->ret->at = at;
	return true;
}

bool container_damaged(struct container_reading *r, const char *why)
{
	r->ret->fault = why;
	return true;
}
