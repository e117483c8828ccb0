/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Walk: fills a picture. It asks the OMPD library of each runtime about every thread, looks at the
 * stacks, and brings both together.
 */
#ifndef OMPD_WALK_H
#define OMPD_WALK_H

#include "ompd/picture/picture.h"

struct conform;

struct walk_source {
	struct module_list *modules;
	struct unwinder *unwinder;
	const struct unwind_stack *raw; /* one for each thread of the target, in their order    */
	const struct thread *only;      /* looks at that one alone: see below; NULL: at all     */
	struct symbol_table *symbols;   /* NULL: opens no file                                  */
	const char *ompd_library;       /* for libomp; named by the user; NULL: search          */
	bool icvs;
	bool loops;
	bool holds;      /* be it that nobody waits                                      */
	bool locks;      /* that runtimes keep by number */
	bool judged;     /* see walk_state.h                                            */
	bool footprints; /* for comparing with another look                              */
	const struct dependences_wish *depends; /* borrowed; for predecessors; NULL: none       */
	struct conform *conform; /* borrowed; a library to be checked; NULL: none              */
};

/*
 * The target must be stopped. What cannot be found out is in the notes; errors: lack of memory.
 *
 * Of one thread alone, the picture has the role, its number, and the regions that it is in, of
 * which only the outermost may have the number of the whole picture: if its primary thread is the
 * first one. That costs the same whatever the number of threads is.
 */
MUST_CHECK struct error *walk_picture(const struct walk_source *source, struct picture *ret);

#endif
