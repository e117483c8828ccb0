/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/linespec.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

void linespec_fini(struct linespec *l)
{
	free(l->text);
	free(l->file);
	free(l->name);
	free(l->condition);
	*l = (struct linespec){ 0 };
}

/* ---- parsing ---------------------------------------------------------------------------- */

static const char *skip_blanks(const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return s;
}

static char *copy_trimmed(const char *s, size_t len)
{
	while (len && isspace((unsigned char)*s)) {
		s++;
		len--;
	}
	while (len && isspace((unsigned char)s[len - 1]))
		len--;
	if (len >= 2 && (*s == '"' || *s == '\'') && s[len - 1] == *s) {
		s++;
		len -= 2;
	}
	return strndup(s, len);
}

/* The word stands there as a whole, after a blank or at the beginning. */
static bool is_word_at(const char *text, const char *at, const char *word)
{
	size_t len = strlen(word);
	bool begins = at == text || isspace((unsigned char)at[-1]);

	if (!begins || strncmp(at, word, len))
		return false;
	return !at[len] || isspace((unsigned char)at[len]) ||
	       (at[len] == '(' && !strcmp(word, "if"));
}

/* A function may be called "thread": at the beginning it is one, unless a number follows. */
static bool ends_location(const char *text, const char *at, const char *word)
{
	if (!is_word_at(text, at, word))
		return false;
	return at != text || strcmp(word, "thread") ||
	       isdigit((unsigned char)*skip_blanks(at + strlen(word)));
}

/* Where the location ends: before "if", "thread N", "-force-condition", outside of quotes and
 * brackets. */
static size_t location_length(const char *text)
{
	static const char *const words[] = { "if",         "thread",   "-force-condition",
					     "omp-thread", "omp-team", "once-per-region" };
	int depth = 0;
	char quote = 0;

	for (const char *s = text; *s; s++) {
		if (quote || *s == '"' || *s == '\'') {
			if (!quote)
				quote = *s;
			else if (*s == quote)
				quote = 0;
			continue;
		}
		depth += *s == '(' || *s == '<' || *s == '[';
		depth -= *s == ')' || *s == '>' || *s == ']';
		for (size_t i = 0; depth <= 0 && i < sizeof(words) / sizeof(*words); i++) {
			if (ends_location(text, s, words[i]))
				return (size_t)(s - text);
		}
	}
	return strlen(text);
}

/* A number without a sign that ends at "end"; -1: there is none. */
static int number_at(const char *s, const char **ret_end)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return -1;
	errno = 0;
	long n = strtol(s, &end, 10);
	*ret_end = end;
	return errno || n > INT_MAX ? -1 : (int)n;
}

/* "omp-thread 2" */
static struct error *parse_number_of(const char **s, const char *word, bool *ret_is, int *ret)
{
	*s = skip_blanks(*s + strlen(word));
	*ret = number_at(*s, s);
	*ret_is = *ret >= 0;
	return *ret_is ? NULL
		       : error_new(ERROR_USAGE,
				   "'%s' must be followed by a number, not by '%s': 'omp' lists "
				   "teams and their threads",
				   word, *s);
}

static struct error *parse_tail(const char *s, struct linespec *l)
{
	struct error *err = NULL;

	for (s = skip_blanks(s); *s; s = skip_blanks(s)) {
		if (is_word_at(s, s, "-force-condition")) {
			s += strlen("-force-condition");
			l->forced = true;
		} else if (is_word_at(s, s, "thread")) {
			s = skip_blanks(s + strlen("thread"));
			l->thread = number_at(s, &s);
			if (l->thread < 1)
				return error_new(ERROR_USAGE,
						 "'thread' must be followed by the number of one, "
						 "not by '%s': 'info threads' lists them",
						 s);
		} else if (is_word_at(s, s, "omp-thread")) {
			err = parse_number_of(&s, "omp-thread", &l->omp.is_thread, &l->omp.thread);
		} else if (is_word_at(s, s, "omp-team")) {
			err = parse_number_of(&s, "omp-team", &l->omp.is_team, &l->omp.team);
		} else if (is_word_at(s, s, "once-per-region")) {
			s += strlen("once-per-region");
			l->omp.once = true;
		} else if (is_word_at(s, s, "if")) {
			l->condition = copy_trimmed(s + 2, strlen(s + 2));
			if (!l->condition)
				return &error_nomem;
			if (!*l->condition)
				return error_new(ERROR_USAGE, "there is no condition after 'if'");
			return NULL;
		} else {
			return error_new(ERROR_USAGE,
					 "what is '%s' behind the location? 'thread N' or "
					 "'if CONDITION' may stand there",
					 s);
		}
		if (err)
			return err;
	}
	return NULL;
}

/* The colon that parts a file from what is in it: not one of "::", not within brackets. */
static const char *find_colon(const char *s)
{
	int depth = 0;
	char quote = 0;

	for (; *s; s++) {
		if (quote || *s == '"' || *s == '\'')
			quote = !quote ? *s : *s == quote ? 0 : quote;
		if (quote)
			continue;
		depth += *s == '(' || *s == '<';
		depth -= *s == ')' || *s == '>';
		if (*s != ':' || depth > 0)
			continue;
		if (s[1] != ':')
			return s;
		s++;
	}
	return NULL;
}

/* "31" or a name; behind a file, or alone. */
static struct error *parse_place(const char *s, struct linespec *l)
{
	const char *end = s;
	int n = number_at(s, &end);

	if (n >= 0 && !*skip_blanks(end)) {
		l->kind = LINESPEC_LINE;
		l->line = n;
		return NULL;
	}
	if (isdigit((unsigned char)*s))
		return error_new(ERROR_USAGE, "'%s' is no line number", s);
	l->kind = LINESPEC_FUNCTION;
	l->name = copy_trimmed(s, strlen(s));
	if (!l->name)
		return &error_nomem;
	return *l->name ? NULL
			: error_new(ERROR_USAGE,
				    "a function or a line is missing behind "
				    "'%s'",
				    l->text);
}

static struct error *parse_location(struct linespec *l)
{
	const char *s = l->text, *end = s;

	if (!*s)
		return NULL;
	if (*s == '*') {
		l->kind = LINESPEC_ADDRESS;
		l->name = copy_trimmed(s + 1, strlen(s + 1));
		if (!l->name)
			return &error_nomem;
		return *l->name ? NULL : error_new(ERROR_USAGE, "an address is missing behind '*'");
	}
	if (*s == '+' || *s == '-') {
		int n = s[1] ? number_at(skip_blanks(s + 1), &end) : 1;
		if (n < 0 || (s[1] && *skip_blanks(end)))
			return error_new(ERROR_USAGE, "'%s' is no number of lines", s);
		l->kind = LINESPEC_OFFSET;
		l->line = *s == '-' ? -n : n;
		return NULL;
	}
	const char *colon = find_colon(s);
	if (!colon)
		return parse_place(s, l);
	l->file = copy_trimmed(s, (size_t)(colon - s));
	return l->file ? parse_place(skip_blanks(colon + 1), l) : &error_nomem;
}

/* Takes the word "-qualified", or the beginning of it, out of a location. */
static void take_qualified(struct linespec *l)
{
	static const char whole[] = "-qualified";

	for (char *w = l->text; *w; w += strcspn(w, " \t"), w += strspn(w, " \t")) {
		size_t len = strcspn(w, " \t");
		if (len < 2 || len >= sizeof(whole) || strncmp(w, whole, len) != 0)
			continue;
		const char *rest = skip_blanks(w + len);
		memmove(w, rest, strlen(rest) + 1);
		l->qualified = true;
		break;
	}
	for (size_t n = strlen(l->text); n && isspace((unsigned char)l->text[n - 1]); n--)
		l->text[n - 1] = '\0';
}

/* "-function work -line 3": gdb's explicit form, as the other. */
static struct error *join_explicit(const char *text, struct buf *ret, bool *ret_labelled)
{
	enum { SOURCE, FUNCTION, LABEL, LINE, NUM };
	static const char *const names[NUM] = { "-source", "-function", "-label", "-line" };
	char *values[NUM] = { NULL };
	struct error *err = NULL;
	AUTO_FREE char *line = strdup(text);
	char *save = NULL;

	if (!line)
		return &error_nomem;
	for (char *w = strtok_r(line, " \t", &save); w && !err; w = strtok_r(NULL, " \t", &save)) {
		size_t i = 0;
		while (i < NUM && strncmp(names[i], w, strlen(w)) != 0)
			i++;
		values[i % NUM] = i < NUM ? strtok_r(NULL, " \t", &save) : NULL;
		if (i == NUM || !values[i])
			err = error_new(ERROR_USAGE, "'%s' is no part of a location", w);
	}
	if (err)
		return err;
	*ret_labelled = values[LABEL];
	if (values[SOURCE])
		buf_addf(ret, "%s:", values[SOURCE]);
	if (values[FUNCTION])
		buf_adds(ret, values[FUNCTION]);
	if (values[LABEL])
		buf_addf(ret, "%s%s", values[FUNCTION] ? ":" : "", values[LABEL]);
	if (values[LINE] && !values[FUNCTION] && !values[LABEL])
		buf_adds(ret, values[LINE]);
	return buf_ok(ret) ? NULL : &error_nomem;
}

struct error *linespec_split(const char *text, struct linespec *ret)
{
	AUTO_LINESPEC l = { 0 };

	text = skip_blanks(text);
	size_t len = location_length(text);
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	l.text = strndup(text, len);
	if (!l.text)
		return &error_nomem;
	struct error *err = parse_tail(text + len, &l);
	if (err)
		return err;
	*ret = l;
	l = (struct linespec){ 0 };
	return NULL;
}

struct error *linespec_parse(const char *text, struct linespec *ret)
{
	AUTO_LINESPEC l = { 0 };
	AUTO_BUF joined = { 0 };
	struct error *err = linespec_split(text, &l);

	if (!err && l.text[0] == '-')
		take_qualified(&l);
	if (!err && l.text[0] == '-' && isalpha((unsigned char)l.text[1])) {
		err = join_explicit(l.text, &joined, &l.labelled);
		free(l.text);
		l.text = err ? NULL : strdup(buf_text(&joined));
		if (!err && !l.text)
			err = &error_nomem;
	}
	if (!err)
		err = parse_location(&l);
	if (err)
		return err;
	*ret = l;
	l = (struct linespec){ 0 };
	return NULL;
}

/* ---- resolving -------------------------------------------------------------------------- */

static void add_resembling(const struct linespec_context *c, enum place_names what,
			   const char *text, struct buf *ret)
{
	enum { NAMES_MAX = 3 };
	struct name_list names = { 0 };

	if (!c->resembles)
		return;
	struct error *err = places_resemble(c->session->symbols, what, text, NAMES_MAX, &names);
	error_ignore(err);
	/* It is there: something else is wrong. */
	bool exists = names.len && !strcmp(names.items[0], text);
	for (size_t i = 0; !exists && i < names.len; i++)
		buf_addf(ret, "%s%s",
			 !i                  ? ": did you mean "
			 : i + 1 < names.len ? ", "
					     : " or ",
			 names.items[i]);
	buf_adds(ret, names.len && !exists ? "?" : "");
	name_list_fini(&names);
}

/* "function:label", "file:function:label"; a label of the function of the selected frame. */
static struct error *find_label(const struct linespec *l, const struct linespec_context *c,
				struct code_places *ret)
{
	const char *colon = find_colon(l->name);
	AUTO_FREE char *inner = colon ? strndup(l->name, (size_t)(colon - l->name)) : NULL;
	const char *function = colon ? inner : l->file, *label = colon ? colon + 1 : l->name;
	struct places_query query = { .name = function,
				      .file = colon ? l->file : NULL,
				      .exact_entry = true };
	AUTO_PLACES functions = { 0 };
	struct error *err = NULL;

	if (function)
		err = places_of_function(c->session->symbols, &query, &functions);
	else if (c->here.pc)
		err = places_of_label(c->session->symbols, c->here.pc, label, ret);
	for (size_t i = 0; i < functions.len && !err; i++)
		err = places_of_label(c->session->symbols, functions.items[i].addr, label, ret);
	if (err || ret->len || (!functions.len && !l->labelled))
		return err;
	if (!function)
		return error_new(ERROR_NOT_FOUND, "No label \"%s\" defined in current function.",
				 label);
	return error_new(ERROR_NOT_FOUND, "No label \"%s\" defined in function \"%s\".", label,
			 function);
}

static struct error *find_function(const struct linespec *l, const struct linespec_context *c,
				   struct code_places *ret)
{
	struct places_query query = {
		.name = l->name, .file = l->file, .exact_entry = c->entry, .qualified = l->qualified
	};
	struct error *err = places_of_function(c->session->symbols, &query, ret);
	AUTO_BUF hint = { 0 };

	if (!err && !ret->len)
		err = find_label(l, c, ret);
	if (err || ret->len)
		return err;
	add_resembling(c, PLACE_FUNCTIONS, l->name, &hint);
	if (l->file)
		return error_new(ERROR_NOT_FOUND, "Function \"%s\" not defined in \"%s\"%s",
				 l->name, l->file, buf_text(&hint));
	return error_new(ERROR_NOT_FOUND, "Function \"%s\" not defined%s", l->name,
			 buf_text(&hint));
}

static struct error *find_line(const struct linespec *l, const struct linespec_context *c, int line,
			       struct code_places *ret, int *ret_line)
{
	const char *file = l->file ? l->file : c->here.file;
	AUTO_BUF hint = { 0 };
	int found = line;

	if (!file)
		return error_new(ERROR_NOT_FOUND,
				 "No symbol table is loaded: there is no source file in which "
				 "line %d could be",
				 line);
	struct error *err = places_of_line(c->session->symbols, file, line, ret, &found);
	if (!error_is(err, ERROR_NOT_FOUND) || !l->file) {
		if (!err)
			*ret_line = found != line ? found : 0;
		return err;
	}
	add_resembling(c, PLACE_FILES, l->file, &hint);
	if (!hint.len)
		return err;
	error_free(err);
	return error_new(ERROR_NOT_FOUND, "no source file named %s%s", l->file, buf_text(&hint));
}

static struct error *find_address(const struct linespec_context *c, taddr addr,
				  struct code_places *ret)
{
	const struct source_frame *levels;
	size_t len;
	struct error *err = symbol_locate(c->session->symbols, addr, &levels, &len);

	if (err)
		return err;
	struct code_place place = {
		.addr = addr,
		.function = levels[0].function,
		.file = levels[0].file,
		.line = levels[0].file ? levels[0].line : 0,
		.module = module_at(c->session->modules, addr),
	};
	return vec_push(ret, place) ? NULL : &error_nomem;
}

struct error *linespec_resolve(const struct linespec *l, const struct linespec_context *c,
			       struct code_places *ret, int *ret_line)
{
	struct error *err;
	taddr addr;

	*ret_line = 0;
	if (!c->session && l->kind != LINESPEC_HERE)
		return error_new(ERROR_USAGE,
				 "No symbol table is loaded.  Use the \"file\" command.");
	switch (l->kind) {
	case LINESPEC_HERE:
		if (c->here.pc)
			return find_address(c, c->here.pc, ret);
		if (!c->here.file)
			return error_new(ERROR_USAGE, "No default breakpoint location now: say "
						      "where, as in 'break main'");
		return find_line(l, c, c->here.line, ret, ret_line);
	case LINESPEC_FUNCTION:
		return find_function(l, c, ret);
	case LINESPEC_LINE:
		return find_line(l, c, l->line, ret, ret_line);
	case LINESPEC_OFFSET:
		return find_line(l, c, c->here.line + l->line, ret, ret_line);
	case LINESPEC_ADDRESS:
		err = c->evaluate(c->context, l->name, &addr);
		return err ? err : find_address(c, addr, ret);
	}
	return NULL;
}
