/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * why_outside SCENARIO [TEAM|LIBRARY]: teams that wait for what OpenMP does not know, for somebody
 * who computes, or for nothing; with libraries why_part.c, for another runtime, and fake_mpi.c.
 */
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>

#include "testprog_why.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static omp_lock_t lock;
static const char *library;
static unsigned int sum;
static int signalled, locked;
static volatile int passed[8];
static volatile int *counter;

static NOINLINE void in_read(void)
{
	if (omp_get_thread_num() == 1)
		read_stdin(team); /* MARK: reads */
	else
		tell("waits");
#pragma omp barrier /* MARK: barrier of read */
	KEEP_FRAME();
}

static NOINLINE void in_poll(void)
{
	struct pollfd end = { .fd = 0, .events = POLLIN, .revents = 0 };
	tell("waits");
	if (omp_get_thread_num() == 1 && poll(&end, 1, -1) != 1) /* MARK: poll */
		FAIL("poll was interrupted");
#pragma omp barrier /* MARK: barrier of poll */
	KEEP_FRAME();
}

static NOINLINE void in_sleep(void)
{
	struct timespec hour = { .tv_sec = 3600, .tv_nsec = 0 };
	tell("waits");
	if (omp_get_thread_num() == 1)
		nanosleep(&hour, NULL); /* MARK: sleep */
#pragma omp barrier                     /* MARK: barrier of sleep */
	KEEP_FRAME();
}

static NOINLINE void in_condition(void)
{
	tell("waits");
	if (omp_get_thread_num() == 1) {
		pthread_mutex_lock(&mutex);
		while (!signalled)
			pthread_cond_wait(&condition, &mutex); /* MARK: condition */
		pthread_mutex_unlock(&mutex);
	}
#pragma omp barrier /* MARK: barrier of condition */
	KEEP_FRAME();
}

/* Thread 1 waits for thread 2; thread 0 for both. */
static NOINLINE void read_with_mutex(void)
{
	pthread_mutex_lock(&mutex);
	__atomic_store_n(&locked, 1, __ATOMIC_SEQ_CST);
	read_stdin(team); /* MARK: reads with mutex */
	pthread_mutex_unlock(&mutex);
}

static NOINLINE void in_mutex(void)
{
	if (omp_get_thread_num() == 2) {
		read_with_mutex();
	} else if (omp_get_thread_num() == 1) {
		while (!__atomic_load_n(&locked, __ATOMIC_SEQ_CST))
			sched_yield();
		tell("waits");
		pthread_mutex_lock(&mutex); /* MARK: mutex */
		pthread_mutex_unlock(&mutex);
	} else {
		tell("waits");
	}
#pragma omp barrier /* MARK: barrier of mutex */
	KEEP_FRAME();
}

static NOINLINE void lock_both(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	tell("waits");
	wait_for_arrivals(2);
	pthread_mutex_lock(second); /* MARK: second mutex */
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static NOINLINE void mutex_cycle(void)
{
	if (omp_get_thread_num() == 0)
		lock_both(&mutex, &other_mutex);
	else if (omp_get_thread_num() == 1)
		lock_both(&other_mutex, &mutex);
	KEEP_FRAME();
}

/* A thread that no runtime knows ends it all, and never ends. */
static void *reads(void *unused)
{
	read_stdin(team + 1);
	return unused;
}

static void *locks(void *unused)
{
	tell("joined");
	pthread_mutex_lock(&mutex); /* MARK: joined locks */
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void join(void *(*function)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, function, NULL))
		FAIL("no thread");
	tell("waits");
	pthread_join(thread, NULL); /* MARK: join */
	KEEP_FRAME();
}

static NOINLINE void in_join(void)
{
	if (omp_get_thread_num() == 1)
		join(reads);
	else
		tell("waits");
#pragma omp barrier /* MARK: barrier of join */
	KEEP_FRAME();
}

static NOINLINE void join_with_mutex(void)
{
	if (omp_get_thread_num() == 1) {
		pthread_mutex_lock(&mutex);
		join(locks);
		pthread_mutex_unlock(&mutex);
	} else {
		tell("waits");
	}
#pragma omp barrier /* MARK: barrier of mutex join */
	KEEP_FRAME();
}

static NOINLINE void mutex_twice(void)
{
	tell("waits");
	if (omp_get_thread_num() == 1) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_lock(&mutex); /* MARK: mutex again */
	}
#pragma omp barrier /* MARK: barrier of mutex twice */
	KEEP_FRAME();
}

static NOINLINE void mutex_and_lock(void)
{
	if (omp_get_thread_num() == 0) {
		pthread_mutex_lock(&mutex);
		tell("waits");
		wait_for_arrivals(2);
		omp_set_lock(&lock); /* MARK: lock with mutex */
		omp_unset_lock(&lock);
		pthread_mutex_unlock(&mutex);
	} else if (omp_get_thread_num() == 1) {
		omp_set_lock(&lock);
		tell("waits");
		wait_for_arrivals(2);
		pthread_mutex_lock(&mutex); /* MARK: mutex with lock */
		pthread_mutex_unlock(&mutex);
		omp_unset_lock(&lock);
	}
	KEEP_FRAME();
}

/* Thread 0 has the mutex until all have met. */
static NOINLINE void mutex_at_barrier(void)
{
	if (omp_get_thread_num() == 0) {
		pthread_mutex_lock(&mutex);
		tell("waits");
	} else {
		wait_for_arrivals(1);
		tell("waits");
		pthread_mutex_lock(&mutex); /* MARK: mutex before barrier */
	}
#pragma omp barrier /* MARK: barrier with mutex */
	pthread_mutex_unlock(&mutex);
}

/* In one line, whatever the compiler does. */
static NOINLINE void compute(void)
{
	__asm__ volatile("1: add $1, %0; jmp 1b" : "+r"(sum)); /* MARK: computes */
}

static NOINLINE void one_computes(void)
{
	tell("waits");
	if (omp_get_thread_num() == 1)
		compute(); /* MARK: computes alone */
#pragma omp barrier        /* MARK: barrier of computing */
	KEEP_FRAME();
}

/* A pipeline by flags: thread 0 has left, and so nobody tells thread 1, which tells thread 2. */
static NOINLINE void flags(void)
{
	int me = omp_get_thread_num();

	tell("waits");
	if (me == 0)
		return;
	while (passed[me - 1] == 0) /* MARK: flag */
		continue;
	passed[me] = 1;
}

static volatile int told, turn;
static char taken = 1;

static NOINLINE void publish(void)
{
	told = 1; /* MARK: publishes */
}

/* Threads that look at what nobody changes, each in another way. */
static NOINLINE void flags_otherwise(void)
{
	const struct timespec moment = { .tv_sec = 0, .tv_nsec = 1000000 };
	int me = omp_get_thread_num(), seen = 0, wanted;
	char none;

	tell("waits");
	if (me == 1) {
		for (; !told; sched_yield()) /* MARK: yields */
			continue;
	} else if (me == 2) {
		while (!seen) { /* MARK: flushes */
#pragma omp flush
#pragma omp atomic read
			seen = told;
		}
	} else if (me == 3) {
		do
			wanted = 1; /* MARK: exchanges */
		while (!__atomic_compare_exchange_n(&turn, &wanted, 2, 0, __ATOMIC_SEQ_CST,
						    __ATOMIC_SEQ_CST));
	} else if (me == 4) {
		while (!passed[me + 1])
			usleep(1000); /* MARK: sleeps for flag */
	} else if (me == 5) {
		while (passed[me] < 3)
			nanosleep(&moment, NULL); /* MARK: sleeps longer */
	} else if (me == 6) {
		do
			none = 0; /* MARK: exchanges a byte */
		while (!__atomic_compare_exchange_n(&taken, &none, 1, 0, __ATOMIC_SEQ_CST,
						    __ATOMIC_SEQ_CST));
	}
#pragma omp barrier /* MARK: barrier of flags */
	if (me == 1)
		publish();
	KEEP_FRAME();
}

static volatile int asked, replied;

/* Each waits for the other again and again. */
static NOINLINE void turns(void)
{
	tell("waits");
	if (omp_get_thread_num() == 1)
		for (;;) {
			asked = 1;
			while (!replied)
				continue; /* MARK: turn of one */
			replied = 0;
		}
	else
		for (;;) {
			while (!asked)
				continue;
			asked = 0;
			replied = 1;
		}
}

static void on_signal(int number)
{
	(void)number;
	replied = 1; /* MARK: in the handler */
}

/* A handler may change what thread 1 waits for. */
static NOINLINE void handled(void)
{
	signal(SIGUSR1, on_signal);
	tell("waits");
	if (omp_get_thread_num() == 1)
		while (!replied)
			usleep(1000); /* MARK: handled */
#pragma omp barrier                   /* MARK: barrier of handled */
	KEEP_FRAME();
}

/* Another process counts, and may come to what thread 1 waits for. */
static NOINLINE void counted(void)
{
	const int wanted = 1 << 30; /* more than it comes to */

	tell("waits");
	if (omp_get_thread_num() == 1)
		while (*counter != wanted) /* MARK: counter */
			continue;
#pragma omp barrier /* MARK: barrier of counter */
	KEEP_FRAME();
}

/* Nobody does, but somebody might. */
static NOINLINE void shared(void)
{
	counted(); /* MARK: shared */
}

static void begin_to_count(int counts)
{
	counter = mmap(NULL, sizeof(*counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (counter == MAP_FAILED)
		FAIL("no memory to share");
	if (!counts || fork())
		return;
	for (die_with_parent(); getppid() != 1; usleep(1000))
		++*counter;
	exit(0);
}

/* Of a thread that computes. */
static NOINLINE void flag_of_one(void)
{
	tell("waits");
	if (omp_get_thread_num() == 1)
		compute(); /* MARK: computes for flag */
	while (passed[1] == 0)
		continue;
}

static NOINLINE void all_compute(void)
{
	tell("waits");
	compute(); /* MARK: all compute */
	KEEP_FRAME();
}

static NOINLINE void all_but_one_compute(void)
{
	tell("waits");
	if (omp_get_thread_num() != 0)
		compute(); /* MARK: most compute */
#pragma omp barrier        /* MARK: barrier of one */
	KEEP_FRAME();
}

/* A task that computes keeps its creator waiting. */
static NOINLINE void task_computes(void)
{
	if (omp_get_thread_num() == 0) {
#pragma omp task /* MARK: task that computes */
		{
			tell("computes");
			compute(); /* MARK: computes in task */
			KEEP_FRAME();
		}
		wait_for_arrivals(1);
		tell("waits");
#pragma omp taskwait /* MARK: taskwait for computing */
	}
	KEEP_FRAME();
}

static NOINLINE void lock_computes(void)
{
	if (omp_get_thread_num() == 1) {
		omp_set_lock(&lock);
		tell("computes");
		compute(); /* MARK: computes with lock */
		omp_unset_lock(&lock);
	} else {
		wait_for_arrivals(1);
		tell("waits");
		omp_set_lock(&lock); /* MARK: lock */
		omp_unset_lock(&lock);
	}
	KEEP_FRAME();
}

static NOINLINE void call_part(void (*work)(void))
{
	void *part = dlopen(library, RTLD_NOW | RTLD_DEEPBIND);
	void (*share)(void (*)(void)) =
		part ? (void (*)(void (*)(void)))dlsym(part, "share_part") : NULL;
	if (!share)
		FAIL("no share_part: %s", dlerror());
	share(work); /* MARK: call of part */
	KEEP_FRAME();
}

static NOINLINE void need_lock(void)
{
	omp_set_lock(&lock); /* MARK: lock of part */
	omp_unset_lock(&lock);
	KEEP_FRAME();
}

/* Thread 0 has the lock until all have met; the other runtime's worker needs it before. */
static NOINLINE void both_lock(void)
{
	if (omp_get_thread_num() == 0) {
		omp_set_lock(&lock);
		tell("waits");
	} else {
		wait_for_arrivals(1);
		call_part(need_lock); /* MARK: calls part that locks */
	}
#pragma omp barrier /* MARK: barrier with lock */
	if (omp_get_thread_num() == 0)
		omp_unset_lock(&lock);
	KEEP_FRAME();
}

static NOINLINE void both_compute(void)
{
	if (omp_get_thread_num() == 1)
		call_part(compute); /* MARK: calls part that computes */
	else
		tell("waits");
#pragma omp barrier /* MARK: barrier of both */
	KEEP_FRAME();
}

static NOINLINE void in_mpi(void)
{
	char buffer[8];
	tell("waits");
	if (omp_get_thread_num() == 1) {
		void *mpi = dlopen(library, RTLD_NOW);
		int (*receive)(void *, int) =
			mpi ? (int (*)(void *, int))dlsym(mpi, "MPI_Recv") : NULL;
		if (!receive)
			FAIL("no MPI_Recv: %s", dlerror());
		receive(buffer, sizeof(buffer)); /* MARK: receive */
	}
#pragma omp barrier /* MARK: barrier of receive */
	KEEP_FRAME();
}

static NOINLINE void nothing(void)
{
	tell("works");
	KEEP_FRAME();
}

static const struct scenario workers[] = {
	SCENARIO(in_read),        SCENARIO(in_poll),          SCENARIO(in_sleep),
	SCENARIO(in_condition),   SCENARIO(in_mutex),         SCENARIO(mutex_cycle),
	SCENARIO(mutex_and_lock), SCENARIO(mutex_at_barrier), SCENARIO(one_computes),
	SCENARIO(flags),          SCENARIO(flags_otherwise),  SCENARIO(counted),
	SCENARIO(turns),          SCENARIO(handled),          SCENARIO(shared),
	SCENARIO(flag_of_one),    SCENARIO(all_compute),      SCENARIO(all_but_one_compute),
	SCENARIO(task_computes),  SCENARIO(lock_computes),    SCENARIO(both_lock),
	SCENARIO(both_compute),   SCENARIO(in_mpi),           SCENARIO(nothing),
	SCENARIO(in_join),        SCENARIO(join_with_mutex),  SCENARIO(mutex_twice),
	{ NULL, NULL },
};

/* Before its first region, or after its last one, a program reads, or computes by itself. */
static NOINLINE void serial(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "not_begun") == 0) {
		die_with_parent();
		omp_set_dynamic(0);
		read_stdin(1); /* MARK: not begun */
		exit(0);
	}
	if (argc > 1 && strcmp(argv[1], "serial_part") == 0) {
		die_with_parent();
		in_team(nothing);
		tell("computes");
		compute(); /* MARK: serial part */
	}
	if (argc > 1 && strcmp(argv[1], "serial_flag") == 0) {
		die_with_parent();
		in_team(nothing);
		tell("waits");
		while (!told)
			usleep(1000); /* MARK: serial flag */
	}
}

int main(int argc, char **argv)
{
	serial(argc, argv);
	void (*run)(void) = scenario_of(workers, argc, argv);
	if (team == 0) {
		library = argv[2];
		team = 2;
	} else if (argc == 2) {
		team = 3;
	}
	omp_init_lock(&lock);
	if (run == counted || run == shared)
		begin_to_count(run == counted);
	in_team(run); /* MARK: run */
	if (run == nothing)
		read_stdin(team + 1); /* MARK: finished */
	return 0;
}
