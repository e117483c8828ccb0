/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_taskdata: the structures in which LLVM's runtime keeps tasks, read and verified.
 *
 * The layout words of libompd tell where some members are. The others are where kmp.h of LLVM 13 to
 * 19 declares them, next to those. What is read must prove to be what it is taken for:
 *
 *   a task         a tied one points to itself (td_last_tied); sizes, counts and flags make sense
 *   a task team,   each begins, or has at a cache line's start, a lock of the runtime's own, and
 *   a queue,       such a lock (kmp_ticket_lock) holds its own address
 *   a dependence
 *   a team's queues point to the team's threads, in their order
 *
 *   kmp_team -> task team (one of two) -> queues: kmp_thread_data, one for each thread
 *                                      -> queues by priority: a list (LLVM 15 on)
 *   kmp_taskdata -> kmp_depnode -> list of the kmp_depnodes of tasks that wait for it
 *                               -> locks of mutexinoutset, a number that says whether it has them
 */
#ifndef OMPD_LIBOMP_TASKDATA_H
#define OMPD_LIBOMP_TASKDATA_H

#include "ompd/libomp/libomp_symbols.h"
#include "target/process/memory.h"

/* Of a kmp_info_t, that are searched for members of which no word of libompd's tells where they
 * are. */
enum { LIBOMP_INFO_BYTES = 4096 };

/* Where members are, in bytes from the start of their structure. Values of libompd's words. */
struct libomp_task_layout {
	struct memory *memory; /* borrowed */
	taddr table;           /* of threads, by number: pointers to kmp_info_t; 0: not known */
	/* kmp_taskdata_t; kmp_task_t is behind it */
	uint64_t flags, team, parent, icvs, icvs_size, ompt, size;
	uint64_t routine; /* in kmp_task_t */
	/* bits of td_flags */
	uint64_t tied, final, is_explicit, serial, executing, complete, freed;
	/* kmp_info_t */
	uint64_t info, its_team, its_task;
	/* kmp_team_t */
	uint64_t team_base, team_parent, team_size, team_level, team_threads, team_implicit;
};

struct libomp_taskdata {
	taddr address, team, parent;
	taddr function;  /* its first instruction                                */
	taddr shareds;   /* what its creator shares with it                      */
	taddr depnode;   /* 0: it has no dependences                                     */
	uint64_t size;   /* of all that belongs to an explicit task, bytes        */
	int level;       /* tasks around it                                              */
	long unfinished; /* child tasks that have not ended                              */
	bool is_explicit;
	bool deferred;         /* not executed where it was created                           */
	bool executing, ended; /* ended: nothing waits for it any more                        */
	bool detached;         /* its code has ended, its event is not fulfilled               */
};

struct libomp_team {
	taddr address, parent;
	taddr implicit;      /* its implicit tasks, an array                                   */
	taddr threads;       /* an array of pointers                                           */
	taddr task_teams[2]; /* 0: none                                                        */
	int level, size;
};

/* What a kmp_info_t says of its thread. */
struct libomp_thread_tasks {
	taddr team, task, task_team;
};

/* false: the words are not those of a layout that is known. Borrows memory. */
bool libomp_task_layout_read(const struct libomp_symbols *symbols, struct memory *memory,
			     struct libomp_task_layout *ret);
/* Whether what the words say is consistent; part of the above. */
bool libomp_task_layout_fits(const struct libomp_task_layout *l);

/* Each is false for what cannot be read, or is not what it should be. */
bool libomp_taskdata_read(const struct libomp_task_layout *l, taddr at,
			  struct libomp_taskdata *ret);
bool libomp_taskdata_read_team(const struct libomp_task_layout *l, taddr at,
			       struct libomp_team *ret);
bool libomp_taskdata_read_thread(const struct libomp_task_layout *l, taddr info,
				 struct libomp_thread_tasks *ret);

/* The table of what the tasks depend on that a task has made; 0: they depend on nothing. */
bool libomp_taskdata_dephash(const struct libomp_task_layout *l, taddr task, taddr *ret);
/* The task of a kmp_depnode; *ret_there: it has one that has not ended. */
bool libomp_taskdata_of_depnode(const struct libomp_task_layout *l, taddr depnode,
				struct libomp_taskdata *ret, bool *ret_there);

/* A thread's kmp_info_t, by the table of threads; 0: not known. */
taddr libomp_taskdata_info(const struct libomp_task_layout *l, const struct libomp_symbols *symbols,
			   const struct thread *th);
taddr libomp_taskdata_info_of_number(const struct libomp_task_layout *l, int gtid);

/* The task whose event that is. */
bool libomp_taskdata_of_event(const struct libomp_task_layout *l, taddr event,
			      struct libomp_taskdata *ret);

typedef bool libomp_taskdata_found(void *context, const struct libomp_taskdata *task);

/*
 * Calls "found" for each task in the queues of a task team, until it returns false. Returns false
 * if not all could be read: something does not fit, or a thread was just changing it.
 */
bool libomp_taskdata_queued(const struct libomp_task_layout *l, const struct libomp_team *team,
			    taddr task_team, libomp_taskdata_found *found, void *context);

/*
 * The same for tasks that have been in them and have not ended: as far as what was put there later
 * leaves to see.
 */
void libomp_taskdata_passed(const struct libomp_task_layout *l, const struct libomp_team *team,
			    taddr task_team, libomp_taskdata_found *found, void *context);

/* The same for the tasks that wait for one with this kmp_depnode, among others. */
bool libomp_taskdata_successors(const struct libomp_task_layout *l, taddr depnode,
				libomp_taskdata_found *found, void *context);
/* The same for threads that wait for it themselves: what is found are the kmp_depnodes that they
 * have on their stacks. */
bool libomp_taskdata_waiters(const struct libomp_task_layout *l, taddr depnode,
			     bool (*found)(void *context, taddr node), void *context);

/* mutexinoutset: that task has locks while it executes, all that it needs or none; one of those
 * that the other one still needs. */
bool libomp_taskdata_excludes(const struct libomp_task_layout *l, taddr depnode);
bool libomp_taskdata_keeps_out(const struct libomp_task_layout *l, taddr depnode, taddr other);

#endif
