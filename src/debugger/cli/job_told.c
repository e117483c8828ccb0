/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_told.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "debugger/job/likeness.h"
#include "debugger/output/format_stop.h"

/* Ranks whose first pieces are equal. */
struct group {
	struct job_rank *first; /* borrowed */
	VEC(long) numbers;
	struct buf key; /* owned */
};

struct groups {
	struct group *items; /* owned, and what they own */
	size_t len, cap;
};

static void groups_fini(struct groups *l)
{
	vec_for_each (g, l) {
		vec_fini(&g->numbers);
		buf_fini(&g->key);
	}
	vec_fini(l);
}

static const struct rank_piece *first_piece(const struct job_rank *r)
{
	return &r->pieces.items[0];
}

/* ---- which are equal -------------------------------------------------------------------- */

static void add_key(struct buf *key, const struct job_rank *r, bool exact)
{
	static const struct lwp_list none = { 0 };
	const struct rank_piece *p = first_piece(r);
	const char *texts[] = { buf_text(&p->text), buf_text(&p->complaint),
				p->failed ? error_message(p->failed) : "",
				p->thread ? p->thread : "" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (exact)
			buf_adds(key, texts[i]);
		else
			likeness_add(key, texts[i], i < 3 ? &r->lwps : &none);
		buf_addc(key, '\n');
	}
}

static bool put(struct groups *l, struct job_rank *r, bool exact)
{
	AUTO_BUF key = { 0 };
	struct group *into = NULL;

	add_key(&key, r, exact);
	vec_for_each (g, l) {
		if (text_same(buf_text(&g->key), buf_text(&key)))
			into = g;
	}
	if (!into) {
		if (!vec_push(l, (struct group){ .first = r }))
			return false;
		into = &l->items[l->len - 1];
		into->key = key;
		key = (struct buf){ 0 };
	}
	return vec_push(&into->numbers, r->number);
}

static int rarest_first(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->numbers.len != y->numbers.len)
		return x->numbers.len < y->numbers.len ? -1 : 1;
	return x->numbers.items[0] < y->numbers.items[0] ? -1 : 1;
}

/* ---- as text ---------------------------------------------------------------------------- */

static void add_ranks(struct buf *out, const struct group *g, bool begins)
{
	buf_addf(out, "%s%s ", begins ? "Rank" : "rank", g->numbers.len > 1 ? "s" : "");
	text_add_ranges(out, g->numbers.items, g->numbers.len, ',');
}

/* How long " (LWP 4711)" or " (process 4711)" is that a text begins with, of one of its threads. */
static size_t number_length(const char *text, const struct lwp_list *lwps)
{
	static const char *const starts[] = { " (LWP ", " (process " };

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		const size_t start = strlen(starts[i]);
		if (!text_starts_with(text, starts[i]))
			continue;
		const size_t len = start + strspn(text + start, "0123456789");
		if (text[len] == ')' && likeness_is_lwp(lwps, strtol(text + start, NULL, 10)))
			return len + 1;
	}
	return 0;
}

/* Says whose it is where that is marked; of several the numbers of one's threads mean nothing. */
static void add_text(struct buf *out, const char *text, const struct group *g)
{
	for (; *text; text++) {
		const size_t skipped =
			g->numbers.len > 1 ? number_length(text, &g->first->lwps) : 0;
		if (skipped) {
			text += skipped - 1;
		} else if (*text == FORMAT_RANK) {
			add_ranks(out, g, true);
			buf_addc(out, ' ');
			text += text_starts_with(text + 1, "Thread");
			buf_addc(out, (char)tolower((unsigned char)text[0]));
		} else {
			buf_addc(out, *text);
		}
	}
}

/* Whether the ranks are all that were asked. */
static bool is_all(const struct job_ranks *all, const struct group *g)
{
	size_t n = 0;

	vec_for_each (r, &all->items)
		n += (*r)->addressed;
	return g->numbers.len == n;
}

static void add_heading(struct cli *c, const struct rank_piece *p, const struct group *g)
{
	if (!p->text.len || strchr(buf_text(&p->text), FORMAT_RANK))
		return;
	style_begin(&c->out, INK_TITLE, &c->style);
	if (p->thread) {
		add_ranks(&c->out, g, true);
		buf_addf(&c->out, " thread %s:", p->thread);
	} else {
		buf_addc(&c->out, '[');
		text_add_ranges(&c->out, g->numbers.items, g->numbers.len, ',');
		buf_adds(&c->out, "]:");
	}
	style_end(&c->out, &c->style);
	const char *end = strchr(buf_text(&p->text), '\n');
	buf_addc(&c->out, p->thread || (end && end[1]) ? '\n' : ' ');
}

/* Messages as they came, each with whose it is in front. */
static void tell_complaint(struct cli *c, const char *text, const struct group *g, bool all)
{
	AUTO_BUF who = { 0 };

	error_ignore(cli_flush(c));
	add_ranks(&who, g, false);
	for (size_t len; *text; text += len) {
		len = strcspn(text, "\n");
		len += text[len] == '\n';
		fprintf(stderr, "%s%s%.*s", all ? "" : buf_text(&who), all ? "" : ": ", (int)len,
			text);
	}
}

/* One that there is already is told, as this one becomes the last. */
static void keep_failure(struct cli *c, const struct error *failed, const struct group *g, bool all,
			 struct error **ret)
{
	AUTO_BUF who = { 0 };

	if (*ret)
		cli_tell_error(c, *ret);
	add_ranks(&who, g, false);
	*ret = error_new(error_code(failed), "%s%s%s", all ? "" : buf_text(&who), all ? "" : ": ",
			 error_message(failed));
}

static void show(struct cli *c, const struct job_ranks *all, const struct group *g,
		 struct error **ret)
{
	const struct rank_piece *p = first_piece(g->first);
	const bool everybody = is_all(all, g) && !p->lost;
	const char *text = buf_text(&p->text);

	if (!everybody)
		add_heading(c, p, g);
	/* The blank line before a stop parts it from what was said before. */
	add_text(&c->out, text, g);
	if (p->text.len && text[p->text.len - 1] != '\n')
		buf_addc(&c->out, '\n');
	if (p->complaint.len)
		tell_complaint(c, buf_text(&p->complaint), g, everybody);
	if (p->failed)
		keep_failure(c, p->failed, g, everybody, ret);
}

/* ---- as objects ------------------------------------------------------------------------- */

/* Lines that are objects, as an array of them. */
static void add_array(struct json *j, const char *key, const char *lines)
{
	json_add_array(j, key);
	for (; *lines; lines += strcspn(lines, "\n") + (strchr(lines, '\n') != NULL)) {
		if (*lines == '{')
			json_add_made(j, NULL, lines);
	}
	json_end(j);
}

static void show_object(struct cli *c, const struct job_rank *r, struct error **ret)
{
	const struct rank_piece *p = first_piece(r);
	struct json j;

	cli_json_begin(c, &j, "rank");
	json_add_integer(&j, "rank", r->number);
	json_add_integer(&j, "pid", r->pid);
	json_add_bool(&j, "done", p->done);
	json_add_string(&j, "thread", p->thread);
	add_array(&j, "answers", buf_text(&p->text));
	json_add_lines(&j, "messages", p->complaint.len ? buf_text(&p->complaint) : NULL);
	json_add_string(&j, "error", p->failed ? error_message(p->failed) : NULL);
	cli_json_end(c, &j);
	if (p->failed && !*ret)
		*ret = error_new(error_code(p->failed), "rank %d: %s", r->number,
				 error_message(p->failed));
}

/* ---- all -------------------------------------------------------------------------------- */

/* The first pieces of all that have one. false: there is none. */
static bool show_first(struct cli *c, struct job_ranks *all, bool exact, struct error **ret)
{
	AUTO(groups_fini) struct groups groups = { 0 };
	bool some = false;

	vec_for_each (r, &all->items) {
		if (!(*r)->pieces.len)
			continue;
		some = true;
		if (c->json)
			show_object(c, *r, ret);
		else
			c->out.failed |= !put(&groups, *r, exact);
	}
	if (groups.len)
		qsort(groups.items, groups.len, sizeof(*groups.items), rarest_first);
	vec_for_each (g, &groups)
		show(c, all, g, ret);
	vec_for_each (r, &all->items) {
		if ((*r)->pieces.len)
			job_rank_drop(*r);
	}
	return some;
}

void job_told_show(struct cli *c, struct job_ranks *all, bool exact, struct error **ret)
{
	while (show_first(c, all, exact, ret))
		;
	error_ignore(cli_flush(c));
	fflush(stdout);
}

size_t job_told_ranks(struct buf *out, const struct job_ranks *all,
		      bool (*which)(const struct job_rank *r))
{
	struct group g = { 0 };

	vec_for_each (r, &all->items) {
		if (which(*r))
			out->failed |= !vec_push(&g.numbers, (*r)->number);
	}
	const size_t n = g.numbers.len;
	if (n)
		add_ranks(out, &g, false);
	vec_fini(&g.numbers);
	return n;
}
