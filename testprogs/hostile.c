/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Does to itself what a debugger does not expect; its argument says what. Ends with 7. */
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <ucontext.h>
#include <unistd.h>

enum { PAGE = 4096, LINKS = 20000 };
#define OWN_PAGE __attribute__((aligned(4096), noinline))

static volatile int n;

OWN_PAGE void stop(void)
{
	n++;
}

OWN_PAGE void victim(int i)
{
	n += i;
}

OWN_PAGE static void other(void)
{
	n++;
	_exit(7);
}

static void jump_away(int sig, siginfo_t *info, void *context)
{
	ucontext_t *u = context;

	(void)sig;
	(void)info;
	u->uc_mcontext.gregs[REG_RIP] = (long)other;
}

static void count(int sig)
{
	n += sig;
}

static void unmap(void)
{
	victim(1);
	munmap((void *)victim, PAGE);
}

static void replace(void)
{
	victim(1);
	void *p = mmap((void *)victim, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0);
	memset(p, 0xc3, PAGE); /* ret */
	victim(2);
}

static void protect(void)
{
	mprotect((void *)victim, PAGE, PROT_NONE);
	stop();
	mprotect((void *)victim, PAGE, PROT_READ | PROT_EXEC);
	victim(2);
}

static void jump(void)
{
	struct sigaction action = { .sa_sigaction = jump_away, .sa_flags = SA_SIGINFO };

	sigaction(SIGUSR1, &action, NULL);
	stop();
	raise(SIGUSR1);
}

static void traps(void)
{
	signal(SIGTRAP, count);
	stop();
	for (int i = 0; i < 3; i++) {
		__asm__ volatile("int3");
		raise(SIGTRAP);
	}
}

static void loader(void)
{
	static char name[] = "\033]0;title\007\033[2J";
	struct link_map *first = _r_debug.r_map, *m = first;

	for (; m->l_next; m = m->l_next)
		m->l_name = name;
	m->l_next = first;
	stop();
	_exit(7);
}

static void list(void)
{
	static struct link_map many[LINKS];
	static char name[] = "/proc/kmsg";

	for (int i = 0; i + 1 < LINKS; i++) {
		many[i].l_next = &many[i + 1];
		many[i].l_addr = (unsigned long)i * PAGE;
		many[i].l_name = name;
	}
	_r_debug.r_map = many;
	stop();
	_exit(7);
}

static void name(void)
{
	prctl(PR_SET_NAME, "\033[31m\007\r\n");
	stop();
}

/* Return addresses and frame pointers that lead in circles. */
static void stack(void)
{
	unsigned long *sp = __builtin_frame_address(0);

	for (int i = 0; i < 16; i++)
		sp[i] = (unsigned long)(sp + i % 7);
	stop();
	_exit(7);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} rows[] = {
		{ "unmap", unmap }, { "replace", replace }, { "protect", protect },
		{ "jump", jump },   { "traps", traps },     { "loader", loader },
		{ "list", list },   { "name", name },       { "stack", stack },
	};

	stop();
	for (size_t i = 0; argc > 1 && i < sizeof(rows) / sizeof(*rows); i++) {
		if (!strcmp(argv[1], rows[i].name))
			rows[i].run();
	}
	stop();
	return 7;
}
