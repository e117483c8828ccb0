/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/enclosing_parts.h"

#include <stdlib.h>
#include <string.h>

void construct_fini(struct construct *c)
{
	directive_fini(&c->directive);
	vec_for_each (loop, &c->loops)
		loop_header_fini(loop);
	vec_fini(&c->loops);
	vec_fini_all(&c->sequential);
}

void constructs_fini(struct constructs *c)
{
	vec_for_each (item, &c->items)
		construct_fini(item);
	vec_fini(&c->items);
	vec_fini_all(&c->threadprivate);
	enclosing_drop_conditions(c, 0, c->conditions.len);
	vec_fini(&c->conditions);
}

struct error *enclosing_add_condition(struct constructs *c, const struct condition *condition)
{
	if (condition->text && vec_push(&c->conditions, *condition))
		return NULL;
	free(condition->text);
	return &error_nomem;
}

void enclosing_drop_conditions(struct constructs *c, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		free(c->conditions.items[i].text);
	for (size_t i = to; i < c->conditions.len; i++)
		c->conditions.items[from + i - to] = c->conditions.items[i];
	c->conditions.len -= to - from;
}

struct error *enclosing_close(struct construct *c, int line, struct constructs *ret)
{
	if (c->line <= line && line <= c->end) {
		if (vec_push(&ret->items, *c))
			return NULL;
		construct_fini(c);
		return &error_nomem;
	}
	construct_fini(c);
	return NULL;
}

struct error *enclosing_note(const struct directive *d, struct constructs *ret)
{
	vec_for_each (row, &d->rows) {
		char *name = row->sharing == SHARING_THREADPRIVATE ? strdup(row->name) : NULL;
		if (row->sharing != SHARING_THREADPRIVATE)
			continue;
		if (name && vec_push(&ret->threadprivate, name))
			continue;
		free(name);
		return &error_nomem;
	}
	return NULL;
}
