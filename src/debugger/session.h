/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Session: a target, and what is known of it over all its stops.
 *
 *   session_open()                     finds it
 *   target_visit(): snapshot_take()    again while not target_is_whole(): see look.h
 *   snapshot_name()                    names can be looked up while it runs
 *   target_visit(): snapshot_take()    the next stop finds out only what is new
 *
 * What hangs on modules (files, symbols, unwind tables, OMPD sessions) lives as long as they are
 * mapped; see module.h. A snapshot borrows the session until the next one is taken.
 */
#ifndef DEBUGGER_SESSION_H
#define DEBUGGER_SESSION_H

#include "base/source.h"
#include "debugger/lock_list.h"
#include "debugger/omp_ids.h"
#include "target/code/unwind.h"
#include "target/symbols/symbol.h"
#include "target/symbols/variables.h"

struct session_options {
	struct debuginfo_options debuginfo;
	const char *ompd_library; /* for libomp; named by the user; borrowed; NULL: search */
	const struct source_paths *source_paths; /* borrowed; NULL: none */
	struct session
		*model;    /* borrowed, outlives it; what it knows of files goes over, if they are
			      opened with the same rights; NULL: none (snapshot_prepare()) */
	struct gate *gate; /* borrowed; of the first look (gate.h); NULL: it waits for nobody */
	bool lasting_ids;  /* regions and tasks have the same from stop to stop (omp_ids.h) */
};

struct session {
	struct target *target;        /* owned                                    */
	struct module_list *modules;  /* owned; of the last stop looked at        */
	struct debuginfo_set *files;  /* owned                                    */
	struct unwinder *unwinder;    /* owned                                    */
	struct symbol_table *symbols; /* owned                                   */
	struct variables *variables;  /* owned; types and variables              */
	struct source_cache *sources; /* owned; borrows the target's root        */
	const char *ompd_library;     /* borrowed                                */
	struct omp_ids *ids;          /* owned; NULL: regions and tasks have their indices  */
	struct lock_list *locks;      /* owned; values/locks.h; NULL: not looked for           */
	unsigned long locks_then;     /* changes of the target, when they were            */
	struct call_sites *calls;     /* owned; session_calls(); NULL: not asked                 */
	unsigned long calls_then;     /* changes of the target, when they were read            */
	struct construct_memo *constructs; /* owned; control/construct_lines.c; NULL: not asked  */
	const struct picture *picture;     /* borrowed; of the snapshot that is being taken, for
					      what is found out meanwhile; NULL: there is none */
};

/*
 * Opens a target by its name, a process id or the path of a core file. exe: the
 * program that a core file is of; NULL: it says so itself. NOT_FOUND, USAGE: the name makes no
 * sense; else as live_open() and core_open().
 */
MUST_CHECK struct error *session_open(const char *name, const char *exe,
				      const struct session_options *options, struct session **ret);

/* NOT_FOUND, of a name that is the number of no process. */
struct error *session_no_process(const char *name);

/* Takes the target, also on failure, which is lack of memory. */
MUST_CHECK struct error *session_new(struct target *t, const struct session_options *options,
				     struct session **ret);
void session_free(struct session *s);
CLEANUP(session, struct session)
#define AUTO_SESSION AUTO(session_cleanup) struct session

/* What calls in the target as it is by now did. NULL: out of memory. */
struct call_sites *session_calls(struct session *s);

#endif
