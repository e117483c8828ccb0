/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/probe_jumps.h"

#include "target/code/call_site.h"

struct listener {
	void (*found)(void *context, taddr to);
	void *context;
};

static enum call_way tell(void *context, taddr target)
{
	const struct listener *l = context;

	l->found(l->context, target);
	return WAY_NOWHERE;
}

void probe_jumps_find(const struct session *s, taddr from, void (*found)(void *context, taddr to),
		      void *context)
{
	struct listener l = { found, context };
	struct call_left left[CALL_LEFT_MAX];
	taddr goal;
	struct call_sites *calls = call_sites_new(s->target, s->unwinder);

	if (calls)
		call_site_left(calls, from, tell, &l, left, &goal);
	call_sites_free(calls);
}
