/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Picture: all OpenMP state of a target at one stop, as plain C.
 *
 * Whatever shows OpenMP state reads the picture and nothing else, so each fact looks the same
 * everywhere. Each says where it comes from. Threads, regions and tasks refer to each other by
 * their index, -1 where there is none or it is not known. Strings are as they are in the target,
 * unescaped.
 *
 * It is filled in two steps, as stacks are: walk.h, while the target stands still, fills in
 * everything but names; picture_name() fills in struct place.
 */
#ifndef OMPD_PICTURE_H
#define OMPD_PICTURE_H

#include <sys/types.h>

#include "ompd/picture/crash.h"
#include "ompd/picture/loop.h"
#include "ompd/picture/spans.h"
#include "ompd/picture/wait_kind.h"
#include "target/code/fixed_loop.h"
#include "target/symbols/symbol.h"

/* Frames of the user's code, from the inside out: names_find() finds that whose source is the
 * program's, and not a library's. */
enum { SITES_MAX = 16 };
struct sites {
	taddr pcs[SITES_MAX];
	size_t len;
};

/* Where a fact comes from. */
enum fact_source {
	SOURCE_NONE,     /* it is not known                                              */
	SOURCE_OMPD,     /* the OMPD library said so                                     */
	SOURCE_MEMORY,   /* from structures of the runtime or of libc that ompdb knows  */
	SOURCE_INFERRED, /* from stacks, call sites, addresses waited at                */
};

/* A place in the program. From names_find() on, except for pc. */
struct place {
	taddr pc;             /* 0: no place; an instruction in it, not a return address     */
	bool somewhere;       /* in the function around pc: where is not known              */
	const char *function; /* as its programmer called it, constructs taken off: "work"; NULL:
				 unknown */
	const char *file;     /* full path as the compiler recorded it; NULL: unknown       */
	int line;             /* 0: unknown                                                 */
	const char *code;     /* "app+0x11d7", if no file is known; NULL  */
};

/* There is something to say of it. */
static inline bool place_is_known(const struct place *p)
{
	return p->file || p->function || p->code;
}

/* They are in one line, or, where no lines are known, the same instruction. */
bool place_shares_line(const struct place *a, const struct place *b);
/* ...and in one function: all that is said of both is the same. */
bool place_is_same(const struct place *a, const struct place *b);

struct picture_runtime {
	const char *name; /* "libgomp"; a constant                                      */
	char *path;       /* owned                                                       */
	char *version;    /* owned; "GCC 12"; NULL: unknown */
	char *status;     /* owned; a clause: "layout of GCC 12", "stripped: symbols recovered",
			     "not initialised yet"                                       */
	bool version_of_compiler; /* version is that of the compiler that it came with      */
	char *provider; /* owned; path of the OMPD library, "built in"; NULL: none, status says why
			 */
	bool answers;   /* the provider can be asked: numbers, levels and tasks are known      */
	bool lists_tasks; /* all tasks that have not ended are in the picture                 */
	bool detaches;    /* the program calls what detachable tasks need: there may be some    */
};

enum thread_role {
	ROLE_NONE,    /* the runtimes do not know it                            */
	ROLE_INITIAL, /* began the program, in no region                        */
	ROLE_FOREIGN, /* made by the program, has used OpenMP, in no region     */
	ROLE_PRIMARY, /* number 0 of its team                                   */
	ROLE_WORKER,
	ROLE_HELPER, /* hidden: the runtime's own, in no team of the program's, executes a
			target task                                                   */
	ROLE_IDLE,   /* a worker without a team, kept for the next region      */
	NUM_ROLES,
};

/* Why it stays where it is when the program goes on, by the user's wish. */
enum thread_held { NOT_HELD, HELD_BY_HOLD, HELD_BY_LOCKING, NUM_HELD };

struct picture_wait {
	enum wait_kind kind;
	enum wait_kind in_source; /* what the source tells of a barrier whose kind nothing else
				     tells, from names_find() on; NONE: nothing */
	enum fact_source source;
	bool spinning; /* polls instead of sleeping                               */
	bool sleeps;   /* after it has polled for a while: its runtime has it so            */
	bool over;     /* by what the runtime keeps: it can go on, and has not seen it yet      */
	bool no_tasks; /* are left to do at a barrier to which all have come: by its runtime  */
	bool limited;  /* it sleeps until a time at most                                  */
	bool settled;  /* it sleeps in the kernel, for what has not changed since: it cannot be
			  about to go on by itself                                       */
	taddr object;  /* lock, barrier, mutex... in memory; of WAIT_MEMORY the instruction that
			  looks; 0: none, unknown                                        */
	taddr looks_at[FIXED_LOOP_READS]; /* of WAIT_MEMORY, as far as it is known         */
	size_t nlooks_at; /* 0: what is there may let it go on                             */
	bool shared;      /* it looks at memory that other processes may have, too         */
	uint64_t values;  /* a hash of what is there; 0: not known                           */
	char *name;       /* owned; what WAIT_* says, or of the object: "lock", "stdin"; NULL */
	char *variable; /* owned; what the source calls a mutex, whose name is a function's; NULL */
	const char *api; /* the runtime's entry that was called: "GOMP_barrier"; borrowed; NULL */
	const struct runtime_entry *entry; /* what that does; NULL: no entry is known */
	int fd;     /* WAIT_SYSCALL: file descriptor; -1: none                     */
	int holder; /* thread that holds it, or whose turn it is; -1: unknown       */
	enum fact_source
		holder_source; /* MEMORY: recorded. INFERRED: by the code around its frames */
	int hold;              /* of the holder's, in holds; -1: not known where it took it */
	size_t candidate;      /* where its holder is not known: the first of ...            */
	size_t ncandidates;    /* ... those of the picture's candidates, one of which it is   */
	long arrived, total;   /* of a barrier; total 0: unknown                            */
	bool counted;          /* by the runtime: stacks may say something else meanwhile     */
	struct place place;    /* of the construct or call in the user's code               */
	struct sites sites;    /* where it is one of them; none while it is in a runtime   */
};

/* What a span of a thread's stack belongs to. A span may end a task and a region: the task is
 * inside. */
struct picture_border {
	int task;    /* that the user's frames further in belong to; -1: none, or not known   */
	int region;  /* that begins here, seen from outside; -1: none, or not known */
	bool begins; /* one that is not there yet, or not any more */
	enum fact_source source;
};

struct picture_thread {
	pid_t lwp;
	int runtime; /* -1: none knows it                                      */
	enum thread_role role;
	enum fact_source source; /* of role, number and region                             */
	int region;              /* innermost region that it is in; -1: none               */
	long number;             /* in the region; -1: unknown                             */
	int task;                /* that it executes; -1: unknown                          */
	bool around_task;        /* the runtime is about to call its code, or has done so  */
	enum thread_held held;   /* whoever looks at a program that is run notes it             */
	struct picture_wait wait;
	uint64_t footprint;             /* if it spins: differs when it has gone on; 0: unknown */
	struct spans spans;             /* of its raw stack                            */
	struct picture_border *borders; /* owned; one for each of them                 */
};

struct picture_region {
	int parent; /* enclosing region; -1: none                              */
	int runtime;
	int level;     /* of nesting, from 1 on; serialised regions count           */
	long size;     /* threads of the team; 0: unknown                          */
	bool active;   /* more than one thread                                    */
	bool league;   /* of a teams construct                                    */
	bool doubtful; /* its id is new, and yet it may have been seen before      */
	enum fact_source source;
	int primary;           /* its thread; -1: unknown                                 */
	VEC(int) members;      /* threads by number; -1: not found                        */
	taddr function;        /* outlined; 0: unknown                                    */
	taddr handle;          /* the runtime's own address for it; 0: unknown             */
	long generation;       /* rises with each barrier that its team has passed; -1: unknown */
	const char *construct; /* "parallel for", from names_find() on; borrowed; NULL: unknown */
	struct place place;    /* of the construct                                        */
};

enum task_kind { TASK_IMPLICIT, TASK_EXPLICIT, TASK_UNDEFERRED, NUM_TASK_KINDS };
enum task_state {
	TASK_RUNNING,
	TASK_SUSPENDED, /* its thread executes another one meanwhile           */
	TASK_QUEUED,
	TASK_BLOCKED,  /* by dependences                                       */
	TASK_DETACHED, /* its code has ended, its event is not fulfilled       */
	TASK_STATE_UNKNOWN,
	NUM_TASK_STATES,
};

struct picture_task {
	enum task_kind kind;
	enum task_state state;
	enum fact_source source;
	int region;     /* innermost region that it belongs to                     */
	int creator;    /* task; -1: unknown, or it has ended                      */
	int thread;     /* that executes it, or began to; -1: none                 */
	taddr function; /* outlined; 0: unknown                                    */
	taddr handle;
	taddr arguments;       /* what its code is passed: by gcc .omp_data_i, by LLVM the shared
				  variables' addresses; 0: unknown, or nothing               */
	taddr block;           /* LLVM's kmp_task_t, behind which its own copies are; 0: none */
	uint64_t block_size;   /* of it, those and what "arguments" points to              */
	const char *construct; /* "taskloop", from names_find() on; borrowed; NULL: unknown */
	VEC(int) waits_for;    /* tasks                                                   */
	long unfinished;       /* child tasks that have not ended; -1: unknown             */
	bool waits;            /* in taskwait, taskgroup or for dependences               */
	bool deferred;         /* for certain: the runtime calls its code                 */
	bool doubtful;         /* its id is new, and yet it may have been seen before      */
	struct place place;    /* of the construct                                        */
};

/*
 * A lock or critical construct that a thread has taken and not given back, as the code around its
 * frames tells. Only looked for where some thread waits for one, or if asked for. Of those with one
 * "object" at most one is real, if it is held at all.
 */
struct picture_hold {
	int thread;
	enum wait_kind kind; /* CRITICAL, LOCK, NEST_LOCK                                */
	taddr object;        /* 0: not known which one                                   */
	char *name;          /* owned; as of a wait, from names_find() on                  */
	bool always;         /* on every path through the code; else on some             */
	struct place place;  /* of the call that took it                                 */
};

/*
 * A call that takes a lock in a function that can return without giving it back. Only looked for
 * where somebody waits for a lock or critical construct and nobody is found to hold it.
 */
struct picture_leak {
	enum wait_kind kind; /* as of a hold                                             */
	taddr object;        /* 0: not known, or not always the same                     */
	bool always;         /* on every way out: as functions do that are made to take it   */
	bool thrown;         /* only if an exception leaves the function                      */
	struct place place;  /* of the call, in the function that it was left behind by       */
};

/*
 * A task that nobody has begun, and that gives back a lock which it has not taken: the lock is a
 * signal. Only looked for where somebody waits for a lock.
 */
struct picture_giver {
	enum wait_kind kind; /* as of a hold */
	taddr object;
	int task;
};

/* A loop or sections that a thread is in, in one of its regions. Only looked for if asked for. */
struct picture_loop {
	int thread;
	int region;      /* whose threads share it; -1: none, or not known                      */
	long number;     /* of the thread in that region; -1: not known                        */
	bool in_task;    /* an explicit task has called the frames                             */
	size_t frame;    /* raw frame of the user's code that is in it                          */
	size_t end;      /* behind the last frame of that region                                */
	const char *api; /* borrowed; the call that the facts are by; NULL: there is none, the
			    frame is one of those in which there may be a loop             */
	taddr site;      /* an address in that call; 0: there is none                       */
	struct loop_facts facts;
};

/* How the program has ended, or is about to; cause NOT: it does not. */
struct picture_crash {
	enum crash_cause cause;
	int thread, signal;
	taddr address;       /* that was used; 0: none, or not known         */
	bool handled;        /* it stands in a handler of the signal          */
	bool first_stack;    /* STACK: that of the program's first thread       */
	uint64_t stack_size; /* STACK: bytes, a few of them not counted         */
	size_t calls;        /* STACK: frames on it                            */
	uint64_t frame_size; /* STACK: bytes of the last of them; 0: a few             */
	bool deeper;         /* STACK: it has more, which were not followed                       */
	char *message;       /* owned; ABORT: of the C library or a runtime; EXCEPTION: the
				name of its type, as linkers have it; NULL: unknown */
	const char *by;      /* ABORT: the runtime that called it; NULL: none of them   */
	struct sites sites;
	struct place place; /* one of them */
};

/*
 * A lock that the runtime keeps by number, which is all that the program's memory has of it. Only
 * looked for if asked for.
 */
struct picture_lock {
	uint32_t word; /* what the lock in the program's memory begins with           */
	enum lock_state state;
	int thread; /* that holds it; -1: not known, or none                       */
	long count; /* how often that has taken it; 0: not known                   */
};

enum icv_scope { ICV_PROCESS, ICV_THREAD, ICV_REGION, ICV_TASK, NUM_ICV_SCOPES };

struct picture_icv {
	char *name;  /* owned; "levels-var"                                       */
	char *value; /* owned                                                     */
	int runtime;
	enum icv_scope scope;
	int of; /* thread, region or task; -1: the process                   */
};

struct picture {
	VEC(struct picture_runtime) runtimes;
	VEC(struct picture_thread) threads; /* in the order of lwp_rank(): as in the target */
	VEC(struct picture_region)
	regions;                        /* a parent before its children; in the order of
					   their primary threads. Team T in "T.N" is the index  */
	VEC(struct picture_task) tasks; /* a creator before what it created              */
	VEC(struct picture_hold) holds; /* in the order of threads                       */
	bool holds_complete; /* all code was understood: what is not in holds is not held       */
	VEC(int) candidates; /* holds: one of several threads has what another one waits for   */
	VEC(struct picture_leak) leaks;
	VEC(struct picture_giver) givers;
	VEC(struct picture_loop) loops; /* only if asked for; by thread, from the inside out */
	VEC(struct picture_icv) icvs;   /* only if asked for                             */
	VEC(struct picture_lock) locks; /* only if asked for */
	struct ints
		predecessors; /* only if asked for: tasks that are to end before another begins */
	bool predecessors_known; /* these are all of them                                  */
	struct picture_crash crash;
	VEC(char *) notes;              /* owned; sentences: what is missing, and the remedy   */
	VEC(char *) contradictions;     /* owned; lines; only if a library is to be checked  */
	VEC(char *) names;              /* owned; private: of functions                   */
	VEC(long) region_ids, task_ids; /* what users call them; empty: by their indices    */
	struct runtime_list code;       /* private: owns names that are borrowed above      */
};

void picture_fini(struct picture *p);

/* By index; NULL for -1, and for any other that is not in the picture. */
static inline struct picture_thread *picture_thread(const struct picture *p, int i)
{
	return (size_t)i < p->threads.len ? &p->threads.items[i] : NULL;
}

static inline struct picture_region *picture_region(const struct picture *p, int i)
{
	return (size_t)i < p->regions.len ? &p->regions.items[i] : NULL;
}

/* The thread of one of a wait's candidates, from 0 on. */
static inline int picture_candidate(const struct picture *p, const struct picture_wait *w, size_t i)
{
	return p->holds.items[p->candidates.items[w->candidate + i]].thread;
}

static inline struct picture_task *picture_task(const struct picture *p, int i)
{
	return (size_t)i < p->tasks.len ? &p->tasks.items[i] : NULL;
}

/* What users call it: T of the thread T.N; -1: there is none. */
long picture_region_id(const struct picture *p, int region);
long picture_task_id(const struct picture *p, int task);
/* The index of what they call so; -1: there is none. */
int picture_region_by_id(const struct picture *p, long id);
int picture_task_by_id(const struct picture *p, long id);
/* The thread T.N; -1: there is none. */
int picture_member_by_id(const struct picture *p, long team, long number);

/*
 * The thread that began a region has number *ret_number in team *ret_team, the enclosing one, as
 * users call it. false: there is no enclosing one, or that is not known.
 */
bool picture_starter(const struct picture *p, int region, long *ret_team, size_t *ret_number);

/* Team and number of the thread are known. NULL: they are not. */
static inline bool picture_is_numbered(const struct picture_thread *t)
{
	return t && t->region >= 0 && t->number >= 0;
}

/* "0.3": team and number, which must be known. */
void picture_add_thread_name(struct buf *out, const struct picture *p, int thread);

/* As precisely as it is known. */
static inline enum wait_kind picture_wait_kind(const struct picture_wait *w)
{
	return w->in_source ? w->in_source : w->kind;
}

/* Words for tables: "explicit barrier", "worker", "ompd", "queued", "task". */
static inline const char *picture_wait_name(const struct picture_wait *w)
{
	return wait_kind_traits(picture_wait_kind(w))->name;
}
const char *picture_role_name(enum thread_role role);
const char *picture_source_name(enum fact_source source);
const char *picture_task_kind_name(enum task_kind kind);
const char *picture_task_state_name(enum task_state state);

#endif
