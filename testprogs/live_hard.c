/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * live_hard HOW: "shared" calls code in memory that is mapped to be shared and says where it is,
 * for each byte from stdin, up to its end; "vfork" sleeps in state D in vfork(2) until a byte comes
 * from stdin, and comes to site() then, while another thread does so all the time; "watch" writes
 * to a variable in 64 threads and says how often; "vdso" asks the kernel's own code for the time,
 * and ends; "call" waits for stdin to end, and can be sent to elsewhere(); "calls" reads from stdin
 * and sleeps by turns, by instructions of its own, until that ends; "spin" spins in spin() until a
 * handler has run; "faults" executes instructions that fail, and checks what its handler is told;
 * "sender" runs until stdin ends, and checks who has sent SIGUSR1; "seccomp" comes to site() where
 * the kernel kills it for most system calls, and says how often; "handler" comes to site() in a
 * handler of SIGUSR1, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>

#include "testprog.h"

enum { TIMES = 20, ELSEWHERE = 7 };
long count;

NOINLINE void site(void)
{
	__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	KEEP_FRAME();
}

NOINLINE void elsewhere(void)
{
	_exit(ELSEWHERE);
}

static void shared(void)
{
	/* mov $41,%eax; ret */
	static const unsigned char code[] = { 0xb8, 41, 0, 0, 0, 0xc3 };
	int fd = memfd_create("code", 0);
	char c;

	if (write(fd, code, sizeof(code)) != sizeof(code))
		FAIL("no file");
	void *at = mmap(NULL, sizeof(code), PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		FAIL("no memory");
	printf("code %p\n", at);
	fflush(stdout);
	ready();
	while (read(0, &c, 1) == 1) {
		if (((int (*)(void))at)() != 41)
			FAIL("the code does something else");
	}
	if (memcmp(at, code, sizeof(code)) != 0)
		FAIL("the code is another");
}

/* Each write is one, whoever makes it. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
volatile long watched;

static void *writer(void *arg)
{
	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&one_at_a_time);
		watched = watched + 1;
		pthread_mutex_unlock(&one_at_a_time);
	}
	return arg;
}

static void write_in_threads(void)
{
	enum { THREADS = 64 };
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, writer, NULL) != 0)
			FAIL("no thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("count %ld\n", watched);
	fflush(stdout);
	block();
}

static void ask_the_vdso(void)
{
	struct timespec now;

	for (int i = 0; i < TIMES; i++) {
		if (clock_gettime(CLOCK_MONOTONIC, &now) != 0 || now.tv_sec == 0)
			FAIL("no time");
	}
}

__asm__(".text\ncall_read: xor %eax,%eax\n.globl at_read\nat_read: syscall\n ret\n"
	"call_sleep: mov $35,%eax\n.globl at_sleep\nat_sleep: syscall\n ret\n");
long call_read(int fd, void *to, size_t len);
long call_sleep(const struct timespec *time, struct timespec *left);

static void call(void)
{
	struct timespec time = { .tv_nsec = 100 * 1000 * 1000 };
	char c;

	do {
		if (call_sleep(&time, NULL) != 0)
			FAIL("sleeping was interrupted");
		count++;
		ready();
	} while (call_read(0, &c, 1) == 1);
}

static volatile int done;

static void *busy(void *arg)
{
	while (!done) {
		site();
		usleep(100);
	}
	return arg;
}

static void in_state_d(void)
{
	pthread_t thread;
	int status;

	if (pthread_create(&thread, NULL, busy, NULL) != 0)
		FAIL("no thread");
	pid_t self = getpid(), pid = vfork();
	if (pid == 0) {
		char c;
		while (thread_state(self, self) != 'D')
			usleep(1000);
		ready();
		(void)!read(0, &c, 1);
		_exit(0);
	}
	for (int i = 0; i < TIMES; i++)
		site();
	done = 1;
	if (waitpid(pid, &status, 0) != pid || status != 0)
		FAIL("the child did not end as told");
	pthread_join(thread, NULL);
	printf("count %ld\n", count);
	fflush(stdout);
	ready();
	block();
}

static volatile sig_atomic_t woken;

static void wake(int sig)
{
	(void)sig;
	woken = 1;
}

NOINLINE void spin(void)
{
	while (!woken)
		;
	KEEP_FRAME();
}

NOINLINE void spin_often(void)
{
	static const struct itimerval soon = { .it_value = { .tv_usec = 20 * 1000 } };

	signal(SIGALRM, wake);
	for (int i = 0; i < 3; i++) {
		woken = 0;
		setitimer(ITIMER_REAL, &soon, NULL);
		spin();
	}
	ready();
	block();
}

/* Their argument is in a register that tells one execution from the next. */
__asm__(".text\ndivide: xor %ecx,%ecx\n mov $1,%eax\n cltd\n"
	".globl at_divide\nat_divide: idiv %ecx\n ret\n"
	"touch: mov $8,%eax\n.globl at_touch\nat_touch: lock incl (%rax)\n ret\n");
void divide(long n);
void touch(long n);
extern const char at_divide[], at_touch[];
static volatile int faults;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	ucontext_t *c = context;
	const char *pc = sig == SIGFPE ? at_divide : at_touch;
	const void *addr = sig == SIGFPE ? at_divide : (const char *)8;

	if (c->uc_mcontext.gregs[REG_RIP] != (greg_t)pc || info->si_addr != addr)
		FAIL("signal %d is said to be of %p", sig, info->si_addr);
	c->uc_mcontext.gregs[REG_RIP] += sig == SIGFPE ? 2 : 3;
	faults++;
}

static void fail_often(void)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };

	sigaction(SIGFPE, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	for (int i = 0; i < TIMES; i++) {
		divide(i);
		touch(i);
	}
	if (faults != 2 * TIMES)
		FAIL("%d faults, not %d", faults, 2 * TIMES);
	ready();
	block();
}

static void come_again(int sig)
{
	(void)sig;
	site();
}

static void come_in_a_handler(void)
{
	signal(SIGUSR1, come_again);
	for (int i = 0; i < TIMES; i++)
		site();
	ready();
	block();
}

static volatile long foreign, own;

static void on_user(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	own += info->si_code == SI_USER && info->si_pid == getppid();
	foreign += info->si_code != SI_USER || info->si_pid != getppid();
}

static void ask_for_the_sender(void)
{
	struct sigaction action = { .sa_sigaction = on_user, .sa_flags = SA_SIGINFO };
	char c;

	sigaction(SIGUSR1, &action, NULL);
	fcntl(0, F_SETFL, O_NONBLOCK);
	ready();
	while (read(0, &c, 1) < 0 && errno == EAGAIN)
		site();
	if (foreign || !own)
		FAIL("%ld signals of others, %ld of the parent", foreign, own);
}

static void forbid_most_calls(void)
{
#define ALLOW(n)                                                                                   \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, n, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(SYS_read),
		ALLOW(SYS_write),
		ALLOW(SYS_exit_group),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = { sizeof(rules) / sizeof(*rules), rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		_exit(77);
}

static void in_seccomp(void)
{
	char said[32];

	forbid_most_calls();
	for (int i = 0; i < TIMES; i++)
		site();
	int len = snprintf(said, sizeof(said), "count %ld\n", count);
	if (write(1, said, (size_t)len) != len)
		_exit(1);
	ready();
	block();
	_exit(0);
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{ "shared", shared },      { "watch", write_in_threads },
	{ "vdso", ask_the_vdso },  { "calls", call },
	{ "vfork", in_state_d },   { "spin", spin_often },
	{ "faults", fail_often },  { "sender", ask_for_the_sender },
	{ "seccomp", in_seccomp }, { "handler", come_in_a_handler },
};

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	die_with_parent();
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (strcmp(how, ways[i].name) == 0) {
			ways[i].run();
			return 0;
		}
	}
	ready();
	block();
	return 0;
}
