/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/copying.h"

#include <string.h>

#include "base/text.h"
#include "debugger/values/abi.h"
#include "debugger/values/classes.h"
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

/* ---- code that only the linker knows by name --------------------------------------------- */

/* "_ZN" and the class, as in the linker's name of one of its functions. false: none tells. */
static bool add_front(struct buf *out, const struct type *class)
{
	size_t n;
	const struct type_method *methods = type_methods(class, &n);

	for (size_t i = 0; i < n; i++) {
		AUTO_BUF own = { 0 };
		const struct type_method *m = &methods[i];
		if (!m->name || !m->linkage || !text_starts_with(m->linkage, "_ZN"))
			continue;
		buf_addf(&own, "%zu%s", strlen(m->name), m->name);
		const char *at = m->linkage + (m->linkage[3] == 'K' ? 4 : 3);
		const char *end = buf_ok(&own) ? strstr(at, buf_text(&own)) : NULL;
		if (!end)
			continue;
		buf_addf(out, "_ZN%.*s", (int)(end - at), at);
		return true;
	}
	return false;
}

/* Whether a function is CLASS::NAME(CLASS const&). */
static bool is_named_copy(const char *linkage)
{
	static const char last[] = " const&)";
	AUTO_FREE char *name = symbol_demangle(linkage);
	size_t len = name ? strlen(name) : 0, tail = sizeof(last) - 1;

	if (len < tail || strcmp(name + len - tail, last) != 0)
		return false;
	for (const char *p = strchr(name, '('); p; p = strchr(p + 1, '(')) {
		size_t given = p + 1 < name + len - tail ? (size_t)(name + len - tail - p - 1) : 0;
		if (given && !strncmp(p + 1, name, given) && name[given] == ':')
			return true;
	}
	return false;
}

/*
 * clang declares constructors and destructors without the linker's names: these are made, by the
 * Itanium C++ ABI, 5.1.4. How a constructor's name refers to its class depends on the class.
 */
static taddr code_by_name(const struct scope *s, const struct type *class, selects *wanted)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	AUTO_BUF front = { 0 }, name = { 0 };
	taddr ret = 0;

	if (!add_front(&front, class))
		return 0;
	if (wanted == is_end) {
		buf_addf(&name, "%sD1Ev", buf_text(&front));
		return classes_code(s, buf_text(&name));
	}
	for (size_t i = 0; !ret && i < sizeof(digits); i++) {
		buf_clear(&name);
		buf_addf(&name, "%sC1ERKS%.*s_", buf_text(&front), i ? 1 : 0,
			 digits + (i ? i - 1 : 0));
		if (is_named_copy(buf_text(&name)))
			ret = classes_code(s, buf_text(&name));
	}
	return ret;
}

static struct error *take(const struct scope *s, const struct type *class, selects *wanted,
			  const char *what, struct value *ret)
{
	const struct type_method *m = find(class, wanted);
	taddr entry = m ? methods_code(s, m) : 0;

	if (!entry && m && !m->linkage)
		entry = code_by_name(s, class, wanted);
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
