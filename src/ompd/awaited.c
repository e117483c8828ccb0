/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/awaited.h"

#include <ctype.h>
#include <string.h>

#include "ompd/source_tokens.h"

static bool leaves(const struct source_token *t)
{
	static const char *const words[] = { "return",   "goto",  "break", "continue",
					     "co_await", "throw", "try",   "longjmp" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (t->kind == SOURCE_NAME && source_token_is(t, words[i]))
			return true;
	}
	return false;
}

/* All tasks that the task has made are over, whatever they depend on. */
static bool waits(const struct buf *pragma)
{
	static const char *const names[] = { "taskwait", "barrier" };
	const char *text = buf_text(pragma);

	text += strspn(text, " \t");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *rest = text + strlen(names[i]);
		if (!strncmp(text, names[i], strlen(names[i])) && !rest[strspn(rest, " \t\n")])
			return true;
	}
	return false;
}

/* "#if" and its like between two places: what is between may not be there. */
static bool has_conditions(const char *from, const char *to)
{
	for (const char *p = from; (p = memchr(p, '\n', (size_t)(to - p)));) {
		p += 1 + strspn(p + 1, " \t");
		if (p >= to)
			break;
		if (*p != '#')
			continue;
		p += 1 + strspn(p + 1, " \t");
		if (!strncmp(p, "if", 2) || !strncmp(p, "el", 2) || !strncmp(p, "end", 3))
			return true;
	}
	return false;
}

/* The end of a block, and not of a lambda or a list. */
static bool is_block_end(struct source_tokens *t)
{
	const struct source_position before = t->here;
	struct source_token next;

	source_tokens_next(t, &next);
	t->here = before;
	return !(next.kind == SOURCE_CHAR && memchr(";,()", *next.at, 4)) &&
	       next.kind != SOURCE_END;
}

/* From behind the task's construct on: in its block, or in one around that. */
static bool finds_wait(struct source_tokens *t, const char *from, bool cxx, int last)
{
	struct source_token next;
	size_t deeper = 0;

	for (source_tokens_next(t, &next); next.kind != SOURCE_END; source_tokens_next(t, &next)) {
		if (leaves(&next) || (last && next.line > last) ||
		    (cxx && next.kind == SOURCE_CHAR && *next.at == '('))
			return false;
		if (next.kind == SOURCE_PRAGMA && !deeper && waits(&t->pragma))
			return !has_conditions(from, next.at);
		if (next.kind != SOURCE_CHAR)
			continue;
		if (*next.at == '{')
			deeper++;
		else if (*next.at == '}' && deeper)
			deeper--;
		else if (*next.at == '}' && !is_block_end(t))
			return false;
	}
	return false;
}

bool awaited_is(const char *text, size_t len, bool cxx, const struct awaited_task *task)
{
	struct source_tokens t;
	struct source_token next;
	struct source_position before;
	bool begun = false, ret = false;

	source_tokens_init(&t, text, len);
	do {
		before = t.here;
		source_tokens_next(&t, &next);
		begun |= next.kind == SOURCE_PRAGMA && next.line == task->line;
	} while (next.kind != SOURCE_END && next.line <= task->end);
	t.here = before;
	if (begun && next.kind != SOURCE_END)
		ret = finds_wait(&t, before.at, cxx, task->last);
	source_tokens_fini(&t);
	return ret;
}
