/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/argument_text.h"

#include <string.h>

#include "debugger/values/containers.h"
#include "debugger/values/methods.h"

enum {
	TEXT_UNITS_MAX = 1 << 16,
	VIEW_BYTES = 16,
	STRING_BYTES_MAX = 32, /* of libstdc++; libc++'s have 24                             */
	LOCAL_OFFSET = 16,     /* of libstdc++'s buffer for short texts                         */
};

/* Characters up to the one that is 0. */
static struct error *measure(const struct passing *p, taddr at, size_t width, uint64_t *ret)
{
	uint32_t unit = 1;
	struct error *err = NULL;

	for (*ret = 0; !err && unit && *ret < TEXT_UNITS_MAX; *ret += unit != 0) {
		unit = 0;
		err = target_examine(p->scope->session->target, at + *ret * width, &unit, width);
	}
	return err || !unit ? err
			    : error_new(ERROR_UNSUPPORTED,
					"a text of more than %d characters cannot be passed",
					TEXT_UNITS_MAX);
}

/* Each library has a pointer and a number in a view, in its own order. */
static struct error *make_view(const struct passing *p, taddr text, const struct type *class,
			       taddr *ret)
{
	uint8_t bytes[VIEW_BYTES] = { 0 };
	uint64_t length;
	size_t n;
	const struct type_member *members = type_members(class, &n);
	struct error *err = measure(p, text, type_size(container_character(class)), &length);

	if (err)
		return err;
	if (type_size(class) != VIEW_BYTES)
		return error_new(ERROR_UNSUPPORTED, "what a text is to be passed as is not known");
	for (size_t i = 0; i < n; i++) {
		const bool points = type_is_pointer(members[i].type);
		if (members[i].kind != MEMBER_STATIC && members[i].offset <= VIEW_BYTES - 8 &&
		    type_size(members[i].type) == 8)
			memcpy(bytes + members[i].offset, points ? &text : &length, 8);
	}
	return passing_keep(p, bytes, sizeof(bytes), ret);
}

static const struct type_method *find_assign(const struct type *class)
{
	size_t n;
	const struct type_method *methods = type_methods(class, &n);

	for (size_t i = 0; i < n; i++) {
		const struct type *f = methods[i].type;
		if (methods[i].name && !strcmp(methods[i].name, "assign") && f &&
		    f->nparameters == methods[i].nartificial + 1 &&
		    type_strip(f->parameters[methods[i].nartificial])->kind == TYPE_POINTER)
			return &methods[i];
	}
	return NULL;
}

static bool is_of_libstdcxx(const struct type *class)
{
	size_t n;
	const struct type_member *members = type_members(class, &n);

	for (size_t i = 0; i < n; i++) {
		if (members[i].name && !strcmp(members[i].name, "_M_dataplus"))
			return true;
	}
	return false;
}

/* An empty one, to which the text is assigned in the program, and which ends behind the call. */
static struct error *make_string(const struct passing *p, const struct value *text,
				 const struct type *class, taddr *ret)
{
	const uint64_t size = type_size(class);
	uint8_t bytes[STRING_BYTES_MAX] = { 0 };
	struct passing_copy copy = { .from = *text };
	const struct type_method *assign = find_assign(class);
	const taddr entry = assign ? methods_code(p->scope, assign) : 0;
	const bool gnu = is_of_libstdcxx(class);

	if (!entry || size < VIEW_BYTES || size > sizeof(bytes) || (gnu && size <= LOCAL_OFFSET))
		return error_new(ERROR_UNSUPPORTED,
				 "a text cannot be passed as %s: the program has no code that "
				 "makes one",
				 class->name ? class->name : "a string");
	struct error *err = copying_find(p->scope, class, &copy.how);
	if (!err)
		err = passing_keep(p, bytes, size, &copy.at);
	const taddr local = copy.at + LOCAL_OFFSET;
	if (!err && gnu)
		err = target_write(p->scope->session->target, copy.at, &local, sizeof(local));
	if (err)
		return err;
	copy.how.makes =
		(struct value){ .type = assign->type, .place = VALUE_MEMORY, .addr = entry };
	*ret = copy.at;
	return vec_push(p->copies, copy) ? NULL : &error_nomem;
}

struct error *argument_text_make(const struct passing *p, const struct value *text,
				 const struct type *class, taddr *ret)
{
	taddr at = 0;

	if (container_is(class, "basic_string"))
		return make_string(p, text, class, ret);
	memcpy(&at, text->bytes, sizeof(at));
	return make_view(p, at, class, ret);
}
