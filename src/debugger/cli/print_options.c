/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/print_options.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum kind { SWITCH, COUNT, DEPTH, WHOM };

#define LIMIT(field) offsetof(struct shown_limits, field)
static const struct {
	const char *name;
	enum kind kind;
	size_t into; /* of WHOM: whom; of others: in the limits */
	bool ours;   /* gdb has it not: what begins so may be an expression there */
} rows[] = {
	{ "address", SWITCH, LIMIT(address) },
	{ "all", WHOM, PRINT_ALL, .ours = true },
	{ "array", SWITCH, LIMIT(array) },
	{ "array-indexes", SWITCH, LIMIT(indexes) },
	{ "depth", DEPTH, LIMIT(depth), .ours = true },
	{ "elements", COUNT, LIMIT(elements) },
	{ "max-depth", DEPTH, LIMIT(depth) },
	{ "null-stop", SWITCH, LIMIT(null_stop) },
	{ "object", SWITCH, LIMIT(object) },
	{ "pretty", SWITCH, LIMIT(pretty) },
	{ "ranks", WHOM, PRINT_RANKS, .ours = true },
	{ "raw-values", SWITCH, LIMIT(raw) },
	{ "repeats", COUNT, LIMIT(repeats) },
	{ "static-members", SWITCH, LIMIT(statics) },
	{ "symbol", SWITCH, LIMIT(symbol) },
	{ "team", WHOM, PRINT_TEAM, .ours = true },
	{ "union", SWITCH, LIMIT(unions) },
	{ "vtbl", SWITCH, LIMIT(vtbl) },
};
enum { NUM_ROWS = sizeof(rows) / sizeof(*rows) };

static size_t word_len(const char *text)
{
	return strcspn(text, " \t/"); /* "-team/x" */
}

static const char *skip_word(const char *text)
{
	text += word_len(text);
	return text + strspn(text, " \t");
}

/* "--" follows, as a word of its own: only then gdb takes what begins with '-' for an option. */
static bool is_ended(const char *text)
{
	for (text = strstr(text, " --"); text; text = strstr(text + 1, " --")) {
		if (!text[3] || isspace((unsigned char)text[3]))
			return true;
	}
	return false;
}

/* Without that "-pretty" may be a variable with a sign, unless what follows begins a value. */
static bool is_sure(size_t row, const char *behind)
{
	return rows[row].kind == WHOM || isalnum((unsigned char)*behind) ||
	       (*behind && strchr("_$\"'", *behind));
}

/* The row of a name, which may be shorter if gdb has it too; NUM_ROWS: none. *ret_many: of several.
 */
static size_t find(const char *name, size_t len, bool *ret_many)
{
	size_t found = NUM_ROWS;

	*ret_many = false;
	for (size_t i = 0; i < NUM_ROWS; i++) {
		if (strncmp(rows[i].name, name, len))
			continue;
		if (!rows[i].name[len])
			return i;
		if (rows[i].ours)
			continue;
		*ret_many = found < NUM_ROWS;
		found = i;
	}
	return found;
}

static bool is_word(const char *text, const char *word)
{
	return word_len(text) == strlen(word) && !strncmp(text, word, strlen(word));
}

static bool read_switch(const char **text)
{
	static const char *const words[][2] = {
		{ "off", "on" }, { "no", "yes" }, { "0", "1" }, { "disable", "enable" }
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		for (size_t on = 0; on < 2; on++) {
			if (!is_word(*text, words[i][on]))
				continue;
			*text = skip_word(*text);
			return on;
		}
	}
	return true;
}

static struct error *read_count(const char *name, const char **text, size_t *ret)
{
	char *end = NULL;

	if (is_word(*text, "unlimited")) {
		*ret = SIZE_MAX;
		*text = skip_word(*text);
		return NULL;
	}
	unsigned long n = isdigit((unsigned char)**text) ? strtoul(*text, &end, 10) : 0;
	if (!end || (*end && !isspace((unsigned char)*end)))
		return error_new(ERROR_USAGE, "-%s requires a number, or \"unlimited\"", name);
	*ret = n;
	*text = skip_word(*text);
	return NULL;
}

static struct error *take(size_t row, const char **text, struct print_options *ret)
{
	char *limits = (char *)&ret->limits;
	struct error *err;
	size_t n = 0;

	switch (rows[row].kind) {
	case SWITCH:
		*(bool *)(limits + rows[row].into) = read_switch(text);
		return NULL;
	case COUNT:
	case DEPTH: /* none of that is all, but no depth is none */
		err = read_count(rows[row].name, text, &n);
		if (!err)
			*(size_t *)(limits + rows[row].into) =
				n || rows[row].kind == DEPTH ? n : SIZE_MAX;
		return err;
	case WHOM:
		ret->whom = (enum print_whom)rows[row].into;
		return NULL;
	}
	return NULL;
}

struct error *print_options_parse(const struct cli *c, const char **text, struct print_options *ret)
{
	struct error *err = NULL;
	bool many;

	*ret = (struct print_options){ .limits = c->settings.print.values };
	while (!err && (*text)[0] == '-') {
		size_t len = word_len(*text);
		if (is_word(*text, "--")) {
			*text = skip_word(*text);
			return NULL;
		}
		size_t row = len > 1 ? find(*text + 1, len - 1, &many) : NUM_ROWS;
		if (row == NUM_ROWS)
			return NULL;
		if (!is_ended(*text) &&
		    (rows[row].name[len - 1] || !is_sure(row, skip_word(*text))))
			return NULL;
		if (many)
			return error_new(ERROR_USAGE, "-%.*s: ambiguous option", (int)len - 1,
					 *text + 1);
		*text = skip_word(*text);
		err = take(row, text, ret);
	}
	return err;
}
