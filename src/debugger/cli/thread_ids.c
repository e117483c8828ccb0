/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/thread_ids.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "debugger/cli/team_ids.h"
#include "debugger/control/team_names.h"

struct numbered_thread *thread_ids_find(struct cli *c, const struct thread_id *id,
					struct debuggee *ret)
{
	if (!forks_debuggee(c->control, id->inferior, ret) || !ret->session)
		return NULL;
	return threads_by_number(ret->threads, id->number);
}

void thread_ids_add(const struct cli *c, struct buf *out, const struct thread_id *id)
{
	if (forks_are_many(c->control))
		buf_addf(out, "%d.", id->inferior);
	buf_addf(out, "%d", id->number);
}

/* ---- all -------------------------------------------------------------------------------- */

static struct error *add_all_of(struct cli *c, int inferior, bool ascending, struct thread_ids *ret)
{
	struct debuggee d;

	if (!forks_debuggee(c->control, inferior, &d))
		return NULL;
	for (size_t i = 0, n = d.threads->items.len; i < n; i++) {
		const struct numbered_thread *th =
			&d.threads->items.items[ascending ? i : n - 1 - i];
		const struct thread_id id = { inferior, th->number };
		if (!th->ended && !vec_push(ret, id))
			return &error_nomem;
	}
	return NULL;
}

static struct error *add_all(struct cli *c, bool ascending, struct thread_ids *ret)
{
	const int last = c->control->last_inferior;
	struct error *err = NULL;

	for (int i = 0; !err && i <= last; i++)
		err = add_all_of(c, ascending ? i : last - i, ascending, ret);
	return err;
}

/* ---- numbers ---------------------------------------------------------------------------- */

/* "2.3-5", "3", "2.*", "*": what is between two blanks. */
struct range {
	long inferior, first, last;
	bool all, dotted;
};

/* false: it is none. */
static bool parse_range(const struct cli *c, const char *text, const char **ret_end,
			struct range *ret)
{
	char *end = (char *)text;

	*ret = (struct range){ .inferior = c->control->inferior };
	if (isdigit((unsigned char)*text))
		ret->first = ret->last = strtol(text, &end, 10);
	if (end != text && *end == '.') {
		text = end + 1;
		ret->dotted = true;
		ret->inferior = ret->first;
		ret->first = ret->last = strtol(text, &end, 10);
	}
	if (*text == '*') {
		ret->all = true;
		end = (char *)text + 1;
	} else if (*end == '-' && isdigit((unsigned char)end[1])) {
		ret->last = strtol(end + 1, &end, 10);
	}
	*ret_end = end;
	return (ret->all || isdigit((unsigned char)*text)) &&
	       (!*end || isspace((unsigned char)*end));
}

static void warn_unknown(struct cli *c, const struct range *r, long number)
{
	if (r->inferior != c->control->inferior || forks_are_many(c->control))
		cli_warn(c, "Unknown thread %ld.%ld", r->inferior, number);
	else
		cli_warn(c, "Unknown thread %ld", number);
}

static struct error *check_range(const struct range *r)
{
	if (r->inferior < 1 || r->inferior > INT_MAX)
		return error_new(ERROR_USAGE, "Invalid thread ID: %ld.%ld", r->inferior, r->first);
	if (!r->all && (r->first < 1 || r->first > INT_MAX || r->last > INT_MAX))
		return error_new(ERROR_USAGE, "Invalid thread ID: %ld",
				 r->first < 1 ? r->first : r->last);
	return r->last < r->first ? error_new(ERROR_USAGE, "inverted range") : NULL;
}

static struct team_range team_range_of(const struct range *r)
{
	return (struct team_range){ r->inferior, r->all ? -1 : r->first, r->last };
}

static struct error *add_team(struct cli *c, const struct team_range *team, struct thread_ids *ret)
{
	struct ints numbers = { 0 };
	struct error *err = team_ids_find(c, team, &numbers);

	vec_for_each (number, &numbers) {
		const struct thread_id id = { c->control->inferior, *number };
		if (!err && !vec_push(ret, id))
			err = &error_nomem;
	}
	vec_fini(&numbers);
	return err;
}

static struct error *add_range(struct cli *c, const struct range *r, struct thread_ids *ret)
{
	const struct team_range team = team_range_of(r);
	struct debuggee d;

	if (r->dotted && team_ids_is_team(c, r->inferior))
		return add_team(c, &team, ret);
	struct error *err = check_range(r);
	if (err)
		return err;
	if (r->all)
		return add_all_of(c, (int)r->inferior, true, ret);
	const bool known = forks_debuggee(c->control, (int)r->inferior, &d);
	const long most = known ? (long)d.threads->items.len : 0;
	for (long n = r->first; n <= r->last && n <= most; n++) {
		const struct thread_id id = { (int)r->inferior, (int)n };
		if (!threads_by_number(d.threads, (int)n))
			warn_unknown(c, r, n);
		else if (!vec_push(ret, id))
			return &error_nomem;
	}
	if (r->last > most)
		warn_unknown(c, r, r->first > most ? r->first : most + 1);
	return NULL;
}

/* ---- what is typed ---------------------------------------------------------------------- */

/* The word stands at the beginning of text. */
static bool skip_word(const char **text, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*text, word, len) != 0 ||
	    ((*text)[len] && !isspace((unsigned char)(*text)[len])))
		return false;
	*text += len + strspn(*text + len, " \t");
	return true;
}

struct error *thread_ids_parse(struct cli *c, const char *text, struct thread_ids *ret,
			       const char **ret_rest)
{
	struct error *err = NULL;

	if (skip_word(&text, "all")) {
		bool ascending = skip_word(&text, "-ascending");
		*ret_rest = text;
		return add_all(c, ascending, ret);
	}
	if (skip_word(&text, "team")) {
		struct team_range team = { .first = -1 };
		*ret_rest = text;
		err = team_ids_current(c, &team.team);
		return err ? err : add_team(c, &team, ret);
	}
	while (!err && (isdigit((unsigned char)*text) || *text == '*')) {
		AUTO_BUF several = { 0 };
		size_t len = team_names_expand(text, &several);
		struct range range;
		const char *end;
		if (len && several.len) {
			text += len;
			err = thread_ids_parse(c, buf_text(&several), ret, &end);
			if (!err && *end)
				return error_new(ERROR_USAGE, "Invalid thread ID: %s", end);
			continue;
		}
		if (!parse_range(c, text, &end, &range))
			return error_new(ERROR_USAGE, "Invalid thread ID: %s", text);
		err = add_range(c, &range, ret);
		text = end + strspn(end, " \t");
	}
	*ret_rest = text;
	return err;
}

struct error *thread_ids_of_team(struct cli *c, long team, struct thread_ids *ret)
{
	const struct team_range all = { .team = team, .first = -1 };

	return add_team(c, &all, ret);
}

struct error *thread_ids_select(struct cli *c, const struct thread_id *id)
{
	struct debuggee d;
	struct error *err = NULL;

	/* What cannot be selected leaves all as it is. */
	if (forks_debuggee(c->control, id->inferior, &d) && !thread_ids_find(c, id, &d)) {
		AUTO_BUF text = { 0 };
		thread_ids_add(c, &text, id);
		return error_new(ERROR_NOT_FOUND, "Unknown thread %s: 'info threads' lists them.",
				 buf_text(&text));
	}
	if (id->inferior != c->control->inferior)
		err = forks_select(c->control, id->inferior);
	return err ? err : control_select_thread(c->control, id->number);
}

static struct error *take_member(struct cli *c, const struct range *r, struct thread_id *ret)
{
	const struct team_range team = team_range_of(r);
	struct thread_ids ids = { 0 };
	struct error *err = add_team(c, &team, &ids);

	if (!err)
		*ret = *ids.items;
	vec_fini(&ids);
	return err;
}

struct error *thread_ids_parse_one(struct cli *c, const char *text, bool team,
				   struct thread_id *ret)
{
	AUTO_BUF expanded = { 0 };
	const size_t brackets = team_names_expand(text, &expanded);
	const char *name = brackets && !text[brackets] ? buf_text(&expanded) : text, *end;
	struct range range;
	bool one = parse_range(c, name, &end, &range) && !end[strspn(end, " ")] && !range.all &&
		   range.first == range.last;

	if (one && range.dotted && (team || team_ids_is_team(c, range.inferior)))
		return take_member(c, &range, ret);
	if (!one || range.first < 1 || range.first > INT_MAX || range.inferior < 1 ||
	    range.inferior > INT_MAX)
		return error_new(ERROR_USAGE, "Invalid thread ID: %s", text);
	*ret = (struct thread_id){ (int)range.inferior, (int)range.first };
	return NULL;
}
