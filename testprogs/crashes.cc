/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * crashes SCENARIO: one thread of a team of three crashes while the others wait at a barrier, or
 * compute. "handled" and its like go on in a handler of the signal, "plainly" in one that is not
 * told why, "aside" on another stack, as its own is full; after "again" the handler sends the
 * signal again. "second" calls the runtime that the file named last is.
 */
#include <assert.h>
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdexcept>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "testprog.h"

namespace
{

volatile int zero;
int *volatile nowhere;
const char *const volatile text = "constant";

NOINLINE void null()
{
	nowhere[3] = 1; /* MARK: null */
}

NOINLINE void unmapped()
{
	void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(page, 4096);
	nowhere = static_cast<int *>(page);
	zero = *nowhere; /* MARK: unmapped */
}

NOINLINE void constant()
{
	*const_cast<char *>(text) = 'C'; /* MARK: constant */
}

NOINLINE void wild()
{
	nowhere = reinterpret_cast<int *>(0x5555555555555554);
	zero = *nowhere; /* MARK: wild */
}

NOINLINE int deep(int n)
{
	volatile char local[1000];

	local[n % 1000] = 1;
	return n < 0 ? 0 : deep(n + 1) + local[n % 1000]; /* MARK: deep */
}

void overflow()
{
	zero = deep(0);
}

NOINLINE int far()
{
	volatile char local[64 << 20];

	local[0] = 1;
	return local[zero]; /* MARK: far */
}

void leaps()
{
	zero = far();
}

NOINLINE void divides()
{
	const int all = zero;

	zero = all / zero; /* MARK: divides */
}

NOINLINE void traps()
{
	__builtin_trap(); /* MARK: traps */
}

NOINLINE void truncated()
{
	void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, memfd_create("empty", 0), 0);

	nowhere = static_cast<int *>(page);
	zero = *nowhere; /* MARK: truncated */
}

NOINLINE void aborts()
{
	abort(); /* MARK: aborts */
}

NOINLINE void asserts()
{
	assert(zero == 1); /* MARK: asserts */
}

struct overdrawn : std::runtime_error {
	using std::runtime_error::runtime_error;
};

NOINLINE void throws()
{
	throw overdrawn("no money left"); /* MARK: throws */
}

/* Called by the C library: its frame is not where to look. */
NOINLINE void copies()
{
	memset(nowhere, 1, 4096 + static_cast<size_t>(zero)); /* MARK: copies */
	KEEP_FRAME();
}

void stay(int, siginfo_t *, void *)
{
	static const char said[] = "ready\n";

	if (write(1, said, sizeof(said) - 1) > 0)
		for (;;)
			pause();
}

void handle(int number)
{
	struct sigaction action = {};

	action.sa_sigaction = stay;
	action.sa_flags = SA_SIGINFO;
	sigaction(number, &action, NULL);
}

void handled()
{
	handle(SIGSEGV);
	null();
}

void divides_handled()
{
	handle(SIGFPE);
	divides();
}

void traps_handled()
{
	handle(SIGILL);
	traps();
}

void truncated_handled()
{
	handle(SIGBUS);
	truncated();
}

void aborts_handled()
{
	handle(SIGABRT);
	aborts();
}

void aside()
{
	struct sigaction action = {};
	stack_t other = {};

	other.ss_size = 1 << 16;
	other.ss_sp = malloc(other.ss_size);
	sigaltstack(&other, NULL);
	action.sa_sigaction = stay;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigaction(SIGSEGV, &action, NULL);
	zero = deep(0);
}

void stay_unaware(int)
{
	stay(0, nullptr, nullptr);
}

void plainly()
{
	signal(SIGSEGV, stay_unaware);
	null();
}

void send_again(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

void again()
{
	signal(SIGSEGV, send_again);
	null();
}

/* No stack is left for the handler. */
void unheard()
{
	signal(SIGSEGV, send_again);
	zero = deep(0);
}

void leaps_unheard()
{
	signal(SIGSEGV, send_again);
	zero = far();
}

void raises()
{
	raise(SIGSEGV); /* MARK: raises */
	KEEP_FRAME();
}

const char *library;

NOINLINE void second()
{
	void *runtime = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	void *asked = runtime ? dlsym(runtime, "omp_get_max_threads") : NULL;

	zero = reinterpret_cast<int (*)()>(asked)(); /* MARK: second */
}

/* Nobody crashes: somebody else sends the signal. */
void hangs()
{
	printf("ready\n");
	fflush(stdout);
	for (;;)
		pause(); /* MARK: hangs */
}

const struct {
	const char *name;
	void (*run)();
} scenarios[] = {
	{ "null", null },
	{ "unmapped", unmapped },
	{ "constant", constant },
	{ "wild", wild },
	{ "overflow", overflow },
	{ "divides", divides },
	{ "traps", traps },
	{ "aborts", aborts },
	{ "asserts", asserts },
	{ "throws", throws },
	{ "copies", copies },
	{ "handled", handled },
	{ "hangs", hangs },
	{ "plainly", plainly },
	{ "aside", aside },
	{ "again", again },
	{ "raises", raises },
	{ "leaps", leaps },
	{ "unheard", unheard },
	{ "leaps-unheard", leaps_unheard },
	{ "second", second },
	{ "truncated", truncated },
	{ "divides-handled", divides_handled },
	{ "traps-handled", traps_handled },
	{ "truncated-handled", truncated_handled },
	{ "aborts-handled", aborts_handled },
};

} // namespace

int main(int argc, char **argv)
{
	bool first = argc > 2; /* of the program, instead of the last of the team */

	library = argv[argc - 1];
	die_with_parent();
	for (const auto &scenario : scenarios) {
		if (argc < 2 || strcmp(argv[1], scenario.name) != 0)
			continue;
#pragma omp parallel num_threads(3) /* MARK: region */
		{
			if (omp_get_thread_num() == (first ? 0 : 2)) {
				wait_until_others_sleep();
				scenario.run(); /* MARK: run */
			}
#pragma omp barrier /* MARK: barrier */
		}
	}
	return 1;
}
