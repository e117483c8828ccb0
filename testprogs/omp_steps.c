/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Constructs to step into, over and out of. Its argument names the one that is executed. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static int sum, more;
static volatile int stop_here;

static int work(int n)
{
	return n + 1; /* MARK: work */
}

static void meets(void)
{
	stop_here = 1;              /* MARK: before-region */
#pragma omp parallel num_threads(3) /* MARK: region */
	{
		int id = omp_get_thread_num(); /* MARK: in-region */
#pragma omp barrier                            /* MARK: barrier */
#pragma omp atomic                             /* MARK: region-atomic */
		sum += id;                     /* MARK: region-last */
	}                                      /* MARK: region-brace */
	stop_here = 2;                         /* MARK: behind-region */
}

static void serial(void)
{
	stop_here = 1;                  /* MARK: before-serial */
#pragma omp parallel if (stop_here > 5) /* MARK: serial */
	{
		sum += work(sum); /* MARK: in-serial */
	}
	stop_here = 2; /* MARK: behind-serial */
}

static void loop(int n)
{
	stop_here = 1;                                                      /* MARK: before-loop */
#pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(static) /* MARK: loop */
	for (int i = 0; i < n; i++) {
		sum += work(i); /* MARK: in-loop */
		more = sum;     /* MARK: loop-last */
	}
	stop_here = 2; /* MARK: behind-loop */
}

static void task(void)
{
	int y = 3;

#pragma omp parallel num_threads(3)
#pragma omp master
	{
		stop_here = 1;                /* MARK: before-task */
#pragma omp task shared(more) firstprivate(y) /* MARK: task */
		{
			y = work(y); /* MARK: in-task */
			more += y;   /* MARK: task-last */
		}
		stop_here = 2; /* MARK: behind-task */
#pragma omp taskwait
		stop_here = 3;                       /* MARK: before-undeferred */
#pragma omp task if (0) shared(more) firstprivate(y) /* MARK: undeferred */
		{
			more += y; /* MARK: in-undeferred */
		}
		stop_here = 4; /* MARK: behind-undeferred */
	}
	stop_here = 5; /* MARK: behind-tasks */
}

static void taskloop(void)
{
#pragma omp parallel num_threads(3)
#pragma omp master
	{
		stop_here = 1;                /* MARK: before-taskloop */
#pragma omp taskloop num_tasks(4)             /* MARK: taskloop */
		for (int i = 0; i < 8; i++) { /* MARK: taskloop-for */
#pragma omp atomic
			sum += i; /* MARK: in-taskloop */
		}
		stop_here = 2; /* MARK: behind-taskloop */
	}
}

/* The same code is that of many tasks. */
static int fib(int n)
{
	int a = 0, b = 0;

	if (n < 2)
		return n;
	stop_here = n;     /* MARK: before-fib-task */
#pragma omp task shared(a) /* MARK: fib-task */
	{
		a = fib(n - 1); /* MARK: in-fib */
		sum += a >= 0;  /* MARK: fib-last */
	}
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

static void recursion(void)
{
#pragma omp parallel num_threads(3)
#pragma omp master
	sum = fib(7);
}

/* LLVM goes on with it in any thread. */
static void untied(void)
{
#pragma omp parallel num_threads(3)
#pragma omp master
	{
		stop_here = 1; /* MARK: before-untied */
#pragma omp task untied        /* MARK: untied */
		{
			more = work(1); /* MARK: in-untied */
#pragma omp taskyield                   /* MARK: yield */
			more += 2;      /* MARK: untied-second */
#pragma omp taskyield                   /* MARK: yield-again */
			sum = more;     /* MARK: untied-last */
		}
		stop_here = 2; /* MARK: behind-untied */
	}
	stop_here = 3; /* MARK: behind-untied-region */
}

static void sections(void)
{
	stop_here = 1;                       /* MARK: before-sections */
#pragma omp parallel sections num_threads(1) /* MARK: sections */
	{
#pragma omp section
		sum += 1; /* MARK: section-1 */
#pragma omp section
		sum += 2; /* MARK: section-2 */
	}
	stop_here = 2; /* MARK: behind-sections */
}

/* Worksharing constructs within a region. */
static void shares(void)
{
#pragma omp parallel num_threads(2)
	{
		stop_here = 1;    /* MARK: before-for */
#pragma omp for schedule(dynamic) /* MARK: for */
		for (int i = 0; i < 40; i++) {
#pragma omp atomic
			sum += work(i); /* MARK: in-for */
		}
		stop_here = 2; /* MARK: behind-for */
	}
	stop_here = 3; /* MARK: behind-shares */
}

static void inner(void)
{
	stop_here = 2;              /* MARK: before-nested */
#pragma omp parallel num_threads(2) /* MARK: nested */
	{
		int id = omp_get_thread_num(); /* MARK: in-nested */
#pragma omp atomic
		more += id;
	}
	stop_here = 3; /* MARK: behind-nested */
}

static void nests(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp master
	inner();
}

/* With OMP_CANCELLATION=true the second task is never executed. */
static void cancels(void)
{
#pragma omp parallel num_threads(2)
#pragma omp master
	{
#pragma omp taskgroup
		{
#pragma omp task if (0)
			{
#pragma omp cancel taskgroup
			} stop_here = 1; /* MARK: before-cancelled */
#pragma omp task                         /* MARK: cancelled */
			{
				sum++; /* MARK: in-cancelled */
			}
			stop_here = 2; /* MARK: behind-cancelled */
		}
		sum++; /* MARK: behind-group */
	}
	stop_here = 3; /* MARK: behind-cancelling */
}

/* A region is all that is in another one. */
static void directly(void)
{
	stop_here = 1; /* MARK: before-directly */
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2) /* MARK: directly */
	{
		stop_here = 2; /* MARK: in-directly */
		stop_here = 3;
	}
	stop_here = 4; /* MARK: behind-directly */
}

/* gcc puts what follows the loop before its body. */
static void counts(void)
{
#pragma omp parallel num_threads(2)
	{
		for (int k = 0; k < 3; k++) { /* MARK: counting */
			stop_here = k;
			stop_here = k + 1; /* MARK: counted */
		}
		stop_here = 5; /* MARK: behind-counting */
	}
	stop_here = 6; /* MARK: behind-counts */
}

static __attribute__((noinline)) void use(int n)
{
	stop_here = n;
}

/* Optimised, both are one call, which has no line. */
static void parts(void)
{
#pragma omp parallel num_threads(2)
	{
		use(1); /* MARK: before-parts */
#pragma omp sections
		{
			use(2);
#pragma omp section
			use(3);
		}
		use(4); /* MARK: behind-parts */
	}
	stop_here = 5;
}

/* The first thread finds the construct executed already. */
static void either(void)
{
	static volatile int taken;

#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		more++;
		if (!omp_get_thread_num()) {
			while (!taken)
				;
			stop_here = 1; /* MARK: before-single */
		}
#pragma omp single /* MARK: single */
		taken = 1;
		stop_here = 2; /* MARK: behind-single */
	}
	stop_here = 3;
}

/* In no region: executed at once. */
static void outside(void)
{
	stop_here = 1; /* MARK: before-outside */
#pragma omp task       /* MARK: outside */
	{
		stop_here = 2; /* MARK: in-outside */
	}
	stop_here = 3;
}

/* gcc has no line between the two. */
static void follows(int n)
{
	stop_here = 1;                  /* MARK: before-none */
#pragma omp parallel for num_threads(2) /* MARK: none */
	for (int i = 0; i < n; i++)
		more += i;
#pragma omp parallel num_threads(2) /* MARK: second */
	{
#pragma omp atomic     /* MARK: atomic */
		sum++; /* MARK: in-second */
	}
	stop_here = 2; /* MARK: behind-second */
}

/* Optimised, it ends by a jump to a stub of another library's function. */
static __attribute__((noinline)) void seeds(void)
{
	stop_here = 1; /* MARK: before-jump */
	srand(3);      /* MARK: jump */
}

static void jumps(void)
{
	seeds();
	stop_here = 2; /* MARK: behind-jump */
}

struct pair {
	int n;
};

/* What compilers put around the statements of a construct, with lines of its own. */
static void around(void)
{
	struct pair all = { 0 };
	int n = 0;

#pragma omp declare reduction(join : struct pair : omp_out.n += omp_in.n) /* MARK: declared */
#pragma omp parallel num_threads(2) reduction(join : all)                 /* MARK: joins */
	{
		all.n += work(1); /* MARK: in-joins */
	}
	stop_here = all.n; /* MARK: behind-joins */
#pragma omp parallel num_threads(1)
	{
		stop_here = 1;    /* MARK: before-short */
#pragma omp task shared(n) untied /* MARK: short */
		n = work(n);      /* MARK: in-short */
	}
	stop_here = 2;                                /* MARK: before-teams */
#pragma omp target teams num_teams(1) map(tofrom : n) /* MARK: teams */
	{
		n = work(n);        /* MARK: in-teams */
#pragma omp parallel num_threads(2) /* MARK: region-in-teams */
		{
#pragma omp atomic
			n++; /* MARK: in-region-in-teams */
		}
	}              /* MARK: teams-brace */
	stop_here = n; /* MARK: behind-teams */
}

/* Optimised by gcc, the wait is a jump. */
static void waits(void)
{
	int n = 0;

#pragma omp parallel num_threads(2)
#pragma omp single nowait
	{
#pragma omp task shared(n)
		n += work(n); /* MARK: in-waits */
#pragma omp taskwait
	}
	stop_here = n; /* MARK: behind-waits */
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} rows[] = {
		{ "meets", meets },       { "serial", serial },       { "task", task },
		{ "taskloop", taskloop }, { "recursion", recursion }, { "nests", nests },
		{ "cancels", cancels },   { "untied", untied },       { "sections", sections },
		{ "shares", shares },     { "directly", directly },   { "counts", counts },
		{ "parts", parts },       { "either", either },       { "outside", outside },
		{ "jumps", jumps },       { "around", around },       { "waits", waits },
	};
	const char *name = argc > 1 ? argv[1] : "meets";

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!strcmp(rows[i].name, name))
			rows[i].run();
	}
	if (!strcmp(name, "loop"))
		loop(5);
	if (!strcmp(name, "empty"))
		loop(0);
	if (!strcmp(name, "follows"))
		follows(0);
	return !sum; /* MARK: end */
}
