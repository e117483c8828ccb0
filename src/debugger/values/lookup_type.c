/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/values/lookup.h"
#include "debugger/values/token.h"

/* What needs no debug information: what words of C say, and characters and floats beyond. */
static const struct type *find_plain(const char *name)
{
	static const struct {
		const char *name;
		const struct type *type;
	} plain[] = {
		{ "wchar_t", &token_wchar },      { "char8_t", &token_char8 },
		{ "char16_t", &token_char16 },    { "char32_t", &token_char32 },
		{ "_Float16", &token_float16 },   { "__float128", &token_float128 },
		{ "_Float128", &token_float128 },
	};
	const struct type *type = type_find_basic(name);

	for (size_t i = 0; !type && i < sizeof(plain) / sizeof(*plain); i++)
		type = strcmp(plain[i].name, name) ? NULL : plain[i].type;
	return type;
}

bool lookup_is_type(void *context, const char *name)
{
	const struct scope *s = context;

	return find_plain(name) || (s->session && lookup_names_type(s, name));
}

bool lookup_is_known(void *context, const char *name)
{
	const struct scope *s = context;
	struct variable v;
	struct value ignored;

	if (!s->session)
		return false;
	/* A program has only those of them that it uses, by names with all their arguments. */
	if (!strncmp(name, "std::get<", 9) || !strncmp(name, "get<", 4))
		return strchr(name, '>')[1] == '\0' || name[strlen(name) - 1] == '>';
	if (lookup_named_type(s, name, &v))
		return true;
	struct error *err = lookup_name(s, NULL, name, &ignored);
	error_ignore(err);
	return !err;
}

static struct error *no_store(void)
{
	return error_new(ERROR_NOT_FOUND, "no symbol table is loaded: use the \"file\" command");
}

static struct error *unknown(const char *name)
{
	static const char *const tags[] = { "struct ", "union ", "enum ", "class " };

	for (size_t i = 0; i < sizeof(tags) / sizeof(*tags); i++) {
		size_t len = strlen(tags[i]);
		if (!strncmp(name, tags[i], len))
			return error_new(ERROR_NOT_FOUND, "no %.*stype named %s", (int)len, tags[i],
					 name + len);
	}
	if (strchr(name, ' '))
		return error_new(ERROR_NOT_FOUND, "no type named %s", name);
	return error_new(ERROR_NOT_FOUND, "no symbol or type %s in current context", name);
}

static struct error *make_function(const struct scope *s, struct type_store *store,
				   const struct expr_step *step, struct type *f)
{
	const struct type **parameters = type_alloc(store, step->nparameters, sizeof(f));

	if (step->nparameters && !parameters)
		return &error_nomem;
	for (size_t i = 0; i < step->nparameters; i++) {
		struct error *err = lookup_type(s, &step->parameters[i], &parameters[i]);
		if (err)
			return err;
	}
	f->parameters = parameters;
	f->nparameters = step->nparameters;
	f->prototyped = step->prototyped;
	f->varargs = step->varargs;
	return NULL;
}

/* *type becomes what one step makes of it. */
static struct error *apply(const struct scope *s, struct type_store *store,
			   const struct expr_step *step, const struct type **type)
{
	static const enum type_kind kinds[] = {
		[STEP_CONST] = TYPE_CONST,         [STEP_VOLATILE] = TYPE_VOLATILE,
		[STEP_REFERENCE] = TYPE_REFERENCE, [STEP_RVALUE] = TYPE_REFERENCE,
		[STEP_FUNCTION] = TYPE_FUNCTION,   [STEP_MEMBER] = TYPE_MEMBER_POINTER,
	};

	if (step->kind == STEP_POINTER || step->kind == STEP_ARRAY) {
		*type = step->kind == STEP_POINTER ? type_pointer_to(store, *type)
						   : type_array_of(store, *type, step->count);
		return *type ? NULL : error_new(ERROR_USAGE, "that type is too large");
	}
	struct variable holder = { 0 };
	if (step->kind == STEP_MEMBER && !lookup_named_type(s, step->holder, &holder))
		return unknown(step->holder);
	bool address = step->kind != STEP_CONST && step->kind != STEP_VOLATILE;
	struct type *made = type_new(store, kinds[step->kind], NULL,
				     step->kind == STEP_FUNCTION ? 1
				     : address                   ? sizeof(taddr)
								 : 0);
	if (!made)
		return &error_nomem;
	made->target = *type;
	made->is_rvalue = step->kind == STEP_RVALUE;
	made->holder = holder.type;
	if (step->kind == STEP_MEMBER && type_strip(*type)->kind == TYPE_FUNCTION)
		made->size = 2 * sizeof(taddr);
	*type = made;
	return step->kind == STEP_FUNCTION ? make_function(s, store, step, made) : NULL;
}

struct error *lookup_type_of(const struct scope *s, const struct type *type,
			     const struct expr_type *t, const struct type **ret)
{
	struct type_store *store = lookup_types(s);
	struct error *err = NULL;

	if (t->nsteps && !store)
		return no_store();
	for (size_t i = 0; !err && i < t->nsteps; i++)
		err = apply(s, store, &t->steps[i], &type);
	if (!err)
		*ret = type;
	return err;
}

struct error *lookup_type(const struct scope *s, const struct expr_type *t, const struct type **ret)
{
	const struct type *type = t->name ? find_plain(t->name) : NULL;
	struct variable v;

	if (!t->name)
		return error_new(ERROR_UNSUPPORTED,
				 "the type of an expression cannot be told here");
	if (s->session && !type_find_basic(t->name) && lookup_named_type(s, t->name, &v) && v.type)
		type = v.type; /* that of the program */
	return type ? lookup_type_of(s, type, t, ret) : unknown(t->name);
}
