/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/fortran_decisions.h"

#include <stdlib.h>
#include <string.h>

#include "ompd/fortran_text.h"

enum { DEPTH_MAX = 256 };

void fortran_decisions_fini(struct fortran_decisions *d)
{
	vec_fini(&d->items);
}

/* Takes text. */
static struct error *note(struct fortran_decisions *d, char *text, int line)
{
	if (text && *text && line <= d->wanted)
		return enclosing_add_condition(d->ret,
					       &(struct condition){ .line = line, .text = text });
	free(text);
	return text ? NULL : &error_nomem;
}

static bool leaves(const char *p)
{
	static const char *const words[] = { "return", "cycle", "exit", "stop", "go", "goto" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (fortran_text_word(p, words[i]))
			return true;
	}
	return false;
}

static void note_leaving(struct fortran_decisions *d)
{
	for (size_t i = d->items.len; i-- > 0 && !d->items.items[i].loop;)
		d->items.items[i].leaves = true;
}

/* Takes text. */
static struct error *begin(struct fortran_decisions *d, bool loop, char *text, int line)
{
	const struct fortran_decision item = { .loop = loop, .mark = d->ret->conditions.len };
	struct error *err = note(d, text, line);

	if (!err && d->items.len < DEPTH_MAX && !vec_push(&d->items, item))
		err = &error_nomem;
	return err;
}

/* The innermost one of that kind, and what has not been ended in it. */
static void end(struct fortran_decisions *d, bool loop, int line)
{
	size_t i = d->items.len, len = d->ret->conditions.len;

	while (i > 0 && d->items.items[i - 1].loop != loop)
		i--;
	if (!i--)
		return;
	const struct fortran_decision *item = &d->items.items[i];
	if (line < d->wanted && !item->leaves && item->mark <= len)
		enclosing_drop_conditions(d->ret, item->mark, len);
	d->items.len = i;
}

/* "(a) then", "(a) return", "(a) x = 1" */
static struct error *read_if(struct fortran_decisions *d, const char *p, int line)
{
	const char *behind;
	AUTO_FREE char *text = fortran_text_brackets(p, &behind);

	if (!text)
		return &error_nomem;
	if (fortran_text_word(behind, "then"))
		return begin(d, false, TAKE(text), line);
	bool leaving = leaves(behind);
	if (leaving)
		note_leaving(d);
	return leaving || line == d->wanted ? note(d, TAKE(text), line) : NULL;
}

static struct error *read_else(struct fortran_decisions *d, const char *p, int line)
{
	const char *behind;

	return note(d, fortran_text_brackets(p, &behind), line);
}

static struct error *read_select(struct fortran_decisions *d, const char *p, int line)
{
	const char *behind;

	return begin(d, false, fortran_text_brackets(p, &behind), line);
}

static struct error *read_end(struct fortran_decisions *d, const char *p, int line)
{
	(void)p;
	end(d, false, line);
	return NULL;
}

static const struct {
	const char *first, *second; /* words; NULL: there is one */
	struct error *(*read)(struct fortran_decisions *d, const char *p, int line);
} statements[] = {
	{ "if", NULL, read_if },
	{ "else", "if", read_else },
	{ "elseif", NULL, read_else },
	{ "select", "case", read_select },
	{ "selectcase", NULL, read_select },
	{ "endif", NULL, read_end },
	{ "end", "if", read_end },
	{ "endselect", NULL, read_end },
	{ "end", "select", read_end },
};

struct error *fortran_decisions_read(struct fortran_decisions *d, const char *p, int line)
{
	if (leaves(p))
		note_leaving(d);
	for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++) {
		const char *behind = fortran_text_word(p, statements[i].first);
		if (behind && statements[i].second)
			behind = fortran_text_word(behind, statements[i].second);
		/* Names of variables may be the same. */
		if (behind && (statements[i].read == read_end || *behind == '('))
			return statements[i].read(d, behind, line);
	}
	return NULL;
}

struct error *fortran_decisions_add_loop(struct fortran_decisions *d, const char *p, int line)
{
	const char *condition = fortran_text_word(p, "while");

	return begin(d, true, strdup(condition ? condition : p), line);
}

void fortran_decisions_end_loop(struct fortran_decisions *d, int line)
{
	end(d, true, line);
}

void fortran_decisions_end(struct fortran_decisions *d, int line)
{
	if (line < d->wanted)
		enclosing_drop_conditions(d->ret, 0, d->ret->conditions.len);
	d->items.len = 0;
}

void fortran_decisions_enter(struct fortran_decisions *d, size_t mark)
{
	if (mark > d->ret->conditions.len)
		return;
	enclosing_drop_conditions(d->ret, 0, mark);
	vec_for_each (item, &d->items)
		item->mark -= mark < item->mark ? mark : item->mark;
}
