/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/passing.h"

#include <stdlib.h>

#include "debugger/values/classes.h"

enum { LARGEST = 1 << 20 };

struct error *passing_keep(const struct passing *p, const void *bytes, uint64_t size, taddr *ret)
{
	*p->kept = (*p->kept - size) & ~(taddr)(PASSING_SLOT - 1);
	*ret = *p->kept;
	struct error *err = target_write(p->scope->session->target, *ret, bytes, size);
	return error_add(err, "an argument cannot be put on the stack");
}

struct error *passing_bytes(const struct scope *s, const struct value *v, uint8_t **ret)
{
	uint64_t size = type_size(v->type);

	if (v->missing)
		return value_missing(v);
	if (size > LARGEST)
		return error_new(ERROR_UNSUPPORTED, "an argument of %" PRIu64 " bytes is too large",
				 size);
	AUTO_FREE uint8_t *bytes = calloc(1, size + 1);
	if (!bytes)
		return &error_nomem;
	const char *why = value_bytes(s, v, 0, bytes, size);
	if (why)
		return error_new(ERROR_USAGE, "an argument is not available: %s", why);
	*ret = TAKE(bytes);
	return NULL;
}

struct error *passing_keep_value(const struct passing *p, const struct value *v, taddr *ret)
{
	AUTO_FREE uint8_t *bytes = NULL;
	struct error *err = passing_bytes(p->scope, v, &bytes);

	return err ? err : passing_keep(p, bytes, type_size(v->type), ret);
}

bool passing_is_same(const struct type *a, const struct type *b)
{
	return type_strip(a) == type_strip(b) || classes_same(type_strip(a), type_strip(b));
}
