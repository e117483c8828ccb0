/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Openmp: one runtime's OMPD session: the library that explains it, and what it answers.
 *
 * A session hangs on the runtime's module and lives as long as that is mapped: the library is
 * loaded and asked to read the runtime once. What is true for one stop only, threads and the
 * handles that the library gives, lives from openmp_begin() to openmp_end().
 *
 * A session without a library, or whose library cannot read this runtime, is a session too: it
 * answers nothing, and its status says why.
 *
 * Answers are guarded: libompd reads freed or foreign memory when it is asked about a thread
 * that the runtime does not know, so it is not asked.
 */
#ifndef OMPD_OPENMP_H
#define OMPD_OPENMP_H

#include "ompd/client/callbacks.h"
#include "ompd/client/library.h"

/* The ICVs that ompdb itself needs; OMPD knows them by name. */
enum openmp_icv {
	ICV_THREAD_NUM,
	ICV_TEAM_SIZE,
	ICV_LEVELS,
	ICV_ACTIVE_LEVELS,
	ICV_IMPLICIT_TASK,
	NUM_OPENMP_ICVS
};

enum openmp_handle_kind { HANDLE_THREAD, HANDLE_PARALLEL, HANDLE_TASK };

struct openmp_handle {
	enum openmp_handle_kind kind;
	void *handle;
};

struct openmp {
	char *version; /* owned; NULL: unknown                                            */
	char *status;  /* owned; a clause: what is known of the runtime, or why nothing is */
	char *note;    /* owned; a sentence: what is missing, and the remedy; NULL          */
	VEC(struct openmp_handle) handles;  /* of this stop; owned by the library             */
	struct library library;             /* all zero: none                                 */
	const struct runtime_ops *ops;      /* of the runtime                                 */
	const struct runtime *runtime;      /* borrowed, for this stop                        */
	ompd_address_space_handle_t *space; /* NULL: nothing is answered                     */
	struct ompd_address_space_context context;
	ompd_icv_id_t icvs[NUM_OPENMP_ICVS]; /* ICV_UNDEFINED where it has none              */
	bool try_again; /* at the next stop: the runtime may be able to answer then            */
};
#define ICV_UNDEFINED ((ompd_icv_id_t)0)

struct openmp_source {
	const struct runtime_list *runtimes;
	const struct pthreads *pthreads;
	struct symbol_table *symbols; /* NULL: those of stripped files are not wanted  */
	const char *ompd_library;     /* for libomp; named by the user; NULL: search */
};

/*
 * The session of a runtime for this stop of the target: the one of an earlier stop, or a new one.
 * *ret belongs to the runtime's module. Errors only for lack of memory.
 */
MUST_CHECK struct error *openmp_begin(const struct openmp_source *source,
				      const struct runtime *runtime, struct openmp **ret);
/* Releases what belongs to this stop. NULL is fine. */
void openmp_end(struct openmp *o);

/*
 * For the ops of runtimes. Asks the library, which is loaded, to read the runtime; false: it
 * cannot. set_text: keeps a copy in a member of the session; NULL when memory is out.
 */
bool openmp_ask(struct openmp *o);
void openmp_set_text(char **member, const char *text);

/*
 * Whether the library has failed in its sandbox since that was asked last: what it has answered at
 * this stop is worth nothing. The session has no library from then on, and says so.
 */
bool openmp_lost(struct openmp *o);

/*
 * Each gives a handle, or NULL: there is none, or it is not known. thread: index in the target; one
 * that has never used the runtime has no handle.
 */
ompd_thread_handle_t *openmp_thread(struct openmp *o, int thread);
ompd_parallel_handle_t *openmp_region(struct openmp *o, ompd_thread_handle_t *thread);
ompd_parallel_handle_t *openmp_enclosing(struct openmp *o, ompd_parallel_handle_t *region);
ompd_task_handle_t *openmp_task(struct openmp *o, ompd_thread_handle_t *thread);
ompd_task_handle_t *openmp_creator(struct openmp *o, ompd_task_handle_t *task);
ompd_task_handle_t *openmp_implicit_task(struct openmp *o, ompd_parallel_handle_t *region, int n);

/* Index of the n-th thread of a region's team; -1: not known. */
int openmp_member(struct openmp *o, ompd_parallel_handle_t *region, int n);

/* First instruction of a task's code; 0: not known. */
taddr openmp_task_function(struct openmp *o, ompd_task_handle_t *task);

/* One ICV of a library. */
struct openmp_icv_row {
	ompd_icv_id_t id;
	const char *name; /* owned: of our allocator */
	ompd_scope_t scope;
};

enum { OPENMP_ICVS_MAX = 256 }; /* that are asked for */

/* All of them; returns how many. Their names are the caller's to free. */
size_t openmp_list_icvs(struct openmp *o, struct openmp_icv_row ret[OPENMP_ICVS_MAX]);

/* An ICV of a handle; false: it has none. */
bool openmp_icv(struct openmp *o, void *handle, enum openmp_icv which, int64_t *ret);

/* Order of handles of regions or tasks: 0 for two of the same thing. */
int openmp_compare(struct openmp *o, enum openmp_handle_kind kind, void *a, void *b);

#endif
