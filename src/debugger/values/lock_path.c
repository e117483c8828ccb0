/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/lock_path.h"

#include <string.h>

#include "debugger/values/containers.h"
#include "debugger/values/locks.h"

enum { NESTING_MAX = 16 }; /* structures and arrays within each other */

bool lock_path_is_library(const struct type *t)
{
	return t->name && !strncmp(t->name, "std::", 5);
}

bool lock_path_is_sequence(const struct type *t)
{
	const struct type *s = type_strip(t);

	return s->kind == TYPE_STRUCT && (container_is(s, "vector") || container_is(s, "array"));
}

bool lock_path_is_lock(const struct type *t)
{
	static const char end[] = "mutex";
	const struct type *s = type_strip(t);
	size_t len = s->name ? strlen(s->name) : 0;

	/* std::mutex and the like begin with one of the C library's. */
	return locks_is_lock(t) ||
	       (s->kind == TYPE_STRUCT && len > strlen(end) && lock_path_is_library(s) &&
		!strstr(s->name, "shared") && !strcmp(s->name + len - strlen(end), end));
}

static const struct type_member *member_at(const struct type *t, uint64_t offset)
{
	size_t n;
	const struct type_member *members = type_members(t, &n);

	for (size_t i = 0; i < n; i++) {
		const struct type_member *m = &members[i];
		bool plain = m->kind != MEMBER_STATIC && !m->bit_size && !m->is_virtual &&
			     !m->where && !type_is_dynamic(m->type);
		if (plain && offset >= m->offset && offset - m->offset < type_size(m->type))
			return m;
	}
	return NULL;
}

bool lock_path_is_row(const struct type *array, bool fortran)
{
	return array->target && type_stride(array) > 0 &&
	       !(fortran && (array->is_row || type_strip(array->target)->is_row));
}

/* A lock of Fortran is a number. */
static bool is_lock(const struct type *t, bool fortran)
{
	return lock_path_is_lock(t) || (fortran && type_strip(t)->kind == TYPE_INT);
}

static bool is_scalar(const struct type *t, bool fortran)
{
	(void)fortran;
	return type_is_scalar(type_strip(t));
}

static bool add(struct buf *out, const struct type *t, uint64_t offset, bool pointed, bool fortran,
		bool (*is)(const struct type *t, bool fortran))
{
	for (int i = 0; i < NESTING_MAX; i++) {
		const struct type *s = type_strip(t);
		if (offset == 0 && is(t, fortran))
			return true;
		if (s->kind == TYPE_STRUCT && !lock_path_is_library(s)) {
			const struct type_member *m = member_at(s, offset);
			if (!m)
				return false;
			if (m->kind == MEMBER_FIELD && m->name) {
				buf_addf(out, "%s%s",
					 pointed   ? "->"
					 : fortran ? "%"
						   : ".",
					 m->name);
				pointed = false;
			}
			offset -= m->offset;
			t = m->type;
		} else if (s->kind == TYPE_ARRAY && lock_path_is_row(s, fortran)) {
			uint64_t stride = (uint64_t)type_stride(s), index = offset / stride;
			if (index >= s->count || pointed)
				return false;
			buf_addf(out, fortran ? "(%" PRIi64 ")" : "[%" PRIi64 "]",
				 (int64_t)index + s->lower);
			offset %= stride;
			t = s->target;
		} else {
			return false;
		}
	}
	return false;
}

bool lock_path_add(struct buf *out, const struct type *t, uint64_t offset, bool pointed,
		   bool fortran)
{
	return add(out, t, offset, pointed, fortran, is_lock);
}

bool lock_path_add_scalar(struct buf *out, const struct type *t, uint64_t offset, bool fortran)
{
	return add(out, t, offset, false, fortran, is_scalar);
}
