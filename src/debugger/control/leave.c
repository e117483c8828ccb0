/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/leave.h"

#include <stdlib.h>

#include "debugger/control/result.h"
#include "debugger/values/casts.h"
#include "debugger/values/eval.h"
#include "debugger/values/fortran.h"
#include "debugger/values/invoke.h"

/* All that functions keep for their callers, and where the caller goes on. */
static struct error *restore(struct target *t, struct thread *th, const struct scope *caller)
{
	const struct arch *a = t->arch;
	struct error *err = NULL;

	for (size_t i = 0; i < a->ncode_regs && !err; i++) {
		bool kept = a->code_kept >> i & 1 || i == a->code_sp;
		if (kept && caller->known >> i & 1)
			err = target_set_uint(t, th, a->code_regs[i], caller->registers[i]);
	}
	/* Last of all: with the function's stack pointer it would count as coming back to where it
	 * stands, and the next call that looks like this one would be no hit. */
	return err ? err : target_set_uint(t, th, a->pc, caller->pc);
}

/* What the function returns; NULL: void, or not known. */
static const struct type *type_of_result(const struct scope *s, bool *ret_known)
{
	struct variable f;
	bool known = variables_function(s->session->variables, scope_lookup_pc(s), s->level, &f);
	const struct type *type = known && f.type ? type_strip(f.type) : NULL;

	*ret_known = type && type->kind == TYPE_FUNCTION;
	return *ret_known ? type->target : NULL;
}

/* As an assignment converts it. */
static struct error *convert(const struct scope *s, const struct value *v, const struct type *type,
			     struct value *ret)
{
	return type->is_fortran ? fortran_convert(s, v, type, ret)
				: casts_apply(s, EXPR_NONE, *v, type, ret);
}

/* What a frame that is left returns. */
struct returned {
	struct abi_result registers;
	taddr at;       /* in memory: there; 0: in registers or not at all */
	uint8_t *bytes; /* owned                                           */
	uint64_t size;
};

/* Where a caller looks for it. */
static struct error *lay_out(struct control *c, const struct scope *s, const struct value *v,
			     struct returned *ret)
{
	struct abi_way way;
	const char *why = abi_find_way(v->type, &way);

	if (!why && abi_is_in_memory(&way) && !result_place(s, &c->frames.raw, &ret->at))
		why = "it is returned in memory, and where is not known any longer in the "
		      "function: return from it where it begins, or assign to the variable "
		      "behind the call";
	if (!why) {
		ret->size = way.size;
		ret->bytes = calloc(2, way.size + 1);
		why = ret->bytes ? value_bytes(s, v, 0, ret->bytes, way.size) : "out of memory";
	}
	if (!why && ret->at)
		ret->registers = (struct abi_result){ .integers = { ret->at }, .nintegers = 1 };
	else if (!why)
		abi_put(&way, ret->bytes, &ret->registers);
	return why ? error_new(ERROR_UNSUPPORTED, "such a value cannot be returned: %s", why)
		   : NULL;
}

/* The registers with the value as the function returns it; none if it returns nothing. */
static struct error *compute(struct control *c, const struct scope *s, const char *text,
			     struct returned *ret)
{
	struct value v, converted;
	bool known;
	const struct type *type = type_of_result(s, &known);
	const struct eval_context where = control_evaluator(c, s);
	struct error *err = eval_text(&where, text, &v);

	if (!err && v.missing)
		err = value_missing(&v);
	if (err)
		return err;
	type = known ? type : v.type;
	if (!type || type_strip(type)->kind == TYPE_VOID)
		return NULL;
	err = convert(s, &v, type, &converted);
	return err ? err : lay_out(c, s, &converted, ret);
}

/* The call of the user's from which a frame is left; NULL: the program has made it. */
static struct called *find_call(struct control *c, const struct thread *th,
				const struct scope *caller)
{
	vec_for_each (one, &c->called) {
		if (one->lwp == th->lwp && one->at == caller->pc && one->sp == caller->cfa)
			return one;
	}
	return NULL;
}

/* Behind a function that the user has called the thread is what it was before, as in gdb. */
static struct error *go_back(struct control *c, struct thread *th, const struct scope *caller,
			     const struct returned *result)
{
	struct target *t = c->live->target;
	struct called *from = find_call(c, th, caller);

	if (from)
		return called_undo(&c->called, c->live, from);
	struct error *err = restore(t, th, caller);
	if (!err && result->at)
		err = target_write(t, result->at, result->bytes, result->size);
	return err ? err : invoke_write_registers(t, th, &result->registers);
}

struct error *leave_frame(struct control *c, const char *value)
{
	struct scope here, caller;
	struct returned result = { 0 };
	struct error *err = control_need_live(c);

	if (!err)
		err = frames_scope(&c->frames, c->level, &here);
	if (!err && *value)
		err = compute(c, &here, value, &result);
	if (!err)
		err = frames_scope(&c->frames, c->level + 1, &caller);
	if (!err && here.frame == caller.frame)
		err = error_new(ERROR_UNSUPPORTED, "an inlined call cannot be returned from");
	struct thread *th = control_selected_thread(c);
	if (!err)
		err = go_back(c, th, &caller, &result);
	if (!err)
		control_select_lwp(c, th->lwp, 0);
	free(result.bytes);
	return err;
}
