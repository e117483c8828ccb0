/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/openmp.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "ompd/client/quiet.h"

static const struct {
	const char *name;
	ompd_scope_t scope; /* of the handles that openmp_icv() is given for it */
} icvs[NUM_OPENMP_ICVS] = {
	[ICV_THREAD_NUM] = { "thread-num-var", ompd_scope_thread },
	[ICV_TEAM_SIZE] = { "team-size-var", ompd_scope_parallel },
	[ICV_LEVELS] = { "levels-var", ompd_scope_parallel },
	[ICV_ACTIVE_LEVELS] = { "active-levels-var", ompd_scope_parallel },
	[ICV_IMPLICIT_TASK] = { "implicit-task-var", ompd_scope_task },
};

/* ---- beginning and end ------------------------------------------------------------------ */

void openmp_set_text(char **member, const char *text)
{
	free(*member);
	*member = text ? strdup(text) : NULL;
}

size_t openmp_list_icvs(struct openmp *o, struct openmp_icv_row ret[OPENMP_ICVS_MAX])
{
	ompd_icv_id_t id = ICV_UNDEFINED;
	size_t n = 0;
	int more = 1;

	for (int i = 0; more && i < OPENMP_ICVS_MAX; i++) {
		struct openmp_icv_row row = { .id = ICV_UNDEFINED };
		if (library_call(&o->library, enumerate_icvs, o->space, id, &row.id, &row.name,
				 &row.scope, &more) != ompd_rc_ok)
			break;
		id = row.id;
		if (row.name)
			ret[n++] = row;
	}
	return n;
}

static void note_icv(struct openmp *o, const struct openmp_icv_row *row)
{
	for (size_t i = 0; i < NUM_OPENMP_ICVS; i++) {
		if (!strcmp(row->name, icvs[i].name) && row->scope == icvs[i].scope)
			o->icvs[i] = row->id;
	}
}

static void find_icvs(struct openmp *o)
{
	struct openmp_icv_row rows[OPENMP_ICVS_MAX];
	size_t n = openmp_list_icvs(o, rows);

	for (size_t i = 0; i < n; i++) {
		note_icv(o, &rows[i]);
		free((void *)rows[i].name);
	}
}

bool openmp_lost(struct openmp *o)
{
	const char *how = o->library.sandbox ? sandbox_failure(o->library.sandbox) : NULL;

	if (!how || o->note)
		return false;
	openmp_set_text(&o->note, how);
	openmp_set_text(&o->status, "its OMPD library has failed: only stacks");
	o->space = NULL;
	o->try_again = false;
	return true;
}

bool openmp_ask(struct openmp *o)
{
	ompd_word_t version = 0;

	if (library_call(&o->library, get_api_version, &version) != ompd_rc_ok ||
	    library_call(&o->library, initialize, version, &callbacks_table) != ompd_rc_ok)
		return false;
	ompd_rc_t rc = library_call(&o->library, process_initialize, &o->context, &o->space);
	if (rc != ompd_rc_ok) {
		log_debug(LOG_OMPD, "%s: process_initialize: %d", o->runtime->module->path, rc);
		o->space = NULL;
		o->try_again = true;
		return false;
	}
	find_icvs(o);
	return true;
}

static void release(struct openmp *o, const struct openmp_handle *h)
{
	switch (h->kind) {
	case HANDLE_THREAD:
		library_call(&o->library, rel_thread_handle, h->handle);
		break;
	case HANDLE_PARALLEL:
		library_call(&o->library, rel_parallel_handle, h->handle);
		break;
	case HANDLE_TASK:
		library_call(&o->library, rel_task_handle, h->handle);
		break;
	}
}

void openmp_end(struct openmp *o)
{
	if (!o)
		return;
	vec_for_each (h, &o->handles)
		release(o, h);
	vec_fini(&o->handles);
	o->runtime = NULL;
}

static void openmp_free(void *data)
{
	struct openmp *o = data;
	int output = quiet_begin();

	openmp_end(o);
	if (o->space)
		library_call(&o->library, rel_address_space_handle, o->space);
	library_unload(&o->library);
	if (o->ops->end)
		o->ops->end(&o->context);
	quiet_end(output);
	free(o->version);
	free(o->status);
	free(o->note);
	free(o);
}

/* What a session refers to in this stop. */
static void enter_stop(struct openmp *o, const struct openmp_source *source,
		       const struct runtime *runtime)
{
	o->runtime = o->context.runtime = runtime;
	o->context.runtimes = source->runtimes;
	o->context.pthreads = source->pthreads;
	if (o->library.sandbox)
		sandbox_begin_stop(o->library.sandbox);
}

static const struct part_ops part_ops = { .free = openmp_free };

static struct error *begin_new(const struct openmp_source *source, const struct runtime *runtime,
			       struct openmp **ret)
{
	struct openmp *o = calloc(1, sizeof(*o));

	if (!o)
		return &error_nomem;
	o->ops = runtime->ops;
	o->context.target = source->runtimes->modules->target;
	enter_stop(o, source, runtime);
	struct error *err = o->ops->begin(o, source);
	if (err) {
		openmp_free(o);
		return err;
	}
	module_hang(source->runtimes->modules->items[runtime->module->index], MODULE_OMPD, o,
		    &part_ops);
	*ret = o;
	return NULL;
}

struct error *openmp_begin(const struct openmp_source *source, const struct runtime *runtime,
			   struct openmp **ret)
{
	struct openmp *o = runtime->module->parts[MODULE_OMPD].data;

	if (!o || o->try_again)
		return begin_new(source, runtime, ret);
	enter_stop(o, source, runtime);
	if (o->ops->begin_stop && !o->ops->begin_stop(&o->context))
		return begin_new(source, runtime, ret);
	*ret = o;
	return NULL;
}

/* ---- handles ---------------------------------------------------------------------------- */

/* Keeps what the library gave, so that it is released in the end. */
static void *keep(struct openmp *o, enum openmp_handle_kind kind, ompd_rc_t rc, void *handle)
{
	if (rc != ompd_rc_ok || !handle)
		return NULL;
	if (vec_push(&o->handles, (struct openmp_handle){ kind, handle }))
		return handle;
	release(o, &(struct openmp_handle){ kind, handle });
	return NULL;
}

/* Calls an entry of the library that gives a handle; NULL: it gives none. */
#define ASK(type, kind, o, entry, ...)                                                             \
	({                                                                                         \
		ompd_##type##_handle_t *given = NULL;                                              \
		ompd_rc_t rc = library_call(&(o)->library, entry, __VA_ARGS__, &given);            \
		(ompd_##type##_handle_t *)keep(o, kind, rc, given);                                \
	})

ompd_thread_handle_t *openmp_thread(struct openmp *o, int thread)
{
	const struct runtime_ops *ops = o->ops;
	const struct pthreads *p = o->context.pthreads;

	if (!o->space || thread < 0 || !p->ids[thread] ||
	    (ops->may_ask && !ops->may_ask(&o->context, p->target->threads.items[thread])))
		return NULL;
	ompd_thread_handle_t *handle =
		ASK(thread, HANDLE_THREAD, o, get_thread_handle, o->space, OMPD_THREAD_ID_PTHREAD,
		    sizeof(p->ids[thread]), &p->ids[thread]);
	return handle && ops->is_known && !ops->is_known(handle) ? NULL : handle;
}

ompd_parallel_handle_t *openmp_region(struct openmp *o, ompd_thread_handle_t *thread)
{
	return ASK(parallel, HANDLE_PARALLEL, o, get_curr_parallel_handle, thread);
}

ompd_parallel_handle_t *openmp_enclosing(struct openmp *o, ompd_parallel_handle_t *region)
{
	return ASK(parallel, HANDLE_PARALLEL, o, get_enclosing_parallel_handle, region);
}

ompd_task_handle_t *openmp_task(struct openmp *o, ompd_thread_handle_t *thread)
{
	return ASK(task, HANDLE_TASK, o, get_curr_task_handle, thread);
}

ompd_task_handle_t *openmp_creator(struct openmp *o, ompd_task_handle_t *task)
{
	return ASK(task, HANDLE_TASK, o, get_generating_task_handle, task);
}

ompd_task_handle_t *openmp_implicit_task(struct openmp *o, ompd_parallel_handle_t *region, int n)
{
	return ASK(task, HANDLE_TASK, o, get_task_in_parallel, region, n);
}

int openmp_member(struct openmp *o, ompd_parallel_handle_t *region, int n)
{
	ompd_thread_handle_t *thread =
		ASK(thread, HANDLE_THREAD, o, get_thread_in_parallel, region, n);
	taddr id = 0;

	if (!thread || library_call(&o->library, get_thread_id, thread, OMPD_THREAD_ID_PTHREAD,
				    sizeof(id), &id) != ompd_rc_ok)
		return -1;
	return pthreads_find(o->context.pthreads, id);
}

/* ---- values ----------------------------------------------------------------------------- */

taddr openmp_task_function(struct openmp *o, ompd_task_handle_t *task)
{
	ompd_address_t entry = { 0 };

	return library_call(&o->library, get_task_function, task, &entry) == ompd_rc_ok
		       ? entry.address
		       : 0;
}

bool openmp_icv(struct openmp *o, void *handle, enum openmp_icv which, int64_t *ret)
{
	ompd_word_t value;

	if (!handle || o->icvs[which] == ICV_UNDEFINED ||
	    library_call(&o->library, get_icv_from_scope, handle, icvs[which].scope, o->icvs[which],
			 &value) != ompd_rc_ok)
		return false;
	*ret = value;
	return true;
}

/* ---- identity --------------------------------------------------------------------------- */

int openmp_compare(struct openmp *o, enum openmp_handle_kind kind, void *a, void *b)
{
	int order = 0;
	ompd_rc_t rc = kind == HANDLE_TASK
			       ? library_call(&o->library, task_handle_compare, a, b, &order)
			       : library_call(&o->library, parallel_handle_compare, a, b, &order);

	return rc == ompd_rc_ok ? order : a < b ? -1 : 1;
}
