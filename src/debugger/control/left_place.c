/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/left_place.h"

#include <string.h>

#include "debugger/snapshot.h"
#include "ompd/names.h"

static struct error *locate(struct session *s, taddr pc, struct source_place *ret)
{
	const struct source_frame *levels;
	size_t len;
	struct error *err = symbol_locate(s->symbols, pc, &levels, &len);

	if (!err)
		*ret = (struct source_place){ .pc = pc,
					      .file = levels->file,
					      .line = levels->line };
	return err;
}

/* The line is that of the jump; of several, where it is one. */
static struct error *locate_jump(struct session *s, const struct call_left *left,
				 struct source_place *ret)
{
	struct source_place other;
	struct error *err = locate(s, left->njumps ? left->jumps[0] : left->function, ret);
	bool one_line = left->njumps;

	for (size_t i = 1; !err && i < left->njumps; i++) {
		err = locate(s, left->jumps[i], &other);
		one_line = one_line && !err && other.line == ret->line;
	}
	if (!err && !one_line)
		ret->line = 0;
	return err;
}

static struct error *name_region(struct session *s, struct picture *p, int region,
				 struct source_place *ret)
{
	struct error *err = names_find(p, s->symbols, s->sources);
	const struct picture_region *r = picture_region(p, region);

	*ret = (struct source_place){ .pc = r->place.pc,
				      .file = r->place.file,
				      .line = r->place.line };
	return err;
}

struct error *left_place_find(struct session *s, const struct thread *th, bool ended,
			      struct source_place *ret)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = true };
	AUTO_SNAPSHOT *snapshot = NULL;
	struct error *err = snapshot_take(s, &options, &snapshot);

	*ret = (struct source_place){ 0 };
	for (size_t i = 0; !err && i < snapshot->picture.threads.len; i++) {
		const struct picture_thread *at = &snapshot->picture.threads.items[i];
		const struct span *span = spans_innermost(&at->spans);
		if (at->lwp == th->lwp && ended && at->region >= 0)
			return name_region(s, &snapshot->picture, at->region, ret);
		if (at->lwp == th->lwp && !ended && span && span->nleft)
			return locate_jump(s, &span->left[span->nleft - 1], ret);
	}
	return err;
}

static bool copy(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return !from || *to;
}

struct error *left_place_report(struct session *s, const struct source_place *at,
				struct report_place *ret)
{
	const struct module *m = module_at(s->modules, at->pc);
	const char *outlined = NULL;

	report_place_fini(ret);
	*ret = (struct report_place){
		.pc = at->pc,
		.function = outlined_text(s->symbols, at, false, &outlined),
		.line = at->line,
		.known = true,
	};
	bool fine = copy(&ret->outlined, outlined) && copy(&ret->module, m ? m->path : NULL) &&
		    copy(&ret->file, at->line ? at->file : NULL);
	return fine ? NULL : &error_nomem;
}
