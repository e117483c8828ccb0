/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies: the instructions of sites, in memory that is lent, through which threads get over sites
 * while others run. A copy is the instruction and a jump back behind the original. What lies where,
 * and the bytes; passing.h sends threads there.
 *
 * What holds at any time:
 *
 *  1. A copy is written before the first thread is sent to it, and does not change until it is
 *     taken out.
 *  2. A thread is in a copy only from when it is resumed with its pc there (passage.copy says in
 *     which) until it reports something. Before anybody sees the registers of that stop, pc is put
 *     where it would be without the copy: so no signal's frame, no core file, no stack that is
 *     unwound, and no process that is detached contains the address of a copy.
 *  3. When all threads stand, none is in a copy; but for those that do not stop (STUCK): what these
 *     may be in stays, and is not used for anything else, until the process is let go. Therefore
 *     copies are taken out only while all stand.
 *  4. Whoever is in a copy needs nothing of ompdb to get out of it. One that is left behind, by a
 *     tracer that was killed, harms nobody.
 *  5. The trap of the site stays where it is all the while: nobody misses it.
 */
#ifndef TARGET_COPIES_H
#define TARGET_COPIES_H

#include "target/process/site.h"

struct copy {
	taddr at;                      /* its place                                              */
	taddr addr;                    /* of the original                                        */
	uint8_t insn;                  /* bytes of the instruction; 0: the place is free         */
	uint8_t size;                  /* of the copy: with the jump back                        */
	bool left;                     /* somebody may be in it for ever                         */
	uint8_t before[INSN_COPY_MAX]; /* what was there                       */
};

/* Memory that is lent, in places for copies: items[first] and those behind it. */
struct loan {
	taddr start, end;
	size_t first, n;
};
struct loans {
	struct loan *items; /* owned */
	size_t len, cap;
};

struct copies {
	struct copy *items; /* owned; a place keeps its number */
	size_t len, cap;
	struct loans loans;
	size_t used; /* places that are not free */
};

void copies_fini(struct copies *c);

/* Memory that may be used. USAGE: there is none. What is lent already is not added. */
MUST_CHECK struct error *copies_lend(struct copies *c, taddr start, taddr end);

/*
 * Makes a copy of the instruction at an address, whose first bytes are given. Returns its number
 * plus 1; 0: it works only where it is, or there is no room near it.
 */
size_t copies_make(struct copies *c, const struct sites *s, taddr addr, const uint8_t *code,
		   size_t size);

/* Takes out a copy; one that is busy is left where it is. */
void copies_take_out(struct copies *c, const struct sites *s, size_t number, bool busy);

/* All that are not left, or only forgets all, and what is lent, with memory that is gone. */
void copies_remove(struct copies *c, const struct sites *s);
void copies_forget(struct copies *c);

/* The copies in the memory of a process that was forked with them. */
MUST_CHECK struct error *copies_copy(const struct copies *from, struct copies *to);

/* Bytes that were read at "from": puts in place of copies what was there before. */
void copies_hide(const struct copies *c, taddr from, void *bytes, size_t len);

/* Takes all out of a standing process that was forked with them. */
MUST_CHECK struct error *copies_clean(const struct copies *c, pid_t pid);

#endif
