/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/clauses.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { ROWS_MAX = 4096, LOOPS_MAX = 64 };

const char *const sharing_names[NUM_SHARINGS] = {
	[SHARING_SHARED] = "shared",
	[SHARING_PRIVATE] = "private",
	[SHARING_FIRSTPRIVATE] = "firstprivate",
	[SHARING_LASTPRIVATE] = "lastprivate",
	[SHARING_REDUCTION] = "reduction",
	[SHARING_LINEAR] = "linear",
	[SHARING_THREADPRIVATE] = "threadprivate",
	[SHARING_COPYIN] = "copyin",
	[SHARING_COPYPRIVATE] = "copyprivate",
	[SHARING_UNIFORM] = "uniform",
	[SHARING_MAPPED] = "mapped",
};

/* A piece of the text. */
struct piece {
	const char *at, *end;
};

static const struct {
	const char *word;
	unsigned int parts;
} words[] = {
	{ "parallel", DIRECTIVE_PARALLEL },
	{ "for", DIRECTIVE_LOOPS | DIRECTIVE_WORKSHARE },
	{ "do", DIRECTIVE_LOOPS | DIRECTIVE_WORKSHARE },
	{ "simd", DIRECTIVE_SIMD },
	{ "task", DIRECTIVE_TASK },
	{ "taskloop", DIRECTIVE_TASK | DIRECTIVE_LOOPS },
	{ "teams", DIRECTIVE_TEAMS },
	{ "target", DIRECTIVE_TARGET },
	{ "distribute", DIRECTIVE_LOOPS | DIRECTIVE_DISTRIBUTE },
	{ "loop", DIRECTIVE_LOOPS | DIRECTIVE_LOOP },
	{ "sections", DIRECTIVE_SECTIONS | DIRECTIVE_WORKSHARE },
	{ "section", 0 },
	{ "single", DIRECTIVE_WORKSHARE },
	{ "scope", DIRECTIVE_WORKSHARE },
	{ "workshare", DIRECTIVE_WORKSHARE },
	{ "master", 0 },
	{ "masked", 0 },
	{ "critical", 0 },
	{ "atomic", 0 },
	{ "ordered", 0 },
	{ "taskgroup", 0 },
	{ "dispatch", 0 },
	{ "data", 0 },
	{ "tile", 0 },
	{ "unroll", 0 },
	{ "threadprivate", DIRECTIVE_THREADPRIVATE | DIRECTIVE_ALONE },
	{ "declare", DIRECTIVE_DECLARE },
	{ "end", DIRECTIVE_END },
	{ "update", DIRECTIVE_ALONE },
	{ "enter", DIRECTIVE_ALONE },
	{ "exit", DIRECTIVE_ALONE },
	{ "barrier", DIRECTIVE_ALONE },
	{ "taskwait", DIRECTIVE_ALONE },
	{ "taskyield", DIRECTIVE_ALONE },
	{ "flush", DIRECTIVE_ALONE },
	{ "cancel", DIRECTIVE_ALONE },
	{ "cancellation", DIRECTIVE_ALONE },
	{ "point", DIRECTIVE_ALONE },
	{ "scan", DIRECTIVE_ALONE },
};

/* Where the list of a clause stands beside its modifier. */
enum colon { COLON_NONE, LIST_BEHIND, LIST_BEFORE };

static const struct {
	const char *word;
	enum sharing sharing;
	enum colon colon;
} clauses[] = {
	{ "shared", SHARING_SHARED, COLON_NONE },
	{ "private", SHARING_PRIVATE, COLON_NONE },
	{ "firstprivate", SHARING_FIRSTPRIVATE, LIST_BEHIND },
	{ "lastprivate", SHARING_LASTPRIVATE, LIST_BEHIND },
	{ "reduction", SHARING_REDUCTION, LIST_BEHIND },
	{ "in_reduction", SHARING_REDUCTION, LIST_BEHIND },
	{ "task_reduction", SHARING_REDUCTION, LIST_BEHIND },
	{ "linear", SHARING_LINEAR, LIST_BEFORE },
	{ "copyin", SHARING_COPYIN, COLON_NONE },
	{ "copyprivate", SHARING_COPYPRIVATE, COLON_NONE },
	{ "uniform", SHARING_UNIFORM, COLON_NONE },
	{ "map", SHARING_MAPPED, LIST_BEHIND },
};

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void skip_blanks(struct piece *p)
{
	while (p->at < p->end && (isspace((unsigned char)*p->at) || *p->at == ','))
		p->at++;
}

static struct piece take_word(struct piece *p)
{
	struct piece word = { p->at, p->at };

	while (p->at < p->end && is_name(*p->at))
		p->at++;
	word.end = p->at;
	return word;
}

static bool is_word(struct piece p, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(p.end - p.at) == len && !strncasecmp(p.at, word, len);
}

static struct piece trim(struct piece p)
{
	while (p.at < p.end && isspace((unsigned char)*p.at))
		p.at++;
	while (p.end > p.at && isspace((unsigned char)p.end[-1]))
		p.end--;
	return p;
}

/* The first one of a character outside of brackets; the end: none. A ':' is not one of "::". */
static const char *find_outside(struct piece p, char c)
{
	int depth = 0;

	for (; p.at < p.end; p.at++) {
		if (*p.at == ':' && p.at + 1 < p.end && p.at[1] == ':') {
			p.at++;
			continue;
		}
		if (depth == 0 && *p.at == c)
			return p.at;
		depth += strchr("([{", *p.at) && *p.at ? 1 : 0;
		depth -= strchr(")]}", *p.at) && *p.at ? 1 : 0;
	}
	return p.end;
}

/* "( ... )" behind a word: what is in it. Without one: nothing. */
static struct piece take_arguments(struct piece *p)
{
	struct piece rest = *p;

	while (rest.at < rest.end && isspace((unsigned char)*rest.at))
		rest.at++;
	if (rest.at == rest.end || *rest.at != '(')
		return (struct piece){ p->at, p->at };
	rest.at++;
	struct piece inside = { rest.at, find_outside(rest, ')') };
	p->at = inside.end < p->end ? inside.end + 1 : inside.end;
	return inside;
}

static char *copy(struct piece p)
{
	return strndup(p.at, (size_t)(p.end - p.at));
}

/* "x", "space::x", "::x". */
static struct piece take_name(struct piece *p)
{
	struct piece name = take_word(p);

	while (p->end - p->at > 2 && p->at[0] == ':' && p->at[1] == ':') {
		p->at += 2;
		name.end = take_word(p).end;
	}
	return name;
}

/* "val(x)", "a[0:n]", "&x": what is named there. */
static struct piece item_name(struct piece p, enum sharing sharing)
{
	struct piece rest = p, word;

	if (p.at < p.end && *p.at == '/') /* a common block */
		return p;
	word = take_name(&rest);
	if (sharing == SHARING_LINEAR &&
	    (is_word(word, "val") || is_word(word, "ref") || is_word(word, "uval"))) {
		rest = trim(take_arguments(&rest));
		return take_word(&rest);
	}
	return word;
}

/* "a[1:n]" or "a[1]", and not "a[0:n]" or "a[:n]". */
static bool begins_inside(struct piece p)
{
	bool inside = false;

	for (p.at = find_outside(p, '['); p.at < p.end && *p.at == '['; p.at++) {
		struct piece lower = { p.at + 1, p.end };
		lower.end = find_outside(lower, ']');
		lower.end = find_outside(lower, ':');
		struct piece first = trim(lower);
		inside |= first.at < first.end && !is_word(first, "0");
		p.at = find_outside((struct piece){ p.at + 1, p.end }, ']');
		if (p.at == p.end)
			break;
	}
	return inside;
}

static struct error *add_items(struct piece list, enum sharing sharing, struct piece modifier,
			       struct directive *ret)
{
	while (list.at < list.end && ret->rows.len < ROWS_MAX) {
		struct piece item = { list.at, find_outside(list, ',') };
		list.at = item.end < list.end ? item.end + 1 : item.end;
		bool section = find_outside(item, '[') < item.end;
		bool inside = begins_inside(item);
		item = item_name(trim(item), sharing);
		if (item.at == item.end)
			continue;
		struct clause_row row = {
			.sharing = sharing, .name = copy(item), .section = section, .inside = inside
		};
		if (modifier.at < modifier.end)
			row.modifier = copy(modifier);
		if (row.name && vec_push(&ret->rows, row))
			continue;
		free(row.name);
		free(row.modifier);
		return &error_nomem;
	}
	return NULL;
}

/* The last one of several with commas between them. */
static struct piece last_of(struct piece p)
{
	for (const char *comma = find_outside(p, ','); comma < p.end; comma = find_outside(p, ','))
		p.at = comma + 1;
	return trim(p);
}

static struct error *add_list(struct piece list, size_t clause, struct directive *ret)
{
	struct piece modifier = { list.at, list.at };
	const char *colon = find_outside(list, ':');

	if (clauses[clause].colon == LIST_BEHIND && colon < list.end) {
		modifier = last_of((struct piece){ list.at, colon });
		list.at = colon + 1;
	} else if (clauses[clause].colon == LIST_BEFORE) {
		list.end = colon;
	}
	return add_items(list, clauses[clause].sharing, modifier, ret);
}

static void set_default(struct piece what, struct directive *ret)
{
	what = trim(what);
	ret->is_none = is_word(what, "none");
	for (int i = 0; i <= SHARING_FIRSTPRIVATE; i++) {
		if (is_word(what, sharing_names[i]))
			ret->sharing = 1U << i;
	}
}

/* What stands there, with single blanks. */
static struct error *set_schedule(struct piece p, char **ret)
{
	AUTO_BUF text = { 0 };

	for (p = trim(p); p.at < p.end; p.at++) {
		bool blank = isspace((unsigned char)*p.at);
		if (!blank || !isspace((unsigned char)p.at[1]))
			buf_addc(&text, blank ? ' ' : *p.at);
	}
	free(*ret);
	*ret = buf_ok(&text) ? strdup(buf_text(&text)) : NULL;
	return *ret ? NULL : &error_nomem;
}

/* collapse(n), ordered(n): how many loops the directive is of. */
static void set_loops(struct piece word, struct piece list, struct directive *ret)
{
	unsigned long n = list.at < list.end ? strtoul(list.at, NULL, 0) : 1;

	n = n < LOOPS_MAX ? n : LOOPS_MAX;
	ret->loops = n > ret->loops ? (unsigned int)n : ret->loops;
	if (is_word(word, "ordered"))
		ret->ordered = true;
	else
		ret->collapse = (unsigned int)n;
}

static struct error *add_clause(struct piece word, struct piece list, struct directive *ret)
{
	for (size_t i = 0; i < sizeof(clauses) / sizeof(*clauses); i++) {
		if (is_word(word, clauses[i].word))
			return add_list(list, i, ret);
	}
	if (is_word(word, "default"))
		set_default(list, ret);
	if (is_word(word, "collapse") || is_word(word, "ordered"))
		set_loops(word, list, ret);
	if (is_word(word, "dist_schedule"))
		return set_schedule(list, &ret->dist_schedule);
	return is_word(word, "schedule") ? set_schedule(list, &ret->schedule) : NULL;
}

/* The words in front; p moves behind them. */
static void read_name(struct piece *p, struct directive *d, struct buf *name)
{
	bool more = true;

	while (more) {
		struct piece rest = *p;
		skip_blanks(&rest);
		struct piece word = take_word(&rest);
		more = false;
		for (size_t i = 0; i < sizeof(words) / sizeof(*words) && !more; i++) {
			if (!is_word(word, words[i].word))
				continue;
			/* Behind another word than "end" it is a clause. */
			if (name->len && d->parts != DIRECTIVE_END && is_word(word, "ordered"))
				break;
			more = true;
			d->parts |= words[i].parts;
			buf_addf(name, "%s%s", name->len ? " " : "", words[i].word);
			*p = rest;
		}
	}
	if (d->parts & (DIRECTIVE_LOOPS | DIRECTIVE_SIMD))
		d->loops = d->collapse = 1;
	/* Only "declare simd" is of a function. */
	if (d->parts & DIRECTIVE_DECLARE && !(d->parts & DIRECTIVE_SIMD))
		d->parts |= DIRECTIVE_ALONE;
	if (!name->len)
		d->parts |= DIRECTIVE_ALONE;
}

struct error *directive_parse(const char *text, size_t len, struct directive *ret)
{
	struct piece p = { text, text + len };
	struct directive d = { 0 };
	AUTO_BUF name = { 0 };
	struct error *err = NULL;

	read_name(&p, &d, &name);
	if (d.parts & DIRECTIVE_THREADPRIVATE)
		err = add_items(take_arguments(&p), SHARING_THREADPRIVATE,
				(struct piece){ text, text }, &d);
	for (skip_blanks(&p); !err && p.at < p.end; skip_blanks(&p)) {
		struct piece word = take_word(&p);
		struct piece list = take_arguments(&p);
		if (word.at < word.end)
			err = add_clause(word, list, &d);
		else if (p.at == word.at)
			p.at++; /* nothing that is known */
	}
	d.name = strdup(buf_text(&name));
	if (!err && (!d.name || !buf_ok(&name)))
		err = &error_nomem;
	if (err)
		directive_fini(&d);
	else
		*ret = d;
	return err;
}

void directive_fini(struct directive *d)
{
	vec_for_each (row, &d->rows) {
		free(row->name);
		free(row->modifier);
	}
	vec_fini(&d->rows);
	free(d->name);
	free(d->schedule);
	free(d->dist_schedule);
	d->name = d->schedule = d->dist_schedule = NULL;
}

/* That of a variable in a namespace may be asked for without it, as DWARF has it of a copy. */
static bool is_named(const char *item, const char *name, bool fortran)
{
	if (fortran)
		return !strcasecmp(item, name);
	size_t len = strlen(item), end = strlen(name);
	bool within = len > end + 2 && !strncmp(item + len - end - 2, "::", 2);
	return !strcmp(item, name) || (within && !strcmp(item + len - end, name));
}

unsigned int directive_sharing(const struct directive *d, const char *name, bool fortran,
			       const char **ret_modifier)
{
	unsigned int found = 0;

	*ret_modifier = NULL;
	vec_for_each (row, &d->rows) {
		if (!is_named(row->name, name, fortran))
			continue;
		found |= 1U << row->sharing;
		if (row->sharing == SHARING_REDUCTION)
			*ret_modifier = row->modifier;
	}
	return found;
}
