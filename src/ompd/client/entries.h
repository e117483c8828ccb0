/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Entries: the entry points of an OMPD library as data.
 *
 * A row has a name and a form: a letter for each parameter, by which a call can be sent to another
 * process (sandbox.h). In: "n" an int or enumeration, "w" 64 bits, "b" at most eight bytes whose
 * number is the parameter before, "h" a handle, "c" our address space context, "f" our callbacks.
 * Out: "N" an int or enumeration, "W" 64 bits, "A" an address, "B" bytes as "b", "S" a string of
 * our allocator, "H" a handle of an address space or thread, "P" of a region, "T" of a task. Apart
 * from these: "r" releases a handle, "C" compares two. No form: ompdb does not call it. "": nor
 * need a library have it; those are there to be checked (conform.h).
 */
#ifndef OMPD_ENTRIES_H
#define OMPD_ENTRIES_H

#include <stddef.h>

#include "ompd/client/ompd_abi.h"

/* OpenMP 5.2, chapter 20.5. */
#define LIBRARY_ENTRIES(X)                                                                         \
	X(get_api_version, "W")                                                                    \
	X(get_version_string, NULL)                                                                \
	X(initialize, "wf")                                                                        \
	X(finalize, NULL)                                                                          \
	X(process_initialize, "cH")                                                                \
	X(rel_address_space_handle, "r")                                                           \
	X(get_thread_handle, "hwwbH")                                                              \
	X(rel_thread_handle, "r")                                                                  \
	X(get_thread_id, "hwwB")                                                                   \
	X(get_thread_in_parallel, "hnH")                                                           \
	X(get_curr_parallel_handle, "hP")                                                          \
	X(get_enclosing_parallel_handle, "hP")                                                     \
	X(get_task_parallel_handle, NULL)                                                          \
	X(rel_parallel_handle, "r")                                                                \
	X(parallel_handle_compare, "CCN")                                                          \
	X(get_curr_task_handle, "hT")                                                              \
	X(get_generating_task_handle, "hT")                                                        \
	X(get_scheduling_task_handle, NULL)                                                        \
	X(get_task_in_parallel, "hnT")                                                             \
	X(rel_task_handle, "r")                                                                    \
	X(task_handle_compare, "CCN")                                                              \
	X(get_task_function, "hA")                                                                 \
	X(get_task_frame, NULL)                                                                    \
	X(get_state, NULL)                                                                         \
	X(enumerate_states, NULL)                                                                  \
	X(enumerate_icvs, "hwWSNN")                                                                \
	X(get_icv_from_scope, "hnwW")                                                              \
	X(get_icv_string_from_scope, "hnwS")                                                       \
	X(get_display_control_vars, NULL)                                                          \
	X(rel_display_control_vars, NULL)                                                          \
	X(device_initialize, "")                                                                   \
	X(get_device_thread_id_kinds, "")                                                          \
	X(get_omp_version, "")                                                                     \
	X(get_omp_version_string, "")                                                              \
	X(thread_handle_compare, "")                                                               \
	X(get_device_from_thread, "")                                                              \
	X(get_tool_data, "")

struct library_api {
#define LIBRARY_ENTRY(name, form) __typeof__(ompd_##name) *name;
	LIBRARY_ENTRIES(LIBRARY_ENTRY)
#undef LIBRARY_ENTRY
};

enum entry_number {
#define ENTRY_NUMBER(name, form) ENTRY_##name,
	LIBRARY_ENTRIES(ENTRY_NUMBER)
#undef ENTRY_NUMBER
		NUM_ENTRIES
};

enum { ENTRY_PARAMETERS = 6 }; /* at most */

struct library_entry {
	const char *name; /* as the library exports it        */
	const char *form; /* NULL or "": ompdb does not call it */
	size_t offset;    /* in struct library_api           */
};

extern const struct library_entry library_entries[NUM_ENTRIES];

#endif
