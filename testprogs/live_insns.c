/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * live_insns THREADS TIMES [signals]: executes instructions that are hard to bring a thread over,
 * each at a label at_NAME, and checks what they did; with "signals" under a fire of them, whose
 * handler comes to at_handler. Ends with status 1 if anything went wrong. It says how often the
 * handler ran.
 */
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "testprog.h"

/* clang-format off */
#define INSN(name, before, insn, after)                                                            \
	__asm__(".text\n.globl do_" name "\n.type do_" name ",@function\ndo_" name ":\n" before   \
		".globl at_" name "\nat_" name ": " insn after "ret\n");

INSN("call", "", "call helper\n", "nop\n")
__asm__("helper: mov $41,%eax\n ret\n");
INSN("call_slot", "", "call *slot(%rip)\n", "nop\n")
__asm__(".data\nslot: .quad helper\n.text\n");
INSN("jmp_slot", "", "jmp *jump_slot(%rip)\n", "ud2\nbehind: mov $41,%eax\n")
__asm__(".data\njump_slot: .quad behind\n.text\n");
INSN("lea", "", "lea here(%rip),%rax\n", "here: lea here(%rip),%rcx\n sub %rcx,%rax\n add $41,%eax\n")
INSN("load", "", "mov number(%rip),%eax\n", "")
__asm__(".data\nnumber: .long 41\n.text\n");
INSN("rep", "mov $64,%ecx\n", "rep movsb\n", "mov $41,%eax\n")
INSN("syscall", "mov $186,%eax\n", "syscall\n", "7: lea 7b(%rip),%rdx\n sub %rcx,%rdx\n and $0x100,%r11d\n lea 41(%rdx,%r11),%rax\n")
INSN("pushf", "", "pushfq\n", "pop %rax\n and $0x100,%eax\n add $41,%eax\n")
INSN("popf", "pushfq\n", "popfq\n", "mov $41,%eax\n")
INSN("ret", "mov $41,%eax\n", "", "")
INSN("jcc", "xor %eax,%eax\n", "jz 2f\n", "ud2\n2: mov $41,%eax\n")
INSN("loop", "mov $5,%ecx\n mov $36,%eax\n 5: inc %eax\n", "loop 5b\n", "")
INSN("push", "", "push %rsp\n", "pop %rax\n sub %rsp,%rax\n add $41,%rax\n")
INSN("lock", "mov $-1,%ecx\n", "lock xadd %ecx,total(%rip)\n", "lock incl total(%rip)\n mov $41,%eax\n")
__asm__(".data\ntotal: .long 0\n.text\n");
INSN("sse", "mov $41,%ecx\n", "movq %rcx,%xmm0\n", "movq %xmm0,%rax\n")
/* clang-format on */

typedef long insn_function(void *to, const void *from);
#define EACH(f)                                                                                    \
	f(call) f(call_slot) f(jmp_slot) f(lea) f(load) f(rep) f(syscall) f(pushf) f(popf) f(ret)  \
		f(jcc) f(loop) f(push) f(lock) f(sse)
#define DECLARE(name) insn_function do_##name;
EACH(DECLARE)
#define ROW(name) { #name, do_##name },
static const struct {
	const char *name;
	insn_function *function;
} all[] = { EACH(ROW) };
enum { ALL = sizeof(all) / sizeof(*all) };

static long times;
long handled; /* the assembler knows it */
static long bad;

__asm__(".text\n.globl at_handler\nat_handler: lock incq handled(%rip)\n ret\n");
void at_handler(void);

static void on_signal(int signal)
{
	(void)signal;
	at_handler();
}

static void *thread(void *arg)
{
	char from[64], to[64];

	memset(from, 'q', sizeof(from));
	for (long n = 0; n < times; n++) {
		for (int i = 0; i < ALL; i++) {
			memset(to, 0, sizeof(to));
			long got = all[i].function(to, from) & 0xffffffff;
			if (got == 41 && (i != 5 || memcmp(to, from, sizeof(to)) == 0))
				continue;
			fprintf(stderr, "%s: %ld\n", all[i].name, got);
			__atomic_add_fetch(&bad, 1, __ATOMIC_RELAXED);
		}
	}
	return arg;
}

int main(int argc, char **argv)
{
	enum { MOST = 64 };
	pthread_t made[MOST];
	int threads = atoi(argv[1]);

	die_with_parent();
	times = atol(argv[2]);
	signal(SIGALRM, on_signal);
	if (argc > 3)
		setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 1000 }, { 0, 1000 } }, NULL);
	for (int i = 0; i < threads && i < MOST; i++)
		if (pthread_create(&made[i], NULL, thread, NULL))
			FAIL("no thread");
	for (int i = 0; i < threads && i < MOST; i++)
		pthread_join(made[i], NULL);
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	printf("handled %ld\n", handled);
	fflush(stdout);
	if (bad)
		FAIL("%ld went wrong", bad);
	ready();
	block();
	return 0;
}
