/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/snapshot.h"

#include <stdlib.h>

#include "ompd/names.h"
#include "ompd/picture/runtime.h"
#include "ompd/walk.h"

void snapshot_free(struct snapshot *s)
{
	if (!s)
		return;
	stitch_fini(&s->stitched);
	picture_fini(&s->picture);
	stack_free(s->stacks);
	free(s);
}

static struct walk_source source_of(const struct session *session,
				    const struct snapshot_options *options,
				    const struct unwind_stack *raw)
{
	return (struct walk_source){
		.modules = session->modules,
		.unwinder = session->unwinder,
		.symbols = session->symbols,
		.raw = raw,
		.ompd_library = session->ompd_library,
		.icvs = options->icvs,
		.loops = options->loops,
		.holds = options->holds,
		.locks = options->locks,
		.judged = options->judged,
		.footprints = options->footprints,
		.depends = options->depends,
		.conform = options->conform,
	};
}

struct error *snapshot_rehearse(struct session *session, const struct snapshot_options *options)
{
	size_t n = session->target->threads.len;
	AUTO_FREE struct unwind_stack *none = calloc(n + 1, sizeof(*none));
	struct picture picture = { 0 };

	if (!none)
		return &error_nomem;
	struct error *err = module_list_update(session->modules);
	if (err || options->raw)
		return err;
	const struct walk_source source = source_of(session, options, none);
	err = walk_picture(&source, &picture);
	picture_fini(&picture);
	return err;
}

struct error *snapshot_prepare(struct session *s)
{
	struct error *err = snapshot_rehearse(s, &(struct snapshot_options){ 0 });

	vec_for_each (m, s->modules) {
		if (!err && ((*m)->is_exe || runtime_code_of(*m) != CODE_USER))
			symbol_prepare(s->symbols, *m);
	}
	return err;
}

struct error *snapshot_take(struct session *session, const struct snapshot_options *options,
			    struct snapshot **ret)
{
	AUTO_SNAPSHOT *s = calloc(1, sizeof(*s));

	if (!s)
		return &error_nomem;
	lock_list_free(session->locks); /* of the snapshot before */
	session->locks = NULL;
	struct error *err = module_list_update(session->modules);
	if (!err)
		err = stack_collect(session, options->max_frames, &s->stacks);
	if (err)
		return err;
	const struct walk_source source = source_of(session, options, s->stacks->raw);
	if (!options->raw)
		err = walk_picture(&source, &s->picture);
	if (!err && !options->raw && session->ids)
		err = omp_ids_assign(session->ids, session->target, &s->picture, s->stacks->raw);
	if (err)
		return err;
	s->stitches = !options->raw && !options->no_stacks;
	s->few_names = options->few_names;
	session->picture = &s->picture;
	if (options->more)
		err = options->more(options->context, session, s);
	session->picture = NULL;
	if (err)
		return err;
	*ret = TAKE(s);
	return NULL;
}

/* The first thread's name is what others are compared with. */
static struct error *name_threads(struct snapshot *s)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < s->stacks->threads.len; i++) {
		if (i == 0 || !s->few_names ||
		    !picture_is_numbered(picture_thread(&s->picture, (int)i)))
			err = stack_name_thread(s->stacks, i);
	}
	return err;
}

struct error *snapshot_name(struct snapshot *s)
{
	struct error *err = stack_name(s->stacks);

	if (!err)
		err = name_threads(s);
	if (!err)
		err = names_find(&s->picture, s->stacks->session->symbols,
				 s->stacks->session->sources);
	/* Of thousands of threads the pages are most of what ompdb holds. */
	memory_release(s->stacks->session->target->memory);
	if (!err && s->stitches)
		err = stitch(s->stacks, &s->picture, &s->stitched);
	return err;
}
