/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/passed.h"

#include <string.h>

static bool is_same(const struct type *a, const struct type *b)
{
	AUTO_BUF one = { 0 }, other = { 0 };

	a = a ? type_strip(a) : &type_void;
	b = b ? type_strip(b) : &type_void;
	if (a == b || a->kind != b->kind || a->kind == TYPE_ARRAY)
		return a->kind == b->kind;
	type_add_name(&one, a);
	type_add_name(&other, b);
	return buf_ok(&one) && buf_ok(&other) && !strcmp(buf_text(&one), buf_text(&other));
}

bool passed_is_address(const struct type *passed, const struct type *own)
{
	const struct type *t = type_strip(passed);

	return type_is_pointer(t) && !is_same(t, own) && is_same(t->target, own);
}

const struct type_member *passed_member(const struct type *t, const char *name)
{
	size_t n = 0;
	const struct type_member *members = t ? type_members(type_strip(t), &n) : NULL;

	for (size_t i = 0; i < n; i++) {
		if (members[i].name && !strcmp(members[i].name, name))
			return &members[i];
	}
	return NULL;
}
