/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/lock_names.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/values/lock_path.h"
#include "debugger/values/lock_search.h"
#include "debugger/values/lookup.h"

enum { THREADS_MAX = 4 }; /* whose frames are searched for one lock */

struct naming {
	struct session *session;
	struct picture *picture;
	const struct snapshot *from;
	VEC(struct lock_name) locks;
	bool failed; /* memory is out */
};

/* ---- global variables --------------------------------------------------------------------- */

bool lock_names_global(struct session *s, taddr object, taddr pc, struct buf *out,
		       struct lock_global *ret)
{
	const struct scope scope = { .session = s, .pc = pc, .exact = true };
	const struct location_frame nowhere = { .target = s->target };
	struct location where;
	struct symbol symbol;
	struct variable v;

	if (!symbol_at(s->symbols, object, &symbol) || symbol.function)
		return false;
	AUTO_FREE char *name = symbol_demangle(symbol.name);
	out->failed |= !name;
	if (!name || !variables_find_global(s->variables, VARIABLE_DATA, pc, NULL, name, &v))
		return false;
	variables_locate(s->variables, &v, &nowhere, &where);
	*ret = (struct lock_global){ v.type, object - symbol.addr, lookup_is_fortran(&scope) };
	buf_adds(out, ret->fortran ? v.name : name);
	/* Files may have variables of their own of that name. */
	return where.n == 1 && where.parts[0].kind == LOCATION_MEMORY &&
	       where.parts[0].addr == symbol.addr && v.type && !type_is_dynamic(v.type);
}

static void name_global(struct naming *n, struct lock_name *lock, taddr pc)
{
	AUTO_BUF text = { 0 };
	struct lock_global g;

	bool known = lock_names_global(n->session, lock->object, pc, &text, &g) &&
		     lock_path_add(&text, g.type, g.offset, false, g.fortran);
	n->failed |= text.failed;
	if (!known)
		return;
	lock->name = text.failed ? NULL : strdup(buf_text(&text));
	lock->global = true;
	n->failed |= !lock->name;
}

/* ---- all of them -------------------------------------------------------------------------- */

static bool is_asked(enum wait_kind kind, taddr object, const char *name)
{
	return (kind == WAIT_LOCK || kind == WAIT_NEST_LOCK || kind == WAIT_MUTEX) && object &&
	       !name;
}

/* Where the name of what a thread waits for belongs: a mutex has that of the function called. */
static char **name_of(struct picture_wait *w)
{
	return w->kind == WAIT_MUTEX ? &w->variable : &w->name;
}

static struct lock_name *find_lock(struct naming *n, taddr object)
{
	vec_for_each (lock, &n->locks) {
		if (lock->object == object)
			return lock;
	}
	return NULL;
}

static void add_lock(struct naming *n, taddr object, taddr pc)
{
	struct lock_name lock = { .object = object };

	if (n->failed || find_lock(n, object))
		return;
	name_global(n, &lock, pc);
	if (n->failed || !vec_push(&n->locks, lock)) {
		n->failed = true;
		free(lock.name);
	}
}

/* Two locks of one name are told apart by where they are. */
static void make_distinct(struct naming *n)
{
	for (size_t i = 0; i < n->locks.len && !n->failed; i++) {
		struct lock_name *lock = &n->locks.items[i];
		bool shared = false;
		for (size_t k = 0; k < n->locks.len && lock->name; k++) {
			const char *other = n->locks.items[k].name;
			size_t len = strlen(lock->name);
			shared |= k != i && other && !strncmp(other, lock->name, len) &&
				  (!other[len] || !strncmp(other + len, " at 0x", 6));
		}
		if (!shared || lock->global)
			continue;
		AUTO_BUF text = { 0 };
		buf_addf(&text, "%s at 0x%" PRIxTADDR, lock->name, lock->object);
		char *name = text.failed ? NULL : strdup(buf_text(&text));
		n->failed |= !name;
		if (!name)
			continue;
		free(lock->name);
		lock->name = name;
	}
}

static void set_name(struct naming *n, enum wait_kind kind, taddr object, char **ret)
{
	const struct lock_name *lock = is_asked(kind, object, *ret) ? find_lock(n, object) : NULL;

	if (!lock || !lock->name)
		return;
	*ret = strdup(lock->name);
	n->failed |= !*ret;
}

static void search_thread(struct naming *n, taddr object, int thread)
{
	struct lock_name *lock = find_lock(n, object);

	if (lock_name_is_found(lock) || lock->searched++ >= THREADS_MAX)
		return;
	struct error *err = lock_search(n->session, n->from, thread, lock);
	n->failed |= err != NULL;
	error_ignore(err);
}

static void search_all(struct naming *n)
{
	struct picture *p = n->picture;

	for (size_t i = 0; i < p->threads.len && !n->failed; i++) {
		struct picture_wait *w = &p->threads.items[i].wait;
		if (is_asked(w->kind, w->object, *name_of(w)))
			search_thread(n, w->object, (int)i);
	}
	vec_for_each (hold, &p->holds) {
		if (!n->failed && is_asked(hold->kind, hold->object, hold->name))
			search_thread(n, hold->object, hold->thread);
	}
	make_distinct(n);
}

struct error *lock_names_find(void *context, struct session *s, struct snapshot *of)
{
	struct naming n = { .session = s, .picture = &of->picture, .from = of };
	struct picture *p = n.picture;

	(void)context;
	vec_for_each (th, &p->threads) {
		if (is_asked(th->wait.kind, th->wait.object, *name_of(&th->wait)))
			add_lock(&n, th->wait.object, th->wait.place.pc);
	}
	vec_for_each (hold, &p->holds) {
		if (is_asked(hold->kind, hold->object, hold->name))
			add_lock(&n, hold->object, hold->place.pc);
	}
	if (!n.failed)
		search_all(&n);
	vec_for_each (th, &p->threads)
		set_name(&n, th->wait.kind, th->wait.object, name_of(&th->wait));
	vec_for_each (hold, &p->holds)
		set_name(&n, hold->kind, hold->object, &hold->name);
	vec_for_each (lock, &n.locks)
		free(lock->name);
	vec_fini(&n.locks);
	return n.failed ? &error_nomem : NULL;
}
