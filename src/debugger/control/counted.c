/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/counted.h"

#include <string.h>

#include "debugger/values/eval.h"
#include "debugger/values/lookup.h"
#include "debugger/values/work_source.h"

static bool take_number(struct error *err, const struct value *value, uint64_t *ret)
{
	struct number number;

	if (!err)
		err = value_number(value, &number);
	bool known = !err && !number.is_float;
	if (known)
		*ret = (uint64_t)number.bits;
	error_ignore(err);
	return known;
}

/* What an expression of a header comes to. Nothing is to happen by asking. */
static bool number_of(const struct scope *s, const char *text, uint64_t *ret)
{
	struct scope plain = *s;
	struct value value;
	bool known = false;

	if (!text || !loop_header_is_harmless(text))
		return false;
	plain.counted = NULL; /* it does not depend on loops */
	plain.cells = NULL;
	struct eval_context context = { .scope = &plain, .values = convenience_new() };
	if (context.values)
		known = take_number(eval_text(&context, text, &value), &value, ret);
	convenience_free(context.values);
	return known;
}

/* The number of the iteration that a loop is in whose variable v is. */
static bool read_iteration(const struct scope *s, const struct variable *v, uint64_t *ret)
{
	struct variable iteration;
	struct value value;

	if (!lookup_variable(s, NULL, ".omp.iv", &iteration) || iteration.depth != v->depth)
		return false;
	return take_number(value_of_variable(s, &iteration, &value), &value, ret);
}

static const struct loop_header *header_of(const struct construct *c, const char *name)
{
	bool one = c && c->directive.collapse == 1 && c->loops.len;

	if (!one || !c->loops.items[0].variable || strcmp(c->loops.items[0].variable, name) != 0)
		return NULL;
	return &c->loops.items[0];
}

bool counted_value(const struct scope *s, const struct variable *v, struct value *ret)
{
	uint64_t iteration, begin, step;
	struct work_sources sources = { 0 };
	const struct source_frame *levels;
	bool known = false, failed = false;
	int section;
	size_t n = 0;

	/* clang's own copy of the variable is declared nowhere. */
	if (!v->type || !type_is_integer(v->type) || variable_line(v) || v->internal ||
	    !read_iteration(s, v, &iteration))
		return false;
	struct error *err = symbol_locate(s->session->symbols, scope_lookup_pc(s), &levels, &n);
	if (!err && s->level < n) {
		const struct construct *c = work_source_find(
			&sources, s->session, &levels[s->level], 0, &section, &failed);
		const struct loop_header *h = header_of(c, v->name);
		known = h && number_of(s, h->begin, &begin) && number_of(s, h->step, &step);
	}
	error_ignore(err);
	work_sources_fini(&sources);
	if (known)
		*ret = value_of_int(v->type, begin + iteration * step);
	return known;
}
