/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json_omp.h"

#include "debugger/output/json_picture.h"

static const char *const scope_names[NUM_ICV_SCOPES] = {
	[ICV_PROCESS] = "process",
	[ICV_THREAD] = "thread",
	[ICV_REGION] = "region",
	[ICV_TASK] = "task",
};

static void add_threads(struct json *j, const struct view *v, const struct chosen *c)
{
	json_add_array(j, "threads");
	for (size_t i = 0; i < v->picture->threads.len; i++) {
		if (!chosen_has_thread(c, (int)i))
			continue;
		json_add_object(j, NULL);
		json_picture_thread(j, v, (int)i);
		json_add_natural(j, "task",
				 picture_task_id(v->picture, v->picture->threads.items[i].task));
		json_end(j);
	}
	json_end(j);
}

static void add_region(struct json *j, const struct view *v, int index)
{
	const struct picture_region *r = picture_region(v->picture, index);

	json_add_object(j, NULL);
	json_add_integer(j, "id", picture_region_id(v->picture, index));
	json_add_natural(j, "parent", picture_region_id(v->picture, r->parent));
	json_add_integer(j, "runtime", r->runtime);
	json_add_integer(j, "level", r->level);
	json_add_positive(j, "size", r->size);
	json_add_bool(j, "active", r->active);
	json_add_bool(j, "league", r->league);
	json_picture_lwp(j, "primary", v, r->primary);
	json_picture_lwps(j, "members", v, r->members.items, r->members.len);
	json_picture_sourced(j, &r->place, r->source);
	json_end(j);
}

static void add_task(struct json *j, const struct view *v, int index)
{
	const struct picture *p = v->picture;
	const struct picture_task *t = picture_task(p, index);

	json_add_object(j, NULL);
	json_add_integer(j, "id", picture_task_id(p, index));
	json_add_string(j, "kind", picture_task_kind_name(t->kind));
	json_add_string(j, "state", picture_task_state_name(t->state));
	json_add_natural(j, "region", picture_region_id(p, t->region));
	json_add_natural(j, "creator", picture_task_id(p, t->creator));
	json_picture_lwp(j, "lwp", v, t->thread);
	json_add_array(j, "waits_for");
	vec_for_each (other, &t->waits_for)
		json_add_integer(j, NULL, picture_task_id(p, *other));
	json_end(j);
	json_picture_sourced(j, &t->place, t->source);
	json_end(j);
}

static void add_icv(struct json *j, const struct view *v, const struct picture_icv *icv)
{
	json_add_object(j, NULL);
	json_add_string(j, "name", icv->name);
	json_add_string(j, "value", icv->value);
	json_add_integer(j, "runtime", icv->runtime);
	json_add_string(j, "scope", scope_names[icv->scope]);
	switch (icv->scope) {
	case ICV_THREAD:
		json_picture_lwp(j, "of", v, icv->of);
		break;
	case ICV_REGION:
		json_add_natural(j, "of", picture_region_id(v->picture, icv->of));
		break;
	case ICV_TASK:
		json_add_natural(j, "of", picture_task_id(v->picture, icv->of));
		break;
	case ICV_PROCESS:
	case NUM_ICV_SCOPES:
		json_add_null(j, "of");
		break;
	}
	json_end(j);
}

void json_omp(struct buf *out, const struct view *v, const struct chosen *c)
{
	struct json j = { .out = out };

	json_picture_begin(&j, v, "omp");
	add_threads(&j, v, c);
	json_add_array(&j, "regions");
	for (size_t i = 0; i < v->picture->regions.len; i++) {
		if (chosen_has_region(c, (int)i))
			add_region(&j, v, (int)i);
	}
	json_end(&j);
	json_add_array(&j, "tasks");
	vec_for_each (task, &c->tasks)
		add_task(&j, v, *task);
	json_end(&j);
	json_add_array(&j, "icvs");
	vec_for_each (icv, &v->picture->icvs)
		add_icv(&j, v, icv);
	json_end(&j);
	json_picture_end(&j, v);
}
