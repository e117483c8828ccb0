/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/refusal.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_root.h"
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

/* Name of a group for a message: "staff (gid 50)". */
static void group_name(gid_t gid, char *ret, size_t size)
{
	const struct group *group = getgrgid(gid);

	if (group)
		snprintf(ret, size, "%s (gid %u)", group->gr_name, gid);
	else
		snprintf(ret, size, "gid %u", gid);
}

/* The program's ELF header, through any thread that still shows it: a dead leader does not. */
static bool read_header(pid_t pid, Elf64_Ehdr *ret)
{
	struct file_root *root = file_root_new();
	AUTO_FILE exe = FILE_CLOSED;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/exe", pid, procfs_living_thread(pid));
	struct error *err = root ? file_root_open_link(root, path, &exe) : &error_nomem;
	bool found = !err && file_read_at(exe.fd, 0, ret, sizeof(*ret)) == sizeof(*ret);
	error_ignore(err);
	file_root_free(root);
	return found;
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

/* --- why attaching was refused --- */

/* What the kernel compares (ptrace_may_access(9), Linux kernel/ptrace.c). */
struct attempt {
	pid_t pid;
	struct proc_status target, self;
	bool capable; /* ompdb has CAP_SYS_PTRACE, in its own user namespace */
	int scope;    /* of Yama; 0: no limit, or no Yama                    */
};

/* The first thread's tracer that is not 0, a thread; 0: nobody traces any. */
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

static struct error *for_its_tracer(const struct attempt *a)
{
	pid_t tracer = any_tracer(a->pid);
	struct proc_status by = { 0 };

	if (!tracer)
		return NULL;
	error_ignore(procfs_status(tracer, 0, &by));
	return error_new(ERROR_NOT_PERMITTED,
			 "process %d is already being traced by process %d (%s), and the kernel "
			 "allows one tracer only: detach or end that one first",
			 a->pid, by.tgid ? by.tgid : tracer, *by.name ? by.name : "unknown");
}

static int yama_scope(void)
{
	AUTO_BUF text = { 0 };

	error_ignore(buf_add_file(&text, "/proc/sys/kernel/yama/ptrace_scope", 64));
	return atoi(buf_text(&text));
}

static struct error *explain_yama(const struct attempt *a)
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

	return error_new(ERROR_NOT_PERMITTED, "process %d: %s", a->pid,
			 meaning[a->scope < 1 || a->scope > 3 ? 1 : a->scope]);
}

/* What Yama forbids whoever it is. */
static struct error *for_yama(const struct attempt *a)
{
	return a->scope == 3 || (a->scope == 2 && !a->capable) ? explain_yama(a) : NULL;
}

/* What Yama forbids who could do it otherwise. */
static struct error *for_ancestry(const struct attempt *a)
{
	return a->scope == 1 && !a->capable ? explain_yama(a) : NULL;
}

static struct error *for_bare_root(const struct attempt *a)
{
	if (geteuid() != 0 || a->capable)
		return NULL;
	return error_new(ERROR_NOT_PERMITTED,
			 "process %d: root lacks the capability CAP_SYS_PTRACE here, as in "
			 "most containers: start the container with --cap-add=SYS_PTRACE",
			 a->pid);
}

static struct error *for_its_user(const struct attempt *a)
{
	char user[128];

	if (a->capable || a->target.uids[0] == a->self.uids[0])
		return NULL;
	user_name(a->target.uids[0], user, sizeof(user));
	return error_new(ERROR_NOT_PERMITTED,
			 "process %d belongs to user %s: run ompdb as that user or as root", a->pid,
			 user);
}

/* The kernel gives the files of a process that must not be dumped to root (proc(5)). */
static struct error *for_protection(const struct attempt *a)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/mem", a->pid);
	if (a->capable || stat(path, &st) < 0 || st.st_uid == a->target.uids[1])
		return NULL;
	return error_new(ERROR_NOT_PERMITTED,
			 "process %d (%s) is protected against being looked at, as programs "
			 "with special privileges are: run ompdb as root",
			 a->pid, a->target.name);
}

static struct error *for_its_group(const struct attempt *a)
{
	const struct proc_status *t = &a->target;
	gid_t own = a->self.gids[0], other = t->gids[0] != own   ? t->gids[0]
					     : t->gids[1] != own ? t->gids[1]
								 : t->gids[2];
	char theirs[128], ours[128];

	if (a->capable || other == own)
		return NULL;
	group_name(other, theirs, sizeof(theirs));
	group_name(own, ours, sizeof(ours));
	return error_new(
		ERROR_NOT_PERMITTED,
		"process %d (%s) runs in group %s and ompdb in group %s: run ompdb in that "
		"group, as sg(1) does, or as root",
		a->pid, t->name, theirs, ours);
}

static struct error *for_its_privileges(const struct attempt *a)
{
	const struct proc_status *t = &a->target;

	if (a->capable || (t->uids[1] == a->self.uids[0] && t->uids[2] == a->self.uids[0] &&
			   !(t->cap_prm & ~a->self.cap_prm)))
		return NULL;
	return error_new(ERROR_NOT_PERMITTED,
			 "process %d (%s) has capabilities or user ids that ompdb lacks: run ompdb "
			 "as root",
			 a->pid, t->name);
}

/* Capabilities are those over a user namespace; only the first one knows all users. */
static struct error *for_user_namespace(const struct attempt *a)
{
	unsigned long from = 0, to = 0, count = 0;
	AUTO_BUF map = { 0 };

	error_ignore(buf_add_file(&map, "/proc/self/uid_map", 4096));
	if (!a->capable || sscanf(buf_text(&map), "%lu %lu %lu", &from, &to, &count) != 3 ||
	    count >= UINT32_MAX)
		return NULL;
	return error_new(ERROR_NOT_PERMITTED,
			 "process %d (%s) belongs to a user namespace over which ompdb's has no "
			 "power: run ompdb outside of its container",
			 a->pid, a->target.name);
}

struct error *refusal_explain(pid_t pid)
{
	/* Each presumes that those before it do not apply. */
	static struct error *(*const reasons[])(const struct attempt *) = {
		for_its_tracer,     for_yama,       for_bare_root,
		for_its_user,       for_protection, for_its_group,
		for_its_privileges, for_ancestry,   for_user_namespace,
	};
	struct attempt a = { .pid = pid, .scope = yama_scope() };
	struct error *err = procfs_status(pid, 0, &a.target);

	if (err || a.target.state == 'X' || (a.target.state == 'Z' && a.target.threads <= 1)) {
		error_ignore(err);
		return error_new(ERROR_GONE, "process %d ended while ompdb attached to it", pid);
	}
	error_ignore(procfs_status(getpid(), 0, &a.self));
	a.capable = a.self.cap_eff >> CAP_SYS_PTRACE & 1;
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
		err = reasons[i](&a);
		if (err)
			return err;
	}
	return error_new(
		ERROR_NOT_PERMITTED,
		"the kernel does not permit to trace process %d (%s): a security module or "
		"a container's seccomp filter may forbid ptrace",
		pid, a.target.name);
}
