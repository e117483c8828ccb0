/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Part: a piece of code with unwind tables of its own: a function, or what a compiler has moved
 * out of one.
 */
#ifndef TARGET_PART_H
#define TARGET_PART_H

#include "target/process/target.h"

enum { PART_BYTES_MAX = 64 << 10 };

/* Code with unwind tables of its own. */
struct part {
	taddr start, end;
	uint8_t *bytes; /* owned                                                           */
	uint32_t *insn; /* owned; for each byte: 1 + the instruction that begins there      */
	bool *leads;    /* owned; for each byte: a block begins there                       */
};

/* false: there is no code, or too much. */
bool part_init(struct target *t, taddr start, taddr end, struct part *ret);
void part_fini(struct part *p);

bool part_decode(const struct target *t, const struct part *p, taddr at, struct insn *ret);

/* It jumps, always or under a condition, to a fixed place. */
bool part_jumps(const struct insn *insn);

/* The next such jump, from *at on, which is moved behind it. false: there are no more. */
bool part_next_jump(const struct target *t, const struct part *p, taddr *at, struct insn *ret);

/* How code jumps to other code: to its very start, into its middle. */
struct part_visits {
	bool start, middle;
};

struct part_visits part_visits(struct target *t, const struct part *from, taddr start, taddr end);
/* The same for code that is not at hand yet. */
struct part_visits part_visits_from(struct target *t, taddr from, taddr from_end, taddr start,
				    taddr end);

#endif
