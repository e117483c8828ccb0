/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* omp_called: functions to be called from a prompt that need what the other thread of the team has:
 * a critical construct, a lock, a stream, and what an allocator takes by itself. */
#include <linux/futex.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static omp_lock_t lock;
static atomic_int word, has_all;
static int updates;

__attribute__((noinline)) int update(void)
{
#pragma omp critical(update)
	updates++;
	return updates;
}

__attribute__((noinline)) int locked(void)
{
	omp_set_lock(&lock);
	omp_unset_lock(&lock);
	return 6;
}

__attribute__((noinline)) int prints(void)
{
	return puts("printed");
}

/* Called as a part of the C library's is: what takes a lock that does not say who has it. */
__attribute__((noinline)) int sysmalloc(int keeps)
{
	while (atomic_exchange(&word, 1))
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
	if (keeps) {
		atomic_store(&has_all, 1);
		pause();
	}
	atomic_store(&word, 0);
	return 1;
}

__attribute__((noinline)) int two(void)
{
	return 2;
}

__attribute__((noinline)) void stop(void)
{
	__asm__ volatile("" ::: "memory"); /* MARK: stop */
}

static void take_all(void)
{
	omp_set_lock(&lock);
	flockfile(stdout);
#pragma omp critical(update)
	sysmalloc(1);
}

int main(void)
{
	omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num()) {
		take_all();
	} else {
		while (!atomic_load(&has_all))
			usleep(100);
		stop();
		_exit(updates ? update() + locked() + prints() + two() : 0);
	}
	return 0;
}
