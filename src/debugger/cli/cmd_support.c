/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debugger/cli/cli.h"
#include "debugger/cli/help.h"
#include "debugger/cli/options.h"

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

static struct error *cmd_quit(struct cli *c, const char *args)
{
	size_t status = 0;

	if (*args) {
		struct error *err = options_parse_size(args, 0, 255, &status);
		if (err)
			return err;
		c->status = (int)status;
	}
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
	  .args = "[STATUS]",
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
};

const struct command_table cmd_support_table = COMMAND_TABLE(rows);
