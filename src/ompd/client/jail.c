/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/jail.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

/* Overflow user and group of the kernel: they own nothing. */
enum { NOBODY = 65534 };

/* What the dynamic loader, allocators and C++ libraries need, and opening for reading. */
static const unsigned int allowed[] = {
	SYS_read,   SYS_write,   SYS_mmap,        SYS_munmap,         SYS_mprotect,
	SYS_brk,    SYS_close,   SYS_fstat,       SYS_newfstatat,     SYS_pread64,
	SYS_lseek,  SYS_futex,   SYS_exit_group,  SYS_clock_gettime,  SYS_getrandom,
	SYS_mremap, SYS_madvise, SYS_readlink,    SYS_rt_sigreturn,   SYS_sched_yield,
#ifdef SANITIZED
	SYS_getpid, SYS_gettid,  SYS_sigaltstack, SYS_rt_sigprocmask, SYS_rt_sigaction,
#endif
};
enum { ALLOWED = sizeof(allowed) / sizeof(*allowed) };

#define LOAD(member)              BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(what)              BPF_STMT(BPF_RET | BPF_K, what)
#define UNLESS(test, value, skip) BPF_JUMP(BPF_JMP | (test) | BPF_K, value, 0, skip)

static const struct sock_filter head[] = {
	LOAD(arch),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
	RETURN(SECCOMP_RET_KILL_PROCESS),
	LOAD(nr),
	UNLESS(BPF_JEQ, SYS_openat, 4),
	/* Little-endian: the lower half of the third argument. */
	LOAD(args[2]),
	UNLESS(BPF_JSET, O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY), 1),
	RETURN(SECCOMP_RET_KILL_PROCESS),
	RETURN(SECCOMP_RET_ALLOW),
};
enum { HEAD = sizeof(head) / sizeof(*head) };

static bool install_filter(void)
{
	struct sock_filter filter[HEAD + 2 * ALLOWED + 1];
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };
	size_t n = 0;

	for (size_t i = 0; i < HEAD; i++)
		filter[n++] = head[i];
	for (size_t i = 0; i < ALLOWED; i++) {
		filter[n++] = (struct sock_filter)UNLESS(BPF_JEQ, allowed[i], 1);
		filter[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	}
	filter[n++] = (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS);
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* What the process has already does not count: sanitizers reserve terabytes. */
static bool limit_memory(void)
{
	enum { MORE = 1 << 30 };
	FILE *f = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;
	bool known = f && fscanf(f, "%lu", &pages) == 1;

	if (f)
		fclose(f);
	rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + MORE;
	return known && setrlimit(RLIMIT_AS, &(struct rlimit){ most, most }) == 0 &&
	       setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 }) == 0;
}

/*
 * Root becomes nobody. A user namespace may not have that user: without capabilities its root is
 * somebody whom seccomp stops from writing, as any other user.
 */
static bool drop_privileges(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (geteuid() == 0) {
		(void)!setgroups(0, NULL);
		(void)!setresgid(NOBODY, NOBODY, NOBODY);
		(void)!setresuid(NOBODY, NOBODY, NOBODY);
	}
	return syscall(SYS_capset, &header, none) == 0;
}

static void close_from(int fd)
{
	if (syscall(SYS_close_range, fd, ~0U, 0) == 0)
		return;
	for (long most = sysconf(_SC_OPEN_MAX); fd < most; fd++) /* before Linux 5.9 */
		close(fd);
}

static bool close_files(int fd)
{
	int nowhere = open("/dev/null", O_RDWR);
	int kept = fcntl(fd, F_DUPFD, JAIL_FD + 1); /* so that it is none of those below */

	if (nowhere < 0 || kept < 0)
		return false;
	for (int i = 0; i < JAIL_FD; i++) {
		if (dup2(nowhere, i) < 0)
			return false;
	}
	if (dup2(kept, JAIL_FD) < 0)
		return false;
	close_from(JAIL_FD + 1);
	return true;
}

/* What ompdb does at a signal is not for its child. */
static void reset_signals(void)
{
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

bool jail_enter(pid_t parent, int fd)
{
	setsid(); /* the terminal's signals are for ompdb */
	reset_signals();
	/* After the change of user, which makes the kernel forget it. */
	return close_files(fd) && drop_privileges() && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
	       getppid() == parent && prctl(PR_SET_DUMPABLE, 0) == 0 && limit_memory() &&
	       install_filter();
}
