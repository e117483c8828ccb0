/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/result.h"

#include "debugger/values/invoke.h"
#include "target/flow/flow.h"

/* Arrays and functions are returned by nobody; what is not understood is not guessed. */
static bool is_returned(const struct type *t)
{
	const struct type *own = type_strip(t);

	return type_is_scalar(t) || type_is_struct(t) || type_is_pointer(t) ||
	       own->kind == TYPE_COMPLEX || own->is_vector;
}

/* LLVM marks functions so whose parameters or result it has changed: DWARF 5, 3.3.1.1. */
static const char no_convention[] = "not known: the compiler has given the function a calling "
				    "convention of its own";

bool result_find(const struct scope *s, taddr pc, struct value *ret)
{
	struct abi_result registers;
	struct abi_way way;
	struct variable function;
	bool known = variables_function(s->session->variables, pc, SIZE_MAX, &function);
	const struct type *type = known && function.type ? type_strip(function.type) : NULL;

	if (!type || type->kind != TYPE_FUNCTION || !type->target || !is_returned(type->target) ||
	    abi_find_way(type->target, &way))
		return false;
	if (variable_is_called_otherwise(&function)) {
		*ret = (struct value){ .type = type->target, .missing = no_convention };
		return true;
	}
	struct error *err = invoke_read_registers(s->session->target, s->thread, &registers);
	if (!err)
		err = invoke_result(s, type->target, &way, &registers, ret);
	bool found = !err;
	error_ignore(err);
	return found;
}

bool result_place(const struct scope *s, const struct unwind_stack *raw, taddr *ret)
{
	struct flow *flow = flow_new(s->session->target, s->session->unwinder, NULL, NULL);
	bool found = flow && s->frame < raw->len &&
		     flow_entered_with(flow, s->thread, raw, s->frame, 0, ret);

	flow_free(flow);
	return found;
}
