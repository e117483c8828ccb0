/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/setting_value.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "debugger/control/control.h"

static const char *const words_of_bool[] = { "off", "on", NULL };
static const char *const words_of_auto[] = { "auto", "on", "off", NULL };

const char *const *setting_value_choices(const struct setting *s)
{
	if (s->kind == SETTING_BOOL || s->kind == SETTING_NOT)
		return words_of_bool;
	return s->kind == SETTING_AUTO_BOOL ? words_of_auto : s->choices;
}

static void *place(struct cli *c, const struct setting *s)
{
	char *const owners[] = {
		[OWNER_CLI] = (char *)c,
		[OWNER_CONTROL] = (char *)&c->control->settings,
	};

	return owners[s->owner] + s->into;
}

/* Parsing --------------------------------------------------------------------------------- */

static struct error *parse_bool(const char *text, bool *ret)
{
	static const char *const words[][4] = {
		{ "off", "no", "disable", "0" },
		{ "on", "yes", "enable", "1" },
	};
	size_t len = strlen(text);

	for (int value = 0; value < 2; value++) {
		for (size_t i = 0; i < 4; i++) {
			/* "o" could be both. */
			if (len && !strncmp(words[value][i], text, len) && strcmp(text, "o") != 0) {
				*ret = value;
				return NULL;
			}
		}
	}
	if (!len) {
		*ret = true;
		return NULL;
	}
	return error_new(ERROR_USAGE, "\"on\" or \"off\" expected");
}

static struct error *parse_choice(const char *const *choices, const char *text, int *ret)
{
	AUTO_BUF names = { 0 };
	int found = -1, fits = 0;

	for (int i = 0; choices[i]; i++) {
		buf_addf(&names, "%s%s", i ? ", " : "", choices[i]);
		if (!strcmp(choices[i], text)) {
			*ret = i;
			return NULL;
		}
		if (*text && text_starts_with(choices[i], text)) {
			found = i;
			fits++;
		}
	}
	if (fits == 1) {
		*ret = found;
		return NULL;
	}
	if (!*text)
		return error_new(ERROR_USAGE, "requires an argument: valid arguments are %s",
				 buf_text(&names));
	return error_new(ERROR_USAGE, "undefined item: \"%s\": valid arguments are %s", text,
			 buf_text(&names));
}

/* "auto", or what means on or off. */
static struct error *parse_auto(const char *text, int *ret)
{
	bool flag;
	struct error *err = *text ? parse_bool(text, &flag) : NULL;

	if (!err && *text) {
		*ret = flag ? SETTING_ON : SETTING_OFF;
		return NULL;
	}
	error_ignore(err);
	return parse_choice(words_of_auto, text, ret);
}

/* zero: what 0 means. */
static struct error *parse_size(const char *text, size_t zero, size_t *ret)
{
	size_t len = strlen(text);

	if (!len)
		return error_new(ERROR_USAGE, "argument required (integer to set it to, or "
					      "\"unlimited\")");
	if (!strcmp(text, "-1") || (*text == 'u' && !strncmp("unlimited", text, len))) {
		*ret = SIZE_MAX;
		return NULL;
	}
	char *end;
	unsigned long n = strtoul(text, &end, 0);
	if (*end || !strchr("0123456789", *text) || n > INT32_MAX)
		return error_new(ERROR_USAGE,
				 "'%s' is not a number from 0 to %d, nor \"unlimited\"", text,
				 INT32_MAX);
	*ret = n ? n : zero;
	return NULL;
}

/* Setting --------------------------------------------------------------------------------- */

static struct error *set_bool(bool *into, const struct setting *s, const char *text)
{
	int choice;
	struct error *err;

	if (s->kind == SETTING_EITHER) {
		err = parse_choice(s->choices, text, &choice);
		if (!err)
			*into = choice;
		return err;
	}
	err = parse_bool(text, into);
	if (!err && s->kind == SETTING_NOT)
		*into = !*into;
	return err;
}

static struct error *set_text(char **into, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return &error_nomem;
	free(*into);
	*into = copy;
	return NULL;
}

static struct error *set_only(const struct setting *s, const char *text)
{
	return !strcmp(text, s->preset) ? NULL
					: error_new(ERROR_UNSUPPORTED, "it is always \"%s\": %s",
						    s->preset, s->what);
}

struct error *setting_value_set(struct cli *c, const struct setting *s, const char *text)
{
	void *into = place(c, s);

	switch (s->kind) {
	case SETTING_OWN:
	case SETTING_GROUP:
		if (s->kind == SETTING_GROUP && *text)
			return error_new(ERROR_USAGE, "there is no setting \"%s %.*s\"", s->name,
					 (int)strcspn(text, " "), text);
		return error_new(ERROR_USAGE, "the name of a setting must follow");
	case SETTING_NONE:
		return error_new(ERROR_UNSUPPORTED, "there is no such setting: %s", s->what);
	case SETTING_ONLY:
		return set_only(s, text);
	case SETTING_BOOL:
	case SETTING_NOT:
	case SETTING_EITHER:
		return set_bool(into, s, text);
	case SETTING_CHOICE:
		return parse_choice(s->choices, text, into);
	case SETTING_AUTO_BOOL:
		return parse_auto(text, into);
	case SETTING_SIZE:
		return parse_size(text, SIZE_MAX, into);
	case SETTING_COUNT:
		return parse_size(text, 0, into);
	case SETTING_TEXT:
	case SETTING_BLANKS:
		break;
	}
	return set_text(into, text);
}

/* Keeping --------------------------------------------------------------------------------- */

struct error *setting_value_keep(struct cli *c, const struct setting *s, struct setting_kept *ret)
{
	const void *from = place(c, s);

	*ret = (struct setting_kept){ .setting = s };
	switch (s->kind) {
	case SETTING_OWN:
	case SETTING_GROUP:
	case SETTING_NONE:
	case SETTING_ONLY:
		return error_new(ERROR_UNSUPPORTED, "cannot use this setting with the \"with\" "
						    "command");
	case SETTING_BOOL:
	case SETTING_NOT:
	case SETTING_EITHER:
		ret->flag = *(const bool *)from;
		return NULL;
	case SETTING_CHOICE:
	case SETTING_AUTO_BOOL:
		ret->choice = *(const int *)from;
		return NULL;
	case SETTING_SIZE:
	case SETTING_COUNT:
		ret->size = *(const size_t *)from;
		return NULL;
	case SETTING_TEXT:
	case SETTING_BLANKS:
		break;
	}
	const char *text = *(char *const *)from;
	ret->text = text ? strdup(text) : NULL;
	return !text || ret->text ? NULL : &error_nomem;
}

void setting_value_put_back(struct cli *c, struct setting_kept *kept)
{
	void *into = place(c, kept->setting);

	switch (kept->setting->kind) {
	case SETTING_OWN:
	case SETTING_GROUP:
	case SETTING_NONE:
	case SETTING_ONLY:
		return;
	case SETTING_BOOL:
	case SETTING_NOT:
	case SETTING_EITHER:
		*(bool *)into = kept->flag;
		return;
	case SETTING_CHOICE:
	case SETTING_AUTO_BOOL:
		*(int *)into = kept->choice;
		return;
	case SETTING_SIZE:
	case SETTING_COUNT:
		*(size_t *)into = kept->size;
		return;
	case SETTING_TEXT:
	case SETTING_BLANKS:
		break;
	}
	free(*(char **)into);
	*(char **)into = TAKE(kept->text);
}

/* Showing --------------------------------------------------------------------------------- */

static void add_size(struct buf *out, size_t size)
{
	if (size == SIZE_MAX)
		buf_adds(out, "unlimited");
	else
		buf_addf(out, "%zu", size);
}

static void add_text(struct buf *out, const char *text)
{
	if (text)
		text_escape(out, text, strlen(text));
}

void setting_value_add(struct buf *out, struct cli *c, const struct setting *s)
{
	const void *from = place(c, s);

	switch (s->kind) {
	case SETTING_OWN:
	case SETTING_GROUP:
	case SETTING_NONE:
		break;
	case SETTING_ONLY:
		buf_adds(out, s->preset);
		break;
	case SETTING_BOOL:
		buf_adds(out, words_of_bool[*(const bool *)from]);
		break;
	case SETTING_NOT:
		buf_adds(out, words_of_bool[!*(const bool *)from]);
		break;
	case SETTING_EITHER:
		buf_adds(out, s->choices[*(const bool *)from]);
		break;
	case SETTING_CHOICE:
		buf_adds(out, s->choices[*(const int *)from]);
		break;
	case SETTING_AUTO_BOOL:
		buf_adds(out, words_of_auto[*(const int *)from]);
		break;
	case SETTING_SIZE:
	case SETTING_COUNT:
		add_size(out, *(const size_t *)from);
		break;
	case SETTING_TEXT:
	case SETTING_BLANKS:
		add_text(out, *(char *const *)from);
		break;
	}
}
