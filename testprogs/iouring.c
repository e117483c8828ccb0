/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A read that io_uring does in a thread of the kernel, which /proc lists among the threads. */
#include <errno.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "testprog.h"

static void *map_ring(int fd, size_t len, off_t what)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, what);
	if (p == MAP_FAILED)
		FAIL("no ring");
	return p;
}

static void submit_read(int fd, const struct io_uring_params *p, int from)
{
	static char buffer[16];
	char *ring = map_ring(fd, p->sq_off.array + p->sq_entries * 4, IORING_OFF_SQ_RING);
	struct io_uring_sqe *sqe = map_ring(fd, p->sq_entries * sizeof(*sqe), IORING_OFF_SQES);

	*sqe = (struct io_uring_sqe){ .opcode = IORING_OP_READ, .flags = IOSQE_ASYNC, .fd = from };
	sqe->addr = (uintptr_t)buffer;
	sqe->len = 1;
	((uint32_t *)(ring + p->sq_off.array))[0] = 0;
	__atomic_store_n((uint32_t *)(ring + p->sq_off.tail), 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, fd, 1, 0, 0, NULL, 0) != 1)
		FAIL("nothing submitted");
}

static int thread_count(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int n = -2; /* . and .. */
	while (tasks && readdir(tasks))
		n++;
	closedir(tasks);
	return n;
}

int main(void)
{
	struct io_uring_params params = { .flags = 0 };
	int silent[2], fd = syscall(SYS_io_uring_setup, 4, &params);

	die_with_parent();
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return 77;
	if (fd < 0 || pipe(silent) < 0)
		FAIL("no io_uring");
	submit_read(fd, &params, silent[0]);
	while (thread_count() < 2)
		usleep(1000);
	wait_until_others_sleep();
	ready();
	block(); /* MARK: main */
	return 0;
}
