/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * live_reads: reads and writes a variable in the ways of the processor, each once, and says which
 * of them have read: READ for what changes it as well.
 */
#include "testprog.h"

/* What "push" and "call" write is below. */
unsigned long watched __attribute__((aligned(64)));
static unsigned long other;
enum { WRITE, READ };

/* Each has rdi = &watched, rsi = &other, rax = 0; and may use what functions may. */
/* clang-format off */
#define INSN(name, insns)                                                                          \
	__asm__(".text\n.type do_" name ",@function\ndo_" name ": xor %eax,%eax\n" insns "\nret\n");

INSN("load", "mov watched(%rip),%ecx")
INSN("load_by_itself", "mov (%rdi),%rdi")
INSN("load_indexed", "mov $1,%ecx\n mov -8(%rdi,%rcx,8),%rcx")
INSN("load_byte", "movzbl 3(%rdi),%ecx")
INSN("load_vector", "movdqu (%rdi),%xmm0")
INSN("load_x87", "fldl (%rdi)\n fstp %st(0)")
INSN("compare", "cmpq $0,(%rdi)")
INSN("test_bit", "btq $3,(%rdi)")
INSN("add", "addq $0,(%rdi)")
INSN("increase", "lock incq (%rdi)")
INSN("exchange", "xchg %rax,(%rdi)")
INSN("compare_exchange", "lock cmpxchg %rcx,(%rdi)")
INSN("push_it", "push (%rdi)\n pop %rcx")
INSN("lods", "mov %rdi,%rsi\n lodsl")
INSN("cmps", "cmpsb")
INSN("scas", "scasb")
INSN("movs_from", "xchg %rsi,%rdi\n movsq")
INSN("rep_movs_from", "xchg %rsi,%rdi\n mov $1,%ecx\n rep movsb")
INSN("pop", "mov %rsp,%rdx\n mov %rdi,%rsp\n pop %rcx\n mov %rdx,%rsp")
INSN("store", "mov %rax,(%rdi)")
INSN("store_constant", "movl $0x078b078b,(%rdi)")
INSN("store_same", "mov %rax,(%rdi)")
INSN("store_byte", "movb $5,1(%rdi)")
INSN("store_relative", "movl $7,watched(%rip)")
INSN("set", "sete (%rdi)")
INSN("store_vector", "movups %xmm0,(%rdi)")
INSN("store_double", "movq %xmm0,(%rdi)")
INSN("store_word", "movd %xmm0,4(%rdi)")
INSN("store_past_caches", "movnti %eax,(%rdi)")
INSN("store_x87", "fldz\n fstpl (%rdi)")
INSN("stos", "stosl")
INSN("movs_to", "movsq")
INSN("push", "mov %rsp,%rdx\n lea 8(%rdi),%rsp\n push %rcx\n mov %rdx,%rsp")
INSN("call", "mov %rsp,%rdx\n lea 8(%rdi),%rsp\n call 1f\n 1: mov %rdx,%rsp")
/* clang-format on */

typedef void insn_function(unsigned long *watched, unsigned long *other);
#define READS(f)                                                                                   \
	f(load) f(load_by_itself) f(load_indexed) f(load_byte) f(load_vector) f(load_x87)          \
		f(compare) f(test_bit) f(add) f(increase) f(exchange) f(compare_exchange)          \
			f(push_it) f(lods) f(cmps) f(scas) f(movs_from) f(rep_movs_from) f(pop)
#define WRITES(f)                                                                                  \
	f(store) f(store_constant) f(store_same) f(store_byte) f(store_relative) f(set)            \
		f(store_vector) f(store_double) f(store_word) f(store_past_caches) f(store_x87)    \
			f(stos) f(movs_to) f(push) f(call)
#define DECLARE(name) insn_function do_##name;
READS(DECLARE)
WRITES(DECLARE)
#define READ_ROW(name)  { do_##name, READ },
#define WRITE_ROW(name) { do_##name, WRITE },
static const struct {
	insn_function *function;
	int kind;
} all[] = { READS(READ_ROW) WRITES(WRITE_ROW) };

int main(void)
{
	int n[2] = { 0 };

	die_with_parent();
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		all[i].function(&watched, &other);
		n[all[i].kind]++;
	}
	printf("count %d all %d\n", n[READ], n[READ] + n[WRITE]);
	fflush(stdout);
	ready();
	block();
	return 0;
}
