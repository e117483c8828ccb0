/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Threads in system calls for ever. For each byte of stdin it prints which of them have returned
 * EINTR since the last one. None may return anything else.
 */
#include <errno.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "testprog.h"

enum { SECONDS = 3600 };

/* Limits make the kernel not restart what waits on a socket. */
static int limited(int s)
{
	struct timeval limit = { .tv_sec = SECONDS };
	if (setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) < 0 ||
	    setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) < 0)
		FAIL("no socket");
	return s;
}

static int one_of_a_pair(void)
{
	int ends[2] = { -1, -1 };
	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	return limited(ends[0]);
}

/* Listens at a name that the kernel chooses, with nobody in the queue. */
static int listener(void)
{
	int s = limited(socket(AF_UNIX, SOCK_STREAM, 0));
	struct sockaddr_un any = { .sun_family = AF_UNIX };
	if (bind(s, (struct sockaddr *)&any, sizeof(sa_family_t)) < 0 || listen(s, 0) < 0)
		FAIL("no listening socket");
	return s;
}

static int connect_to(int s, int listening)
{
	struct sockaddr_un at;
	socklen_t len = sizeof(at);
	getsockname(listening, (struct sockaddr *)&at, &len);
	return connect(s, (struct sockaddr *)&at, len);
}

static int semaphore, instance, watch, empty_socket, full_socket, quiet, crowded, late, ring;
static aio_context_t aio;
static sigset_t never;

static long in_epoll(void)
{
	struct epoll_event e;
	return epoll_wait(instance, &e, 1, SECONDS * 1000);
}

static long in_semop(void)
{
	long result = semop(semaphore, &(struct sembuf){ .sem_op = -1 }, 1);
	while (result == -1 && errno == EIDRM)
		pause(); /* the end */
	return result;
}

static long in_sigwaitinfo(void)
{
	return sigwaitinfo(&never, NULL);
}

static long in_io_getevents(void)
{
	struct io_event e;
	return syscall(SYS_io_getevents, aio, 1, 1, &e, NULL);
}

static long in_io_uring(void)
{
	return syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0);
}

static long in_accept(void)
{
	return accept(quiet, NULL, NULL);
}

static long in_recv(void)
{
	char c;
	return recv(empty_socket, &c, 1, 0);
}

static long in_send(void)
{
	return send(full_socket, "x", 1, 0);
}

static long in_connect(void)
{
	return connect_to(late, crowded);
}

static long in_inotify(void)
{
	char event[4096];
	return read(watch, event, sizeof(event));
}

static long in_pause(void)
{
	return pause();
}

static struct call {
	const char *name;
	long (*run)(void);
	atomic_int interrupted;
} calls[] = {
	{ .name = "epoll_wait", .run = in_epoll },
	{ .name = "semop", .run = in_semop },
	{ .name = "sigwaitinfo", .run = in_sigwaitinfo },
	{ .name = "io_getevents", .run = in_io_getevents },
	{ .name = "io_uring_enter", .run = in_io_uring },
	{ .name = "accept", .run = in_accept },
	{ .name = "recv", .run = in_recv },
	{ .name = "send", .run = in_send },
	{ .name = "connect", .run = in_connect },
	{ .name = "inotify", .run = in_inotify },
	{ .name = "pause", .run = in_pause },
};
enum { CALLS = sizeof(calls) / sizeof(*calls) };

static void *caller(void *arg)
{
	struct call *call = arg;
	for (;;) {
		long result = call->run();
		if (result != -1 || errno != EINTR)
			FAIL("%s returned %ld: %m", call->name, result);
		call->interrupted++;
	}
	return arg;
}

/* Connects until nobody else is let in. */
static void fill(int listening)
{
	while (connect_to(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), listening) == 0)
		;
}

static void prepare(void)
{
	struct io_uring_params params = { 0 };
	semaphore = semget(IPC_PRIVATE, 1, 0600);
	instance = epoll_create1(0);
	watch = inotify_init();
	empty_socket = one_of_a_pair();
	full_socket = one_of_a_pair();
	while (send(full_socket, "x", 1, MSG_DONTWAIT) == 1)
		;
	quiet = listener();
	crowded = listener();
	late = limited(socket(AF_UNIX, SOCK_STREAM, 0));
	fill(crowded);
	sigemptyset(&never);
	sigaddset(&never, SIGRTMIN);
	pthread_sigmask(SIG_BLOCK, &never, NULL);
	ring = (int)syscall(SYS_io_uring_setup, 1, &params);
	if (ring < 0 || semaphore < 0 || syscall(SYS_io_setup, 1, &aio) < 0)
		_exit(77);
}

static void tell(void)
{
	for (int i = 0; i < CALLS; i++)
		if (atomic_exchange(&calls[i].interrupted, 0))
			dprintf(1, "%s ", calls[i].name);
	dprintf(1, "\n");
}

int main(void)
{
	pthread_t thread;
	char c;

	die_with_parent();
	prepare();
	for (int i = 0; i < CALLS; i++)
		if (pthread_create(&thread, NULL, caller, &calls[i]) != 0)
			FAIL("no thread");
	wait_until_others_sleep();
	ready();
	while (read(0, &c, 1) == 1)
		tell();
	semctl(semaphore, 0, IPC_RMID);
	return 0;
}
