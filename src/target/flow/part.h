/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Part: a piece of code with unwind tables of its own: a function, or what a compiler has moved
 * out of one.
 */
#ifndef TARGET_PART_H
#define TARGET_PART_H

#include "target/code/code.h"

struct part {
	struct code code;
	uint32_t *insn; /* owned; for each byte: 1 + the instruction that begins there      */
	bool *leads;    /* owned; for each byte: a block begins there                       */
};

/* false: there is no code, or too much. */
bool part_init(struct target *t, taddr start, taddr end, struct part *ret);
void part_fini(struct part *p);

/* The next jump to a fixed place, from *at on, which is moved behind it. false: no more. */
bool part_next_jump(const struct code *c, taddr *at, struct insn *ret);

/* Where code jumps to in other code: to its start, into its middle. */
struct part_visits {
	bool start, middle;
};

struct part_visits part_visits(const struct code *from, taddr start, taddr end);
/* The same for code that is not at hand yet. */
struct part_visits part_visits_from(struct target *t, taddr from, taddr from_end, taddr start,
				    taddr end);

#endif
