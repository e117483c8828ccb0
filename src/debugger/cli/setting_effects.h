/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Setting_effects: what follows when a setting is changed, and those that are more than one value.
 * They are functions of rows: setting_row.h says when they are called.
 */
#ifndef DEBUGGER_CLI_SETTING_EFFECTS_H
#define DEBUGGER_CLI_SETTING_EFFECTS_H

#include "debugger/cli/cli.h"

MUST_CHECK struct error *setting_log_changed(struct cli *c);
MUST_CHECK struct error *setting_log_option_changed(struct cli *c);
MUST_CHECK struct error *setting_style_changed(struct cli *c);
struct error *setting_object_changed(struct cli *c);
MUST_CHECK struct error *setting_debug_folder_changed(struct cli *c);
MUST_CHECK struct error *setting_pagination_changed(struct cli *c);
MUST_CHECK struct error *setting_prompt_changed(struct cli *c);

MUST_CHECK struct error *setting_set_environment(struct cli *c, const char *args);
MUST_CHECK struct error *setting_show_environment(struct cli *c, const char *args);
MUST_CHECK struct error *setting_show_language(struct cli *c, const char *args);
MUST_CHECK struct error *setting_show_cwd(struct cli *c, const char *args);
MUST_CHECK struct error *setting_show_version(struct cli *c, const char *args);
MUST_CHECK struct error *setting_show_user(struct cli *c, const char *args);
/* USAGE: that can only be shown. */
MUST_CHECK struct error *setting_cannot_set(struct cli *c, const char *args);

#endif
