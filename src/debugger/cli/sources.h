/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sources: where source files are looked for, as the user says: set substitute-path, directory.
 */
#ifndef DEBUGGER_CLI_SOURCES_H
#define DEBUGGER_CLI_SOURCES_H

#include "debugger/cli/cli.h"

/* "FROM TO" */
MUST_CHECK struct error *sources_set_rule(struct cli *c, const char *args);
MUST_CHECK struct error *sources_show_rules(struct cli *c, const char *args);
/* "FROM"; "": all. */
MUST_CHECK struct error *sources_remove_rule(struct cli *c, const char *args);

/* Folders in front of those that there are; "": none are left. */
MUST_CHECK struct error *sources_add_folders(struct cli *c, const char *args);
MUST_CHECK struct error *sources_show_folders(struct cli *c, const char *args);

#endif
