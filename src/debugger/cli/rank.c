/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/rank.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debugger/job/processes.h"
#include "target/process/held.h"
#include "target/process/heritage.h"

enum {
	ANCESTORS_MOST = 16,
	NOT_FOUND = 127, /* exit statuses of shells */
	NOT_EXECUTABLE = 126,
};

static bool is_rank(pid_t pid)
{
	AUTO(rank_env_fini) struct rank_env env = { 0 };

	return process_read_env(pid, &env) && env.row;
}

/* Who has started this rank, from its parent on: the last is none. *ret_debugged: one of them, or
 * of those who have started it, is traced, by who knows of this rank then. */
static size_t find_starters(pid_t ret[ANCESTORS_MOST], bool *ret_debugged)
{
	struct proc_status status;
	pid_t pid = getpid();
	bool more = true;
	size_t n = 0;

	*ret_debugged = false;
	for (size_t i = 0; i < ANCESTORS_MOST; i++) {
		AUTO_ERROR *err = procfs_status(pid, 0, &status);
		if (err)
			break;
		*ret_debugged |= status.tracer != 0;
		pid = status.ppid;
		if (pid <= 0)
			break;
		if (more)
			ret[n++] = pid;
		more = more && is_rank(pid);
	}
	return n;
}

static void say_how_to_attach(const struct rank_env *env)
{
	char host[HOST_NAME_MAX + 1] = "this host";

	gethostname(host, sizeof(host) - 1);
	if (!env->row)
		fprintf(stderr,
			"ompdb: process %d waits for a debugger: 'ompdb -p %d' attaches to it, "
			"'kill -CONT %d' lets it go on\n",
			getpid(), getpid(), getpid());
	else if (!env->rank)
		fprintf(stderr,
			"ompdb: the ranks of this job wait for a debugger: 'ompdb -p job:%d' on %s "
			"attaches to those there, 'kill -CONT PID' lets one go on\n",
			getpid(), host);
}

/* 0: it can be executed; else errno. */
static int try(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0 || access(path, X_OK) < 0)
		return errno;
	return S_ISREG(st.st_mode) ? 0 : EACCES;
}

/* As execvp(3) searches it. */
static int search(const char *program)
{
	const char *path = getenv("PATH");
	int ret = ENOENT;

	if (strchr(program, '/'))
		return try(program);
	for (path = path ? path : "/bin:/usr/bin"; ret; path++) {
		AUTO_BUF file = { 0 };
		const size_t len = strcspn(path, ":");
		buf_add(&file, path, len); /* nothing is the current folder */
		buf_addf(&file, "%s%s", len ? "/" : "", program);
		const int tried = try(buf_text(&file));
		ret = tried == 0 || tried == EACCES ? tried : ret;
		path += len;
		if (!*path)
			break;
	}
	return ret;
}

static enum status refuse(int errnum, const char *program)
{
	const bool gone = errnum == ENOENT || errnum == ENOTDIR;

	console_error(error_os(errnum, "%s cannot be executed", program));
	return (enum status)(gone ? NOT_FOUND : NOT_EXECUTABLE);
}

enum status rank_execute(int argc, char **argv)
{
	AUTO(rank_env_fini) struct rank_env env = { 0 };
	pid_t starters[ANCESTORS_MOST];
	bool debugged;
	const int missing = search(argv[0]);

	(void)argc;
	if (missing)
		return refuse(missing, argv[0]);
	if (!process_read_env(getpid(), &env))
		return refuse(ENOMEM, argv[0]);
	const size_t n = find_starters(starters, &debugged);
	if (!debugged)
		say_how_to_attach(&env);
	/* Whoever has started what is no rank may end. */
	if (!held_wait(starters, env.row ? n : 0)) {
		console_error(error_new(ERROR_GONE,
					"%s is not executed: what has started this "
					"rank has ended",
					argv[0]));
		return STATUS_FAILED;
	}
	heritage_restore();
	execvp(argv[0], argv);
	return refuse(errno, argv[0]);
}
