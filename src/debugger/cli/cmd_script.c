/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "debugger/cli/arguments.h"
#include "debugger/cli/cli.h"
#include "debugger/cli/data.h"
#include "debugger/control/control.h"
#include "debugger/values/eval.h"

/* define, document ------------------------------------------------------------------------ */

static struct error *run_user(struct cli *c, const char *args)
{
	const struct user_command *u = (const struct user_command *)c->command;
	const struct arguments *outer = c->arguments;
	AUTO_ARGUMENTS words = { 0 };
	unsigned int loops = c->loops;

	struct error *err = arguments_parse(args, true, &words);
	if (err)
		return err;
	c->arguments = &words;
	c->loops = 0;
	err = cli_execute_text(c, u->body, NULL);
	c->loops = loops;
	c->arguments = outer;
	return err;
}

static void invite(struct cli *c, const char *what, const char *name)
{
	if (!c->lines.innermost || !c->lines.innermost->typed)
		return;
	buf_addf(&c->out, "Type %s \"%s\".\nEnd with a line saying just \"end\".\n", what, name);
}

static struct error *check_name(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				  "_-.");

	if (!*name)
		return error_new(ERROR_USAGE, "argument required (name of command to define)");
	if (name[len] || strchr("0123456789-.", *name))
		return error_new(ERROR_USAGE, "junk in argument list: \"%s\"", name + len);
	return NULL;
}

static bool is_built_in(const struct cli *c, const char *name)
{
	if (user_command_find(&c->user, &c->commands, name))
		return false;
	vec_for_each (row, &c->commands.rows) {
		if (!strcmp((*row)->name, name))
			return true;
	}
	return false;
}

static struct error *cmd_define(struct cli *c, const char *args)
{
	static const struct command row = {
		.args = "[ARGUMENT...]",
		.class = CLASS_USER,
		.completes = COMPLETES_FILE,
		.run = run_user,
		.summary = "User-defined.",
	};
	AUTO_FREE char *name = strdup(args);
	AUTO_BUF body = { 0 };

	if (!name)
		return &error_nomem;
	struct error *err = check_name(name);
	if (err)
		return err;
	if (user_command_find(&c->user, &c->commands, name) &&
	    !cli_ask(c, "Redefine command \"%s\"? ", name))
		return NULL;
	if (is_built_in(c, name) && !cli_ask(c, "Really redefine built-in command \"%s\"? ", name))
		return NULL;
	invite(c, "commands for definition of", name);
	err = cli_flush(c);
	if (!err)
		err = cli_read_block(c, ">", &body);
	return err ? err : user_command_add(&c->user, &c->commands, &row, name, buf_text(&body));
}

static struct error *cmd_document(struct cli *c, const char *args)
{
	struct user_command *u = user_command_find(&c->user, &c->commands, args);
	AUTO_BUF text = { 0 };

	if (!u)
		return error_new(ERROR_USAGE, "there is no command \"%s\" that you have defined",
				 args);
	invite(c, "documentation for", args);
	struct error *err = cli_flush(c);
	if (!err)
		err = cli_read_text(c, ">", &text);
	return err ? err : user_command_document(u, buf_text(&text));
}

/* alias [-a] [--] NAME = COMMAND [ARGUMENTS] */
static struct error *cmd_alias(struct cli *c, const char *args)
{
	const struct command *row;
	const char *rest;

	while (*args == '-') {
		args += strcspn(args, " ");
		args += strspn(args, " ");
	}
	const char *equals = strchr(args, '=');
	if (!equals)
		return error_new(ERROR_USAGE, "usage: alias NAME = COMMAND [ARGUMENTS]");
	AUTO_FREE char *name = strndup(args, (size_t)(equals - args));
	if (!name)
		return &error_nomem;
	name[strcspn(name, " \t")] = '\0';
	struct error *err = check_name(name);
	if (!err)
		err = command_find(&c->commands, equals + 1, &row, &rest);
	if (err)
		return err;
	if (is_built_in(c, name))
		return error_new(ERROR_USAGE, "alias already exists: %s", name);
	if (!*rest)
		return user_command_add(&c->user, &c->commands, row, name, NULL);
	struct command with_arguments = *row;
	AUTO_BUF body = { 0 };
	with_arguments.run = run_user;
	buf_addf(&body, "%s $arg*\n", equals + 1);
	return user_command_add(&c->user, &c->commands, &with_arguments, name, buf_text(&body));
}

/* if, while ------------------------------------------------------------------------------- */

/* Whether an expression is not zero. Numbers mean something without a program, too. */
static struct error *is_true(struct cli *c, const char *expression, bool *ret)
{
	struct data_scope s;

	if (!*expression)
		return error_new(ERROR_USAGE, "if/while commands require arguments");
	data_scope(c, &s);
	return eval_condition(&s.context, expression, ret);
}

/* Where the "else" of a block stands, as cli_read_block() indents it; NULL: it has none. */
static char *find_else(char *block)
{
	for (char *line = block; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, "else", 4) && line[4 + strspn(line + 4, " \t")] == '\n')
			return line;
	}
	return NULL;
}

static struct error *cmd_if(struct cli *c, const char *args)
{
	AUTO_BUF block = { 0 };
	bool yes;

	struct error *err = cli_read_block(c, ">", &block);
	if (!err)
		err = is_true(c, args, &yes);
	if (err || !block.len)
		return err;
	char *other = find_else(block.data);
	if (other)
		*other = '\0';
	if (yes)
		return cli_execute_text(c, block.data, NULL);
	return other ? cli_execute_text(c, other + strcspn(other + 1, "\n") + 1, NULL) : NULL;
}

static struct error *cmd_while(struct cli *c, const char *args)
{
	AUTO_BUF block = { 0 };
	struct error *err = cli_read_block(c, ">", &block);
	bool goes_on = true;

	c->loops++;
	while (!err && goes_on && !c->quits) {
		if (interrupt_take())
			err = error_new(ERROR_GONE, "quit");
		if (!err)
			err = is_true(c, args, &goes_on);
		if (!err && goes_on)
			err = cli_execute_text(c, buf_text(&block), NULL);
		goes_on &= c->loop != LOOP_BREAKS && !cli_is_overtaken(c);
		c->loop = LOOP_RUNS;
	}
	c->loops--;
	return err;
}

static struct error *cmd_loop_break(struct cli *c, const char *args)
{
	(void)args;
	if (!c->loops)
		return error_new(ERROR_USAGE, "loop_break stands in no \"while\"");
	c->loop = LOOP_BREAKS;
	return NULL;
}

static struct error *cmd_loop_continue(struct cli *c, const char *args)
{
	(void)args;
	if (!c->loops)
		return error_new(ERROR_USAGE, "loop_continue stands in no \"while\"");
	c->loop = LOOP_CONTINUES;
	return NULL;
}

/* "else" and "end" belong to blocks. */
static struct error *cmd_stray(struct cli *c, const char *args)
{
	(void)args;
	return error_new(ERROR_USAGE, "this command cannot be used at the top level: %s",
			 c->command->name);
}

/* source ---------------------------------------------------------------------------------- */

/* The first one would end the script, and nobody would know: they are passed by, as in typed lines.
 */
static void drop_zero_bytes(struct buf *text)
{
	size_t left = 0;

	for (size_t i = 0; i < text->len; i++) {
		if (text->data[i])
			text->data[left++] = text->data[i];
	}
	if (left < text->len)
		text->data[left] = '\0';
	text->len = left;
}

static struct error *source(struct cli *c, const char *path)
{
	enum { BYTES_MAX = 16 << 20 };
	const struct arguments *outer = c->arguments;
	AUTO_CLOSE int fd = -1;
	AUTO_BUF text = { 0 };

	struct error *err = file_open_regular(path, &fd, NULL);
	if (!err)
		err = error_add(buf_add_fd(&text, fd, BYTES_MAX), "%s", path);
	if (err)
		return err;
	drop_zero_bytes(&text);
	c->arguments = NULL;
	err = cli_execute_text(c, buf_text(&text), path);
	c->arguments = outer;
	return err;
}

static struct error *cmd_source(struct cli *c, const char *args)
{
	AUTO_ARGUMENTS words = { 0 };
	AUTO_BUF path = { 0 };
	bool traced = c->settings.trace_commands;

	struct error *err = arguments_parse(args, false, &words);
	if (err)
		return err;
	size_t first = words.len && !strcmp(words.items[0], "-v");
	if (words.len != first + 1)
		return error_new(ERROR_USAGE,
				 "source command requires file name of file to source");
	arguments_add_path(&path, words.items[first]);
	c->settings.trace_commands |= first;
	err = source(c, buf_text(&path));
	c->settings.trace_commands = traced;
	return err;
}

static const struct command rows[] = {
	{ .name = "define",
	  .args = "NAME",
	  .class = CLASS_SUPPORT,
	  .completes = COMPLETES_COMMAND,
	  .flags = COMMAND_HAS_BLOCK,
	  .run = cmd_define,
	  .summary = "Define a new command name.",
	  .help = "Its lines follow, up to \"end\". $arg0, $arg1 ... in them are what stands "
		  "behind "
		  "its name when it is used, $arg* all of that, and $argc how many they are. A "
		  "command called hook-NAME is executed before the command NAME, and hookpost-NAME "
		  "behind it; hook-stop each time the program stops." },
	{ .name = "document",
	  .args = "NAME",
	  .class = CLASS_SUPPORT,
	  .completes = COMPLETES_COMMAND,
	  .flags = COMMAND_HAS_BLOCK,
	  .run = cmd_document,
	  .summary = "Document a user-defined command.",
	  .help = "Lines up to \"end\" are its help; the first one is its summary." },
	{ .name = "alias",
	  .args = "NAME = COMMAND [ARGUMENTS]",
	  .class = CLASS_SUPPORT,
	  .completes = COMPLETES_COMMAND,
	  .run = cmd_alias,
	  .summary = "Give a command another name." },
	{ .name = "if",
	  .args = "EXPRESSION",
	  .class = CLASS_SUPPORT,
	  .completes = COMPLETES_EXPRESSION,
	  .flags = COMMAND_HAS_BLOCK,
	  .run = cmd_if,
	  .summary = "Execute the lines up to \"end\" once if an expression is not zero.",
	  .help = "Lines behind \"else\" are executed if it is zero." },
	{ .name = "while",
	  .args = "EXPRESSION",
	  .class = CLASS_SUPPORT,
	  .completes = COMPLETES_EXPRESSION,
	  .flags = COMMAND_HAS_BLOCK,
	  .run = cmd_while,
	  .summary = "Execute the lines up to \"end\" as long as an expression is not zero." },
	{ .name = "loop_break",
	  .args = "",
	  .class = CLASS_SUPPORT,
	  .run = cmd_loop_break,
	  .summary = "Leave the innermost \"while\"." },
	{ .name = "loop_continue",
	  .args = "",
	  .class = CLASS_SUPPORT,
	  .run = cmd_loop_continue,
	  .summary = "Go on with the next turn of the innermost \"while\"." },
	{ .name = "else",
	  .args = "",
	  .class = CLASS_SUPPORT,
	  .run = cmd_stray,
	  .summary = "Begin the lines that \"if\" executes otherwise." },
	{ .name = "end",
	  .args = "",
	  .class = CLASS_SUPPORT,
	  .run = cmd_stray,
	  .summary = "End the lines of if, while, define, document, commands." },
	{ .name = "source",
	  .args = "[-v] FILE",
	  .class = CLASS_SUPPORT,
	  .completes = COMPLETES_FILE,
	  .run = cmd_source,
	  .summary = "Read commands from a file.",
	  .help = "The first that fails ends it. With -v, each is printed first." },
};

const struct command_table cmd_script_table = COMMAND_TABLE(rows);
