/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/setting.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/cli/history_file.h"
#include "debugger/cli/options.h"
#include "debugger/cli/setting_effects.h"
#include "debugger/cli/setting_value.h"

struct error *setting_init(struct cli *c)
{
	struct error *err = NULL;
	AUTO_BUF history = { 0 };

	for (size_t i = 0; !err && i < setting_nrows; i++) {
		bool kept = setting_rows[i].kind != SETTING_ONLY && setting_rows[i].preset;
		if (kept)
			err = setting_value_set(c, &setting_rows[i], setting_rows[i].preset);
	}
	c->prompt = c->settings.prompt;
	if (!err)
		err = setting_debug_folder_changed(c);
	if (!err && history_file_default(&history)) {
		c->settings.history_file = strdup(buf_text(&history));
		err = c->settings.history_file ? NULL : &error_nomem;
	}
	return err;
}

struct error *setting_names(struct named_list *ret)
{
	for (size_t i = 0; i < setting_nrows; i++) {
		const struct named row = { setting_rows[i].name, setting_rows[i].short_names };
		if (!vec_push(ret, row))
			return &error_nomem;
	}
	return NULL;
}

const char *setting_summary(size_t index)
{
	return index < setting_nrows ? setting_rows[index].what : NULL;
}

const char *const *setting_choices(size_t index)
{
	return index < setting_nrows ? setting_value_choices(&setting_rows[index]) : NULL;
}

/* *ret stays NULL: there is none. what: "set" or "show". */
static struct error *find(const char *what, const char *text, const struct setting **ret,
			  const char **ret_rest)
{
	AUTO(abbrev_match_fini) struct abbrev_match m = { 0 };
	struct named_list names = { 0 };

	struct error *err = setting_names(&names);
	if (!err)
		abbrev_find(&names, text, &m);
	vec_fini(&names);
	if (err)
		return err;
	if (m.outcome == ABBREV_AMBIGUOUS)
		return error_new(ERROR_USAGE, "ambiguous %s command \"%s\": %s", what, text,
				 buf_text(&m.names));
	if (m.outcome != ABBREV_FOUND)
		return NULL;
	*ret = &setting_rows[m.index];
	*ret_rest = m.at;
	return NULL;
}

/* "i = 5" is no abbreviation of a setting. */
static bool is_assignment(const char *text)
{
	size_t word =
		strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	text += word + strspn(text + word, " \t");
	return *text == '=' && text[1] != '=';
}

const char *setting_name(const char *text)
{
	const struct setting *s = NULL;
	const char *rest;

	if (!is_assignment(text))
		error_ignore(find("set", text, &s, &rest));
	return s ? s->name : NULL;
}

static struct error *set_logging(struct cli *c, const char *rest)
{
	AUTO_BUF text = { 0 };
	bool known;

	buf_addf(&text, "logging enabled %s", rest);
	return setting_set(c, buf_text(&text), &known);
}

struct error *setting_set(struct cli *c, const char *text, bool *ret_known)
{
	const struct setting *s = NULL;
	const char *rest;

	*ret_known = false;
	if (is_assignment(text))
		return NULL;
	struct error *err = find("set", text, &s, &rest);
	if (err || !s)
		return err;
	*ret_known = true;
	/* The old way, without the word. */
	if (s->kind == SETTING_GROUP && !strcmp(s->name, "logging") && *rest)
		return set_logging(c, rest);
	if (s->set)
		return s->set(c, rest);
	size_t len = strlen(rest);
	while (s->kind != SETTING_BLANKS && len && strchr(" \t", rest[len - 1]))
		len--;
	AUTO_FREE char *value = strndup(rest, len);
	if (!value)
		return &error_nomem;
	err = error_add(setting_value_set(c, s, value), "set %s", s->name);
	return err || !s->changed ? err : s->changed(c);
}

struct error *setting_with(struct cli *c, const char *text, const char *command)
{
	const struct setting *s = NULL;
	struct setting_kept kept;
	const char *rest;
	bool known;

	struct error *err = find("with", text, &s, &rest);
	if (!err && !s)
		err = error_new(ERROR_USAGE, "undefined set command: \"%s\"", text);
	if (!err)
		err = setting_value_keep(c, s, &kept);
	if (err)
		return err;
	err = setting_set(c, text, &known);
	if (!err)
		err = cli_execute(c, command);
	setting_value_put_back(c, &kept);
	struct error *second = s->changed ? s->changed(c) : NULL;
	if (err)
		error_ignore(second);
	return err ? err : second;
}

static void add_sentence(struct cli *c, const struct setting *s, struct buf *out)
{
	const char *gap = strstr(s->show, "%s");

	buf_add(out, s->show, (size_t)(gap - s->show));
	setting_value_add(out, c, s);
	buf_adds(out, gap + 2);
}

static void add_object(struct cli *c, const struct setting *s)
{
	AUTO_BUF value = { 0 }, text = { 0 };
	struct json j;

	setting_value_add(&value, c, s);
	add_sentence(c, s, &text);
	cli_json_begin(c, &j, "setting");
	json_add_string(&j, "name", s->name);
	json_add_string(&j, "value", value.len ? buf_text(&value) : "");
	json_add_lines(&j, "text", buf_text(&text));
	cli_json_end(c, &j);
}

/* title: before it; NULL: none. */
static void show_one(struct cli *c, const struct setting *s, const char *title)
{
	if (c->json) {
		add_object(c, s);
		return;
	}
	style_add_between(&c->out, "", title ? title : "", title ? ":  " : "");
	add_sentence(c, s, &c->out);
	buf_addc(&c->out, '\n');
}

struct error *setting_show(struct cli *c, const char *text)
{
	const struct setting *s = NULL;
	const char *rest;

	struct error *err = *text ? find("show", text, &s, &rest) : NULL;
	if (err)
		return err;
	if (*text && !s)
		return error_new(ERROR_USAGE, "undefined show command: \"%s\": try \"help show\"",
				 text);
	if (s && s->kind == SETTING_NONE)
		return error_add(setting_value_set(c, s, ""), "show %s", s->name);
	if (s && s->showing)
		return s->showing(c, rest);
	if (s && s->kind != SETTING_GROUP) {
		show_one(c, s, NULL);
		return NULL;
	}
	size_t len = s ? strlen(s->name) : 0;
	for (size_t i = 0; i < setting_nrows; i++) {
		const char *name = setting_rows[i].name;
		if (!setting_rows[i].show ||
		    (s && (strncmp(name, s->name, len) || name[len] != ' ')))
			continue;
		show_one(c, &setting_rows[i], name + (len ? len + 1 : 0));
	}
	return NULL;
}

void setting_add_man(struct buf *out)
{
	buf_adds(out, ".SH SETTINGS\n"
		      "\\fBset\\fR \\fINAME VALUE\\fR changes one, \\fBshow\\fR \\fINAME\\fR shows "
		      "what it is.\n");
	for (size_t i = 0; i < setting_nrows; i++) {
		if (!setting_rows[i].what || setting_rows[i].kind == SETTING_NONE)
			continue;
		buf_adds(out, ".TP\n\\fB");
		options_add_roff(out, setting_rows[i].name);
		buf_adds(out, "\\fR\n");
		options_add_roff(out, setting_rows[i].what);
		if (setting_rows[i].preset && *setting_rows[i].preset) {
			buf_adds(out, " (");
			options_add_roff(out, setting_rows[i].preset);
			buf_addc(out, ')');
		}
		buf_adds(out, ".\n");
	}
}
