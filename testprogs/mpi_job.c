/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* mpi_job CASE: ranks of an MPI job that hang, or do not, as the case says. */
#include <mpi.h>
#include <stdbool.h>

#include "testprog_omp.h"

static int rank, size;
static double mine, sum;
static omp_lock_t lock;

static NOINLINE void reduce(void)
{
	MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* MARK: reduce */
	KEEP_FRAME();
}

static NOINLINE void receive(int from, int tag, MPI_Comm comm)
{
	int x;
	MPI_Recv(&x, 1, MPI_INT, from, tag, comm, MPI_STATUS_IGNORE); /* MARK: receive */
	KEEP_FRAME();
}

static NOINLINE void send(int to, int tag)
{
	MPI_Ssend(&rank, 1, MPI_INT, to, tag, MPI_COMM_WORLD); /* MARK: send */
	KEEP_FRAME();
}

/* ---- what goes wrong in one rank, while the others wait for it ------------------------------ */

static NOINLINE void leave_team(void)
{
#pragma omp parallel num_threads(2) /* MARK: leave */
	{
		if (rank != 1 || omp_get_thread_num() != 1) {
#pragma omp barrier /* MARK: barrier */
			KEEP_FRAME();
		}
	}
	reduce();
}

static NOINLINE void lock_twice(void)
{
	omp_init_lock(&lock);
	omp_set_lock(&lock);
	if (rank == 2)
		omp_set_lock(&lock); /* MARK: again */
	reduce();
}

static NOINLINE void enter(void)
{
#pragma omp critical(outer) /* MARK: enter */
	mine++;
	KEEP_FRAME();
}

static NOINLINE void enter_twice(void)
{
#pragma omp critical(outer)
	{
#pragma omp parallel num_threads(2) /* MARK: critical */
		if (rank == 0 && omp_get_thread_num() == 1)
			enter();
	}
	reduce();
}

static NOINLINE void wait_for_task(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		omp_event_handle_t never;
#pragma omp task detach(never) /* MARK: task */
		mine++;
		if (rank != 1)
			omp_fulfill_event(never);
#pragma omp taskwait
		KEEP_FRAME();
	}
	reduce();
}

static void on_crash(int signal)
{
	(void)signal;
	for (;;)
		pause();
}

static NOINLINE void crash(void)
{
	if (rank == 1) {
		volatile int *volatile nowhere = NULL;
		signal(SIGSEGV, on_crash);
		*nowhere = 1; /* MARK: crash */
	}
	reduce();
}

static NOINLINE void read_input(void)
{
	int ends[2];
	char c;
	if (rank == 2 && (pipe(ends) || read(ends[0], &c, 1) < 0)) /* MARK: read */
		FAIL("no input");
	reduce();
}

static NOINLINE void compute(void)
{
	while (rank == 1)
		*(volatile double *)&sum += 1; /* MARK: compute */
	reduce();
}

static NOINLINE void end_early(void)
{
	if (rank == 1)
		_exit(0);
	reduce();
}

/* ---- what goes wrong between ranks ---------------------------------------------------------- */

static NOINLINE void mismatch(void)
{
	if (rank == 1)
		MPI_Barrier(MPI_COMM_WORLD); /* MARK: other */
	else
		reduce();
	KEEP_FRAME();
}

static NOINLINE void create(void)
{
	int ends[] = { 0, 0, 0 }, none = 0;
	MPI_Comm graph;
	MPI_Win window;
	if (rank == 0)
		MPI_Graph_create(MPI_COMM_WORLD, 3, ends, &none, 0, &graph); /* MARK: graph */
	if (rank == 1)
		MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window); /* MARK: window */
	receive(0, 9, MPI_COMM_WORLD);
}

static NOINLINE void fence(void)
{
	MPI_Win window;
	MPI_Win_create(&mine, sizeof(mine), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
	if (rank == 2)
		reduce();
	else
		MPI_Win_fence(0, window); /* MARK: fence */
	KEEP_FRAME();
}

static NOINLINE void probe(void)
{
	if (rank == 0)
		MPI_Probe(2, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* MARK: probe */
	reduce();
}

static NOINLINE void exchange(void)
{
	int x, to = (rank + 1) % size;
	const MPI_Comm all = MPI_COMM_WORLD;
	MPI_Status *no = MPI_STATUS_IGNORE;
	MPI_Sendrecv(&to, 1, MPI_INT, to, 1, &x, 1, MPI_INT, to, 1, all, no); /* MARK: swap */
	KEEP_FRAME();
}

static NOINLINE void ring(void)
{
	receive((rank + 1) % size, 7, MPI_COMM_WORLD);
	KEEP_FRAME();
}

static NOINLINE void ring_in_region(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp master
		receive((rank + 1) % size, 7, MPI_COMM_WORLD);
#pragma omp barrier
		KEEP_FRAME();
	}
}

static NOINLINE void unsent(void)
{
	if (rank == 0)
		receive(1, 5, MPI_COMM_WORLD);
	reduce();
}

static NOINLINE void other_tag(void)
{
	if (rank == 0)
		send(1, 1);
	if (rank == 1)
		receive(0, 2, MPI_COMM_WORLD);
	reduce();
}

static NOINLINE void head_on(void)
{
	if (rank < 2)
		send(1 - rank, 3);
	reduce();
}

static NOINLINE void finalize_early(void)
{
	if (rank)
		receive(0, 9, MPI_COMM_WORLD);
	KEEP_FRAME();
}

/* ---- what nobody can tell from outside ------------------------------------------------------ */

static NOINLINE void other_communicator(void)
{
	MPI_Comm other;
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &other);
	receive((rank + 1) % size, 7, other);
}

static NOINLINE void from_any(void)
{
	receive(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD);
	KEEP_FRAME();
}

static NOINLINE void wait_for_request(void)
{
	MPI_Request request;
	int x;
	MPI_Irecv(&x, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* MARK: wait */
	KEEP_FRAME();
}

static NOINLINE void from_two_threads(void)
{
#pragma omp parallel num_threads(2)
	{
		if (rank == 0)
			receive(1, omp_get_thread_num(), MPI_COMM_WORLD);
	}
	reduce();
}

/* ---- what is well --------------------------------------------------------------------------- */

static NOINLINE void go_on(void)
{
	for (;;) {
		int x;
		MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &x, 1, MPI_INT,
			     (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp parallel num_threads(2) reduction(+ : sum)
		sum += x;
		reduce();
		MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
	}
}

/* Mostly both wait for a message that is on its way, and nothing of their own changes. */
static NOINLINE void ping_pong(void)
{
	while (rank < 2) {
		if (rank == 0)
			MPI_Send(&rank, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
		receive(1 - rank, 7, MPI_COMM_WORLD);
		if (rank == 1)
			MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
	}
	reduce();
}

/* Rank 0 gets nothing of rank 1, which waits for what rank 2 computes. */
static NOINLINE void go_apart(void)
{
	const int n[] = { 0, rank == 2, rank == 1 }, at[] = { 0, 1, 2 };
	int from[3] = { 0 }, to[3];
	while (rank == 2)
		*(volatile double *)&sum += 1;
	MPI_Alltoallv(from, n, at, MPI_INT, to, n, at, MPI_INT, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* How far whoever looks at ranks that spin, and other tests, go before them. */
enum { SPINS = 10 };

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "team", leave_team },
	{ "lock", lock_twice },
	{ "critical", enter_twice },
	{ "task", wait_for_task },
	{ "crash", crash },
	{ "input", read_input },
	{ "compute", compute },
	{ "gone", end_early },
	{ "mismatch", mismatch },
	{ "create", create },
	{ "fence", fence },
	{ "probe", probe },
	{ "exchange", exchange },
	{ "ring", ring },
	{ "region", ring_in_region },
	{ "unsent", unsent },
	{ "tag", other_tag },
	{ "head-on", head_on },
	{ "finalize", finalize_early },
	{ "communicator", other_communicator },
	{ "any", from_any },
	{ "request", wait_for_request },
	{ "threads", from_two_threads },
	{ "healthy", go_on },
	{ "ping-pong", ping_pong },
	{ "apart", go_apart },
};

/* Ranks of the others end in spinning in MPI. */
static bool computes(void (*run)(void))
{
	return run == compute || run == go_on || run == ping_pong || run == go_apart;
}

int main(int argc, char **argv)
{
	int granted;

	die_with_parent();
	if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &granted) != MPI_SUCCESS || argc < 2)
		return 2;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (strcmp(cases[i].name, argv[1]) != 0)
			continue;
		if (!computes(cases[i].run) && nice(SPINS) < 0)
			return 2;
		cases[i].run(); /* MARK: called */
	}
	MPI_Finalize(); /* MARK: finalize */
	return 0;
}
