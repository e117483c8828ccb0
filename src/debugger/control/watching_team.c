/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/watching_team.h"

#include <string.h>

#include "debugger/control/members.h"
#include "debugger/merge.h"

/* A copy, before it is known whether it is watched. */
struct found {
	struct watching_cells cells;
	struct value value;
	bool shared; /* the same as of a thread before */
};

static bool same_cells(const struct watching_cells *a, const struct watching_cells *b)
{
	for (size_t i = 0; i < a->len && a->len == b->len; i++) {
		if (a->items[i].addr != b->items[i].addr || a->items[i].size != b->items[i].size)
			return false;
	}
	return a->len == b->len;
}

static struct error *find(struct control *c, const struct breakpoint *b, struct member *m,
			  struct found *ret)
{
	struct scope scope;
	struct error *err = member_scope(m, &scope);

	return err ? err : watching_find(c, b, &scope, &ret->cells, &ret->value);
}

static pid_t lwp_of(const struct members *all, const struct member *m)
{
	return all->look.snapshot->picture.threads.items[m->thread].lwp;
}

/* Those that have no copy, "0.[2,5]", with the reason of the first of them. */
struct absent {
	struct ints threads; /* owned */
	struct error *why;   /* owned; NULL: they are in other functions */
};

static void absent_fini(struct absent *a)
{
	vec_fini(&a->threads);
	error_free(a->why);
}

static void warn(const struct control *c, const struct members *all, const struct absent *a)
{
	const struct picture *p = &all->look.snapshot->picture;
	AUTO_BUF set = { 0 }, why = { 0 };

	if (!a->threads.len)
		return;
	merge_add_thread_set(&set, p, a->threads.items, a->threads.len);
	if (a->why)
		buf_adds(&why, error_message(a->why));
	else
		members_add_absence(all, &why);
	control_warn(c, error_new(ERROR_USAGE, "nothing is watched for %s: %s", buf_text(&set),
				  buf_text(&why)));
}

/* Adds what is a new place; the scope's registers have to be read anew for its end. */
static struct error *take(struct control *c, struct breakpoint *b, const struct members *all,
			  struct member *m, const struct found *f)
{
	struct scope scope;
	struct error *err = watching_add(b, &f->cells, &f->value);

	if (err)
		return err;
	b->copies.items[b->copies.len - 1].lwp = lwp_of(all, m);
	err = member_scope(m, &scope);
	return err ? err : watching_begin(c, b, &scope);
}

static struct error *find_all(struct control *c, struct breakpoint *b, struct members *all,
			      struct found *found, struct absent *absent)
{
	for (size_t i = 0; i < all->items.len; i++) {
		struct member *m = &all->items.items[i];
		struct error *err = m->stands_there ? find(c, b, m, &found[i]) : NULL;
		/* What is wrong with the text is wrong for everyone. */
		if (err && lwp_of(all, m) == c->selected)
			return err;
		if (err || !m->stands_there) {
			found[i].cells.len = 0;
			if (!vec_push(&absent->threads, m->thread))
				return &error_nomem;
		}
		if (err && !absent->why)
			absent->why = err;
		else
			error_ignore(err);
		for (size_t j = 0; j < i && found[i].cells.len; j++)
			found[i].shared |= same_cells(&found[j].cells, &found[i].cells);
	}
	return NULL;
}

static struct error *take_all(struct control *c, struct breakpoint *b, struct members *all,
			      const struct found *found)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < all->items.len; i++) {
		if (found[i].cells.len && !found[i].shared)
			err = take(c, b, all, &all->items.items[i], &found[i]);
	}
	return err;
}

/* A variable with an address of its own: also those have it who are in other functions. */
static bool is_static(const struct control *c, const struct breakpoint *b, const struct found *f)
{
	struct symbol symbol;

	return b->copies.len == 1 && !b->copies.items[0].frame && f->cells.len &&
	       symbol_at(c->live->symbols, f->cells.items[0].addr, &symbol) && !symbol.function;
}

struct error *watching_team(struct control *c, struct breakpoint *b, bool *ret_shared)
{
	AUTO_MEMBERS all = { 0 };
	AUTO(absent_fini) struct absent absent = { 0 };
	struct error *err = control_need_live(c);

	*ret_shared = false;
	if (!err)
		err = members_find(c, false, &all);
	if (err)
		return err;
	AUTO_FREE struct found *found = calloc(all.items.len + 1, sizeof(*found));
	err = found ? find_all(c, b, &all, found, &absent) : &error_nomem;
	if (!err)
		err = take_all(c, b, &all, found);
	if (err)
		return err;
	for (size_t i = 0; i < all.items.len; i++)
		*ret_shared |= found[i].shared || (all.items.len > 1 && is_static(c, b, &found[i]));
	if (b->copies.len > 1 || !*ret_shared)
		warn(c, &all, &absent);
	else if (!b->copies.items[0].frame)
		b->copies.items[0].lwp = 0; /* it is everybody's */
	return NULL;
}
