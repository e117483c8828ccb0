/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/snapshot.h"

#include <stdlib.h>

#include "ompd/names.h"
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

struct error *snapshot_take(struct session *session, const struct snapshot_options *options,
			    struct snapshot **ret)
{
	AUTO_SNAPSHOT *s = calloc(1, sizeof(*s));

	if (!s)
		return &error_nomem;
	struct error *err = module_list_update(session->modules);
	if (!err)
		err = stack_collect(session, options->max_frames, &s->stacks);
	if (err)
		return err;
	const struct walk_source source = {
		.modules = session->modules,
		.unwinder = session->unwinder,
		.symbols = session->symbols,
		.raw = s->stacks->raw,
		.ompd_library = session->ompd_library,
		.icvs = options->icvs,
		.footprints = options->footprints,
	};
	if (!options->raw)
		err = walk_picture(&source, &s->picture);
	if (err)
		return err;
	s->stitches = !options->raw && !options->no_stacks;
	*ret = TAKE(s);
	return NULL;
}

struct error *snapshot_name(struct snapshot *s)
{
	struct error *err = stack_name(s->stacks);

	if (!err)
		err = names_find(&s->picture, s->stacks->session->symbols,
				 s->stacks->session->sources);
	if (!err && s->stitches)
		err = stitch(s->stacks, &s->picture, &s->stitched);
	return err;
}
