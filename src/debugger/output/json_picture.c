/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json_picture.h"

static void add_target(struct json *j, const struct stacks *s)
{
	json_add_object(j, "target");
	json_add_positive(j, "pid", s->pid);
	json_add_string(j, "core", s->core);
	json_add_string(j, "exe", s->exe);
	json_end(j);
}

static void add_runtime(struct json *j, const struct picture_runtime *r)
{
	json_add_object(j, NULL);
	json_add_string(j, "kind", r->name);
	json_add_string(j, "path", r->path ? r->path : "");
	json_add_string(j, "version", r->version);
	json_add_string(j, "status", r->status ? r->status : "");
	json_add_string(j, "provider", r->provider);
	json_end(j);
}

void json_picture_begin(struct json *j, const struct view *v, const char *type)
{
	json_add_object(j, NULL);
	json_add_integer(j, "v", 1);
	json_add_string(j, "type", type);
	add_target(j, v->stacks);
	if (v->raw)
		return;
	json_add_array(j, "runtimes");
	vec_for_each (r, &v->picture->runtimes)
		add_runtime(j, r);
	json_end(j);
}

void json_picture_end(struct json *j, const struct view *v)
{
	json_add_array(j, "notes");
	vec_for_each (note, &v->picture->notes)
		json_add_string(j, NULL, *note);
	vec_for_each (note, &v->stacks->notes)
		json_add_string(j, NULL, *note);
	json_end(j);
	json_end(j);
}

/* In no region the level is known as well, if the runtime knows the thread. */
static long level_of(const struct picture_thread *t, const struct picture_region *r)
{
	bool outside = t->role == ROLE_INITIAL || t->role == ROLE_FOREIGN;

	return r ? r->level : outside ? 0 : -1;
}

static void add_omp(struct json *j, const struct view *v, const struct picture_thread *t)
{
	const struct picture_region *r = picture_region(v->picture, t->region);

	json_add_object(j, "omp");
	json_add_natural(j, "runtime", t->runtime);
	json_add_natural(j, "num", t->number);
	json_add_natural(j, "team", r ? picture_region_id(v->picture, t->region) : -1);
	json_add_positive(j, "team_size", r ? r->size : 0);
	json_add_natural(j, "level", level_of(t, r));
	json_add_string(j, "role", picture_role_name(t->role));
	json_add_string(j, "source", picture_source_name(t->source));
	json_end(j);
}

static void add_wait(struct json *j, const struct view *v, const struct picture_wait *w)
{
	bool held = picture_thread(v->picture, w->holder) != NULL;

	json_add_object(j, "wait");
	json_add_string(j, "kind", picture_wait_name(w));
	json_picture_object(j, w);
	json_add_string(j, "name", w->name);
	json_add_string(j, "variable", w->variable);
	json_add_string(j, "file", w->place.file);
	json_add_positive(j, "line", w->place.line);
	json_add_string(j, "source", picture_source_name(w->source));
	json_add_bool(j, "spinning", w->spinning);
	json_picture_lwp(j, "holder", v, w->holder);
	json_add_string(j, "holder_source", held ? picture_source_name(w->holder_source) : NULL);
	json_add_natural(j, "arrived", w->total > 0 ? w->arrived : -1);
	json_add_positive(j, "total", w->total);
	json_end(j);
}

void json_picture_thread(struct json *j, const struct view *v, int thread)
{
	const struct picture_thread *t = picture_thread(v->picture, thread);

	json_add_integer(j, "lwp", v->stacks->threads.items[thread].lwp);
	json_add_string(j, "name", view_name(v, thread));
	if (v->raw || !t)
		return;
	add_omp(j, v, t);
	add_wait(j, v, &t->wait);
}

void json_picture_object(struct json *j, const struct picture_wait *w)
{
	if (w->object)
		json_add_address(j, "object", w->object);
	else
		json_add_null(j, "object");
}

void json_picture_place(struct json *j, const struct place *place)
{
	json_add_string(j, "function", place->function);
	json_add_string(j, "file", place->file);
	json_add_positive(j, "line", place->line);
}

void json_picture_sourced(struct json *j, const struct place *place, enum fact_source source)
{
	json_picture_place(j, place);
	json_add_string(j, "source", picture_source_name(source));
}

void json_picture_lwp(struct json *j, const char *key, const struct view *v, int thread)
{
	const struct picture_thread *t = picture_thread(v->picture, thread);

	json_add_positive(j, key, t ? t->lwp : 0);
}

void json_picture_lwps(struct json *j, const char *key, const struct view *v, const int *threads,
		       size_t len)
{
	json_add_array(j, key);
	for (size_t i = 0; i < len; i++)
		json_picture_lwp(j, NULL, v, threads[i]);
	json_end(j);
}
