/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>

#include "debugger/values/eval.h"
#include "debugger/values/eval_parts.h"
#include "debugger/values/lookup.h"
#include "debugger/values/methods.h"
#include "debugger/values/reach.h"

typedef const struct eval_context context;

static struct error *allocate(context *c, uint64_t size, taddr *ret)
{
	const struct value arg = value_of_int(&type_unsigned_long, size);
	struct eval_call call = {
		.name = "malloc", .returns = &type_data_pointer, .args = &arg, .n = 1
	};
	struct value v;
	struct error *err = lookup_name(c->scope, NULL, call.name, &call.function);

	if (err)
		return error_add(err, "a place in the program's memory is needed");
	if (!methods_result_is_unknown(&call.function))
		call.returns = NULL;
	err = c->call(c->caller, c->scope, &call, &v);
	if (!err)
		err = value_address(&v, ret);
	if (!err && !*ret)
		err = error_new(ERROR_USAGE, "the program's malloc() has no memory left");
	return err;
}

struct error *eval_place(context *c, struct value *v)
{
	enum { LARGEST = 1 << 20 };
	const struct type *t = type_strip(v->type);
	uint64_t size = type_size(t);
	taddr at;

	if (t->kind != TYPE_ARRAY || t->is_vector || t->is_fortran || v->missing || !size ||
	    size > LARGEST || (v->place != VALUE_NOWHERE && v->place != VALUE_NAMED) || !c->call ||
	    !c->scope->thread)
		return NULL;
	if (scope_asks_types(c->scope)) {
		v->place = VALUE_MEMORY;
		return NULL;
	}
	AUTO_FREE uint8_t *bytes = calloc(1, size);
	struct error *err = bytes ? value_copy(c->scope, v, bytes, size) : &error_nomem;
	if (!err)
		err = allocate(c, size, &at);
	if (!err)
		err = target_write(c->scope->session->target, at, bytes, size);
	return err ? err : value_read(c->scope, v->type, at, v);
}
