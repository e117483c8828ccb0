/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* called_hard: threads that a function cannot be called in without care, by the first argument:
 * under seccomp, at the end of the stack, or (as without one) asleep for a limited time. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SLEEPERS = 2 };

static pthread_barrier_t all;
static pid_t tids[SLEEPERS];

__attribute__((noinline)) int two(void)
{
	return 2;
}

__attribute__((noinline)) int number(void)
{
	return (int)syscall(SYS_getppid);
}

__attribute__((noinline)) int nap(void)
{
	const struct timespec time = { 0, 1000000 };

	return nanosleep(&time, NULL);
}

/* Leaves nothing as it was that a thread has for itself. */
__attribute__((noinline)) int spoil(void)
{
	const int signal = SIGUSR1, mxcsr = 0x7f80, control = 0x0c7f;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signal);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	errno = E2BIG;
	__asm__ volatile("ldmxcsr %0; fldcw %1; fldpi; pcmpeqd %%xmm9, %%xmm9" ::"m"(mxcsr),
			 "m"(control)
			 : "xmm9");
	if (__builtin_cpu_supports("avx"))
		__asm__ volatile("vinsertf128 $1, %%xmm9, %%ymm9, %%ymm9" ::: "xmm9");
	return 1;
}

static jmp_buf back;

/* To a frame that is there still. */
__attribute__((noinline)) int leap(int n)
{
	longjmp(back, n);
}

__attribute__((noinline)) int linger(void)
{
	return pause();
}

__attribute__((noinline)) void tell(void)
{
	const int number = errno;
	sigset_t set;

	pthread_sigmask(SIG_BLOCK, NULL, &set);
	printf("errno: %d, blocked: %d\n", number, sigismember(&set, SIGUSR1));
}

static void *sleeps(void *arg)
{
	const struct timespec time = { 0, 300000000 };

	tids[0] = (pid_t)syscall(SYS_gettid);
	pthread_barrier_wait(&all);
	printf("nanosleep: %s\n", nanosleep(&time, NULL) ? strerror(errno) : "done");
	return arg;
}

static void *polls(void *arg)
{
	tids[1] = (pid_t)syscall(SYS_gettid);
	pthread_barrier_wait(&all);
	printf("poll: %s\n", poll(NULL, 0, 300) ? strerror(errno) : "done");
	return arg;
}

/* Until that thread is in a system call of that number. */
static void await(pid_t tid, long call)
{
	char path[64], is[64], wanted[16];

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", tid);
	snprintf(wanted, sizeof(wanted), "%ld ", call);
	do {
		FILE *f = fopen(path, "r");
		if (!f || !fgets(is, sizeof(is), f))
			is[0] = '\0';
		if (f)
			fclose(f);
	} while (strncmp(is, wanted, strlen(wanted)) != 0);
}

__attribute__((noinline)) void stop(void)
{
	__asm__ volatile("" ::: "memory"); /* MARK: stop */
}

__attribute__((noinline)) int deep(int n)
{
	volatile char room[256];

	room[0] = (char)n;
	return n ? deep(n + 1) + room[0] : two();
}

/* getppid() kills. */
static void confine(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(77);
}

int main(int argc, char **argv)
{
	void *(*const starts[])(void *) = { sleeps, polls };
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t threads[SLEEPERS];

	if (!strcmp(what, "deep"))
		return deep(1);
	if (!strcmp(what, "filter"))
		confine();
	pthread_barrier_init(&all, NULL, SLEEPERS + 1);
	for (int i = 0; i < SLEEPERS; i++)
		pthread_create(&threads[i], NULL, starts[i], NULL);
	pthread_barrier_wait(&all);
	await(tids[0], SYS_clock_nanosleep);
	await(tids[1], SYS_poll);
	errno = EPERM;
	if (setjmp(back))
		return 1;
	stop();
	tell();
	for (int i = 0; i < SLEEPERS; i++)
		pthread_join(threads[i], NULL);
	return argc > SLEEPERS ? nap() + number() + spoil() + linger() + leap(argc) : 0;
}
