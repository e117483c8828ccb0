/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/locks.h"

#include <string.h>

#include "debugger/look.h"
#include "ompd/picture/pthreads.h"

const struct lock_list *locks_of(const struct scope *s)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = true,
						  .holds = true,
						  .locks = true };
	struct session *session = s->session;
	AUTO_LOOK look = { 0 };

	if (!session || !session->target->threads.len)
		return NULL;
	if (session->locks && session->locks_then == session->target->changes)
		return session->locks;
	const struct picture *p = session->picture;
	struct error *err = p ? NULL : look_once(session, &options, &look);
	error_ignore(err); /* the value is shown without that */
	if (err)
		return NULL;
	lock_list_free(session->locks);
	session->locks = lock_list_new(p ? p : &look.snapshot->picture);
	session->locks_then = session->target->changes;
	return session->locks;
}

/* ---- of OpenMP -------------------------------------------------------------------------- */

/* libgomp.h: struct omp_nest_lock_t { gomp_mutex_t lock; int count; void *owner; } */
enum { GOMP_COUNT = 4, GOMP_NEST_SIZE = 16 };

static void describe_lock(const struct scope *s, const struct value *v, bool nested,
			  struct buf *out)
{
	const struct lock_list *l = locks_of(s);
	struct lock_asked lock = { .at = v->addr };
	struct memory *memory = s->session->target->memory;

	if (!l || !memory_try_read(memory, lock.at, &lock.word, sizeof(lock.word)))
		return;
	if (nested && type_size(v->type) == GOMP_NEST_SIZE &&
	    !memory_try_read(memory, lock.at + GOMP_COUNT, &lock.count, sizeof(lock.count)))
		lock.count = 0;
	buf_adds(out, nested ? "omp_nest_lock_t (" : "omp_lock_t (");
	lock_list_add_lock(l, &lock, out);
	buf_addc(out, ')');
}

static void describe_plain(const struct scope *s, const struct value *v, struct buf *out)
{
	describe_lock(s, v, false, out);
}

static void describe_nested(const struct scope *s, const struct value *v, struct buf *out)
{
	describe_lock(s, v, true, out);
}

/* ---- of the C library ------------------------------------------------------------------- */

static void describe_mutex(const struct scope *s, const struct value *v, struct buf *out)
{
	uint32_t word = 0;
	struct target *t = s->session->target;

	if (!memory_try_read(t->memory, v->addr, &word, sizeof(word)) || !word)
		return;
	pid_t owner = pthreads_mutex_owner(t, v->addr);
	const struct lock_list *l = owner ? locks_of(s) : NULL;
	if (!l)
		return;
	buf_adds(out, "pthread_mutex_t (");
	lock_list_add_mutex(l, v->addr, owner, out);
	buf_addc(out, ')');
}

static const struct {
	const char *type;
	void (*describe)(const struct scope *s, const struct value *v, struct buf *out);
} rows[] = {
	{ "omp_lock_t", describe_plain },
	{ "omp_nest_lock_t", describe_nested },
	{ "pthread_mutex_t", describe_mutex },
};

/* A typedef in C, of a structure that may have the same name. */
static bool has_name(const struct type *t, const char *name)
{
	for (; t; t = t->target) {
		if (t->name && !strcmp(t->name, name))
			return true;
		if (t == type_strip(t))
			return false;
	}
	return false;
}

bool locks_is_lock(const struct type *t)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (has_name(t, rows[i].type))
			return true;
	}
	return false;
}

void locks_describe(const struct scope *s, const struct value *v, struct buf *out)
{
	if (!s->session || v->place != VALUE_MEMORY || v->missing)
		return;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (has_name(v->type, rows[i].type))
			return rows[i].describe(s, v, out);
	}
}
