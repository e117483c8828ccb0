/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stop_report: why a program has stopped, to whom it happened, and where. Plain data, for all front
 * ends; it stays valid while the program runs on.
 */
#ifndef DEBUGGER_STOP_REPORT_H
#define DEBUGGER_STOP_REPORT_H

#include "base/buf.h"
#include "debugger/values/value.h"
#include "ompd/outlined.h"
#include "ompd/picture/runtime_event.h"
#include "ompd/picture/wait_kind.h"
#include "target/cpu/arch.h"

#include <sys/types.h>

#include "target/symbols/type.h"

enum report_kind {
	STOPPED_NOTHING,     /* nothing has run                                             */
	STOPPED_STANDS,      /* it stands here: after attach, starti                        */
	STOPPED_BREAKPOINT,  /* "number"                                                    */
	STOPPED_WATCHPOINT,  /* "number", changes                                           */
	STOPPED_SCOPE_END,   /* the watchpoint "number" is gone with its local variable     */
	STOPPED_CATCHPOINT,  /* "number", "text" says what: "forked process 4711"           */
	STOPPED_STEPPED,     /* step, next, stepi, nexti: done                              */
	STOPPED_FINISHED,    /* finish: the function has returned                           */
	STOPPED_REACHED,     /* until, advance: it is there                                 */
	STOPPED_CORE,        /* here, for ever: a core file; "signal", 0: none, has ended it */
	STOPPED_SIGNAL,      /* "signal" is about to be delivered                           */
	STOPPED_INTERRUPTED, /* the user's wish                                             */
	STOPPED_EXITED,      /* exit status "value"; -1: nobody knows                       */
	STOPPED_KILLED,      /* by "signal"                                                 */
	STOPPED_LEFT,        /* it executes "text", and is let go: follow-exec off           */
	STOPPED_STUCK,       /* nobody can go on, or not who steps; "text" is the verdict   */
	STOPPED_TEAM,        /* of a command for a team; "text" says what has come of it      */
	STOPPED_CALL_ENDED,  /* a function that the user called is through; "value": how     */
};

/* How a function ends that the user has called. */
enum call_end {
	CALL_RETURNED,
	CALL_JUMPED,     /* by longjmp(), to a frame that was there before                 */
	CALL_TERMINATES, /* an exception that nobody catches                               */
};

/* A place in the source as a stop line shows it. */
struct report_place {
	taddr pc;
	char *function; /* owned, shown name; of a construct: of the function around it; NULL:
			   unknown */
	char *outlined; /* owned, the compiler's name for code of a construct; NULL: it is of none
			 */
	char *file;     /* owned, full path; NULL: no lines are known                     */
	char *module;   /* owned, path; NULL: no file is mapped there                     */
	int line;       /* 0: unknown                                                     */
	bool known;     /* else there is no frame                                          */
	bool made;      /* by the debugger, for a call: nothing else of it        */
	bool signal;    /* the kernel has called a signal's handler from here: nothing else of it */
	bool mid_line;  /* pc is not where the line begins: the address is shown, too     */
};

void report_place_fini(struct report_place *p);

/* A watchpoint that was hit. */
struct report_watch {
	int number;
	char *expression; /* owned; as the user wrote it                              */
	bool has_old;     /* the value was another one before                         */
	pid_t others[POINT_OTHERS_MAX]; /* that have written there at the same time; some of them */
	size_t nothers;
	bool accessed, read_only; /* for accesses; for reads alone                            */
	struct value was, is;     /* type NULL: none; until the process ends                  */
	pid_t copy;               /* of "-team": whose copy; 0: there is one for all          */
	char *whose;              /* owned; that thread's name, "0.2"; NULL: not known        */
};

/* A critical construct or lock that the thread is in. */
struct report_hold {
	enum wait_kind kind;
	taddr object; /* 0: not known, or it has none                             */
	bool always;  /* by the code around its frames it is certain              */
	char *name;   /* owned; NULL: none                                        */
	char *file;   /* owned; full path of where it took it; NULL: not known    */
	int line;
};

/* An event of OpenMP. */
struct report_event {
	const char *name; /* "task-create"; NULL: there is none                             */
	uint32_t known;   /* bit 1 << fact                                                  */
	uint64_t facts[NUM_EVENT_FACTS];
	char *file; /* owned; where the code begins that it is about; NULL: unknown     */
	int line;
	char *object;      /* owned; what the source calls its object: "ledger"; NULL: unknown */
	char *schedule;    /* owned; of the loop: "dynamic, 4"; NULL: unknown                  */
	char *dependences; /* owned; of the task: "in total, out 0x1234"; NULL: unknown, or none */
	VEC(long) awaited; /* owned; tasks that are to end before                             */
	bool awaits_known; /* these are all of them                                           */
	struct source_place left; /* borrowed; where its thread jumped on; pc 0: it has not   */
};

void report_event_fini(struct report_event *e);
/* What a step tells of the construct that it has entered or left. */
enum construct_told {
	TOLD_NOTHING,
	TOLD_TASK,         /* it has entered a task: who has made it, who executes it         */
	TOLD_NO_STATEMENT, /* the thread has come to no statement of it                       */
	TOLD_PART_OVER,    /* its thread's part of a region is: it is where another goes on   */
	TOLD_MOVED,        /* another thread executes the next part of an untied task       */
	TOLD_CREATOR,      /* finish -creator: another thread is where it has waited for the task */
	TOLD_NOT_WAITED,   /* finish -creator: nobody has                                   */
	TOLD_NOT_EXECUTED, /* the task that it was to enter was not                           */
	TOLD_NOT_FOLLOWED, /* it could not be: how its runtime copies what it is passed is unknown
			    */
};

enum { THREAD_NAME_MAX = 48 };

struct report_construct {
	enum construct_told told;
	char *file; /* owned; where the step began: at the construct; NULL: not known */
	int line;
	char by[THREAD_NAME_MAX];  /* TASK: who made it; PART_OVER: whose part; "": not known   */
	char now[THREAD_NAME_MAX]; /* TASK: who executes it; PART_OVER: who goes on            */
};

struct stop_report {
	enum report_kind kind;
	pid_t pid, lwp;
	int inferior; /* number of the process                                      */
	int thread;   /* its number                                                   */
	long region;  /* of OpenMP, in which it is; -1: not known                      */
	long team_number, team_size; /* in the team; its size, 0: in none                  */
	bool many;      /* the program has, or has had, more than one                   */
	bool ranked;    /* it is told as of a rank of a job: format_stop.h                     */
	bool switched;  /* another thread than the one selected before                  */
	int number;     /* of the breakpoint...                                         */
	int location;   /* ...and its location, if it has several; else 0               */
	bool temporary; /* it is gone with this stop                                    */
	int signal;
	long value;       /* exit status                                                  */
	char *text;       /* owned                                                        */
	bool library;     /* text is of libraries: "loaded a.so"                          */
	char *expression; /* owned; of a watchpoint, as the user wrote it                 */
	bool hardware;    /* breakpoint by debug register                                 */
	struct report_event event; /* of a catchpoint                                     */
	size_t level; /* of the frame that is shown: those further in are a runtime's      */
	VEC(struct report_watch) watches; /* owned; that were hit, in their order               */
	bool team;                     /* one of them is for a team: what is held is looked for */
	VEC(struct report_hold) holds; /* owned; of the thread that stops it                 */
	bool holds_complete;           /* all code was understood: it holds nothing else    */
	bool new_frame; /* the place is told in full; else the source line is enough     */
	struct report_place place;
	struct report_construct construct;
	char *given_up;   /* owned; which step was given up for this; NULL: none          */
	size_t result;    /* finish: what it returned is in the history under that number; 0: not */
	char *commands;   /* owned; of the breakpoints that were hit, lines; NULL: none */
	struct ints hits; /* all breakpoints that stop it here, by number                  */
};
void stop_report_fini(struct stop_report *r);
#define AUTO_STOP_REPORT AUTO(stop_report_fini) struct stop_report

/* The process is gone, or nobody's. */
static inline bool stop_report_is_end(const struct stop_report *r)
{
	return r->kind == STOPPED_EXITED || r->kind == STOPPED_KILLED || r->kind == STOPPED_LEFT;
}

/* What is worth telling while the program goes on. */
enum notice_kind {
	NOTICE_THREAD_NEW, /* "lwp"                                                    */
	NOTICE_THREAD_END, /* "lwp"                                                    */
	NOTICE_SIGNAL,     /* "number" was received, and stops nobody                  */
	NOTICE_PRINT,      /* "text": of a dprintf                                     */
	NOTICE_FORK,       /* "lwp" made process "number", which is let go             */
	NOTICE_FOLLOWED,   /* process "lwp" made process "number", now "inferior"      */
	NOTICE_CHOSEN,   /* process "number", now "inferior", which executes "text", is debugged */
	NOTICE_LEFT,     /* process "number", "inferior", is let go after "text"     */
	NOTICE_RELEASED, /* the same, a vfork's maker: after its child's "text"      */
	NOTICE_INFERIOR_NEW, /* process "number" is kept as "inferior"                 */
	NOTICE_RESTS,        /* job control has stopped process "lwp" by signal "number" */
	NOTICE_EXEC,         /* "lwp" executes "text"                                    */
	NOTICE_RESOLVED,     /* breakpoint "number" was pending, and has a place now     */
	NOTICE_TEAM,         /* "text": what a command for a team does                   */
	NOTICE_WARNING,      /* "text"                                                   */
};

struct notice {
	enum notice_kind kind;
	pid_t lwp;
	int thread, inferior;
	int number;
	const char *text; /* borrowed; NULL: none */
};

#endif
