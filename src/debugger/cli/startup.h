/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Startup: the interactive debugger from its command line to its exit status.
 *
 *   init files of the system and of the user     not with -nx; of the user not with -n
 *   -iex, -ix                                     in the order in which they are given
 *   PROGRAM, CORE, PID
 *   ./.ompdbinit                                  if its folder is in auto-load safe-path
 *   -ex, -x                                       with --batch, the first that fails ends all
 *   the prompt                                    not with --batch
 *
 * An init file is read if root or the user owns it and nobody else can write to it.
 */
#ifndef DEBUGGER_CLI_STARTUP_H
#define DEBUGGER_CLI_STARTUP_H

#include "debugger/cli/oneshot.h"

struct startup_options {
	struct option_list early, commands; /* -iex and -ix; -ex and -x */
	bool args, mpi, batch, quiet, no_init, no_home_init, child_result, json;
	const char *pid, *core, *exec, *cd, *tty;
};
extern const struct option_set startup_set;
void startup_options_fini(struct startup_options *o);

/* Whether any of them is given. */
bool startup_is_given(const struct startup_options *o);

/* The session: STATUS_OK if nothing failed, else as enum status or "quit N" or the program says. */
enum status startup_run(const struct startup_options *o, const struct common_options *common,
			int argc, char **argv);

#endif
