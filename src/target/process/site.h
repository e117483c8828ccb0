/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Site: an address of a live process where a trap instruction stands instead of the program's own.
 *
 * A site is shared by all who want it, and goes with the last of them. Whoever reads or writes
 * memory through a target sees and changes the program's own bytes. passing.h says
 * how a thread gets over a site; in place, the trap is lifted while it alone executes one
 * instruction and all others that run in this memory stand still, so that none of them misses it
 * meanwhile. Bytes are exchanged only where what is to be replaced is there: code that the program
 * has written or mapped over a site stays.
 *
 * Limits: a process that shared the memory before ompdb attached is not known, and dies of a trap
 * that it reaches. A program that blocks SIGTRAP has it unblocked, and its handler forgotten, by a
 * trap (force_sig_info_to_task() in kernel/signal.c); so is a thread in its own handler of it.
 */
#ifndef TARGET_SITE_H
#define TARGET_SITE_H

#include <stdbool.h>
#include <sys/types.h>

#include "target/process/memory.h"

struct site {
	taddr addr;
	uint8_t original[ARCH_TRAP_MAX]; /* the program's own bytes there       */
	unsigned int wanted;             /* how often it was planted             */
	pid_t lifted_for;                /* the thread that is brought over it; 0: none */
	unsigned int inner;              /* of these, by stepping.c, which tells nobody     */
	size_t copy;                     /* private to passing.c: its copy, 0: none      */
	bool alone;                      /* ...and there can be none                     */
};

struct sites {
	struct site *items; /* owned; by address */
	size_t len, cap;
	const struct arch *arch; /* borrowed; of the sites there are                 */
	bool replaced;           /* the memory, by an exec: nothing is written to it */
	bool shared;             /* the memory is another target's, too, whose they are */
	/* The memory as it is, traps included; context is borrowed. */
	memory_source *read;
	struct error *(*write)(void *context, taddr to, const void *bytes, size_t len);
	void *context;
};

void sites_fini(struct sites *s);

/* Wants a site once more. NO_ADDRESS, OS: there is no code that can be written to. */
MUST_CHECK struct error *sites_plant(struct sites *s, const struct arch *arch, taddr addr);

/* Wants it once less. USAGE: nobody wants a site there. */
MUST_CHECK struct error *sites_unplant(struct sites *s, taddr addr);

/* The site at an address; NULL: there is none. Borrowed until sites are planted or unplanted. */
struct site *sites_find(const struct sites *s, taddr addr);

/* The site whose trap a thread with that pc has executed; NULL: the trap is the program's own. */
struct site *sites_hit(const struct sites *s, taddr pc);

/* Lifts a site for a thread, and puts back what was lifted for it. */
MUST_CHECK struct error *sites_lift(struct sites *s, struct site *site, pid_t lwp);
MUST_CHECK struct error *sites_put_back(struct sites *s, pid_t lwp);

/* Bytes that were read at "from": puts the program's own in place of traps. */
void sites_hide(const struct sites *s, taddr from, void *bytes, size_t len);

/* Writes bytes under the traps, which stay. */
MUST_CHECK struct error *sites_write(struct sites *s, taddr to, const void *bytes, size_t len);

/* Takes all traps out of a standing process that was forked with a copy of them. */
MUST_CHECK struct error *sites_clean(const struct sites *s, pid_t pid);

/* What a process has that was forked with a copy of them, or that shares the memory. */
MUST_CHECK struct error *sites_copy(const struct sites *from, struct sites *to);

/* Takes all traps out of memory; or only forgets them, with memory that is gone. */
void sites_remove(struct sites *s);
void sites_forget(struct sites *s);

#endif
