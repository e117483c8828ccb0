/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/setting.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "debugger/cli/history_file.h"
#include "debugger/cli/options.h"
#include "debugger/cli/sources.h"
#include "debugger/control/control.h"

enum setting_kind {
	SETTING_GROUP,  /* "print": others begin with it       */
	SETTING_OWN,    /* "set" and "showing" do it           */
	SETTING_BOOL,   /* on or off                           */
	SETTING_NOT,    /* the same, kept as its contrary      */
	SETTING_EITHER, /* bool: one of two choices            */
	SETTING_CHOICE, /* int: the index of one of the choices */
	SETTING_SIZE,   /* size_t; 0 or unlimited is SIZE_MAX  */
	SETTING_TEXT,   /* char *, owned; all of the line      */
	SETTING_BLANKS, /* the same, with blanks at its end    */
};

/* Whose struct a value is in. */
enum setting_owner {
	OWNER_CLI,       /* struct cli                                  */
	OWNER_CONTROL,   /* struct control_settings                     */
	OWNER_DEBUGINFO, /* struct debuginfo_options of the control    */
};

struct setting {
	const char *name, *short_names; /* as of struct named */
	enum setting_kind kind;
	enum setting_owner owner;
	size_t into; /* offset in the owner's struct */
	const char *const *choices;
	const char *preset; /* as it would be typed; NULL: zero              */
	const char *show;   /* a sentence with %s for the value              */
	const char *what;   /* "whether to ...": help                        */
	/* Does what follows from it; NULL: nothing. */
	struct error *(*changed)(struct cli *c);
	/* In the place of all that; args: behind its name. NULL: as its kind says. */
	struct error *(*set)(struct cli *c, const char *args);
	struct error *(*showing)(struct cli *c, const char *args);
};

static const char *const words_of_auto[] = { "auto", "on", "off", NULL };
static const char *const words_of_flavor[] = { "att", "intel", NULL };
static const char *const words_of_color[] = { "auto", "on", "off", NULL };
static const char *const words_of_arguments[] = { "all", "scalars", "none", "presence", NULL };
static const char *const words_of_hardware[] = { "1", "0", NULL };
static const char *const words_of_fork[] = { "parent", "child", NULL };
static const char *const only_auto[] = { "auto", NULL };
static const char *const only_off[] = { "off", NULL };

/* What follows ---------------------------------------------------------------------------- */

static struct error *log_changed(struct cli *c)
{
	struct settings *s = &c->settings;
	bool was = c->output.log >= 0;

	c->output.log_alone = s->log_redirect;
	if (was == s->log)
		return NULL;
	struct error *err = cli_flush(c);
	if (!err)
		err = output_log_to(&c->output, s->log ? s->log_file : NULL, s->log_overwrite);
	if (err) {
		s->log = was;
		return err;
	}
	if (s->log && s->log_redirect)
		buf_addf(&c->out, "Redirecting output to %s.\n", s->log_file);
	else if (s->log)
		buf_addf(&c->out, "Copying output to %s.\n", s->log_file);
	else
		buf_addf(&c->out, "Done logging to %s.\n", s->log_file);
	return NULL;
}

static struct error *log_option_changed(struct cli *c)
{
	c->output.log_alone = c->settings.log_redirect;
	return NULL;
}

static struct error *color_changed(struct cli *c)
{
	c->style = console_style((enum color)c->settings.color);
	return NULL;
}

static struct error *pagination_changed(struct cli *c)
{
	c->output.pages = c->settings.pagination && c->pages;
	return NULL;
}

static struct error *prompt_changed(struct cli *c)
{
	c->prompt = c->settings.prompt;
	return NULL;
}

/* What the program gets -------------------------------------------------------------------- */

/* The value of an entry "NAME=VALUE" of that name; NULL: it is of another. */
static const char *value_of(const char *entry, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(entry, name, len) && entry[len] == '=' ? entry + len + 1 : NULL;
}

/* What the program would get; NULL: no such variable. */
static const char *variable(const struct control_settings *s, const char *name)
{
	const char *value = getenv(name);

	vec_for_each (gone, &s->unset) {
		if (!strcmp(*gone, name))
			value = NULL;
	}
	vec_for_each (entry, &s->environment) {
		const char *own = value_of(*entry, name);
		value = own ? own : value;
	}
	return value;
}

static struct error *show_variable(struct cli *c, const char *name)
{
	const char *value = variable(&c->control->settings, name);

	if (value) {
		style_add_text(&c->out, name);
		style_add_between(&c->out, " = ", value, "\n");
	} else {
		style_add_between(&c->out, "Environment variable \"", name, "\" not defined.\n");
	}
	return NULL;
}

static struct error *show_environment(struct cli *c, const char *args)
{
	const struct control_settings *s = &c->control->settings;

	if (*args)
		return show_variable(c, args);
	for (char **entry = environ; *entry; entry++) {
		AUTO_FREE char *name = strndup(*entry, strcspn(*entry, "="));
		bool changed = name && variable(s, name) != *entry + strlen(name) + 1;
		if (!changed)
			style_add_between(&c->out, "", *entry, "\n");
	}
	vec_for_each (entry, &s->environment)
		style_add_between(&c->out, "", *entry, "\n");
	return NULL;
}

static struct error *set_environment(struct cli *c, const char *args)
{
	AUTO_FREE char *name = strndup(args, strcspn(args, "= \t"));
	bool bare = name && !args[strcspn(args, "= \t")];

	if (bare && *name)
		buf_addf(&c->out, "Setting environment variable \"%s\" to null value.\n", name);
	return control_set_environment(c->control, args);
}

static struct error *show_cwd(struct cli *c, const char *args)
{
	const char *folder = c->control->settings.directory;

	(void)args;
	if (folder && *folder)
		style_add_between(&c->out,
				  "Current working directory that will be used when starting the "
				  "inferior is \"",
				  folder, "\".\n");
	else
		buf_adds(&c->out, "You have not set the inferior's current working directory.\n"
				  "The inferior will inherit ompdb's cwd.\n");
	return NULL;
}

static struct error *show_version(struct cli *c, const char *args)
{
	(void)args;
	buf_adds(&c->out, "ompdb " OMPDB_VERSION "\n");
	return NULL;
}

static struct error *show_user(struct cli *c, const char *args)
{
	vec_for_each (u, &c->user) {
		bool shown = (*u)->body && (!*args || !strcmp((*u)->name, args)) &&
			     user_command_find(&c->user, &c->commands, (*u)->name) == *u;
		if (shown)
			buf_addf(&c->out, "User command \"%s\":\n%s\n", (*u)->name, (*u)->body);
	}
	return NULL;
}

static struct error *cannot_set(struct cli *c, const char *args)
{
	(void)c;
	(void)args;
	return error_new(ERROR_USAGE, "that can only be shown");
}

/* The table ------------------------------------------------------------------------------- */

#define OF(member)    offsetof(struct cli, member)
#define OWN(member)   OF(settings.member)
#define PRINT(member) OF(settings.print.member)
#define GROUP(title, shorts)                                                                       \
	{                                                                                          \
		.name = (title), .short_names = (shorts)                                           \
	}
#define SETTING(title, type, member, start, sentence, about)                                       \
	{                                                                                          \
		.name = (title), .kind = SETTING_##type, .into = (member), .preset = (start),      \
		.show = (sentence), .what = (about)                                                \
	}
#define ONLY(title, words, sentence, about)                                                        \
	{                                                                                          \
		.name = (title), .kind = SETTING_CHOICE, .into = OWN(only), .choices = (words),    \
		.show = (sentence), .what = (about)                                                \
	}

#define CONTROL(title, type, member, sentence, about)                                              \
	{                                                                                          \
		.name = (title), .kind = SETTING_##type, .owner = OWNER_CONTROL,                   \
		.into = offsetof(struct control_settings, member), .show = (sentence),             \
		.what = (about)                                                                    \
	}
#define CHOICE_CONTROL(title, type, member, words, sentence, about)                                \
	{                                                                                          \
		.name = (title), .kind = SETTING_##type, .owner = OWNER_CONTROL,                   \
		.into = offsetof(struct control_settings, member), .choices = (words),             \
		.show = (sentence), .what = (about)                                                \
	}

static const struct setting settings[] = {
	CONTROL("args", TEXT, args,
		"Argument list to give program being debugged when it is started is \"%s\".",
		"the arguments that run gives the program, as in a shell"),
	GROUP("auto-load", NULL),
	SETTING("auto-load safe-path", TEXT, OWN(safe_path), "",
		"List of directories from which it is safe to auto-load files is %s.",
		"the folders, with colons between, whose .ompdbinit is read at the start"),
	GROUP("backtrace", NULL),
	SETTING("backtrace limit", SIZE, OWN(backtrace_limit), "unlimited",
		"An upper bound on the number of backtrace levels is %s.",
		"how many frames a backtrace has at most"),
	GROUP("breakpoint", NULL),
	{ .name = "breakpoint pending",
	  .kind = SETTING_CHOICE,
	  .into = OWN(pending),
	  .choices = words_of_auto,
	  .show = "Debugger's behavior regarding pending breakpoints is %s.",
	  .what = "whether a location that is not known yet makes a pending breakpoint: auto "
		  "asks" },
	{ .name = "can-use-hw-watchpoints",
	  .kind = SETTING_CHOICE,
	  .into = OWN(hardware),
	  .choices = words_of_hardware,
	  .show = "Debugger's willingness to use watchpoint hardware is %s.",
	  .what = "whether debug registers may be used; watchpoints need them" },
	{ .name = "color",
	  .kind = SETTING_CHOICE,
	  .into = OWN(color),
	  .choices = words_of_color,
	  .show = "Printing in colours is %s.",
	  .what = "whether to print in colours",
	  .changed = color_changed },
	SETTING("confirm", BOOL, OF(confirm), "on",
		"Whether to confirm potentially dangerous operations is %s.",
		"whether to ask before something that cannot be undone"),
	{ .name = "cwd",
	  .kind = SETTING_TEXT,
	  .owner = OWNER_CONTROL,
	  .into = offsetof(struct control_settings, directory),
	  .show = "",
	  .what = "the folder in which run starts the program",
	  .showing = show_cwd },
	{ .name = "debug-file-directory",
	  .kind = SETTING_TEXT,
	  .owner = OWNER_DEBUGINFO,
	  .into = offsetof(struct debuginfo_options, directory),
	  .show = "The directory where separate debug symbols are searched for is \"%s\".",
	  .what = "where debug files are installed; counts for what is opened from then on" },
	CONTROL("detach-on-fork", NOT, keep_forks,
		"Whether ompdb will detach the child of a fork is %s.",
		"whether the process that is not followed over a fork is let go"),
	CONTROL("disable-randomization", NOT, keep_aslr,
		"Disabling randomization of debuggee's virtual address space is %s.",
		"whether addresses are the same in each run"),
	{ .name = "directories",
	  .kind = SETTING_OWN,
	  .what = "folders in which source files are looked for",
	  .set = sources_add_folders,
	  .showing = sources_show_folders },
	{ .name = "disassembly-flavor",
	  .kind = SETTING_CHOICE,
	  .into = OWN(intel),
	  .choices = words_of_flavor,
	  .show = "The disassembly flavor is \"%s\".",
	  .what = "how instructions are written" },
	{ .name = "environment",
	  .kind = SETTING_OWN,
	  .what = "a variable of the environment that the program gets: NAME VALUE",
	  .set = set_environment,
	  .showing = show_environment },
	CHOICE_CONTROL("follow-fork-mode", EITHER, follow_child, words_of_fork,
		       "Debugger response to a program call of fork or vfork is \"%s\".",
		       "which process is looked at behind a fork"),
	SETTING("height", SIZE, OF(output.height), NULL,
		"Number of lines ompdb thinks are in a page is %s.",
		"how many lines a page has; 0 is unlimited"),
	GROUP("history", NULL),
	SETTING("history filename", TEXT, OWN(history_file), NULL,
		"The filename in which to record the command history is \"%s\".",
		"where the lines of this session are kept"),
	SETTING("history save", BOOL, OWN(history_save), "on",
		"Saving of the history record is %s.", "whether they are kept"),
	SETTING("history size", SIZE, OWN(history_size), "1000",
		"The size of the command history is %s.", "how many are kept"),
	CONTROL("inferior-tty", TEXT, terminal,
		"Terminal for future runs of program being debugged is \"%s\".",
		"the terminal that the program gets"),
	ONLY("language", only_auto, "The current source language is \"%s\".",
	     "the language of expressions: it is that of the selected frame"),
	SETTING("listsize", SIZE, OWN(listsize), "10",
		"Number of source lines ompdb will list by default is %s.",
		"how many lines list prints"),
	GROUP("logging", NULL),
	{ .name = "logging enabled",
	  .kind = SETTING_BOOL,
	  .into = OWN(log),
	  .show = "Logging is %s.",
	  .what = "whether what commands print is written to a file, too",
	  .changed = log_changed },
	SETTING("logging file", TEXT, OWN(log_file), "ompdb.txt", "The current logfile is \"%s\".",
		"the file"),
	SETTING("logging overwrite", BOOL, OWN(log_overwrite), "off",
		"Overwriting of the log file is %s.", "whether it begins empty"),
	{ .name = "logging redirect",
	  .kind = SETTING_BOOL,
	  .into = OWN(log_redirect),
	  .show = "Output to the log file alone is %s.",
	  .what = "whether the terminal gets nothing then",
	  .changed = log_option_changed },
	SETTING("max-completions", SIZE, OWN(max_completions), "200",
		"Maximum number of completion candidates is %s.",
		"how many words the Tab key lists"),
	SETTING("max-value-size", SIZE, PRINT(max_value_size), "65536",
		"Maximum value size is %s bytes.", "how large a value may be that is read"),
	ONLY("non-stop", only_off, "Controlling the inferior in non-stop mode is %s.",
	     "non-stop mode, which there is not: all threads stop together"),
	{ .name = "pagination",
	  .kind = SETTING_BOOL,
	  .into = OWN(pagination),
	  .preset = "on",
	  .show = "State of pagination is %s.",
	  .what = "whether to wait for RETURN after each page",
	  .changed = pagination_changed },
	GROUP("print", "p pr"),
	SETTING("print address", BOOL, PRINT(address), "on", "Printing of addresses is %s.",
		"whether addresses are printed"),
	SETTING("print array", BOOL, PRINT(array), "off", "Pretty formatting of arrays is %s.",
		"whether each element has a line"),
	SETTING("print array-indexes", BOOL, PRINT(array_indexes), "off",
		"Printing of array indexes is %s.", "whether indexes are printed"),
	SETTING("print asm-demangle", BOOL, PRINT(asm_demangle), "off",
		"Demangling of C++/ObjC names in disassembly listings is %s.",
		"whether names in disassembly are those of the source"),
	SETTING("print demangle", BOOL, PRINT(demangle), "on",
		"Demangling of encoded C++/ObjC names when displaying symbols is %s.",
		"whether names are those of the source"),
	SETTING("print elements", SIZE, PRINT(elements), "200",
		"Limit on string chars or array elements to print is %s.",
		"how much of strings and arrays is printed"),
	SETTING("print finish", BOOL, PRINT(finish), "on",
		"Printing of return value after `finish' is %s.",
		"whether finish prints the value"),
	{ .name = "print frame-arguments",
	  .kind = SETTING_CHOICE,
	  .into = PRINT(frame_arguments),
	  .choices = words_of_arguments,
	  .preset = "scalars",
	  .show = "Printing of non-scalar frame arguments is \"%s\".",
	  .what = "which arguments are printed with frames" },
	SETTING("print inferior-events", BOOL, PRINT(inferior_events), "on",
		"Printing of inferior events is %s.", "whether forks and their like are told"),
	SETTING("print max-depth", SIZE, PRINT(max_depth), "20", "Maximum print depth is %s.",
		"how deep structures are printed"),
	SETTING("print null-stop", BOOL, PRINT(null_stop), "off",
		"Printing of char arrays to stop at first null char is %s.",
		"whether char arrays end at a null byte"),
	SETTING("print object", BOOL, PRINT(object), "off",
		"Printing of object's derived type based on vtable info is %s.",
		"whether objects are printed as what they are"),
	SETTING("print pretty", BOOL, PRINT(pretty), "off",
		"Pretty formatting of structures is %s.", "whether each member has a line"),
	SETTING("print repeats", SIZE, PRINT(repeats), "10",
		"Threshold for repeated print elements is %s.",
		"how many equal elements are printed as one"),
	SETTING("print static-members", BOOL, PRINT(static_members), "on",
		"Printing of C++ static members is %s.", "whether static members are printed"),
	SETTING("print symbol", BOOL, PRINT(symbol), "on",
		"Printing of symbols when printing pointers is %s.",
		"whether a pointer is printed with the symbol that it points to"),
	SETTING("print thread-events", BOOL, PRINT(thread_events), "on",
		"Printing of thread events is %s.", "whether new threads and their ends are told"),
	SETTING("print union", BOOL, PRINT(unions), "on",
		"Printing of unions interior to structures is %s.", "whether they are printed"),
	{ .name = "prompt",
	  .kind = SETTING_BLANKS,
	  .into = OWN(prompt),
	  .preset = "(ompdb) ",
	  .show = "Ompdb's prompt is \"%s\".",
	  .what = "the prompt",
	  .changed = prompt_changed },
	CHOICE_CONTROL("scheduler-locking", CHOICE, locking, locking_names,
		       "Mode for locking scheduler during execution is \"%s\".",
		       "whether other threads stay where they are when one goes on"),
	CONTROL("startup-with-shell", NOT, no_shell, "Use of shell to start subprocesses is %s.",
		"whether a shell reads the arguments of the program"),
	CONTROL("step-mode", BOOL, step_mode, "Mode of the step operation is %s.",
		"whether step enters functions without lines"),
	{ .name = "substitute-path",
	  .kind = SETTING_OWN,
	  .what = "FROM TO: source files whose paths begin with FROM are looked for below TO",
	  .set = sources_set_rule,
	  .showing = sources_show_rules },
	SETTING("trace-commands", BOOL, OWN(trace_commands), "off",
		"State of CLI command tracing is %s.", "whether commands are printed first"),
	{ .name = "user",
	  .kind = SETTING_OWN,
	  .what = "the commands that the user has defined",
	  .set = cannot_set,
	  .showing = show_user },
	SETTING("verbose", BOOL, OWN(verbose), "off", "Verbosity is %s.", "whether more is told"),
	{ .name = "version",
	  .kind = SETTING_OWN,
	  .what = "which ompdb this is",
	  .set = cannot_set,
	  .showing = show_version },
	SETTING("width", SIZE, OF(output.width), NULL,
		"Number of characters ompdb thinks are in a line is %s.",
		"how long lines are; 0 is unlimited"),
};

enum { NSETTINGS = sizeof(settings) / sizeof(*settings) };

/* Values ---------------------------------------------------------------------------------- */

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

static struct error *parse_choice(const struct setting *s, const char *text, int *ret)
{
	AUTO_BUF names = { 0 };
	int found = -1, fits = 0;
	bool flag;

	for (int i = 0; s->choices[i]; i++) {
		buf_addf(&names, "%s%s", i ? ", " : "", s->choices[i]);
		if (!strcmp(s->choices[i], text)) {
			*ret = i;
			return NULL;
		}
		if (*text && text_starts_with(s->choices[i], text)) {
			found = i;
			fits++;
		}
	}
	/* "set breakpoint pending yes" */
	struct error *err = s->choices == words_of_auto ? parse_bool(text, &flag) : NULL;
	if (!err && s->choices == words_of_auto && *text) {
		*ret = flag ? SETTING_ON : SETTING_OFF;
		return NULL;
	}
	error_ignore(err);
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

static struct error *parse_size(const char *text, size_t *ret)
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
	*ret = n ? n : SIZE_MAX;
	return NULL;
}

static struct error *set_not(const char *text, bool *into)
{
	bool value;
	struct error *err = parse_bool(text, &value);

	if (!err)
		*into = !value;
	return err;
}

static struct error *set_either(const struct setting *s, const char *text, bool *into)
{
	int value;
	struct error *err = parse_choice(s, text, &value);

	if (!err)
		*into = value;
	return err;
}

static struct error *set_value(void *into, const struct setting *s, const char *text)
{
	switch (s->kind) {
	case SETTING_OWN:
	case SETTING_GROUP:
		return error_new(ERROR_USAGE,
				 "\"set %s\" must be followed by the name of a setting", s->name);
	case SETTING_BOOL:
		return parse_bool(text, into);
	case SETTING_NOT:
		return set_not(text, into);
	case SETTING_EITHER:
		return set_either(s, text, into);
	case SETTING_CHOICE:
		return parse_choice(s, text, into);
	case SETTING_SIZE:
		return parse_size(text, into);
	case SETTING_TEXT:
	case SETTING_BLANKS:
		break;
	}
	char *copy = strdup(text);
	if (!copy)
		return &error_nomem;
	free(*(char **)into);
	*(char **)into = copy;
	return NULL;
}

static void add_value(struct buf *out, const void *from, const struct setting *s)
{
	const char *text;
	size_t size;

	switch (s->kind) {
	case SETTING_OWN:
	case SETTING_GROUP:
		break;
	case SETTING_BOOL:
		buf_adds(out, *(const bool *)from ? "on" : "off");
		break;
	case SETTING_NOT:
		buf_adds(out, *(const bool *)from ? "off" : "on");
		break;
	case SETTING_EITHER:
		buf_adds(out, s->choices[*(const bool *)from]);
		break;
	case SETTING_CHOICE:
		buf_adds(out, s->choices[*(const int *)from]);
		break;
	case SETTING_SIZE:
		size = *(const size_t *)from;
		if (size == SIZE_MAX)
			buf_adds(out, "unlimited");
		else
			buf_addf(out, "%zu", size);
		break;
	case SETTING_TEXT:
	case SETTING_BLANKS:
		text = *(char *const *)from ? *(char *const *)from : "";
		text_escape(out, text, strlen(text));
		break;
	}
}

static void *place(struct cli *c, const struct setting *s)
{
	char *const owners[] = {
		[OWNER_CLI] = (char *)c,
		[OWNER_CONTROL] = (char *)&c->control->settings,
		[OWNER_DEBUGINFO] = (char *)&c->control->options.debuginfo,
	};

	return owners[s->owner] + s->into;
}

struct error *setting_init(struct cli *c)
{
	struct error *err = NULL;
	AUTO_BUF history = { 0 };

	for (size_t i = 0; !err && i < NSETTINGS; i++) {
		if (settings[i].preset)
			err = set_value(place(c, &settings[i]), &settings[i], settings[i].preset);
	}
	c->prompt = c->settings.prompt;
	if (!err && history_file_default(&history)) {
		c->settings.history_file = strdup(buf_text(&history));
		err = c->settings.history_file ? NULL : &error_nomem;
	}
	return err;
}

/* set and show ---------------------------------------------------------------------------- */

struct error *setting_names(struct named_list *ret)
{
	for (size_t i = 0; i < NSETTINGS; i++) {
		const struct named row = { settings[i].name, settings[i].short_names };
		if (!vec_push(ret, row))
			return &error_nomem;
	}
	return NULL;
}

const char *setting_summary(size_t index)
{
	return index < NSETTINGS ? settings[index].what : NULL;
}

const char *const *setting_choices(size_t index)
{
	static const char *const words_of_bool[] = { "off", "on", NULL };

	if (index >= NSETTINGS)
		return NULL;
	if (settings[index].kind == SETTING_BOOL || settings[index].kind == SETTING_NOT)
		return words_of_bool;
	return settings[index].choices;
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
	*ret = &settings[m.index];
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
	err = error_add(set_value(place(c, s), s, value), "set %s", s->name);
	return err || !s->changed ? err : s->changed(c);
}

static void add_sentence(struct cli *c, const struct setting *s)
{
	const char *gap = strstr(s->show, "%s");

	buf_add(&c->out, s->show, (size_t)(gap - s->show));
	add_value(&c->out, place(c, s), s);
	buf_addf(&c->out, "%s\n", gap + 2);
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
	if (s && s->showing)
		return s->showing(c, rest);
	if (s && s->kind != SETTING_GROUP) {
		add_sentence(c, s);
		return NULL;
	}
	size_t len = s ? strlen(s->name) : 0;
	for (size_t i = 0; i < NSETTINGS; i++) {
		if (settings[i].kind == SETTING_GROUP || settings[i].kind == SETTING_OWN ||
		    (s &&
		     (strncmp(settings[i].name, s->name, len) || settings[i].name[len] != ' ')))
			continue;
		buf_addf(&c->out, "%s:  ", settings[i].name + (len ? len + 1 : 0));
		add_sentence(c, &settings[i]);
	}
	return NULL;
}

void setting_add_man(struct buf *out)
{
	buf_adds(out, ".SH SETTINGS\n"
		      "\\fBset\\fR \\fINAME VALUE\\fR changes one, \\fBshow\\fR \\fINAME\\fR shows "
		      "what it is.\n");
	for (size_t i = 0; i < NSETTINGS; i++) {
		if (!settings[i].what)
			continue;
		buf_adds(out, ".TP\n\\fB");
		options_add_roff(out, settings[i].name);
		buf_adds(out, "\\fR\n");
		options_add_roff(out, settings[i].what);
		if (settings[i].preset && *settings[i].preset) {
			buf_adds(out, " (");
			options_add_roff(out, settings[i].preset);
			buf_addc(out, ')');
		}
		buf_adds(out, ".\n");
	}
}
