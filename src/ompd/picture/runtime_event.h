/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runtime_event: what happens in an OpenMP program, and where a runtime's code shows it.
 *
 * The events are OpenMP's (OMPT's, chapter "OMPT Interface", but for those that only a debugger
 * asks for). Each kind of runtime has a table of rows: one for each event and each function by
 * which it comes about. A row is all that is known of that: which exported functions, at which
 * moment of a call, whose calls count, what the arguments mean; or, of an event that cannot be had,
 * why. Several rows may be of one event. Nothing else knows what runtimes do.
 */
#ifndef OMPD_RUNTIME_EVENT_H
#define OMPD_RUNTIME_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum runtime_event {
	EVENT_THREAD_BEGIN,
	EVENT_THREAD_END,
	EVENT_PARALLEL_BEGIN,
	EVENT_PARALLEL_END,
	EVENT_IMPLICIT_TASK_BEGIN,
	EVENT_IMPLICIT_TASK_END,
	EVENT_TASK_CREATE,
	EVENT_TASK_BEGIN,
	EVENT_TASK_END,
	EVENT_TASK_SWITCH,
	EVENT_TASKWAIT_BEGIN,
	EVENT_TASKWAIT_END,
	EVENT_TASKGROUP_BEGIN,
	EVENT_TASKGROUP_END,
	EVENT_DEPENDENCE,
	EVENT_BARRIER_ENTER,
	EVENT_BARRIER_ALL_ARRIVED,
	EVENT_BARRIER_EXIT,
	EVENT_CRITICAL_ENTER,
	EVENT_CRITICAL_ACQUIRED,
	EVENT_CRITICAL_RELEASED,
	EVENT_LOCK_INIT,
	EVENT_LOCK_DESTROY,
	EVENT_LOCK_ENTER,
	EVENT_LOCK_ACQUIRED,
	EVENT_LOCK_RELEASED,
	EVENT_ORDERED_ENTER,
	EVENT_ORDERED_ACQUIRED,
	EVENT_ORDERED_RELEASED,
	EVENT_ATOMIC,
	EVENT_FLUSH,
	EVENT_LOOP_BEGIN,
	EVENT_LOOP_CHUNK,
	EVENT_LOOP_END,
	EVENT_SECTIONS,
	EVENT_SINGLE,
	EVENT_COPYPRIVATE,
	EVENT_MASKED,
	EVENT_REDUCTION,
	EVENT_CANCEL,
	EVENT_TEAMS,
	EVENT_TARGET_BEGIN,
	EVENT_TARGET_END,
	EVENT_DEVICE_INITIALIZE,
	EVENT_DEVICE_FINALIZE,
	EVENT_CONTROL,
	EVENT_SHUTDOWN,
	NUM_EVENTS,
};

/* A set of events: bit 1 << event. */
typedef uint64_t event_set;
#define EVENT_BIT(event) (UINT64_C(1) << (event))

extern const char *const runtime_event_names[NUM_EVENTS]; /* "task-create" */
/* The events that a name means, of one or of a group ("task", "sync", "all"); 0: none. */
event_set runtime_event_find(const char *name);
/* The groups, for help and completion; ends with NULL. */
extern const char *const runtime_event_groups[];

enum event_when {
	WHEN_ENTERED,  /* at the first instruction of the function                        */
	WHEN_RETURNED, /* where it has returned to                                       */
	WHEN_CODE,     /* at the first instruction of the code that it is given: "function" */
	WHEN_CODE_END, /* where that has returned to                                    */
	WHEN_NEVER,    /* it cannot be had: "note" says why                               */
};

enum event_caller { CALLED_BY_ANY, CALLED_BY_PROGRAM, CALLED_BY_RUNTIME };

/* A number that a call tells. */
struct event_value {
	enum {
		VALUE_NONE,
		VALUE_ARGUMENT, /* of the function; from the 7th on those on the stack     */
		VALUE_RESULT,   /* what it has returned                                   */
	} what;
	uint8_t argument; /* from 1 on                                                      */
	bool pointed;     /* it is an address, where "size" bytes are read at "offset"       */
	uint8_t size;     /* bytes; 0: 8                                                     */
	bool is_signed;
	int16_t offset;
	int8_t plus;  /* is added in the end                                               */
	bool is_zero; /* not the number, but whether it is 0                               */
};

/* What can be known of an event, beyond where and who. */
enum event_fact {
	EVENT_FACT_OBJECT, /* the lock; of critical constructs the word that they are told apart by
			    */
	EVENT_FACT_FUNCTION, /* code of the region or task                                      */
	EVENT_FACT_TEAM,     /* the number of threads that is asked for; 0: none is              */
	EVENT_FACT_SCHEDULE, /* the runtime's number                                            */
	EVENT_FACT_BEGIN,   /* of the loop or chunk: the first iteration                          */
	EVENT_FACT_END,     /* ...and the first that is no part of it                           */
	EVENT_FACT_CHUNK,   /* size of chunks that is asked for                                */
	EVENT_FACT_SECTION, /* number of the section, from 1 on                                 */
	EVENT_FACT_EXECUTES, /* of single, masked: whether this thread does */
	EVENT_FACT_TASKS,    /* how many tasks, at most                                          */
	EVENT_FACT_DEPENDENCES, /* how many, or 0                                               */
	EVENT_FACT_DEPEND_LIST, /* where they are, for "dependences" of the row                 */
	EVENT_FACT_KIND, /* of cancel, control: the argument                                 */
	NUM_EVENT_FACTS,
};

/* A task waits for those that were made before it and name the same object. */
struct dependence {
	const char *kind; /* "in"; NULL: not known                     */
	uint64_t object;  /* 0: all memory, or it could not be read    */
};

/* What a thread is about to name, where it makes a task or waits for some. */
struct dependences_wish {
	int lwp;
	const struct dependence *items; /* borrowed */
	size_t len;
};

struct memory;

struct event_row {
	enum runtime_event event;
	const char *function; /* what it is called; "*" is any text. Of NEVER: NULL            */
	enum event_when when;
	enum event_caller caller;
	struct event_value test; /* counts only if that is not 0...                         */
	uint32_t bits;           /* ...in those bits; 0: in any                              */
	bool minus;    /* where it is counted, FUNCTION's has one less: another row counts what
			  is none                                             */
	bool omits;    /* "note" says which constructs do not show the event       */
	bool imported; /* it is the C library's, and only code that is the runtime's own counts */
	bool not ;     /* ...only if it is                                        */
	struct event_value facts[NUM_EVENT_FACTS]; /* FUNCTION also says where CODE is           */
	uint8_t schedule; /* enum schedule_kind, if the function's name says it; else 0        */
	const char *note; /* what is to be known of it; NULL: nothing                */
	/*
	 * Reads the dependences that a call passes: the list, and their number as the call tells
	 * it. Fills at most "most", and returns how many there are. NULL: it passes none.
	 */
	uint64_t (*dependences)(struct memory *memory, uint64_t list, uint64_t count,
				struct dependence *ret, size_t most);
};

/* The row behind another one in several tables, each of which ends with a row of zeroes; row NULL:
 * the first. NULL: there are no more. */
const struct event_row *runtime_event_next(const struct event_row *const *tables,
					   const struct event_row *row);

#endif
