/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/convenience.h"

#include <string.h>

enum { VARIABLES_MAX = 1 << 16, HISTORY_MAX = 1 << 20 };

struct convenience {
	VEC(struct value) variables; /* their names are in them        */
	VEC(struct value) history;
	VEC(struct type_store *) stores; /* owned, shared              */
};

struct convenience *convenience_new(void)
{
	return calloc(1, sizeof(struct convenience));
}

void convenience_free(struct convenience *c)
{
	if (!c)
		return;
	vec_fini(&c->variables);
	vec_fini(&c->history);
	vec_for_each (store, &c->stores)
		type_store_free(*store);
	vec_fini(&c->stores);
	free(c);
}

/* false: out of memory. */
static bool keep_store(struct convenience *c, struct type_store *store)
{
	vec_for_each (known, &c->stores) {
		if (*known == store)
			return true;
	}
	if (!store)
		return true;
	if (!vec_push(&c->stores, store))
		return false;
	type_store_share(store);
	return true;
}

static struct value *find(const struct convenience *c, const char *name)
{
	vec_for_each (v, &c->variables) {
		if (!strcmp(v->name, name))
			return v;
	}
	return NULL;
}

static struct value *find_or_add(struct convenience *c, const char *name)
{
	struct value *v = find(c, name);

	if (v || c->variables.len == VARIABLES_MAX || strlen(name) >= VALUE_NAME_MAX ||
	    !vec_push(&c->variables, (struct value){ .type = &type_void }))
		return v;
	v = &c->variables.items[c->variables.len - 1];
	strcpy(v->name, name);
	return v;
}

/* Where it came from is of no meaning any more; what it is larger than its bytes stays there. */
static void put(struct value *to, const struct value *from)
{
	char name[VALUE_NAME_MAX];

	memcpy(name, to->name, sizeof(name));
	*to = *from;
	memcpy(to->name, name, sizeof(name));
	if (type_strip(from->type)->kind != TYPE_ARRAY &&
	    type_strip(from->type)->kind != TYPE_FUNCTION)
		to->place = VALUE_NAMED;
}

struct error *convenience_set(struct convenience *c, const char *name, const struct value *v,
			      struct type_store *store)
{
	struct value *to = find_or_add(c, name);

	if (!to)
		return error_new(ERROR_USAGE, "$%s: its name is too long, or there are too many",
				 name);
	if (!keep_store(c, store))
		return &error_nomem;
	put(to, v);
	return NULL;
}

void convenience_set_int(struct convenience *c, const char *name, int64_t n)
{
	struct value v = value_of_int(n == (int)n ? &type_int : &type_long, (uint64_t)n);

	error_ignore(convenience_set(c, name, &v, NULL));
}

void convenience_unset(struct convenience *c, const char *name)
{
	const struct value nothing = { .type = &type_void };
	struct value *v = find(c, name);

	if (v)
		put(v, &nothing);
}

struct value convenience_get(const struct convenience *c, const char *name)
{
	const struct value *v = find(c, name);
	struct value ret = { .type = &type_void };

	if (v)
		ret = *v;
	if (ret.place != VALUE_MEMORY)
		ret.place = VALUE_NAMED;
	strncpy(ret.name, name, sizeof(ret.name) - 1);
	return ret;
}

struct error *convenience_record(struct convenience *c, const struct value *v,
				 struct type_store *store, size_t *ret)
{
	struct value copy = *v;

	if (c->history.len == HISTORY_MAX)
		return error_new(ERROR_USAGE, "the value history is full");
	if (!keep_store(c, store) || !vec_push(&c->history, copy))
		return &error_nomem;
	*ret = c->history.len;
	return NULL;
}

size_t convenience_recorded(const struct convenience *c)
{
	return c->history.len;
}

const struct value *convenience_history(const struct convenience *c, size_t number)
{
	return number && number <= c->history.len ? &c->history.items[number - 1] : NULL;
}

void convenience_for_each(const struct convenience *c,
			  void (*found)(void *context, const char *name, const struct value *v),
			  void *context)
{
	for (size_t i = c->variables.len; i > 0; i--)
		found(context, c->variables.items[i - 1].name, &c->variables.items[i - 1]);
}
