/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_file: an order that a team was run in, and the same as a file:
 *
 *   ompdb-order 1
 *   threads 4
 *   at total           each access to it is a station, too; line PLACE: that place is
 *   0 access           thread 0 ran up to an access to it
 *   1 barrier
 *
 * Such files come from others: whatever is not as above is refused with its line.
 */
#ifndef DEBUGGER_TEAM_FILE_H
#define DEBUGGER_TEAM_FILE_H

#include "debugger/control/team_order.h"

struct order_record {
	size_t members;           /* 0: there is none */
	char *at, *line;          /* owned; as team_run.h; NULL: not */
	struct order_steps steps; /* owned */
};
void order_record_fini(struct order_record *r);
#define AUTO_ORDER_RECORD AUTO(order_record_fini) struct order_record

void order_record_add_text(const struct order_record *r, struct buf *out);
/* USAGE: it is no such text; the error says which line is wrong. */
MUST_CHECK struct error *order_record_parse(const char *text, struct order_record *ret);

/* OS: it cannot be written. */
MUST_CHECK struct error *order_record_save(const struct order_record *r, const char *path);
/* As order_record_parse(); and if it cannot be read. */
MUST_CHECK struct error *order_record_load(const char *path, struct order_record *ret);

#endif
