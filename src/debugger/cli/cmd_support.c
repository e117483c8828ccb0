/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "debugger/cli/arguments.h"
#include "debugger/cli/completion.h"
#include "debugger/cli/data.h"
#include "debugger/cli/help.h"
#include "debugger/cli/setting.h"
#include "debugger/control/control.h"
#include "debugger/values/eval.h"

static struct error *cmd_help(struct cli *c, const char *args)
{
	return help_add(&c->out, &c->commands, args);
}

static struct error *cmd_apropos(struct cli *c, const char *args)
{
	if (!*args)
		return error_new(ERROR_USAGE, "which word is to be looked for?");
	help_add_apropos(&c->out, &c->commands, args);
	return NULL;
}

/* A process that ompdb has started dies with it. */
static bool may_end(struct cli *c)
{
	const struct control *control = c->control;

	if (!control_is_live(control))
		return true;
	return cli_ask(c,
		       "A debugging session is active.\n\n\tInferior 1 [process %d] will be %s.\n\n"
		       "Quit anyway? ",
		       control->pid, control->attached ? "detached" : "killed");
}

static struct error *cmd_quit(struct cli *c, const char *args)
{
	struct scope scope = { 0 };
	const struct eval_context context = control_evaluator(c->control, &scope);
	int64_t status = 0;
	bool asks = c->keyboard && c->keyboard->typed && c->confirm;

	if (*args) {
		struct error *err =
			control_session(c->control) ? control_scope(c->control, &scope) : NULL;
		if (!err)
			err = eval_integer(&context, args, &status);
		if (err)
			return err;
	}
	if (asks && !may_end(c))
		return NULL;
	if (*args)
		c->status = (int)(status & 0xff);
	c->quits = true;
	return NULL;
}

static struct error *cmd_pwd(struct cli *c, const char *args)
{
	AUTO_FREE char *folder = getcwd(NULL, 0);

	(void)args;
	if (!folder)
		return error_os(errno, "the working directory");
	style_add_between(&c->out, "Working directory ", folder, ".\n");
	return NULL;
}

static struct error *cmd_set(struct cli *c, const char *args)
{
	struct data_scope s;
	struct value ignored;
	bool known;

	struct error *err = setting_set(c, args, &known);
	if (err || known)
		return err;
	if (!args[strspn(args, " \t")])
		return error_new(ERROR_USAGE, "argument required (expression to compute)");
	data_scope(c, &s);
	return eval_text(&s.context, args, &ignored);
}

static struct error *cmd_show(struct cli *c, const char *args)
{
	return setting_show(c, args);
}

static struct error *cmd_echo(struct cli *c, const char *args)
{
	arguments_add_unescaped(&c->out, args);
	return NULL;
}

static struct error *cmd_cd(struct cli *c, const char *args)
{
	AUTO_ARGUMENTS words = { 0 };
	const char *home = getenv("HOME");

	struct error *err = arguments_parse(args, false, &words);
	if (err)
		return err;
	const char *folder = words.len ? words.items[0] : home ? home : "/";
	AUTO_BUF path = { 0 };
	arguments_add_path(&path, folder);
	if (chdir(buf_text(&path)) < 0)
		return error_os(errno, "%s", folder);
	return cmd_pwd(c, "");
}

/* A status of wait(2), as $_shell_exitcode and messages want it. */
static struct error *end_of_shell(int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return error_new(ERROR_NOT_FOUND, "the shell command cannot be started");
	return NULL;
}

static struct error *cmd_shell(struct cli *c, const char *args)
{
	AUTO_BUF said = { 0 };
	int status = 0;
	struct error *err = cli_flush(c);

	if (!err)
		err = output_shell(args, c->json ? &said : NULL, &status);
	buf_add(&c->out, said.data, said.len);
	return err ? err : end_of_shell(status);
}

/* "COMMAND | SHELL" or "-d END COMMAND END SHELL": both parts, which text is cut into. */
static struct error *cut_pipe(char *text, char **ret_command, char **ret_shell)
{
	char *delimiter = "|";

	if (!strncmp(text, "-d ", 3)) {
		delimiter = text + 3 + strspn(text + 3, " ");
		text = delimiter + strcspn(delimiter, " ");
		if (*text)
			*text++ = '\0';
	}
	char *at = *delimiter ? strstr(text, delimiter) : NULL;
	if (!at || at == text)
		return error_new(ERROR_USAGE, "usage: pipe COMMAND | SHELL-COMMAND");
	*at = '\0';
	*ret_command = text;
	*ret_shell = at + strlen(delimiter);
	return NULL;
}

static struct error *cmd_pipe(struct cli *c, const char *args)
{
	AUTO_FREE char *text = strdup(args);
	char *command = NULL, *shell = NULL;
	AUTO_BUF said = { 0 };
	int status = 0;

	if (!text)
		return &error_nomem;
	struct error *err = cut_pipe(text, &command, &shell);
	if (!err)
		err = cli_flush(c);
	if (!err)
		err = output_pipe_to(&c->output, shell, c->json);
	if (err)
		return err;
	err = cli_execute(c, command);
	struct error *flushed = cli_flush(c);
	if (err)
		error_ignore(flushed);
	else
		err = flushed;
	struct error *ended = output_end_pipe(&c->output, &said, &status);
	buf_add(&c->out, said.data, said.len);
	if (err)
		error_ignore(ended);
	else
		err = ended;
	return err ? err : end_of_shell(status);
}

static struct error *cmd_complete(struct cli *c, const char *args)
{
	AUTO_COMPLETION found = { 0 };

	completion_find(c, args, &found);
	for (size_t i = 0; i < found.len; i++) {
		buf_add(&c->out, args, found.start);
		style_add_text(&c->out, found.items[i]);
		buf_addc(&c->out, '\n');
	}
	if (found.cut)
		buf_adds(&c->out, "*** List may be truncated, max-completions reached. ***\n");
	return NULL;
}

static struct error *cmd_safe_path(struct cli *c, const char *args)
{
	AUTO_BUF line = { 0 };
	const char *old = c->settings.safe_path;

	buf_addf(&line, "set auto-load safe-path %s%s%s", old, *old ? ":" : "", args);
	return buf_ok(&line) ? cli_execute(c, buf_text(&line)) : &error_nomem;
}

/* What stands behind " -- ". */
static struct error *cmd_with(struct cli *c, const char *args)
{
	const char *end = strstr(args, "--");

	while (end && end > args && end[-1] != ' ')
		end = strstr(end + 2, "--");
	if (!*args)
		return error_new(ERROR_USAGE, "Missing arguments.");
	if (!end || !end[2 + strspn(end + 2, " \t")])
		return error_new(ERROR_USAGE, "Missing a command behind \"--\".");
	size_t len = (size_t)(end - args);
	while (len && args[len - 1] == ' ')
		len--;
	AUTO_FREE char *text = strndup(args, len);
	return text ? setting_with(c, text, end + 2) : &error_nomem;
}

/* The first line of a breakpoint's lines; elsewhere it means nothing. */
static struct error *cmd_silent(struct cli *c, const char *args)
{
	(void)c;
	(void)args;
	return NULL;
}

static struct error *cmd_unset(struct cli *c, const char *args)
{
	if (*args)
		return control_unset_environment(c->control, args);
	if (!cli_ask(c, "Delete all environment variables? "))
		return NULL;
	struct error *err = NULL;
	for (char **entry = environ; !err && *entry; entry++) {
		AUTO_FREE char *name = strndup(*entry, strcspn(*entry, "="));
		err = name ? control_unset_environment(c->control, name) : &error_nomem;
	}
	while (!err && c->control->settings.environment.len) {
		char *first = c->control->settings.environment.items[0];
		AUTO_FREE char *name = strndup(first, strcspn(first, "="));
		err = name ? control_unset_environment(c->control, name) : &error_nomem;
	}
	return err;
}

static const struct command rows[] = {
	{ .name = "help",
	  .short_names = "h",
	  .args = "[COMMAND|CLASS|all]",
	  .class = CLASS_SUPPORT,
	  .completes = COMPLETES_COMMAND,
	  .run = cmd_help,
	  .summary = "Print list of commands, or what is to be known of one." },
	{ .name = "apropos",
	  .args = "WORD",
	  .class = CLASS_SUPPORT,
	  .run = cmd_apropos,
	  .summary = "Search for commands related to a word." },
	{ .name = "quit",
	  .short_names = "q exit",
	  .args = "[EXPRESSION]",
	  .class = CLASS_SUPPORT,
	  .run = cmd_quit,
	  .summary = "Exit ompdb, with a status if one is given.",
	  .help = "A program that ompdb has started is killed, a process that it has attached to "
		  "goes on." },
	{ .name = "pwd",
	  .args = "",
	  .class = CLASS_FILES,
	  .run = cmd_pwd,
	  .summary = "Print working directory." },
	{ .name = "cd",
	  .args = "[FOLDER]",
	  .class = CLASS_FILES,
	  .completes = COMPLETES_FILE,
	  .run = cmd_cd,
	  .summary = "Set working directory to FOLDER, or to your home, for ompdb itself." },
	{ .name = "complete",
	  .args = "LINE",
	  .class = CLASS_SUPPORT,
	  .completes = COMPLETES_COMMAND,
	  .flags = COMMAND_RAW,
	  .run = cmd_complete,
	  .summary = "List the completions for the rest of the line as a command." },
	{ .name = "add-auto-load-safe-path",
	  .args = "FOLDER",
	  .class = CLASS_SUPPORT,
	  .completes = COMPLETES_FILE,
	  .run = cmd_safe_path,
	  .summary = "Trust the file .ompdbinit in a folder and in those below it." },
	{ .name = "set",
	  .args = "SETTING VALUE | EXPRESSION",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_SETTING,
	  .flags = COMMAND_RAW | COMMAND_FRAMELESS,
	  .run = cmd_set,
	  .summary = "Change a setting, or evaluate an expression that assigns something.",
	  .help = "\"show\" without a word lists all settings and what they are. Where a "
		  "variable is called as a setting is, write \"set variable NAME = VALUE\"." },
	{ .name = "with",
	  .short_names = "w",
	  .args = "SETTING [VALUE] -- COMMAND",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_SETTING,
	  .flags = COMMAND_RAW | COMMAND_FRAMELESS,
	  .run = cmd_with,
	  .summary = "Execute a command while a setting has another value." },
	{ .name = "silent",
	  .args = "",
	  .class = CLASS_BREAKPOINTS,
	  .run = cmd_silent,
	  .summary = "As the first line of a breakpoint's commands: its stops are not told." },
	{ .name = "unset environment",
	  .args = "[NAME]",
	  .class = CLASS_RUNNING,
	  .run = cmd_unset,
	  .summary = "Cancel an environment variable of the program, or all of them." },
	{ .name = "show",
	  .args = "[SETTING]",
	  .class = CLASS_STATUS,
	  .completes = COMPLETES_SETTING,
	  .run = cmd_show,
	  .summary = "Show what settings are." },
	{ .name = "echo",
	  .args = "TEXT",
	  .class = CLASS_SUPPORT,
	  .flags = COMMAND_RAW,
	  .run = cmd_echo,
	  .summary = "Print a text.",
	  .help = "Escapes as in C are understood. A newline is printed where \\n is written; a "
		  "backslash at the end keeps blanks before it." },
	{ .name = "shell",
	  .short_names = "!",
	  .args = "[COMMAND]",
	  .class = CLASS_SUPPORT,
	  .completes = COMPLETES_FILE,
	  .flags = COMMAND_RAW,
	  .run = cmd_shell,
	  .summary = "Execute a command of the shell, or a shell." },
	{ .name = "pipe",
	  .short_names = "|",
	  .args = "[-d END] COMMAND | SHELL-COMMAND",
	  .class = CLASS_SUPPORT,
	  .completes = COMPLETES_COMMAND,
	  .flags = COMMAND_RAW,
	  .run = cmd_pipe,
	  .summary = "Send what a command prints to a command of the shell.",
	  .help = "With -d, END stands between them instead of |." },
};

const struct command_table cmd_support_table = COMMAND_TABLE(rows);
