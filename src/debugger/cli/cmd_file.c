/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/sources.h"

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
	{ .name = "directory",
	  .short_names = "dir",
	  .args = "[FOLDER...]",
	  .class = CLASS_FILES,
	  .completes = COMPLETES_FILE,
	  .run = sources_add_folders,
	  .summary = "Add folders to those in which source files are looked for, or forget them." },
	{ .name = "unset substitute-path",
	  .args = "[FROM]",
	  .class = CLASS_FILES,
	  .run = sources_remove_rule,
	  .summary = "Delete one or all substitution rules for source paths." },
	{ .name = "symbol-file",
	  .args = "FILE",
	  .class = CLASS_FILES,
	  .completes = COMPLETES_FILE,
	  .run = cmd_cannot,
	  .summary = "Not supported: \"file\" reads the symbols of the program." },
	{ .name = "add-symbol-file",
	  .args = "FILE",
	  .class = CLASS_FILES,
	  .completes = COMPLETES_FILE,
	  .run = cmd_cannot,
	  .summary = "Not supported: symbols of files that are mapped are found by themselves." },
};

const struct command_table cmd_file_table = COMMAND_TABLE(rows);
