/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/listing_options.h"

#include <string.h>

#include "debugger/cli/cli.h"

void listing_options_fini(struct listing_options *o)
{
	listing_wishes_fini(&o->wishes);
	arguments_fini(&o->words);
}

/* ---- what is refused ---------------------------------------------------------------------- */

/* Whether a word, with or without '-', is an option of lists; with_value: that takes one. */
static bool is_of_lists(const char *option, bool with_value)
{
	static const char *const names[] = { "with", "without", "group", "sort", "v", "json" };
	enum { WITH_VALUE = 4 };
	const size_t n = with_value ? WITH_VALUE : sizeof(names) / sizeof(*names);

	for (size_t i = 0; i < n; i++) {
		const size_t len = strlen(names[i]);
		if (!strncmp(option, names[i], len) && strchr("= \t", option[len]))
			return true;
	}
	return false;
}

struct error *listing_options_refuse(struct cli *c, const char *word)
{
	const char *option = word + strspn(word, "-");
	const size_t len = strcspn(option, "= \t");
	AUTO_BUF name = { 0 }, takers = { 0 };

	buf_addf(&name, "%s%.*s", len == 1 ? "-" : "--", (int)len, option);
	vec_for_each (row, &c->commands.rows) {
		if ((*row)->completes == COMPLETES_LISTING && option > word &&
		    is_of_lists(option, false) && strstr((*row)->args, buf_text(&name)))
			buf_addf(&takers, "%s%s", takers.len ? ", " : "", (*row)->name);
	}
	if (!takers.len)
		return error_new(ERROR_USAGE, "there is no option '%.*s'",
				 (int)strcspn(word, " \t"), word);
	return error_new(ERROR_USAGE, "'%s' takes no %s; these do: %s", c->command->name,
			 buf_text(&name), buf_text(&takers));
}

/* ---- words -------------------------------------------------------------------------------- */

static bool take_word(const char *word, const struct option_word *words, size_t nwords)
{
	const char *text = word + strspn(word, "-");

	for (size_t i = 0; i < nwords; i++) {
		if (!strcmp(words[i].text, text)) {
			*words[i].into = true;
			return true;
		}
	}
	return false;
}

struct error *listing_options_words(struct cli *c, const char *args,
				    const struct option_word *words, size_t nwords)
{
	AUTO_ARGUMENTS given = { 0 };
	struct error *err = arguments_parse(args, false, &given);

	for (size_t i = 0; !err && i < given.len; i++) {
		if (!take_word(given.items[i], words, nwords))
			err = listing_options_refuse(c, given.items[i]);
	}
	return err;
}

/* ---- rows --------------------------------------------------------------------------------- */

static struct error *add_filter(enum listing_kind kind, const char *text, bool without,
				struct listing_options *ret)
{
	const size_t len = strcspn(text, "=");
	struct listing_filter filter = { .value = text[len] ? text + len + 1 : NULL,
					 .without = without };
	struct error *err = listing_find_key(kind, text, len, &filter.key);

	if (err)
		return err;
	return vec_push(&ret->wishes.filters, filter) ? NULL : &error_nomem;
}

static struct error *parse_value(enum listing_kind kind, const char *option, const char *value,
				 struct listing_options *ret)
{
	if (!strcmp(option, "with") || !strcmp(option, "without"))
		return add_filter(kind, value, !strcmp(option, "without"), ret);
	if (!strcmp(option, "group"))
		return listing_find_key(kind, value, strlen(value), &ret->wishes.group);
	ret->wishes.falling = *value == '-';
	value += *value == '-';
	return listing_find_key(kind, value, strlen(value), &ret->wishes.sort);
}

struct error *listing_options_parse(enum listing_kind kind, const char *args,
				    const struct option_word *words, size_t nwords,
				    struct listing_options *ret)
{
	const struct option_word own[] = { { "json", &ret->json }, { "v", &ret->each } };
	struct error *err = arguments_parse(args, false, &ret->words);

	for (size_t i = 0; !err && i < ret->words.len; i++) {
		const char *word = ret->words.items[i], *option = word + strspn(word, "-");
		const bool valued =
			option > word && !strchr(option, '=') && is_of_lists(option, true);
		if (valued && i + 1 == ret->words.len)
			err = error_new(ERROR_USAGE, "%s wants a key", word);
		else if (valued)
			err = parse_value(kind, option, ret->words.items[++i], ret);
		else if (option == word || (!take_word(word, own, sizeof(own) / sizeof(*own)) &&
					    !take_word(word, words, nwords)))
			err = error_new(ERROR_USAGE, "there is no option '%s'", word);
	}
	if (!err && ret->json && ret->each)
		err = error_new(ERROR_USAGE, "give one of the options -v and --json");
	return err;
}
