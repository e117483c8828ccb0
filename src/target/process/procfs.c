/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/procfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/sorted.h"

enum {
	STATUS_MOST = 1 << 20, /* bytes; 65,536 supplementary groups fit */
	STAT_MOST = 1024,
	SCHEDSTAT_MOST = 128, /* three numbers */
	PATH_SIZE = 64,       /* "/proc/PID/task/LWP/NAME" */
};

void map_list_fini(struct map_list *l)
{
	vec_for_each (map, l)
		free(map->path);
	vec_fini(l);
}

struct error *map_list_take(struct map_list *l, struct map m)
{
	if (m.path && vec_push(l, m))
		return NULL;
	free(m.path);
	return &error_nomem;
}

const struct map *map_list_find(const struct map_list *l, taddr addr)
{
	size_t at = sorted_count(map, l->items, l->len, map->end <= addr);

	return at < l->len && addr >= l->items[at].start ? &l->items[at] : NULL;
}

/* --- files --- */

/* "/proc/PID/NAME", or of one thread of it. */
static void format_path(char ret[PATH_SIZE], pid_t pid, pid_t lwp, const char *name)
{
	if (lwp)
		snprintf(ret, PATH_SIZE, "/proc/%d/task/%d/%s", pid, lwp, name);
	else
		snprintf(ret, PATH_SIZE, "/proc/%d/%s", pid, name);
}

/* A file or folder that is not there belongs to somebody who is not there. */
static struct error *os_error(int errnum, const char *path)
{
	if (errnum == ENOENT)
		errnum = ESRCH;
	return error_os(errnum, "%s", path);
}

/* Reads a file of less than "size" bytes without allocating: there may be thousands. */
static struct error *read_small(const char *path, char *ret, size_t size)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;

	if (fd < 0)
		return os_error(errno, path);
	while (len < size - 1) {
		ssize_t n = read(fd, ret + len, size - 1 - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return os_error(errno, path);
		if (n == 0)
			break;
		len += (size_t)n;
	}
	ret[len] = '\0';
	return NULL;
}

struct error *procfs_status(pid_t pid, pid_t lwp, struct proc_status *ret)
{
	AUTO_BUF text = { 0 };
	char path[PATH_SIZE];

	format_path(path, pid, lwp, "status");
	struct error *err = buf_add_file(&text, path, STATUS_MOST);
	if (error_is(err, ERROR_NOT_FOUND)) {
		error_free(err);
		return os_error(ENOENT, path);
	}
	if (!err)
		procfs_parse_status(buf_text(&text), ret);
	return err;
}

long procfs_call(pid_t pid, pid_t lwp)
{
	char path[PATH_SIZE], text[STAT_MOST], *end;

	format_path(path, pid, lwp, "syscall");
	struct error *err = read_small(path, text, sizeof(text));
	const long number = err ? -1 : strtol(text, &end, 10);
	bool known = !err && end != text;

	error_ignore(err);
	return known ? number : -1;
}

/* --- stat --- */

struct error *procfs_stat(pid_t pid, pid_t lwp, struct proc_stat *ret)
{
	char path[PATH_SIZE], text[STAT_MOST];

	format_path(path, pid, lwp, "stat");
	struct error *err = read_small(path, text, sizeof(text));
	return err ? err : error_add(procfs_parse_stat(text, ret), "%s", path);
}

bool procfs_is_kernel_worker(const struct proc_stat *s)
{
	/* include/linux/sched.h: PF_IO_WORKER, PF_USER_WORKER (vhost too, from 6.4 on). */
	return s->flags & (0x10 | 0x4000);
}

/* --- use of processors --- */

struct proc_use procfs_coarse_use(const struct proc_stat *stat, const struct proc_status *status)
{
	long per_second = sysconf(_SC_CLK_TCK);
	uint64_t tick_ns = UINT64_C(1000000000) / (uint64_t)(per_second > 0 ? per_second : 100);

	return (struct proc_use){
		.cpu_ns = (stat->user_ticks + stat->kernel_ticks) * tick_ns,
		.runs = status->voluntary_switches + status->forced_switches,
	};
}

struct error *procfs_use(pid_t pid, pid_t lwp, struct proc_use *ret)
{
	char path[PATH_SIZE], text[SCHEDSTAT_MOST];
	struct proc_status status;
	struct proc_stat stat;

	format_path(path, pid, lwp, "schedstat");
	struct error *err = read_small(path, text, sizeof(text));
	if (!err)
		err = procfs_parse_schedstat(text, ret);
	if (!err)
		return NULL;
	error_ignore(err);
	err = procfs_stat(pid, lwp, &stat);
	if (!err)
		err = procfs_status(pid, lwp, &status);
	if (!err)
		*ret = procfs_coarse_use(&stat, &status);
	return err;
}

/* --- tasks and names --- */

static void close_folder(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

static int compare_lwps(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return sorted_order(x, y);
}

void lwp_list_fini(struct lwp_list *l)
{
	vec_fini(l);
}

/* The numbers that name entries of a folder. */
static struct error *list_numbers(const char *path, struct lwp_list *ret)
{
	AUTO(lwp_list_fini) struct lwp_list found = { 0 };
	AUTO(close_folder) DIR *folder = opendir(path);

	if (!folder)
		return os_error(errno, path);
	for (;;) {
		errno = 0;
		const struct dirent *entry = readdir(folder);
		if (!entry && errno)
			return os_error(errno, path);
		if (!entry)
			break;
		pid_t lwp = procfs_parse_lwp(entry->d_name);
		if (lwp < 0)
			continue;
		if (!vec_push(&found, lwp))
			return &error_nomem;
	}
	if (!found.len)
		return os_error(ESRCH, path);
	qsort(found.items, found.len, sizeof(*found.items), compare_lwps);
	lwp_list_fini(ret);
	*ret = found;
	found = (struct lwp_list){ 0 };
	return NULL;
}

struct error *procfs_tasks(pid_t pid, struct lwp_list *ret)
{
	char path[PATH_SIZE];

	format_path(path, pid, 0, "task");
	return list_numbers(path, ret);
}

size_t procfs_count_tasks(pid_t pid)
{
	enum { OF_A_DIRECTORY = 2 };
	char path[PATH_SIZE];
	struct stat st;

	format_path(path, pid, 0, "task");
	return stat(path, &st) < 0 || st.st_nlink < OF_A_DIRECTORY ? 0
								   : st.st_nlink - OF_A_DIRECTORY;
}

struct error *procfs_processes(struct lwp_list *ret)
{
	return list_numbers("/proc", ret);
}

/* Of a thread that has exited there is no program; of one that is not ours to read there may be. */
static bool lives(pid_t pid, pid_t lwp)
{
	char path[PATH_SIZE], byte;

	format_path(path, pid, lwp, "exe");
	return readlink(path, &byte, 1) >= 0 || errno == EACCES;
}

pid_t procfs_living_thread(pid_t pid)
{
	AUTO(lwp_list_fini) struct lwp_list lwps = { 0 };

	if (lives(pid, pid))
		return pid;
	error_ignore(procfs_tasks(pid, &lwps));
	vec_for_each (lwp, &lwps) {
		if (lives(pid, *lwp))
			return *lwp;
	}
	return 0;
}

void procfs_thread_name(pid_t pid, pid_t lwp, char ret[64])
{
	char path[PATH_SIZE];

	format_path(path, pid, lwp, "comm");
	struct error *err = read_small(path, ret, 64);
	if (err)
		*ret = '\0';
	error_ignore(err);
	size_t len = strlen(ret);
	if (len && ret[len - 1] == '\n')
		ret[len - 1] = '\0';
}
