/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/methods.h"

#include <limits.h>
#include <string.h>

#include "debugger/values/classes.h"
#include "debugger/values/containers.h"
#include "debugger/values/lookup.h"
#include "debugger/values/reach.h"
#include "target/symbols/function_name.h"
#include "target/symbols/name_scopes.h"
#include "target/symbols/places.h"

enum { DEPTH_MAX = 16, IMPOSSIBLE = INT_MAX };

/* ---- how well arguments fit ------------------------------------------------------------- */

/* The ranks of C++: the same, promoted, converted. */
enum {
	FIT_SAME,
	FIT_QUALIFIED,
	FIT_PROMOTED,
	FIT_CONVERTED = 10,
	FIT_MADE = 20, /* by a constructor */
	FIT_DISCARDED = 50,
	FIT_VARIADIC = 100
};

static bool is_same(const struct type *a, const struct type *b)
{
	a = type_strip(a);
	b = type_strip(b);
	if (a == b || classes_same(a, b))
		return true;
	bool plain = a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed;
	return plain && type_is_scalar(a) && !type_is_pointer(a) && a->name && b->name &&
	       !strcmp(a->name, b->name);
}

static const struct type *target_of(const struct type *t)
{
	return t->target ? type_strip(t->target) : &type_void;
}

static bool is_const(const struct type *t)
{
	return t && t->kind == TYPE_CONST;
}

static int fit_pointers(const struct type *from, const struct type *to)
{
	if (is_same(target_of(from), target_of(to)))
		return is_const(from->target) == is_const(to->target) ? FIT_SAME : FIT_QUALIFIED;
	if (target_of(to)->kind == TYPE_VOID)
		return FIT_CONVERTED + 1;
	return type_is_struct(target_of(to)) && type_is_struct(target_of(from)) ? FIT_CONVERTED
										: IMPOSSIBLE;
}

static int fit_numbers(const struct type *from, const struct type *to)
{
	bool floats = from->kind == TYPE_FLOAT, to_float = to->kind == TYPE_FLOAT;

	if (to->kind == TYPE_ENUM)
		return IMPOSSIBLE;
	if (!floats && !to_float && from->size < type_int.size && is_same(to, &type_int))
		return FIT_PROMOTED;
	if (floats && is_same(from, &type_float) && is_same(to, &type_double))
		return FIT_PROMOTED;
	return FIT_CONVERTED;
}

static int fit(const struct value *arg, const struct type *parameter)
{
	const struct type *to = type_strip(parameter), *from = type_strip(arg->type);
	bool refers = to->kind == TYPE_REFERENCE;

	if (refers)
		to = target_of(to);
	if (is_same(from, to))
		return FIT_SAME;
	if (to->kind == TYPE_POINTER && (from->kind == TYPE_POINTER || from->kind == TYPE_ARRAY))
		return fit_pointers(from, to);
	if (to->kind == TYPE_BOOL && from->kind == TYPE_POINTER)
		return FIT_CONVERTED + 1;
	if (container_takes_text(arg->type, parameter))
		return FIT_MADE;
	if (type_is_struct(to) && type_is_struct(from))
		return refers ? FIT_CONVERTED : IMPOSSIBLE;
	bool numbers = type_is_scalar(from) && type_is_scalar(to) && !type_is_pointer(from) &&
		       !type_is_pointer(to);
	return numbers ? fit_numbers(from, to) : IMPOSSIBLE;
}

/* type: a function; the first of its parameters are skipped. */
static int fit_all(const struct type *type, size_t skipped, const struct value *args, size_t n)
{
	size_t wanted = type->nparameters > skipped ? type->nparameters - skipped : 0;
	int sum = 0;

	if (n < wanted || (n > wanted && !type->varargs))
		return IMPOSSIBLE;
	for (size_t i = 0; i < n; i++) {
		int one = i < wanted ? fit(&args[i], type->parameters[skipped + i]) : FIT_VARIADIC;
		if (one == IMPOSSIBLE)
			return one;
		sum += one;
	}
	return sum;
}

/* ---- functions of classes --------------------------------------------------------------- */

struct choice {
	const struct scope *s;
	const struct value *args;
	size_t n;
	bool is_const; /* the object is */
	const struct type_method *best;
	int fit;
	bool ambiguous;
};

/* What "this" makes of it. A function that may change its object is called even for a constant one
 * if there is no other. */
static int fit_this(const struct type_method *m, bool object_is_const)
{
	const struct type *this = m->type->nparameters ? type_strip(m->type->parameters[0]) : NULL;
	bool constant = this && is_const(this->target);

	if (m->is_static || !this || constant == object_is_const)
		return FIT_SAME;
	return constant ? FIT_QUALIFIED : FIT_DISCARDED;
}

/* "make" is each of "make<int>" and "make<char>": which one, the arguments say. */
static bool is_named(const struct type_method *m, const char *name)
{
	const size_t len = strlen(name);

	if (!m->name || !m->type)
		return false;
	return !name_scopes_compare(m->name, name) ||
	       (!strncmp(m->name, name, len) && m->name[len] == '<' &&
		strncmp(name, "operator", strlen("operator")) != 0);
}

static bool has(const struct type *type, const char *name, size_t depth)
{
	size_t n;
	const struct type_method *methods = type_methods(type, &n);

	for (size_t i = 0; i < n; i++) {
		if (is_named(&methods[i], name))
			return true;
	}
	const struct type_member *members = type_members(type, &n);
	for (size_t i = 0; i < n && depth < DEPTH_MAX; i++) {
		if (members[i].kind == MEMBER_BASE && has(members[i].type, name, depth + 1))
			return true;
	}
	return false;
}

bool methods_has(const struct type *type, const char *name)
{
	return type_is_struct(type) && has(type, name_scopes_last(name), 0);
}

/* Those of a class hide those of what it inherits. *ret_base: where they are. */
static struct error *find_class(const struct scope *s, const struct value *object, const char *name,
				size_t depth, struct value *ret_base, bool *ret_found)
{
	size_t n;
	const struct type_method *methods = type_methods(object->type, &n);
	struct error *err = NULL;

	*ret_found = false;
	for (size_t i = 0; i < n; i++)
		*ret_found |= is_named(&methods[i], name);
	if (*ret_found) {
		*ret_base = *object;
		return NULL;
	}
	const struct type_member *members = type_members(object->type, &n);
	for (size_t i = 0; i < n && depth < DEPTH_MAX && !err && !*ret_found; i++) {
		struct value base;
		if (members[i].kind != MEMBER_BASE)
			continue;
		err = value_member(s, object, &members[i], &base);
		if (!err)
			err = find_class(s, &base, name, depth + 1, ret_base, ret_found);
	}
	return err;
}

static void choose(struct choice *c, const struct type *class, const char *name)
{
	size_t n;
	const struct type_method *methods = type_methods(class, &n);

	for (size_t i = 0; i < n; i++) {
		const struct type_method *m = &methods[i];
		if (!is_named(m, name))
			continue;
		int fits = fit_all(m->type, !m->is_static, c->args, c->n);
		int own = fit_this(m, c->is_const);
		if (fits == IMPOSSIBLE || fits + own > c->fit)
			continue;
		c->ambiguous = fits + own == c->fit;
		c->best = m;
		c->fit = fits + own;
	}
}

/* Two descriptions of one function: of its declaration and its code. */
static bool is_same_function(const struct type *a, const struct type *b)
{
	bool same = a->nparameters == b->nparameters && a->nparameters &&
		    is_same(target_of(type_strip(a->parameters[0])),
			    target_of(type_strip(b->parameters[0])));

	for (size_t i = 1; same && i < a->nparameters; i++)
		same = is_same(a->parameters[i], b->parameters[i]);
	return same;
}

/* Classes within functions, as those of lambdas are, have no names that a linker knows. */
static taddr find_by_type(const struct scope *s, const char *name, const struct type *type)
{
	struct code_places places = { 0 };
	const struct places_query query = { .name = name, .exact_entry = true };
	struct error *err = places_of_function(s->session->symbols, &query, &places);
	taddr ret = 0;

	for (size_t i = 0; i < places.len && !err && !ret; i++) {
		struct variable f;
		taddr at = places.items[i].addr;
		if (variables_function(s->session->variables, at, SIZE_MAX, &f) && f.type &&
		    f.entry == at && is_same_function(type_strip(f.type), type))
			ret = at;
	}
	vec_fini(&places);
	error_ignore(err);
	return ret;
}

taddr methods_code(const struct scope *s, const struct type_method *m)
{
	taddr ret = m->linkage ? classes_code(s, m->linkage) : 0;

	return ret ? ret : find_by_type(s, m->name, m->type);
}

/* "auto": what it returns is said where its code is. */
static const struct type *whole_type(const struct scope *s, const struct type *declared,
				     taddr entry)
{
	const struct type *result = declared->target;
	struct variable f;

	if (result && result->kind == TYPE_VOID && result->name &&
	    variables_function(s->session->variables, entry, SIZE_MAX, &f) && f.type &&
	    f.entry == entry)
		return type_strip(f.type);
	return declared;
}

static struct error *check_choice(const struct choice *c, const char *name)
{
	if (!c->best)
		return error_new(ERROR_USAGE, "Cannot resolve method %s to any overloaded instance",
				 name);
	if (c->ambiguous)
		return error_new(ERROR_USAGE,
				 "several functions %s take these arguments equally well: cast "
				 "them to the types of its parameters",
				 name);
	return NULL;
}

/* What of the object's own class stands in the place of a virtual function. */
static struct error * override(struct choice *c, const struct value *object, const char *name,
			       struct value *whole)
{
	taddr start;
	const struct type *type;
	struct error *err =
		classes_whole(c->s, type_strip(object->type), object->addr, &type, &start);

	if (!err)
		err = value_read(c->s, type, start, whole);
	if (err)
		return err;
	struct choice own = {
		.s = c->s, .args = c->args, .n = c->n, .is_const = c->is_const, .fit = IMPOSSIBLE
	};
	struct value base;
	bool found;
	err = find_class(c->s, whole, name, 0, &base, &found);
	if (err || !found)
		return err;
	choose(&own, base.type, name);
	err = check_choice(&own, name);
	if (!err) {
		*c = own;
		*whole = base;
	}
	return err;
}

struct error *methods_choose(const struct scope *s, const struct value *object, const char *name,
			     struct value *all, size_t *n, const struct value **ret_args,
			     struct value *ret)
{
	struct choice c = { .s = s,
			    .args = all + 1,
			    .n = *n,
			    .is_const = is_const(object->type),
			    .fit = IMPOSSIBLE };
	const char *own = name_scopes_last(name);
	const size_t qualified = own - name; /* with "::" */
	struct value base, part = *object;
	taddr entry;
	bool found = true;
	struct error *err = NULL;

	if (qualified)
		err = classes_part(s, object, name, qualified - 2, &part, &found);
	if (!err && found)
		err = find_class(s, &part, own, 0, &base, &found);
	if (!err && !found)
		err = error_new(ERROR_NOT_FOUND, "there is no function \"%s\"", name);
	if (err)
		return err;
	choose(&c, base.type, own);
	err = check_choice(&c, name);
	if (!err && !qualified && c.best->is_virtual && base.place == VALUE_MEMORY)
		err = override(&c, &base, name, &base);
	if (err)
		return err;
	entry = methods_code(s, c.best);
	if (!entry)
		return error_new(ERROR_NOT_FOUND,
				 "Cannot evaluate function -- may be inlined: the program has no "
				 "code of %s",
				 name);
	*ret = (struct value){ .type = whole_type(s, c.best->type, entry),
			       .place = VALUE_MEMORY,
			       .addr = entry };
	*ret_args = all + 1;
	if (c.best->is_static)
		return NULL;
	/* One that lies nowhere is put into memory for the call: argument.h. */
	const struct type *this = c.best->type->nparameters ? c.best->type->parameters[0] : NULL;
	all[0] = base.place == VALUE_MEMORY
			 ? value_of_int(this ? this : &type_data_pointer, base.addr)
			 : base;
	*ret_args = all;
	++*n;
	return NULL;
}

bool methods_takes(const struct value *object, const char *name, const struct value *args, size_t n)
{
	struct choice c = {
		.args = args, .n = n, .is_const = is_const(object->type), .fit = IMPOSSIBLE
	};
	const struct type *type = type_strip(object->type);
	size_t nmembers;

	for (size_t depth = 0; depth < DEPTH_MAX && type && type_is_struct(type); depth++) {
		choose(&c, type, name);
		if (c.best)
			return true;
		/* What is inherited, along the first base: operators of others have to be named. */
		const struct type_member *members = type_members(type, &nmembers);
		bool inherits = nmembers && members[0].kind == MEMBER_BASE;
		type = inherits ? type_strip(members[0].type) : NULL;
	}
	return false;
}

const char *methods_conversion(const struct type *type)
{
	static const char front[] = "operator ";
	size_t n;
	const struct type_method *methods = type_methods(type_strip(type), &n);

	for (size_t i = 0; i < n; i++) {
		const struct type_method *m = &methods[i];
		if (m->name && !strncmp(m->name, front, strlen(front)) && m->type &&
		    m->type->target && type_is_scalar(m->type->target))
			return m->name;
	}
	return NULL;
}

struct error *methods_free(const struct scope *s, const char *name, const struct value *args,
			   size_t n, struct value *ret, bool *ret_found)
{
	struct code_places places = { 0 };
	const struct places_query query = { .name = name, .exact_entry = true };
	struct error *err = places_of_function(s->session->symbols, &query, &places);
	int best = IMPOSSIBLE;
	bool ambiguous = false;

	*ret_found = false;
	for (size_t i = 0; i < places.len && !err; i++) {
		struct variable f;
		taddr at = places.items[i].addr;
		if (!variables_function(s->session->variables, at, SIZE_MAX, &f) || !f.type ||
		    f.entry != at)
			continue;
		int fits = fit_all(type_strip(f.type), 0, args, n);
		if (fits == IMPOSSIBLE || fits > best)
			continue;
		ambiguous = fits == best;
		best = fits;
		*ret = (struct value){ .type = f.type, .place = VALUE_MEMORY, .addr = at };
	}
	vec_fini(&places);
	*ret_found = !err && best != IMPOSSIBLE;
	if (!err && ambiguous)
		err = error_new(ERROR_USAGE,
				"several functions %s take these arguments equally well", name);
	return err;
}

/* ---- functions with the same name ------------------------------------------------------- */

/* "ns::f", of the function that begins there. */
static char *full_name(const struct scope *s, taddr entry)
{
	struct symbol symbol;
	size_t len;

	if (!symbol_at(s->session->symbols, entry, &symbol) || symbol.addr != entry)
		return NULL;
	AUTO_FREE char *shown = symbol_demangle(symbol.name);
	const char *name = shown ? function_name_without_result(shown, &len) : NULL;
	return name ? strndup(name, len) : NULL;
}

struct error *methods_overloaded(const struct scope *s, const char *name, const struct value *args,
				 size_t n, struct value *function)
{
	struct code_places places = { 0 };
	const struct type *t = type_strip(function->type);
	bool ambiguous = false;
	taddr entry;

	if (!lookup_is_cxx(s) || function->place != VALUE_NOWHERE || t->kind != TYPE_POINTER)
		return NULL;
	struct error *err = value_address(function, &entry);
	if (err)
		return err;
	const struct type *own = target_of(t);
	int best = own->kind == TYPE_FUNCTION ? fit_all(own, 0, args, n) : IMPOSSIBLE;
	AUTO_FREE char *full = full_name(s, entry);
	if (!full || best == FIT_SAME || methods_result_is_unknown(function))
		return NULL;
	const struct places_query query = { .name = full, .exact_entry = true, .qualified = true };
	err = places_of_function(s->session->symbols, &query, &places);
	for (size_t i = 0; i < places.len && !err; i++) {
		struct variable f;
		taddr at = places.items[i].addr;
		if (at == entry || !variables_function(s->session->variables, at, SIZE_MAX, &f) ||
		    !f.type || f.entry != at)
			continue;
		int fits = fit_all(type_strip(f.type), 0, args, n);
		ambiguous =
			fits == best ? ambiguous || fits != IMPOSSIBLE : fits > best && ambiguous;
		if (fits >= best)
			continue;
		best = fits;
		*function = (struct value){ .type = f.type, .place = VALUE_MEMORY, .addr = at };
	}
	bool several = places.len > 1;
	vec_fini(&places);
	if (!err && ambiguous)
		err = error_new(ERROR_USAGE,
				"several functions %s take these arguments equally well: cast them "
				"to the types of its parameters",
				name);
	if (!err && best == IMPOSSIBLE && several)
		err = error_new(ERROR_USAGE,
				"Cannot resolve function %s to any overloaded instance", name);
	return err;
}

bool methods_result_is_unknown(const struct value *function)
{
	const struct type *t = type_strip(function->type);

	t = t->kind == TYPE_POINTER ? target_of(t) : t;
	return t == &type_text_symbol;
}

struct error *methods_first(const struct scope *s, const struct value *object, const char *name,
			    struct value *ret)
{
	struct value base;
	bool found = false;
	size_t n = 0, i = 0;

	struct error *err = find_class(s, object, name_scopes_last(name), 0, &base, &found);
	if (err)
		return err;
	const struct type_method *methods = found ? type_methods(base.type, &n) : NULL;
	while (i < n && !is_named(&methods[i], name_scopes_last(name)))
		i++;
	if (i == n)
		return error_new(ERROR_NOT_FOUND, "there is no function \"%s\"", name);
	taddr entry = methods_code(s, &methods[i]);
	*ret = (struct value){ .type = entry ? whole_type(s, methods[i].type, entry)
					     : methods[i].type,
			       .place = VALUE_MEMORY,
			       .addr = entry };
	ret->missing = entry ? NULL : "not available: the program has no code of it";
	return NULL;
}
