/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/containers.h"

#include <string.h>

#include "base/text.h"
#include "debugger/values/container_parts.h"

static container_reader read_adaptor;

/* What has nothing of its own but the container "c", and an order. */
static const struct container_row adaptor_rows[] = { { "stack", read_adaptor },
						     { "queue", read_adaptor },
						     { "priority_queue", read_adaptor },
						     { NULL, NULL } };

static const struct container_row *const tables[] = {
	adaptor_rows,       container_any_rows,  container_chrono_rows, container_function_rows,
	container_gnu_rows, container_llvm_rows, container_node_rows,   container_gnu_single_rows,
};
enum { NUM_TABLES = sizeof(tables) / sizeof(*tables) };

/* Namespaces that hide the version of a library. */
static const char *const versions[] = { "__cxx11::", "__1::", "__2::", "__ndk1::", "__cxx1998::" };

/* Behind "std::" and those; NULL: it is not of the standard library. */
static const char *skip_scopes(const char *name)
{
	if (!name || strncmp(name, "std::", 5))
		return NULL;
	name += 5;
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		if (!strncmp(name, versions[i], strlen(versions[i])))
			return name + strlen(versions[i]);
	}
	return name;
}

static container_reader *find_reader(const struct container_row *rows, const char *name, size_t len)
{
	for (size_t i = 0; rows[i].name; i++) {
		if (strlen(rows[i].name) == len && !strncmp(rows[i].name, name, len))
			return rows[i].read;
	}
	return NULL;
}

/* The class itself, and none that is declared in it. */
static size_t class_len(const char *name)
{
	size_t len = strcspn(name, "<"), depth = 0;
	const char *p = name + len;

	for (; *p && (depth || p == name + len); p++)
		depth += (*p == '<') - (size_t)(*p == '>');
	return *p ? 0 : len;
}

const char *container_class(const struct type *type, size_t *ret_len)
{
	const struct type *t = type_strip(type);
	const char *name = t->kind == TYPE_STRUCT ? skip_scopes(t->name) : NULL;

	*ret_len = name ? class_len(name) : 0;
	for (size_t i = 0; *ret_len && i < NUM_TABLES; i++) {
		if (find_reader(tables[i], name, *ret_len))
			return name;
	}
	return NULL;
}

bool container_is(const struct type *type, const char *class)
{
	size_t len;
	const char *name = container_class(type, &len);

	return name && strlen(class) == len && !strncmp(name, class, len);
}

const struct type *container_character(const struct type *type)
{
	const struct type *ret = container_argument(type_strip(type), 0);

	return ret ? ret : &type_char; /* clang has declared the class alone */
}

bool container_is_known(const struct type *type)
{
	size_t len;

	return container_class(type, &len) != NULL;
}

static bool read_as(const struct container_row *rows, const struct container_reading *as,
		    struct container *ret)
{
	struct container_reading r = *as;
	size_t len;
	const char *found = container_class(r.v->type, &len);
	container_reader *read = find_reader(rows, found, len);
	AUTO_FREE char *name = read ? strndup(found, len) : NULL;

	r.name = name;
	r.type = type_strip(r.v->type);
	r.ret = ret;
	*ret = (struct container){ .form = CONTAINER_LIST };
	if (name && read(&r)) {
		if (!ret->head.len && ret->fault)
			buf_addf(&ret->head, "std::%s", name);
		return true;
	}
	container_fini(ret);
	return false;
}

static bool read_any(const struct container_reading *r, struct container *ret)
{
	if (!r->s->session || r->v->missing || !container_is_known(r->v->type))
		return false;
	for (size_t i = 0; i < NUM_TABLES; i++) {
		if (read_as(tables[i], r, ret))
			return true;
	}
	return false;
}

static bool read_adaptor(struct container_reading *r)
{
	struct container_reading inner = *r;
	struct container held = { 0 };
	struct value v;
	size_t len;
	const char *name;

	if (!container_get(r, r->v, "c", &v))
		return false;
	inner.v = &v;
	name = container_class(v.type, &len);
	if (!name || find_reader(adaptor_rows, name, len) || !read_any(&inner, &held))
		return false;
	container_head(r, r->name);
	buf_addf(&r->ret->head, " wrapping: %s", buf_text(&held.head));
	buf_fini(&held.head);
	held.head = r->ret->head;
	*r->ret = held;
	return true;
}

bool container_read(const struct scope *s, const struct value *v, size_t most,
		    struct container *ret)
{
	const struct container_reading r = { .s = s, .v = v, .most = most };

	return read_any(&r, ret);
}

bool container_each(const struct scope *s, const struct value *v, uint64_t first,
		    container_take *take, void *context, struct container *ret)
{
	const struct container_reading r = {
		.s = s, .v = v, .most = SIZE_MAX, .take = take, .context = context, .first = first
	};

	return read_any(&r, ret);
}

/* What a parameter refers to, or is. NULL: a reference that takes nothing that is made for it. */
static const struct type *object_of(const struct type *to)
{
	const struct type *t = type_strip(to);

	if (t->kind != TYPE_REFERENCE)
		return t;
	const bool takes = t->target && (t->is_rvalue || t->target->kind == TYPE_CONST);
	return takes ? type_strip(t->target) : NULL;
}

bool container_takes_text(const struct type *from, const struct type *to)
{
	const struct type *text = type_strip(from), *class = object_of(to);
	const bool points = text->kind == TYPE_ARRAY || text->kind == TYPE_POINTER;
	const char *its, *wanted;

	if (!points || !text->target || !class || !type_is_struct(class) ||
	    !(container_is(class, "basic_string") || container_is(class, "basic_string_view")))
		return false;
	const size_t width = type_text_width(text->target, &its);
	return width && width == type_text_width(container_character(class), &wanted) &&
	       text_same(its, wanted);
}
