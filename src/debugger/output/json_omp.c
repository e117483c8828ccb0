/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json_omp.h"

#include "debugger/output/json_picture.h"
#include "debugger/output/json_value.h"

static const char *const scope_names[NUM_ICV_SCOPES] = {
	[ICV_PROCESS] = "process",
	[ICV_THREAD] = "thread",
	[ICV_REGION] = "region",
	[ICV_TASK] = "task",
};

void json_omp_begin(struct buf *out, const struct view *v)
{
	json_picture_begin(out, v, "omp");
	buf_adds(out, ",\"threads\":[");
}

void json_omp_thread(struct buf *out, const struct view *v, size_t index)
{
	json_picture_comma(out, index);
	buf_addc(out, '{');
	json_picture_thread(out, v, (int)index);
	buf_adds(out, ",\"task\":");
	json_value_natural(out, v->picture->threads.items[index].task);
	buf_addc(out, '}');
}

void json_omp_regions(struct buf *out, const struct view *v)
{
	(void)v;
	buf_adds(out, "],\"regions\":[");
}

void json_omp_region(struct buf *out, const struct view *v, size_t index)
{
	const struct picture_region *r = &v->picture->regions.items[index];

	json_picture_comma(out, index);
	buf_addf(out, "{\"id\":%zu,\"parent\":", index);
	json_value_natural(out, r->parent);
	buf_addf(out, ",\"runtime\":%d,\"level\":%d,\"size\":", r->runtime, r->level);
	json_value_positive(out, r->size);
	json_value_bool(out, ",\"active\":", r->active);
	json_value_bool(out, ",\"league\":", r->league);
	buf_adds(out, ",\"primary\":");
	json_picture_lwp(out, v, r->primary);
	buf_adds(out, ",\"members\":[");
	for (size_t i = 0; i < r->members.len; i++) {
		json_picture_comma(out, i);
		json_picture_lwp(out, v, r->members.items[i]);
	}
	buf_adds(out, "],");
	json_picture_place(out, &r->place, r->source);
	buf_addc(out, '}');
}

void json_omp_tasks(struct buf *out, const struct view *v)
{
	(void)v;
	buf_adds(out, "],\"tasks\":[");
}

void json_omp_task(struct buf *out, const struct view *v, size_t index)
{
	const struct picture_task *t = &v->picture->tasks.items[index];

	json_picture_comma(out, index);
	buf_addf(out, "{\"id\":%zu,\"kind\":\"%s\",\"state\":\"%s\",\"region\":", index,
		 picture_task_kind_name(t->kind), picture_task_state_name(t->state));
	json_value_natural(out, t->region);
	buf_adds(out, ",\"creator\":");
	json_value_natural(out, t->creator);
	buf_adds(out, ",\"lwp\":");
	json_picture_lwp(out, v, t->thread);
	buf_adds(out, ",\"waits_for\":[");
	for (size_t i = 0; i < t->waits_for.len; i++) {
		json_picture_comma(out, i);
		buf_addf(out, "%d", t->waits_for.items[i]);
	}
	buf_adds(out, "],");
	json_picture_place(out, &t->place, t->source);
	buf_addc(out, '}');
}

static void add_icv(struct buf *out, const struct view *v, const struct picture_icv *icv)
{
	buf_adds(out, "{\"name\":");
	json_value_string(out, icv->name);
	buf_adds(out, ",\"value\":");
	json_value_string(out, icv->value);
	buf_addf(out, ",\"runtime\":%d,\"scope\":\"%s\",\"of\":", icv->runtime,
		 scope_names[icv->scope]);
	if (icv->scope == ICV_THREAD)
		json_picture_lwp(out, v, icv->of);
	else
		json_value_natural(out, icv->scope == ICV_PROCESS ? -1 : icv->of);
	buf_addc(out, '}');
}

void json_omp_end(struct buf *out, const struct view *v)
{
	buf_adds(out, "],\"icvs\":[");
	for (size_t i = 0; i < v->picture->icvs.len; i++) {
		json_picture_comma(out, i);
		add_icv(out, v, &v->picture->icvs.items[i]);
	}
	buf_adds(out, "],");
	json_picture_notes(out, v);
	buf_adds(out, "}\n");
}
