/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/sorted.h"
#include "base/text.h"
#include "target/symbols/demangle.h"
#include "target/symbols/function_name.h"
#include "target/symbols/place_parts.h"

enum {
	NAMES_MAX = 1 << 20, /* that are kept */
	LEN_MAX = 64,        /* of names that are compared by letters */
	CHECK_EVERY = 1024,
};

struct ranked {
	char *name; /* owned */
	unsigned int distance;
};

/* A search of names. */
struct search {
	struct symbol_table *symbols;
	const char *text;
	size_t most;
	bool resembling;
	struct hash_map seen; /* hashes of names that were looked at */
	VEC(struct ranked) found;
	unsigned int looked_at;
	struct error *err;
};

/* ---- by letters ------------------------------------------------------------------------------ */

/*
 * How many letters have to be put in, left out, replaced or swapped with the next one; beyond is
 * not told apart.
 */
static unsigned int distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	unsigned int rows[3][LEN_MAX + 1];

	if (a_len > LEN_MAX || b_len > LEN_MAX)
		return LEN_MAX;
	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = (unsigned int)j;
	for (size_t i = 1; i <= a_len; i++) {
		unsigned int *row = rows[i % 3], *above = rows[(i + 2) % 3];
		row[0] = (unsigned int)i;
		for (size_t j = 1; j <= b_len; j++) {
			unsigned int least = above[j - 1] + (a[i - 1] != b[j - 1]);
			least = above[j] + 1 < least ? above[j] + 1 : least;
			least = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    rows[(i + 1) % 3][j - 2] + 1 < least)
				least = rows[(i + 1) % 3][j - 2] + 1;
			row[j] = least;
		}
	}
	return rows[a_len % 3][b_len];
}

/* How far a name may be away to be meant nevertheless. */
static unsigned int tolerance(size_t len)
{
	return len < 3 ? 0 : len < 6 ? 1 : len < 12 ? 2 : 3;
}

/* ---- what is found ----------------------------------------------------------------------------
 */

static bool interrupted(struct search *s)
{
	if (++s->looked_at % CHECK_EVERY == 0)
		s->err = symbol_check_interrupt(s->symbols);
	return s->err;
}

/* false: enough, or an error. */
static bool add(struct search *s, const char *name, size_t len, unsigned int away)
{
	AUTO_FREE char *copy = strndup(name, len);
	struct map_item *item = copy ? map_add(&s->seen, hash_text(HASH_START, copy)) : NULL;

	if (!item) {
		s->err = &error_nomem;
		return false;
	}
	if (item->number)
		return true;
	item->number = 1;
	if (!vec_push(&s->found, (struct ranked){ copy, away })) {
		s->err = &error_nomem;
		return false;
	}
	copy = NULL;
	return s->found.len < NAMES_MAX;
}

/* What of a name, whose parts begin at "text", is offered. */
static bool consider(struct search *s, const char *text, size_t len)
{
	size_t asked = strlen(s->text);

	if (memchr(text, '{', len)) /* a function without a name, or one in such a one */
		return true;
	if (!s->resembling)
		return len < asked || memcmp(text, s->text, asked) != 0 || add(s, text, len, 0);
	unsigned int most = tolerance(asked);
	if ((len > asked ? len - asked : asked - len) > most)
		return true;
	unsigned int away = distance(s->text, asked, text, len);
	return away > most || add(s, text, len, away);
}

/* A function as a scope, which is long and of which nobody thinks. */
static bool is_local(const struct name_part *part, const char *text)
{
	return !strchr(text, '(') && part->text[0] != '(' && memchr(part->text, '(', part->base) &&
	       strncmp(part->text, "operator", strlen("operator")) != 0;
}

/* The name with all its scopes, with fewer, and the function alone. */
static bool consider_parts(struct search *s, const char *shown)
{
	struct function_name n;
	bool more = true;

	if (!function_name_parse(shown, &n))
		return true;
	const char *end = strchr(s->text, '(')
				  ? n.text + strlen(n.text)
				  : n.parts[n.nparts - 1].text + n.parts[n.nparts - 1].len;
	for (size_t i = n.nparts; i-- > 0 && more && !is_local(&n.parts[i], s->text);)
		more = consider(s, n.parts[i].text, (size_t)(end - n.parts[i].text));
	function_name_fini(&n);
	return more;
}

/* ---- functions ----------------------------------------------------------------------------------
 */

/* The last part of what was typed, as far as it must be in a mangled name as it is. */
static const char *needed(const char *text)
{
	const char *last = text;

	for (const char *p = strstr(text, "::"); p; p = strstr(last, "::"))
		last = p + 2;
	return strcspn(last, "<(~ ") == strlen(last) ? last : "";
}

static bool is_plain(const char *name)
{
	return strncmp(name, "_Z", 2) != 0 && strncmp(name, "__", 2) != 0;
}

/* Identifiers in a mangled name that are alike: they have their lengths before them. */
static bool has_alike(const struct search *s, const char *mangled)
{
	const char *asked = needed(s->text);
	size_t asked_len = strlen(asked);
	unsigned int most = tolerance(asked_len);

	for (const char *p = mangled; (p = strpbrk(p, "0123456789"));) {
		char *name;
		unsigned long len = strtoul(p, &name, 10);
		if (len > strlen(name))
			return false;
		if (len <= asked_len + most && len + most >= asked_len &&
		    distance(asked, asked_len, name, len) <= most)
			return true;
		p = len ? name + len : name;
	}
	return false;
}

static bool look_at_symbol(void *context, const struct symtab_entry *e)
{
	struct search *s = context;

	if (interrupted(s))
		return false;
	if (!e->function || (strchr(e->name, '.') && !strchr(s->text, '.')))
		return true;
	if (is_plain(e->name))
		return consider(s, e->name, strlen(e->name));
	if (s->resembling ? !has_alike(s, e->name) : !strstr(e->name, needed(s->text)))
		return true;
	AUTO_FREE char *shown = demangle_name(e->name);
	return !shown || strstr(shown, "[clone ") || strstr(shown, " thunk to ") ||
	       consider_parts(s, shown);
}

static void search_functions(struct search *s)
{
	struct module_list *list = symbol_modules(s->symbols);

	for (size_t i = 0; i < list->len && !s->err; i++) {
		struct symtab *symtab = symbol_symtab(s->symbols, list->items[i]);
		if (symtab)
			symtab_for_each(symtab, look_at_symbol, s);
	}
}

/* ---- files
 * --------------------------------------------------------------------------------------- */

static bool look_at_file(void *context, const char *path)
{
	struct search *s = context;
	const char *name = text_last_part(path);

	return !interrupted(s) && consider(s, name, strlen(name));
}

/* ---- all
 * ------------------------------------------------------------------------------------------ */

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return x->distance != y->distance ? sorted_order(x->distance, y->distance)
					  : strcmp(x->name, y->name);
}

static struct error *search_names(struct search *s, enum place_names what, struct name_list *ret)
{
	struct name_list names = { 0 };

	if (what == PLACE_FUNCTIONS)
		search_functions(s);
	else if (!s->err)
		s->err = places_files(s->symbols, look_at_file, s);
	if (s->found.len)
		qsort(s->found.items, s->found.len, sizeof(*s->found.items), by_rank);
	vec_for_each (found, &s->found) {
		bool wanted = !s->err && names.len < s->most;
		if (wanted && vec_push(&names, found->name))
			found->name = NULL;
		else if (wanted)
			s->err = &error_nomem;
		free(found->name);
	}
	vec_fini(&s->found);
	map_fini(&s->seen);
	if (s->err)
		name_list_fini(&names);
	else
		*ret = names;
	return s->err;
}

struct error *places_complete(struct symbol_table *s, enum place_names what, const char *text,
			      size_t most, struct name_list *ret)
{
	struct search search = { .symbols = s, .text = text, .most = most };

	return search_names(&search, what, ret);
}

struct error *places_resemble(struct symbol_table *s, enum place_names what, const char *text,
			      size_t most, struct name_list *ret)
{
	struct search search = { .symbols = s, .text = text, .most = most, .resembling = true };

	return search_names(&search, what, ret);
}
