/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/reach.h"

#include <string.h>

#include "debugger/values/lookup.h"
#include "debugger/values/registers.h"
#include "target/symbols/name_scopes.h"

enum { MEMBERS_DEPTH_MAX = 32, STRUCTURES_MAX = 4096 };

bool reach_is_pointer(const struct value *v)
{
	return type_strip(v->type)->kind == TYPE_POINTER;
}

struct error *reach_types(const struct scope *s, struct type_store **ret)
{
	*ret = lookup_types(s);
	return *ret ? NULL
		    : error_new(ERROR_NOT_FOUND,
				"no symbol table is loaded: use the \"file\" command");
}

/* A pointer to arrays counts in their size: that of the one that it points to. */
static struct error *settle_pointer(const struct scope *s, const struct type *target,
				    struct value *v)
{
	struct type_store *store;
	struct value first;
	taddr addr;
	struct error *err = value_address(v, &addr);

	if (!err)
		err = value_read(s, target, addr, &first);
	if (!err)
		err = reach_types(s, &store);
	if (err || first.missing)
		return err;
	const struct type *to = type_pointer_to(store, first.type);
	if (!to)
		return &error_nomem;
	v->type = to;
	return NULL;
}

struct error *reach_settle(const struct scope *s, struct value *v, bool decays)
{
	const struct type *t = type_strip(v->type);
	struct type_store *store;
	taddr addr;

	if (t == &type_data_symbol && decays)
		return error_new(ERROR_USAGE, "it has unknown type; cast it to its declared type");
	if (t->kind == TYPE_REFERENCE && value_points(v)) {
		const struct value reference = *v;
		return value_pointed(s, &reference, 0, v);
	}
	if (t->kind == TYPE_REFERENCE && !v->missing) {
		struct error *err = value_address(v, &addr);
		return err ? err : value_read(s, t->target ? t->target : &type_void, addr, v);
	}
	if (decays && t->kind == TYPE_POINTER && !v->missing && t->target &&
	    type_is_dynamic(t->target))
		return settle_pointer(s, t->target, v);
	if (!decays || (t->kind != TYPE_ARRAY && t->kind != TYPE_FUNCTION) || t->is_vector ||
	    v->place != VALUE_MEMORY)
		return NULL;
	struct error *err = reach_types(s, &store);
	if (err)
		return err;
	const struct type *to = t->kind == TYPE_ARRAY ? type_element(v->type) : v->type;
	to = to ? type_pointer_to(store, to) : NULL;
	if (!to)
		return &error_nomem;
	*v = value_of_int(to, v->addr);
	return NULL;
}

uint64_t reach_step(const struct type *pointer)
{
	const struct type *target = type_strip(pointer)->target;
	uint64_t size = target ? type_size(target) : 1;

	return size ? size : 1;
}

struct error *reach_target(const struct scope *s, const struct value *pointer, uint64_t index,
			   struct value *ret)
{
	const struct type *t = type_strip(pointer->type);
	taddr addr;
	if (value_points(pointer))
		return value_pointed(s, pointer, index, ret);
	struct error *err = value_address(pointer, &addr);

	if (err)
		return err;
	/* gdb: what a number points to is a long. */
	if (t->kind == TYPE_INT)
		return value_read(s, &type_long, addr + index * 8, ret);
	if (t->kind != TYPE_POINTER || !t->target || type_strip(t->target)->kind == TYPE_VOID)
		return error_new(ERROR_USAGE, "attempt to take contents of a non-pointer value");
	if (index && type_strip(t->target)->kind == TYPE_ARRAY && !type_size(t->target))
		return error_new(ERROR_USAGE, "cannot perform pointer math on incomplete types, "
					      "try casting to a known type, or void *");
	return value_read(s, t->target, addr + index * reach_step(t), ret);
}

struct error *reach_address(const struct scope *s, const struct expr *e, const struct value *v,
			    struct value *ret)
{
	struct type_store *store;
	struct error *err = reach_types(s, &store);

	if (err)
		return err;
	if (v->missing && type_strip(v->type)->kind == TYPE_REFERENCE)
		return value_missing(v);
	if (v->place == VALUE_REGISTER && e->kind == EXPR_NAME)
		return error_new(ERROR_USAGE,
				 "address requested for identifier %s which is in register $%s",
				 e->text, v->reg->name);
	if (v->place != VALUE_MEMORY && e->kind == EXPR_NAME)
		return error_new(ERROR_USAGE, "can't take address of \"%s\" which isn't an lvalue",
				 e->text);
	if (v->place != VALUE_MEMORY)
		return error_new(ERROR_USAGE,
				 "attempt to take address of value not located in memory");
	const struct type *type = type_pointer_to(store, v->type);
	if (!type)
		return &error_nomem;
	*ret = value_of_int(type, v->addr);
	return NULL;
}

static struct error *cannot_subscript(const struct value *v)
{
	AUTO_BUF name = { 0 };

	type_add_name(&name, v->type);
	return error_new(ERROR_USAGE, "cannot subscript something of type `%s'", buf_text(&name));
}

struct error *reach_element(const struct scope *s, struct value *array, const struct number *index,
			    struct value *ret)
{
	const struct type *t = type_strip(array->type);
	const struct type *element = t->kind == TYPE_ARRAY ? type_element(array->type) : NULL;

	if (t->kind == TYPE_ARRAY && !element)
		return &error_nomem;
	if (array->missing && element) {
		*ret = (struct value){ .type = element, .missing = array->missing };
		return NULL;
	}
	if (array->missing && value_points(array))
		return value_pointed(s, array, (uint64_t)index->bits, ret);
	if (array->missing)
		return value_missing(array);
	/* Of what is here and nowhere else: a text, a part of a register. */
	if (t->kind == TYPE_ARRAY && (array->place != VALUE_MEMORY || array->block || t->lower ||
				      t->stride || t->is_vector)) {
		uint64_t at = (uint64_t)index->bits - (uint64_t)t->lower;
		if (at >= t->count && !(t->unbounded && (int64_t)index->bits >= t->lower))
			return error_new(ERROR_USAGE, "no such vector element");
		return value_part(s, array, element, at * (uint64_t)type_stride(t), ret);
	}
	struct error *err = reach_settle(s, array, true);
	if (!err && !reach_is_pointer(array))
		err = cannot_subscript(array);
	return err ? err : reach_target(s, array, (uint64_t)index->bits, ret);
}

/* The parts of a vector register: $xmm0.v4_float. false: there is none of that name. */
static bool vector_part(struct type_store *store, const struct value *whole, const char *text,
			struct value *ret)
{
	for (size_t i = 0; register_is_vector(whole->type) && i < register_part_count; i++) {
		const struct type *type = register_parts[i].type;
		uint64_t n = whole->size / type->size;
		if (strcmp(register_part_name(&register_parts[i], whole->type), text))
			continue;
		*ret = *whole;
		ret->type = n > 1 ? type_array_of(store, type, n) : type;
		return ret->type != NULL;
	}
	return false;
}

/* ---- members ---------------------------------------------------------------------------- */

/*
 * The members of that name: in the structure itself, or else in those without a name in it and in
 * what it inherits.
 */
struct member_search {
	const struct scope *s;
	const char *name;
	const char *class; /* that it is to be of: so many characters; 0: any */
	size_t class_len;
	bool first;                                     /* one is enough */
	const struct type *path[MEMBERS_DEPTH_MAX + 1]; /* which structures it is in, so many */
	size_t depth, left;                             /* structures that may yet be looked into */
	size_t found;
	struct value value; /* of the first that was found */
	const struct type_member *member;
	const struct type *holder;
	struct buf candidates; /* owned */
	struct error *err;
};

static void find_members(struct member_search *search, const struct value *whole);

static void find_inside(struct member_search *search, const struct value *whole,
			const struct type_member *m)
{
	struct value inner;

	if ((m->kind != MEMBER_BASE && m->name) || !type_is_struct(m->type) || !search->left ||
	    search->depth == MEMBERS_DEPTH_MAX || (search->first && search->found))
		return;
	search->left--;
	search->err = value_member(search->s, whole, m, &inner);
	if (search->err)
		return;
	search->depth++;
	find_members(search, &inner);
	search->depth--;
}

/* "base::first" is of that class. */
static bool is_of_class(const struct member_search *search, const struct type *type)
{
	const struct type *t = type_strip(type);
	size_t has = t->name ? strlen(t->name) : 0, n = search->class_len;

	/* Arguments of templates are written in several ways. */
	if (n && has && search->class[n - 1] == '>') {
		AUTO_FREE char *asked = strndup(search->class, n);
		return asked && (!name_scopes_compare(t->name, asked) ||
				 !name_scopes_compare(name_scopes_last(t->name), asked));
	}
	return !n || (has >= n && !strncmp(t->name + (has - n), search->class, n) &&
		      (has == n || t->name[has - n - 1] == ':'));
}

/* By way of a virtual base, of which there is one for all: names in a hide those in b there. */
static bool hides(const struct type *a, const struct type *b, bool is_virtual, size_t depth)
{
	size_t n;
	const struct type_member *members = type_members(a, &n);
	bool ret = is_virtual && type_strip(a) == b;

	for (size_t i = 0; i < n && depth < MEMBERS_DEPTH_MAX && !ret; i++) {
		if (members[i].kind == MEMBER_BASE)
			ret = hides(members[i].type, b, is_virtual || members[i].is_virtual,
				    depth + 1);
	}
	return ret;
}

/* The same place in memory, or a constant. */
static bool is_same(const struct value *a, const struct value *b)
{
	bool here = a->place == VALUE_MEMORY && b->place == VALUE_MEMORY && !a->block;

	return here ? a->addr == b->addr && a->bit_offset == b->bit_offset
		    : a->missing || (a->place == VALUE_NOWHERE && !a->block);
}

/* "'int L1::same' (M -> L1)" */
static void add_candidate(struct member_search *search, const struct type_member *m)
{
	struct buf *out = &search->candidates;
	const char *class = "";
	AUTO_BUF path = { 0 };

	for (size_t i = 0; i <= search->depth; i++) {
		if (!search->path[i]->name)
			continue;
		class = search->path[i]->name;
		buf_addf(&path, "%s%s", path.len ? " -> " : "", class);
	}
	buf_adds(out, out->len ? ", '" : "'");
	type_add_name(out, m->type);
	buf_addf(out, " %s::%s' (%s)", class, m->name, buf_text(&path));
}

static void take_member(struct member_search *search, const struct value *whole,
			const struct type_member *m)
{
	const struct type *holder = search->path[search->depth];
	struct value v;

	search->err = value_member(search->s, whole, m, &v);
	bool known = search->found && !search->err &&
		     ((m == search->member && is_same(&v, &search->value)) ||
		      hides(search->holder, holder, false, 0));
	if (search->err || known)
		return;
	if (search->found && hides(holder, search->holder, false, 0)) {
		search->found = 0;
		buf_clear(&search->candidates);
	}
	add_candidate(search, m);
	if (search->found++)
		return;
	search->member = m;
	search->holder = holder;
	search->value = v;
}

static void find_members(struct member_search *search, const struct value *whole)
{
	const size_t asked = search->class_len;
	size_t n;
	const struct type_member *members = type_members(whole->type, &n);

	/* A class has what it inherits, too. */
	if (is_of_class(search, whole->type))
		search->class_len = 0;
	search->path[search->depth] = type_strip(whole->type);
	for (size_t i = 0; i < n && !search->class_len; i++) {
		if (members[i].name && members[i].kind != MEMBER_BASE &&
		    !strcmp(members[i].name, search->name)) {
			take_member(search, whole, &members[i]);
			search->class_len = asked;
			return;
		}
	}
	for (size_t i = 0; i < n && !search->err; i++)
		find_inside(search, whole, &members[i]);
	search->class_len = asked;
}

static struct error *find_member(const struct scope *s, const struct value *whole, const char *name,
				 bool first, struct value *ret)
{
	const struct type *t = type_strip(whole->type);
	struct type_store *store;
	struct error *err = reach_types(s, &store);

	if (err || vector_part(store, whole, name, ret))
		return err;
	if (t->kind != TYPE_STRUCT && whole->missing)
		return value_missing(whole);
	if (t->kind != TYPE_STRUCT && !register_is_vector(t))
		return error_new(ERROR_USAGE, "attempt to extract a component of a value that is "
					      "not a structure");
	const char *last = name_scopes_last(name);
	struct member_search search = { .s = s,
					.name = last,
					.class = name,
					.class_len = last > name ? (size_t)(last - name) - 2 : 0,
					.first = first,
					.left = STRUCTURES_MAX };
	find_members(&search, whole);
	err = search.err;
	if (!err && !search.found)
		err = error_new(ERROR_NOT_FOUND, "there is no member named %s", name);
	else if (!err && !first && search.found > 1)
		err = error_new(ERROR_USAGE,
				"request for member '%s' is ambiguous in type '%s': candidates are "
				"%s",
				last, t->name ? t->name : "", buf_text(&search.candidates));
	buf_fini(&search.candidates);
	if (!err)
		*ret = search.value;
	return err;
}

struct error *reach_member(const struct scope *s, const struct value *whole, const char *name,
			   struct value *ret)
{
	return find_member(s, whole, name, false, ret);
}

struct error *reach_check_member(const struct scope *s, const struct type *type, const char *name)
{
	struct scope types = *s;
	struct value whole = { .type = type }, ignored;

	types.asks = SCOPE_TYPES;
	value_set_nothing(&whole);
	return reach_member(&types, &whole, name, &ignored);
}

struct error *reach_first_member(const struct scope *s, const struct value *whole, const char *name,
				 struct value *ret)
{
	return find_member(s, whole, name, true, ret);
}

struct error *reach_array(const struct scope *s, const struct value *first, const struct number *n,
			  struct value *ret)
{
	enum { REPEAT_MAX = 1 << 24 };
	struct type_store *store;
	struct error *err = reach_types(s, &store);

	if (err)
		return err;
	if (first->place != VALUE_MEMORY)
		return error_new(ERROR_USAGE, "only values in memory can be extended with '@'");
	if (n->is_float || (__int128)n->bits <= 0 || n->bits > REPEAT_MAX)
		return error_new(ERROR_USAGE, "invalid number %lld of repetitions",
				 (long long)n->bits);
	const struct type *type = type_array_of(store, first->type, (uint64_t)n->bits);
	if (!type)
		return &error_nomem;
	*ret = (struct value){ .type = type, .place = VALUE_MEMORY, .addr = first->addr };
	return NULL;
}
