/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/reduction.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "debugger/control/members.h"
#include "debugger/control/sharing.h"
#include "debugger/values/casts.h"
#include "debugger/values/lookup.h"
#include "debugger/values/operate.h"
#include "debugger/values/original.h"
#include "debugger/values/reach.h"
#include "ompd/enclosing.h"

/* The reduction identifiers of OpenMP 5.2, 5.5.1, and how two values are combined. */
static const struct {
	const char *name;
	enum expr_op op;
	bool chooses; /* the one for which the comparison holds */
	bool logical;
} operators[] = {
	{ "+", EXPR_PLUS, false, false },     { "-", EXPR_PLUS, false, false },
	{ "*", EXPR_TIMES, false, false },    { "&", EXPR_AND, false, false },
	{ "|", EXPR_OR, false, false },       { "^", EXPR_XOR, false, false },
	{ "&&", EXPR_AND, false, true },      { "||", EXPR_OR, false, true },
	{ "max", EXPR_GREATER, true, false }, { "min", EXPR_LESS, true, false },
	{ "iand", EXPR_AND, false, false },   { "ior", EXPR_OR, false, false },
	{ "ieor", EXPR_XOR, false, false },   { ".and.", EXPR_AND, false, true },
	{ ".or.", EXPR_OR, false, true },
};

enum { NUM_OPERATORS = sizeof(operators) / sizeof(*operators) };

void reduction_fini(struct reduction *r)
{
	free(r->op);
	buf_fini(&r->why);
}

static struct error *as_truth(struct value *v)
{
	struct number n;
	struct error *err = value_number(v, &n);

	if (!err)
		*v = value_of_int(&type_int, value_is_true(&n));
	return err;
}

static struct error *combine(size_t row, const struct value *copy, struct value *into)
{
	struct value a = *into, b = *copy, both;
	struct error *err = NULL;

	if (operators[row].logical) {
		err = as_truth(&a);
		err = err ? err : as_truth(&b);
	}
	err = err ? err : operate_binary(operators[row].op, &a, &b, &both);
	if (!err && operators[row].chooses) {
		err = as_truth(&both);
		both = !err && both.bytes[0] ? a : b;
	}
	return err ? err : casts_convert(&both, into->type, into);
}

/* What it is called for its thread, settled. */
static struct error *read_copy(struct member *m, const char *name, struct value *ret)
{
	struct scope scope;
	struct error *err = member_scope(m, &scope);

	if (!err)
		err = lookup_name(&scope, NULL, name, ret);
	if (!err)
		err = reach_settle(&scope, ret, false);
	if (!err && ret->missing)
		err = value_missing(ret);
	return err;
}

/* The directive goes on in the line behind that one. */
static bool goes_on(const struct buf *text, int line)
{
	static const char *const sentinels[] = { "!$omp&", "c$omp&", "*$omp&" };
	const char *at = source_find(text, line), *next = source_find(text, line + 1);
	bool yes = false;

	if (!at || !next)
		return false;
	while (next > at && isspace((unsigned char)next[-1]))
		next--;
	yes = next > at && (next[-1] == '\\' || next[-1] == '&');
	next = source_find(text, line + 1);
	next += strspn(next, " \t");
	for (size_t i = 0; i < sizeof(sentinels) / sizeof(*sentinels); i++)
		yes = yes || !strncasecmp(next, sentinels[i], strlen(sentinels[i]));
	return yes;
}

/* It is in the body of the construct, not in its directive, where copies are combined. */
static struct error *is_inside(struct member *m, const struct construct *c, const struct buf *text,
			       bool *ret)
{
	const struct frame *frame = NULL;
	struct error *err = frames_get(&m->frames, m->level, &frame);
	int first = c->line;

	while (text && first < c->end && goes_on(text, first))
		first++;
	*ret = !err && frame && frame->line > first && frame->line <= c->end;
	return err;
}

static struct error *add_copy(struct member *m, const struct sharings *s, size_t row,
			      const struct buf *text, struct reduction *ret)
{
	const struct sharing_row *variable = &s->rows.items[0];
	struct value copy;
	bool inside = false;

	struct error *err = read_copy(m, variable->name, &copy);
	bool same = !err && copy.place == VALUE_MEMORY && copy.addr == ret->original.addr &&
		    ret->original.place == VALUE_MEMORY;
	if (same)
		return NULL;
	if (!err)
		err = is_inside(m, variable->answer.construct, text, &inside);
	if (!err && inside)
		return combine(row, &copy, &ret->so_far);
	buf_adds(&ret->why, "thread ");
	picture_add_thread_name(&ret->why, s->picture, m->thread);
	if (err)
		buf_addf(&ret->why, ": %s", error_message(err));
	else
		buf_adds(&ret->why, " may have combined its copy already");
	error_ignore(err);
	return NULL;
}

static struct error *find_original(struct members *team, const struct control *c, const char *name,
				   struct value *ret)
{
	struct scope scope;

	vec_for_each (m, &team->items) {
		if (!m->frames.thread || m->frames.thread->lwp != c->selected)
			continue;
		struct error *err = member_scope(m, &scope);
		if (!err)
			err = original_of(&scope, name, ret);
		if (!err)
			err = reach_settle(&scope, ret, false);
		if (!err && ret->missing)
			err = value_missing(ret);
		return err;
	}
	return error_new(ERROR_USAGE, "No thread selected.");
}

static bool is_name(const char *text)
{
	size_t n = 0;

	while (isalnum((unsigned char)text[n]) || text[n] == '_')
		n++;
	return n && !text[n] && !isdigit((unsigned char)*text);
}

static struct error *combine_all(const struct control *c, const struct sharings *s, size_t row,
				 struct reduction *ret)
{
	struct error *err = find_original(s->team, c, s->rows.items[0].name, &ret->original);

	if (!err && !type_is_scalar(ret->original.type))
		err = error_new(ERROR_USAGE, "it is no number");
	if (err) {
		buf_addf(&ret->why, "the original: %s", error_message(err));
		error_ignore(err);
		return NULL;
	}
	ret->so_far = ret->original;
	const struct buf *text = s->file ? source_cache_get(c->live->sources, s->file) : NULL;
	vec_for_each (m, &s->team->items) {
		if (!err && m->stands_there && !ret->why.len)
			err = add_copy(m, s, row, text, ret);
	}
	if (err && !ret->why.len)
		buf_adds(&ret->why, error_message(err));
	error_ignore(err);
	ret->so_far.place = VALUE_NOWHERE;
	return NULL;
}

/* Before all threads are asked: a clause around the selected line has it. */
static bool is_named(struct control *c, const char *name)
{
	const struct frame *frame = NULL;
	AUTO_CONSTRUCTS around = { 0 };
	const char *modifier;
	bool yes = false;

	struct error *err = c->live ? frames_get(&c->frames, c->level, &frame) : NULL;
	const struct buf *text = !err && frame && frame->file
					 ? source_cache_get(c->live->sources, frame->file)
					 : NULL;
	if (text)
		err = enclosing_find(buf_text(text), text->len, enclosing_form(frame->file),
				     frame->line, &around);
	error_ignore(err);
	vec_for_each (construct, &around.items)
		yes |= directive_sharing(&construct->directive, name, around.fortran, &modifier) &
		       1 << SHARING_REDUCTION;
	return yes;
}

struct error *reduction_find(struct control *c, const char *name, struct reduction *ret)
{
	AUTO_SHARINGS s = { 0 };
	size_t row = 0;

	*ret = (struct reduction){ 0 };
	if (!is_name(name) || !is_named(c, name))
		return NULL;
	error_ignore(sharing_find(c, name, &s));
	const struct sharing_answer *answer = s.rows.len ? &s.rows.items[0].answer : NULL;
	if (!answer || !(answer->sharing & 1 << SHARING_REDUCTION) || !answer->construct ||
	    !answer->modifier || !s.picture)
		return NULL;
	while (row < NUM_OPERATORS && strcasecmp(operators[row].name, answer->modifier) != 0)
		row++;
	/* One that the program declares. */
	if (row == NUM_OPERATORS)
		return NULL;
	ret->op = strdup(answer->modifier);
	return ret->op ? combine_all(c, &s, row, ret) : &error_nomem;
}
