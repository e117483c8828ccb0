/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/job.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/sorted.h"
#include "base/text.h"
#include "debugger/job/mpir.h"
#include "debugger/job/processes.h"
#include "debugger/session.h"
#include "target/process/procfs.h"

enum { TABLE_MOST = 64 << 20 };

/* How names of targets begin by which hosts ask each other. */
#define RANKS "ranks:"
#define KEY   "key:"
#define ANY   "any:"
#define TABLE "table:"

void job_fini(struct job *j)
{
	vec_for_each (m, &j->members)
		free(m->target);
	vec_fini(&j->members);
	job_hosts_fini(&j->hosts);
	buf_fini(&j->found);
	free(j->counted);
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

/* --- ranks --- */

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
		err = add_member(ret, processes_choose(all, next)->pid, rank);
	}
	return err;
}

/* --- targets --- */

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

static void get_own_name(char name[HOST_NAME_MAX + 1])
{
	name[0] = name[HOST_NAME_MAX] = '\0';
	gethostname(name, HOST_NAME_MAX);
}

/* A rank of another host: its pid is that host's. */
static struct error *add_elsewhere(struct job *ret, const struct mpir_rank *rank, int number)
{
	if (!host_is_name(rank->host)) {
		buf_addf(&ret->found, "note: the host of rank %d has no name of one\n", number);
		return NULL;
	}
	struct job_host *host = job_hosts_add(&ret->hosts, rank->host);
	return host && vec_push(&host->ranks, number) && vec_push(&host->pids, rank->pid)
		       ? NULL
		       : &error_nomem;
}

/*
 * How ranks are found on other hosts: by their numbers there, if a table has them; by what their
 * environment has in common with that of a rank here; or because there are no others.
 */
static struct error *give_hows(struct job *ret, const struct rank_env *rank)
{
	vec_for_each (host, &ret->hosts) {
		AUTO_BUF how = { 0 };
		if (host->how)
			continue;
		for (size_t i = 0; i < host->pids.len; i++)
			buf_addf(&how, "%s%ld.%ld", i ? "," : RANKS, host->ranks.items[i],
				 host->pids.items[i]);
		if (!how.len && rank)
			buf_addf(&how, KEY "%016" PRIx64, rank_env_key(rank));
		else if (!how.len)
			buf_adds(&how, ANY);
		host->how = how.failed ? NULL : strdup(buf_text(&how));
		if (!host->how)
			return &error_nomem;
	}
	return NULL;
}

/* The ranks of a starter's table that are on this host. Any that has ended is missing. told: just
 * now, so that no number was used again, and ranks may be of several worlds. */
static struct error *add_table(struct processes *all, const struct process *starter,
			       const struct mpir *table, bool told, struct job *ret)
{
	const struct rank_row *row = processes_row_below(all, starter->pid);
	char own[HOST_NAME_MAX + 1];
	struct error *err = NULL;
	const size_t missing = ret->missing;
	size_t here = 0;

	get_own_name(own);
	if (row) /* a shell may stand between */
		processes_mark_below(all, starter->pid, row);
	for (size_t i = 0; !err && i < table->ranks.len; i++) {
		const struct mpir_rank *rank = &table->ranks.items[i];
		const struct process *p = processes_find(all, rank->pid);
		if (!host_is_own(rank->host, own)) {
			err = add_elsewhere(ret, rank, (int)i);
			continue;
		}
		here++;
		/* A number that was used again is somebody else's. */
		if (p && (told || !p->env.row || p->env.rank == (int)i))
			err = add_member(
				ret, p->member && !told ? processes_choose(all, p)->pid : p->pid,
				(int)i);
		else
			ret->missing++;
	}
	ret->elsewhere += table->ranks.len - here;
	buf_addf(&ret->found, "%zu rank%s of ", table->ranks.len, table->ranks.len == 1 ? "" : "s");
	add_starter(ret, starter);
	buf_addf(&ret->found, " (MPIR), %zu on this host", here);
	if (ret->missing > missing)
		buf_addf(&ret->found, ", %zu of them not there", ret->missing - missing);
	buf_addc(&ret->found, '\n');
	return err ? err : give_hows(ret, NULL);
}

/* self: what this host is called in the list, too. */
static struct error *give_hosts(struct job *j, const char *list, const char *self)
{
	AUTO(job_hosts_fini) struct job_hosts hosts = { 0 };
	char own[HOST_NAME_MAX + 1];
	struct error *err = hosts_read_list(list, &hosts);

	get_own_name(own);
	vec_for_each (host, &hosts) {
		if (!err && !host_is_own(host->name, own) && strcmp(host->name, self) != 0 &&
		    !job_hosts_add(&j->hosts, host->name))
			err = &error_nomem;
	}
	return err;
}

struct error *job_give_hosts(struct job *j, const char *list)
{
	return give_hosts(j, list, "");
}

/* What is said of ranks that are not here alone. */
static struct error *add_ranks_of_environment(struct processes *all, const struct process *starter,
					      struct job *ret)
{
	const size_t before = ret->members.len;
	struct error *err = add_ranks(all, ret);

	vec_for_each (p, all) {
		if (err || !p->member)
			continue;
		const size_t n = ret->members.len - before;
		const size_t local = (size_t)p->env.local;
		add_how(ret, starter, &p->env, n);
		ret->missing += local > n ? local - n : 0;
		if (local && (size_t)p->env.size > local)
			ret->elsewhere += (size_t)p->env.size - local;
		if (p->env.hosts.len)
			err = give_hosts(ret, buf_text(&p->env.hosts), buf_text(&p->env.host));
		if (error_is(err, ERROR_USAGE)) {
			buf_addf(&ret->found, "note: %s: %s\n", p->env.row->hosts,
				 error_message(err));
			error_free(err);
			err = NULL;
		}
		return err ? err : give_hows(ret, &p->env);
	}
	return err;
}

/* A rank of another job than the member p is of: each has one of its own of the same number. */
static const struct process *rank_of_another(const struct processes *all, const struct process *p)
{
	const struct process *starter = processes_starter_of(all, p);

	vec_for_each (other, all) {
		if (other->member && other->env.rank == p->env.rank &&
		    (!text_same(buf_text(&other->env.job), buf_text(&p->env.job)) ||
		     (!p->env.job.len && processes_starter_of(all, other) != starter)))
			return other;
	}
	return NULL;
}

static struct error *check_one_job(const struct processes *all, pid_t top)
{
	vec_for_each (p, all) {
		const struct process *other = p->member ? rank_of_another(all, p) : NULL;
		if (other)
			return error_new(
				ERROR_NOT_FOUND,
				"process %d has started ranks of several jobs: give a rank of "
				"one, such as %d or %d",
				top, p->pid, other->pid);
	}
	return NULL;
}

/* By the environment of its ranks, one of which it is, or which it has started. */
static struct error *find_by_environment(struct processes *all, const struct process *named,
					 struct job *ret)
{
	const struct rank_row *row =
		named->env.row ? named->env.row : processes_row_below(all, named->pid);
	const struct process *starter = named;

	if (!row && ret->hosts.len) {
		buf_adds(&ret->found, "no ranks of ");
		add_starter(ret, named);
		buf_adds(&ret->found, " on this host\n");
		return give_hows(ret, NULL);
	}
	if (!row)
		return error_new(
			ERROR_NOT_FOUND,
			"process %d has started no ranks of a job on this host, and is none: "
			"give the starter, such as mpiexec, or a rank; and the hosts of its job, "
			"if it has others (--hosts)",
			named->pid);
	struct error *err = NULL;
	if (named->env.row) {
		starter = processes_mark_job_of(all, named);
	} else {
		processes_mark_below(all, named->pid, row);
		err = check_one_job(all, named->pid);
	}
	return err ? err : add_ranks_of_environment(all, starter, ret);
}

static struct error *find_job(const char *text, struct job *ret)
{
	AUTO_PROCESSES all = { 0 };
	AUTO(mpir_fini) struct mpir table = { 0 };
	AUTO_ERROR *doubt = NULL; /* about the table */

	if (!text_is_number(text))
		return error_new(ERROR_USAGE,
				 "a job is named by a process of it: job:PID, not job:%s", text);
	struct error *err = processes_list(&all);
	if (err)
		return err;
	const long pid = strtol(text, NULL, 10);
	const struct process *named = pid <= INT_MAX ? processes_find(&all, (pid_t)pid) : NULL;
	if (!named)
		return session_no_process(text);
	if (!named->env.row)
		doubt = mpir_read(named->pid, &table);
	if (!doubt && table.ranks.len)
		err = add_table(&all, named, &table, false, ret);
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

struct error *job_find_told(pid_t starter, const struct mpir *table, struct job *ret)
{
	AUTO_PROCESSES all = { 0 };
	struct error *err = processes_list(&all);
	const struct process *named = processes_find(&all, starter);

	if (!err && !named)
		err = error_new(ERROR_GONE, "process %d has ended", starter);
	if (!err)
		err = add_table(&all, named, table, true, ret);
	return err ? err : ret->found.failed ? &error_nomem : NULL;
}

struct error *job_find_started(pid_t starter, struct job *ret)
{
	AUTO_PROCESSES all = { 0 };
	struct error *err = processes_list(&all);
	const struct process *named = processes_find(&all, starter);

	if (!err && !named)
		err = error_new(ERROR_GONE, "process %d has ended", starter);
	return err ? err : find_by_environment(&all, named, ret);
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
	return !strcmp(text_last_part(file), program) || !strcmp(p->status.name, program);
}

static int by_rank(const void *a, const void *b)
{
	const struct job_member *x = a, *y = b;
	int order = sorted_order(x->rank, y->rank);

	return order ? order : sorted_order(x->pid, y->pid);
}

static struct error *find_program(const char *program, struct job *ret)
{
	AUTO_PROCESSES all = { 0 };
	struct error *err = processes_list(&all);
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

/* --- on another host than the one on which the command was given --- */

/* "0.4711,2.4713" */
static struct error *find_numbers(const char *text, struct job *ret)
{
	AUTO_PROCESSES all = { 0 };
	struct error *err = processes_list(&all);

	for (const char *at = text; !err;) {
		int rank, pid, len = 0;
		if (sscanf(at, "%9d.%9d%n", &rank, &pid, &len) != 2 || rank < 0 || pid <= 0 ||
		    (at[len] && at[len] != ','))
			return error_new(ERROR_USAGE,
					 RANKS "%s: ranks are given as in " RANKS "0.4711,2.4713",
					 text);
		const struct process *p = processes_find(&all, pid);
		if (p && (!p->env.row || p->env.rank == rank))
			err = add_member(ret, pid, rank);
		else
			ret->missing++;
		at += len;
		if (!*at++)
			break;
	}
	return err;
}

/* Ranks without anything that tells their job from others must be of one starter. */
static struct error *find_marked(struct processes *all, struct job *ret)
{
	const struct process *starter = NULL;
	size_t n = 0;

	vec_for_each (p, all) {
		const struct process *own = p->member ? processes_starter_of(all, p) : NULL;
		if (own && starter && own != starter && !p->env.job.len)
			return error_new(
				ERROR_NOT_FOUND,
				"several jobs have ranks there, and nothing in the environment "
				"of these tells them apart");
		starter = own ? own : starter;
		n += p->member;
	}
	if (!n)
		return error_new(ERROR_NOT_FOUND, "no ranks of the job are there");
	return add_ranks_of_environment(all, starter, ret);
}

static struct error *find_key(const char *text, struct job *ret)
{
	AUTO_PROCESSES all = { 0 };
	struct error *err = processes_list(&all);
	const uint64_t key = strtoull(text, NULL, 16);

	vec_for_each (p, &all)
		p->member = p->env.row && process_is_mine(p) && rank_env_key(&p->env) == key;
	return err ? err : find_marked(&all, ret);
}

static struct error *find_any(const char *text, struct job *ret)
{
	AUTO_PROCESSES all = { 0 };
	struct error *err = processes_list(&all);

	const struct rank_row *row = NULL;

	(void)text;
	vec_for_each (p, &all) {
		if (p->env.row && process_is_mine(p) &&
		    (!row || rank_row_is_inner(p->env.row, row)))
			row = p->env.row;
	}
	vec_for_each (p, &all)
		p->member = row && p->env.row == row && process_is_mine(p);
	return err ? err : find_marked(&all, ret);
}

static struct error *find_in_table(const char *text, struct job *ret)
{
	AUTO_BUF table = { 0 };
	char own[HOST_NAME_MAX + 1];
	struct error *err = buf_add_fd(&table, STDIN_FILENO, TABLE_MOST);

	(void)text;
	get_own_name(own);
	for (char *line = table.data, *end; !err && line && (end = strchr(line, '\n'));
	     line = end + 1) {
		char *how = memchr(line, ' ', (size_t)(end - line));
		if (!how)
			break;
		*how++ = *end = '\0';
		if (host_is_own(line, own))
			return job_is_group(how) && !text_starts_with(how, TABLE)
				       ? job_find(how, ret)
				       : session_no_process(how);
	}
	return err ? err : error_new(ERROR_NOT_FOUND, "host %s is not in the table of hosts", own);
}

static const struct group {
	const char *prefix;
	struct error *(*find)(const char *name, struct job *ret);
} groups[] = {
	{ "job:", find_job }, { "name:", find_program }, { RANKS, find_numbers },
	{ KEY, find_key },    { ANY, find_any },         { TABLE, find_in_table },
};

static const struct group *group_of(const char *target)
{
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		if (text_starts_with(target, groups[i].prefix))
			return &groups[i];
	}
	return NULL;
}

/* By the name of its program up to a point: "mpiexec.hydra", "mpirun.openmpi". */
bool job_is_starter(pid_t pid)
{
	static const char *const names[] = { "mpiexec", "mpirun", "orterun", "prterun",
					     "prun",    "srun",   "aprun",   "jsrun" };
	struct proc_status status;
	AUTO_ERROR *gone = procfs_status(pid, 0, &status);

	for (size_t i = 0; !gone && i < sizeof(names) / sizeof(*names); i++) {
		const size_t len = strlen(names[i]);
		if (!strncmp(status.name, names[i], len) &&
		    (!status.name[len] || status.name[len] == '.'))
			return true;
	}
	return false;
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

struct error *job_check_there(const struct job *j)
{
	if (!j->missing || j->members.len || j->hosts.len)
		return NULL;
	return error_new(
		ERROR_GONE,
		"none of the job's %zu ranks on this host is there: they have ended, or have "
		"not begun yet",
		j->missing);
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
