/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Client: a small OMPD client that shares nothing with ompdb but the interface's header.
 *
 * It opens an OMPD library by its path, starts a scenario as its child, attaches to it with ptrace
 * when it is ready, and answers the callbacks from /proc/PID/mem and the symbol tables of the
 * mapped files. It is a pedant: handles that are released are filled with 0xdd and kept, memory
 * that is left over is a failure, and unexpected calls are too.
 */
#ifndef OMPD_CLIENT_H
#define OMPD_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "ompd/client/ompd_abi.h"

/* The entry points of a library. */
struct client_api {
#define ENTRY(name) __typeof__(ompd_##name) *name
	ENTRY(initialize);
	ENTRY(get_api_version);
	ENTRY(get_version_string);
	ENTRY(finalize);
	ENTRY(process_initialize);
	ENTRY(device_initialize);
	ENTRY(rel_address_space_handle);
	ENTRY(get_device_thread_id_kinds);
	ENTRY(get_omp_version);
	ENTRY(get_omp_version_string);
	ENTRY(get_thread_in_parallel);
	ENTRY(get_thread_handle);
	ENTRY(rel_thread_handle);
	ENTRY(thread_handle_compare);
	ENTRY(get_thread_id);
	ENTRY(get_device_from_thread);
	ENTRY(get_curr_parallel_handle);
	ENTRY(get_enclosing_parallel_handle);
	ENTRY(get_task_parallel_handle);
	ENTRY(rel_parallel_handle);
	ENTRY(parallel_handle_compare);
	ENTRY(get_curr_task_handle);
	ENTRY(get_generating_task_handle);
	ENTRY(get_scheduling_task_handle);
	ENTRY(get_task_in_parallel);
	ENTRY(rel_task_handle);
	ENTRY(task_handle_compare);
	ENTRY(get_task_function);
	ENTRY(get_task_frame);
	ENTRY(enumerate_states);
	ENTRY(get_state);
	ENTRY(get_display_control_vars);
	ENTRY(rel_display_control_vars);
	ENTRY(enumerate_icvs);
	ENTRY(get_icv_from_scope);
	ENTRY(get_icv_string_from_scope);
	ENTRY(get_tool_data);
#undef ENTRY
};

enum { CLIENT_FACTS = 16, CLIENT_LEVELS = 8, CLIENT_MAPS = 64 };

/* What one thread of the scenario says about itself. */
struct fact {
	char what[16];
	long lwp;
	unsigned long pthread, errno_at;
	int number, level, active_level, size;
	int max_threads, dynamic, max_active_levels, final, thread_limit, sched, chunk, bind,
		cancel;
	int ancestor[CLIENT_LEVELS + 1], team_size[CLIENT_LEVELS + 1];
};

struct client_map {
	uint64_t start, end, offset;
	char path[256];
};

struct client {
	struct client_api api;
	void *dl;
	pid_t pid;
	int mem, in;
	FILE *out;
	struct fact facts[CLIENT_FACTS];
	size_t nfacts;
	uint64_t value; /* that the scenario told, see say() in scenario.c */
	struct client_map maps[CLIENT_MAPS];
	size_t nmaps;
};

/* Opens the library and finds every entry point. */
void client_open(struct client *c, const char *library);
/* Starts a scenario, waits until it is ready, stops all its threads, looks at its maps. */
void client_start(struct client *c, const char *program, const char *scenario);
void client_stop(struct client *c);
void client_resume(struct client *c);
void client_end(struct client *c);

const ompd_callbacks_t *client_callbacks(void);
/* How much memory the library has that it or the client has not given back. */
long client_live_memory(void);

/* The address of the futex that a stopped thread sleeps at; 0: it does not. */
uint64_t client_futex(pid_t lwp);

/* Where a symbol is; thread-locals of a thread as it told itself. */
uint64_t client_symbol(struct client *c, const char *name);
/* The file mapped there; "": none. */
const char *client_file(const struct client *c, uint64_t address);
bool client_read(struct client *c, uint64_t from, void *ret, size_t len);

#endif
