/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/team_ids.h"

#include "debugger/look.h"

static struct error *look(struct cli *c, struct look *ret)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = true };
	struct error *err = control_need_stack(c->control);

	return err ? err : look_once(c->control->live, &options, ret);
}

static struct error *add_member(struct cli *c, const struct picture *p, int thread,
				struct ints *ret)
{
	const struct picture_thread *th = picture_thread(p, thread);
	const struct numbered_thread *numbered =
		th ? threads_by_lwp(&c->control->threads, th->lwp) : NULL;

	return !numbered || vec_push(ret, numbered->number) ? NULL : &error_nomem;
}

struct error *team_ids_find(struct cli *c, const struct team_range *r, struct ints *ret)
{
	AUTO_LOOK l = { 0 };
	struct error *err = look(c, &l);

	if (err)
		return err;
	const struct picture *p = &l.snapshot->picture;
	const struct picture_region *region = picture_region(p, picture_region_by_id(p, r->team));
	if (!region)
		return error_new(ERROR_NOT_FOUND, "there is no team %ld: 'omp regions' lists them",
				 r->team);
	const long size = (long)region->members.len;
	const long last = r->first < 0 || r->last >= size ? size - 1 : r->last;
	for (long n = r->first < 0 ? 0 : r->first; n <= last && !err; n++)
		err = add_member(c, p, region->members.items[n], ret);
	if (err || ret->len)
		return err;
	return error_new(ERROR_NOT_FOUND, "there is no thread %ld.%ld: team %ld has %ld", r->team,
			 r->first, r->team, size);
}

bool team_ids_is_team(struct cli *c, long team)
{
	AUTO_LOOK l = { 0 };
	struct error *err = forks_are_many(c->control) ? NULL : look(c, &l);

	error_ignore(err); /* what is meant then says the same */
	return l.snapshot && picture_region_by_id(&l.snapshot->picture, team) >= 0;
}

struct error *team_ids_current(struct cli *c, long *ret)
{
	AUTO_LOOK l = { 0 };
	struct error *err = look(c, &l);

	if (err)
		return err;
	vec_for_each (th, &l.snapshot->picture.threads) {
		if (th->lwp != c->control->selected || !picture_is_numbered(th))
			continue;
		*ret = picture_region_id(&l.snapshot->picture, th->region);
		return NULL;
	}
	return error_new(ERROR_USAGE, "the selected thread is in no parallel region");
}

void team_ids_for_each(struct cli *c, void (*found)(void *context, const char *name), void *context)
{
	AUTO_LOOK l = { 0 };
	struct error *err = c->control->live && c->control->stands ? look(c, &l) : NULL;
	const struct picture *p = l.snapshot ? &l.snapshot->picture : NULL;

	error_ignore(err);
	for (int i = 0; p && i < (int)p->regions.len; i++) {
		AUTO_BUF name = { 0 };
		buf_addf(&name, "%ld.*", picture_region_id(p, i));
		found(context, buf_text(&name));
	}
	for (int i = 0; p && i < (int)p->threads.len; i++) {
		AUTO_BUF name = { 0 };
		if (!picture_is_numbered(&p->threads.items[i]))
			continue;
		picture_add_thread_name(&name, p, i);
		found(context, buf_text(&name));
	}
}
