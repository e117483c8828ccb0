/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/lines.h"

#include <string.h>

struct error *lines_push(struct lines *l, struct line_source *s)
{
	if (l->depth == LINES_DEPTH_MAX)
		return error_new(ERROR_USAGE, "max depth of commands in commands (%d) is exceeded",
				 LINES_DEPTH_MAX);
	s->outer = l->innermost;
	l->innermost = s;
	l->depth++;
	return NULL;
}

void lines_pop(struct lines *l)
{
	l->innermost = l->innermost->outer;
	l->depth--;
}

static struct error *next_of_text(struct line_source *s, const char *prompt, struct buf *ret,
				  bool *ret_more)
{
	struct text_source *t = (struct text_source *)s;

	(void)prompt;
	buf_clear(ret);
	*ret_more = *t->at != '\0';
	while (*t->at) {
		size_t len = strcspn(t->at, "\n");
		const char *end = t->at + len;
		size_t kept = len && end[-1] == '\r' ? len - 1 : len;
		bool goes_on = kept && *end && t->at[kept - 1] == '\\';
		buf_add(ret, t->at, goes_on ? kept - 1 : kept);
		t->at = end + (*end == '\n');
		s->line++;
		if (!goes_on)
			break;
	}
	return buf_ok(ret) ? NULL : &error_nomem;
}

void text_source_init(struct text_source *t, const char *text, const char *name)
{
	*t = (struct text_source){ .source = { .next = next_of_text, .name = name }, .at = text };
}
