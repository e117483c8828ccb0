/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/refusal.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target/elf/elf_header.h"

/* Name of a user for a message: "anna (uid 1000)". */
static void user_name(uid_t uid, char *ret, size_t size)
{
	const struct passwd *pw = getpwuid(uid);

	if (pw)
		snprintf(ret, size, "%s (uid %u)", pw->pw_name, uid);
	else
		snprintf(ret, size, "uid %u", uid);
}

/* The program's ELF header, through any thread that still shows it: a dead leader does not. */
static bool read_header(pid_t pid, Elf64_Ehdr *ret)
{
	AUTO(lwp_list_fini) struct lwp_list lwps = { 0 };

	error_ignore(procfs_tasks(pid, &lwps));
	vec_for_each (lwp, &lwps) {
		char path[64];
		snprintf(path, sizeof(path), "/proc/%d/task/%d/exe", pid, *lwp);
		AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0)
			return pread(fd, ret, sizeof(*ret), 0) == (ssize_t)sizeof(*ret);
		if (errno == EACCES)
			return false; /* not ours to read: attaching will tell */
	}
	return false;
}

/*
 * Of a thread that has just been reaped, or replaced by the one that called execve(2), the kernel
 * knows no number of threads (Linux fs/proc/array.c, task_sig()): another look tells which it was.
 */
static struct error *read_status(pid_t id, struct proc_status *ret)
{
	enum { LOOKS = 10 };
	struct error *err = NULL;

	ret->threads = 0;
	for (int look = 0; !err && look < LOOKS && ret->threads == 0; look++)
		err = procfs_status(id, 0, ret);
	return err;
}

struct error *refusal_check(pid_t id, struct proc_status *ret, const struct arch **ret_arch)
{
	Elf64_Ehdr header;
	struct error *err =
		id > 0 ? read_status(id, ret) : error_new(ERROR_GONE, "not a process id");

	if (err && error_is(err, ERROR_NOT_PERMITTED))
		return err;
	if (err || ret->tgid <= 0) {
		error_ignore(err);
		return error_new(ERROR_NOT_FOUND, "there is no process %d: 'ps -e' lists them all",
				 id);
	}
	if (ret->tgid == getpid())
		return error_new(ERROR_UNSUPPORTED,
				 "process %d is ompdb itself, which cannot look at itself", id);
	if (ret->kernel_thread)
		return error_new(ERROR_UNSUPPORTED,
				 "process %d (%s) is a kernel thread: it runs no user code that "
				 "could be looked at",
				 id, ret->name);
	if (ret->state == 'Z' && ret->threads <= 1)
		return error_new(ERROR_UNSUPPORTED,
				 "process %d (%s) has already ended: it is a zombie whose parent, "
				 "process %d, has not collected its exit status",
				 id, ret->name, ret->ppid);
	*ret_arch = &arch_x86_64;
	if (!read_header(ret->tgid, &header))
		return NULL;
	return error_add(elf_header_arch(&header, ret_arch), "process %d (%s)", id, ret->name);
}

static struct error *explain_tracer(pid_t pid, pid_t tracer)
{
	struct proc_status by = { 0 };

	error_ignore(procfs_status(tracer, 0, &by));
	return error_new(ERROR_NOT_PERMITTED,
			 "process %d is already being traced by process %d (%s), and the kernel "
			 "allows one tracer only: detach or end that one first",
			 pid, tracer, *by.name ? by.name : "unknown");
}

static bool has_ptrace_capability(void)
{
	struct proc_status self = { 0 };

	error_ignore(procfs_status(getpid(), 0, &self));
	return self.cap_eff >> CAP_SYS_PTRACE & 1;
}

static struct error *explain_yama(pid_t pid, int scope)
{
	static const char *const meaning[] = {
		[1] = "only a process's own ancestors may trace it (Yama, "
		      "kernel.yama.ptrace_scope=1): run ompdb as root, or allow it with 'sudo "
		      "sysctl kernel.yama.ptrace_scope=0'",
		[2] = "only root may trace processes (Yama, kernel.yama.ptrace_scope=2): run "
		      "ompdb as root",
		[3] = "nobody may trace processes until the next boot (Yama, "
		      "kernel.yama.ptrace_scope=3): set it to 1 or 0 in /etc/sysctl.d and reboot, "
		      "or look at a core file",
	};

	return error_new(ERROR_NOT_PERMITTED, "process %d: %s", pid,
			 meaning[scope < 1 || scope > 3 ? 1 : scope]);
}

static int yama_scope(void)
{
	AUTO_BUF text = { 0 };

	error_ignore(buf_add_file(&text, "/proc/sys/kernel/yama/ptrace_scope", 64));
	return atoi(buf_text(&text));
}

static pid_t any_tracer(pid_t pid)
{
	AUTO(lwp_list_fini) struct lwp_list lwps = { 0 };

	error_ignore(procfs_tasks(pid, &lwps));
	vec_for_each (lwp, &lwps) {
		struct proc_status status = { 0 };
		error_ignore(procfs_status(pid, *lwp, &status));
		if (status.tracer)
			return status.tracer;
	}
	return 0;
}

/* The kernel gives the files of a process that must not be dumped to root (proc(5)). */
static bool is_dumpable(pid_t pid, uid_t uid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	return stat(path, &st) < 0 || st.st_uid == uid;
}

struct error *refusal_explain(pid_t pid)
{
	struct proc_status status = { 0 };
	struct error *err = procfs_status(pid, 0, &status);
	char user[128];

	if (err || status.state == 'X' || (status.state == 'Z' && status.threads <= 1)) {
		error_ignore(err);
		return error_new(ERROR_GONE, "process %d ended while ompdb attached to it", pid);
	}
	pid_t tracer = any_tracer(pid);
	if (tracer)
		return explain_tracer(pid, tracer);
	int scope = yama_scope();
	bool capable = has_ptrace_capability();
	if (scope == 3 || (scope == 2 && !capable))
		return explain_yama(pid, scope);
	if (geteuid() == 0 && !capable)
		return error_new(ERROR_NOT_PERMITTED,
				 "process %d: root lacks the capability CAP_SYS_PTRACE here, as in "
				 "most containers: start the container with --cap-add=SYS_PTRACE",
				 pid);
	user_name(status.uid, user, sizeof(user));
	if (!capable && status.uid != geteuid())
		return error_new(ERROR_NOT_PERMITTED,
				 "process %d belongs to user %s: run ompdb as that user or as root",
				 pid, user);
	if (!capable && !is_dumpable(pid, status.uid))
		return error_new(
			ERROR_NOT_PERMITTED,
			"process %d (%s) is protected against being looked at, as programs "
			"with special privileges are: run ompdb as root",
			pid, status.name);
	if (scope == 1 && !capable)
		return explain_yama(pid, scope);
	return error_new(
		ERROR_NOT_PERMITTED,
		"the kernel does not permit to trace process %d (%s): a security module or "
		"a container's seccomp filter may forbid ptrace",
		pid, status.name);
}
