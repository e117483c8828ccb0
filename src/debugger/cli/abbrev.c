/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/abbrev.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A piece of a string. */
struct piece {
	const char *at;
	size_t len;
};

static bool same(struct piece a, struct piece b)
{
	return a.len == b.len && !memcmp(a.at, b.at, a.len);
}

static bool begins(struct piece a, struct piece start)
{
	return a.len >= start.len && !memcmp(a.at, start.at, start.len);
}

static bool has_short_name(const struct named *row, struct piece word)
{
	const char *s = row->short_names;

	while (s && *s) {
		size_t len = strcspn(s, " ");
		if (same((struct piece){ s, len }, word))
			return true;
		s += len + strspn(s + len, " ");
	}
	return false;
}

/* Where names end: "x/4i", "p*x". '!' and '|' are names by themselves. */
static struct piece first_word(const char *line)
{
	size_t len = 0;

	if (*line == '!' || *line == '|')
		return (struct piece){ line, 1 };
	while (isalnum((unsigned char)line[len]) || (line[len] && strchr("-_.", line[len])))
		len++;
	return (struct piece){ line, len };
}

/* The words found so far: names that begin with them come into question. */
struct search {
	const struct named_list *all;
	const char *words; /* "info", as written in the table */
};

/* Most texts differ from the first character on. */
static bool has_start(const char *text, const char *start, size_t len)
{
	return !len || (*text == *start && !strncmp(text, start, len));
}

/* What a row that comes into question has behind these words; NULL: nothing, or it does not. */
static const char *next_text(const struct search *s, const struct named *row)
{
	if (!*s->words)
		return row->name;
	if (*s->words != *row->name)
		return NULL;
	size_t len = strlen(s->words);
	return !strncmp(row->name, s->words, len) && row->name[len] == ' ' ? row->name + len + 1
									   : NULL;
}

/* The next word of a row that comes into question; its "at" is NULL: none. */
static struct piece next_word(const struct search *s, const struct named *row)
{
	const char *text = next_text(s, row);

	return (struct piece){ text, text ? strcspn(text, " ") : 0 };
}

enum { EXACT, SHORT, BEGINNING, NUM_FITS };

static bool fits(const struct search *s, const struct named *row, struct piece word, int how)
{
	const char *theirs = next_text(s, row);

	if (!theirs)
		return false;
	if (how == SHORT)
		return has_short_name(row, word) && !strchr(theirs, ' ');
	return has_start(theirs, word.at, word.len) &&
	       (how == BEGINNING || !theirs[word.len] || theirs[word.len] == ' ');
}

static bool add_candidate(struct buf *names, struct piece word, struct piece *seen, size_t nseen)
{
	for (size_t i = 0; i < nseen; i++) {
		if (same(seen[i], word))
			return false;
	}
	buf_addf(names, "%s%.*s", names->len ? ", " : "", (int)word.len, word.at);
	return true;
}

enum { CANDIDATES_MAX = 24 };

/* The different words that fit, 0 to CANDIDATES_MAX of them. */
static size_t candidates(const struct search *s, struct piece word, int how, struct buf *names,
			 struct piece *ret)
{
	size_t n = 0;

	buf_clear(names);
	for (size_t i = 0; i < s->all->len && n < CANDIDATES_MAX; i++) {
		const struct named *row = &s->all->items[i];
		if (fits(s, row, word, how) && add_candidate(names, next_word(s, row), ret, n))
			ret[n++] = next_word(s, row);
	}
	return n;
}

unsigned int abbrev_distance(const char *a, size_t alen, const char *b, size_t blen)
{
	enum { LONGEST = 48 };
	unsigned int row[LONGEST + 1];

	if (alen > LONGEST || blen > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= blen; j++)
		row[j] = (unsigned int)j;
	for (size_t i = 1; i <= alen; i++) {
		unsigned int diagonal = row[0];
		row[0] = (unsigned int)i;
		for (size_t j = 1; j <= blen; j++) {
			unsigned int change = diagonal + (a[i - 1] != b[j - 1]);
			unsigned int drop = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
			diagonal = row[j];
			row[j] = change < drop ? change : drop;
		}
	}
	return row[blen];
}

/* Words that the user may have meant. */
static void add_nearest(const struct search *s, struct piece word, struct buf *ret)
{
	unsigned int most = word.len > 5 ? 2 : 1;
	struct piece seen[CANDIDATES_MAX];
	size_t n = 0;

	buf_clear(ret);
	for (unsigned int d = 1; d <= most && !n; d++) {
		for (size_t i = 0; i < s->all->len && n < 6; i++) {
			struct piece theirs = next_word(s, &s->all->items[i]);
			if (theirs.at && theirs.len > 1 &&
			    abbrev_distance(word.at, word.len, theirs.at, theirs.len) == d &&
			    add_candidate(ret, theirs, seen, n))
				seen[n++] = theirs;
		}
	}
}

void abbrev_match_fini(struct abbrev_match *m)
{
	buf_fini(&m->names);
}

static bool find_row(const struct search *s, size_t *ret)
{
	/* What was added last hides what has been there. */
	for (size_t i = s->all->len; i; i--) {
		const char *name = s->all->items[i - 1].name;
		if (*name == *s->words && !strcmp(name, s->words)) {
			*ret = i - 1;
			return true;
		}
	}
	return false;
}

static bool has_more_words(const struct search *s)
{
	for (size_t i = 0; i < s->all->len; i++) {
		if (next_text(s, &s->all->items[i]))
			return true;
	}
	return false;
}

static void add_word(struct abbrev_match *m, struct piece word)
{
	size_t len = strlen(m->words);

	if (len + word.len + 2 > sizeof(m->words))
		return;
	if (len)
		m->words[len++] = ' ';
	memcpy(m->words + len, word.at, word.len);
	m->words[len + word.len] = '\0';
}

/* Adds the word that one of the line means to the search; else the outcome says what is wrong. */
static bool take_word(struct search *s, struct piece word, struct abbrev_match *m)
{
	struct piece found[CANDIDATES_MAX];

	for (int how = EXACT; how < NUM_FITS; how++) {
		size_t n = candidates(s, word, how, &m->names, found);
		if (n == 1) {
			add_word(m, found[0]);
			return true;
		}
		if (n) {
			m->outcome = ABBREV_AMBIGUOUS;
			return false;
		}
	}
	m->outcome = ABBREV_UNKNOWN;
	return false;
}

/* "p-5": names have minus signs, and arguments begin with them. */
static bool take_part(struct search *s, struct piece *word, struct abbrev_match *m)
{
	const char *minus = memchr(word->at, '-', word->len);

	if (take_word(s, *word, m))
		return true;
	if (m->outcome != ABBREV_UNKNOWN || !minus || minus == word->at)
		return false;
	word->len = (size_t)(minus - word->at);
	return take_word(s, *word, m);
}

void abbrev_find(const struct named_list *all, const char *line, struct abbrev_match *ret)
{
	struct search s = { .all = all, .words = ret->words };
	struct piece word = { 0 };

	line += strspn(line, " \t");
	while (has_more_words(&s)) {
		word = first_word(line);
		if (!word.len || !take_part(&s, &word, ret))
			break;
		line += word.len + strspn(line + word.len, " \t");
		word.len = 0;
	}
	ret->at = line;
	ret->len = word.len;
	bool known = *s.words && find_row(&s, &ret->index);
	if (word.len && ret->outcome == ABBREV_UNKNOWN)
		add_nearest(&s, word, &ret->names);
	if (known && (ret->outcome != ABBREV_AMBIGUOUS || !word.len)) {
		ret->outcome = ABBREV_FOUND;
	} else if (!word.len) {
		struct piece found[CANDIDATES_MAX];
		ret->outcome = *line ? ABBREV_UNKNOWN : ABBREV_PARTIAL;
		ret->len = strcspn(line, " \t");
		if (!*line)
			candidates(&s, (struct piece){ "", 0 }, BEGINNING, &ret->names, found);
	}
}

static int by_text(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;
	int order = strncmp(x->at, y->at, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

/* The words before the last one are taken as abbrev_find() does. */
static bool take_all_but_last(struct search *s, const char *line, struct abbrev_match *m,
			      size_t *ret_start)
{
	const char *at = line + strspn(line, " \t");

	for (;;) {
		struct piece word = first_word(at);
		if (!at[word.len]) {
			*ret_start = (size_t)(at - line);
			return true;
		}
		size_t blanks = strspn(at + word.len, " \t");
		if (!word.len || !blanks || !take_word(s, word, m))
			return false;
		at += word.len + blanks;
	}
}

bool abbrev_complete(const struct named_list *all, const char *line, size_t *ret_start,
		     void (*found)(void *context, const char *word, size_t len), void *context)
{
	AUTO(abbrev_match_fini) struct abbrev_match m = { 0 };
	struct search s = { .all = all, .words = m.words };
	VEC(struct piece) words = { 0 };

	if (!take_all_but_last(&s, line, &m, ret_start) || !has_more_words(&s))
		return false;
	struct piece start = { line + *ret_start, strlen(line + *ret_start) };
	for (size_t i = 0; i < all->len; i++) {
		struct piece word = next_word(&s, &all->items[i]);
		if (word.at && begins(word, start) && !vec_push(&words, word))
			break;
	}
	if (words.len)
		qsort(words.items, words.len, sizeof(*words.items), by_text);
	for (size_t i = 0; i < words.len; i++) {
		if (!i || !same(words.items[i], words.items[i - 1]))
			found(context, words.items[i].at, words.items[i].len);
	}
	vec_fini(&words);
	return true;
}
