/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_ask: looks at a target until it can say why it does not go on.
 */
#ifndef DEBUGGER_WHY_ASK_H
#define DEBUGGER_WHY_ASK_H

#include "debugger/look.h"
#include "debugger/why/why.h"

struct why_options {
	struct snapshot_options snapshot; /* it is judged in any case                     */
	unsigned int samples;             /* looks at a process that is not to be looked at once */
	unsigned int interval;            /* between them, in milliseconds              */
	bool once; /* one look, and a few more at once to confirm a finding or where threads spin */
};

/*
 * The target runs afterwards. *look is the last look, with its names, which the answer is about and
 * borrows; the caller frees both, also on failure.
 */
MUST_CHECK struct error *why_ask(struct session *s, const struct why_options *options,
				 struct look *look, struct why *why);

#endif
