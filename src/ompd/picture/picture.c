/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

bool place_shares_line(const struct place *a, const struct place *b)
{
	return a->line == b->line && text_same(a->file, b->file) && text_same(a->code, b->code);
}

bool place_is_same(const struct place *a, const struct place *b)
{
	return place_shares_line(a, b) && text_same(a->function, b->function);
}

void picture_fini(struct picture *p)
{
	vec_for_each (r, &p->runtimes) {
		free(r->path);
		free(r->version);
		free(r->status);
		free(r->provider);
	}
	vec_for_each (th, &p->threads) {
		free(th->wait.name);
		free(th->wait.variable);
		free(th->borders);
		spans_fini(&th->spans);
	}
	vec_for_each (region, &p->regions)
		vec_fini(&region->members);
	vec_for_each (task, &p->tasks)
		vec_fini(&task->waits_for);
	vec_for_each (icv, &p->icvs) {
		free(icv->name);
		free(icv->value);
	}
	vec_for_each (note, &p->notes)
		free(*note);
	vec_for_each (name, &p->names)
		free(*name);
	vec_for_each (hold, &p->holds)
		free(hold->name);
	free(p->crash.message);
	vec_fini(&p->runtimes);
	vec_fini(&p->threads);
	vec_fini(&p->regions);
	vec_fini(&p->tasks);
	vec_fini(&p->holds);
	vec_fini(&p->candidates);
	ints_fini(&p->predecessors);
	vec_fini(&p->locks);
	vec_fini(&p->leaks);
	vec_fini(&p->givers);
	vec_fini(&p->loops);
	vec_fini(&p->icvs);
	vec_fini(&p->notes);
	vec_fini_all(&p->contradictions);
	vec_fini(&p->names);
	vec_fini(&p->region_ids);
	vec_fini(&p->task_ids);
	runtime_list_fini(&p->code);
}

/* ---- ids -------------------------------------------------------------------------------- */

long picture_region_id(const struct picture *p, int region)
{
	return (size_t)region < p->region_ids.len ? p->region_ids.items[region] : region;
}

long picture_task_id(const struct picture *p, int task)
{
	return (size_t)task < p->task_ids.len ? p->task_ids.items[task] : task;
}

int picture_region_by_id(const struct picture *p, long id)
{
	for (int i = 0; i < (int)p->regions.len; i++) {
		if (picture_region_id(p, i) == id)
			return i;
	}
	return -1;
}

int picture_task_by_id(const struct picture *p, long id)
{
	for (int i = 0; i < (int)p->tasks.len; i++) {
		if (picture_task_id(p, i) == id)
			return i;
	}
	return -1;
}

int picture_member_by_id(const struct picture *p, long team, long number)
{
	const struct picture_region *r = picture_region(p, picture_region_by_id(p, team));

	return r && number >= 0 && (size_t)number < r->members.len ? r->members.items[number] : -1;
}

bool picture_starter(const struct picture *p, int region, long *ret_team, size_t *ret_number)
{
	const struct picture_region *r = picture_region(p, region);
	const struct picture_region *parent = r ? picture_region(p, r->parent) : NULL;

	for (size_t i = 0; parent && r->primary >= 0 && i < parent->members.len; i++) {
		if (parent->members.items[i] != r->primary)
			continue;
		*ret_team = picture_region_id(p, r->parent);
		*ret_number = i;
		return true;
	}
	return false;
}

void picture_add_thread_name(struct buf *out, const struct picture *p, int thread)
{
	const struct picture_thread *th = &p->threads.items[thread];

	buf_addf(out, "%ld.%ld", picture_region_id(p, th->region), th->number);
}

/* ---- words ------------------------------------------------------------------------------ */

const char *picture_role_name(enum thread_role role)
{
	static const char *const names[NUM_ROLES] = {
		[ROLE_NONE] = "none",
		[ROLE_INITIAL] = "initial",
		[ROLE_FOREIGN] = "foreign",
		[ROLE_PRIMARY] = "primary",
		[ROLE_WORKER] = "worker",
		[ROLE_IDLE] = "idle",
		[ROLE_HELPER] = "hidden helper",
	};

	return names[role];
}

const char *picture_source_name(enum fact_source source)
{
	static const char *const names[] = {
		[SOURCE_NONE] = "none",
		[SOURCE_OMPD] = "ompd",
		[SOURCE_MEMORY] = "memory",
		[SOURCE_INFERRED] = "inferred",
	};

	return names[source];
}

const char *picture_task_kind_name(enum task_kind kind)
{
	static const char *const names[NUM_TASK_KINDS] = {
		[TASK_IMPLICIT] = "implicit",
		[TASK_EXPLICIT] = "explicit",
		[TASK_UNDEFERRED] = "undeferred",
	};

	return names[kind];
}

const char *picture_task_state_name(enum task_state state)
{
	static const char *const names[NUM_TASK_STATES] = {
		[TASK_RUNNING] = "running",   [TASK_SUSPENDED] = "suspended",
		[TASK_QUEUED] = "queued",     [TASK_BLOCKED] = "blocked",
		[TASK_DETACHED] = "detached", [TASK_STATE_UNKNOWN] = "unknown",
	};

	return names[state];
}
