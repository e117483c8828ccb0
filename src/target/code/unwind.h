/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Unwind: the call frames of a stopped thread, through libunwind on our own accessors.
 *
 * libunwind gets memory from the target's page cache, registers from the thread, and unwind
 * tables from each module's .eh_frame_hdr in the target's memory; it makes no system call of its
 * own. Code without unwind tables is walked by frame pointers and, where a thread stands in it, by
 * what on the stack looks like its return address (guess.h); such frames are marked as guesses.
 */
#ifndef TARGET_UNWIND_H
#define TARGET_UNWIND_H

#include "target/symbols/debuginfo.h"
#include "target/symbols/location.h"

struct unwinder;

enum { UNWIND_FRAMES_DEFAULT = 1024, UNWIND_FRAMES_MAX = 1 << 20 };

struct unwind_frame {
	taddr pc;  /* instruction in this frame: the next one for frame 0, a return address above */
	taddr cfa; /* canonical frame address (DWARF 5, section 6.4); 0: unknown            */
	bool exact;   /* pc itself is what executes (frame 0, signal frames, interrupted code): look
			 names up at pc, else at pc - 1                                        */
	bool signal;  /* the kernel's signal trampoline                                        */
	bool guessed; /* found by frame pointer, or on the stack, not by unwind tables        */
	bool scanned; /* on the stack: what its frame pointer is is not known                 */
	bool made;    /* by the debugger: what a function returns to that it has called        */
};

struct unwind_stack {
	struct unwind_frame *items; /* owned, innermost first */
	size_t len, cap;
	bool cut;  /* it has more frames than were asked for                                */
	char *end; /* owned; why else it stops before the thread's start; NULL: it does not */
};

void unwind_stack_fini(struct unwind_stack *s);

/*
 * NULL: out of memory. Borrows both. Files are opened only for modules that have unwind tables
 * but no .eh_frame_hdr to find them by. What is known of a module's tables hangs on it.
 */
struct unwinder *unwinder_new(struct module_list *modules, struct debuginfo_set *files);
void unwinder_free(struct unwinder *u);

/* A frame that the debugger has made: when pc and the stack pointer of a caller are those, the walk
 * goes on from the registers there. */
struct unwind_break {
	pid_t lwp;
	taddr pc, sp;
	const uint8_t *general; /* borrowed: a set of general registers */
};
/* In the place of those before; the unwinder owns them. */
void unwinder_set_breaks(struct unwinder *u, struct unwind_break *breaks, size_t n);

/* Fills ret with at most max_frames frames. Errors only for lack of memory or of registers. */
MUST_CHECK struct error *unwind_thread(struct unwinder *u, struct thread *th, size_t max_frames,
				       struct unwind_stack *ret);

/*
 * The general registers of frame "index" of what unwind_thread() has made, numbered as struct
 * arch's code_regs, which has room for them: ret_values of those whose bits are set in *ret_known.
 * Of a frame that has called another only those mean anything that functions have to keep. false:
 * none is known.
 */
bool unwind_registers(struct unwinder *u, struct thread *th, size_t index, uint64_t *ret_values,
		      uint32_t *ret_known);

/*
 * Where a general register of frame "index" is, which the functions further in have to give back:
 * *ret is its address, or 0: it is in the register itself. false: that is not known for certain.
 */
bool unwind_saved(struct unwinder *u, struct thread *th, size_t index, const struct reg *r,
		  taddr *ret);

/*
 * Whether functions are called at that address: by the unwind tables, nothing but the return
 * address is on the stack there. So it also looks where a part of a function that has saved nothing
 * begins.
 */
bool unwind_is_entry(struct unwinder *u, taddr start);

/*
 * What the CFA of the function is made of at pc, by the unwind tables: the stack pointer, or the
 * frame pointer, and an offset. false: something else, or they do not say.
 */
bool unwind_cfa(struct unwinder *u, taddr pc, struct location_cfa *ret);

/* What its tables lead to that says where exceptions go on (lsda.h), and where its function starts.
 * 0: nothing. */
taddr unwind_lsda(struct unwinder *u, taddr pc, taddr *ret_start);

/* The function around pc, by the unwind tables: [*ret_start, *ret_end). false: they do not say. */
bool unwind_function(struct unwinder *u, taddr pc, taddr *ret_start, taddr *ret_end);

#endif
