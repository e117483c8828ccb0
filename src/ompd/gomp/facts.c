/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/facts.h"

#include "ompd/gomp/getter.h"

enum { NOTHING = -1 };

/*
 * What an accessor returns: through thread-local storage (one load tells "first", a second one
 * "second"), or from a variable, or one or the other. A variable that is a lock is not returned,
 * but locked.
 */
struct accessor {
	const char *name;
	int8_t since;
	uint8_t nloads; /* 0: never through thread-local storage */
	int8_t first, second;
	int8_t variable;
};

static const struct accessor accessors[] = {
	{ "omp_get_thread_num", 0, 1, GOMP_FACT_TEAM_ID, NOTHING, NOTHING },
	{ "omp_get_level", 0, 1, GOMP_FACT_LEVEL, NOTHING, NOTHING },
	{ "omp_get_active_level", 0, 1, GOMP_FACT_ACTIVE_LEVEL, NOTHING, NOTHING },
	{ "omp_get_num_threads", 0, 2, GOMP_FACT_TEAM, GOMP_FACT_NTHREADS, NOTHING },
	{ "omp_get_ancestor_thread_num", 0, 2, GOMP_FACT_TEAM, GOMP_FACT_PREV_TEAM_ID, NOTHING },
	{ "omp_in_final", 0, 2, GOMP_FACT_TASK, GOMP_FACT_FINAL, NOTHING },
	{ "omp_get_max_threads", 0, 2, GOMP_FACT_TASK, GOMP_FACT_ICV, GOMP_STATIC_ICV },
	{ "omp_get_dynamic", 0, 2, GOMP_FACT_TASK, GOMP_FACT_DYN, NOTHING },
	{ "omp_get_thread_limit", 0, 2, GOMP_FACT_TASK, GOMP_FACT_THREAD_LIMIT, NOTHING },
	{ "omp_get_max_active_levels", 0, 2, GOMP_FACT_TASK, GOMP_FACT_MAX_ACTIVE_LEVELS,
	  GOMP_STATIC_MAX_ACTIVE_LEVELS },
	{ "omp_get_num_teams", 0, 1, GOMP_FACT_NUM_TEAMS, NOTHING, GOMP_STATIC_NUM_TEAMS },
	{ "omp_get_team_num", 0, 1, GOMP_FACT_TEAM_NUM, NOTHING, GOMP_STATIC_TEAM_NUM },
	{ "omp_get_cancellation", 0, 0, NOTHING, NOTHING, GOMP_STATIC_CANCEL },
	{ "omp_get_num_procs", 0, 0, NOTHING, NOTHING, GOMP_STATIC_NUM_PROCS },
	{ "GOMP_critical_start", 0, 0, NOTHING, NOTHING, GOMP_STATIC_DEFAULT_LOCK },
	{ "GOMP_atomic_start", 0, 0, NOTHING, NOTHING, GOMP_STATIC_ATOMIC_LOCK },
	{ "omp_get_max_task_priority", 6, 0, NOTHING, NOTHING, GOMP_STATIC_MAX_TASK_PRIORITY },
	{ "omp_get_default_allocator", 11, 1, GOMP_FACT_ALLOCATOR, NOTHING, GOMP_STATIC_ALLOCATOR },
	{ "omp_get_max_teams", 12, 0, NOTHING, NOTHING, GOMP_STATIC_MAX_TEAMS },
	{ "omp_get_teams_thread_limit", 12, 0, NOTHING, NOTHING, GOMP_STATIC_TEAMS_THREAD_LIMIT },
};

void gomp_facts_init(struct gomp_facts *f)
{
	*f = (struct gomp_facts){ 0 };
	for (size_t i = 0; i < GOMP_NUM_FACTS; i++)
		f->at[i] = GOMP_NO_FACT;
}

const char *gomp_facts_accessor(size_t n, int *ret_since)
{
	if (n >= sizeof(accessors) / sizeof(accessors[0]))
		return NULL;
	*ret_since = accessors[n].since;
	return accessors[n].name;
}

static void tell(struct gomp_facts *f, int fact, int64_t at)
{
	if (at < 0 || at > UINT16_MAX)
		f->contradicts = true;
	else if (f->at[fact] == GOMP_NO_FACT)
		f->at[fact] = (int32_t)at;
	else if (f->at[fact] != at)
		f->contradicts = true;
}

/*
 * Where gomp_thread is. In executables the linker has put offsets into the code, perhaps those of
 * fields (%fs:-104), and each function may start from another one: gomp_thread starts before its
 * team_id by what libgomp.h has in every release.
 */
static int64_t tell_thread(struct gomp_facts *f, const struct gomp_path *p)
{
	static const struct gomp_layout any;
	uint64_t team_id = (uint64_t)gomp_layout_fact(&any, GOMP_FACT_TEAM_ID);
	uint64_t at = (uint64_t)p->tpoff + (uint64_t)p->at[0];

	if (f->at[GOMP_FACT_TEAM_ID] == GOMP_NO_FACT) {
		f->slot = p->slot;
		f->tpoff = p->slot ? 0 : (int64_t)(at - team_id);
	}
	if (f->slot != p->slot)
		f->contradicts = true;
	return (int64_t)(at - (uint64_t)f->tpoff);
}

static bool is_lock(int8_t variable)
{
	return variable == GOMP_STATIC_DEFAULT_LOCK || variable == GOMP_STATIC_ATOMIC_LOCK;
}

void gomp_facts_add(struct gomp_facts *f, size_t n, const uint8_t *code, size_t len, uint64_t pc)
{
	const struct accessor *a = &accessors[n];
	const struct gomp_path *p;
	struct gomp_getter g;

	gomp_getter_follow(code, len, pc, &g);
	p = a->nloads ? gomp_getter_find(&g, GOMP_ROOT_THREAD, a->nloads) : NULL;
	if (p && !p->add) {
		int64_t at = tell_thread(f, p);

		tell(f, a->first, at);
		if (a->nloads > 1)
			tell(f, a->second, p->at[1]);
	} else if (p && a->first == GOMP_FACT_NUM_TEAMS && p->add == 1) {
		tell(f, a->first, tell_thread(f, p));
	}
	if (a->variable == NOTHING)
		return;
	if (is_lock(a->variable)) {
		if (g.locks.root == GOMP_ROOT_STATIC && !g.locks.nloads)
			f->variables[a->variable] =
				(struct gomp_variable){ (uint64_t)g.locks.add, 4 };
		return;
	}
	p = gomp_getter_find(&g, GOMP_ROOT_STATIC, 1);
	if (p && !p->add)
		f->variables[a->variable] = (struct gomp_variable){ (uint64_t)p->at[0], p->size };
}

/* What has moved from variables to threads or tasks must not still come from a variable alone. */
static bool is_moved(const struct gomp_facts *f, const struct gomp_layout *l)
{
	for (size_t n = 0; n < sizeof(accessors) / sizeof(accessors[0]); n++) {
		const struct accessor *a = &accessors[n];
		int fact = a->nloads > 1 ? a->second : a->first;

		if (a->nloads && a->variable != NOTHING && f->variables[a->variable].address &&
		    f->at[fact] == GOMP_NO_FACT &&
		    gomp_layout_fact(l, (enum gomp_fact)fact) != GOMP_NO_FACT)
			return false;
	}
	return true;
}

bool gomp_facts_agree(const struct gomp_facts *f, const struct gomp_layout *l)
{
	if (f->contradicts)
		return false;
	for (int i = 0; i < GOMP_NUM_FACTS; i++) {
		if (f->at[i] == GOMP_NO_FACT && i >= GOMP_NUM_REQUIRED_FACTS)
			continue;
		if (f->at[i] != gomp_layout_fact(l, (enum gomp_fact)i))
			return false;
	}
	return is_moved(f, l);
}
