/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/source_tokens.h"

#include <ctype.h>
#include <string.h>

enum {
	MACROS_MAX = 1024,
	EXPANDED_MAX = 1 << 16,
	BRACKETS_MAX = 1 << 16,
	NESTED_MAX = 8,
	RAW_MAX = 16,
	BARE_MAX = 64, /* lines */
	GROUP_BITS = 2,
};

struct span {
	const char *at, *end;
};

void source_tokens_init(struct source_tokens *t, const char *text, size_t len)
{
	*t = (struct source_tokens){ .here = { text, 1, true }, .end = text + len };
}

void source_tokens_fini(struct source_tokens *t)
{
	vec_fini(&t->macros);
	buf_fini(&t->pragma);
}

bool source_token_is(const struct source_token *t, const char *text)
{
	return t->len == strlen(text) && !memcmp(t->at, text, t->len);
}

static bool begins_name(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static struct span take_name(struct span *s)
{
	struct span name = *s;

	while (s->at < s->end && (isalnum((unsigned char)*s->at) || *s->at == '_'))
		s->at++;
	name.end = s->at;
	return name;
}

static void skip_blanks(struct span *s)
{
	while (s->at < s->end && (isspace((unsigned char)*s->at) || *s->at == '\\'))
		s->at++;
}

static bool begins(struct span s, const char *text)
{
	size_t len = strlen(text);

	return (size_t)(s.end - s.at) >= len && !memcmp(s.at, text, len);
}

/* Behind a text or character that begins there; in a line. */
static const char *behind_quotes(const char *at, const char *end)
{
	char quote = *at++;

	while (at < end && *at != quote && *at != '\n')
		at += *at == '\\' && at + 1 < end ? 2 : 1;
	return at < end && *at == quote ? at + 1 : at;
}

/* "( ... )": what is in it; s moves behind it. Without one: nothing. */
static struct span take_brackets(struct span *s)
{
	struct span inside = { s->at, s->at };
	int depth = 1;

	skip_blanks(s);
	if (s->at == s->end || *s->at != '(')
		return inside;
	inside.at = ++s->at;
	if (s->end - s->at > BRACKETS_MAX)
		s->end = s->at + BRACKETS_MAX;
	while (s->at < s->end && depth) {
		char c = *s->at;
		if (c == '"') {
			s->at = behind_quotes(s->at, s->end);
			continue;
		}
		depth += (c == '(') - (c == ')');
		s->at++;
	}
	inside.end = depth ? s->at : s->at - 1;
	return inside;
}

/* ---- macros ------------------------------------------------------------------------------ */

static const struct source_macro *find_macro(const struct source_tokens *t, struct span name)
{
	size_t len = (size_t)(name.end - name.at);

	for (size_t i = t->macros.len; i-- > 0;) {
		const struct source_macro *m = &t->macros.items[i];
		if (m->len == len && !memcmp(m->name, name.at, len))
			return m;
	}
	return NULL;
}

static bool makes_directives(const struct source_tokens *t, struct span body)
{
	while (body.at < body.end) {
		if (!begins_name(*body.at)) {
			body.at++;
			continue;
		}
		struct span name = take_name(&body);
		if (begins(name, "_Pragma"))
			return true;
		const struct source_macro *m = find_macro(t, name);
		if (m && m->makes)
			return true;
	}
	return false;
}

static bool says_the_same(const struct source_macro *a, const struct source_macro *b)
{
	const size_t len = (size_t)(a->end - a->body);

	return len == (size_t)(b->end - b->body) && !memcmp(a->body, b->body, len);
}

static void define(struct source_tokens *t, struct span s)
{
	skip_blanks(&s);
	struct span name = take_name(&s);
	struct source_macro m = { .name = name.at, .len = (size_t)(name.end - name.at) };

	/* Who looks ahead comes here twice. */
	vec_for_each (other, &t->macros) {
		if (other->name == m.name)
			return;
	}
	if (!m.len || t->macros.len == MACROS_MAX)
		return;
	if (s.at < s.end && *s.at == '(') {
		m.parameters = s.at + 1;
		take_brackets(&s);
	}
	skip_blanks(&s);
	m.body = s.at;
	m.end = s.end;
	m.makes = makes_directives(t, s);
	/* "#if" decides which definition counts. */
	const struct source_macro *before = find_macro(t, name);
	m.several = before && (before->several || !says_the_same(before, &m));
	t->makers += m.makes;
	/* Without memory it is as if it were not there. */
	(void)!vec_push(&t->macros, m);
}

/* Which parameter a name is; -1: none. */
static int parameter_index(const struct source_macro *m, struct span name)
{
	struct span s = { m->parameters, m->body };

	for (int i = 0; s.at && s.at < s.end && *s.at != ')'; i++) {
		skip_blanks(&s);
		struct span its = take_name(&s);
		if (its.end > its.at && its.end - its.at == name.end - name.at &&
		    !memcmp(its.at, name.at, (size_t)(its.end - its.at)))
			return i;
		while (s.at < s.end && *s.at != ',' && *s.at != ')')
			s.at++;
		s.at += s.at < s.end && *s.at == ',';
	}
	return -1;
}

/* The n-th of arguments with commas between them. */
static struct span argument(struct span all, int n)
{
	struct span s = all;
	int depth = 0;

	for (; all.at < all.end; all.at++) {
		depth += *all.at == '(';
		depth -= *all.at == ')';
		if (*all.at != ',' || depth)
			continue;
		if (n-- == 0)
			break;
		s.at = all.at + 1;
	}
	s.end = all.at;
	return n > 0 ? (struct span){ all.end, all.end } : s;
}

static void add_body(const struct source_macro *m, struct span arguments, struct buf *out)
{
	struct span s = { m->body, m->end };

	while (s.at < s.end && out->len < EXPANDED_MAX) {
		if (!begins_name(*s.at)) {
			buf_addc(out, *s.at++);
			continue;
		}
		struct span name = take_name(&s);
		int i = m->parameters ? parameter_index(m, name) : -1;
		bool all = i < 0 && begins(name, "__VA_ARGS__");
		struct span put = i >= 0 ? argument(arguments, i) : all ? arguments : name;
		buf_add(out, put.at, (size_t)(put.end - put.at));
	}
}

/* A text with those macros expanded that take nothing; line ends are blanks. */
static void expand(struct source_tokens *t, struct span s, int depth, struct buf *out)
{
	while (s.at < s.end && out->len < EXPANDED_MAX) {
		if (!begins_name(*s.at)) {
			bool joins = *s.at == '\\' || *s.at == '\n' || *s.at == '\r';
			buf_addc(out, joins ? ' ' : *s.at);
			s.at++;
			continue;
		}
		struct span name = take_name(&s);
		const struct source_macro *m = depth < NESTED_MAX ? find_macro(t, name) : NULL;
		t->several |= m && !m->parameters && !m->makes && m->several;
		if (m && !m->parameters && !m->makes)
			expand(t, (struct span){ m->body, m->end }, depth + 1, out);
		else
			buf_add(out, name.at, (size_t)(name.end - name.at));
	}
}

/* Of lines between "#if" and "#endif". */
enum group { GROUP_NONE, GROUP_UNKNOWN, GROUP_OTHER, GROUP_TAKEN };

static enum group innermost(const struct source_tokens *t)
{
	return t->here.groups & ((1 << GROUP_BITS) - 1);
}

/* "omp parallel": what stands behind "omp". false: it is no directive of OpenMP. */
static bool set_pragma(struct source_tokens *t, struct span s)
{
	skip_blanks(&s);
	struct span word = take_name(&s);
	if (word.end - word.at != 3 || !begins(word, "omp"))
		return false;
	buf_clear(&t->pragma);
	t->several = innermost(t) == GROUP_OTHER;
	expand(t, s, 0, &t->pragma);
	return true;
}

/* _Pragma(text), where quotes may be escaped. */
static bool set_from_text(struct source_tokens *t, struct span s)
{
	AUTO_BUF plain = { 0 };

	skip_blanks(&s);
	if (s.at == s.end || *s.at != '"')
		return false;
	s.end = behind_quotes(s.at, s.end);
	for (s.at++; s.at + 1 < s.end; s.at++)
		buf_addc(&plain, *s.at == '\\' ? *++s.at : *s.at);
	const char *text = buf_text(&plain);
	return set_pragma(t, (struct span){ text, text + plain.len });
}

/* The first directive that a text makes once its macros are expanded. left: characters of macros
 * that may be gone through: a macro may have several, which have several each. */
static bool set_from(struct source_tokens *t, struct span s, int depth, size_t *left)
{
	while (s.at < s.end && depth < NESTED_MAX) {
		if (!begins_name(*s.at)) {
			s.at++;
			continue;
		}
		struct span name = take_name(&s);
		bool is_pragma = name.end - name.at == 7 && begins(name, "_Pragma");
		const struct source_macro *m = is_pragma ? NULL : find_macro(t, name);
		AUTO_BUF body = { 0 };
		if (!is_pragma && !(m && m->makes))
			continue;
		struct span in = is_pragma || m->parameters ? take_brackets(&s)
							    : (struct span){ s.at, s.at };
		struct span text = in;
		if (is_pragma ? set_from_text(t, in) : false)
			return true;
		skip_blanks(&text);
		/* "_Pragma(#x)" with the argument put in for x. */
		if (is_pragma && text.at < text.end && *text.at == '#') {
			text.at++;
			return set_pragma(t, text);
		}
		if (is_pragma)
			continue;
		add_body(m, in, &body);
		if (body.len >= *left)
			return false;
		*left -= body.len + 1;
		text = (struct span){ buf_text(&body), buf_text(&body) + body.len };
		if (set_from(t, text, depth + 1, left))
			return true;
	}
	return false;
}

/* ---- tokens ------------------------------------------------------------------------------ */

static void move_to(struct source_tokens *t, const char *at)
{
	for (; t->here.at < at; t->here.at++)
		t->here.line += *t->here.at == '\n';
}

/* The end of a line with those that it is continued in. */
static const char *line_end(const char *at, const char *end)
{
	while (at < end && *at != '\n')
		at += *at == '\\' && at + 1 < end ? (at[1] == '\r' && at + 2 < end ? 3 : 2) : 1;
	return at < end ? at : end;
}

/* The end of a comment: at is behind its "slash star". */
static const char *comment_end(const char *at, const char *end)
{
	const char *found = memmem(at, (size_t)(end - at), "*/", 2);

	return found ? found + 2 : end;
}

static void skip_comment(struct source_tokens *t)
{
	const char *at = t->here.at + 2;

	if (t->here.at[1] == '/') {
		move_to(t, line_end(at, t->end));
		return;
	}
	move_to(t, comment_end(at, t->end));
}

/* "#pragma ...": comments in it are blanks, also those that go on in other lines. */
static bool take_pragma(struct source_tokens *t, const char *at)
{
	const char *end = line_end(at, t->end);
	AUTO_BUF text = { 0 };

	while (at < end) {
		bool slash = *at == '/' && at + 1 < end;
		if (slash && at[1] == '/')
			break;
		if (slash && at[1] == '*') {
			at = comment_end(at + 2, t->end);
			buf_add(&text, " ", 1);
			end = at > end ? line_end(at, t->end) : end;
		} else {
			buf_add(&text, at++, 1);
		}
	}
	move_to(t, end);
	const char *from = buf_text(&text);
	return buf_ok(&text) && set_pragma(t, (struct span){ from, from + text.len });
}

/* ---- groups of lines between "#if" and "#endif" ------------------------------------------- */

static void enter_group(struct source_tokens *t, enum group group)
{
	t->here.groups = t->here.groups << GROUP_BITS | group;
}

struct group_end {
	bool goes_on, plainly; /* with "#else" or "#elif"; with "#else"              */
	bool is_bare;          /* there are no other lines than the preprocessor's   */
};

/* Up to its "#else", "#elif" or "#endif", and behind that; at most so many lines. */
static struct group_end skip_group(struct source_tokens *t, size_t most)
{
	struct group_end end = { .is_bare = true };
	int depth = 1;

	while (depth && t->here.at < t->end && most--) {
		struct span s = { t->here.at, line_end(t->here.at, t->end) };
		move_to(t, s.end < t->end ? s.end + 1 : s.end);
		skip_blanks(&s);
		if (s.at == s.end || *s.at++ != '#') {
			end.is_bare &= s.at == s.end;
			continue;
		}
		skip_blanks(&s);
		end.goes_on = depth == 1 && begins(s, "el");
		end.plainly = end.goes_on && begins(s, "else");
		depth += begins(s, "if");
		depth -= begins(s, "endif") || end.goes_on;
	}
	return end;
}

/* A directive alone, in the place of which another group may have another one. */
static enum group look_ahead(struct source_tokens *t, bool is_first)
{
	const struct source_position here = t->here;
	const struct group_end end = skip_group(t, BARE_MAX);

	t->here = here;
	return end.is_bare && (end.goes_on || !is_first) ? GROUP_OTHER : GROUP_UNKNOWN;
}

/* 1, 0; -1: not known. What is compiled for OpenMP has _OPENMP. */
static int condition(struct span word, struct span s)
{
	const bool is_if = word.end - word.at == 2, negated = begins(word, "ifndef");

	skip_blanks(&s);
	const bool is_not = is_if && s.at < s.end && *s.at == '!';
	s.at += is_not;
	if (is_if && begins(s, "defined"))
		s.at += strlen("defined");
	while (s.at < s.end && (*s.at == ' ' || *s.at == '('))
		s.at++;
	const struct span name = take_name(&s);
	const bool is_openmp = name.end - name.at == 7 && begins(name, "_OPENMP");
	const bool is_number =
		is_if && name.end - name.at == 1 && (begins(name, "0") || begins(name, "1"));
	const bool value = is_openmp || begins(name, "1");
	while (s.at < s.end && (*s.at == ')' || isspace((unsigned char)*s.at)))
		s.at++;
	const bool ends = s.at == s.end || begins(s, "//") || begins(s, "/*");
	return (is_number || is_openmp) && ends ? value != (negated || is_not) : -1;
}

static void begin_group(struct source_tokens *t, int holds)
{
	const struct group_end end = holds ? (struct group_end){ 0 } : skip_group(t, SIZE_MAX);

	if (holds)
		enter_group(t, holds > 0 ? GROUP_TAKEN : look_ahead(t, true));
	else if (end.goes_on)
		enter_group(t, end.plainly ? GROUP_TAKEN : GROUP_UNKNOWN);
}

static void begin_other_group(struct source_tokens *t)
{
	const enum group before = innermost(t);

	t->here.groups >>= GROUP_BITS;
	if (before != GROUP_TAKEN)
		enter_group(t, look_ahead(t, false));
	while (before == GROUP_TAKEN && skip_group(t, SIZE_MAX).goes_on)
		;
}

/* A line that begins with '#'. true: a directive of OpenMP. */
static bool take_line(struct source_tokens *t)
{
	struct span s = { t->here.at + 1, line_end(t->here.at, t->end) };

	move_to(t, s.end);
	skip_blanks(&s);
	struct span word = take_name(&s);
	if (begins(word, "define"))
		define(t, s);
	if (begins(word, "if"))
		begin_group(t, condition(word, s));
	else if (begins(word, "el"))
		begin_other_group(t);
	else if (begins(word, "endif"))
		t->here.groups >>= GROUP_BITS;
	return begins(word, "pragma") && take_pragma(t, s.at);
}

/* R"x( ... )x" */
static const char *behind_raw(const char *at, const char *end)
{
	char close[RAW_MAX + 3] = ")";
	const char *p = at + 1;
	size_t n = 1;

	while (p < end && *p != '(' && n <= RAW_MAX)
		close[n++] = *p++;
	close[n++] = '"';
	const char *found = memmem(p, (size_t)(end - p), close, n);
	return found ? found + n : end;
}

static bool take_word(struct source_tokens *t, struct source_token *ret)
{
	struct span s = { t->here.at, t->end };
	struct span name = take_name(&s);
	struct span from = name;
	size_t left = EXPANDED_MAX;
	bool is_pragma = name.end - name.at == 7 && begins(name, "_Pragma");
	const struct source_macro *m = is_pragma || !t->makers ? NULL : find_macro(t, name);

	ret->kind = SOURCE_NAME;
	ret->len = (size_t)(name.end - name.at);
	if (name.end[-1] == 'R' && s.at < s.end && *s.at == '"') {
		ret->kind = SOURCE_OTHER;
		s.at = behind_raw(s.at, s.end);
	} else if (is_pragma || (m && m->makes)) {
		if (is_pragma || m->parameters)
			take_brackets(&s);
		from.end = s.at;
		if (set_from(t, from, 0, &left)) {
			ret->kind = SOURCE_PRAGMA;
			t->from_macro = !is_pragma;
		}
	}
	move_to(t, s.at);
	return true;
}

/* "[[omp::directive(parallel)]]" */
static bool take_attribute(struct source_tokens *t)
{
	static const char word[] = "[[omp::directive";
	struct span s = { t->here.at, t->end };

	if (!begins(s, word))
		return false;
	s.at += strlen(word);
	struct span in = take_brackets(&s);
	buf_clear(&t->pragma);
	t->several = innermost(t) == GROUP_OTHER;
	expand(t, in, 0, &t->pragma);
	skip_blanks(&s);
	s.at += begins(s, "]]") ? 2 : 0;
	t->from_macro = false;
	move_to(t, s.at);
	return true;
}

/* Blanks, comments and lines for the preprocessor. true: a directive. */
static bool skip_between(struct source_tokens *t)
{
	while (t->here.at < t->end) {
		char c = *t->here.at;
		bool slash = c == '/' && t->here.at + 1 < t->end;
		if (c == '\n')
			t->here.is_first = true;
		if (isspace((unsigned char)c) || c == '\\') {
			move_to(t, t->here.at + 1);
		} else if (slash && (t->here.at[1] == '/' || t->here.at[1] == '*')) {
			skip_comment(t);
		} else if (c == '#' && t->here.is_first) {
			t->from_macro = false;
			if (take_line(t))
				return true;
		} else {
			break;
		}
	}
	return false;
}

void source_tokens_next(struct source_tokens *t, struct source_token *ret)
{
	struct source_position from = t->here;
	bool is_pragma = skip_between(t);

	*ret = (struct source_token){ SOURCE_END, t->here.at, 0, t->here.line };
	if (is_pragma) {
		/* Its line is where it ends; what is asked for is where it begins. */
		ret->kind = SOURCE_PRAGMA;
		for (const char *p = t->here.at - 1; p > from.at && *p != '#'; p--)
			ret->line -= *p == '\n';
		return;
	}
	if (t->here.at >= t->end)
		return;
	char c = *t->here.at;
	t->here.is_first = false;
	ret->kind = SOURCE_CHAR;
	ret->len = 1;
	if (begins_name(c)) {
		take_word(t, ret);
	} else if (c == '"' || c == '\'') {
		ret->kind = SOURCE_OTHER;
		move_to(t, behind_quotes(t->here.at, t->end));
	} else if (isdigit((unsigned char)c)) {
		const char *p = t->here.at;
		while (p < t->end && (isalnum((unsigned char)*p) || *p == '.' || *p == '\''))
			p++;
		ret->kind = SOURCE_OTHER;
		move_to(t, p);
	} else if (c == '[' && take_attribute(t)) {
		ret->kind = SOURCE_PRAGMA;
	} else {
		move_to(t, t->here.at + 1);
	}
}
