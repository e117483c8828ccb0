/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * counted_signals N: another process sends numbered signals, of the kind that queues, to threads
 * that spin, nap and block, and to the process as a whole: at least N, and until stdin ends. Each
 * must arrive once, those to a thread in their order.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "testprog.h"

enum { BYSTANDERS = 48, ON_THEIR_WAY = 4, PATIENCE_MS = 30000 };

/* Where signals go; in memory that sender and receiver share. */
static struct stream {
	pid_t lwp; /* 0: to whichever thread takes it */
	int sent;
	atomic_int received;
} * streams;
static int silent[2];
static sem_t never;
static __thread struct stream *own;

static void to_thread(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	int due = atomic_load(&own->received);
	if (info->si_value.sival_int != due)
		FAIL("signal %d came where %d was due", info->si_value.sival_int, due);
	atomic_store(&own->received, due + 1);
}

static void spin(void)
{
	for (;;)
		KEEP_FRAME();
}

static void nap(void)
{
	for (;;)
		nanosleep(&(struct timespec){ .tv_nsec = 300000 }, NULL);
}

static void block_in_read(void)
{
	char c;
	for (;;)
		if (read(silent[0], &c, 1) != -1 || errno != EINTR)
			FAIL("read returned");
}

static void block_in_futex(void)
{
	for (;;)
		if (sem_wait(&never) != -1 || errno != EINTR)
			FAIL("sem_wait returned");
}

static void (*const places[])(void) = { spin, nap, block_in_read, block_in_futex };
enum { PLACES = sizeof(places) / sizeof(*places), STREAMS = PLACES + 1 };

static void to_process(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	(void)context;
	atomic_fetch_add(&streams[PLACES].received, 1);
}

static void set_mask(int how, int sig)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, sig);
	pthread_sigmask(how, &set, NULL);
}

static void *receive(void *arg)
{
	own = arg;
	own->lwp = gettid();
	set_mask(SIG_UNBLOCK, SIGRTMIN + 1);
	places[own - streams]();
	return arg;
}

static void *stand_by(void *arg)
{
	block_in_read();
	return arg;
}

/* One signal, as soon as few enough are on their way. */
static void send_one(pid_t pid, struct stream *s)
{
	siginfo_t info = { .si_signo = SIGRTMIN + !s->lwp, .si_code = SI_QUEUE };
	int waited = 0;
	info.si_pid = getpid();
	info.si_value.sival_int = s->sent;
	while (s->sent - atomic_load(&s->received) >= ON_THEIR_WAY && waited++ < PATIENCE_MS)
		usleep(1000);
	if (waited > PATIENCE_MS)
		FAIL("of %d signals to %d only %d arrived", s->sent, s->lwp, s->received);
	long failed = s->lwp ? syscall(SYS_rt_tgsigqueueinfo, pid, s->lwp, info.si_signo, &info)
			     : syscall(SYS_rt_sigqueueinfo, pid, info.si_signo, &info);
	if (failed)
		FAIL("a signal could not be sent: %m");
	s->sent++;
}

static void expect_all(struct stream *s)
{
	for (int waited = 0; atomic_load(&s->received) != s->sent; waited++) {
		if (waited == PATIENCE_MS)
			FAIL("of %d signals to %d %d arrived", s->sent, s->lwp, s->received);
		usleep(1000);
	}
}

/* The process that sends; "go" is readable when it is to end. */
static void send_all(pid_t pid, int go, int least)
{
	char c;
	for (int sent = 0; sent < least || read(go, &c, 1) != 0; sent++) {
		send_one(pid, &streams[sent % STREAMS]);
		usleep(20);
	}
	for (int i = 0; i < STREAMS; i++)
		expect_all(&streams[i]);
	_exit(0);
}

static void catch (int sig, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	sigaction(sig, &action, NULL);
}

static void start_threads(void)
{
	pthread_attr_t small;
	pthread_t thread;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 4 * (size_t)PTHREAD_STACK_MIN);
	/* Whoever is not to get a signal of the process inherits this. */
	set_mask(SIG_BLOCK, SIGRTMIN + 1);
	for (int i = 0; i < BYSTANDERS; i++)
		if (pthread_create(&thread, &small, stand_by, NULL) != 0)
			FAIL("no thread");
	for (int i = 0; i < PLACES; i++) {
		if (pthread_create(&thread, &small, receive, &streams[i]) != 0)
			FAIL("no thread");
		while (!*(volatile pid_t *)&streams[i].lwp)
			usleep(1000);
	}
}

int main(int argc, char **argv)
{
	int go[2], status, least = argc > 1 ? atoi(argv[1]) : 1;

	die_with_parent();
	streams = mmap(NULL, STREAMS * sizeof(*streams), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (streams == MAP_FAILED || pipe(silent) < 0 || pipe2(go, O_NONBLOCK) < 0)
		FAIL("no memory or no pipe");
	sem_init(&never, 0, 0);
	catch (SIGRTMIN, to_thread);
	catch (SIGRTMIN + 1, to_process);
	start_threads();
	pid_t pid = getpid(), sender = fork();
	if (sender == 0) {
		die_with_parent();
		close(go[1]);
		send_all(pid, go[0], least);
	}
	ready();
	block();
	close(go[1]);
	if (waitpid(sender, &status, 0) != sender || status != 0)
		FAIL("the sender ended with status %#x", status);
	return 0;
}
