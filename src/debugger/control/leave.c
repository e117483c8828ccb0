/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/leave.h"

#include <string.h>

#include "debugger/values/eval.h"

/* All that functions keep for their callers, and where the caller goes on. */
static struct error *restore(struct target *t, struct thread *th, const struct scope *caller)
{
	const struct arch *a = t->arch;
	struct error *err = target_set_uint(t, th, a->pc, caller->pc);

	for (size_t i = 0; i < a->ncode_regs && !err; i++) {
		bool kept = a->code_kept >> i & 1 || i == a->code_sp;
		if (kept && caller->known >> i & 1)
			err = target_set_uint(t, th, a->code_regs[i], caller->registers[i]);
	}
	return err;
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

/* System V ABI, AMD64, 3.2.3: where float and double are returned. */
static const char float_register[] = "xmm0";

static bool is_returned_as_float(const struct type *t)
{
	return type_strip(t)->kind == TYPE_FLOAT && type_size(t) <= sizeof(double);
}

/* The value as the function returns it. *ret_has: it returns one. */
static struct error *compute(struct control *c, const struct scope *s, const char *text,
			     struct value *ret, bool *ret_has)
{
	struct number n;
	struct value v;
	bool known;
	const struct type *type = type_of_result(s, &known);
	const struct eval_context where = control_evaluator(c, s);
	struct error *err = eval_text(&where, text, &v);

	if (!err)
		err = value_number(&v, &n);
	if (err)
		return err;
	type = known ? type : v.type;
	*ret_has = type && type_strip(type)->kind != TYPE_VOID;
	if (!*ret_has)
		return NULL;
	if (!type_is_integer(type) && !type_is_pointer(type) && !is_returned_as_float(type))
		return error_new(ERROR_UNSUPPORTED,
				 "a value can be returned of integers, pointers, float and double "
				 "alone");
	*ret = value_of_number(type, &n);
	return NULL;
}

/* Puts it where a caller looks for it. */
static struct error *put_result(struct target *t, struct thread *th, const struct value *v)
{
	const struct reg *r = arch_find_reg(t->arch, float_register);
	uint64_t number = 0;

	if (r && is_returned_as_float(v->type))
		return target_set_register(t, th, r, v->bytes, v->size);
	memcpy(&number, v->bytes, v->size < sizeof(number) ? v->size : sizeof(number));
	return target_set_uint(t, th, t->arch->code_regs[t->arch->code_result], number);
}

struct error *leave_frame(struct control *c, const char *value)
{
	struct scope here, caller;
	struct value result;
	bool has_result = false;
	struct error *err = control_need_live(c);

	if (!err)
		err = frames_scope(&c->frames, c->level, &here);
	if (!err && *value)
		err = compute(c, &here, value, &result, &has_result);
	if (!err)
		err = frames_scope(&c->frames, c->level + 1, &caller);
	if (!err && here.frame == caller.frame)
		err = error_new(ERROR_UNSUPPORTED, "an inlined call cannot be returned from");
	struct thread *th = control_selected_thread(c);
	struct target *t = err ? NULL : c->live->target;
	if (!err)
		err = restore(t, th, &caller);
	if (!err && has_result)
		err = put_result(t, th, &result);
	if (!err)
		control_select_lwp(c, th->lwp, 0);
	return err;
}
