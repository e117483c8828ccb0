/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Library: finds an OMPD library, checks that it can be trusted, loads it, and has its entry
 * points.
 *
 * A library is code that runs in ompdb. The user has named it, or root or the user owns it and
 * every folder that leads to it, and nobody else can write there. These places are searched: the
 * file that the user named, libompd.so beside the mapped runtime, the folders of LLVM
 * installations, newest first. Where the runtime lies is the target's word: it counts only for a
 * process of the user's own (target_check_own()), and no other path of a target is even looked at.
 * Any version of libompd can read any version of libomp. A library can be built in, too.
 */
#ifndef OMPD_LIBRARY_H
#define OMPD_LIBRARY_H

#include <sys/stat.h>

#include "base/error.h"
#include "ompd/client/ompd_abi.h"

/* The entry points of the OMPD specification (5.2, chapter 20.5) that ompdb calls. */
#define LIBRARY_ENTRIES(X)                                                                         \
	X(get_api_version)                                                                         \
	X(get_version_string)                                                                      \
	X(initialize)                                                                              \
	X(finalize)                                                                                \
	X(process_initialize)                                                                      \
	X(rel_address_space_handle)                                                                \
	X(get_thread_handle)                                                                       \
	X(rel_thread_handle)                                                                       \
	X(get_thread_id)                                                                           \
	X(get_thread_in_parallel)                                                                  \
	X(get_curr_parallel_handle)                                                                \
	X(get_enclosing_parallel_handle)                                                           \
	X(get_task_parallel_handle)                                                                \
	X(rel_parallel_handle)                                                                     \
	X(parallel_handle_compare)                                                                 \
	X(get_curr_task_handle)                                                                    \
	X(get_generating_task_handle)                                                              \
	X(get_scheduling_task_handle)                                                              \
	X(get_task_in_parallel)                                                                    \
	X(rel_task_handle)                                                                         \
	X(task_handle_compare)                                                                     \
	X(get_task_function)                                                                       \
	X(get_task_frame)                                                                          \
	X(get_state)                                                                               \
	X(enumerate_states)                                                                        \
	X(enumerate_icvs)                                                                          \
	X(get_icv_from_scope)                                                                      \
	X(get_icv_string_from_scope)                                                               \
	X(get_display_control_vars)                                                                \
	X(rel_display_control_vars)

struct library_api {
#define LIBRARY_ENTRY(name) __typeof__(ompd_##name) *name;
	LIBRARY_ENTRIES(LIBRARY_ENTRY)
#undef LIBRARY_ENTRY
};

struct library {
	struct library_api api;
	char *path; /* owned; NULL: built in           */
	void *dl;   /* owned; of dlopen(); NULL: built in */
};

/* Borrows everything. */
struct library_source {
	const char *named;            /* by the user; NULL: search                        */
	const char *runtime_path;     /* of the mapped libomp; NULL: not known            */
	const struct error *stranger; /* why the target is not the user's; NULL: it is */
};

/*
 * A library for libomp. NOT_FOUND: none anywhere; the message names the package that has one, and
 * where none was searched for. NOT_PERMITTED: there is one that cannot be trusted; the message
 * names what is wrong with it. UNSUPPORTED: it lacks entry points or speaks another version of
 * OMPD.
 */
MUST_CHECK struct error *library_load_libomp(const struct library_source *from,
					     struct library *ret);
/* Of a built-in one, or one that was never loaded (all zero), nothing. */
void library_unload(struct library *l);

/*
 * Whether code from that file may run in ompdb without the user having named it. real_path:
 * absolute, without symbolic links (realpath(3)). NOT_PERMITTED: it, or a folder that leads to it,
 * belongs to somebody else or can be written by others; the message says which. The file's owner
 * and mode are those of st, which comes from the opened file.
 */
MUST_CHECK struct error *library_check_trust(const char *real_path, const struct stat *st);

#endif
