/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/type_resolve.h"
#include "unit.h"

/*
 * What properties come to is said by their numbers here: an EXPRESSION of n is what lies in
 * numbers[n], or is not known.
 */
struct answers {
	const int64_t *numbers;
	size_t n;
	taddr object;
	size_t asked;
};

static const char *answer(void *context, const struct type_property *p, taddr object,
			  const taddr *initial, uint64_t at_place, int64_t *ret)
{
	struct answers *a = context;

	(void)at_place;
	a->object = object;
	a->asked++;
	if (p->number < 0 || (size_t)p->number >= a->n)
		return "optimized out";
	*ret = a->numbers[p->number] + (initial ? (int64_t)*initial : 0);
	return NULL;
}

#define EXPRESSION(n)                                                                              \
	{                                                                                          \
		.kind = PROPERTY_EXPRESSION, .number = (n)                                         \
	}
#define NUMBER(n)                                                                                  \
	{                                                                                          \
		.kind = PROPERTY_NUMBER, .number = (n)                                             \
	}

static const char *resolve(struct type_store *s, const struct type *t, const int64_t *numbers,
			   size_t n, struct type_resolved *ret)
{
	struct answers a = { numbers, n, 0, 0 };
	const struct type_reckoner with = { answer, &a };

	type_resolve(s, t, 0x1000, &with, ret);
	return ret->missing;
}

static void has_name(const struct type *t, const char *name)
{
	AUTO_BUF text = { 0 };

	type_add_name(&text, t);
	ck_assert_str_eq(buf_text(&text), name);
}

START_TEST(what_is_known_stays_as_it_is)
{
	struct type_store *s = type_store_new();
	const struct type *t = type_array_of(s, &type_int, 3);
	struct type_resolved r;

	ck_assert_ptr_null(resolve(s, t, NULL, 0, &r));
	ck_assert_ptr_eq(r.type, t);
	ck_assert_uint_eq(r.addr, 0x1000);
	type_store_free(s);
}
END_TEST

START_TEST(bounds_become_numbers)
{
	static const struct type_dynamic d = { .upper = EXPRESSION(0) };
	static const struct type inner = {
		.kind = TYPE_ARRAY, .target = &type_short, .is_row = true, .dynamic = &d
	};
	static const struct type outer = { .kind = TYPE_ARRAY, .target = &inner, .dynamic = &d };
	static const int64_t three[] = { 2 }, none[] = { -1 }, huge[] = { INT64_MAX };
	struct type_store *s = type_store_new();
	struct type_resolved r, again;

	has_name(&outer, "short [variable length][variable length]");
	ck_assert_ptr_null(resolve(s, &outer, three, 1, &r));
	has_name(r.type, "short [3][3]");
	ck_assert_uint_eq(type_size(r.type), 18);
	ck_assert(!type_is_dynamic(r.type));
	/* The same shape is the same type. */
	ck_assert_ptr_null(resolve(s, &outer, three, 1, &again));
	ck_assert_ptr_eq(r.type, again.type);
	ck_assert_ptr_null(resolve(s, &outer, none, 1, &r));
	ck_assert_uint_eq(type_size(r.type), 0);
	ck_assert_str_eq(resolve(s, &outer, huge, 1, &r), "its bounds make no sense");
	type_store_free(s);
}
END_TEST

START_TEST(what_is_not_known_is_a_reason)
{
	static const struct type_dynamic d = { .upper = EXPRESSION(7) },
					 lower = { .lower = EXPRESSION(7), .upper = NUMBER(3) };
	static const struct type row = {
		.kind = TYPE_ARRAY, .target = &type_int, .is_row = true, .dynamic = &d
	};
	static const struct type one = { .kind = TYPE_ARRAY, .target = &type_int, .dynamic = &d };
	static const struct type rows = { .kind = TYPE_ARRAY, .target = &row, .dynamic = &d };
	static const struct type begins = { .kind = TYPE_ARRAY,
					    .target = &type_int,
					    .dynamic = &lower };
	struct type_store *s = type_store_new();
	struct type_resolved r;

	/* Elements can be found, though nobody knows how many there are. */
	ck_assert_ptr_null(resolve(s, &one, NULL, 0, &r));
	ck_assert_str_eq(r.type->unbounded, "optimized out");
	ck_assert_uint_eq(r.type->count, 0);
	/* But not if nobody knows how large they are, or which is the first. */
	ck_assert_str_eq(resolve(s, &rows, NULL, 0, &r), "optimized out");
	ck_assert_ptr_eq(r.type, &rows);
	ck_assert_str_eq(resolve(s, &begins, NULL, 0, &r), "optimized out");
	type_store_free(s);
}
END_TEST

/* allocated, data, lower, upper, stride */
static const struct type_dynamic descriptor = {
	.allocated = EXPRESSION(0),
	.data = EXPRESSION(1),
	.lower = EXPRESSION(2),
	.upper = EXPRESSION(3),
	.byte_stride = EXPRESSION(4),
};
static const struct type integer = { .kind = TYPE_INT,
				     .name = "integer(kind=4)",
				     .size = 4,
				     .is_signed = true,
				     .is_fortran = true };
static const struct type allocatable = { .kind = TYPE_ARRAY,
					 .target = &integer,
					 .lower = 1,
					 .is_fortran = true,
					 .is_allocatable = true,
					 .dynamic = &descriptor };

START_TEST(descriptors_say_where_elements_are)
{
	static const int64_t there[] = { 1, 0x2000, -1, 2, 4 };
	static const int64_t backwards[] = { 1, 0x2000, 1, 3, -8 };
	static const int64_t gone[] = { 0, 0, 1, 3, 4 };
	struct type_store *s = type_store_new();
	struct type_resolved r;

	has_name(&allocatable, "integer(kind=4), allocatable (:)");
	ck_assert_ptr_null(resolve(s, &allocatable, there, 5, &r));
	has_name(r.type, "integer(kind=4), allocatable (-1:2)");
	ck_assert_uint_eq(r.addr, 0x2000);
	ck_assert_int_eq(r.type->stride, 0);
	ck_assert_ptr_null(resolve(s, &allocatable, backwards, 5, &r));
	ck_assert_int_eq(type_stride(r.type), -8);
	ck_assert_uint_eq(type_size(r.type), 12);
	ck_assert_str_eq(resolve(s, &allocatable, gone, 5, &r), "not allocated");
	ck_assert_ptr_eq(r.type, &allocatable);
	type_store_free(s);
}
END_TEST

START_TEST(ranks_are_reckoned)
{
	/* The number of the dimension is added to all that is said of it. */
	static const struct type_dynamic d = { .rank = EXPRESSION(0),
					       .lower = NUMBER(1),
					       .upper = EXPRESSION(1),
					       .is_generic = true };
	static const struct type t = { .kind = TYPE_ARRAY,
				       .target = &integer,
				       .lower = 1,
				       .is_fortran = true,
				       .dynamic = &d };
	static const int64_t two[] = { 2, 5 }, none[] = { 0, 5 }, many[] = { 16, 5 };
	struct type_store *s = type_store_new();
	struct type_resolved r;

	ck_assert_ptr_null(resolve(s, &t, two, 2, &r));
	has_name(r.type, "integer(kind=4) (5,6)");
	ck_assert_ptr_null(resolve(s, &t, none, 2, &r));
	has_name(r.type, "integer(kind=4)");
	ck_assert_str_eq(resolve(s, &t, many, 2, &r), "its rank makes no sense");
	type_store_free(s);
}
END_TEST

START_TEST(names_given_to_types_stay)
{
	static const struct type_dynamic d = { .count = EXPRESSION(0) };
	static const struct type array = { .kind = TYPE_ARRAY, .target = &type_int, .dynamic = &d };
	static const struct type name = { .kind = TYPE_ALIAS, .name = "row", .target = &array };
	static const int64_t four[] = { 4 };
	struct type_store *s = type_store_new();
	struct type_resolved r;

	ck_assert_ptr_null(resolve(s, &name, four, 1, &r));
	has_name(r.type, "row");
	ck_assert_uint_eq(type_size(r.type), 16);
	type_store_free(s);
}
END_TEST

START_TEST(lengths_of_texts_are_reckoned)
{
	static const struct type_dynamic d = { .length = EXPRESSION(0) };
	static const struct type t = { .kind = TYPE_ARRAY,
				       .target = &type_char,
				       .lower = 1,
				       .is_fortran = true,
				       .is_string = true,
				       .dynamic = &d };
	static const int64_t five[] = { 5 }, less[] = { -5 };
	struct type_store *s = type_store_new();
	struct type_resolved r;

	has_name(&t, "character*(*)");
	ck_assert_ptr_null(resolve(s, &t, five, 1, &r));
	has_name(r.type, "character*5");
	ck_assert_ptr_null(resolve(s, &t, less, 1, &r));
	has_name(r.type, "character*0");
	type_store_free(s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("type_resolve");

	unit_case(s, "arrays", what_is_known_stays_as_it_is, bounds_become_numbers,
		  what_is_not_known_is_a_reason, descriptors_say_where_elements_are,
		  ranks_are_reckoned, names_given_to_types_stay, lengths_of_texts_are_reckoned);
	return unit_run(s);
}
