/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/team_hold.h"

#include <string.h>

#include "debugger/control/team_names.h"

static struct numbered_thread *known(struct control *c, const struct picture *p, int thread)
{
	return threads_by_lwp(&c->threads, p->threads.items[thread].lwp);
}

/* At a stop there may be threads whose making nobody was told of. */
static struct error *look(struct control *c, struct look *ret)
{
	struct error *err = team_look(c, false, ret);

	return err ? err : threads_update(&c->threads, c->live->target);
}

/* A team may have a place for one that knows nothing of it yet. */
static bool add_place(const struct picture *p, int thread, struct buf *ret)
{
	for (size_t i = 0; i < p->regions.len; i++) {
		const struct picture_region *r = &p->regions.items[i];
		for (size_t number = 0; number < r->members.len; number++) {
			if (r->members.items[number] != thread)
				continue;
			buf_addf(ret, "%ld.%zu", picture_region_id(p, (int)i), number);
			return true;
		}
	}
	return false;
}

/* "0.1, thread 3" */
static void add_names(struct control *c, const struct picture *p, const struct ints *threads,
		      struct buf *ret)
{
	vec_for_each (thread, threads) {
		buf_adds(ret, thread == threads->items ? "" : ", ");
		if (picture_is_numbered(&p->threads.items[*thread]))
			picture_add_thread_name(ret, p, *thread);
		else if (!add_place(p, *thread, ret))
			buf_addf(ret, "thread %d", known(c, p, *thread)->number);
	}
}

struct error *team_hold(struct control *c, const char *names, struct buf *ret)
{
	AUTO_LOOK l = { 0 };
	AUTO_INTS threads = { 0 };
	struct error *err = look(c, &l);

	if (!err)
		err = team_names_parse(c, &l.snapshot->picture, names, &threads);
	if (err)
		return err;
	vec_for_each (thread, &threads) {
		struct numbered_thread *th = known(c, &l.snapshot->picture, *thread);
		if (th)
			th->frozen = true;
	}
	add_names(c, &l.snapshot->picture, &threads, ret);
	return NULL;
}

/* Also those that have no name in OpenMP. */
static struct error *find_held(struct control *c, struct look *l, struct ints *ret)
{
	struct error *err = look(c, l);

	if (err)
		return err;
	for (size_t i = 0; i < l->snapshot->picture.threads.len; i++) {
		const struct numbered_thread *th = known(c, &l->snapshot->picture, (int)i);
		if (th && th->frozen && !vec_push(ret, (int)i))
			return &error_nomem;
	}
	return NULL;
}

struct error *team_release(struct control *c, const char *names, struct buf *ret)
{
	AUTO_LOOK l = { 0 };
	AUTO_INTS threads = { 0 }, held = { 0 }, released = { 0 };
	const bool all = !*names || !strcmp(names, "all");
	struct error *err = find_held(c, &l, &held);

	if (!err && !all)
		err = team_names_parse(c, &l.snapshot->picture, names, &threads);
	if (err)
		return err;
	const struct ints *which = all ? &held : &threads;
	for (size_t i = 0; !err && i < which->len; i++) {
		struct numbered_thread *th = known(c, &l.snapshot->picture, which->items[i]);
		if (!th || !th->frozen)
			continue;
		th->frozen = false;
		err = vec_push(&released, which->items[i]) ? NULL : &error_nomem;
	}
	add_names(c, &l.snapshot->picture, &released, ret);
	return err;
}

struct error *team_held(struct control *c, struct buf *ret)
{
	AUTO_LOOK l = { 0 };
	AUTO_INTS held = { 0 };
	struct error *err = find_held(c, &l, &held);

	if (!err)
		add_names(c, &l.snapshot->picture, &held, ret);
	return err;
}
