/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/arguments.h"
#include "debugger/cli/cli.h"
#include "debugger/control/control.h"

/* The one word that a command takes, as a path. */
static struct error *one_path(const char *args, struct buf *ret)
{
	AUTO_ARGUMENTS words = { 0 };
	struct error *err = arguments_parse(args, false, &words);

	if (!err && words.len != 1)
		err = error_new(ERROR_USAGE, "argument required (name of one file)");
	if (!err)
		arguments_add_path(ret, words.items[0]);
	return err;
}

static struct error *cmd_file(struct cli *c, const char *args)
{
	AUTO_BUF path = { 0 };
	struct error *err = one_path(args, &path);

	if (!err)
		err = control_set_program(c->control, buf_text(&path));
	if (!err && c->pages)
		style_add_between(&c->out, "Reading symbols from ", c->control->program, "...\n");
	return err;
}

static struct error *cmd_cannot(struct cli *c, const char *args)
{
	(void)args;
	return error_new(
		ERROR_UNSUPPORTED,
		"%s is not supported: ompdb finds the files of all that is mapped by itself; "
		"see \"set debug-file-directory\"",
		c->command->name);
}

static const struct command rows[] = {
	{ .name = "file",
	  .short_names = "exec-file symbol-file",
	  .args = "PROGRAM",
	  .class = CLASS_FILES,
	  .completes = COMPLETES_FILE,
	  .flags = COMMAND_OPENS,
	  .run = cmd_file,
	  .summary = "Use FILE as program to be debugged.",
	  .help = "It is read for its symbols, and it is what \"run\" starts." },
	{ .name = "add-symbol-file",
	  .args = "FILE",
	  .class = CLASS_FILES,
	  .completes = COMPLETES_FILE,
	  .run = cmd_cannot,
	  .summary = "Not supported: symbols of files that are mapped are found by themselves." },
};

const struct command_table cmd_file_table = COMMAND_TABLE(rows);
