/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "base/interrupt.h"
#include "debugger/cli/command.h"
#include "debugger/cli/data.h"
#include "debugger/output/format_value.h"

enum { CHUNK = 64 * 1024, PATTERN_MAX = 4096 };

/* What is looked for, and where. */
struct search {
	char size; /* b h w g: of each number; 0: as its type says */
	long most, found;
	taddr from, to; /* to: the last byte */
	struct buf pattern;
	struct json json; /* with --json: of what was found */
};

static struct error *parse_flags(const char **args, struct search *ret)
{
	const char *p = *args;

	for (ret->most = LONG_MAX;
	     *p == '/' || (p != *args && *p && !isspace((unsigned char)*p));) {
		char *end = (char *)p + 1;
		if (isdigit((unsigned char)*p))
			ret->most = strtol(p, &end, 10);
		else if (strchr("bhwg", *p))
			ret->size = *p;
		else if (*p != '/')
			return error_new(ERROR_USAGE, "a size (b, h, w, g) or a number expected");
		p = end;
	}
	*args = p + strspn(p, " \t");
	return NULL;
}

/* The address that an expression up to a comma means. */
static struct error *parse_address(const struct data_scope *s, const char **args, taddr *ret)
{
	AUTO_EXPR *e = NULL;
	struct value v;

	struct error *err = eval_parse(&s->context, *args, true, &e, args);
	if (!err)
		err = eval(&s->context, e, &v);
	return err ? err : value_address(&v, ret);
}

static struct error *add_pattern(const struct data_scope *s, const char **args, struct search *to)
{
	AUTO_EXPR *e = NULL;
	struct number n;
	struct value v;

	struct error *err = eval_parse(&s->context, *args, true, &e, args);
	if (!err && e->kind == EXPR_STRING) {
		buf_adds(&to->pattern, e->text);
		return NULL;
	}
	if (!err)
		err = eval(&s->context, e, &v);
	if (!err)
		err = value_number(&v, &n);
	if (err)
		return err;
	size_t size = to->size == 'b'   ? 1
		      : to->size == 'h' ? 2
		      : to->size == 'w' ? 4
		      : to->size == 'g' ? 8
					: type_size(v.type);
	buf_add(&to->pattern, n.is_float ? (const char *)v.bytes : (const char *)&n.bits, size);
	return NULL;
}

static struct error *parse(const struct data_scope *s, const char *args, struct search *ret)
{
	struct error *err = parse_flags(&args, ret);
	bool length = false;

	if (!err)
		err = parse_address(s, &args, &ret->from);
	if (!err && *args != ',')
		err = error_new(ERROR_USAGE, "usage: find START, +LENGTH|END, VALUE...");
	if (!err) {
		args += 1 + strspn(args + 1, " \t");
		length = *args == '+';
		args += length;
		err = parse_address(s, &args, &ret->to);
	}
	if (!err && length)
		ret->to += ret->from - 1;
	if (!err && ret->to < ret->from)
		err = error_new(ERROR_USAGE, "the search space is empty");
	while (!err && *args == ',' && ret->pattern.len < PATTERN_MAX) {
		args++;
		err = add_pattern(s, &args, ret);
	}
	if (!err && (!ret->pattern.len || *args))
		err = error_new(ERROR_USAGE, "what is to be looked for, in %d bytes?", PATTERN_MAX);
	return err;
}

static void add_found(struct cli *c, const struct data_scope *s, struct search *w, taddr at)
{
	AUTO_FREE char *symbol = shown_symbol(&s->scope, at);

	w->found++;
	if (c->json) {
		json_add_object(&w->json, NULL);
		json_add_address(&w->json, "address", at);
		json_add_string(&w->json, "symbol", symbol);
		json_end(&w->json);
		return;
	}
	buf_addf(&c->out, "0x%" PRIx64, at);
	format_value_symbol(&c->out, symbol);
	buf_addc(&c->out, '\n');
}

static struct error *search(struct cli *c, const struct data_scope *s, struct search *w)
{
	AUTO_FREE char *bytes = malloc(CHUNK);
	const size_t len = w->pattern.len;

	if (!bytes)
		return &error_nomem;
	/* Each chunk ends with what might be the beginning of a pattern. */
	for (taddr at = w->from; w->found < w->most && w->to - at >= len - 1;) {
		size_t n = w->to - at < CHUNK ? (size_t)(w->to - at) + 1 : CHUNK, i = 0;
		struct error *err = target_examine(s->scope.session->target, at, bytes, n);
		if (!err && interrupt_take())
			err = error_new(ERROR_GONE, "quit");
		if (err)
			return error_add(err, "the search ends at 0x%" PRIx64, at);
		for (; i + len <= n && w->found < w->most; i++) {
			if (!memcmp(bytes + i, w->pattern.data, len))
				add_found(c, s, w, at + i);
		}
		if (w->to - at < n)
			break;
		at += i;
	}
	return NULL;
}

static struct error *cmd_find(struct cli *c, const char *args)
{
	struct search w = { 0 };
	struct data_scope s;

	data_scope(c, &s);
	struct error *err = s.scope.session
				    ? parse(&s, args, &w)
				    : error_new(ERROR_USAGE, "there is no memory to search");
	if (!err && c->json) {
		cli_json_begin(c, &w.json, "found");
		json_add_array(&w.json, "found");
		err = search(c, &s, &w);
		json_end(&w.json);
		cli_json_end(c, &w.json);
	} else if (!err) {
		err = search(c, &s, &w);
	}
	if (!err && !c->json && !w.found)
		buf_adds(&c->out, "Pattern not found.\n");
	else if (!err && !c->json)
		buf_addf(&c->out, "%ld pattern%s found.\n", w.found, w.found == 1 ? "" : "s");
	buf_fini(&w.pattern);
	return err;
}

static const struct command rows[] = {
	{ .name = "find",
	  .args = "[/SIZE] [/MOST] START, +LENGTH|END, VALUE...",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_EXPRESSION,
	  .flags = COMMAND_RAW | COMMAND_FRAMELESS,
	  .run = cmd_find,
	  .summary = "Search memory for numbers and texts that stand one behind the other.",
	  .help = "SIZE is b, h, w or g, the size of each number; a text has no NUL at its end." },
};

const struct command_table cmd_find_table = COMMAND_TABLE(rows);
