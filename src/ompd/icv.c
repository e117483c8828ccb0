/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/icv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { ICVS_MAX = 256 };

/* One ICV of a library. */
struct row {
	ompd_icv_id_t id;
	const char *name; /* owned: of our allocator */
	ompd_scope_t scope;
};

static char *value_of(struct openmp *o, void *handle, const struct row *row)
{
	const char *text = NULL;
	ompd_word_t number;
	char *value = NULL;

	/* The number of a schedule has not its chunks. */
	bool is_number =
		strcmp(row->name, "run-sched-var") &&
		o->api->get_icv_from_scope(handle, row->scope, row->id, &number) == ompd_rc_ok;
	if (is_number)
		return asprintf(&value, "%" PRId64, number) < 0 ? NULL : value;
	if (o->api->get_icv_string_from_scope(handle, row->scope, row->id, &text) == ompd_rc_ok &&
	    text)
		value = strdup(text);
	/* The library has it from our callback and gives it to us (OMPD, 5.5.9.4). */
	free((void *)text);
	return value;
}

/* What to read of one runtime, and where to. */
struct reading {
	struct walk *w;
	int runtime;
	struct row rows[ICVS_MAX];
	size_t nrows;
};

static struct error *add(struct reading *r, const struct row *row, void *handle,
			 enum icv_scope scope, int of)
{
	struct picture_icv icv = { .runtime = r->runtime, .scope = scope, .of = of };

	icv.value = value_of(r->w->known[r->runtime].openmp, handle, row);
	if (!icv.value)
		return NULL; /* it has none there */
	icv.name = strdup(row->name);
	if (icv.name && vec_push(&r->w->picture->icvs, icv))
		return NULL;
	free(icv.name);
	free(icv.value);
	return &error_nomem;
}

static struct error *add_scope(struct reading *r, ompd_scope_t ompd, void *handle,
			       enum icv_scope scope, int of)
{
	struct error *err = NULL;

	for (size_t i = 0; handle && !err && i < r->nrows; i++) {
		if (r->rows[i].scope == ompd)
			err = add(r, &r->rows[i], handle, scope, of);
	}
	return err;
}

static void enumerate(struct reading *r)
{
	struct openmp *o = r->w->known[r->runtime].openmp;
	ompd_icv_id_t id = 0;
	int more = 1;

	while (more && r->nrows < ICVS_MAX) {
		struct row row = { 0 };
		if (o->api->enumerate_icvs(o->space, id, &row.id, &row.name, &row.scope, &more) !=
			    ompd_rc_ok ||
		    !row.name)
			return;
		id = row.id;
		/* OMPD's second name for the same (5.2, 20.5.10.1), and what is not to be had. */
		if (text_starts_with(row.name, "ompd-") ||
		    runtime_starts_with(o->runtime->ops->unread_icvs, row.name))
			free((void *)row.name);
		else
			r->rows[r->nrows++] = row;
	}
}

static struct error *read_regions(struct reading *r)
{
	struct picture *p = r->w->picture;
	struct openmp *o = r->w->known[r->runtime].openmp;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < p->regions.len; i++) {
		const struct picture_region *region = &p->regions.items[i];
		if (region->runtime != r->runtime || !r->w->region_handles.items[i])
			continue;
		err = add_scope(r, ompd_scope_parallel, r->w->region_handles.items[i], ICV_REGION,
				(int)i);
		if (err || region->primary < 0 || !r->w->handles[region->primary])
			continue;
		const struct picture_thread *primary = &p->threads.items[region->primary];
		ompd_task_handle_t *task = openmp_task(o, r->w->handles[region->primary]);
		if (primary->region == (int)i && primary->task >= 0)
			err = add_scope(r, ompd_scope_task, task, ICV_TASK, primary->task);
	}
	return err;
}

static struct error *read_runtime(struct walk *w, int runtime)
{
	struct openmp *o = w->known[runtime].openmp;
	struct reading r = { .w = w, .runtime = runtime };

	if (!o->space)
		return NULL;
	enumerate(&r);
	struct error *err = add_scope(&r, ompd_scope_address_space, o->space, ICV_PROCESS, -1);
	for (size_t i = 0; !err && i < w->picture->threads.len; i++) {
		if (w->picture->threads.items[i].runtime != runtime || !w->handles[i])
			continue;
		err = add_scope(&r, ompd_scope_thread, w->handles[i], ICV_THREAD, (int)i);
		break;
	}
	if (!err)
		err = read_regions(&r);
	for (size_t i = 0; i < r.nrows; i++)
		free((void *)r.rows[i].name);
	return err;
}

struct error *icv_read(struct walk *w)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < w->runtimes.len; i++)
		err = read_runtime(w, (int)i);
	return err;
}
