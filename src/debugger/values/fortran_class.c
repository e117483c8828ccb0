/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "debugger/values/fortran.h"
#include "debugger/values/lookup.h"
#include "debugger/values/reach.h"
#include "debugger/values/token_fortran.h"

/*
 * gfortran's CLASS is a structure: _data, which points to the object or describes an array, and
 * _vptr, which points to what there is once for each type: "__vtab_module_Circle",
 * "__vtab_INTEGER_4_".
 */
bool fortran_is_class(const struct type *t)
{
	const char *name = type_is_struct(t) ? type_strip(t)->name : NULL;

	return name && !strncmp(name, "__class_", strlen("__class_"));
}

/* "INTEGER_4_"; NULL: it is no type of Fortran's own. */
static const struct type *own_type(const char *name)
{
	static const struct {
		const char *name;
		enum type_kind kind;
	} own[] = {
		{ "INTEGER_", TYPE_INT },
		{ "REAL_", TYPE_FLOAT },
		{ "LOGICAL_", TYPE_BOOL },
		{ "COMPLEX_", TYPE_COMPLEX },
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
		size_t len = strlen(own[i].name);
		if (strncmp(name, own[i].name, len) != 0)
			continue;
		uint64_t kind = strtoul(name + len, NULL, 10);
		return token_fortran_type(own[i].kind,
					  own[i].kind == TYPE_COMPLEX ? 2 * kind : kind);
	}
	return NULL;
}

/* Only the name of the type begins with a capital letter. */
static const struct type *type_of_table(const struct scope *s, const char *table)
{
	static const char mark[] = "__vtab_";
	const char *at = strstr(table, mark);
	char name[128];
	size_t n = 0;
	struct variable found;

	at = at ? at + strlen(mark) : "";
	const struct type *own = own_type(at);
	for (at += strcspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"); *at && *at != '.'; at++) {
		if (n + 1 == sizeof(name))
			return NULL;
		name[n++] = (char)tolower((unsigned char)*at);
	}
	name[n] = '\0';
	if (own || !n)
		return own;
	return lookup_named_type(s, name, &found) ? found.type : NULL;
}

/* What the object is now. NULL: not known. Types of several modules may have one name. */
static const struct type *dynamic_type(const struct scope *s, const struct value *whole)
{
	struct symbol table;
	struct value vptr, of_table;
	struct number size;
	taddr addr = 0;
	struct error *err = reach_member(s, whole, "_vptr", &vptr);

	if (!err)
		err = value_address(&vptr, &addr);
	if (!err)
		err = fortran_settle(s, &vptr);
	if (!err)
		err = reach_member(s, &vptr, "_size", &of_table);
	if (!err)
		err = value_number(&of_table, &size);
	bool known = !err && symbol_at(s->session->symbols, addr, &table) && table.addr == addr;
	error_ignore(err);
	const struct type *type = known ? type_of_table(s, table.name) : NULL;
	return type && type_size(type) == (uint64_t)size.bits ? type : NULL;
}

/* Of CLASS(*): gfortran describes a pointer, or an array of pointers, that have no target. */
static bool is_of_any_type(const struct type *data)
{
	const struct type *t = fortran_rank(data) ? fortran_dimension(data, 0)->target : data;

	t = type_strip(t);
	return t->kind == TYPE_POINTER && (!t->target || type_strip(t->target)->kind == TYPE_VOID);
}

static struct error *array_of(const struct scope *s, const struct value *data,
			      const struct type *type, struct value *ret)
{
	struct type_store *store;
	struct error *err = reach_types(s, &store);

	*ret = *data;
	if (err || data->missing || !type)
		return err;
	ret->type = fortran_array_of(store, data->type, type);
	return ret->type ? NULL : &error_nomem;
}

struct error *fortran_object(const struct scope *s, const struct value *whole, struct value *ret)
{
	const struct type *type = dynamic_type(s, whole);
	struct value data;
	taddr addr;
	struct error *err = reach_member(s, whole, "_data", &data);

	if (err)
		return err;
	if (!type && !data.missing && is_of_any_type(data.type))
		return error_new(ERROR_USAGE, "the type of what it holds is not known");
	if (fortran_rank(data.type))
		return array_of(s, &data, type, ret);
	err = value_address(&data, &addr);
	if (!err && !addr)
		err = error_new(ERROR_USAGE, "the pointer is not associated");
	if (err)
		return err;
	return value_read(s, type ? type : type_strip(data.type)->target, addr, ret);
}

struct error *fortran_elements(const struct scope *s, const struct value *whole, struct value *data)
{
	if (data->missing || !fortran_is_class(whole->type) || !fortran_rank(data->type) ||
	    !is_of_any_type(data->type))
		return NULL;
	struct error *err = fortran_object(s, whole, data);
	if (!error_is(err, ERROR_USAGE))
		return err;
	error_ignore(err);
	data->missing = "not known: of which type they are";
	return NULL;
}
