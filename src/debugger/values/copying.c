/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/copying.h"

#include "debugger/values/abi.h"
#include "debugger/values/methods.h"

enum { DEPTH_MAX = 16 };

typedef bool selects(const struct type *class, const struct type_method *m);

static bool is_copy(const struct type *class, const struct type_method *m)
{
	return abi_copies(class, m) && !type_strip(m->type->parameters[m->nartificial])->is_rvalue;
}

static bool is_end(const struct type *class, const struct type_method *m)
{
	(void)class;
	return m->name && m->name[0] == '~' && m->type;
}

static const struct type_method *find(const struct type *class, selects *wanted)
{
	size_t n;
	const struct type_method *methods = type_methods(class, &n);

	for (size_t i = 0; i < n; i++) {
		if (wanted(class, &methods[i]))
			return &methods[i];
	}
	return NULL;
}

/* Whether the class, or what it consists of, has such a function of its own. */
static bool has_own(const struct type *type, selects *wanted, unsigned int depth)
{
	const struct type *t = type_strip(type);
	size_t n;

	while (t->kind == TYPE_ARRAY && t->target)
		t = type_strip(t->target);
	if (t->kind != TYPE_STRUCT || depth > DEPTH_MAX)
		return false;
	const struct type_method *m = find(t, wanted);
	bool ret = m && !m->is_artificial && !m->is_defaulted;
	const struct type_member *members = type_members(t, &n);
	for (size_t i = 0; i < n && !ret; i++) {
		bool is_static = members[i].kind == MEMBER_STATIC;
		ret = !is_static && has_own(members[i].type, wanted, depth + 1);
	}
	return ret;
}

/* An object knows its class by its virtual table: copies of derived ones are of this class. */
static bool is_polymorphic(const struct type *class)
{
	size_t n;
	const struct type_method *methods = type_methods(class, &n);

	for (size_t i = 0; i < n; i++) {
		if (methods[i].is_virtual)
			return true;
	}
	return false;
}

static struct error *take(const struct scope *s, const struct type *class, selects *wanted,
			  const char *what, struct value *ret)
{
	const struct type_method *m = find(class, wanted);
	taddr entry = m ? methods_code(s, m) : 0;

	if (!entry)
		return error_new(ERROR_UNSUPPORTED,
				 "an argument cannot be passed by value: the program has no code "
				 "of the %s of %s, which may be inlined or deleted",
				 what, class->name ? class->name : "its class");
	*ret = (struct value){ .type = m->type, .place = VALUE_MEMORY, .addr = entry };
	return NULL;
}

struct error *copying_find(const struct scope *s, const struct type *class, struct copying *ret)
{
	struct error *err = NULL;

	*ret = (struct copying){ 0 };
	if (is_polymorphic(class) || has_own(class, is_copy, 0))
		err = take(s, class, is_copy, "copy constructor", &ret->makes);
	if (!err && has_own(class, is_end, 0))
		err = take(s, class, is_end, "destructor", &ret->ends);
	return err;
}
