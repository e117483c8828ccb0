/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/thread_errno.h"

#include "target/modules/exports.h"
#include "target/symbols/tls.h"

/* glibc exports it for its own libraries; musl, and programs without libraries, do not. */
static const char name[] = "errno";

static taddr find(struct session *s, struct module *m, struct thread *th)
{
	struct exports *exports = NULL;
	struct tls_query query = { s->symbols, m, th, false };
	struct error *err = exports_read(s->target, m, &s->modules->budget, &exports);
	const struct export *e = err ? NULL : exports_find(exports, name);
	taddr ret = 0;

	if (!e || !e->thread_local || tls_find(&query, e->addr, &ret))
		ret = 0;
	exports_free(exports);
	error_ignore(err);
	return ret;
}

struct thread_errno thread_errno_find(struct session *s, struct thread *th)
{
	struct thread_errno ret = { 0 };

	for (size_t i = 0; i < s->modules->len && !ret.at; i++) {
		struct module *m = s->modules->items[i];
		if (exports_defines(s->target, m, name))
			ret.at = find(s, m, th);
	}
	if (ret.at && !memory_try_read(s->target->memory, ret.at, &ret.value, sizeof(ret.value)))
		ret.at = 0;
	return ret;
}

bool thread_errno_now(const struct thread_errno *e, struct target *t, uint32_t *ret)
{
	return e->at && memory_try_read(t->memory, e->at, ret, sizeof(*ret));
}

void thread_errno_put_back(const struct thread_errno *e, struct target *t)
{
	uint32_t now;

	if (!thread_errno_now(e, t, &now) || now == e->value)
		return;
	struct error *err = target_write(t, e->at, &e->value, sizeof(e->value));
	error_ignore(err);
}
