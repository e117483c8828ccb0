/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/team_names.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "debugger/values/lock_names.h"

struct error *team_look(struct control *c, bool holds, struct look *ret)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = true,
						  .judged = true,
						  .footprints = true,
						  .holds = holds,
						  .more = lock_names_find };
	struct error *err = control_need_live(c);

	if (!err)
		err = look_once(c->live, &options, ret);
	if (err)
		return err;
	threads_mark_held(&c->threads, &ret->snapshot->picture);
	return snapshot_name(ret->snapshot);
}

int team_thread(const struct picture *p, pid_t lwp)
{
	for (size_t i = 0; i < p->threads.len; i++) {
		if (p->threads.items[i].lwp == lwp)
			return (int)i;
	}
	return -1;
}

int team_current(const struct control *c, const struct picture *p)
{
	const struct picture_thread *th = picture_thread(p, team_thread(p, c->selected));

	return picture_is_numbered(th) ? th->region : -1;
}

struct error *team_need_current(const struct control *c, const struct picture *p, int *ret)
{
	*ret = team_current(c, p);
	return *ret >= 0 ? NULL
			 : error_new(ERROR_USAGE, "the selected thread is in no parallel region: "
						  "'thread N' selects one that is");
}

/* ---- what is typed ---------------------------------------------------------------------- */

struct name {
	long team, first, last; /* team -1: the current one; first -1: all of it */
};

static bool parse_number(const char **text, long *ret)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	*ret = strtol(*text, &end, 10);
	*text = end;
	return *ret <= INT_MAX;
}

/* A word: "3", "0.2", "0.2-5", "1.*". */
static bool parse(const char **text, struct name *ret)
{
	const char *at = *text;

	*ret = (struct name){ .team = -1 };
	if (!parse_number(&at, &ret->first))
		return false;
	if (*at == '.') {
		at++;
		ret->team = ret->first;
		ret->first = -1;
		if (*at == '*')
			at++;
		else if (!parse_number(&at, &ret->first))
			return false;
	}
	ret->last = ret->first;
	if (*at == '-' && ret->first >= 0) {
		at++;
		if (!parse_number(&at, &ret->last))
			return false;
	}
	if (*at && !isspace((unsigned char)*at))
		return false;
	*text = at + strspn(at, " \t");
	return true;
}

size_t team_names_expand(const char *text, struct buf *out)
{
	const size_t len = strcspn(text, " \t"), team = strspn(text, "0123456789");
	const char *at = text + team + 2, *end = text + len - 1;

	if (!team || team + 3 > len || strncmp(text + team, ".[", 2) != 0 || *end != ']')
		return 0;
	while (at < end) {
		size_t n = strcspn(at, ",]");
		buf_addf(out, "%.*s.%.*s ", (int)team, text, (int)n, at);
		at += n + 1;
	}
	return len + strspn(text + len, " \t");
}

/* What there is instead. */
static struct error *is_unknown(const struct picture *p, long team, long number)
{
	const struct picture_region *r = picture_region(p, picture_region_by_id(p, team));

	if (!r)
		return error_new(ERROR_NOT_FOUND, "there is no team %ld: 'omp' lists them", team);
	return error_new(ERROR_NOT_FOUND, "there is no thread %ld.%ld: team %ld has %ld", team,
			 number, team, r->size);
}

static struct error *add(const struct picture *p, const struct name *n, struct ints *ret)
{
	const struct picture_region *r = picture_region(p, picture_region_by_id(p, n->team));
	const bool all = n->first < 0;
	const long size = r ? (long)r->members.len : 0;

	if (!r)
		return is_unknown(p, n->team, all ? 0 : n->first);
	for (long i = all ? 0 : n->first; i <= (all ? size - 1 : n->last); i++) {
		if (i >= size || r->members.items[i] < 0)
			return is_unknown(p, n->team, i);
		if (!vec_push(ret, r->members.items[i]))
			return &error_nomem;
	}
	return NULL;
}

static struct error *add_all(const struct picture *p, struct ints *ret)
{
	for (size_t i = 0; i < p->threads.len; i++) {
		if (picture_is_numbered(&p->threads.items[i]) && !vec_push(ret, (int)i))
			return &error_nomem;
	}
	return ret->len ? NULL : error_new(ERROR_NOT_FOUND, "no thread is in a parallel region");
}

struct error *team_names_parse(const struct control *c, const struct picture *p, const char *text,
			       struct ints *ret)
{
	struct error *err = NULL;
	struct name name;
	int current = -1;

	if (!*text)
		return error_new(ERROR_USAGE, "which threads? T.N, as 'omp' names them, or all");
	if (!strcmp(text, "all"))
		return add_all(p, ret);
	while (!err && *text) {
		AUTO_BUF several = { 0 };
		size_t len = team_names_expand(text, &several);
		if (len && several.len) {
			text += len;
			err = team_names_parse(c, p, buf_text(&several), ret);
			continue;
		}
		if (!parse(&text, &name))
			return error_new(ERROR_USAGE,
					 "'%s' is no name of a thread: T.N, as in 'omp', or all",
					 text);
		if (name.team < 0)
			err = team_need_current(c, p, &current);
		name.team = name.team < 0 ? current : name.team;
		if (!err)
			err = add(p, &name, ret);
	}
	return err;
}
