/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/lock_calls.h"

struct flow_call lock_calls_at(const struct runtime_list *runtimes, taddr target)
{
	const struct runtime *r = runtime_at(runtimes, target);
	const struct runtime_entry *e =
		r ? runtime_entry(r->ops, runtime_function_at(runtimes, r, target)) : NULL;

	if (!e || e->effect == FLOW_NOTHING)
		return (struct flow_call){ .effect = FLOW_NOTHING };
	return (struct flow_call){
		.effect = e->effect,
		.kind = (int)e->kind,
		.argument = e->object ? e->object - 1 : FLOW_NO_ARGUMENT,
	};
}
