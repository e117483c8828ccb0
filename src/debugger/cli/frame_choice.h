/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Frame_choice: which frame a user means: by its number, its function, or its address.
 */
#ifndef DEBUGGER_FRAME_CHOICE_H
#define DEBUGGER_FRAME_CHOICE_H

#include "debugger/cli/command.h"

/* "3", "level 3", "function main", "address 0x7ffe10"; "": the selected one. */
MUST_CHECK struct error *frame_choice_select(struct cli *c, const char *args);

/* An expression for a number of frames, or of one; "": otherwise. */
MUST_CHECK struct error *frame_choice_number(struct cli *c, const char *args, size_t otherwise,
					     size_t *ret);

#endif
