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

struct error *snapshot_take(struct target *t, const struct snapshot_options *options,
			    struct snapshot **ret)
{
	AUTO_SNAPSHOT *s = calloc(1, sizeof(*s));

	if (!s)
		return &error_nomem;
	struct error *err = stack_collect(t, &options->stack, &s->stacks);
	if (err)
		return err;
	const struct walk_source source = {
		.modules = stack_modules(s->stacks),
		.unwinder = stack_unwinder(s->stacks),
		.symbols = stack_symbols(s->stacks),
		.raw = stack_raw(s->stacks),
		.ompd_library = options->ompd_library,
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
		err = names_find(&s->picture, stack_symbols(s->stacks));
	return err || !s->stitches ? err : stitch(s->stacks, &s->picture, &s->stitched);
}
