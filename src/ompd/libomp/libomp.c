/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp.h"

#include <string.h>

#include "ompd/libgomp/libgomp_entries.h"
#include "ompd/libgomp/libgomp_events.h"
#include "ompd/libgomp/libgomp_loops.h"
#include "ompd/libomp/libomp_barriers.h"
#include "ompd/libomp/libomp_depends.h"
#include "ompd/libomp/libomp_entries.h"
#include "ompd/libomp/libomp_events.h"
#include "ompd/libomp/libomp_lock_table.h"
#include "ompd/libomp/libomp_locks.h"
#include "ompd/libomp/libomp_loops.h"
#include "ompd/libomp/libomp_own.h"
#include "ompd/libomp/libomp_symbols.h"
#include "ompd/libomp/libomp_tasks.h"
#include "ompd/libomp/libomp_turns.h"

/* ---- its OMPD session ------------------------------------------------------------------- */

/* By what is in memory; with the file's symbols only if that is not enough: opening it takes time.
 */
static struct error *find_symbols(const struct openmp *o, const struct openmp_source *source,
				  struct libomp_symbols **ret)
{
	struct error *err = libomp_symbols_new(source->runtimes, o->runtime, NULL, ret);

	if (err || !source->symbols || libomp_symbols_status(*ret) == LIBOMP_READY ||
	    libomp_symbols_status(*ret) == LIBOMP_NOT_INITIALIZED)
		return err;
	libomp_symbols_free(*ret);
	*ret = NULL;
	return libomp_symbols_new(source->runtimes, o->runtime, source->symbols, ret);
}

static struct error *load_library(struct openmp *o, const struct openmp_source *source)
{
	struct target *t = source->runtimes->modules->target;
	AUTO_ERROR *stranger = target_check_own(t);
	AUTO_ERROR *refused = target_check_paths(t);
	const struct library_source from = {
		.named = source->ompd_library,
		.runtime_path = o->runtime->module->path,
		.refused = refused,
		.stranger = stranger,
	};

	return library_load_libomp(&from, &o->library);
}

static struct error *begin(struct openmp *o, const struct openmp_source *source)
{
	struct libomp_symbols *symbols = NULL;
	struct error *err = find_symbols(o, source, &symbols);

	if (err)
		return err;
	o->context.own = symbols;
	openmp_set_text(&o->status, libomp_symbols_note(symbols));
	o->try_again = libomp_symbols_status(symbols) != LIBOMP_READY;
	if (o->try_again)
		return o->status ? NULL : &error_nomem;
	err = load_library(o, source);
	if (err == &error_nomem)
		return err;
	if (err) {
		openmp_set_text(&o->note, error_message(err));
		openmp_set_text(&o->status, "no OMPD library: only stacks");
		error_ignore(err);
	} else if (!openmp_ask(o) && !openmp_lost(o)) {
		openmp_set_text(&o->status, "its OMPD library cannot read it: only stacks");
	}
	return o->status ? NULL : &error_nomem;
}

static bool begin_stop(struct ompd_address_space_context *context)
{
	return libomp_symbols_renew(context->own, context->runtimes, context->runtime,
				    context->pthreads);
}

static void end(struct ompd_address_space_context *context)
{
	libomp_symbols_free(context->own);
}

/* libompd reads freed or foreign memory when it is asked about a thread that libomp does not know.
 */
static bool may_ask(const struct ompd_address_space_context *context, const struct thread *th)
{
	int gtid;

	return libomp_symbols_gtid(context->own, th, &gtid);
}

static bool find_symbol(const struct ompd_address_space_context *context, const char *name,
			const struct thread *th, taddr *ret)
{
	return libomp_symbols_find(context->own, name, th, ret);
}

static bool read_made_up(const struct ompd_address_space_context *context, taddr from, size_t len,
			 void *ret)
{
	return libomp_symbols_read(context->own, from, len, ret);
}

/* ---- beyond OMPD ------------------------------------------------------------------------- */

static bool is_idle(struct walk *w, int thread)
{
	struct openmp *o = w->known[picture_thread(w->picture, thread)->runtime].openmp;
	ompd_task_handle_t *task = openmp_task(o, w->handles[thread]);

	return !task || !openmp_task_function(o, task);
}

/* One that it does not have in hand it has not begun to wait for, if there is such a lock. */
static bool is_lock_passed(struct walk *w, int thread, const struct span *span)
{
	const struct parked *parked = &w->parked[thread];
	bool passed;

	if (libomp_locks_find_passed(w, thread, span, &passed))
		return passed;
	return picture_thread(w->picture, thread)->wait.object
		       ? libomp_lock_table_has(w, thread)
		       : !parked->pauses && !parked->blocked.in_call;
}

static bool is_over(struct walk *w, int thread, const struct span *span)
{
	const enum wait_whom whom = wait_kind_whom(picture_thread(w->picture, thread)->wait.kind);

	return w->judged && ((whom == FOR_HOLDER && is_lock_passed(w, thread, span)) ||
			     (whom == FOR_TURN && libomp_turns_have_come(w, thread, span)));
}

static int holder(struct walk *w, int thread, const struct span *span)
{
	return picture_thread(w->picture, thread)->wait.kind == WAIT_ORDERED
		       ? libomp_turns_holder(w, thread, span)
		       : libomp_locks_holder(w, thread, span);
}

static const char *const signs[] = { "__kmpc_fork_call", NULL };
static const char *const companions[] = { "__tgt_register_lib" /* libomptarget */, NULL };
/* Programs that GCC has compiled call libgomp's names, which it offers, too. */
static const struct runtime_entry *const entries[] = { libomp_entries, libgomp_entries, NULL };
static const struct event_row *const events[] = { libomp_events, libgomp_events, NULL };
static const struct loop_call *const loop_calls[] = { libomp_loop_calls, libgomp_loop_calls, NULL };
static const char *const task_waits[] = {
	"__kmpc_omp_taskwait", "__kmpc_omp_wait_deps", "__kmpc_end_taskgroup",
	"__kmpc_barrier",      "GOMP_taskwait",        "GOMP_taskwait_depend",
	"GOMP_taskgroup_end",  "GOMP_barrier",         NULL
};
static const struct user_call *const user_calls[] = { libomp_user_calls, libgomp_user_calls, NULL };
static const char *const idles[] = { "__kmpc_flush", NULL };
static const char *const tools[] = { "ompt_start_tool", NULL };
static const char *const detaching[] = { "__kmpc_task_allow_completion_event", NULL };
/*
 * libompd shows the first one wrongly. It reads the tool's through symbols that stripped libraries
 * do not have, about which it then complains on standard output.
 */
static const char *const unread_icvs[] = { "debug-var", "tool-var", "tool-libraries-var",
					   "tool-verbose-init-var", NULL };

static void add_tasks(struct walk *w, int runtime)
{
	AUTO_BUF text = { 0 };

	if (libomp_tasks_add(w, runtime))
		return;
	buf_addf(&text,
		 "%s: tasks that no thread executes are not shown: where this release of LLVM's "
		 "runtime keeps them is not known, which it is from LLVM 14 on",
		 w->picture->runtimes.items[runtime].path);
	char *note = text.failed ? NULL : strdup(buf_text(&text));
	w->failed |= !note || !vec_push(&w->picture->notes, note);
}

const struct runtime_ops libomp_ops = {
	.name = "libomp",
	.signs = signs,
	.companions = companions,
	.entries = entries,
	.loop_calls = loop_calls,
	.events = events,
	.user_calls = user_calls,
	.task_waits = task_waits,
	.detaching = detaching,
	.idles = idles,
	.tools = tools,
	.last_words = "OMP: Error #",
	.calls_back = true,
	.has_helpers = true,
	.unread_icvs = unread_icvs,
	.own_number = libomp_own_number,
	.begin = begin,
	.begin_stop = begin_stop,
	.end = end,
	.may_ask = may_ask,
	.find_symbol = find_symbol,
	.read = read_made_up,
	.is_idle = is_idle,
	.add_tasks = add_tasks,
	.add_handles = libomp_tasks_add_handles,
	.add_predecessors = libomp_depends_add,
	.is_over = is_over,
	.refine_barriers = libomp_barriers_refine,
	.barrier_kind = libomp_entries_barrier,
	.holder = holder,
	.lock_state = libomp_locks_state,
	.inner_lock = libomp_locks_inner,
	.add_locks = libomp_lock_table_add,
	.read_loop = libomp_loops_read,
	.read_taskloop = libomp_loops_read_task,
	.schedule = libomp_loops_schedule,
};
