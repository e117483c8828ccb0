/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/result.h"

#include <string.h>

#include "debugger/values/registers.h"

/* System V ABI, AMD64, 3.2.3: floating-point numbers of 4 and 8 bytes return in xmm0, "long double"
 * in st0. */
static const char float_register[] = "xmm0", long_register[] = "st0";

static bool take_long_double(const struct scope *s, struct value *ret)
{
	const struct register_view *r = register_find(long_register);
	struct value v;
	struct error *err = r ? register_value(s, r, &v) : error_new(ERROR_UNSUPPORTED, "no x87");

	if (!err)
		memcpy(ret->bytes, v.bytes, ret->size);
	error_ignore(err);
	return !err;
}

static bool take_float(const struct scope *s, struct value *ret)
{
	struct target *t = s->session->target;
	const struct reg *r = arch_find_reg(t->arch, float_register);
	uint8_t bytes[ARCH_REGISTER_MAX];
	size_t size;

	if (ret->size == type_size(&type_long_double))
		return take_long_double(s, ret);
	if (!r || (ret->size != 4 && ret->size != 8))
		return false;
	struct error *err = target_get_register(t, s->thread, r, bytes, &size);
	if (!err)
		memcpy(ret->bytes, bytes, ret->size);
	error_ignore(err);
	return !err;
}

static bool take_number(const struct scope *s, struct value *ret)
{
	struct target *t = s->session->target;
	const struct reg *r = t->arch->code_regs[t->arch->code_result];
	uint64_t value;

	if (!ret->size || ret->size > sizeof(value))
		return false;
	struct error *err = target_get_uint(t, s->thread, r, &value);
	if (!err)
		memcpy(ret->bytes, &value, ret->size);
	error_ignore(err);
	return !err;
}

bool result_find(const struct scope *s, taddr pc, struct value *ret)
{
	struct variable function;
	bool known = variables_function(s->session->variables, pc, SIZE_MAX, &function);
	const struct type *type = known && function.type ? type_strip(function.type) : NULL;

	if (!type || type->kind != TYPE_FUNCTION || !type->target || !type_is_scalar(type->target))
		return false;
	struct value value = { .type = type->target, .size = type_size(type->target) };
	bool is_float = type_strip(type->target)->kind == TYPE_FLOAT;
	if (value.size > sizeof(value.bytes) ||
	    !(is_float ? take_float(s, &value) : take_number(s, &value)))
		return false;
	*ret = value;
	return true;
}
