/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What made-up functions hold, by their machine code; and code that is out to do harm. */
#include <stdio.h>

#include "code_fixture.h"
#include "hex.h"
#include "target/flow/flow.h"
#include "unit.h"

/* Addresses in the made-up program. */
enum {
	CODE = 0x401000,  /* the function                                                  */
	OTHER = 0x401800, /* its unlikely part, or another function                        */
	TAKE = 0x402000,
	GIVE = 0x402010,
	TRY = 0x402020,
	WORK = 0x402030,
	GIVE_OTHER_KIND = 0x402040,
	CALLED_END = 0x402050,
	LOCK = 0x404000, /* several; LOCK + 32 points to one of them                       */
	POINTER = 0x404100,
	TABLE = 0x405000,
	STACK = 0x7ff000, /* the canonical frame address of the function                   */
};

static struct flow_call classify(void *context, taddr target)
{
	(void)context;
	switch (target) {
	case TAKE:
		return (struct flow_call){ FLOW_TAKE, 1, 0, 0 };
	case GIVE:
		return (struct flow_call){ FLOW_GIVE, 1, 0, 0 };
	case TRY:
		return (struct flow_call){ FLOW_TRY, 1, 0, 0 };
	case GIVE_OTHER_KIND:
		return (struct flow_call){ FLOW_GIVE, 2, 0, 0 };
	default:
		return (struct flow_call){ FLOW_NOTHING, 0, 0, 0 };
	}
}

/* ---- programs ------------------------------------------------------------------------------- */

struct program {
	struct code_fixture code;
	struct fake_target *fake; /* of code */
	struct flow *flow;
};

/* A program of code at CODE and OTHER, of so many bytes. */
static void program_init(struct program *p, const uint8_t *code, size_t size, const uint8_t *other,
			 size_t other_size)
{
	struct code_range ranges[] = { { CODE, CODE + (uint32_t)size },
				       { OTHER, OTHER + (uint32_t)other_size },
				       { TAKE, GIVE },
				       { GIVE, TRY },
				       { TRY, WORK },
				       { WORK, GIVE_OTHER_KIND },
				       { GIVE_OTHER_KIND, CALLED_END } };

	if (!other_size)
		memmove(&ranges[1], &ranges[2], sizeof(ranges) - 2 * sizeof(*ranges));
	code_fixture_init(&p->code, ranges, COUNT(ranges) - !other_size);
	p->fake = p->code.fake;
	fake_target_add(p->fake, CODE, code, size);
	if (other_size)
		fake_target_add(p->fake, OTHER, other, other_size);
	fake_target_add(p->fake, TAKE, (uint8_t[0x50]){ 0xc3 }, 0x50);
	p->flow = flow_new(&p->fake->base, p->code.unwinder, classify, NULL);
	ck_assert_ptr_nonnull(p->flow);
}

static void program_fini(struct program *p)
{
	flow_free(p->flow);
	code_fixture_fini(&p->code);
}

/* Locks, a table for jumps, what the stack holds, and registers. */
static void add_data(struct program *p)
{
	const struct arch *arch = p->fake->base.arch;
	const int32_t table[] = { 0x401023 - TABLE, 0x401030 - TABLE, 0x401031 - TABLE };
	const uint64_t pointer = LOCK + 0x38, element = LOCK + 0x28;
	uint64_t stack[16] = { 0 };

	stack[13] = 0x404300; /* 24 below the frame address */
	fake_target_add(p->fake, STACK - sizeof(stack), stack, sizeof(stack));
	fake_target_add(p->fake, POINTER, &pointer, sizeof(pointer));
	fake_target_add(p->fake, 0x404308, &element, sizeof(element));
	fake_target_add(p->fake, TABLE, table, sizeof(table));
	arch_put(arch_find_reg(arch, "rbx"), p->fake->general, 0x404300);
	arch_put(arch_find_reg(arch, "r12"), p->fake->general, LOCK + 8);
	arch_put(arch_find_reg(arch, "rsp"), p->fake->general, STACK - 8);
}

static void describe(const struct flow_state *s, struct buf *ret)
{
	for (size_t i = 0; i < s->nholds; i++)
		buf_addf(ret, "%s%" PRIxTADDR " %d %" PRIxTADDR "%s", i ? "; " : "",
			 s->holds[i].call - CODE, s->holds[i].kind, s->holds[i].object,
			 s->holds[i].always ? "" : " maybe");
	if (!s->complete)
		buf_addf(ret, "%sincomplete", s->nholds ? "; " : "");
}

static void ask(struct program *p, taddr pc, struct flow_state *ret)
{
	struct unwind_frame frame = { .pc = pc, .cfa = STACK, .exact = true };
	struct unwind_stack stack = { .items = &frame, .len = 1, .cap = 1 };
	struct thread *th = target_find_thread(&p->fake->base, 1);

	if (!th)
		th = target_add_thread(&p->fake->base, 1);
	ck_assert_ptr_nonnull(th);
	th->general_valid = false;
	arch_put(p->fake->base.arch->pc, p->fake->general, pc);
	flow_at(p->flow, th, &stack, 0, ret);
}

/* ---- functions ------------------------------------------------------------------------------ */

/* LOCK is at 0x404000. Comments: offset from CODE. */
static const struct {
	const char *name;
	const char *code, *other;
	taddr pc;
	const char *expected; /* call (from CODE), kind, object */
} functions[] = {
	/* clang-format off */
	{ "a call that takes",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "e8 1f 10 00 00 " /* c: call 402030 */
	  "c3 ", /* 11: ret */
	  NULL,
	  0x40100c, "c 1 404000" },
	{ "before the call",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "c3 ", /* c: ret */
	  NULL,
	  0x401007, "" },
	{ "given back",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "48 8d 3d ed 2f 00 00 " /* c: lea 0x2fed(%rip),%rdi */
	  "e8 f8 0f 00 00 " /* 13: call 402010 */
	  "c3 ", /* 18: ret */
	  NULL,
	  0x401018, "" },
	{ "given back on one way",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "83 38 00 " /* c: cmpl $0x0,(%rax) */
	  "74 0c " /* f: je 40101d */
	  "48 8d 3d e8 2f 00 00 " /* 11: lea 0x2fe8(%rip),%rdi */
	  "e8 f3 0f 00 00 " /* 18: call 402010 */
	  "c3 ", /* 1d: ret */
	  NULL,
	  0x40101d, "c 1 404000 maybe" },
	{ "by what registers say",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "85 db " /* c: test %ebx,%ebx */
	  "74 0c " /* e: je 40101c */
	  "48 8d 3d e9 2f 00 00 " /* 10: lea 0x2fe9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 17: call 402010 */
	  "c3 ", /* 1c: ret */
	  NULL,
	  0x40101c, "" },
	{ "in the turn that registers say",
	  "41 bc 00 40 40 00 " /* 0: mov $0x404000,%r12d */
	  "bb ff 42 40 00 " /* 6: mov $0x4042ff,%ebx */
	  "4c 89 e7 " /* b: mov %r12,%rdi */
	  "e8 ed 0f 00 00 " /* e: call 402000 */
	  "49 83 c4 08 " /* 13: add $0x8,%r12 */
	  "ff c3 " /* 17: inc %ebx */
	  "81 fb 02 43 40 00 " /* 19: cmp $0x404302,%ebx */
	  "75 ea " /* 1f: jne 40100b */
	  "c3 ", /* 21: ret */
	  NULL,
	  0x401019, "13 1 404000" },
	{ "taken on both ways",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "85 db " /* 7: test %ebx,%ebx */
	  "74 07 " /* 9: je 401012 */
	  "e8 f0 0f 00 00 " /* b: call 402000 */
	  "eb 05 " /* 10: jmp 401017 */
	  "e8 e9 0f 00 00 " /* 12: call 402000 */
	  "c3 ", /* 17: ret */
	  NULL,
	  0x401017, "10 1 404000" },
	{ "each turn of a loop",
	  "bb 05 00 00 00 " /* 0: mov $0x5,%ebx */
	  "48 8d 3d f4 2f 00 00 " /* 5: lea 0x2ff4(%rip),%rdi */
	  "e8 ef 0f 00 00 " /* c: call 402000 */
	  "48 8d 3d e8 2f 00 00 " /* 11: lea 0x2fe8(%rip),%rdi */
	  "e8 f3 0f 00 00 " /* 18: call 402010 */
	  "ff cb " /* 1d: dec %ebx */
	  "75 e4 " /* 1f: jne 401005 */
	  "c3 ", /* 21: ret */
	  NULL,
	  0x40101d, "" },
	{ "within a turn of a loop",
	  "bb 05 00 00 00 " /* 0: mov $0x5,%ebx */
	  "48 8d 3d f4 2f 00 00 " /* 5: lea 0x2ff4(%rip),%rdi */
	  "e8 ef 0f 00 00 " /* c: call 402000 */
	  "90 " /* 11: nop */
	  "48 8d 3d e7 2f 00 00 " /* 12: lea 0x2fe7(%rip),%rdi */
	  "e8 f2 0f 00 00 " /* 19: call 402010 */
	  "ff cb " /* 1e: dec %ebx */
	  "75 e3 " /* 20: jne 401005 */
	  "c3 ", /* 22: ret */
	  NULL,
	  0x401011, "11 1 404000" },
	{ "something else each turn",
	  "bb 00 40 40 00 " /* 0: mov $0x404000,%ebx */
	  "48 89 df " /* 5: mov %rbx,%rdi */
	  "e8 f3 0f 00 00 " /* 8: call 402000 */
	  "48 83 c3 08 " /* d: add $0x8,%rbx */
	  "48 81 fb 18 40 40 00 " /* 11: cmp $0x404018,%rbx */
	  "75 eb " /* 18: jne 401005 */
	  "c3 ", /* 1a: ret */
	  NULL,
	  0x40101a, "d 1 4042f8; d 1 0 maybe" },
	{ "tried and got",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 14 10 00 00 " /* 7: call 402020 */
	  "85 c0 " /* c: test %eax,%eax */
	  "74 01 " /* e: je 401011 */
	  "90 " /* 10: nop */
	  "c3 ", /* 11: ret */
	  NULL,
	  0x401010, "c 1 404000" },
	{ "tried and not got",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 14 10 00 00 " /* 7: call 402020 */
	  "85 c0 " /* c: test %eax,%eax */
	  "75 01 " /* e: jne 401011 */
	  "90 " /* 10: nop */
	  "c3 ", /* 11: ret */
	  NULL,
	  0x401010, "" },
	{ "tried and not looked",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 14 10 00 00 " /* 7: call 402020 */
	  "c3 ", /* c: ret */
	  NULL,
	  0x40100c, "c 1 404000 maybe" },
	{ "tried until got",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 14 10 00 00 " /* 7: call 402020 */
	  "85 c0 " /* c: test %eax,%eax */
	  "74 f0 " /* e: je 401000 */
	  "c3 ", /* 10: ret */
	  NULL,
	  0x401010, "c 1 404000" },
	{ "tried by a truth value",
	  "55 " /* 0: push %rbp */
	  "48 89 e5 " /* 1: mov %rsp,%rbp */
	  "48 83 ec 10 " /* 4: sub $0x10,%rsp */
	  "48 8d 3d f1 2f 00 00 " /* 8: lea 0x2ff1(%rip),%rdi */
	  "e8 0c 10 00 00 " /* f: call 402020 */
	  "83 f8 00 " /* 14: cmp $0x0,%eax */
	  "0f 95 c0 " /* 17: setne %al */
	  "34 ff " /* 1a: xor $0xff,%al */
	  "24 01 " /* 1c: and $0x1,%al */
	  "0f b6 c0 " /* 1e: movzbl %al,%eax */
	  "89 45 f8 " /* 21: mov %eax,-0x8(%rbp) */
	  "83 7d f8 00 " /* 24: cmpl $0x0,-0x8(%rbp) */
	  "75 01 " /* 28: jne 40102b */
	  "90 " /* 2a: nop */
	  "c9 " /* 2b: leave */
	  "c3 ", /* 2c: ret */
	  NULL,
	  0x40102a, "14 1 404000" },
	{ "nested once given back",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "48 8d 3d ed 2f 00 00 " /* c: lea 0x2fed(%rip),%rdi */
	  "e8 e8 0f 00 00 " /* 13: call 402000 */
	  "48 8d 3d e1 2f 00 00 " /* 18: lea 0x2fe1(%rip),%rdi */
	  "e8 ec 0f 00 00 " /* 1f: call 402010 */
	  "c3 ", /* 24: ret */
	  NULL,
	  0x401024, "c 1 404000" },
	{ "an unknown object",
	  "48 8b 3e " /* 0: mov (%rsi),%rdi */
	  "e8 f8 0f 00 00 " /* 3: call 402000 */
	  "c3 ", /* 8: ret */
	  NULL,
	  0x401008, "8 1 0" },
	{ "an unknown object given back",
	  "48 8b 3e " /* 0: mov (%rsi),%rdi */
	  "e8 f8 0f 00 00 " /* 3: call 402000 */
	  "e8 23 10 00 00 " /* 8: call 402030 */
	  "48 8b 38 " /* d: mov (%rax),%rdi */
	  "e8 fb 0f 00 00 " /* 10: call 402010 */
	  "c3 ", /* 15: ret */
	  NULL,
	  0x401015, "" },
	{ "an unknown object is given back",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "e8 1f 10 00 00 " /* c: call 402030 */
	  "48 8b 38 " /* 11: mov (%rax),%rdi */
	  "e8 f7 0f 00 00 " /* 14: call 402010 */
	  "c3 ", /* 19: ret */
	  NULL,
	  0x401019, "c 1 404000 maybe" },
	{ "another object is given back",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "48 8d 3d f5 2f 00 00 " /* c: lea 0x2ff5(%rip),%rdi */
	  "e8 f8 0f 00 00 " /* 13: call 402010 */
	  "c3 ", /* 18: ret */
	  NULL,
	  0x401018, "c 1 404000" },
	{ "another kind is given back",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "48 8d 3d ed 2f 00 00 " /* c: lea 0x2fed(%rip),%rdi */
	  "e8 28 10 00 00 " /* 13: call 402040 */
	  "c3 ", /* 18: ret */
	  NULL,
	  0x401018, "c 1 404000" },
	{ "a register still has it",
	  "48 89 fb " /* 0: mov %rdi,%rbx */
	  "e8 f8 0f 00 00 " /* 3: call 402000 */
	  "31 ff " /* 8: xor %edi,%edi */
	  "90 " /* a: nop */
	  "c3 ", /* b: ret */
	  NULL,
	  0x40100a, "8 1 404300" },
	{ "a register has its element",
	  "48 89 fb " /* 0: mov %rdi,%rbx */
	  "48 8b 7b 08 " /* 3: mov 0x8(%rbx),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "31 ff " /* c: xor %edi,%edi */
	  "90 " /* e: nop */
	  "c3 ", /* f: ret */
	  NULL,
	  0x40100e, "c 1 404028" },
	{ "a stack slot has it",
	  "55 " /* 0: push %rbp */
	  "48 89 e5 " /* 1: mov %rsp,%rbp */
	  "48 83 ec 10 " /* 4: sub $0x10,%rsp */
	  "48 89 7d f8 " /* 8: mov %rdi,-0x8(%rbp) */
	  "48 8b 7d f8 " /* c: mov -0x8(%rbp),%rdi */
	  "e8 eb 0f 00 00 " /* 10: call 402000 */
	  "c9 " /* 15: leave */
	  "c3 ", /* 16: ret */
	  NULL,
	  0x401015, "15 1 404300" },
	{ "a stack slot has changed",
	  "55 " /* 0: push %rbp */
	  "48 89 e5 " /* 1: mov %rsp,%rbp */
	  "48 83 ec 10 " /* 4: sub $0x10,%rsp */
	  "48 8b 7d f8 " /* 8: mov -0x8(%rbp),%rdi */
	  "e8 ef 0f 00 00 " /* c: call 402000 */
	  "48 83 45 f8 08 " /* 11: addq $0x8,-0x8(%rbp) */
	  "c9 " /* 16: leave */
	  "c3 ", /* 17: ret */
	  NULL,
	  0x401016, "11 1 0" },
	{ "a pointer in memory",
	  "48 8b 3d f9 30 00 00 " /* 0: mov 0x30f9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "c3 ", /* c: ret */
	  NULL,
	  0x40100c, "c 1 404038" },
	{ "a pointer in memory has changed",
	  "48 8b 3d f9 30 00 00 " /* 0: mov 0x30f9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "e8 1f 10 00 00 " /* c: call 402030 */
	  "48 89 05 e8 30 00 00 " /* 11: mov %rax,0x30e8(%rip) */
	  "c3 ", /* 18: ret */
	  NULL,
	  0x401018, "c 1 0" },
	{ "an element of an array",
	  "b8 0d 00 00 00 " /* 0: mov $0xd,%eax */
	  "99 " /* 5: cltd */
	  "b9 05 00 00 00 " /* 6: mov $0x5,%ecx */
	  "f7 f9 " /* b: idiv %ecx */
	  "48 63 d2 " /* d: movslq %edx,%rdx */
	  "48 8d 05 e9 2f 00 00 " /* 10: lea 0x2fe9(%rip),%rax */
	  "48 8d 3c d0 " /* 17: lea (%rax,%rdx,8),%rdi */
	  "e8 e0 0f 00 00 " /* 1b: call 402000 */
	  "c3 ", /* 20: ret */
	  NULL,
	  0x401020, "20 1 404018" },
	{ "a jump through a table",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "83 fb 02 " /* c: cmp $0x2,%ebx */
	  "77 20 " /* f: ja 401031 */
	  "89 d8 " /* 11: mov %ebx,%eax */
	  "48 8d 15 e6 3f 00 00 " /* 13: lea 0x3fe6(%rip),%rdx */
	  "48 63 04 82 " /* 1a: movslq (%rdx,%rax,4),%rax */
	  "48 01 d0 " /* 1e: add %rdx,%rax */
	  "ff e0 " /* 21: jmp *%rax */
	  "48 8d 3d d6 2f 00 00 " /* 23: lea 0x2fd6(%rip),%rdi */
	  "e8 e1 0f 00 00 " /* 2a: call 402010 */
	  "c3 " /* 2f: ret */
	  "c3 " /* 30: ret */
	  "c3 ", /* 31: ret */
	  NULL,
	  0x401030, "c 1 404000" },
	{ "a jump to nobody knows",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "85 db " /* c: test %ebx,%ebx */
	  "74 02 " /* e: je 401012 */
	  "ff e0 " /* 10: jmp *%rax */
	  "c3 ", /* 12: ret */
	  NULL,
	  0x401012, "c 1 404000; incomplete" },
	{ "an unlikely part",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "83 38 00 " /* c: cmpl $0x0,(%rax) */
	  "0f 85 eb 07 00 00 " /* f: jne 401800 */
	  "c3 ", /* 15: ret */
	  "48 8d 3d f9 27 00 00 " /* 800: lea 0x27f9(%rip),%rdi */
	  "e8 04 08 00 00 " /* 807: call 402010 */
	  "e9 04 f8 ff ff ", /* 80c: jmp 401015 */
	  0x401015, "c 1 404000 maybe" },
	{ "in an unlikely part",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "85 db " /* c: test %ebx,%ebx */
	  "0f 85 ec 07 00 00 " /* e: jne 401800 */
	  "c3 ", /* 14: ret */
	  "48 8d 3d f9 27 00 00 " /* 800: lea 0x27f9(%rip),%rdi */
	  "e8 04 08 00 00 " /* 807: call 402010 */
	  "e9 03 f8 ff ff ", /* 80c: jmp 401014 */
	  0x401800, "c 1 404000" },
	{ "a function that takes",
	  "48 83 ec 08 " /* 0: sub $0x8,%rsp */
	  "48 8d 3d 05 30 00 00 " /* 4: lea 0x3005(%rip),%rdi */
	  "e8 f0 07 00 00 " /* b: call 401800 */
	  "48 83 c4 08 " /* 10: add $0x8,%rsp */
	  "c3 ", /* 14: ret */
	  "53 " /* 800: push %rbx */
	  "48 89 fb " /* 801: mov %rdi,%rbx */
	  "e8 27 08 00 00 " /* 804: call 402030 */
	  "48 89 df " /* 809: mov %rbx,%rdi */
	  "5b " /* 80c: pop %rbx */
	  "e9 ee 07 00 00 ", /* 80d: jmp 402000 */
	  0x401010, "10 1 404010" },
	{ "a function that gives back",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "48 8d 3d ed 2f 00 00 " /* c: lea 0x2fed(%rip),%rdi */
	  "e8 e8 07 00 00 " /* 13: call 401800 */
	  "90 " /* 18: nop */
	  "c3 ", /* 19: ret */
	  "55 " /* 800: push %rbp */
	  "48 89 e5 " /* 801: mov %rsp,%rbp */
	  "48 83 ec 10 " /* 804: sub $0x10,%rsp */
	  "48 89 7d f8 " /* 808: mov %rdi,-0x8(%rbp) */
	  "48 8b 7d f8 " /* 80c: mov -0x8(%rbp),%rdi */
	  "e8 fb 07 00 00 " /* 810: call 402010 */
	  "c9 " /* 815: leave */
	  "c3 ", /* 816: ret */
	  0x401018, "" },
	{ "a function that calls itself",
	  "48 8d 3d f9 2f 00 00 " /* 0: lea 0x2ff9(%rip),%rdi */
	  "e8 f4 0f 00 00 " /* 7: call 402000 */
	  "e8 ef 07 00 00 " /* c: call 401800 */
	  "90 " /* 11: nop */
	  "c3 ", /* 12: ret */
	  "e8 fb ff ff ff " /* 800: call 401800 */
	  "48 8d 3d f4 27 00 00 " /* 805: lea 0x27f4(%rip),%rdi */
	  "e8 ff 07 00 00 " /* 80c: call 402010 */
	  "c3 ", /* 811: ret */
	  0x401011, "" },

	/* clang-format on */
};

START_TEST(what_functions_hold)
{
	uint8_t code[HEX_MAX], other[HEX_MAX];
	const char *more = functions[_i].other;
	AUTO_BUF found = { 0 };
	struct flow_state s;
	struct program p;

	size_t size = hex_bytes(functions[_i].code, code);
	program_init(&p, code, size, other, more ? hex_bytes(more, other) : 0);
	add_data(&p);
	ask(&p, functions[_i].pc, &s);
	describe(&s, &found);
	ck_assert_msg(strcmp(buf_text(&found), functions[_i].expected) == 0, "%s: '%s', not '%s'",
		      functions[_i].name, buf_text(&found), functions[_i].expected);
	/* It remembers, and says the same again. */
	struct flow_state again;
	ask(&p, functions[_i].pc, &again);
	ck_assert_mem_eq(&again, &s, sizeof(s));
	program_fini(&p);
}
END_TEST

/* ---- what can be left held ------------------------------------------------------------------- */

static const struct {
	const char *code, *expected;
} leaks[] = {
	/* Taken, tested, returned; else given back. */
	{ "48 8d 3d f9 2f 00 00 e8 f4 0f 00 00 85 db 74 01 c3 48 8d 3d e8 2f 00 00 e8 f3 0f 00 00 "
	  "c3",
	  "c 1 404000 maybe" },
	/* The same, but given back by jumping to GIVE. */
	{ "48 8d 3d f9 2f 00 00 e8 f4 0f 00 00 85 db 74 01 c3 48 8d 3d e8 2f 00 00 e9 f3 0f 00 00",
	  "c 1 404000 maybe" },
	/* Taken, and given back by a jump under a condition; else it returns. */
	{ "48 8d 3d f9 2f 00 00 e8 f4 0f 00 00 85 db 0f 84 fc 0f 00 00 c3", "c 1 404000 maybe" },
	/* Taken, and it ends. */
	{ "48 8d 3d f9 2f 00 00 e8 f4 0f 00 00 0f 0b", "" },
	/* Taken by jumping to TAKE. */
	{ "48 8d 3d f9 2f 00 00 e9 f4 0f 00 00", "c 1 404000" },
	/* Its argument is taken. */
	{ "e8 fb 0f 00 00 c3", "5 1 0" },
	/* Its argument is given back. */
	{ "53 48 89 fb e8 f7 0f 00 00 48 89 df e8 ff 0f 00 00 5b c3", "" },
};

START_TEST(what_functions_can_leave_held)
{
	uint8_t code[HEX_MAX];
	AUTO_BUF found = { 0 };
	struct flow_state s;
	struct program p;

	size_t size = hex_bytes(leaks[_i].code, code);
	program_init(&p, code, size, NULL, 0);
	add_data(&p);
	flow_leaks(p.flow, CODE + 1, &s);
	describe(&s, &found);
	ck_assert_str_eq(buf_text(&found), leaks[_i].expected);
	program_fini(&p);
}
END_TEST

/* ---- harm ----------------------------------------------------------------------------------- */

START_TEST(code_without_unwind_tables_is_not_understood)
{
	uint8_t code[HEX_MAX];
	struct flow_state s;
	struct program p;

	size_t size = hex_bytes("48 8d 3d f9 2f 00 00 e8 f4 0f 00 00 c3", code);
	program_init(&p, code, size, NULL, 0);
	ask(&p, CODE + 0x100, &s);
	ck_assert(!s.complete);
	ck_assert_uint_eq(s.nholds, 0);
	flow_leaks(p.flow, 0, &s);
	ck_assert(!s.complete);
	program_fini(&p);
}
END_TEST

START_TEST(code_that_cannot_be_read_is_not_understood)
{
	struct flow_state s;
	struct program p;

	program_init(&p, (const uint8_t *)"\xc3", 1, NULL, 0);
	code_fixture_set(&p.code, (struct code_range[]){ { 0x500000, 0x500100 } }, 1);
	ask(&p, 0x500010, &s);
	ck_assert(!s.complete);
	ck_assert_uint_eq(s.nholds, 0);
	program_fini(&p);
}
END_TEST

static void put32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

/* Conditions without end, each with a call: more ways than anybody could go. */
static void fill_with_branches(uint8_t *code, size_t size)
{
	static const uint8_t piece[] = { 0x75, 0x05, 0xe8, 0, 0, 0, 0 };

	memset(code, 0x90, size);
	for (size_t at = 0; at + 16 < size; at += sizeof(piece)) {
		memcpy(code + at, piece, sizeof(piece));
		put32(code + at + 3, (uint32_t)((at % 2 ? TAKE : TRY) - (CODE + at + 7)));
	}
	/* Back to the start, so that all of it is one loop. */
	code[size - 6] = 0xe9;
	put32(code + size - 5, (uint32_t) - (size - 1));
	code[size - 1] = 0xc3;
}

static const struct {
	size_t size;
	bool complete; /* the smaller ones are gone through all the same */
} loops[] = { { 0x400, true }, { 0x1000, true }, { 0x7000, false }, { 0xf000, false } };

START_TEST(loops_of_branches_come_to_an_end)
{
	AUTO_FREE uint8_t *code = malloc(loops[_i].size);
	struct code_range range = { 0x410000, 0x410000 + (uint32_t)loops[_i].size };
	struct flow_state s;
	struct program p;

	ck_assert_ptr_nonnull(code);
	fill_with_branches(code, loops[_i].size);
	program_init(&p, (const uint8_t *)"\xc3", 1, NULL, 0);
	fake_target_add(p.fake, range.start, code, loops[_i].size);
	code_fixture_set(&p.code, &range, 1);
	for (unsigned int n = 0; n < 50; n++)
		ask(&p, range.start + 7 * n, &s);
	ck_assert_int_eq(s.complete, loops[_i].complete);
	program_fini(&p);
}
END_TEST

static uint8_t random_byte(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint8_t)(*seed >> 56);
}

/* Bytes of which many are calls, jumps and branches within reach. */
static void fill_with_anything(uint8_t *code, size_t size, uint64_t *seed)
{
	static const uint8_t often[] = {
		0x74, 0x75, 0xeb, 0xe8, 0xff, 0xe0, 0x48, 0x8b, 0x89, 0x55,
		0x5d, 0x0f, 0x84, 0x8d, 0xc9, 0xc3, 0x3d, 0x85, 0xc0, 0x77
	};

	for (size_t i = 0; i < size; i++) {
		uint8_t byte = random_byte(seed);
		code[i] = byte & 1 ? often[byte % sizeof(often)] : byte / 8;
	}
	for (size_t i = 0; i + 5 < size; i++) {
		if (code[i] == 0xe8)
			put32(code + i + 1,
			      (random_byte(seed) & 1 ? TAKE : GIVE) - (uint32_t)(CODE + i + 5));
	}
}

START_TEST(any_code_is_survived)
{
	uint64_t seed = (uint64_t)_i * 1000 + 1;

	for (unsigned int round = 0; round < 200; round++) {
		uint8_t code[0x300], other[0x100];
		struct flow_state s;
		struct program p;
		fill_with_anything(code, sizeof(code), &seed);
		fill_with_anything(other, sizeof(other), &seed);
		put32(other + sizeof(other) - 4, CODE + 5 - OTHER - (uint32_t)sizeof(other));
		other[sizeof(other) - 5] = 0xe9;
		program_init(&p, code, sizeof(code), other, sizeof(other));
		add_data(&p);
		for (taddr pc = CODE; pc < CODE + sizeof(code); pc += 37)
			ask(&p, pc, &s);
		ask(&p, OTHER + round % sizeof(other), &s);
		flow_leaks(p.flow, CODE, &s);
		ck_assert_uint_le(s.nholds, FLOW_HOLDS_MAX);
		program_fini(&p);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("flow");
	TCase *any = tcase_create("any");

	unit_table(s, what_functions_hold, functions);
	unit_table(s, what_functions_can_leave_held, leaks);
	unit_case(s, "harm", code_without_unwind_tables_is_not_understood,
		  code_that_cannot_be_read_is_not_understood);
	unit_table(s, loops_of_branches_come_to_an_end, loops);
	suite_add_tcase(s, any);
	tcase_add_loop_test(any, any_code_is_survived, 0, 4);
	return unit_run(s);
}
