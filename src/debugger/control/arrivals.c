/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/arrivals.h"

#include "ompd/own_numbers.h"
#include "target/process/condition.h"

void arrivals_fini(struct arrivals *a)
{
	vec_fini(a);
	buf_fini(&a->team);
	buf_fini(&a->size);
}

/* Compiled once: runtimes are asked where they keep it, which takes time. */
static struct error *compile(struct arrivals *a, const struct session *s)
{
	const struct own_numbers_source source = { s->modules, s->symbols, s->ompd_library };
	struct own_numbers_known known;

	if (a->team.len && a->generation == s->modules->generation &&
	    a->nmodules == s->modules->len)
		return NULL;
	a->team.len = a->size.len = 0;
	a->generation = s->modules->generation;
	a->nmodules = s->modules->len;
	struct error *err = own_numbers_compile(&source, OWN_TEAM, &a->team, &known);
	if (!err)
		err = own_numbers_compile(&source, OWN_TEAM_SIZE, &a->size, &known);
	if (!err && known.late) /* that may be the one that matters next time */
		a->generation--;
	return err;
}

static size_t read_memory(void *context, taddr from, void *ret, size_t len)
{
	struct target *t = context;

	return memory_try_read(t->memory, from, ret, len) ? len : 0;
}

static bool compute(struct target *t, struct thread *th, const struct buf *code, uint64_t *ret)
{
	const uint8_t *general;
	struct error *err = target_general(t, th, &general);

	if (err) {
		error_ignore(err);
		return false;
	}
	const struct condition_subject subject = {
		.arch = t->arch, .general = general, .read = read_memory, .context = t
	};
	return buf_ok(code) &&
	       condition_value((const uint8_t *)code->data, code->len, &subject, ret);
}

static size_t count(const struct arrivals *a, taddr team)
{
	size_t n = 0;

	vec_for_each (here, a)
		n += here->team == team;
	return n;
}

static void drop_team(struct arrivals *a, taddr team)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->len; i++) {
		if (a->items[i].team != team)
			a->items[kept++] = a->items[i];
	}
	a->len = kept;
}

void arrivals_leave(struct arrivals *a, pid_t lwp)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->len; i++) {
		if (a->items[i].lwp != lwp)
			a->items[kept++] = a->items[i];
	}
	a->len = kept;
}

struct error *arrivals_enter(struct arrivals *a, const struct session *s, struct thread *th,
			     bool *ret_all)
{
	uint64_t team, size;
	struct error *err = compile(a, s);

	if (err)
		return err;
	if (!compute(s->target, th, &a->team, &team) || !compute(s->target, th, &a->size, &size))
		return error_new(ERROR_UNSUPPORTED,
				 "the team of a thread at a barrier cannot be read");
	*ret_all = size <= 1;
	if (*ret_all)
		return NULL;
	arrivals_leave(a, th->lwp);
	if (!vec_grow(&a->items, &a->cap, a->len, sizeof(*a->items)))
		return &error_nomem;
	a->items[a->len].team = team;
	a->items[a->len++].lwp = th->lwp;
	*ret_all = count(a, team) >= size;
	if (*ret_all)
		drop_team(a, team);
	return NULL;
}
