/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Settings: what "set" changes and "show" shows, of the front end. Those of the engine are in
 * control.h; the table of all is in setting.c.
 */
#ifndef DEBUGGER_CLI_SETTINGS_H
#define DEBUGGER_CLI_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "debugger/values/shown.h"

/* What print and its kin do. Sizes: SIZE_MAX is unlimited. */
struct print_settings {
	struct shown_limits values;
	bool finish, thread_events, inferior_events;
	size_t max_value_size;
	int frame_arguments; /* enum format_arguments */
	int entry_values;    /* enum format_entry     */
};

enum auto_setting { SETTING_AUTO, SETTING_ON, SETTING_OFF };

/* Strings are owned. */
struct settings {
	bool pagination, trace_commands;
	bool log, log_overwrite, log_redirect;
	bool history_save;
	bool intel;  /* disassembly-flavor                     */
	int pending; /* breakpoint pending: enum auto_setting  */
	size_t history_size, listsize, max_completions, backtrace_limit, rank_wait;
	char *prompt, *history_file, *log_file, *safe_path, *debug_folder;
	int color; /* enum color */
	struct print_settings print;
};

void settings_fini(struct settings *s);

#endif
