/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fortran: what its operators, elements and sections come to, of values that are there.
 */
#ifndef DEBUGGER_FORTRAN_H
#define DEBUGGER_FORTRAN_H

#include "debugger/values/expr_tree.h"
#include "debugger/values/value.h"

enum { FORTRAN_RANK_MAX = 15 };

/* "i", or "lower:upper:stride", each of which may be missing. */
struct fortran_subscript {
	bool is_section, has_lower, has_upper;
	int64_t lower, upper, stride; /* of an index: lower */
};

/* A pointer is what it points to, as everywhere in Fortran. USAGE: it points to nothing. */
MUST_CHECK struct error *fortran_settle(const struct scope *s, struct value *v);

/* whole%name: also of what the type of whole extends, and of what a CLASS holds. NOT_FOUND. */
MUST_CHECK struct error *fortran_member(const struct scope *s, const struct value *whole,
					const char *name, struct value *ret);

/* It is one of gfortran's structures for CLASS. */
bool fortran_is_class(const struct type *t);
/* What that holds, as what it is now: an object, or an array of them. USAGE: nothing, or it is not
 * known what that is. */
MUST_CHECK struct error *fortran_object(const struct scope *s, const struct value *whole,
					struct value *ret);
/* The array that a CLASS(*) describes becomes one of what its elements are; they may be missing. */
MUST_CHECK struct error *fortran_elements(const struct scope *s, const struct value *whole,
					  struct value *data);
/* The same array, of something that lies in each of its elements. NULL: out of memory. */
const struct type *fortran_array_of(struct type_store *store, const struct type *array,
				    const struct type *part);

/* Of two settled values: numbers, truth values, texts. USAGE. */
MUST_CHECK struct error *fortran_binary(const struct scope *s, enum expr_op op,
					const struct value *a, const struct value *b,
					struct value *ret);
MUST_CHECK struct error *fortran_unary(const struct scope *s, enum expr_op op,
				       const struct value *a, struct value *ret);

/* (re,im), of parts of so many bytes; 0: as large as the larger one. */
MUST_CHECK struct error *fortran_complex(const struct scope *s, const struct value *re,
					 const struct value *im, uint64_t size, struct value *ret);
/* The parts of a number, which may be complex. */
MUST_CHECK struct error *fortran_parts(const struct scope *s, const struct value *v,
				       struct number *ret_re, struct number *ret_im);

MUST_CHECK struct error *fortran_text(const struct scope *s, const char *text, size_t len,
				      struct value *ret);
/* The characters of one; in ret. */
MUST_CHECK struct error *fortran_read_text(const struct scope *s, const struct value *v,
					   struct buf *ret);

/* What is assigned to a variable of that type. */
MUST_CHECK struct error *fortran_convert(const struct scope *s, const struct value *from,
					 const struct type *type, struct value *ret);

/* How many dimensions an array has; 0: it is none. */
size_t fortran_rank(const struct type *t);
/* The dimension that the index of that number is of, from 0; NULL: there is none. */
const struct type *fortran_dimension(const struct type *t, size_t n);

/* array(...), or text(2:3). USAGE: there is no such element. */
MUST_CHECK struct error *fortran_element(const struct scope *s, const struct value *array,
					 const struct fortran_subscript *subscripts, size_t n,
					 struct value *ret);

/*
 * An operator on whole arrays, element by element: the other operand has the same shape, or is no
 * array. b, NULL: unary. USAGE: shapes differ, or it is too large.
 */
MUST_CHECK struct error *fortran_elementwise(const struct scope *s, enum expr_op op,
					     const struct value *a, const struct value *b,
					     struct value *ret);
/* How many elements an array has; 1: it is none. USAGE: that is not known, or too many. */
MUST_CHECK struct error *fortran_count(const struct value *v, uint64_t *ret);
/* The element of that number, from 0, in the order of Fortran; what is no array is itself. */
MUST_CHECK struct error *fortran_nth(const struct scope *s, const struct value *v, uint64_t n,
				     struct value *ret);

#endif
