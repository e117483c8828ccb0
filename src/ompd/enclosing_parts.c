/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/enclosing_parts.h"

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
