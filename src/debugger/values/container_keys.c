/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements that are found by their keys. */
#include <string.h>

#include "debugger/values/container_compare.h"
#include "debugger/values/container_elements.h"
#include "debugger/values/container_parts.h"

struct key_search {
	const struct operating *o;
	bool pairs, is_value; /* what comes next is the value of the key that was the last one */
	bool found;           /* that key is the one                                          */
	uint64_t count;
	struct value *ret; /* the value of the first one; NULL: they are counted              */
	struct error *err;
};

static bool take_key(void *context, const struct container_item *item)
{
	struct key_search *search = context;
	bool is_value = search->is_value;
	int order = 1;

	search->is_value = search->pairs && !is_value;
	if (is_value && search->found && search->ret) {
		*search->ret = item->value;
		return false;
	}
	if (is_value)
		return true;
	search->err = container_compare(search->o->s, &item->value, &search->o->args[0], &order);
	search->found = !search->err && order == 0;
	search->count += search->found;
	return !search->err;
}

/* Keys are told apart by what is equal: whoever says it otherwise has a function for it. */
static struct error *check_comparison(const struct operating *o)
{
	static const char *const known[] = { "less", "greater", "equal_to" };
	const struct type *by =
		container_argument(type_strip(o->object->type), o->kind->comparison);
	const char *name = by ? type_strip(by)->name : NULL;

	for (size_t i = 0; name && i < sizeof(known) / sizeof(*known); i++) {
		const char *found = strstr(name, known[i]);
		if (!strncmp(name, "std::", 5) && found && found[strlen(known[i])] == '<')
			return NULL;
	}
	return error_new(ERROR_NOT_FOUND,
			 "no key is equal to that one; which are the same to it, a "
			 "function of the program tells");
}

static struct error *search_key(const struct operating *o, struct key_search *search)
{
	AUTO_CONTAINER c = { 0 };

	search->o = o;
	search->pairs = !(o->kind->kind & IS_SET);
	struct error *err = container_walk(o, 0, take_key, search, &c);
	if (!err)
		err = search->err;
	if (!err && !search->count)
		err = c.fault ? container_fault(&c) : check_comparison(o);
	return err;
}

struct error *container_mapped(const struct operating *o, struct value *ret)
{
	struct key_search search = { .ret = ret };
	struct error *err = search_key(o, &search);

	return !err && !search.count ? error_new(ERROR_NOT_FOUND, "there is no such key") : err;
}

struct error *container_count_key(const struct operating *o, struct value *ret)
{
	struct key_search search = { 0 };
	struct error *err = search_key(o, &search);

	*ret = value_of_int(&type_unsigned_long, search.count);
	return err;
}

struct error *container_contains(const struct operating *o, struct value *ret)
{
	struct error *err = container_count_key(o, ret);

	*ret = value_of_int(&type_bool, !err && (ret->bytes[0] || ret->bytes[1]));
	return err;
}
