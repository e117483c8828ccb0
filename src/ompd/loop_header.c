/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/loop_header.h"

#include <ctype.h>
#include <string.h>

/* A part of the text. */
struct part {
	const char *at, *end;
};

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static struct part trim(struct part p)
{
	while (p.at < p.end && isspace((unsigned char)*p.at))
		p.at++;
	while (p.end > p.at && isspace((unsigned char)p.end[-1]))
		p.end--;
	return p;
}

/* NULL: there is nothing, or memory is out, which *failed tells. */
static char *copy(struct part p, bool *failed)
{
	p = trim(p);
	char *ret = p.at < p.end ? strndup(p.at, (size_t)(p.end - p.at)) : NULL;

	*failed |= p.at < p.end && !ret;
	return ret;
}

/* Behind a text or a character. */
static const char *behind_quotes(const char *p, const char *end)
{
	char quote = *p++;

	while (p < end && *p != quote)
		p += *p == '\\' && p + 1 < end ? 2 : 1;
	return p < end ? p + 1 : end;
}

/* The first of some characters that is in no brackets; ':' is not one of "::". The end: none. */
static const char *find_plain(struct part p, const char *characters)
{
	int depth = 0;

	while (p.at < p.end) {
		char c = *p.at;
		if (c == '"' || c == '\'') {
			p.at = behind_quotes(p.at, p.end);
			continue;
		}
		if (c == ':' && p.at + 1 < p.end && p.at[1] == ':') {
			p.at += 2;
			continue;
		}
		if (!depth && strchr(characters, c))
			return p.at;
		depth += strchr("([{", c) != NULL;
		depth -= depth && strchr(")]}", c);
		p.at++;
	}
	return p.end;
}

/* Takes what stands before the next such character; p goes on behind it. */
static struct part take_until(struct part *p, const char *characters)
{
	struct part ret = { p->at, find_plain(*p, characters) };

	p->at = ret.end < p->end ? ret.end + 1 : p->end;
	return ret;
}

/* The last word: "i" of "size_t i". */
static struct part last_word(struct part p)
{
	p = trim(p);
	struct part word = { p.end, p.end };

	while (word.at > p.at && is_name(word.at[-1]))
		word.at--;
	return word;
}

static bool is(struct part p, const char *text)
{
	p = trim(p);
	return text && (size_t)(p.end - p.at) == strlen(text) && !memcmp(p.at, text, strlen(text));
}

/* ---- C ---------------------------------------------------------------------------------- */

/* "i < n", "n >= i" */
static void read_end(struct part p, struct loop_header *ret, bool *failed)
{
	struct part left = { p.at, find_plain(p, "<>!") };

	if (left.end == p.end)
		return;
	bool equals = left.end[1] == '=';
	struct part right = { left.end + 1 + equals, p.end };
	if (!is(left, ret->variable) && !is(right, ret->variable))
		return;
	ret->includes_end = equals && *left.end != '!';
	ret->end = copy(is(left, ret->variable) ? right : left, failed);
}

/* "i++", "--i", "i += 2", "i = i - n" */
static void read_step(struct part p, struct loop_header *ret, bool *failed)
{
	AUTO_FREE char *text = copy(p, failed);
	AUTO_BUF step = { 0 };

	if (!text || !ret->variable)
		return;
	const char *assigns = strchr(text, '=');
	const char *sign = assigns ? strpbrk(assigns, "+-") : NULL;
	if (strstr(text, "++"))
		buf_adds(&step, "1");
	else if (strstr(text, "--"))
		buf_adds(&step, "-1");
	else if (assigns && assigns > text && strchr("+-", assigns[-1]))
		buf_addf(&step, "%s(%s)", assigns[-1] == '-' ? "-" : "", assigns + 1);
	else if (sign && is((struct part){ assigns + 1, sign }, ret->variable))
		buf_addf(&step, "%s(%s)", *sign == '-' ? "-" : "", sign + 1);
	if (step.len)
		ret->step = strdup(buf_text(&step));
	*failed |= step.failed || (step.len && !ret->step);
}

struct error *loop_header_c(const char *text, struct loop_header *ret)
{
	struct part p = { text, text + strlen(text) };
	struct part first = take_until(&p, ";");
	struct part second = take_until(&p, ";");
	struct part name = take_until(&first, "=:");
	bool failed = false;

	if (name.end < first.end)
		ret->variable = copy(last_word(name), &failed);
	if (ret->variable && *name.end == '=') {
		ret->begin = copy(first, &failed);
		read_end(second, ret, &failed);
		read_step(p, ret, &failed);
	}
	return failed ? &error_nomem : NULL;
}

/* ---- Fortran ---------------------------------------------------------------------------- */

struct error *loop_header_fortran(const char *text, struct loop_header *ret)
{
	struct part p = { text, text + strlen(text) };
	struct part name = take_until(&p, "=(");
	bool failed = false;

	if (name.end == p.end || *name.end != '=' || is(name, ""))
		return NULL;
	ret->includes_end = true;
	ret->variable = copy(name, &failed);
	ret->begin = copy(take_until(&p, ",:"), &failed);
	ret->end = copy(take_until(&p, ",:)"), &failed);
	ret->step = is(p, "") ? strdup("1") : copy(p, &failed);
	return failed || !ret->step ? &error_nomem : NULL;
}

/* ---- both ------------------------------------------------------------------------------- */

void loop_header_fini(struct loop_header *h)
{
	free(h->variable);
	free(h->begin);
	free(h->end);
	free(h->step);
	*h = (struct loop_header){ 0 };
}

bool loop_header_is_harmless(const char *text)
{
	for (const char *p = text; *p; p++) {
		bool behind = p > text && (is_name(p[-1]) || strchr(")]", p[-1]));
		if ((*p == '+' || *p == '-') && p[1] == *p)
			return false;
		if (*p == '=' || *p == '{' || *p == '"' || (*p == '(' && behind))
			return false;
	}
	return true;
}
