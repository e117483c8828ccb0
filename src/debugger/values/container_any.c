/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * std::any: what is in it only the function knows that it keeps for what can be done with that: a
 * member of a class template, whose argument is the type.
 */
#include <string.h>

#include "debugger/values/container_parts.h"
#include "debugger/values/lookup.h"

enum { TYPE_NAME_MAX = 1024 };

struct kind {
	const char *handler, *function; /* where it is kept, its name behind the class   */
	const char *inside, *storage;   /* the class of what lies in the storage itself  */
	const char *pointer;            /* to all else                                   */
};

static const struct kind kinds[] = {
	{ "_M_manager", "::_S_manage", "::_Manager_internal<", "_M_storage", "_M_storage._M_ptr" },
	{ "__h_|__h", "::__handle", "::_SmallHandler<", "__s_|__s", "__s_.__ptr|__s.__ptr" },
};

/* The class that a function is a member of. NULL: it is another function. It is the caller's. */
static char *class_of(struct container_reading *r, const struct kind *kind, taddr function)
{
	struct symbol_table *symbols = r->s->session->symbols;
	struct symbol symbol;

	const char *name = symbol_at(symbols, function, &symbol)
				   ? symbol_shown_name(symbols, symbol.name)
				   : NULL;
	const char *end = NULL;
	for (const char *at = name; at && (at = strstr(at, kind->function)); at++)
		end = at;
	return end ? strndup(name, (size_t)(end - name)) : NULL;
}

static bool is_inside(const struct kind *kind, const char *class)
{
	const size_t len = strlen(kind->inside), before = strcspn(class, "<") + 1;

	return before >= len && !strncmp(class + before - len, kind->inside, len);
}

static bool read_held(struct container_reading *r, const struct kind *kind, const char *class,
		      const struct type *type)
{
	struct value storage, held;

	if (!is_inside(kind, class)) {
		uint64_t at;
		if (!container_number(r, r->v, kind->pointer, &at))
			return false;
		container_add(r, type, at);
	} else {
		if (!container_get(r, r->v, kind->storage, &storage))
			return false;
		struct error *err = value_part(r->s, &storage, type, 0, &held);
		error_ignore(err);
		if (err)
			return false;
		container_add_value(r, &held, NULL);
	}
	if (r->ret->items.len)
		r->ret->items.items[0].label = "[contained value]";
	return true;
}

static bool read_any(struct container_reading *r)
{
	enum { NUM_KINDS = sizeof(kinds) / sizeof(*kinds) };
	const struct kind *kind = kinds;
	struct variable found;
	uint64_t handler;

	while (kind < &kinds[NUM_KINDS] && !container_number(r, r->v, kind->handler, &handler))
		kind++;
	if (kind == &kinds[NUM_KINDS])
		return false;
	if (!handler) {
		container_head(r, "any [no contained value]");
		r->ret->form = CONTAINER_EMPTY;
		return true;
	}
	AUTO_FREE char *class = class_of(r, kind, handler);
	if (!class)
		return container_damaged(r, "what it keeps is no function of its own");
	const struct type *type = lookup_named_type(r->s, class, &found)
					  ? container_argument(type_strip(found.type), 0)
					  : NULL;
	if (!type)
		return false;
	container_head(r, "any containing ");
	container_head_add(r, type);
	r->ret->form = CONTAINER_PARTS;
	return read_held(r, kind, class, type);
}

/* The name of a type as the linker knows it is one of C++ behind a prefix (Itanium ABI, 5.1.4). */
static bool read_type_info(struct container_reading *r)
{
	static const char prefix[] = "_ZTS", shown[] = "typeinfo name for ";
	char mangled[sizeof(prefix) + TYPE_NAME_MAX];
	size_t n = sizeof(prefix) - 1;
	uint64_t at;

	if (!container_number(r, r->v, "__name|__type_name", &at))
		return false;
	memcpy(mangled, prefix, n);
	do {
		if (n == sizeof(mangled) ||
		    !memory_try_read(r->s->session->target->memory, at++, &mangled[n], 1))
			return false;
		n -= n == sizeof(prefix) - 1 && mangled[n] == '*';
	} while (mangled[n++]);
	AUTO_FREE char *name = symbol_demangle(mangled);
	if (!name || strncmp(name, shown, strlen(shown)) != 0)
		return false;
	container_head(r, "type_info of ");
	buf_adds(&r->ret->head, name + strlen(shown));
	r->ret->form = CONTAINER_EMPTY;
	return true;
}

const struct container_row container_any_rows[] = {
	{ "any", read_any },
	{ "type_info", read_type_info },
	{ NULL, NULL },
};
