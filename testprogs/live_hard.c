/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * live_hard HOW: "shared" calls code in memory that is mapped to be shared and says where it is,
 * for each byte from stdin, up to its end; "vfork" sleeps in state D in vfork(2) until a byte comes
 * from stdin, and comes to site() then, while another thread does so all the time; "watch" writes
 * to a variable in 64 threads and says how often; "vdso" asks the kernel's own code for the time,
 * and ends; "call" waits for stdin to end, and can be sent to elsewhere(); "calls" reads from stdin
 * and sleeps by turns, by instructions of its own, until that ends.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

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

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	die_with_parent();
	if (strcmp(how, "shared") == 0) {
		shared();
	} else if (strcmp(how, "watch") == 0) {
		write_in_threads();
	} else if (strcmp(how, "vdso") == 0) {
		ask_the_vdso();
	} else if (strcmp(how, "calls") == 0) {
		call();
	} else if (strcmp(how, "vfork") == 0) {
		in_state_d();
	} else {
		ready();
		block();
	}
	return 0;
}
