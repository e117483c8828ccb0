/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Wrapper: "--args" may name what only starts the program that is to be debugged: env, numactl,
 * mpirun, a script.
 */
#ifndef DEBUGGER_CLI_WRAPPER_H
#define DEBUGGER_CLI_WRAPPER_H

#include "debugger/cli/cli.h"

/* A script, as the kernel reads its first line (execve(2)). */
struct wrapper {
	char *path;        /* owned; of the script                              */
	char *interpreter; /* owned                                             */
	char *argument;    /* owned; of the interpreter; NULL: none             */
};
void wrapper_fini(struct wrapper *w);
#define AUTO_WRAPPER AUTO(wrapper_fini) struct wrapper

/* As a shell would find it. false: it is no script. */
bool wrapper_read(const char *program, struct wrapper *ret);

/*
 * "set args" of what stands behind the program, which is open; script: it is its interpreter; NULL:
 * it is not. What has no debug information is taken for a wrapper: breakpoints wait for the program
 * that it starts, and whichever process maps an OpenMP runtime is debugged.
 */
MUST_CHECK struct error *wrapper_set_args(struct cli *c, const struct wrapper *script, int argc,
					  char **argv);

#endif
