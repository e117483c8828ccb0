/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/work_source.h"

#include <string.h>

void work_sources_fini(struct work_sources *l)
{
	vec_for_each (source, l)
		constructs_fini(&(*source)->around);
	vec_fini_all(l);
}

/* NULL: it cannot be read, or memory is out. */
static const struct work_source *read_source(struct work_sources *l, struct session *s,
					     const struct source_frame *at, bool *failed)
{
	vec_for_each (known, l) {
		if ((*known)->line == at->line && !strcmp((*known)->file, at->file))
			return *known;
	}
	struct work_source *source = calloc(1, sizeof(*source));
	bool known = false;
	if (!source) {
		*failed = true;
		return NULL;
	}
	*source = (struct work_source){ .file = at->file, .line = at->line };
	struct error *err = source_around(s, at->file, at->line, &source->around, &known);
	if (!err && known && vec_push(l, source))
		return source;
	*failed |= err || known;
	constructs_fini(&source->around);
	free(source);
	return NULL;
}

const struct construct *work_source_find(struct work_sources *l, struct session *s,
					 const struct source_frame *at, unsigned int unwanted,
					 int *ret_section, bool *failed)
{
	const unsigned int gives_out = DIRECTIVE_WORKSHARE | DIRECTIVE_TASK | DIRECTIVE_LOOP;
	const unsigned int borders =
		DIRECTIVE_PARALLEL | DIRECTIVE_TASK | DIRECTIVE_TEAMS | DIRECTIVE_TARGET;
	const struct work_source *source = at->file ? read_source(l, s, at, failed) : NULL;

	for (size_t i = 0; source && i < source->around.items.len; i++) {
		const struct construct *c = &source->around.items.items[i];
		unsigned int parts = c->directive.parts;
		if (!strcmp(c->directive.name, "section"))
			*ret_section = c->line;
		bool is_loop = parts & DIRECTIVE_SECTIONS ||
			       (parts & DIRECTIVE_LOOPS && parts & gives_out);
		if (is_loop && !(parts & unwanted))
			return c;
		/* Who makes the tasks of a taskloop is in what is around that. */
		bool passes = is_loop && parts & unwanted & DIRECTIVE_TASK &&
			      !(parts & DIRECTIVE_PARALLEL);
		if (parts & borders && !passes)
			break;
	}
	return NULL;
}
