/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/job.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/sorted.h"
#include "base/text.h"
#include "debugger/job/mpir.h"
#include "debugger/job/rank_env.h"
#include "debugger/session.h"
#include "target/process/procfs.h"

enum { ENVIRONMENT_MOST = 4 << 20, MAPS_MOST = 64 << 20 };

/* A process of this host, while it is asked who belongs together. */
struct process {
	struct proc_status status; /* of its leader */
	pid_t pid;
	struct rank_env env;
	bool member; /* it may be a rank of the job that is asked for */
};

struct processes {
	struct process *items; /* by their numbers */
	size_t len, cap;
};

static void processes_fini(struct processes *all)
{
	vec_for_each (p, all)
		rank_env_fini(&p->env);
	vec_fini(all);
}

void job_fini(struct job *j)
{
	vec_for_each (m, &j->members)
		free(m->target);
	vec_fini(&j->members);
	buf_fini(&j->found);
	free(j->counted);
}

/* --- what runs here --- */

/* Empty where it cannot be read: that process is of somebody else, or has ended. */
static void read_text(struct buf *ret, pid_t pid, const char *name, size_t most)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	error_ignore(buf_add_file(ret, path, most));
}

static struct error *list_processes(struct processes *ret)
{
	AUTO(lwp_list_fini) struct lwp_list pids = { 0 };
	struct error *err = procfs_processes(&pids);

	for (size_t i = 0; !err && i < pids.len; i++) {
		AUTO_BUF environment = { 0 };
		struct process p = { .pid = pids.items[i] };
		AUTO_ERROR *ended = procfs_status(p.pid, 0, &p.status);
		if (ended)
			continue;
		read_text(&environment, p.pid, "environ", ENVIRONMENT_MOST);
		if (environment.failed ||
		    !rank_env_read(buf_text(&environment), environment.len, &p.env) ||
		    !vec_push(ret, p)) {
			rank_env_fini(&p.env);
			err = &error_nomem;
		}
	}
	return err;
}

/* NULL: there is none, or there is none any longer. */
static struct process *find(const struct processes *all, pid_t pid)
{
	size_t at = sorted_count(p, all->items, all->len, p->pid < pid);

	return at < all->len && all->items[at].pid == pid ? &all->items[at] : NULL;
}

/* Whether p descends from top. Numbers that are used again may make a circle of parents. */
static bool is_below(const struct processes *all, const struct process *p, pid_t top)
{
	for (size_t i = 0; p && i < all->len; i++) {
		if (p->status.ppid == top)
			return true;
		p = find(all, p->status.ppid);
	}
	return false;
}

/* The nearest ancestor of a rank that is none: the starter, or what has started it on this host. */
static const struct process *starter_of(const struct processes *all, const struct process *rank)
{
	const struct process *p = rank;

	for (size_t i = 0; p && p->env.row == rank->env.row && i < all->len; i++)
		p = find(all, p->status.ppid);
	return p;
}

/* --- who of them is a rank --- */

static bool has_parallel_library(pid_t pid)
{
	static const char *const libraries[] = { "/libmpi", "/libgomp.so", "/libomp.so",
						 "/libiomp5.so" };
	AUTO_BUF maps = { 0 };

	read_text(&maps, pid, "maps", MAPS_MOST);
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
		if (strstr(buf_text(&maps), libraries[i]))
			return true;
	}
	return false;
}

/* The only child of p with the same rank; NULL: it has none, or several. */
static const struct process *only_child(const struct processes *all, const struct process *p)
{
	const struct process *ret = NULL;

	vec_for_each (child, all) {
		if (!child->member || child->status.ppid != p->pid ||
		    child->env.rank != p->env.rank)
			continue;
		if (ret)
			return NULL;
		ret = child;
	}
	return ret;
}

/* The process that is a rank, of those that have got it; first: the outermost. */
static const struct process *choose(const struct processes *all, const struct process *first)
{
	const struct process *last = first;

	vec_for_each (p, all) {
		if (p->member && p->env.rank == first->env.rank && has_parallel_library(p->pid))
			return p;
	}
	for (const struct process *p = first; p; p = only_child(all, p))
		last = p;
	return last;
}

static struct error *add_member(struct job *ret, pid_t pid, int rank)
{
	struct job_member m = { .rank = rank, .pid = pid };

	if (asprintf(&m.target, "%d", pid) < 0)
		return &error_nomem;
	if (vec_push(&ret->members, m))
		return NULL;
	free(m.target);
	return &error_nomem;
}

/* One process for each rank of the members, in their order. */
static struct error *add_ranks(const struct processes *all, struct job *ret)
{
	struct error *err = NULL;

	for (int rank = -1; !err;) {
		const struct process *next = NULL;
		vec_for_each (p, all) {
			if (p->member && p->env.rank > rank &&
			    (!next || p->env.rank < next->env.rank))
				next = p;
		}
		if (!next)
			break;
		rank = next->env.rank;
		err = add_member(ret, choose(all, next)->pid, rank);
	}
	return err;
}

/* --- targets --- */

/* Marks those that have been started below top with variables of that row. */
static size_t mark_below(struct processes *all, pid_t top, const struct rank_row *row)
{
	size_t n = 0;

	vec_for_each (p, all) {
		p->member = p->env.row == row && is_below(all, p, top);
		n += p->member;
	}
	return n;
}

/* The innermost starter's row among the descendants of a process; NULL: it has started no ranks. */
static const struct rank_row *row_below(const struct processes *all, pid_t top)
{
	const struct rank_row *ret = NULL;

	vec_for_each (p, all) {
		if (p->env.row && (!ret || rank_row_is_inner(p->env.row, ret)) &&
		    is_below(all, p, top))
			ret = p->env.row;
	}
	return ret;
}

/* Marks the ranks of the job that p is a rank of. Returns who has started them here; NULL: unknown.
 */
static const struct process *mark_job_of(struct processes *all, const struct process *rank)
{
	const struct process *starter = starter_of(all, rank);

	if (!rank->env.job.len) {
		if (starter)
			mark_below(all, starter->pid, rank->env.row);
		return starter;
	}
	vec_for_each (p, all)
		p->member = p->env.row == rank->env.row &&
			    text_same(buf_text(&p->env.job), buf_text(&rank->env.job));
	return starter;
}

/* "mpiexec 4711" */
static void add_starter(struct job *ret, const struct process *starter)
{
	text_escape(&ret->found, starter->status.name, strlen(starter->status.name));
	buf_addf(&ret->found, " %d", starter->pid);
}

/* "4 of 8 ranks of mpiexec 4711, by PMI_RANK in their environment". */
static void add_how(struct job *ret, const struct process *starter, const struct rank_env *env,
		    size_t n)
{
	buf_addf(&ret->found, "%zu", n);
	if (env->size && (size_t)env->size != n)
		buf_addf(&ret->found, " of %d", env->size);
	buf_addf(&ret->found, " rank%s", n == 1 && env->size <= 1 ? "" : "s");
	if (starter) {
		buf_adds(&ret->found, " of ");
		add_starter(ret, starter);
	}
	buf_addf(&ret->found, "%s, by %s in their environment\n",
		 env->size && (size_t)env->size != n ? " on this host" : "", env->row->rank);
}

/* own: as gethostname() has it; either may have its domain behind it. */
static bool is_host(const char *name, const char *own)
{
	const size_t len = strcspn(own, ".");

	return !strcmp(name, "localhost") || !strcmp(name, own) ||
	       (!strncmp(name, own, len) && strcspn(name, ".") == len);
}

/* The ranks of a starter's table that are on this host. Any that has ended is missing. */
static struct error *add_table(struct processes *all, const struct process *starter,
			       const struct mpir *table, struct job *ret)
{
	const struct rank_row *row = row_below(all, starter->pid);
	char own[HOST_NAME_MAX + 1] = "";
	struct error *err = NULL;
	size_t here = 0;

	gethostname(own, sizeof(own) - 1);
	if (row) /* a shell may stand between */
		mark_below(all, starter->pid, row);
	for (size_t i = 0; !err && i < table->ranks.len; i++) {
		const struct mpir_rank *rank = &table->ranks.items[i];
		const struct process *p = find(all, rank->pid);
		if (!is_host(rank->host, own))
			continue;
		here++;
		/* A number that was used again is somebody else's. */
		if (p && (!p->env.row || p->env.rank == (int)i))
			err = add_member(ret, p->member ? choose(all, p)->pid : p->pid, (int)i);
		else
			ret->missing++;
	}
	buf_addf(&ret->found, "%zu rank%s of ", table->ranks.len, table->ranks.len == 1 ? "" : "s");
	add_starter(ret, starter);
	buf_addf(&ret->found, " (MPIR), %zu on this host\n", here);
	return err;
}

/* By the environment of its ranks, one of which it is, or which it has started. */
static struct error *find_by_environment(struct processes *all, const struct process *named,
					 struct job *ret)
{
	const struct rank_row *row = named->env.row ? named->env.row : row_below(all, named->pid);
	const struct process *starter = named;
	const size_t before = ret->members.len;

	if (!row)
		return error_new(
			ERROR_NOT_FOUND,
			"process %d has started no ranks of a job on this host, and is none: "
			"give the starter, such as mpiexec, or a rank",
			named->pid);
	if (named->env.row)
		starter = mark_job_of(all, named);
	else
		mark_below(all, named->pid, row);
	struct error *err = add_ranks(all, ret);
	vec_for_each (p, all) {
		if (!err && p->member) {
			const size_t n = ret->members.len - before;
			const size_t local = (size_t)p->env.local;
			add_how(ret, starter, &p->env, n);
			ret->missing += local > n ? local - n : 0;
			break;
		}
	}
	return err;
}

static struct error *find_job(const char *text, struct job *ret)
{
	AUTO(processes_fini) struct processes all = { 0 };
	AUTO(mpir_fini) struct mpir table = { 0 };
	AUTO_ERROR *doubt = NULL; /* about the table */

	if (!text_is_number(text))
		return error_new(ERROR_USAGE,
				 "a job is named by a process of it: job:PID, not job:%s", text);
	struct error *err = list_processes(&all);
	if (err)
		return err;
	const long pid = strtol(text, NULL, 10);
	const struct process *named = pid <= INT_MAX ? find(&all, (pid_t)pid) : NULL;
	if (!named)
		return session_no_process(text);
	if (!named->env.row)
		doubt = mpir_read(named->pid, &table);
	if (!doubt && table.ranks.len)
		err = add_table(&all, named, &table, ret);
	else
		err = find_by_environment(&all, named, ret);
	if (err && doubt) {
		error_free(err);
		return TAKE(doubt);
	}
	if (doubt)
		buf_addf(&ret->found, "note: %s\n", error_message(doubt));
	return err ? err : ret->found.failed ? &error_nomem : NULL;
}

/* Whether a process runs that program: by the name of its file, or that of its first thread. */
static bool runs(const struct process *p, const char *program)
{
	char path[64], file[PATH_MAX];

	snprintf(path, sizeof(path), "/proc/%d/exe", p->pid);
	const ssize_t len = readlink(path, file, sizeof(file) - 1);
	if (len < 0) /* of the kernel, or not ours to look at */
		return false;
	file[len] = '\0';
	const char *slash = strrchr(file, '/');
	return !strcmp(slash ? slash + 1 : file, program) || !strcmp(p->status.name, program);
}

static int by_rank(const void *a, const void *b)
{
	const struct job_member *x = a, *y = b;
	int order = sorted_order(x->rank, y->rank);

	return order ? order : sorted_order(x->pid, y->pid);
}

static struct error *find_program(const char *program, struct job *ret)
{
	AUTO(processes_fini) struct processes all = { 0 };
	struct error *err = list_processes(&all);
	const size_t before = ret->members.len;

	for (size_t i = 0; !err && i < all.len; i++) {
		const struct process *p = &all.items[i];
		if (p->pid != getpid() && p->status.uids[0] == getuid() && runs(p, program))
			err = add_member(ret, p->pid, p->env.row ? p->env.rank : -1);
	}
	if (!err && ret->members.len == before)
		return error_new(ERROR_NOT_FOUND, "no process of yours runs a program called '%s'",
				 program);
	if (err)
		return err;
	const size_t n = ret->members.len - before;
	qsort(ret->members.items + before, n, sizeof(*ret->members.items), by_rank);
	buf_addf(&ret->found, n == 1 ? "%zu process that runs " : "%zu processes that run ", n);
	text_escape(&ret->found, program, strlen(program));
	buf_addc(&ret->found, '\n');
	return ret->found.failed ? &error_nomem : NULL;
}

static const struct group {
	const char *prefix;
	struct error *(*find)(const char *name, struct job *ret);
} groups[] = {
	{ "job:", find_job },
	{ "name:", find_program },
};

static const struct group *group_of(const char *target)
{
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		if (text_starts_with(target, groups[i].prefix))
			return &groups[i];
	}
	return NULL;
}

bool job_is_group(const char *target)
{
	return group_of(target) != NULL;
}

struct error *job_find(const char *target, struct job *ret)
{
	const struct group *group = group_of(target);
	struct job_member m = { .rank = -1 };

	if (group) {
		struct error *err = group->find(target + strlen(group->prefix), ret);
		if (err || !ret->missing || ret->counted)
			return err;
		ret->counted = strdup(target);
		return ret->counted ? NULL : &error_nomem;
	}
	if (text_is_number(target))
		m.pid = (pid_t)strtol(target, NULL, 10);
	m.target = strdup(target);
	if (m.target && vec_push(&ret->members, m))
		return NULL;
	free(m.target);
	return &error_nomem;
}

bool job_is_as_it_was(const struct job *j)
{
	AUTO_JOB now = { 0 };
	struct error *err = j->counted ? job_find(j->counted, &now) : NULL;
	bool same = !err && now.missing == j->missing && now.members.len == j->members.len;

	for (size_t i = 0; same && i < now.members.len; i++)
		same = now.members.items[i].pid == j->members.items[i].pid;
	error_ignore(err);
	return same;
}

bool job_has_ranks(const struct job *j)
{
	for (size_t i = 0; i < j->members.len; i++) {
		if (j->members.items[i].rank < 0 ||
		    (i && j->members.items[i].rank <= j->members.items[i - 1].rank))
			return false;
	}
	return true;
}
