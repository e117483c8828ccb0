/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Classes: what C++ makes of inheritance: bases in objects, objects around bases, the object that
 * run-time type information tells of, pointers to members.
 */
#ifndef DEBUGGER_CLASSES_H
#define DEBUGGER_CLASSES_H

#include "debugger/values/value.h"

/* Whether two types are one: those of two units may be. */
bool classes_same(const struct type *a, const struct type *b);

/* What a pointer to an object of some class is as a pointer to that one: to its base, or to what it
 * is a base of. *ret: moved; false: they are not related. */
MUST_CHECK struct error *classes_move(const struct scope *s, const struct type *from, taddr at,
				      const struct type *to, taddr *ret, bool *ret_related);

/* Objects of the class tell what they are a part of: it has virtual functions, or virtual bases. */
bool classes_is_dynamic(const struct type *class);

/*
 * dynamic_cast: where in the whole object around "at" the one part of class "to" is; to NULL: where
 * that begins. *ret 0: there is none, or not only one. USAGE: it has no run-time type information.
 */
MUST_CHECK struct error *classes_find(const struct scope *s, const struct type *from, taddr at,
				      const struct type *to, taddr *ret);

/* Where the type information is of the object that one is a part of; 0: it has no virtual
 * functions.
 */
MUST_CHECK struct error *classes_type_info(const struct scope *s, const struct value *object,
					   taddr *ret);

/* The object that one is a part of, by run-time type information. USAGE: there is none. */
MUST_CHECK struct error *classes_whole(const struct scope *s, const struct type *type, taddr at,
				       const struct type **ret_type, taddr *ret);

/* object.*member. USAGE: it is no pointer to a member. */
MUST_CHECK struct error *classes_member(const struct scope *s, const struct value *object,
					const struct value *member, struct value *ret);

/* (object.*member)(...): the function, and "this" for it. USAGE: it is no pointer to one. */
MUST_CHECK struct error *classes_method(const struct scope *s, const struct value *object,
					const struct value *member, struct value *ret,
					struct value *ret_this);

/* &Class::name, where name is a member that is not static: of functions the only one of that name,
 * and if its code is known. false: it is none. */
MUST_CHECK struct error *classes_member_pointer(const struct scope *s, const char *name,
						struct value *ret, bool *ret_found);

/*
 * A member that is not static, in the class itself, its parts without names or what it inherits,
 * and how far from the beginning: where that is the same in all objects. NULL: none.
 */
const struct type_member *classes_field(const struct type *type, const char *name,
					uint64_t *ret_offset);

/* The virtual function at a place in the table of a class; *ret_class: that declares it. NULL: not
 * known. depth: 0. */
const struct type_method *classes_in_slot(const struct type *class, uint64_t slot, size_t depth,
					  const struct type **ret_class);

/* Where the code of a function of a class is, by its linkage name; 0: the program has none. */
taddr classes_code(const struct scope *s, const char *linkage);

/* The part of an object that is of a class with that name, of len bytes: itself, or a base. */
MUST_CHECK struct error *classes_part(const struct scope *s, const struct value *object,
				      const char *class, size_t len, struct value *ret,
				      bool *ret_found);

#endif
