/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Setting_value: values of settings, from what is typed, and as text.
 */
#ifndef DEBUGGER_CLI_SETTING_VALUE_H
#define DEBUGGER_CLI_SETTING_VALUE_H

#include "debugger/cli/setting_row.h"

/* USAGE: it is not a value of this setting, and what would be; nothing has changed. */
MUST_CHECK struct error *setting_value_set(struct cli *c, const struct setting *s,
					   const char *text);

/* As "show" says it, escaped. */
void setting_value_add(struct buf *out, struct cli *c, const struct setting *s);

/* What it is, to be put back. UNSUPPORTED: it is no single value. */
struct setting_kept {
	const struct setting *setting; /* borrowed */
	char *text;                    /* owned; of texts */
	size_t size;
	int choice;
	bool flag;
};
MUST_CHECK struct error *setting_value_keep(struct cli *c, const struct setting *s,
					    struct setting_kept *ret);
/* Once: takes the text. */
void setting_value_put_back(struct cli *c, struct setting_kept *kept);

/* What it may be: words with an end of NULL; NULL: anything. */
const char *const *setting_value_choices(const struct setting *s);

#endif
