/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Control: a program under the debugger: its file, its process, what stops it, what is selected.
 *
 *   control_new(), control_set_program()   there are names and lines
 *   inferior.h: run, attach, core          there is a process that stands still
 *   resume.h: continue, step, finish, ...  it goes on, and stops: a struct stop_report says why
 *   placing.h: break, watch, catch         what it is to stop for
 *
 * Nothing here prints, and nobody is asked: what is worth telling while the program runs goes to
 * the listener. All stops are all-stop: between two commands every thread stands still.
 */
#ifndef DEBUGGER_CONTROL_H
#define DEBUGGER_CONTROL_H

#include <sys/stat.h>

#include "debugger/control/breakpoint.h"
#include "debugger/control/called.h"
#include "debugger/control/driver.h"
#include "debugger/control/plan.h"
#include "debugger/control/probes.h"
#include "debugger/control/signals.h"
#include "debugger/control/team_file.h"
#include "debugger/control/team_races.h"
#include "debugger/control/threads.h"
#include "debugger/control/wait_mark.h"
#include "debugger/look.h"
#include "debugger/values/eval.h"

/* Of the front end; all of it may be NULL. */
struct control_listener {
	void (*notice)(void *context, const struct notice *n);
	/* The program is about to run (it gets the terminal), or stands still again. */
	void (*runs)(void *context, bool runs);
	/* It has stopped in a function that an expression called. */
	void (*stopped)(void *context, const struct stop_report *r);
	/* Readable when the user wants the program to stop; -1: never. */
	int (*interrupt_fd)(void *context);
	/* Whether so, and it is not any more. */
	bool (*take_interrupt)(void *context);
	/* The same, where the user has told the program itself, which may not listen. */
	int (*heard_fd)(void *context);
	bool (*take_heard)(void *context);
	void *context;
};

/* Which process is debugged on after a fork; auto: whichever maps an OpenMP runtime. */
enum follow { FOLLOW_PARENT, FOLLOW_CHILD, FOLLOW_AUTO };

enum locking { LOCKING_OFF, LOCKING_ON, LOCKING_STEP };
extern const char *const locking_names[]; /* "off", "on", "step" */

/* What step does at a construct of tasks. */
enum omp_step { OMP_STEP_INTO, OMP_STEP_OVER };
extern const char *const omp_step_names[]; /* "into", "over" */

/* How programs are started, and how they go on. Strings are owned; NULL: not set. */
struct control_settings {
	char *args;      /* as typed, for the shell                                        */
	char *directory; /* where it is started; NULL: here                                */
	char *terminal;  /* inferior-tty                                                   */
	char *sysroot, *search_path; /* of core files: struct core_places                   */
	VEC(char *) environment;     /* owned; "NAME=VALUE": instead of ompdb's own, or more    */
	struct {
		char **items;
		size_t len, cap;
	} unset; /* owned; names that it shall not have                            */
	bool no_shell, keep_aslr;
	bool unwinds_signals;   /* a called function that gets a signal is given up          */
	bool calls_nothing;     /* no function of the program is called                      */
	bool calls_anyway;      /* nor refused where that may end the program                */
	bool keeps_terminating; /* one that comes to std::terminate() is not                 */
	bool objects;           /* expressions find members of the class that an object tells */
	bool step_mode;         /* step enters functions without lines                            */
	bool leaves_exec;       /* follow-exec off */
	int follow;      /* a fork: enum follow                                               */
	int language;    /* of expressions: enum scope_language; then C++, which is as C */
	bool keep_forks; /* detach-on-fork off                                             */
	enum locking locking;
	bool no_omp_debug; /* programs are not started with OMP_DEBUG=enabled */
	enum omp_step omp_step;
};

/* A process that stands while another one is selected (forks.h). */
struct kept_process {
	struct session *session; /* owned */
	struct threads threads;  /* owned */
	int number;              /* among the inferiors                                   */
	pid_t pid, selected;     /* selected: LWP of its thread                           */
	bool leaves;             /* maker of a vfork: is let go when its child is through */
};

/* Detaches or kills it. */
void kept_process_fini(struct kept_process *p);

/* A resolver that is watched, by points at its entry and, while it runs, where it returns to. */
struct chooser {
	taddr resolver;
	unsigned int entry, back; /* back 0: nobody is in it */
};

/* One that runs until it is known whether it is the one to be debugged (candidates.h). */
struct candidate {
	struct session *session; /* owned */
	unsigned int loader_point;
};

/* The thread whose stitched stack the selected frame is on. */
struct stitched_selection {
	pid_t lwp;     /* 0: the selected frame is one of the thread's own            */
	size_t hidden; /* of that thread                                              */
	size_t number; /* of the selected frame on its stack                          */
};

/* For commands that select something else for a while. */
struct control_selection {
	pid_t lwp;
	size_t level, hidden;
	struct stitched_selection stitched;
};

struct control {
	struct session_options options; /* what it points to is borrowed                    */
	struct control_settings settings;
	struct control_listener listener;
	char *program;            /* owned; path of the program; NULL: none              */
	struct stat program_then; /* its file, when it was read                       */
	struct session *file;     /* owned; over the program file; NULL: none            */
	struct session *live;     /* owned; over a process or core file; NULL: none      */
	bool runs;                /* "live" can run: it is no core file                  */
	bool attached;            /* it was there before us: it is let go at the end     */
	struct breakpoints breakpoints;
	struct threads threads;
	struct signals signals;
	struct convenience *values; /* owned; $name and the history                  */
	struct frames frames;       /* of the selected thread                              */
	size_t level;               /* the selected frame of it                            */
	pid_t selected;             /* LWP of the selected thread; 0: none                 */
	struct stitched_selection stitched;
	pid_t pid;                   /* of the process; 0: none                            */
	int inferior, last_inferior; /* its number; the last one that was given            */
	/* Calls functions of the program for expressions: call.h. NULL: nobody does.         */
	struct error *(*call)(void *control, const struct scope *s, const struct eval_call *call,
			      struct value *ret);
	VEC(struct kept_process) kept;    /* owned, and what they own                         */
	VEC(struct candidate) candidates; /* owned; private to candidates.c                */

	/* Private to resume.c and what is below it. */
	struct {
		pid_t child, maker; /* child 0: none is waiting for what becomes of it     */
		bool vfork;
	} fork;
	struct plan plan;
	const struct driver *driver; /* borrowed, while a command lasts; NULL: the plan alone */
	unsigned int next_point;
	bool stands;              /* all threads do                                      */
	int64_t ran_at, stood_at; /* when it was last let go, and stood: CLOCK_MONOTONIC, us  */
	struct called_list called;
	bool call_stays; /* a called function has not returned: what called it is given up    */
	VEC(struct event) deferred; /* told while a function was called, by threads that are held */
	struct {
		pid_t lwp;
		taddr sp, kept; /* what was put on that thread's stack lies above "kept"      */
	} call_texts;
	bool rests;                   /* job control has stopped it: it needs a SIGCONT      */
	unsigned int loader_point;    /* 0: none                                             */
	VEC(struct chooser) choosers; /* ifuncs.h                                         */
	struct probes *probes;        /* owned                                            */
	unsigned long modules_seen;
	struct {
		struct wait_marks marks; /* owned; of the looks so far                     */
		int pause, kept; /* ms until the next one; without one that comes soon     */
		uint64_t used;   /* CPU time of the plan's thread, at the last one; in ns   */
	} hang;                  /* of hang.h                                       */
	int64_t patient_until;   /* the program was told to stop by then, in us; 0: it was not */
	pid_t given;             /* LWP of the thread that the user has given a signal; 0: none  */
	int stopped_by;          /* the first breakpoint that the last stop was for; 0: none */
	enum report_kind stopped_for; /* the last stop                                    */
	int stop_signal;              /* of it; 0: none                                   */
	struct order_record order;    /* owned; in which a team was run last               */
	struct {
		void *team;           /* owned; of team_step.h, as long as nobody has run; NULL */
		void (*free)(void *); /* frees it                                          */
		unsigned long then;   /* changes of the target, when it was found       */
	} kept_team;
	struct races races; /* owned; what was watched, of this process          */
	struct {
		char **items;
		size_t len, cap;
	} skips; /* owned; functions and "file:..." that step passes by */
};

/* options: what it points to is borrowed. NULL: out of memory. */
struct control *control_new(const struct session_options *options);
/* Lets go of what was attached to, kills what was started. NULL is fine. */
void control_free(struct control *c);
CLEANUP(control, struct control)
#define AUTO_CONTROL AUTO(control_cleanup) struct control

/* The program that run starts, and whose names are known without a process. Searched in PATH if
 * there is no slash in it and no such file here. */
MUST_CHECK struct error *control_set_program(struct control *c, const char *path);

/* The file of a program, as control_set_program() finds it; the caller's. NULL: there is none. */
char *control_find_program(const char *path);

/* Its file is another one by now, or has been written to since. */
bool control_program_has_changed(const struct control *c);

/* The process, the core file, or the program file; NULL: there is nothing. */
struct session *control_session(const struct control *c);
/* The same. USAGE: there is nothing. */
MUST_CHECK struct error *control_need_session(const struct control *c, struct session **ret);
/* There is a process that can be told to go on. */
bool control_is_live(const struct control *c);
/* For whoever asks next: others may have changed source files, and memory that they share with the
 * process. */
void control_look_anew(struct control *c);
/* USAGE: "The program is not being run." */
MUST_CHECK struct error *control_need_live(const struct control *c);
/* USAGE: "No stack.": neither a process nor a core file. */
MUST_CHECK struct error *control_need_stack(const struct control *c);

/* All of the program as it stands now, with its names; *ret is the caller's, also on failure. */
MUST_CHECK struct error *control_look(struct control *c, const struct snapshot_options *options,
				      struct look *ret);

/* The selected frame; without one, a scope without a thread. USAGE: there is not even a program. */
MUST_CHECK struct error *control_scope(struct control *c, struct scope *ret);
/* To evaluate expressions in. Borrows both. */
struct eval_context control_evaluator(struct control *c, const struct scope *s);
/* $_thread and its like are those of a thread from now on; control_scope(): of the selected one. */
void control_tell_values(const struct control *c, pid_t lwp);

/* Selects a thread by its number, its innermost frame; or a frame of the selected thread. */
MUST_CHECK struct error *control_select_thread(struct control *c, int number);
MUST_CHECK struct error *control_select_frame(struct control *c, size_t level);
struct thread *control_selected_thread(const struct control *c);
/* For commands that look at a thread: selects one by LWP, hiding so many inlined levels. */
void control_select_lwp(struct control *c, pid_t lwp, size_t hidden);
/* What is selected; selects that again, if nobody has run. */
struct control_selection control_selection(const struct control *c);
void control_select_again(struct control *c, const struct control_selection *before);

/* What the selected frame means to linespecs; and what breakpoints need, without that. */
struct linespec_context control_linespecs(struct control *c);
struct breakpoint_context control_breakpoints(struct control *c);
struct plan_context control_plans(struct control *c);
struct probe_context control_probes(struct control *c);

/* Where the selected frame stands, as stop lines show it; kind STOPPED_STANDS. */
MUST_CHECK struct error *control_report(struct control *c, struct stop_report *ret);

/* What steps of a team have kept. */
void control_forget_team(struct control *c);

/* Tells the listener. */
void control_notice(const struct control *c, const struct notice *n);
void control_warn(const struct control *c, struct error *err);

/* "=": of the settings; takes "NAME=VALUE" or "NAME". */
MUST_CHECK struct error *control_set_environment(struct control *c, const char *text);
MUST_CHECK struct error *control_unset_environment(struct control *c, const char *name);

#endif
