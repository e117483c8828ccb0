/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mover_words: what is said of the threads of a team that have made a step. */
#ifndef DEBUGGER_MOVER_WORDS_H
#define DEBUGGER_MOVER_WORDS_H

#include "debugger/control/mover.h"

/* Who has arrived where, and "missing" behind that. */
MUST_CHECK struct error *movers_stop(const struct movers *m, struct stop_report *r,
				     const struct buf *missing);

#endif
