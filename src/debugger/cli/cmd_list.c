/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <limits.h>
#include <regex.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/text.h"
#include "debugger/cli/command.h"
#include "debugger/cli/data.h"
#include "debugger/values/lookup.h"

/* ---- where ------------------------------------------------------------------------------ */

struct list_place {
	char *file; /* owned; full path; NULL: unknown */
	int line;
};

static void place_fini(struct list_place *p)
{
	free(p->file);
}

static struct error *set_place(struct list_place *p, const char *file, int line)
{
	char *copy = strdup(file);

	if (!copy)
		return &error_nomem;
	free(p->file);
	p->file = copy;
	p->line = line;
	return NULL;
}

/* Of a file that was named by its end, the whole path. */
static struct error *find_file(struct session *s, const char *file, int line, struct list_place *p)
{
	struct code_places found = { 0 };
	int at = 0;

	if (file[0] == '/')
		return set_place(p, file, line);
	/* A line without code means the next one; behind the last one there is none, but a file. */
	struct error *err = places_of_line(s->symbols, file, line, &found, &at);
	if (error_is(err, ERROR_NOT_FOUND)) {
		struct error *first = places_of_line(s->symbols, file, 1, &found, &at);
		if (!first) {
			error_ignore(err);
			err = NULL;
		}
		error_ignore(first);
	}
	if (!err && !(found.len && found.items[0].file))
		err = error_new(ERROR_NOT_FOUND, "no source file named %s", file);
	if (!err)
		err = set_place(p, found.items[0].file, line);
	vec_fini(&found);
	return err;
}

/* A function is listed from where it begins, not from behind its prologue. */
static struct error *find_code(struct session *s, const struct linespec *l,
			       const struct linespec_context *context, struct list_place *p)
{
	struct code_places found = { 0 };
	struct line_range range;
	int line;

	struct error *err = linespec_resolve(l, context, &found, &line);
	if (err)
		return err;
	const struct code_place *first = found.len ? &found.items[0] : NULL;
	if (!first || !first->file)
		err = error_new(ERROR_NOT_FOUND, "no line number known for %s", l->text);
	else if (l->kind == LINESPEC_FUNCTION && first->entry &&
		 places_line_range(s->symbols, first->entry, &range) && range.line)
		err = set_place(p, range.file, range.line);
	else
		err = set_place(p, first->file, first->line);
	vec_fini(&found);
	return err;
}

static struct error *find_place(struct cli *c, const char *text, struct list_place *p)
{
	struct linespec_context context = control_linespecs(c->control);
	struct data *d = data_of(c);
	AUTO_LINESPEC l = { 0 };

	if (!context.session)
		return error_new(ERROR_USAGE, "no symbol table is loaded: use the \"file\" "
					      "command");
	struct error *err = linespec_parse(text, &l);
	if (err)
		return err;
	const char *file = l.file ? l.file : d->list_file ? d->list_file : context.here.file;
	if (l.kind == LINESPEC_LINE && !file)
		return error_new(ERROR_USAGE, "no default source file: name one, as in FILE:%d",
				 l.line);
	if (l.kind == LINESPEC_LINE)
		return find_file(context.session, file, l.line, p);
	if (l.kind == LINESPEC_OFFSET && d->list_file)
		return set_place(p, d->list_file, d->list_last + l.line);
	return find_code(context.session, &l, &context, p);
}

/* ---- lines ------------------------------------------------------------------------------ */

static int count_lines(const struct buf *text)
{
	int n = 0;

	for (size_t i = 0; i < text->len; i++)
		n += text->data[i] == '\n';
	return n + (text->len && text->data[text->len - 1] != '\n');
}

/* A line of source, whose tabs are tabs. */
static void add_text(struct cli *c, const struct buf *line)
{
	for (size_t i = 0, n; i < line->len; i += n + 1) {
		const char *tab = memchr(line->data + i, '\t', line->len - i);
		n = tab ? (size_t)(tab - line->data) - i : line->len - i;
		text_escape(&c->out, line->data + i, n);
		buf_adds(&c->out, tab ? "\t" : "");
	}
}

static void add_lines(struct cli *c, struct session *s, const char *file, int first, int last)
{
	for (int line = first; line <= last; line++) {
		AUTO_BUF one = { 0 };
		buf_addf(&c->out, "%d\t", line);
		if (source_cache_line(s->sources, file, line, &one))
			add_text(c, &one);
		buf_addc(&c->out, '\n');
	}
}

static void add_objects(struct cli *c, struct session *s, const char *file, int first, int last)
{
	struct json j;

	cli_json_begin(c, &j, "list");
	json_add_string(&j, "file", file);
	json_add_array(&j, "lines");
	for (int line = first; line <= last; line++) {
		AUTO_BUF one = { 0 };
		bool known = source_cache_line(s->sources, file, line, &one);
		json_add_object(&j, NULL);
		json_add_integer(&j, "line", line);
		json_add_lines(&j, "text", known ? buf_text(&one) : NULL);
		json_end(&j);
	}
	json_end(&j);
	cli_json_end(c, &j);
}

static struct error *show_lines(struct cli *c, const char *file, int first, int last)
{
	struct session *s = control_session(c->control);
	struct data *d = data_of(c);

	const struct buf *text = s ? source_cache_get(s->sources, file) : NULL;
	if (!text) {
		buf_addf(&c->out, "%d\tin ", first);
		style_add_between(&c->out, "", file, "\n");
		return error_new(ERROR_NOT_FOUND, "%s: no such file, or it cannot be read", file);
	}
	int lines = count_lines(text);
	if (first > lines)
		return error_new(ERROR_USAGE, "line number %d out of range; \"%s\" has %d lines",
				 first, file, lines);
	last = last < lines ? last : lines;
	(c->json ? add_objects : add_lines)(c, s, file, first, last);
	char *kept = strdup(file);
	if (!kept)
		return &error_nomem;
	free(d->list_file);
	d->list_file = kept;
	d->list_first = first;
	d->list_last = last;
	return NULL;
}

static int lines_at_once(const struct cli *c)
{
	size_t n = c->settings.listsize;

	return n > 0 && n < INT_MAX / 2 ? (int)n : INT_MAX / 2;
}

/* Lines around one, of which five stand before it. */
static struct error *show_around(struct cli *c, const char *file, int line)
{
	int n = lines_at_once(c), first = line > n / 2 ? line - n / 2 : 1;

	return show_lines(c, file, first, first + n - 1);
}

/* ---- list ------------------------------------------------------------------------------- */

/* The first time, and when another frame has been selected, or the program ran: around that. */
static struct error *list_on(struct cli *c, bool back)
{
	struct linespec_context context = control_linespecs(c->control);
	struct data *d = data_of(c);
	int n = lines_at_once(c);

	bool moved = !d->list_file || (context.here.pc && context.here.pc != d->list_pc);
	d->list_pc = context.here.pc;
	if (moved && !context.here.file)
		return error_new(ERROR_USAGE, context.session
						      ? "no default source file: list FUNCTION, "
							"or FILE:LINE"
						      : "no symbol table is loaded: use the "
							"\"file\" command");
	if (moved && !back)
		return show_around(c, context.here.file, context.here.line);
	AUTO_FREE char *file = strdup(moved ? context.here.file : d->list_file);
	int first = moved ? context.here.line - n / 2 : d->list_first;
	if (!file)
		return &error_nomem;
	if (!back)
		return show_lines(c, file, d->list_last + 1, d->list_last + n);
	if (first <= 1)
		return error_new(ERROR_USAGE, "already at the start of %s", file);
	return show_lines(c, file, first > n ? first - n : 1, first - 1);
}

/* "A,B", "A,", ",B" */
static struct error *list_range(struct cli *c, const char *args, const char *comma)
{
	AUTO(place_fini) struct list_place from = { 0 }, to = { 0 };
	AUTO_FREE char *first = strndup(args, (size_t)(comma - args));
	const char *second = comma + 1 + strspn(comma + 1, " \t");
	struct error *err = NULL;
	int n = lines_at_once(c);

	if (!first)
		return &error_nomem;
	bool has_first = first[strspn(first, " \t")];
	if (has_first)
		err = find_place(c, first, &from);
	if (!err && *second) {
		/* "10,20": both lines are of one file. */
		struct data *d = data_of(c);
		char *kept = d->list_file;
		d->list_file = has_first ? from.file : kept;
		err = find_place(c, second, &to);
		d->list_file = kept;
	}
	if (err)
		return err;
	if (!has_first && !*second)
		return error_new(ERROR_USAGE, "argument to `list' is only a comma");
	if (!has_first)
		return show_lines(c, to.file, to.line >= n ? to.line - n + 1 : 1, to.line);
	if (*second && to.line < from.line)
		return error_new(ERROR_USAGE, "second line (%d) is before the first one (%d)",
				 to.line, from.line);
	return show_lines(c, from.file, from.line, *second ? to.line : from.line + n - 1);
}

static struct error *cmd_list(struct cli *c, const char *args)
{
	AUTO(place_fini) struct list_place p = { 0 };
	struct data *d = data_of(c);

	if (!d)
		return &error_nomem;
	if (!*args || c->repeats || !strcmp(args, "+"))
		return list_on(c, c->repeats && c->last_args && !strcmp(c->last_args, "-"));
	if (!strcmp(args, "-"))
		return list_on(c, true);
	d->list_pc = control_linespecs(c->control).here.pc;
	/* A comma inside of parentheses belongs to a function: f(int, int). */
	const char *paren = strrchr(args, ')'), *comma = strchr(paren ? paren : args, ',');
	if (comma)
		return list_range(c, args, comma);
	struct error *err = find_place(c, args, &p);
	return err ? err : show_around(c, p.file, p.line);
}

/* ---- search ----------------------------------------------------------------------------- */

/* The next line that matches, behind the last that was listed, or before it; listed alone. */
static struct error *search(struct cli *c, const char *args, int step)
{
	struct linespec_context context = control_linespecs(c->control);
	struct data *d = data_of(c);
	regex_t regex;

	if (!d)
		return &error_nomem;
	AUTO_FREE char *file = strdup(d->list_file        ? d->list_file
				      : context.here.file ? context.here.file
							  : "");
	if (!file)
		return &error_nomem;
	if (!*file)
		return error_new(ERROR_USAGE, "no default source file: list something first");
	int line = !d->list_file ? context.here.line : step > 0 ? d->list_last : d->list_first;
	const struct buf *text = source_cache_get(context.session->sources, file);
	int last = text ? count_lines(text) : 0;
	if (regcomp(&regex, args, REG_NOSUB) != 0)
		return error_new(ERROR_USAGE, "'%s' is no regular expression", args);
	bool found = false;
	for (line += step; !found && line >= 1 && line <= last && !interrupt_is_pending();) {
		AUTO_BUF one = { 0 };
		found = source_cache_line(context.session->sources, file, line, &one) &&
			regexec(&regex, buf_text(&one), 0, NULL, 0) == 0;
		line += found ? 0 : step;
	}
	regfree(&regex);
	if (!found)
		return error_new(ERROR_NOT_FOUND, "Expression not found");
	d->list_pc = context.here.pc;
	struct error *err = show_lines(c, file, line, line);
	struct data_scope s;
	const struct value at = value_of_int(&type_int, (uint64_t)line);
	data_scope(c, &s);
	return err ? err : convenience_set(c->control->values, "_", &at, lookup_types(&s.scope));
}

static struct error *cmd_forward_search(struct cli *c, const char *args)
{
	return search(c, args, 1);
}

static struct error *cmd_reverse_search(struct cli *c, const char *args)
{
	return search(c, args, -1);
}

static const struct command rows[] = {
	{ .name = "forward-search",
	  .short_names = "search fo",
	  .args = "REGEX",
	  .class = CLASS_FILES,
	  .flags = COMMAND_RAW | COMMAND_REPEATS,
	  .run = cmd_forward_search,
	  .summary = "Show the next line that matches a regular expression, from the last one "
		     "listed on." },
	{ .name = "reverse-search",
	  .short_names = "rev",
	  .args = "REGEX",
	  .class = CLASS_FILES,
	  .flags = COMMAND_RAW | COMMAND_REPEATS,
	  .run = cmd_reverse_search,
	  .summary = "Show the line before that matches a regular expression." },
	{ .name = "list",
	  .short_names = "l",
	  .args = "[LOCATION | FIRST,LAST | -]",
	  .class = CLASS_FILES,
	  .completes = COMPLETES_LOCATION,
	  .flags = COMMAND_RAW | COMMAND_REPEATS_BARE,
	  .run = cmd_list,
	  .summary = "Show lines of the source.",
	  .help = "Ten lines around a location; then those that follow, or with - those before. "
		  "\"set listsize\" changes how many." },
};
const struct command_table cmd_list_table = COMMAND_TABLE(rows);
