/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types that stand for values, and values that stand for types. */
#include <string.h>

#include "debugger/values/classes.h"
#include "debugger/values/eval.h"
#include "debugger/values/eval_parts.h"
#include "debugger/values/lookup.h"
#include "debugger/values/reach.h"
#include "target/symbols/name_scopes.h"

struct error *eval_named_type(const struct eval_context *c, const struct expr_type *t,
			      const struct type **ret)
{
	const struct type *type;
	struct value v;
	struct error *err;

	if (!t->of)
		return lookup_type(c->scope, t, ret);
	if (t->of->kind == EXPR_TYPE) {
		err = eval_named_type(c, &t->of->cast, &type);
	} else {
		err = eval_type(c, t->of, &v);
		type = v.type;
	}
	return err ? err : lookup_type_of(c->scope, type, t, ret);
}

struct error *eval_type_value(const struct eval_context *c, const struct expr *e, struct value *ret)
{
	const struct type *type;
	struct error *err = eval_named_type(c, &e->cast, &type);

	(void)ret;
	(void)type;
	return err ? err : lookup_no_value();
}

/* ---- typeid(x) -------------------------------------------------------------------------- */

/* What the Itanium C++ ABI, 2.9.5, says that all of them begin with. */
static struct error *make_info_type(const struct eval_context *c, const struct type **ret)
{
	static const struct type text = { .kind = TYPE_CONST,
					  .target = &type_char,
					  .is_complete = true };
	struct type_store *store;
	struct error *err = reach_types(c->scope, &store);
	struct type *made =
		err ? NULL : type_new(store, TYPE_STRUCT, "std::type_info", 2 * sizeof(taddr));
	struct type_member *members = made ? type_alloc(store, 2, sizeof(*members)) : NULL;
	const struct type *pointer = members ? type_pointer_to(store, &text) : NULL;

	if (!pointer)
		return err ? err : &error_nomem;
	members[0] = (struct type_member){ .name = "_vptr.type_info", .type = &type_data_pointer };
	members[1] =
		(struct type_member){ .name = "__name", .type = pointer, .offset = sizeof(taddr) };
	made->tag = "class";
	made->is_cxx = true;
	made->members = members;
	made->nmembers = 2;
	made->is_complete = made->is_all_complete = true;
	*ret = made;
	return NULL;
}

/* Of which type it is that type information is asked for, and for objects with virtual functions
 * where theirs is; 0: it is that of the type. */
static struct error *find_type(const struct eval_context *c, const struct expr *of,
			       const struct type **ret, taddr *ret_at)
{
	struct value v;
	struct error *err;

	*ret_at = 0;
	if (of->kind == EXPR_TYPE) {
		err = eval_named_type(c, &of->cast, ret);
	} else {
		err = eval_referred(c, of, &v);
		if (!err && !scope_asks_types(c->scope))
			err = classes_type_info(c->scope, &v, ret_at);
		*ret = v.type;
	}
	if (!err && type_strip(*ret)->kind == TYPE_REFERENCE && type_strip(*ret)->target)
		*ret = type_strip(*ret)->target;
	if (!err)
		*ret = type_strip(*ret);
	return err;
}

struct info_search {
	struct symbol_table *symbols;
	const char *name; /* of the type */
	taddr at;
};

static bool take_info(void *context, const struct symbol *symbol)
{
	static const char prefix[] = "typeinfo for ";
	struct info_search *search = context;

	if (symbol->function || strncmp(symbol->name, "_ZTI", 4) != 0)
		return true;
	const char *shown = symbol_shown_name(search->symbols, symbol->name);
	if (!shown || strncmp(shown, prefix, sizeof(prefix) - 1) != 0 ||
	    name_scopes_compare(shown + sizeof(prefix) - 1, search->name) != 0)
		return true;
	search->at = symbol->addr;
	return false;
}

static struct error *find_info(const struct eval_context *c, const struct type *type, taddr *ret)
{
	struct session *session = c->scope->session;
	const struct module_list *modules = session->modules;
	AUTO_BUF name = { 0 };

	type_add_name(&name, type);
	struct info_search search = { .symbols = session->symbols, .name = buf_text(&name) };
	for (size_t i = 0; i < modules->len && !search.at; i++)
		symbol_for_each_in(session->symbols, modules->items[i], take_info, &search);
	*ret = search.at;
	return search.at ? NULL
			 : error_new(ERROR_NOT_FOUND, "could not find typeinfo symbol for '%s'",
				     search.name);
}

struct error *eval_typeid(const struct eval_context *c, const struct expr *e, struct value *ret)
{
	const struct type *info = NULL, *type;
	taddr at;
	struct error *err = make_info_type(c, &info);

	if (!err)
		err = find_type(c, e->kids[0], &type, &at);
	if (!err && scope_asks_types(c->scope)) {
		*ret = (struct value){ .type = info };
		value_set_nothing(ret);
		return NULL;
	}
	if (!err && !at)
		err = find_info(c, type, &at);
	return err ? err : value_read(c->scope, info, at, ret);
}

/* ---- noexcept(x) (C++17, 8.3.7) ---------------------------------------------------------- */

enum throws {
	THROWS_NOTHING,
	THROWS_PERHAPS, /* it calls what is not known to be noexcept */
	THROWS,
};

static bool is_object(const struct eval_context *c, const struct expr *e)
{
	struct value v;
	struct error *err = e->kind != EXPR_TYPE ? eval_type(c, e, &v) : NULL;
	bool is = !err && e->kind != EXPR_TYPE && type_is_struct(v.type);

	error_ignore(err);
	return is;
}

/* Of an object that a pointer leads to which may be null. */
static bool may_be_bad_typeid(const struct eval_context *c, const struct expr *of)
{
	struct value v;

	if (of->kind != EXPR_UNARY || of->op != EXPR_DEREFERENCE)
		return false;
	struct error *err = eval_type(c, of, &v);
	bool may = !err && classes_is_dynamic(v.type);
	error_ignore(err);
	return may;
}

/* By itself, without its operands. Of objects, operators and conversions may be functions. */
static enum throws own_throws(const struct eval_context *c, const struct expr *e)
{
	const struct type *to = NULL;
	struct error *err = e->kind == EXPR_CAST ? eval_named_type(c, &e->cast, &to) : NULL;

	error_ignore(err);
	if (e->kind == EXPR_CALL)
		return THROWS_PERHAPS;
	if (e->kind == EXPR_TYPEID)
		return may_be_bad_typeid(c, e->kids[0]) ? THROWS : THROWS_NOTHING;
	if (to && e->op == EXPR_DYNAMIC && type_strip(to)->kind == TYPE_REFERENCE)
		return THROWS;
	if (to && (type_strip(to)->kind == TYPE_REFERENCE || type_strip(to)->kind == TYPE_POINTER))
		return THROWS_NOTHING;
	bool functions = to && type_is_struct(to);
	bool operators = e->kind == EXPR_UNARY || e->kind == EXPR_BINARY ||
			 e->kind == EXPR_ASSIGN || e->kind == EXPR_INDEX || to ||
			 (e->kind == EXPR_MEMBER && e->op == EXPR_DEREFERENCE);
	for (size_t i = 0; operators && e->op != EXPR_ADDRESS && i < 3 && !functions; i++)
		functions = e->kids[i] && is_object(c, e->kids[i]);
	return functions ? THROWS_PERHAPS : THROWS_NOTHING;
}

static enum throws throws_of(const struct eval_context *c, const struct expr *e)
{
	enum throws most = own_throws(c, e);

	/* What is asked for its type or size alone is not evaluated. */
	if (e->kind == EXPR_SIZEOF || e->kind == EXPR_ALIGNOF || e->kind == EXPR_NOEXCEPT ||
	    e->kind == EXPR_TYPEID)
		return most;
	for (size_t i = 0; i < 3; i++) {
		enum throws its = e->kids[i] ? throws_of(c, e->kids[i]) : THROWS_NOTHING;
		most = its > most ? its : most;
	}
	return most;
}

struct error *eval_noexcept(const struct eval_context *c, const struct expr *e, struct value *ret)
{
	struct value v;
	struct error *err = eval_type(c, e->kids[0], &v);
	enum throws throws = err ? THROWS : throws_of(c, e->kids[0]);

	if (!err && throws == THROWS_PERHAPS)
		return error_new(ERROR_USAGE, "debug information does not say which functions are "
					      "noexcept");
	*ret = value_of_int(&type_bool, throws == THROWS_NOTHING);
	return err;
}
