/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Data_state: what the commands that show data remember: displays, where list and x go on.
 */
#ifndef DEBUGGER_CLI_DATA_STATE_H
#define DEBUGGER_CLI_DATA_STATE_H

#include "base/buf.h"
#include "target/cpu/arch.h"

struct shown_limits; /* values/shown.h */

/* "/3xw" behind print, x, output, display. */
struct data_format {
	long count;                        /* 1: none was written; negative: backwards */
	char letter;                       /* 0: none                                  */
	char size;                         /* b h w g; 0: none                         */
	char unit;                         /* the same, only if it was written: of texts */
	bool raw;                          /* r: of values, without pretty printers    */
	const struct shown_limits *limits; /* borrowed; NULL: those of "set print" */
};

struct data_display {
	int number;
	bool enabled;
	int whom; /* print_options.h: in how many threads */
	struct data_format format;
	char *text;     /* owned; of the expression */
	char *function; /* owned; whose variables are in it: only there it is shown; NULL: none */
};

struct data {
	const struct scope *task; /* borrowed: names mean what they do there; NULL: in the selected
				     frame */
	VEC(struct data_display) displays; /* owned */
	int last_display;
	struct data_format x; /* of the last x                        */
	taddr x_next;         /* behind what it showed                */
	char *list_file;      /* owned; NULL: nothing was listed yet  */
	int list_first, list_last;
	taddr list_pc; /* of the frame that was selected then  */
};
void data_state_free(struct data *d);

#endif
