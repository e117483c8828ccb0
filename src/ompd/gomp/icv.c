/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/icv.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "ompd/gomp/environment.h"

enum source {
	FROM_VARIABLE, /* of libgomp's, number "at" */
	FROM_THREAD,   /* struct gomp_thread        */
	FROM_TEAM,
	FROM_TASK,
	FROM_ICV, /* gomp_task_icv of a task */
};

enum form { NUMBER, TRUTH, BINDING, SCHEDULE };

struct row {
	const char *name;
	enum source source;
	uint16_t at; /* of its bytes, from the start of the source */
	uint8_t size;
	enum form form;
	ompd_scope_t scope; /* that is enumerated */
	const char *environment;
};

/*
 * OpenMP 5.2, table 2.3. Some names must exist with the prefix "ompd-" too (20.5.10.1). An id is
 * the number of its row, from 1.
 */
#define MEMBER(type, member) offsetof(struct type, member), sizeof(((struct type *)NULL)->member)
#define THREAD(name, member)                                                                       \
	{                                                                                          \
		name, FROM_THREAD, MEMBER(gomp_thread, member), NUMBER, ompd_scope_thread, NULL    \
	}
#define TEAM(name, member)                                                                         \
	{                                                                                          \
		name, FROM_TEAM, MEMBER(gomp_team, member), NUMBER, ompd_scope_parallel, NULL      \
	}
#define TASK(name, member)                                                                         \
	{                                                                                          \
		name, FROM_TASK, MEMBER(gomp_task, member), TRUTH, ompd_scope_task, NULL           \
	}
#define VARIABLE(name, at, form, env)                                                              \
	{                                                                                          \
		name, FROM_VARIABLE, at, 0, form, ompd_scope_address_space, env                    \
	}
#define ICV(name, at, size, form, env)                                                             \
	{                                                                                          \
		name, FROM_ICV, at, size, form, ompd_scope_task, env                               \
	}
static const struct row rows[] = {
	ICV("nthreads-var", GOMP_ICV_NTHREADS, 8, NUMBER, "OMP_NUM_THREADS"),
	ICV("dyn-var", GOMP_ICV_DYN, 1, TRUTH, "OMP_DYNAMIC"),
	ICV("run-sched-var", GOMP_ICV_RUN_SCHED, 4, SCHEDULE, "OMP_SCHEDULE"),
	ICV("max-active-levels-var", GOMP_ICV_LEVELS, 1, NUMBER, "OMP_MAX_ACTIVE_LEVELS"),
	ICV("nest-var", GOMP_ICV_LEVELS, 1, TRUTH, "OMP_NESTED"),
	ICV("bind-var", GOMP_ICV_BIND, 1, BINDING, "OMP_PROC_BIND"),
	ICV("thread-limit-var", GOMP_ICV_THREAD_LIMIT, 4, NUMBER, "OMP_THREAD_LIMIT"),
	ICV("default-device-var", GOMP_ICV_DEVICE, 4, NUMBER, "OMP_DEFAULT_DEVICE"),
	VARIABLE("max-active-levels-var", GOMP_STATIC_MAX_ACTIVE_LEVELS, NUMBER,
		 "OMP_MAX_ACTIVE_LEVELS"),
	VARIABLE("cancel-var", GOMP_STATIC_CANCEL, TRUTH, "OMP_CANCELLATION"),
	VARIABLE("max-task-priority-var", GOMP_STATIC_MAX_TASK_PRIORITY, NUMBER,
		 "OMP_MAX_TASK_PRIORITY"),
	VARIABLE("num-procs-var", GOMP_STATIC_NUM_PROCS, NUMBER, NULL),
	VARIABLE("ompd-num-procs-var", GOMP_STATIC_NUM_PROCS, NUMBER, NULL),
	VARIABLE("nteams-var", GOMP_STATIC_MAX_TEAMS, NUMBER, "OMP_NUM_TEAMS"),
	VARIABLE("teams-thread-limit-var", GOMP_STATIC_TEAMS_THREAD_LIMIT, NUMBER,
		 "OMP_TEAMS_THREAD_LIMIT"),
	VARIABLE("league-size-var", GOMP_STATIC_NUM_TEAMS, NUMBER, NULL),
	VARIABLE("team-num-var", GOMP_STATIC_TEAM_NUM, NUMBER, NULL),
	THREAD("league-size-var", num_teams),
	THREAD("team-num-var", team_num),
	THREAD("def-allocator-var", allocator),
	THREAD("thread-num-var", team_id),
	THREAD("ompd-thread-num-var", team_id),
	TEAM("team-size-var", nthreads),
	TEAM("ompd-team-size-var", nthreads),
	TEAM("levels-var", level),
	TEAM("active-levels-var", active_level),
	TASK("implicit-task-var", kind),
	TASK("ompd-implicit-task-var", kind),
	TASK("final-task-var", final),
	TASK("ompd-final-task-var", final),
};

enum { NUM_ROWS = sizeof(rows) / sizeof(rows[0]) };

static bool is_at(const struct row *r, enum source source, size_t at)
{
	return r->source == source && r->at == at;
}

static bool is_in_thread(const struct gomp_layout *l, const struct row *r)
{
	if (is_at(r, FROM_THREAD, offsetof(struct gomp_thread, team_num)))
		return l->thread.team_num;
	if (is_at(r, FROM_THREAD, offsetof(struct gomp_thread, num_teams)))
		return l->thread.num_teams;
	return !is_at(r, FROM_THREAD, offsetof(struct gomp_thread, allocator)) ||
	       l->thread.allocator;
}

/* Whether this libgomp has it, and where the row says. */
static bool is_there(const ompd_address_space_handle_t *space, const struct row *r)
{
	const struct gomp_layout *l = space->layout;

	switch (r->source) {
	case FROM_VARIABLE:
		if (r->at == GOMP_STATIC_MAX_ACTIVE_LEVELS && l->max_active_levels)
			return false;
		return space->facts.variables[r->at].address;
	case FROM_THREAD:
		return is_in_thread(l, r);
	case FROM_ICV:
		return r->at != GOMP_ICV_LEVELS || (r->form == NUMBER) == l->max_active_levels;
	case FROM_TEAM:
	case FROM_TASK:
		break;
	}
	return true;
}

ompd_icv_id_t gomp_icv_next(const ompd_address_space_handle_t *space, ompd_icv_id_t current)
{
	for (ompd_icv_id_t i = current; i < NUM_ROWS; i++)
		if (is_there(space, &rows[i]))
			return i + 1;
	return 0;
}

const char *gomp_icv_name(ompd_icv_id_t id)
{
	return rows[id - 1].name;
}

ompd_scope_t gomp_icv_scope(ompd_icv_id_t id)
{
	return rows[id - 1].scope;
}

/* What a handle leads to. */
struct place {
	const ompd_address_space_handle_t *space;
	const struct gomp_thread *thread; /* NULL: it leads to none */
	const struct gomp_team *team;
	const struct gomp_task *task;
	struct gomp_task its_task;
};

static ompd_rc_t find_of_thread(ompd_thread_handle_t *h, struct place *ret)
{
	ompd_rc_t rc = gomp_task_of_handle(h, &ret->its_task);

	if (rc != ompd_rc_ok)
		return rc;
	ret->thread = &h->thread;
	ret->task = &ret->its_task;
	ret->team = gomp_team_of_handle(h);
	return ompd_rc_ok;
}

/* The task that new initial threads start as: gomp_global_icv. */
static ompd_rc_t find_of_process(struct place *ret)
{
	uint64_t icv = ret->space->facts.variables[GOMP_STATIC_ICV].address;

	ret->its_task = (struct gomp_task){ .kind = GOMP_TASK_IMPLICIT };
	if (!icv)
		return ompd_rc_ok;
	ret->task = &ret->its_task;
	return gomp_space_read(ret->space, icv, ret->its_task.icv, sizeof(ret->its_task.icv));
}

static ompd_rc_t find_place(const void *handle, ompd_scope_t scope, struct place *ret)
{
	static const uint32_t magics[] = {
		[ompd_scope_global] = GOMP_MAGIC_SPACE,
		[ompd_scope_address_space] = GOMP_MAGIC_SPACE,
		[ompd_scope_thread] = GOMP_MAGIC_THREAD,
		[ompd_scope_parallel] = GOMP_MAGIC_PARALLEL,
		[ompd_scope_implicit_task] = GOMP_MAGIC_TASK,
		[ompd_scope_task] = GOMP_MAGIC_TASK,
	};
	size_t n = (size_t)scope;
	ompd_rc_t rc;

	if (n < ompd_scope_global || n > ompd_scope_task)
		return ompd_rc_bad_input;
	rc = gomp_space_check_known(handle, magics[n]);
	if (rc != ompd_rc_ok)
		return rc;
	*ret = (struct place){ .space = ((const struct gomp_handle *)handle)->space };
	switch (magics[n]) {
	case GOMP_MAGIC_SPACE:
		return find_of_process(ret);
	case GOMP_MAGIC_THREAD:
		/* What it finds out it keeps in the handle, which is one of ours. */
		return find_of_thread((ompd_thread_handle_t *)handle, ret);
	case GOMP_MAGIC_PARALLEL:
		ret->team = &((const ompd_parallel_handle_t *)handle)->team;
		return ompd_rc_ok;
	default:
		ret->task = &((const ompd_task_handle_t *)handle)->task;
		return ompd_rc_ok;
	}
}

static const uint8_t *start_of(const struct place *p, enum source source)
{
	switch (source) {
	case FROM_VARIABLE:
		break;
	case FROM_THREAD:
		return (const uint8_t *)p->thread;
	case FROM_TEAM:
		return (const uint8_t *)p->team;
	case FROM_TASK:
		return (const uint8_t *)p->task;
	case FROM_ICV:
		return p->task ? p->task->icv : NULL;
	}
	return NULL;
}

/* As the accessors of libgomp give them. */
static uint64_t as_given(const struct row *r, uint64_t value)
{
	if (is_at(r, FROM_TASK, offsetof(struct gomp_task, kind)))
		return value == GOMP_TASK_IMPLICIT;
	if (is_at(r, FROM_ICV, GOMP_ICV_BIND))
		return (uint64_t)(int64_t)(int8_t)value;
	if (is_at(r, FROM_ICV, GOMP_ICV_THREAD_LIMIT))
		return value > INT_MAX ? INT_MAX : value;
	/* GCC 13: not asked for yet; then it is device 0. */
	if (is_at(r, FROM_ICV, GOMP_ICV_DEVICE))
		return (int32_t)value == INT_MIN ? 0 : (uint64_t)(int64_t)(int32_t)value;
	/* GFS_MONOTONIC, the sign bit, is no kind of schedule. */
	return is_at(r, FROM_ICV, GOMP_ICV_RUN_SCHED) ? value & INT_MAX : value;
}

static ompd_rc_t get(const struct place *p, const struct row *r, uint64_t *ret)
{
	const uint8_t *start = start_of(p, r->source);
	uint64_t value = 0;

	if (r->source == FROM_VARIABLE)
		return gomp_space_variable(p->space, (enum gomp_static)r->at, ret);
	if (!start)
		return ompd_rc_unavailable;
	memcpy(&value, start + r->at, r->size);
	/* omp_get_default_allocator(): the thread's, or else the process's. */
	if (is_at(r, FROM_THREAD, offsetof(struct gomp_thread, allocator)) && !value)
		return gomp_space_variable(p->space, GOMP_STATIC_ALLOCATOR, ret);
	*ret = as_given(r, value);
	return ompd_rc_ok;
}

/* The scopes in which an ICV makes sense: more than the one that is enumerated. */
static bool fits(const struct row *r, ompd_scope_t scope)
{
	static const uint32_t scopes[] = {
		[FROM_VARIABLE] = 1U << ompd_scope_address_space | 1U << ompd_scope_global,
		[FROM_THREAD] = 1U << ompd_scope_thread,
		[FROM_TEAM] = 1U << ompd_scope_parallel | 1U << ompd_scope_thread,
		[FROM_TASK] = 1U << ompd_scope_task | 1U << ompd_scope_implicit_task |
			      1U << ompd_scope_thread,
		[FROM_ICV] = ~(1U << ompd_scope_parallel),
	};

	return scopes[r->source] >> scope & 1;
}

/* The value, and where it is from. */
static ompd_rc_t find(const void *handle, ompd_scope_t scope, ompd_icv_id_t id, struct place *place,
		      uint64_t *ret)
{
	ompd_rc_t rc = find_place(handle, scope, place);

	if (rc != ompd_rc_ok)
		return rc;
	if (!id || id > NUM_ROWS || !is_there(place->space, &rows[id - 1]) ||
	    !fits(&rows[id - 1], scope))
		return ompd_rc_bad_input;
	return get(place, &rows[id - 1], ret);
}

/* A name of the standard's, or the number of what has none. */
static void print_name(const char *const *names, size_t n, uint64_t value, char *ret, size_t size)
{
	if (value < n)
		snprintf(ret, size, "%s", names[value]);
	else
		snprintf(ret, size, "%lld", (long long)value);
}

/* OpenMP 5.2, 21.1.1 and 21.2.1 */
static void print_schedule(const struct place *p, char ret[GOMP_ICV_TEXT])
{
	static const char *const kinds[] = { "runtime", "static", "dynamic", "guided", "auto" };
	uint32_t sched = gomp_u32(p->task->icv + GOMP_ICV_RUN_SCHED);
	uint32_t chunk = gomp_u32(p->task->icv + GOMP_ICV_CHUNK);
	char kind[24];

	print_name(kinds, sizeof(kinds) / sizeof(kinds[0]), sched & INT_MAX, kind, sizeof(kind));
	snprintf(ret, GOMP_ICV_TEXT, "%s%s,%d", sched > INT_MAX ? "monotonic:" : "", kind,
		 (int)chunk);
}

/* OpenMP 5.2, 21.1.7 */
static const char *const bindings[] = { "false", "true", "primary", "close", "spread" };
enum { NUM_BINDINGS = sizeof(bindings) / sizeof(bindings[0]) };

static void print(const struct place *p, const struct row *r, uint64_t value,
		  char ret[GOMP_ICV_TEXT])
{
	static const char *const truths[] = { "false", "true" };

	switch (r->form) {
	case NUMBER:
		print_name(NULL, 0, value, ret, GOMP_ICV_TEXT);
		return;
	case TRUTH:
		print_name(truths, 2, value != 0, ret, GOMP_ICV_TEXT);
		return;
	case BINDING:
		print_name(bindings, NUM_BINDINGS, value, ret, GOMP_ICV_TEXT);
		return;
	case SCHEDULE:
		print_schedule(p, ret);
		return;
	}
}

/* ---- Lists ---- */

/* An item as a user has written it. false: it is none. */
static bool parse(const struct row *r, const char *item, uint64_t *ret)
{
	char *end;

	if (r->form != BINDING) {
		*ret = strtoull(item, &end, 10);
		return *ret && !*end;
	}
	/* The name that it had until OpenMP 5.1. */
	if (!strcmp(item, "master"))
		item = "primary";
	for (*ret = 0; *ret < NUM_BINDINGS && strcmp(item, bindings[*ret]);)
		++*ret;
	return *ret < NUM_BINDINGS;
}

/* The level of the region that a place is in. false: not known. */
static bool find_level(const struct place *p, uint32_t *ret)
{
	struct gomp_team team;

	*ret = 0;
	if (!p->task || !p->task->team)
		return p->task;
	if (gomp_team_read(p->space, p->task->team, &team) != ompd_rc_ok)
		return false;
	*ret = team.level;
	return true;
}

/* libgomp has understood the list if it has begun with the first item. */
static bool is_first(const struct place *p, const struct row *r, uint64_t value)
{
	struct place process = { .space = p->space };
	uint64_t now;

	return find_of_process(&process) == ompd_rc_ok && process.task &&
	       get(&process, r, &now) == ompd_rc_ok && now == value;
}

/*
 * ",3,2": what the regions further in will have. libgomp keeps these lists where nothing exported
 * leads to. gomp_team_start() gives the tasks of a region the item that has the number of its
 * level. Empty: there is nothing, or it is not known.
 */
static void print_rest(const struct place *p, const struct row *r, char ret[GOMP_ICV_TEXT])
{
	bool is_list = is_at(r, FROM_ICV, GOMP_ICV_NTHREADS) || is_at(r, FROM_ICV, GOMP_ICV_BIND);
	char list[GOMP_ENVIRONMENT_VALUE], item[GOMP_ENVIRONMENT_ITEM], text[GOMP_ICV_TEXT];
	size_t at = 0, len = 0;
	uint32_t level, n = 0;
	uint64_t value;

	*ret = '\0';
	if (!is_list || !find_level(p, &level) ||
	    !gomp_environment_get(p->space, r->environment, list))
		return;
	do {
		if (!gomp_environment_next(list, &at, item) || !parse(r, item, &value) ||
		    (!n && !is_first(p, r, value)) || len + sizeof(item) >= GOMP_ICV_TEXT) {
			*ret = '\0';
			return;
		}
		if (n++ <= level)
			continue;
		print(p, r, value, text);
		len += (size_t)snprintf(ret + len, GOMP_ICV_TEXT - len, ",%s", text);
	} while (list[at]);
}

static void print_all(const struct place *p, const struct row *r, uint64_t value,
		      char ret[GOMP_ICV_TEXT])
{
	char rest[GOMP_ICV_TEXT];
	size_t len;

	print(p, r, value, ret);
	print_rest(p, r, rest);
	len = strlen(ret);
	snprintf(ret + len, GOMP_ICV_TEXT - len, "%s", rest);
}

/* ---- What clients ask ---- */

ompd_rc_t gomp_icv_get(const void *handle, ompd_scope_t scope, ompd_icv_id_t id, ompd_word_t *ret)
{
	struct place place;
	char rest[GOMP_ICV_TEXT];
	uint64_t value;
	ompd_rc_t rc = find(handle, scope, id, &place, &value);

	if (rc != ompd_rc_ok)
		return rc;
	*ret = (ompd_word_t)value;
	print_rest(&place, &rows[id - 1], rest);
	return *rest ? ompd_rc_incomplete : ompd_rc_ok;
}

ompd_rc_t gomp_icv_get_text(const void *handle, ompd_scope_t scope, ompd_icv_id_t id,
			    char ret[GOMP_ICV_TEXT])
{
	struct place place;
	uint64_t value;
	ompd_rc_t rc = find(handle, scope, id, &place, &value);

	if (rc == ompd_rc_ok)
		print_all(&place, &rows[id - 1], value, ret);
	return rc;
}

/*
 * What is known from the environment alone, how its values begin, and the release that brought it.
 * libgomp ignores other values.
 */
static const struct {
	const char *name;
	int since;
	const char *starts[6];
} variables[] = {
	{ "OMP_ALLOCATOR", 11, { "omp_" } },
	{ "OMP_PLACES", 4, { "{", "threads", "cores", "sockets", "ll_caches", "numa_domains" } },
	{ "OMP_STACKSIZE", 0, { "" } },
	{ "OMP_TARGET_OFFLOAD", 11, { "default", "disabled", "mandatory" } },
	{ "OMP_WAIT_POLICY", 0, { "active", "passive" } },
};

enum {
	NUM_VARIABLES = sizeof(variables) / sizeof(variables[0]),
	LINE = 32 + GOMP_ICV_TEXT,
};

/* OpenMP 5.2, 21.2.2: a number and perhaps a unit. */
static bool is_size(const char *item)
{
	size_t digits = strspn(item, "0123456789");

	return digits && strspn(item + digits, " \tbkmg") == strlen(item + digits);
}

static bool is_valid(size_t variable, const char *value)
{
	char item[GOMP_ENVIRONMENT_ITEM];
	size_t at = 0;

	gomp_environment_next(value, &at, item);
	for (size_t i = 0; i < 6 && variables[variable].starts[i]; i++) {
		const char *start = variables[variable].starts[i];

		if (*start ? !strncmp(item, start, strlen(start)) : is_size(item))
			return true;
	}
	return false;
}

static bool print_variable(const ompd_address_space_handle_t *space, size_t variable,
			   char ret[GOMP_ENVIRONMENT_VALUE])
{
	return space->release.least >= variables[variable].since &&
	       gomp_environment_get(space, variables[variable].name, ret) &&
	       is_valid(variable, ret);
}

ompd_rc_t gomp_icv_display(const ompd_address_space_handle_t *space, const char *const **ret)
{
	enum { MOST = NUM_ROWS + NUM_VARIABLES };
	struct place place = { .space = space };
	char text[GOMP_ICV_TEXT], *line;
	const char **vector;
	uint64_t value = 0;
	size_t n = 0;
	ompd_rc_t rc = find_of_process(&place);

	if (rc != ompd_rc_ok)
		return rc;
	vector = gomp_client_alloc((MOST + 1) * sizeof(*vector) + MOST * LINE);
	if (!vector)
		return ompd_rc_nomem;
	line = (char *)&vector[MOST + 1];
	for (size_t i = 0; i < MOST; i++) {
		const char *name =
			i < NUM_ROWS ? rows[i].environment : variables[i - NUM_ROWS].name;

		if (i >= NUM_ROWS) {
			if (!print_variable(space, i - NUM_ROWS, text))
				continue;
		} else if (!name || !is_there(space, &rows[i]) ||
			   get(&place, &rows[i], &value) != ompd_rc_ok) {
			continue;
		} else {
			print_all(&place, &rows[i], value, text);
		}
		snprintf(line, LINE, "%s=%s", name, text);
		vector[n++] = line;
		line += LINE;
	}
	*ret = vector;
	return ompd_rc_ok;
}
