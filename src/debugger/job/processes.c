/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/processes.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/sorted.h"
#include "base/text.h"

enum { ENVIRONMENT_MOST = 4 << 20, MAPS_MOST = 64 << 20 };

void processes_fini(struct processes *all)
{
	vec_for_each (p, all)
		rank_env_fini(&p->env);
	vec_fini(all);
}

/* --- what runs here --- */

/* Empty where it cannot be read: that process is of somebody else, or has ended. */
static void read_text(struct buf *ret, pid_t pid, const char *name, size_t most)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	error_ignore(buf_add_file(ret, path, most));
}

bool process_read_env(pid_t pid, struct rank_env *ret)
{
	AUTO_BUF environment = { 0 };

	read_text(&environment, pid, "environ", ENVIRONMENT_MOST);
	return !environment.failed && rank_env_read(buf_text(&environment), environment.len, ret);
}

struct error *processes_list(struct processes *ret)
{
	AUTO(lwp_list_fini) struct lwp_list pids = { 0 };
	struct error *err = procfs_processes(&pids);

	for (size_t i = 0; !err && i < pids.len; i++) {
		struct process p = { .pid = pids.items[i] };
		AUTO_ERROR *ended = procfs_status(p.pid, 0, &p.status);
		if (ended)
			continue;
		if (!process_read_env(p.pid, &p.env) || !vec_push(ret, p)) {
			rank_env_fini(&p.env);
			err = &error_nomem;
		}
	}
	return err;
}

/* NULL: there is none, or there is none any longer. */
struct process *processes_find(const struct processes *all, pid_t pid)
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
		p = processes_find(all, p->status.ppid);
	}
	return false;
}

/* The nearest ancestor of a rank that is none: the starter, or what has started it on this host. */
const struct process *processes_starter_of(const struct processes *all, const struct process *rank)
{
	const struct process *p = rank;

	for (size_t i = 0; p && p->env.row == rank->env.row && i < all->len; i++)
		p = processes_find(all, p->status.ppid);
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
const struct process *processes_choose(const struct processes *all, const struct process *first)
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

/* --- whose job it is --- */

/* Marks those that have been started below top with variables of that row. */
void processes_mark_below(struct processes *all, pid_t top, const struct rank_row *row)
{
	vec_for_each (p, all)
		p->member = p->env.row == row && is_below(all, p, top);
}

/* The innermost starter's row among the descendants of a process; NULL: it has started no ranks. */
const struct rank_row *processes_row_below(const struct processes *all, pid_t top)
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
const struct process *processes_mark_job_of(struct processes *all, const struct process *rank)
{
	const struct process *starter = processes_starter_of(all, rank);

	if (!rank->env.job.len) {
		if (starter)
			processes_mark_below(all, starter->pid, rank->env.row);
		return starter;
	}
	vec_for_each (p, all)
		p->member = p->env.row == rank->env.row &&
			    text_same(buf_text(&p->env.job), buf_text(&rank->env.job));
	return starter;
}

bool process_is_mine(const struct process *p)
{
	return getuid() == 0 || p->status.uids[0] == getuid();
}
