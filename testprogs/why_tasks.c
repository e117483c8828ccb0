/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * why_tasks SCENARIO: thread 0 waits for tasks that never end, or only with stdin; thread 1
 * executes them at the end of the region, as far as anybody can.
 */
#include <semaphore.h>

#include "testprog_why.h"

static omp_lock_t lock;
static sem_t produced;
static omp_event_handle_t event;
static int finished;
static UNUSED int datum;
static void (*body)(void);

static NOINLINE void finish(void)
{
	__atomic_add_fetch(&finished, 1, __ATOMIC_SEQ_CST);
}

static NOINLINE void needs_lock(void)
{
	tell("task");
	omp_set_lock(&lock); /* MARK: lock in task */
	finish();
	omp_unset_lock(&lock);
	KEEP_FRAME();
}

static NOINLINE void needs_critical(void)
{
	tell("task");
#pragma omp critical(ledger) /* MARK: critical in task */
	{
		finish();
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static NOINLINE void reads(void)
{
	read_stdin(2); /* MARK: task reads */
	finish();
	KEEP_FRAME();
}

/* Not before it runs elsewhere: waiting threads execute tasks themselves. */
static NOINLINE void wait_until_the_task_runs(void)
{
	wait_for_arrivals(1);
	tell("waits");
}

static NOINLINE void wait_for_child(void)
{
#pragma omp task /* MARK: child */
	{
		body(); /* MARK: in child */
		KEEP_FRAME();
	}
	wait_until_the_task_runs();
#pragma omp taskwait /* MARK: taskwait */
	KEEP_FRAME();
}

static NOINLINE void wait_for_group(void)
{
#pragma omp taskgroup /* MARK: taskgroup */
	{
#pragma omp task /* MARK: task of group */
		{
			body(); /* MARK: in task of group */
			KEEP_FRAME();
		}
		wait_until_the_task_runs();
	} /* MARK: end of taskgroup */
	KEEP_FRAME();
}

static NOINLINE void wait_for_dependence(void)
{
#pragma omp task depend(out : datum) /* MARK: producer */
	{
		body(); /* MARK: in producer */
		KEEP_FRAME();
	}
	wait_until_the_task_runs();
#pragma omp task if (0) depend(in : datum) /* MARK: consumer */
	finished += datum;
	KEEP_FRAME();
}

/* Of the two children one can run only after the other. */
static NOINLINE void wait_for_successor(void)
{
#pragma omp task depend(out : datum) /* MARK: predecessor */
	{
		body(); /* MARK: in predecessor */
		KEEP_FRAME();
	}
#pragma omp task depend(in : datum) /* MARK: successor */
	finished += datum;
	wait_until_the_task_runs();
#pragma omp taskwait /* MARK: taskwait for successor */
	KEEP_FRAME();
}

/* A lock as a signal: who is to give it can run only after who waits for it. */
static NOINLINE void successor_gives_lock(void)
{
	omp_set_lock(&lock);
#pragma omp task depend(out : datum) /* MARK: waits for signal */
	{
		needs_lock();
		KEEP_FRAME();
	}
#pragma omp task depend(in : datum) /* MARK: gives signal */
	omp_unset_lock(&lock);
	wait_until_the_task_runs();
#pragma omp taskwait /* MARK: taskwait for signal */
	KEEP_FRAME();
}

static NOINLINE void with_lock(void (*wait)(void))
{
	body = needs_lock;
	omp_set_lock(&lock); /* MARK: takes lock */
	wait();              /* MARK: waits with lock */
	omp_unset_lock(&lock);
}

static NOINLINE void child_needs_lock(void)
{
	with_lock(wait_for_child);
	KEEP_FRAME();
}

static NOINLINE void group_needs_lock(void)
{
	with_lock(wait_for_group);
	KEEP_FRAME();
}

static NOINLINE void producer_needs_lock(void)
{
	with_lock(wait_for_dependence);
	KEEP_FRAME();
}

static NOINLINE void predecessor_needs_lock(void)
{
	with_lock(wait_for_successor);
	KEEP_FRAME();
}

static NOINLINE void child_needs_critical(void)
{
	body = needs_critical;
#pragma omp critical(ledger) /* MARK: enters critical */
	{
		wait_for_child(); /* MARK: waits in critical */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

/* Thread 1 leaves the task to thread 0, which has the lock already. */
static NOINLINE void own_child_needs_lock(void)
{
	omp_set_lock(&lock); /* MARK: takes own lock */
#pragma omp task             /* MARK: own child */
	{
		needs_lock(); /* MARK: in own child */
		KEEP_FRAME();
	}
#pragma omp taskwait /* MARK: taskwait for own child */
	omp_unset_lock(&lock);
	KEEP_FRAME();
}

static NOINLINE void child_reads(void)
{
	body = reads;
	wait_for_child();
	KEEP_FRAME();
}

static NOINLINE void group_reads(void)
{
	body = reads;
	wait_for_group();
	KEEP_FRAME();
}

static NOINLINE void producer_reads(void)
{
	body = reads;
	wait_for_dependence();
	KEEP_FRAME();
}

static NOINLINE void predecessor_reads(void)
{
	body = reads;
	wait_for_successor();
	KEEP_FRAME();
}

static NOINLINE void consume(void)
{
	tell("consumes");
	sem_wait(&produced); /* MARK: consumes */
	finish();
}

static NOINLINE void produce(void)
{
	sem_post(&produced);
	sem_post(&produced);
}

/* Both threads consume, so that nobody is left to produce. */
static NOINLINE void only_consumers(void)
{
#pragma omp task /* MARK: first consumer */
	{
		consume(); /* MARK: in first consumer */
		KEEP_FRAME();
	}
	wait_for_arrivals(1);
#pragma omp task /* MARK: second consumer */
	{
#pragma omp task /* MARK: queued producer */
		produce();
		consume(); /* MARK: in second consumer */
		KEEP_FRAME();
	}
#pragma omp taskwait /* MARK: taskwait for consumers */
	KEEP_FRAME();
}

/*
 * The producer can run from the moment on when thread 1 consumes. Thread 0 must not execute it: a
 * thread in a taskwait of a tied task may begin only what descends from that.
 */
static NOINLINE void tied(void)
{
	omp_event_handle_t handle = (omp_event_handle_t)0;
#pragma omp task detach(handle) depend(out : datum)
	{
		event = handle;
		tell("detached");
	}
#pragma omp task depend(in : datum) /* MARK: unrelated producer */
	produce();
	wait_for_arrivals(1);
#pragma omp task if (0) /* MARK: tied task */
	{
#pragma omp task /* MARK: child that consumes */
		{
			consume(); /* MARK: in child that consumes */
			KEEP_FRAME();
		}
		wait_for_arrivals(2);
		omp_fulfill_event(event);
		tell("waits");
#pragma omp taskwait /* MARK: taskwait of tied task */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

/* Its code is executed, but nobody ever says that it is complete. */
static NOINLINE void create_detached(void)
{
	omp_event_handle_t handle = (omp_event_handle_t)0;
#pragma omp task detach(handle) depend(out : datum) /* MARK: detached task */
	{
		event = handle;
		tell("detached");
	}
	wait_until_the_task_runs();
}

static NOINLINE void detached_taskwait(void)
{
	create_detached();
#pragma omp taskwait /* MARK: taskwait for event */
	KEEP_FRAME();
}

static NOINLINE void detached_taskgroup(void)
{
#pragma omp taskgroup /* MARK: taskgroup for event */
	{
		create_detached();
	} /* MARK: end of taskgroup for event */
	KEEP_FRAME();
}

static NOINLINE void detached_dependence(void)
{
	create_detached();
#pragma omp task if (0) depend(in : datum) /* MARK: task after event */
	finish();
	KEEP_FRAME();
}

static NOINLINE void detached_barrier(void)
{
	create_detached();
#pragma omp barrier /* MARK: barrier for event */
	KEEP_FRAME();
}

static NOINLINE void detached_region(void)
{
	create_detached();
	KEEP_FRAME();
}

/* Nobody can ever say so. */
static NOINLINE void detached_unkept(void)
{
	omp_event_handle_t handle UNUSED = (omp_event_handle_t)0;
#pragma omp task detach(handle) /* MARK: task whose event is not kept */
	tell("detached");
	wait_until_the_task_runs();
#pragma omp taskwait /* MARK: taskwait for lost event */
	KEEP_FRAME();
}

static void (*create)(void);

static NOINLINE void create_or_execute(void)
{
	if (omp_get_thread_num() == 0) {
		create(); /* MARK: create */
	} else if (create == own_child_needs_lock) {
		wait_until_the_task_runs();
	} else if (create == detached_barrier) {
#pragma omp barrier /* MARK: barrier of executor */
		KEEP_FRAME();
	}
	KEEP_FRAME();
}

static const struct scenario creators[] = {
	SCENARIO(child_needs_lock),     SCENARIO(group_needs_lock),
	SCENARIO(producer_needs_lock),  SCENARIO(predecessor_needs_lock),
	SCENARIO(child_needs_critical), SCENARIO(own_child_needs_lock),
	SCENARIO(child_reads),          SCENARIO(group_reads),
	SCENARIO(producer_reads),       SCENARIO(predecessor_reads),
	SCENARIO(only_consumers),       SCENARIO(tied),
	SCENARIO(successor_gives_lock), SCENARIO(detached_taskwait),
	SCENARIO(detached_taskgroup),   SCENARIO(detached_dependence),
	SCENARIO(detached_barrier),     SCENARIO(detached_region),
	SCENARIO(detached_unkept),      { NULL, NULL },
};

int main(int argc, char **argv)
{
	create = scenario_of(creators, argc, argv);
	omp_init_lock(&lock);
	in_team(create_or_execute); /* MARK: run */
	if (finished != 1)
		FAIL("%d tasks finished", finished);
	return 0;
}
