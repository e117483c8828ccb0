/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/classes.h"

#include <string.h>

#include "debugger/values/lookup.h"
#include "target/symbols/name_scopes.h"

enum { DEPTH_MAX = 16, BASES_MAX = 256 };

bool classes_same(const struct type *a, const struct type *b)
{
	a = type_strip(a);
	b = type_strip(b);
	return a == b || (a->kind == TYPE_STRUCT && b->kind == TYPE_STRUCT && a->name && b->name &&
			  !strcmp(a->name, b->name));
}

/* ---- bases ------------------------------------------------------------------------------ */

struct search {
	const struct scope *s;
	const struct type *base;
	size_t left;  /* bases that may yet be looked at          */
	size_t found; /* at how many places, at "at" the last one */
	taddr at;
	struct error *err;
};

static void find_bases(struct search *search, const struct value *object, size_t depth)
{
	size_t n;
	const struct type_member *members = type_members(object->type, &n);

	if (classes_same(object->type, search->base)) {
		search->found += !search->found || search->at != object->addr;
		search->at = object->addr;
		return;
	}
	for (size_t i = 0; i < n && depth < DEPTH_MAX && !search->err; i++) {
		struct value base;
		if (members[i].kind != MEMBER_BASE || !search->left)
			continue;
		search->left--;
		search->err = value_member(search->s, object, &members[i], &base);
		if (!search->err && !base.missing && base.place == VALUE_MEMORY)
			find_bases(search, &base, depth + 1);
	}
}

static struct error *search_in(struct search *search, const struct type *type, taddr at)
{
	struct value object;
	struct error *err = value_read(search->s, type, at, &object);

	if (!err)
		find_bases(search, &object, 0);
	return err ? err : search->err;
}

/* Where a base begins in a class, unless that is virtual. */
static bool base_offset(const struct type *class, const struct type *base, size_t depth,
			uint64_t *ret)
{
	size_t n;
	const struct type_member *members = type_members(class, &n);

	if (classes_same(class, base)) {
		*ret = 0;
		return true;
	}
	for (size_t i = 0; i < n && depth < DEPTH_MAX; i++) {
		if (members[i].kind != MEMBER_BASE || members[i].where ||
		    !base_offset(members[i].type, base, depth + 1, ret))
			continue;
		*ret += members[i].offset;
		return true;
	}
	return false;
}

struct error *classes_move(const struct scope *s, const struct type *from, taddr at,
			   const struct type *to, taddr *ret, bool *ret_related)
{
	struct search search = { .s = s, .base = to, .left = BASES_MAX };
	uint64_t offset;

	*ret_related = true;
	*ret = at;
	if (classes_same(from, to) || !at)
		return NULL;
	if (base_offset(to, from, 0, &offset)) {
		*ret = at - offset;
		return NULL;
	}
	if (base_offset(from, to, 0, &offset)) {
		*ret = at + offset;
		return NULL;
	}
	struct error *err = search_in(&search, from, at);
	*ret_related = search.found > 0;
	if (!err && search.found > 1)
		err = error_new(ERROR_USAGE, "that base class is in it more than once");
	if (search.found)
		*ret = search.at;
	return err;
}

/* ---- what an object really is -------------------------------------------------------------- */

static bool is_dynamic(const struct type *t, size_t depth)
{
	size_t n;
	const struct type_member *members = type_members(t, &n);

	for (size_t i = 0; i < n; i++) {
		if ((members[i].name && !strncmp(members[i].name, "_vptr", 5)) ||
		    (members[i].kind == MEMBER_BASE && depth < DEPTH_MAX &&
		     is_dynamic(members[i].type, depth + 1)))
			return true;
	}
	return false;
}

bool classes_is_dynamic(const struct type *class)
{
	return is_dynamic(class, 0);
}

/*
 * The Itanium C++ ABI, 2.5.2: in front of what the first word of an object points to is the offset
 * to its beginning, then its run-time type information; the table's name has that of the class.
 */
struct error *classes_whole(const struct scope *s, const struct type *type, taddr at,
			    const struct type **ret_type, taddr *ret)
{
	static const char prefix[] = "vtable for ";
	struct value table, offset;
	struct symbol symbol;
	struct variable class;

	if (!is_dynamic(type, 0))
		return error_new(ERROR_USAGE, "the argument to dynamic_cast does not have a class "
					      "with virtual functions");
	struct error *err = value_read(s, &type_unsigned_long, at, &table);
	taddr where = 0;
	if (!err)
		err = value_address(&table, &where);
	if (!err)
		err = value_read(s, &type_long, where - 16, &offset);
	if (err)
		return err;
	AUTO_FREE char *name = symbol_at(s->session->symbols, where, &symbol)
				       ? symbol_demangle(symbol.name)
				       : NULL;
	if (!name || strncmp(name, prefix, sizeof(prefix) - 1) ||
	    !lookup_named_type(s, name + sizeof(prefix) - 1, &class) || !class.type)
		return error_new(ERROR_USAGE, "the object at 0x%" PRIx64 " does not tell its class",
				 at);
	int64_t up;
	memcpy(&up, offset.bytes, sizeof(up));
	*ret_type = class.type;
	*ret = at + (taddr)up;
	return NULL;
}

struct error *classes_type_info(const struct scope *s, const struct value *object, taddr *ret)
{
	struct value word;
	struct error *err = NULL;

	*ret = 0;
	if (!type_is_struct(object->type) || !is_dynamic(object->type, 0))
		return NULL;
	err = value_part(s, object, &type_unsigned_long, 0, &word);
	if (!err)
		err = value_address(&word, ret);
	if (!err)
		err = value_read(s, &type_unsigned_long, *ret - sizeof(taddr), &word);
	return err ? err : value_address(&word, ret);
}

struct error *classes_find(const struct scope *s, const struct type *from, taddr at,
			   const struct type *to, taddr *ret)
{
	struct search search = { .s = s, .base = to, .left = BASES_MAX };
	const struct type *whole = NULL;
	taddr top = 0;

	*ret = 0;
	if (!at)
		return NULL;
	struct error *err = classes_whole(s, from, at, &whole, &top);
	if (err || !to) {
		*ret = err ? 0 : top;
		return err;
	}
	err = search_in(&search, whole, top);
	if (!err && search.found == 1)
		*ret = search.at;
	return err;
}

/* ---- pointers to members ------------------------------------------------------------------ */

/* A virtual function is a place in the table of the object, plus one; what follows is added to the
 * object's address. */
static struct error *virtual_function(const struct scope *s, const struct value *member,
				      taddr object, taddr *ret)
{
	const struct type *t = type_strip(member->type);
	uint64_t at, added;
	struct value word;

	memcpy(&at, member->bytes, sizeof(at));
	memcpy(&added, member->bytes + sizeof(at), sizeof(added));
	struct error *err = value_read(s, &type_unsigned_long, object + added, &word);
	if (!err)
		err = value_address(&word, ret);
	if (!err)
		err = value_read(s, &type_unsigned_long, *ret + at - 1, &word);
	if (!err)
		err = value_address(&word, ret);
	return error_add(err, "the table of virtual functions of %s",
			 t->holder->name ? t->holder->name : "an object");
}

const struct type_method *classes_in_slot(const struct type *class, uint64_t slot, size_t depth,
					  const struct type **ret_class)
{
	size_t n;
	const struct type_method *methods = type_methods(class, &n);

	for (size_t i = 0; i < n; i++) {
		if (methods[i].is_virtual && methods[i].slot == slot) {
			*ret_class = type_strip(class);
			return &methods[i];
		}
	}
	const struct type_member *members = type_members(class, &n);
	/* What is inherited first has its functions in the same places. */
	for (size_t i = 0; i < n && depth < DEPTH_MAX; i++) {
		if (members[i].kind == MEMBER_BASE && !members[i].is_virtual)
			return classes_in_slot(members[i].type, slot, depth + 1, ret_class);
	}
	return NULL;
}

struct error *classes_member(const struct scope *s, const struct value *object,
			     const struct value *member, struct value *ret)
{
	const struct type *t = type_strip(member->type);
	taddr at, where = object->addr;
	bool related;

	if (t->kind != TYPE_MEMBER_POINTER || !t->target || !t->holder)
		return error_new(ERROR_USAGE, "not a pointer to a member");
	if (member->missing)
		return value_missing(member);
	if (!type_is_struct(object->type) || object->place != VALUE_MEMORY)
		return error_new(ERROR_USAGE, "not an object in memory");
	memcpy(&at, member->bytes, sizeof(at));
	bool function = type_strip(t->target)->kind == TYPE_FUNCTION;
	if (at == (function ? 0 : UINT64_MAX))
		return error_new(ERROR_USAGE,
				 "cannot access memory: the pointer to a member is null");
	struct error *err = classes_move(s, object->type, where, t->holder, &where, &related);
	if (!err && !related)
		err = error_new(ERROR_USAGE, "the object has no such members");
	if (!err && function && at & 1)
		err = virtual_function(s, member, where, &at);
	if (err)
		return err;
	return value_read(s, t->target, function ? at : where + at, ret);
}

/* Itanium C++ ABI, 2.3: an address, or one more than where a virtual function is in the table that
 * the object begins with; and what is added to the object's address. */
struct error *classes_method(const struct scope *s, const struct value *object,
			     const struct value *member, struct value *ret, struct value *ret_this)
{
	struct target *t = s->session->target;
	const struct type *type = type_strip(member->type);
	uint64_t words[2];
	taddr at, table;
	bool related = false;

	if (type->kind != TYPE_MEMBER_POINTER || !type->target || !type->holder ||
	    type_strip(type->target)->kind != TYPE_FUNCTION || member->size < sizeof(words))
		return error_new(ERROR_USAGE, "not a pointer to a function of a class");
	if (member->missing)
		return value_missing(member);
	if (!type_is_struct(object->type) || object->place != VALUE_MEMORY)
		return error_new(ERROR_USAGE, "not an object in memory");
	memcpy(words, member->bytes, sizeof(words));
	struct error *err =
		classes_move(s, object->type, object->addr, type->holder, &at, &related);
	if (!err && !related)
		err = error_new(ERROR_USAGE, "the object has no such members");
	if (!err && !words[0])
		err = error_new(ERROR_USAGE, "the pointer to a member is null");
	if (err)
		return err;
	at += words[1];
	if (words[0] & 1) {
		err = target_read_uint(t, at, sizeof(table), &table);
		if (!err)
			err = target_read_uint(t, table + words[0] - 1, sizeof(words[0]), words);
	}
	if (err)
		return err;
	const struct type *f = type_strip(type->target);
	const struct type *this = f->nparameters ? f->parameters[0] : &type_data_pointer;
	*ret = (struct value){ .type = type->target, .place = VALUE_MEMORY, .addr = words[0] };
	*ret_this = value_of_int(this, at);
	return NULL;
}

/* The member of that name, in the class itself or in one that it inherits. */
static const struct type_member *find_member(const struct type *class, const char *name,
					     size_t depth, const struct type **ret_holder)
{
	size_t n;
	const struct type_member *members = type_members(class, &n), *found = NULL;

	for (size_t i = 0; i < n && !found; i++) {
		if (members[i].kind == MEMBER_FIELD && members[i].name &&
		    !strcmp(members[i].name, name))
			found = &members[i];
		*ret_holder = class;
	}
	for (size_t i = 0; i < n && !found && depth < DEPTH_MAX; i++) {
		if (members[i].kind == MEMBER_BASE)
			found = find_member(members[i].type, name, depth + 1, ret_holder);
	}
	return found;
}

/* The only function of that name in the class itself that is not static; NULL: none. */
static const struct type_method *find_method(const struct type *class, const char *name)
{
	size_t n;
	const struct type_method *methods = type_methods(class, &n), *found = NULL;

	for (size_t i = 0; i < n; i++) {
		if (!methods[i].name || strcmp(methods[i].name, name) != 0 || methods[i].is_static)
			continue;
		if (found)
			return NULL;
		found = &methods[i];
	}
	return found;
}

/* Of the Itanium C++ ABI, 2.3: see virtual_function(). false: where its code is is not known. */
static bool method_pointer(const struct scope *s, const struct type_method *m, uint64_t ret[2])
{
	ret[1] = 0;
	if (m->is_virtual)
		ret[0] = m->slot * sizeof(taddr) + 1;
	else
		ret[0] = m->linkage ? classes_code(s, m->linkage) : 0;
	return m->type && (m->is_virtual ? m->slot != UINT64_MAX : ret[0] != 0);
}

struct error *classes_member_pointer(const struct scope *s, const char *name, struct value *ret,
				     bool *ret_found)
{
	const char *last = name_scopes_last(name);
	AUTO_FREE char *class = last > name + 2 ? strndup(name, (size_t)(last - name) - 2) : NULL;
	const struct type *holder = NULL;
	struct variable v;

	*ret_found = false;
	if (!class || !s->session || !lookup_named_type(s, class, &v) || !v.type)
		return NULL;
	const struct type_member *m = find_member(v.type, last, 0, &holder);
	const struct type_method *f = m ? NULL : find_method(v.type, last);
	uint64_t words[2] = { m ? m->offset : 0 };
	if (m ? m->bit_size : !f || !method_pointer(s, f, words))
		return NULL;
	const size_t size = f ? sizeof(words) : sizeof(taddr);
	struct type *t = type_new(lookup_types(s), TYPE_MEMBER_POINTER, NULL, size);
	if (!t)
		return &error_nomem;
	t->target = f ? f->type : m->type;
	t->holder = f ? type_strip(v.type) : holder;
	*ret_found = true;
	*ret = (struct value){ .type = t, .size = size };
	memcpy(ret->bytes, words, size);
	return NULL;
}

/* The member of that name, and how far from the beginning of a structure it is; NULL: none. */
static const struct type_member *find_field(const struct type *type, const char *name, size_t depth,
					    uint64_t *offset)
{
	size_t n;
	const struct type_member *members = type_members(type, &n);

	for (size_t i = 0; i < n; i++) {
		if (members[i].name && members[i].kind == MEMBER_FIELD &&
		    !strcmp(members[i].name, name)) {
			*offset += members[i].offset;
			return &members[i];
		}
	}
	for (size_t i = 0; i < n && depth < DEPTH_MAX; i++) {
		uint64_t inside = *offset + members[i].offset;
		bool open = members[i].kind == MEMBER_BASE ||
			    (members[i].kind == MEMBER_FIELD && !members[i].name);
		if (!open || members[i].where)
			continue;
		const struct type_member *found =
			find_field(members[i].type, name, depth + 1, &inside);
		if (found) {
			*offset = inside;
			return found;
		}
	}
	return NULL;
}

const struct type_member *classes_field(const struct type *type, const char *name,
					uint64_t *ret_offset)
{
	*ret_offset = 0;
	return find_field(type, name, 0, ret_offset);
}

static bool take_function(void *context, const struct symbol *symbol)
{
	taddr *entry = context;

	*entry = symbol->function ? symbol->addr : 0;
	return !*entry;
}

/* gcc declares constructors and destructors by names that no code has: C4, D4. Those of whole
 * objects are meant, or of parts where they are the same. */
taddr classes_code(const struct scope *s, const char *linkage)
{
	AUTO_BUF name = { 0 };
	taddr ret = 0;

	symbol_find(s->session->symbols, linkage, take_function, &ret);
	for (const char *at = linkage; !ret && (at = strstr(at, "4E")) != NULL; at++) {
		for (char kind = '1'; !ret && kind <= '2'; kind++) {
			buf_clear(&name);
			buf_addf(&name, "%.*s%c%s", (int)(at - linkage), linkage, kind, at + 1);
			symbol_find(s->session->symbols, buf_text(&name), take_function, &ret);
		}
	}
	return ret;
}

static struct error *find_part(const struct scope *s, const struct value *object, const char *class,
			       size_t len, size_t depth, struct value *ret, bool *ret_found)
{
	size_t n;
	const struct type *type = type_strip(object->type);
	const struct type_member *members = type_members(type, &n);
	struct error *err = NULL;

	*ret_found = type->name && strlen(type->name) == len && !strncmp(type->name, class, len);
	if (*ret_found)
		*ret = *object;
	for (size_t i = 0; i < n && depth < DEPTH_MAX && !err && !*ret_found; i++) {
		struct value base;
		if (members[i].kind != MEMBER_BASE)
			continue;
		err = value_member(s, object, &members[i], &base);
		if (!err)
			err = find_part(s, &base, class, len, depth + 1, ret, ret_found);
	}
	return err;
}

struct error *classes_part(const struct scope *s, const struct value *object, const char *class,
			   size_t len, struct value *ret, bool *ret_found)
{
	return find_part(s, object, class, len, 0, ret, ret_found);
}
