/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/options.h"

#include <errno.h>
#include <string.h>

/* Parsing --------------------------------------------------------------------------------- */

struct error *options_parse_size(const char *text, size_t least, size_t most, size_t *ret)
{
	_Static_assert(sizeof(size_t) == sizeof(unsigned long), "strtoul makes a size_t");
	size_t digits = strspn(text, "0123456789");

	errno = 0;
	size_t n = strtoul(text, NULL, 10);
	if (!digits || text[digits] || errno || n < least || n > most)
		return error_new(ERROR_USAGE, "'%s' is not a number from %zu to %zu", text, least,
				 most);
	*ret = n;
	return NULL;
}

static struct error *set_flag(const struct option_row *row, const char *text, void *into)
{
	(void)row;
	(void)text;
	*(bool *)into = true;
	return NULL;
}

static struct error *set_size(const struct option_row *row, const char *text, void *into)
{
	return options_parse_size(text, row->least, row->most, into);
}

static struct error *set_text(const struct option_row *row, const char *text, void *into)
{
	(void)row;
	*(const char **)into = text;
	return NULL;
}

static struct error *set_choice(const struct option_row *row, const char *text, void *into)
{
	AUTO_BUF names = { 0 };

	for (int i = 0; row->choices[i]; i++) {
		if (!strcmp(row->choices[i], text)) {
			*(int *)into = i;
			return NULL;
		}
		buf_addf(&names, "%s%s", i ? ", " : "", row->choices[i]);
	}
	return error_new(ERROR_USAGE, "'%s' is none of %s", text, buf_text(&names));
}

static struct error *add_to_list(const struct option_row *row, const char *text, void *into)
{
	struct option_list *list = into;
	const struct option_given given = { .row = row, .text = text };

	return vec_push(list, given) ? NULL : &error_nomem;
}

static struct error *(*const setters[])(const struct option_row *row, const char *text,
					void *into) = {
	[OPTION_FLAG] = set_flag,     [OPTION_SIZE] = set_size,    [OPTION_TEXT] = set_text,
	[OPTION_CHOICE] = set_choice, [OPTION_LIST] = add_to_list,
};

void options_preset(const struct option_set *set)
{
	for (size_t i = 0; i < set->len; i++) {
		if (set->rows[i].kind == OPTION_SIZE)
			*(size_t *)((char *)set->into + set->rows[i].into) = set->rows[i].preset;
	}
}

/* An argument of the command line, taken apart. */
struct given {
	const char *text;  /* "--max-frames=3"                   */
	size_t len;        /* of the part that names the option  */
	const char *value; /* "3"; NULL: nothing                 */
	const struct option_row *row;
	void *into;
	bool is_long;
};

static bool names_row(const struct given *given, const struct option_row *row)
{
	if (!given->is_long)
		return row->letter && given->text[1] == row->letter;
	size_t dashes = given->text[1] == '-' ? 2 : 1;
	return strlen(row->name) == given->len - dashes &&
	       !strncmp(row->name, given->text + dashes, given->len - dashes);
}

static void take_apart(const char *text, bool is_long, struct given *ret)
{
	const char *equals = strchr(text, '=');

	*ret = (struct given){ .text = text, .is_long = is_long };
	if (!is_long) {
		ret->len = 2;
		ret->value = text[2] ? text + 2 : NULL;
		return;
	}
	ret->len = equals ? (size_t)(equals - text) : strlen(text);
	ret->value = equals ? equals + 1 : NULL;
}

static struct error *find_row(const struct option_set *sets, size_t nsets, struct given *given)
{
	for (size_t i = 0; i < nsets; i++) {
		for (size_t k = 0; k < sets[i].len; k++) {
			const struct option_row *row = &sets[i].rows[k];
			if (!names_row(given, row))
				continue;
			given->row = row;
			given->into = (char *)sets[i].into + row->into;
			return NULL;
		}
	}
	return error_new(ERROR_USAGE, "there is no option '%.*s'", (int)given->len, given->text);
}

static struct error *set_option(const struct given *given)
{
	const struct option_row *row = given->row;
	int len = (int)given->len;

	if (row->kind == OPTION_FLAG && given->value)
		return error_new(ERROR_USAGE, "option '%.*s' takes no argument", len, given->text);
	if (row->kind != OPTION_FLAG && !given->value)
		return error_new(ERROR_USAGE, "option '%.*s' needs an argument, %s", len,
				 given->text, row->argument);
	return error_add(setters[row->kind](row, given->value, given->into), "option '%.*s'", len,
			 given->text);
}

/* Parses the option at argv[*i], and moves on to its argument if that stands apart. */
static struct error *parse_option(const struct option_set *sets, size_t nsets,
				  const struct option_line *line, int *i)
{
	struct given given;

	const char *text = line->argv[*i];
	take_apart(text, text[1] == '-' || (line->one_dash && text[2]), &given);
	struct error *err = find_row(sets, nsets, &given);
	if (err && given.is_long && text[1] != '-') {
		error_ignore(err);
		take_apart(text, false, &given);
		err = find_row(sets, nsets, &given);
	}
	if (err)
		return err;
	if (given.row->kind != OPTION_FLAG && !given.value && *i + 1 < line->argc)
		given.value = line->argv[++*i];
	return set_option(&given);
}

static bool is_option(const char *text)
{
	return text[0] == '-' && text[1];
}

struct error *options_parse(const struct option_set *sets, size_t nsets, struct option_line *line)
{
	struct error *err = NULL;
	bool ended = false;
	int argc = 0;

	for (int i = 0; !err && i < line->argc; i++) {
		char *text = line->argv[i];
		if (ended || !is_option(text)) {
			line->argv[argc++] = text;
			ended |= line->stop || (line->stop_if && *line->stop_if);
		} else if (!strcmp(text, "--")) {
			ended = line->ended = true;
		} else {
			err = parse_option(sets, nsets, line, &i);
		}
	}
	line->argc = argc;
	return err;
}

/* Text ------------------------------------------------------------------------------------ */

enum { LINE_WIDTH = 80, HELP_COLUMN_MAX = 26 };

/* "--once", "--samples=3"; nothing: the member has its preset. */
static void add_word(struct buf *out, const struct option_row *row, const void *into)
{
	switch (row->kind) {
	case OPTION_FLAG:
		if (*(const bool *)into)
			buf_addf(out, "--%s", row->name);
		break;
	case OPTION_SIZE:
		if (*(const size_t *)into != row->preset)
			buf_addf(out, "--%s=%zu", row->name, *(const size_t *)into);
		break;
	case OPTION_TEXT:
		if (*(const char *const *)into)
			buf_addf(out, "--%s=%s", row->name, *(const char *const *)into);
		break;
	case OPTION_CHOICE:
		if (*(const int *)into)
			buf_addf(out, "--%s=%s", row->name, row->choices[*(const int *)into]);
		break;
	case OPTION_LIST:
		break;
	}
}

bool options_add_words(const struct option_set *set, struct option_words *ret)
{
	for (size_t i = 0; i < set->len; i++) {
		const struct option_row *row = &set->rows[i];
		AUTO_BUF word = { 0 };
		if (!row->stays)
			add_word(&word, row, (const char *)set->into + row->into);
		char *copy = word.len && !word.failed ? strdup(word.data) : NULL;
		if (word.len && !(copy && vec_push(ret, copy))) {
			free(copy);
			return false;
		}
	}
	return true;
}

void options_add_usage(struct buf *out, const struct option_set *set)
{
	for (size_t i = 0; i < set->len; i++) {
		const struct option_row *row = &set->rows[i];
		buf_addf(out, " [--%s%s%s]", row->name, row->argument ? " " : "",
			 row->argument ? row->argument : "");
	}
}

void options_add_wrapped(struct buf *out, const char *text, size_t indent)
{
	size_t column = indent;

	while (*text) {
		size_t word = strcspn(text, " \n");
		if (column > indent && column + 1 + word > LINE_WIDTH) {
			buf_addc(out, '\n');
			column = 0;
		}
		if (word) {
			size_t gap = column > indent ? 1 : indent - column;
			buf_addf(out, "%*s%.*s", (int)gap, "", (int)word, text);
			column += gap + word;
		}
		text += word;
		if (*text == '\n') {
			buf_addc(out, '\n');
			column = 0;
		}
		text += *text != '\0';
	}
	buf_addc(out, '\n');
}

/* "  -h, --help" */
static void add_name(struct buf *out, const struct option_row *row)
{
	if (row->letter)
		buf_addf(out, "  -%c, ", row->letter);
	else
		buf_adds(out, "      ");
	buf_addf(out, "--%s", row->name);
	if (row->argument)
		buf_addf(out, " %s", row->argument);
}

static void add_sentences(struct buf *out, const struct option_row *row)
{
	buf_adds(out, row->help);
	if (row->kind == OPTION_SIZE)
		buf_addf(out, " %s is %zu to %zu, and %zu if not given.", row->argument, row->least,
			 row->most, row->preset);
}

static size_t help_column(const struct option_set *sets, size_t nsets)
{
	AUTO_BUF scratch = { 0 };
	size_t widest = 0;

	for (size_t i = 0; i < nsets; i++) {
		for (size_t k = 0; k < sets[i].len; k++) {
			scratch.len = 0;
			add_name(&scratch, &sets[i].rows[k]);
			if (scratch.len > widest && scratch.len <= HELP_COLUMN_MAX)
				widest = scratch.len;
		}
	}
	return widest + 2;
}

static void add_row(struct buf *out, const struct option_row *row, size_t column)
{
	AUTO_BUF text = { 0 };
	size_t start = out->len;

	add_name(out, row);
	size_t width = out->len - start;
	if (width + 2 > column)
		buf_addf(out, "\n%*s", (int)column, "");
	else
		buf_addf(out, "%*s", (int)(column - width), "");
	add_sentences(&text, row);
	options_add_wrapped(out, buf_text(&text), column);
}

void options_add_help(struct buf *out, const struct option_set *sets, size_t nsets)
{
	size_t column = help_column(sets, nsets);

	for (size_t i = 0; i < nsets; i++) {
		for (size_t k = 0; k < sets[i].len; k++)
			add_row(out, &sets[i].rows[k], column);
	}
}

/* What roff(7) reads differently, and how it is written. */
static const struct {
	const char *plain, *roff;
} roff_rows[] = {
	{ "-", "\\-" },
	{ "\\", "\\e" },
	{ "\"", "\\(dq" },
	{ ". ", ".\n" },
};

void options_add_roff(struct buf *out, const char *text)
{
	enum { NROWS = sizeof(roff_rows) / sizeof(*roff_rows) };
	size_t start = out->len;

	while (*text) {
		bool at_start = out->len == start || out->data[out->len - 1] == '\n';
		size_t i = 0;
		if (at_start && (*text == '.' || *text == '\''))
			buf_adds(out, "\\&");
		while (i < NROWS &&
		       strncmp(text, roff_rows[i].plain, strlen(roff_rows[i].plain)) != 0)
			i++;
		if (i < NROWS) {
			buf_adds(out, roff_rows[i].roff);
			text += strlen(roff_rows[i].plain);
		} else {
			buf_addc(out, *text++);
		}
	}
}

void options_add_man(struct buf *out, const struct option_set *set)
{
	for (size_t i = 0; i < set->len; i++) {
		const struct option_row *row = &set->rows[i];
		buf_adds(out, ".TP\n");
		if (row->letter)
			buf_addf(out, "\\fB\\-%c\\fR, ", row->letter);
		buf_adds(out, "\\fB\\-\\-");
		options_add_roff(out, row->name);
		buf_adds(out, "\\fR");
		if (row->argument)
			buf_addf(out, " \\fI%s\\fR", row->argument);
		buf_addc(out, '\n');
		AUTO_BUF text = { 0 };
		add_sentences(&text, row);
		options_add_roff(out, buf_text(&text));
		buf_addc(out, '\n');
	}
}
