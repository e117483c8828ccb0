/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/callee.h"

void callee_fini(struct callee_search *s)
{
	vec_fini(&s->unbound);
	vec_fini(&s->modules);
}

static bool is_of_interest(const struct runtime *r, const char *name)
{
	return runtime_entry(r->ops, name) || runtime_loop_call(r->ops, name);
}

/* A relocation: the name is kept as the runtime has it. */
static bool look_at_slot(void *context, taddr slot, uint32_t type, const char *name, int64_t addend)
{
	struct callee_search *s = context;
	const struct runtime_list *l = &s->w->runtimes;
	const struct export *e = NULL;

	(void)type;
	(void)addend;
	for (size_t i = 0; i < l->len && !e; i++) {
		const struct runtime *r = &l->items[i];
		bool may = r->exports && is_of_interest(r, name);
		e = may ? exports_find(r->exports, name) : NULL;
		if (e)
			s->w->failed |= !vec_push(&s->unbound,
						  ((struct unbound_call){ slot, { r, e->name } }));
	}
	return !s->w->failed;
}

static void read_unbound(struct callee_search *s, const struct module *m)
{
	struct module_list *modules = s->w->runtimes.modules;
	struct exports *exports = NULL;

	vec_for_each (known, &s->modules) {
		if (*known == m)
			return;
	}
	s->w->failed |= !vec_push(&s->modules, m);
	struct error *err = exports_read(s->w->target, m, &modules->budget, &exports);
	if (!err)
		err = exports_relocations(exports, look_at_slot, s);
	error_ignore(err);
	exports_free(exports);
}

struct callee callee_find(struct callee_search *s, taddr target)
{
	const struct runtime_list *l = &s->w->runtimes;
	const struct runtime *r = target ? runtime_at(l, target) : NULL;
	const struct module *m = target && !r ? module_at(l->modules, target) : NULL;

	if (r)
		return (struct callee){ r, runtime_function_at(l, r, target) };
	if (m && runtime_code_of(m) == CODE_USER)
		read_unbound(s, m);
	vec_for_each (u, &s->unbound) {
		if (u->slot == target)
			return u->called;
	}
	return (struct callee){ 0 };
}
