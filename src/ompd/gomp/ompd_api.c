/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The exported entry points of OMPD (OpenMP 5.2, 20.5): check the arguments, call down.
 *
 * Outputs are touched on success only, and by INCOMPLETE. A NULL or foreign handle is stale; a NULL
 * output is bad input.
 */
#include <stdio.h>

#include "ompd/gomp/icv.h"
#include "ompd/gomp/state.h"

/* The handle is good, its libgomp is known, and the caller gives all outputs. */
static ompd_rc_t check(const void *handle, uint32_t magic, bool has_outputs)
{
	ompd_rc_t rc = gomp_space_check_known(handle, magic);

	return rc == ompd_rc_ok && !has_outputs ? ompd_rc_bad_input : rc;
}

static ompd_rc_t release(void *handle, uint32_t magic)
{
	if (!gomp_space_is_handle(handle, magic))
		return ompd_rc_stale_handle;
	gomp_space_free_handle(handle);
	return ompd_rc_ok;
}

/* By the address of what they stand for. BAD_INPUT: they are of two processes. */
static ompd_rc_t compare(const void *handle_1, const void *handle_2, uint32_t magic, int *ret)
{
	const struct gomp_handle *a = handle_1, *b = handle_2;
	ompd_rc_t rc = gomp_space_check(a, magic);

	if (rc == ompd_rc_ok)
		rc = gomp_space_check(b, magic);
	if (rc != ompd_rc_ok)
		return rc;
	if (!ret || a->space->context != b->space->context)
		return ompd_rc_bad_input;
	*ret = (a->address > b->address) - (a->address < b->address);
	return ompd_rc_ok;
}

/* ---- The library (20.5.1) ---- */

ompd_rc_t ompd_initialize(ompd_word_t api_version, const ompd_callbacks_t *callbacks)
{
	if (api_version < OMPD_VERSION_5_0 || api_version > OMPD_VERSION_5_2)
		return ompd_rc_unsupported;
	return gomp_client_set(callbacks);
}

ompd_rc_t ompd_get_api_version(ompd_word_t *version)
{
	if (!version)
		return ompd_rc_bad_input;
	*version = OMPD_VERSION_5_0;
	return ompd_rc_ok;
}

ompd_rc_t ompd_get_version_string(const char **string)
{
	if (!string)
		return ompd_rc_bad_input;
	*string = "ompdb's OMPD library for GCC's libgomp, " OMPDB_VERSION;
	return ompd_rc_ok;
}

ompd_rc_t ompd_finalize(void)
{
	if (!gomp_client_ready())
		return ompd_rc_error;
	gomp_client_clear();
	return ompd_rc_ok;
}

/* ---- Address spaces (20.5.2, 20.5.3) ---- */

ompd_rc_t ompd_process_initialize(ompd_address_space_context_t *context,
				  ompd_address_space_handle_t **handle)
{
	if (!context || !handle)
		return ompd_rc_bad_input;
	return gomp_space_new(context, handle);
}

/* libgomp's plug-ins for devices keep nothing that could be looked at. */
ompd_rc_t ompd_device_initialize(ompd_address_space_handle_t *process_handle,
				 ompd_address_space_context_t *device_context, ompd_device_t kind,
				 ompd_size_t sizeof_id, void *id,
				 ompd_address_space_handle_t **device_handle)
{
	ompd_rc_t rc = gomp_space_check(process_handle, GOMP_MAGIC_SPACE);

	(void)device_context, (void)kind, (void)sizeof_id, (void)id, (void)device_handle;
	return rc == ompd_rc_ok ? ompd_rc_unsupported : rc;
}

ompd_rc_t ompd_rel_address_space_handle(ompd_address_space_handle_t *handle)
{
	ompd_rc_t rc = gomp_space_check(handle, GOMP_MAGIC_SPACE);

	if (rc == ompd_rc_ok)
		gomp_space_release(handle);
	return rc;
}

ompd_rc_t ompd_get_device_thread_id_kinds(ompd_address_space_handle_t *device_handle,
					  ompd_thread_id_t **kinds, ompd_size_t **thread_id_sizes,
					  int *count)
{
	static const ompd_thread_id_t known[] = { OMPD_THREAD_ID_PTHREAD, OMPD_THREAD_ID_LWP };
	static const ompd_size_t sizes[] = { 8, 8 };
	ompd_thread_id_t *kinds_copy;
	ompd_size_t *sizes_copy;
	ompd_rc_t rc = gomp_space_check(device_handle, GOMP_MAGIC_SPACE);

	if (rc != ompd_rc_ok)
		return rc;
	if (!kinds || !thread_id_sizes || !count)
		return ompd_rc_bad_input;
	kinds_copy = gomp_client_alloc(sizeof(known));
	sizes_copy = gomp_client_alloc(sizeof(sizes));
	if (!kinds_copy || !sizes_copy) {
		gomp_client_free(kinds_copy);
		gomp_client_free(sizes_copy);
		return ompd_rc_nomem;
	}
	*kinds = memcpy(kinds_copy, known, sizeof(known));
	*thread_id_sizes = memcpy(sizes_copy, sizes, sizeof(sizes));
	*count = 2;
	return ompd_rc_ok;
}

ompd_rc_t ompd_get_omp_version(ompd_address_space_handle_t *address_space, ompd_word_t *omp_version)
{
	ompd_rc_t rc = check(address_space, GOMP_MAGIC_SPACE, omp_version);

	if (rc == ompd_rc_ok)
		*omp_version = gomp_space_omp_version(address_space);
	return rc;
}

ompd_rc_t ompd_get_omp_version_string(ompd_address_space_handle_t *address_space,
				      const char **string)
{
	char text[192];
	ompd_rc_t rc = check(address_space, GOMP_MAGIC_SPACE, string);

	if (rc != ompd_rc_ok)
		return rc;
	snprintf(text, sizeof(text), "GCC's libgomp, %s", address_space->release.note);
	return gomp_client_copy(text, string);
}

/* ---- Threads (20.5.5) ---- */

ompd_rc_t ompd_get_thread_in_parallel(ompd_parallel_handle_t *parallel_handle, int thread_num,
				      ompd_thread_handle_t **thread_handle)
{
	uint64_t address;
	ompd_rc_t rc = check(parallel_handle, GOMP_MAGIC_PARALLEL, thread_handle);

	if (rc == ompd_rc_ok)
		rc = gomp_team_member(parallel_handle, (uint32_t)thread_num, &address);
	if (rc == ompd_rc_ok)
		rc = gomp_thread_new_at(parallel_handle->head.space, address, thread_handle);
	return rc;
}

ompd_rc_t ompd_get_thread_handle(ompd_address_space_handle_t *handle, ompd_thread_id_t kind,
				 ompd_size_t sizeof_thread_id, const void *thread_id,
				 ompd_thread_handle_t **thread_handle)
{
	ompd_rc_t rc = check(handle, GOMP_MAGIC_SPACE, thread_id && thread_handle);

	if (rc == ompd_rc_ok)
		rc = gomp_thread_new(handle, kind, sizeof_thread_id, thread_id, thread_handle);
	return rc;
}

ompd_rc_t ompd_rel_thread_handle(ompd_thread_handle_t *thread_handle)
{
	return release(thread_handle, GOMP_MAGIC_THREAD);
}

ompd_rc_t ompd_thread_handle_compare(ompd_thread_handle_t *thread_handle_1,
				     ompd_thread_handle_t *thread_handle_2, int *cmp_value)
{
	return compare(thread_handle_1, thread_handle_2, GOMP_MAGIC_THREAD, cmp_value);
}

ompd_rc_t ompd_get_thread_id(ompd_thread_handle_t *thread_handle, ompd_thread_id_t kind,
			     ompd_size_t sizeof_thread_id, void *thread_id)
{
	ompd_rc_t rc = check(thread_handle, GOMP_MAGIC_THREAD, thread_id);

	if (rc == ompd_rc_ok)
		rc = gomp_thread_id(thread_handle, kind, sizeof_thread_id, thread_id);
	return rc;
}

ompd_rc_t ompd_get_device_from_thread(ompd_thread_handle_t *thread_handle,
				      ompd_address_space_handle_t **device)
{
	ompd_rc_t rc = check(thread_handle, GOMP_MAGIC_THREAD, device);

	if (rc == ompd_rc_ok)
		*device = thread_handle->head.space;
	return rc;
}

/* ---- Parallel regions (20.5.6) ---- */

ompd_rc_t ompd_get_curr_parallel_handle(ompd_thread_handle_t *thread_handle,
					ompd_parallel_handle_t **parallel_handle)
{
	const struct gomp_team *team;
	ompd_rc_t rc = check(thread_handle, GOMP_MAGIC_THREAD, parallel_handle);

	if (rc != ompd_rc_ok)
		return rc;
	team = gomp_team_of_handle(thread_handle);
	return team ? gomp_team_new_handle(thread_handle->head.space, team,
					   thread_handle->thread.address, parallel_handle)
		    : ompd_rc_unavailable;
}

ompd_rc_t ompd_get_enclosing_parallel_handle(ompd_parallel_handle_t *parallel_handle,
					     ompd_parallel_handle_t **enclosing_parallel_handle)
{
	struct gomp_team team;
	ompd_rc_t rc = check(parallel_handle, GOMP_MAGIC_PARALLEL, enclosing_parallel_handle);

	if (rc == ompd_rc_ok)
		rc = gomp_team_read_outer(parallel_handle->head.space, &parallel_handle->team,
					  &team);
	if (rc == ompd_rc_ok)
		rc = gomp_team_new_handle(parallel_handle->head.space, &team, parallel_handle->via,
					  enclosing_parallel_handle);
	return rc;
}

ompd_rc_t ompd_get_task_parallel_handle(ompd_task_handle_t *task_handle,
					ompd_parallel_handle_t **task_parallel_handle)
{
	struct gomp_team team;
	ompd_rc_t rc = check(task_handle, GOMP_MAGIC_TASK, task_parallel_handle);

	if (rc == ompd_rc_ok)
		rc = gomp_team_read(task_handle->head.space, task_handle->task.team, &team);
	if (rc == ompd_rc_ok)
		rc = gomp_team_new_handle(task_handle->head.space, &team, task_handle->via,
					  task_parallel_handle);
	return rc;
}

ompd_rc_t ompd_rel_parallel_handle(ompd_parallel_handle_t *parallel_handle)
{
	return release(parallel_handle, GOMP_MAGIC_PARALLEL);
}

ompd_rc_t ompd_parallel_handle_compare(ompd_parallel_handle_t *parallel_handle_1,
				       ompd_parallel_handle_t *parallel_handle_2, int *cmp_value)
{
	return compare(parallel_handle_1, parallel_handle_2, GOMP_MAGIC_PARALLEL, cmp_value);
}

/* ---- Tasks (20.5.7) ---- */

ompd_rc_t ompd_get_curr_task_handle(ompd_thread_handle_t *thread_handle,
				    ompd_task_handle_t **task_handle)
{
	struct gomp_task task;
	ompd_rc_t rc = check(thread_handle, GOMP_MAGIC_THREAD, task_handle);

	if (rc == ompd_rc_ok)
		rc = gomp_task_of_handle(thread_handle, &task);
	if (rc == ompd_rc_ok)
		rc = gomp_task_new_handle(thread_handle->head.space, &task,
					  thread_handle->thread.address, task_handle);
	return rc;
}

ompd_rc_t ompd_get_generating_task_handle(ompd_task_handle_t *task_handle,
					  ompd_task_handle_t **generating_task_handle)
{
	struct gomp_task task;
	ompd_rc_t rc = check(task_handle, GOMP_MAGIC_TASK, generating_task_handle);

	if (rc == ompd_rc_ok)
		rc = gomp_task_parent(task_handle->head.space, &task_handle->task, &task);
	if (rc == ompd_rc_ok)
		rc = gomp_task_new_handle(task_handle->head.space, &task, task_handle->via,
					  generating_task_handle);
	return rc;
}

ompd_rc_t ompd_get_scheduling_task_handle(ompd_task_handle_t *task_handle,
					  ompd_task_handle_t **scheduling_task_handle)
{
	struct gomp_task task;
	ompd_rc_t rc = check(task_handle, GOMP_MAGIC_TASK, scheduling_task_handle);

	if (rc == ompd_rc_ok)
		rc = gomp_task_suspended_for(task_handle, &task);
	if (rc == ompd_rc_ok)
		rc = gomp_task_new_handle(task_handle->head.space, &task, task_handle->via,
					  scheduling_task_handle);
	return rc;
}

ompd_rc_t ompd_get_task_in_parallel(ompd_parallel_handle_t *parallel_handle, int thread_num,
				    ompd_task_handle_t **task_handle)
{
	ompd_address_space_handle_t *space;
	const struct gomp_team *team;
	struct gomp_task task;
	ompd_rc_t rc = check(parallel_handle, GOMP_MAGIC_PARALLEL, task_handle);

	if (rc != ompd_rc_ok)
		return rc;
	space = parallel_handle->head.space;
	team = &parallel_handle->team;
	if (thread_num < 0 || (uint32_t)thread_num >= team->nthreads)
		return ompd_rc_bad_input;
	rc = gomp_task_read(
		space, gomp_team_implicit_task(space, team->address, (uint32_t)thread_num), &task);
	if (rc != ompd_rc_ok || task.kind != GOMP_TASK_IMPLICIT)
		return ompd_rc_unavailable;
	task.team = team->address;
	return gomp_task_new_handle(space, &task, parallel_handle->via, task_handle);
}

ompd_rc_t ompd_rel_task_handle(ompd_task_handle_t *task_handle)
{
	return release(task_handle, GOMP_MAGIC_TASK);
}

ompd_rc_t ompd_task_handle_compare(ompd_task_handle_t *task_handle_1,
				   ompd_task_handle_t *task_handle_2, int *cmp_value)
{
	return compare(task_handle_1, task_handle_2, GOMP_MAGIC_TASK, cmp_value);
}

ompd_rc_t ompd_get_task_function(ompd_task_handle_t *task_handle, ompd_address_t *entry_point)
{
	ompd_rc_t rc = check(task_handle, GOMP_MAGIC_TASK, entry_point);

	if (rc != ompd_rc_ok)
		return rc;
	if (!task_handle->task.fn)
		return ompd_rc_unavailable;
	*entry_point = (ompd_address_t){ OMPD_SEGMENT_UNSPECIFIED, task_handle->task.fn };
	return ompd_rc_ok;
}

/*
 * libgomp stores no frames: they follow from unwinding, for which OMPD gives no registers. That is
 * the client's.
 */
ompd_rc_t ompd_get_task_frame(ompd_task_handle_t *task_handle, ompd_frame_info_t *exit_frame,
			      ompd_frame_info_t *enter_frame)
{
	ompd_rc_t rc = check(task_handle, GOMP_MAGIC_TASK, exit_frame && enter_frame);

	return rc == ompd_rc_ok ? ompd_rc_unsupported : rc;
}

/* ---- States (20.5.8) ---- */

ompd_rc_t ompd_enumerate_states(ompd_address_space_handle_t *address_space_handle,
				ompd_word_t current_state, ompd_word_t *next_state,
				const char **next_state_name, ompd_word_t *more_enums)
{
	ompd_word_t next;
	const char *name;
	bool more;
	ompd_rc_t rc = gomp_space_check(address_space_handle, GOMP_MAGIC_SPACE);

	if (rc != ompd_rc_ok)
		return rc;
	if (!next_state || !next_state_name || !more_enums)
		return ompd_rc_bad_input;
	name = gomp_state_next(current_state, &next, &more);
	if (!name)
		return ompd_rc_bad_input;
	rc = gomp_client_copy(name, next_state_name);
	if (rc != ompd_rc_ok)
		return rc;
	*next_state = next;
	*more_enums = more;
	return ompd_rc_ok;
}

ompd_rc_t ompd_get_state(ompd_thread_handle_t *thread_handle, ompd_word_t *state,
			 ompd_wait_id_t *wait_id)
{
	ompd_wait_id_t its_wait_id;
	ompd_rc_t rc = check(thread_handle, GOMP_MAGIC_THREAD, state);

	if (rc == ompd_rc_ok)
		gomp_state_get(thread_handle, state, wait_id ? wait_id : &its_wait_id);
	return rc;
}

/* ---- Settings (20.5.9, 20.5.10) ---- */

ompd_rc_t ompd_get_display_control_vars(ompd_address_space_handle_t *address_space_handle,
					const char *const **control_vars)
{
	ompd_rc_t rc = check(address_space_handle, GOMP_MAGIC_SPACE, control_vars);

	return rc == ompd_rc_ok ? gomp_icv_display(address_space_handle, control_vars) : rc;
}

ompd_rc_t ompd_rel_display_control_vars(const char *const **control_vars)
{
	if (!gomp_client_ready())
		return ompd_rc_error;
	if (!control_vars || !*control_vars)
		return ompd_rc_bad_input;
	gomp_client_free((void *)*control_vars);
	*control_vars = NULL;
	return ompd_rc_ok;
}

ompd_rc_t ompd_enumerate_icvs(ompd_address_space_handle_t *handle, ompd_icv_id_t current,
			      ompd_icv_id_t *next_id, const char **next_icv_name,
			      ompd_scope_t *next_scope, int *more)
{
	ompd_icv_id_t id;
	ompd_rc_t rc =
		check(handle, GOMP_MAGIC_SPACE, next_id && next_icv_name && next_scope && more);

	if (rc != ompd_rc_ok)
		return rc;
	id = gomp_icv_next(handle, current);
	if (!id)
		return ompd_rc_bad_input;
	rc = gomp_client_copy(gomp_icv_name(id), next_icv_name);
	if (rc != ompd_rc_ok)
		return rc;
	*next_id = id;
	*next_scope = gomp_icv_scope(id);
	*more = gomp_icv_next(handle, id) != 0;
	return ompd_rc_ok;
}

ompd_rc_t ompd_get_icv_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,
				  ompd_word_t *icv_value)
{
	if (!handle)
		return ompd_rc_stale_handle;
	return icv_value ? gomp_icv_get(handle, scope, icv_id, icv_value) : ompd_rc_bad_input;
}

ompd_rc_t ompd_get_icv_string_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,
					 const char **icv_string)
{
	char text[GOMP_ICV_TEXT];
	ompd_rc_t rc;

	if (!handle)
		return ompd_rc_stale_handle;
	if (!icv_string)
		return ompd_rc_bad_input;
	rc = gomp_icv_get_text(handle, scope, icv_id, text);
	return rc == ompd_rc_ok ? gomp_client_copy(text, icv_string) : rc;
}

/* libgomp has no OMPT, so that no tool has data in it. */
ompd_rc_t ompd_get_tool_data(void *handle, ompd_scope_t scope, ompd_word_t *value,
			     ompd_address_t *ptr)
{
	if (!handle)
		return ompd_rc_stale_handle;
	if (!value || !ptr || scope < ompd_scope_global || scope > ompd_scope_task)
		return ompd_rc_bad_input;
	return ompd_rc_unsupported;
}
