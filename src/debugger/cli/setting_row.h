/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Setting_row: a row of the table of settings, from which come set, show, completion, help, manual.
 *
 * To add a setting: a member of the struct that needs it (settings.h, control.h), and a row in
 * setting_table.c.
 */
#ifndef DEBUGGER_CLI_SETTING_ROW_H
#define DEBUGGER_CLI_SETTING_ROW_H

#include "debugger/cli/cli.h"

enum setting_kind {
	SETTING_GROUP,     /* "print": others begin with it          */
	SETTING_OWN,       /* "set" and "showing" do it              */
	SETTING_NONE,      /* gdb has it, here "what" says why not  */
	SETTING_ONLY,      /* its preset is all that it can be       */
	SETTING_BOOL,      /* on or off                              */
	SETTING_NOT,       /* the same, kept as its contrary         */
	SETTING_EITHER,    /* bool: one of two choices               */
	SETTING_CHOICE,    /* int: the index of one of the choices    */
	SETTING_AUTO_BOOL, /* enum auto_setting: auto, on, off       */
	SETTING_SIZE,      /* size_t; 0 or unlimited is SIZE_MAX     */
	SETTING_COUNT,     /* the same, but 0 is none                */
	SETTING_TEXT,      /* char *, owned; all of the line         */
	SETTING_BLANKS,    /* the same, with blanks at its end       */
};

/* Whose struct a value is in. */
enum setting_owner {
	OWNER_CLI,     /* struct cli              */
	OWNER_CONTROL, /* struct control_settings */
};

struct setting {
	const char *name, *short_names; /* as of struct named */
	enum setting_kind kind;
	enum setting_owner owner;
	size_t into; /* offset in the owner's struct */
	const char *const *choices;
	const char *preset; /* as it would be typed; NULL: zero              */
	const char *show;   /* a sentence with %s for the value              */
	const char *what;   /* "whether to ...": help                        */
	/* Does what follows from it; NULL: nothing. */
	struct error *(*changed)(struct cli *c);
	/* In the place of all that; args: behind its name. NULL: as its kind says. */
	struct error *(*set)(struct cli *c, const char *args);
	struct error *(*showing)(struct cli *c, const char *args);
};

extern const struct setting setting_rows[];
extern const size_t setting_nrows;

#endif
