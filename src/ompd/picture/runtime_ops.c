/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/runtime_ops.h"

#include <string.h>

#include "base/text.h"

const struct runtime_entry *runtime_entry(const struct runtime_ops *ops, const char *name)
{
	for (size_t i = 0; name && ops->entries[i]; i++) {
		for (const struct runtime_entry *e = ops->entries[i]; e->start; e++) {
			if (text_starts_with(name, e->start))
				return e;
		}
	}
	return NULL;
}

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return n <= len && !strcmp(name + len - n, end);
}

const struct loop_call *runtime_loop_call(const struct runtime_ops *ops, const char *name)
{
	for (size_t i = 0; name && ops->loop_calls && ops->loop_calls[i]; i++) {
		for (const struct loop_call *c = ops->loop_calls[i]; c->start; c++) {
			if (text_starts_with(name, c->start) && ends_with(name, c->end))
				return c;
		}
	}
	return NULL;
}

static bool is_named(const char *name, const char *pattern)
{
	size_t len = strlen(pattern);

	return pattern[len - 1] == '*' ? !strncmp(name, pattern, len - 1) : !strcmp(name, pattern);
}

const struct user_call *runtime_user_call(const struct runtime_ops *ops, const char *name)
{
	for (size_t i = 0; name && ops->user_calls && ops->user_calls[i]; i++) {
		for (const struct user_call *c = ops->user_calls[i]; c->name; c++) {
			if (is_named(name, c->name))
				return c->calls != SPAN_WAITS ? c : NULL;
		}
	}
	return NULL;
}

enum wait_kind runtime_entry_wait(const struct runtime_entry *e)
{
	bool waits = e && e->kind && (e->effect == FLOW_NOTHING || e->effect == FLOW_TAKE);

	return waits ? e->kind : WAIT_RUNTIME;
}

bool runtime_starts_with(const char *const *list, const char *name)
{
	for (; list && *list; list++) {
		if (text_starts_with(name, *list))
			return true;
	}
	return false;
}
