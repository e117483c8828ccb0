/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/completion.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "debugger/cli/arguments.h"
#include "debugger/cli/setting.h"
#include "debugger/cli/team_ids.h"
#include "debugger/control/control.h"
#include "debugger/listing_keys.h"

void completion_fini(struct completion *l)
{
	vec_fini_all(l);
}

/* What is being looked for. */
struct wanted {
	struct cli *cli;
	const struct command *row; /* NULL: none */
	const char *line;          /* all of it */
	const char *text;          /* the last part of it: arguments */
	struct completion *ret;
};

static void add(struct completion *ret, const char *word, size_t len)
{
	char *copy = strndup(word, len);

	if (!copy || !vec_push(ret, copy))
		free(copy);
}

/* Begins so: it is added. */
static void add_if(const struct wanted *w, const char *word)
{
	const char *start = w->line + w->ret->start;

	if (!strncmp(word, start, strlen(start)))
		add(w->ret, word, strlen(word));
}

/* The last word begins behind the last of these characters. */
static void begin_word(struct wanted *w, const char *breaks)
{
	const char *at = w->line + strlen(w->line);

	while (at > w->text && !strchr(breaks, at[-1]))
		at--;
	w->ret->start = (size_t)(at - w->line);
}

/* Files ----------------------------------------------------------------------------------- */

static bool is_folder(const char *folder, const struct dirent *entry)
{
	AUTO_BUF path = { 0 };
	struct stat st;

	if (entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	buf_addf(&path, "%s/%s", folder, entry->d_name);
	return buf_ok(&path) && stat(buf_text(&path), &st) == 0 && S_ISDIR(st.st_mode);
}

static void complete_file(struct wanted *w)
{
	AUTO_BUF folder = { 0 }, name = { 0 };

	begin_word(w, " \t");
	const char *word = w->line + w->ret->start, *slash = strrchr(word, '/');
	size_t head = slash ? (size_t)(slash - word) + 1 : 0;
	AUTO_FREE char *part = strndup(word, head);
	arguments_add_path(&folder, part && head ? part : "./");
	DIR *dir = buf_ok(&folder) ? opendir(buf_text(&folder)) : NULL;
	struct dirent *entry;
	while (dir && (entry = readdir(dir))) {
		bool hidden = entry->d_name[0] == '.';
		if (hidden && word[head] != '.')
			continue;
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		buf_clear(&name);
		buf_add(&name, word, head);
		buf_addf(&name, "%s%s", entry->d_name,
			 is_folder(buf_text(&folder), entry) ? "/" : "");
		add_if(w, buf_text(&name));
	}
	if (dir)
		closedir(dir);
}

/* Words ----------------------------------------------------------------------------------- */

static void found_word(void *context, const char *word, size_t len)
{
	add(context, word, len);
}

static void complete_setting(struct wanted *w)
{
	AUTO(abbrev_match_fini) struct abbrev_match m = { 0 };
	struct named_list names = { 0 };
	size_t start = 0;

	struct error *err = setting_names(&names);
	if (!err && abbrev_complete(&names, w->text, &start, found_word, w->ret) && w->ret->len) {
		w->ret->start = (size_t)(w->text - w->line) + start;
	} else if (!err) {
		abbrev_find(&names, w->text, &m);
		w->ret->start = (size_t)(m.at - w->line);
		const char *const *choices =
			m.outcome == ABBREV_FOUND ? setting_choices(m.index) : NULL;
		while (choices && *choices)
			add_if(w, *choices++);
	}
	error_ignore(err);
	vec_fini(&names);
}

static void complete_signal(struct wanted *w)
{
	begin_word(w, " \t");
	for (int i = 1; i < NSIG; i++) {
		AUTO_BUF name = { 0 };
		if (!sigabbrev_np(i))
			continue;
		buf_addf(&name, "SIG%s", sigabbrev_np(i));
		add_if(w, buf_text(&name));
	}
}

static void complete_choice(struct wanted *w)
{
	begin_word(w, " \t");
	for (const char *const *word = w->row->choices; word && *word; word++)
		add_if(w, *word);
}

static void complete_names(struct wanted *w, enum place_names what)
{
	struct session *s = control_session(w->cli->control);
	struct name_list names = { 0 };
	size_t most = w->cli->settings.max_completions;

	/* One more: whether there would be more shall be known. */
	struct error *err = s ? places_complete(s->symbols, what, w->line + w->ret->start,
						most < SIZE_MAX ? most + 1 : most, &names)
			      : NULL;
	for (size_t i = 0; !err && i < names.len; i++)
		add_if(w, names.items[i]);
	error_ignore(err);
	name_list_fini(&names);
}

/* "app.c:wo": the function begins behind the colon, unless that is one of "::". */
static bool skip_file(struct wanted *w)
{
	const char *colon = strrchr(w->line + w->ret->start, ':');

	bool is_file = colon && colon > w->line && colon[-1] != ':';
	if (is_file)
		w->ret->start = (size_t)(colon + 1 - w->line);
	return is_file;
}

/* The word before the one that is being written is this one. */
static bool is_behind(const struct wanted *w, const char *word)
{
	const char *end = w->line + w->ret->start;
	const size_t len = strlen(word);

	while (end > w->text && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return (size_t)(end - w->text) >= len && !strncmp(end - len, word, len) &&
	       (end - len == w->text || strchr(" \t-", end[-1 - (long)len]));
}

/* "12" of "12.*" */
static void add_team(void *context, const char *name)
{
	AUTO_BUF team = { 0 };

	if (!strstr(name, ".*"))
		return;
	buf_add(&team, name, strcspn(name, "."));
	add_if(context, buf_text(&team));
}

/* "3" of "12.3" */
static void add_member(void *context, const char *name)
{
	const char *dot = strchr(name, '.');

	if (dot && dot[1] != '*')
		add_if(context, dot + 1);
}

static void complete_location(struct wanted *w)
{
	static const char *const omp_words[] = { "omp-thread", "omp-team", "once-per-region",
						 NULL };

	begin_word(w, " \t*(,&|=<>!");
	if (is_behind(w, "omp-thread") || is_behind(w, "omp-team")) {
		team_ids_for_each(w->cli, is_behind(w, "omp-team") ? add_team : add_member, w);
		return;
	}
	bool in_file = skip_file(w);
	complete_names(w, PLACE_FUNCTIONS);
	if (in_file)
		return;
	complete_names(w, PLACE_FILES);
	add_if(w, "thread");
	if (w->line + w->ret->start > w->text)
		add_if(w, "if");
	for (const char *const *word = omp_words; *word; word++)
		add_if(w, *word);
}

static void add_register(struct wanted *w, const char *name)
{
	AUTO_BUF text = { 0 };

	buf_addf(&text, "$%s", name);
	add_if(w, buf_text(&text));
}

/* Those in scope in the selected frame, from all of its blocks. */
static void complete_variables(struct wanted *w)
{
	struct variable_list all = { 0 };
	struct scope s;
	struct error *err = control_scope(w->cli->control, &s);

	if (!err && s.thread)
		err = variables_in_scope(s.session->variables, scope_lookup_pc(&s), s.level, &all);
	vec_for_each (variable, &all) {
		if (!err && variable->name)
			add_if(w, variable->name);
	}
	vec_fini(&all);
	error_ignore(err);
}

static void add_convenience(void *context, const char *name, const struct value *v)
{
	(void)v;
	add_register(context, name);
}

static void complete_expression(struct wanted *w)
{
	begin_word(w, " \t*(,&|=<>!+-/[]{}");
	struct session *s = control_session(w->cli->control);
	if (w->line[w->ret->start] != '$') {
		complete_variables(w);
		complete_names(w, PLACE_FUNCTIONS);
		return;
	}
	convenience_for_each(w->cli->control->values, add_convenience, w);
	const struct arch *arch = s ? s->target->arch : NULL;
	for (size_t i = 0; arch && i < arch->nregs; i++)
		add_register(w, arch->regs[i].name);
	add_register(w, "pc");
	add_register(w, "sp");
	add_register(w, "fp");
}

static void add_number(struct wanted *w, int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", number);
	add_if(w, text);
}

static void add_team_id(void *context, const char *name)
{
	add_if(context, name);
}

static void complete_thread(struct wanted *w)
{
	begin_word(w, " \t");
	add_if(w, "all");
	add_if(w, "team");
	team_ids_for_each(w->cli, add_team_id, w);
	vec_for_each (thread, &w->cli->control->threads.items) {
		if (!thread->ended)
			add_number(w, thread->number);
	}
}

static void complete_breakpoint(struct wanted *w)
{
	begin_word(w, " \t");
	vec_for_each (b, &w->cli->control->breakpoints.items)
		add_number(w, (*b)->number);
}

/* ---- OpenMP ------------------------------------------------------------------------------- */

static void add_option(const struct wanted *w, const char *option)
{
	AUTO_BUF text = { 0 };

	buf_addf(&text, "--%s", option);
	if (strstr(w->row->args, buf_text(&text)))
		add_if(w, buf_text(&text));
}

/* Keys behind options that take one. */
static void complete_listing(struct wanted *w)
{
	static const char *const with_key[] = { "with", "without", "group", "sort", NULL };
	static const char *const others[] = { "json", "tree", "dot", NULL };
	const enum listing_kind kind = (enum listing_kind)w->row->kind;

	begin_word(w, " \t");
	for (const char *const *option = with_key; *option; option++) {
		if (is_behind(w, *option)) {
			for (const struct listing_key *key = NULL;
			     (key = listing_next_key(kind, key));)
				add_if(w, key->name);
			return;
		}
		add_option(w, *option);
	}
	for (const char *const *option = others; *option; option++)
		add_option(w, *option);
}

static void complete_team(struct wanted *w)
{
	begin_word(w, " \t");
	team_ids_for_each(w->cli, add_team, w);
}

static void complete_nothing(struct wanted *w)
{
	(void)w;
}

static void complete_command(struct wanted *w);

static void (*const completers[])(struct wanted *w) = {
	[COMPLETES_NOTHING] = complete_nothing,       [COMPLETES_LOCATION] = complete_location,
	[COMPLETES_EXPRESSION] = complete_expression, [COMPLETES_FILE] = complete_file,
	[COMPLETES_COMMAND] = complete_command,       [COMPLETES_SETTING] = complete_setting,
	[COMPLETES_THREAD] = complete_thread,         [COMPLETES_SIGNAL] = complete_signal,
	[COMPLETES_BREAKPOINT] = complete_breakpoint, [COMPLETES_CHOICE] = complete_choice,
	[COMPLETES_LISTING] = complete_listing,       [COMPLETES_TEAM] = complete_team,
};

/* The words of commands first; then what the command that there is takes. */
static void complete_command(struct wanted *w)
{
	size_t start = 0;
	const char *args;

	if (abbrev_complete(&w->cli->commands.names, w->text, &start, found_word, w->ret))
		w->ret->start = (size_t)(w->text - w->line) + start;
	size_t words = w->ret->len;
	start = w->ret->start;
	const struct command *outer = w->row;
	struct error *err = command_find(&w->cli->commands, w->text, &w->row, &args);
	/* The name itself is still being written. */
	if (err || args == w->text || !strchr(" \t/", args[-1]) || w->row == outer) {
		error_ignore(err);
		return;
	}
	w->text = args;
	w->ret->start = strlen(w->line);
	completers[w->row->completes](w);
	/* Both are one list only where the same word is meant. */
	if (!words || w->ret->start == start)
		return;
	while (w->ret->len > words)
		free(w->ret->items[--w->ret->len]);
	w->ret->start = start;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted, each once, and not too many. */
static void tidy(struct completion *ret, size_t most)
{
	size_t kept = 0;

	if (ret->len)
		qsort(ret->items, ret->len, sizeof(*ret->items), by_text);
	for (size_t i = 0; i < ret->len; i++) {
		bool again = kept && !strcmp(ret->items[kept - 1], ret->items[i]);
		ret->cut |= !again && kept >= most;
		if (again || kept >= most)
			free(ret->items[i]);
		else
			ret->items[kept++] = ret->items[i];
	}
	ret->len = kept;
}

void completion_find(struct cli *c, const char *line, struct completion *ret)
{
	const char *text = line + strspn(line, " \t");
	struct wanted w = { .cli = c, .line = line, .text = text, .ret = ret };

	if (c->elsewhere) {
		c->elsewhere->complete(c, line, ret);
		return;
	}
	complete_command(&w);
	tidy(ret, c->settings.max_completions);
	size_t len = ret->len == 1 ? strlen(ret->items[0]) : 0;
	ret->open = len && ret->items[0][len - 1] == '/';
}
