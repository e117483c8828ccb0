/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/icv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static char *value_of(struct openmp *o, void *handle, const struct openmp_icv_row *row)
{
	const char *text = NULL;
	ompd_word_t number;
	char *value = NULL;

	/* The number of a schedule has not its chunks. */
	bool is_number = strcmp(row->name, "run-sched-var") &&
			 library_call(&o->library, get_icv_from_scope, handle, row->scope, row->id,
				      &number) == ompd_rc_ok;
	if (is_number)
		return asprintf(&value, "%" PRId64, number) < 0 ? NULL : value;
	if (library_call(&o->library, get_icv_string_from_scope, handle, row->scope, row->id,
			 &text) == ompd_rc_ok &&
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
	struct openmp_icv_row rows[OPENMP_ICVS_MAX];
	size_t nrows;
};

static void add(struct reading *r, const struct openmp_icv_row *row, void *handle,
		enum icv_scope scope, int of)
{
	struct picture_icv icv = {
		.runtime = r->runtime,
		.scope = scope,
		.of = of,
		.value = value_of(r->w->known[r->runtime].openmp, handle, row),
	};

	if (!icv.value)
		return; /* it has none there */
	icv.name = strdup(row->name);
	if (icv.name && vec_push(&r->w->picture->icvs, icv))
		return;
	free(icv.name);
	free(icv.value);
	r->w->failed = true;
}

static void add_scope(struct reading *r, ompd_scope_t ompd, void *handle, enum icv_scope scope,
		      int of)
{
	for (size_t i = 0; handle && i < r->nrows; i++) {
		if (r->rows[i].scope == ompd)
			add(r, &r->rows[i], handle, scope, of);
	}
}

static void enumerate(struct reading *r)
{
	struct openmp *o = r->w->known[r->runtime].openmp;
	size_t n = openmp_list_icvs(o, r->rows);

	for (size_t i = 0; i < n; i++) {
		const struct openmp_icv_row row = r->rows[i];
		/* OMPD's second name for the same (5.2, 20.5.10.1), and what is not to be had. */
		if (text_starts_with(row.name, "ompd-") ||
		    runtime_starts_with(o->runtime->ops->unread_icvs, row.name))
			free((void *)row.name);
		else
			r->rows[r->nrows++] = row;
	}
}

static void read_regions(struct reading *r)
{
	struct walk *w = r->w;
	struct openmp *o = w->known[r->runtime].openmp;

	for (int i = 0; i < (int)w->picture->regions.len; i++) {
		const struct picture_region *region = picture_region(w->picture, i);
		const struct picture_thread *primary = picture_thread(w->picture, region->primary);
		if (region->runtime != r->runtime || !w->region_handles.items[i])
			continue;
		add_scope(r, ompd_scope_parallel, w->region_handles.items[i], ICV_REGION, i);
		if (primary && w->handles[region->primary] && primary->region == i &&
		    primary->task >= 0)
			add_scope(r, ompd_scope_task, openmp_task(o, w->handles[region->primary]),
				  ICV_TASK, primary->task);
	}
}

/* The first thread of a runtime; -1: none. */
static int first_thread(const struct walk *w, int runtime)
{
	for (int i = 0; i < (int)w->picture->threads.len; i++) {
		if (picture_thread(w->picture, i)->runtime == runtime && w->handles[i])
			return i;
	}
	return -1;
}

static void read_runtime(struct walk *w, int runtime)
{
	struct openmp *o = w->known[runtime].openmp;
	struct reading r = { .w = w, .runtime = runtime };
	int first = first_thread(w, runtime);

	if (!o->space)
		return;
	enumerate(&r);
	add_scope(&r, ompd_scope_address_space, o->space, ICV_PROCESS, -1);
	if (first >= 0)
		add_scope(&r, ompd_scope_thread, w->handles[first], ICV_THREAD, first);
	const struct picture_thread *th = picture_thread(w->picture, first);
	if (th && th->region < 0 && th->task >= 0) /* what the program begins with */
		add_scope(&r, ompd_scope_task, openmp_task(o, w->handles[first]), ICV_TASK,
			  th->task);
	read_regions(&r);
	for (size_t i = 0; i < r.nrows; i++)
		free((void *)r.rows[i].name);
}

void icv_read(struct walk *w)
{
	for (int i = 0; i < (int)w->runtimes.len; i++)
		read_runtime(w, i);
}
