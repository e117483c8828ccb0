/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/runtime_ops.h"

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
