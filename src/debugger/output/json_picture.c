/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json_picture.h"

#include "debugger/output/json_value.h"

static void add_runtime(struct buf *out, const struct picture_runtime *r)
{
	buf_addf(out, "{\"kind\":\"%s\",\"path\":", r->name);
	json_value_string(out, r->path ? r->path : "");
	buf_adds(out, ",\"version\":");
	json_value_string(out, r->version);
	buf_adds(out, ",\"status\":");
	json_value_string(out, r->status ? r->status : "");
	buf_adds(out, ",\"provider\":");
	json_value_string(out, r->provider);
	buf_addc(out, '}');
}

void json_picture_begin(struct buf *out, const struct view *v, const char *type)
{
	const struct picture *p = v->picture;

	buf_addf(out, "{\"v\":1,\"type\":\"%s\",\"target\":", type);
	json_value_target(out, v->stacks);
	buf_adds(out, ",\"runtimes\":[");
	for (size_t i = 0; i < p->runtimes.len; i++) {
		json_picture_comma(out, i);
		add_runtime(out, &p->runtimes.items[i]);
	}
	buf_addc(out, ']');
}

void json_picture_notes(struct buf *out, const struct view *v)
{
	size_t n = 0;

	buf_adds(out, "\"notes\":[");
	vec_for_each (note, &v->picture->notes) {
		json_picture_comma(out, n++);
		json_value_string(out, *note);
	}
	vec_for_each (note, &v->stacks->notes) {
		json_picture_comma(out, n++);
		json_value_string(out, *note);
	}
	buf_addc(out, ']');
}

/* In no region the level is known as well, if the runtime knows the thread. */
static long level_of(const struct picture_thread *t, const struct picture_region *r)
{
	bool outside = t->role == ROLE_INITIAL || t->role == ROLE_FOREIGN;

	return r ? r->level : outside ? 0 : -1;
}

static void add_omp(struct buf *out, const struct view *v, const struct picture_thread *t)
{
	const struct picture_region *r = view_region(v, t->region);

	buf_adds(out, "\"omp\":{\"runtime\":");
	json_value_natural(out, t->runtime);
	buf_adds(out, ",\"num\":");
	json_value_natural(out, t->number);
	buf_adds(out, ",\"team\":");
	json_value_natural(out, r ? t->region : -1);
	buf_adds(out, ",\"team_size\":");
	json_value_positive(out, r ? r->size : 0);
	buf_adds(out, ",\"level\":");
	json_value_natural(out, level_of(t, r));
	buf_addf(out, ",\"role\":\"%s\",\"source\":\"%s\"}", picture_role_name(t->role),
		 picture_source_name(t->source));
}

void json_picture_lwp(struct buf *out, const struct view *v, int thread)
{
	const struct picture_thread *t = view_thread(v, thread);

	json_value_positive(out, t ? t->lwp : 0);
}

static void add_wait(struct buf *out, const struct view *v, const struct picture_wait *w)
{
	buf_addf(out, "\"wait\":{\"kind\":\"%s\",\"object\":", picture_wait_name(w->kind));
	json_value_address(out, w->object);
	buf_adds(out, ",\"name\":");
	json_value_string(out, w->name);
	buf_adds(out, ",\"file\":");
	json_value_string(out, w->place.file);
	buf_adds(out, ",\"line\":");
	json_value_positive(out, w->place.line);
	buf_addf(out, ",\"source\":\"%s\"", picture_source_name(w->source));
	json_value_bool(out, ",\"spinning\":", w->spinning);
	buf_adds(out, ",\"holder\":");
	json_picture_lwp(out, v, w->holder);
	buf_adds(out, ",\"holder_source\":");
	json_value_string(out,
			  view_thread(v, w->holder) ? picture_source_name(w->holder_source) : NULL);
	buf_adds(out, ",\"arrived\":");
	json_value_natural(out, w->total > 0 ? w->arrived : -1);
	buf_adds(out, ",\"total\":");
	json_value_positive(out, w->total);
	buf_addc(out, '}');
}

void json_picture_thread(struct buf *out, const struct view *v, int thread)
{
	const struct picture_thread *t = &v->picture->threads.items[thread];

	buf_addf(out, "\"lwp\":%d,\"name\":", t->lwp);
	json_value_string(out, view_name(v, thread));
	buf_addc(out, ',');
	add_omp(out, v, t);
	buf_addc(out, ',');
	add_wait(out, v, &t->wait);
}

void json_picture_place(struct buf *out, const struct place *place, enum fact_source source)
{
	buf_adds(out, "\"function\":");
	json_value_string(out, place->function);
	buf_adds(out, ",\"file\":");
	json_value_string(out, place->file);
	buf_adds(out, ",\"line\":");
	json_value_positive(out, place->line);
	buf_addf(out, ",\"source\":\"%s\"", picture_source_name(source));
}
