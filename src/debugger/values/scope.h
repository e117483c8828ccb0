/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Scope: where an expression means something: a frame of a stopped thread, or no frame at all.
 *
 * Made by control.h of what is selected; plain data, valid until the target runs. Borrows all.
 */
#ifndef DEBUGGER_SCOPE_H
#define DEBUGGER_SCOPE_H

#include "debugger/session.h"

enum { SCOPE_REGISTERS_MAX = 32 };

struct frames; /* control/ */
struct task_values;
struct value;

/* The language of expressions. */
enum scope_language {
	SCOPE_AUTO, /* that of the frame */
	SCOPE_C,    /* and C++           */
	SCOPE_FORTRAN,
};

/* Places in memory that values were read of. */
struct scope_cell {
	taddr addr;
	uint64_t size;
	bool refers; /* it is a reference, which leads to one place as long as it is there */
};
struct scope_cells {
	struct scope_cell *items; /* owned */
	size_t len, cap;
	bool unplaced;  /* a variable was read that is nowhere in memory               */
	bool of_region; /* and one that is there as long as a region lasts: region_block.h */
};

/* What of values has to be there. Each asks for less than the one before it. */
enum scope_asks {
	SCOPE_VALUES,
	SCOPE_PLACES, /* what cannot be read is missing, and has its place: for & */
	SCOPE_TYPES,  /* what is missing is zero; nothing is changed or called: for sizeof */
};

struct scope;

/* line: of the declaration; 0: not known. */
typedef bool scope_found(void *context, const struct scope *s, const char *name, int line,
			 const struct value *v);

struct scope {
	struct session *session;
	enum scope_language language;
	enum scope_asks asks;
	struct thread *thread; /* NULL: none stands still: only globals and constants            */
	size_t frame;          /* of the raw stack: 0 is innermost                               */
	size_t level;          /* of the inlined levels of that frame, from the inside out       */
	taddr pc;              /* of the frame; the instruction itself only if exact             */
	taddr cfa;             /* of the frame                                                   */
	bool exact;            /* pc is not behind a call                                        */
	const uint64_t *registers; /* of the frame, numbered as arch->code_regs                  */
	uint32_t known;            /* which of them are, a bit each                              */
	/*
	 * The scope of the function that has called this one, whose registers are in "registers".
	 * false: it is not known. NULL: never.
	 */
	bool (*caller)(const struct scope *s, struct scope *ret, uint64_t *registers);
	/*
	 * The scope of the frame that has begun the parallel region or made the task of whose code
	 * this one is, maybe of another thread; its registers are there until "frames" are asked
	 * again. false: it is of none, or *ret_why says why that frame is not known; then ret->pc
	 * is where the function begins that the code was written in, 0: not known. NULL: never.
	 */
	bool (*creator)(const struct scope *s, struct scope *ret, const char **ret_why);
	/*
	 * Where the frame is gone that has made the task of whose code this one is: the scope of
	 * the one that has begun the region whose code that was. Its variables are not those that
	 * names mean. false: it is not known. NULL: never.
	 */
	bool (*beyond)(const struct scope *s, struct scope *ret);
	/*
	 * What a task has been given, whose code this is, where a frame does not tell of it.
	 * Without a thread: first of all. line, 0: any: of the declaration. NULL: nothing.
	 */
	bool (*given)(const struct scope *s, const char *name, int line, struct value *ret);
	const struct task_values *given_context; /* control/ */
	/*
	 * Calls "found" for each variable that the task shares whose code the frame is, and that
	 * no frame tells of, until it says false. NULL: never.
	 */
	void (*given_each)(const struct scope *s, scope_found *found, void *context);
	/* What a variable is that has no place, as reckoned from others. NULL: never. */
	bool (*counted)(const struct scope *s, const struct variable *v, struct value *ret);
	/* What $name is of the loop that the thread is in; name: without the $. NULL: nothing. */
	bool (*loop)(const struct scope *s, const char *name, struct value *ret);
	const char *where;     /* of a creator: "Thread 0.0"; else NULL                     */
	bool made_task;        /* a creator, be it not known: of a task                     */
	struct frames *frames; /* for both, as the following                              */
	size_t index;          /* among them                                              */
	const struct unwind_stack *raw; /* borrowed; for callers found by it; NULL: by frames  */
	unsigned int outward; /* how many callers have been asked for to come here       */
	bool originals;       /* names mean what constructs around have copies of: for orig() */
	struct scope_cells *cells; /* borrowed; what is read is added here; NULL: nowhere    */
};

static inline bool scope_asks_types(const struct scope *s)
{
	return s && s->asks == SCOPE_TYPES;
}

/* pc - 1 for a frame that has called: to ask for names, lines and variables with. */
static inline taddr scope_lookup_pc(const struct scope *s)
{
	return s->exact || !s->pc ? s->pc : s->pc - 1;
}

#endif
