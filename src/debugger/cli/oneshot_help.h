/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Oneshot_help: what the one-shot commands say of themselves, in --help and in the manual page:
 * paragraphs with an empty line between them.
 */
#ifndef DEBUGGER_CLI_ONESHOT_HELP_H
#define DEBUGGER_CLI_ONESHOT_HELP_H

extern const char oneshot_help_stack[], oneshot_help_omp[], oneshot_help_why[],
	oneshot_help_check[], oneshot_help_host[], oneshot_help_rank[];

#endif
