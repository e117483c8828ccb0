/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <elf.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/user.h>
#include <ucontext.h>

#include "target/cpu/accesses_x86_64.h"
#include "target/cpu/arch.h"
#include "target/cpu/calls_x86_64.h"
#include "target/cpu/emulate_x86_64.h"
#include "target/cpu/insn_x86_64.h"

/* DWARF numbers: System V ABI, AMD64 supplement, figure 3.36. */
#define FIELD_SIZE(type, field) sizeof(((struct type *)0)->field)
#define GENERAL(field, number)                                                                     \
	{                                                                                          \
		.name = #field, .set = REGSET_GENERAL,                                             \
		.offset = offsetof(struct user_regs_struct, field),                                \
		.size = FIELD_SIZE(user_regs_struct, field), .dwarf = (number)                     \
	}
#define FLOAT(its_name, field, number)                                                             \
	{                                                                                          \
		.name = (its_name), .set = REGSET_FLOAT,                                           \
		.offset = offsetof(struct user_fpregs_struct, field),                              \
		.size = FIELD_SIZE(user_fpregs_struct, field), .dwarf = (number)                   \
	}
/* Slots of 16 bytes, of which the 80-bit registers fill ten (FXSAVE area). */
#define ST(n)                                                                                      \
	{                                                                                          \
		.name = "st" #n, .set = REGSET_FLOAT,                                              \
		.offset = offsetof(struct user_fpregs_struct, st_space) + 16 * (n), .size = 10,    \
		.dwarf = 33 + (n)                                                                  \
	}
#define XMM(n)                                                                                     \
	{                                                                                          \
		.name = "xmm" #n, .set = REGSET_FLOAT,                                             \
		.offset = offsetof(struct user_fpregs_struct, xmm_space) + 16 * (n), .size = 16,   \
		.dwarf = 17 + (n)                                                                  \
	}
/*
 * Low halves are the xmm registers of the legacy area; the high halves follow the XSAVE header
 * (Intel SDM volume 1, 13.4: state component 2 lies at 576 in the standard format). What comes
 * behind them, the AVX-512 components, has places that only CPUID tells. The header begins with a
 * bit for each component that is in use (13.4.2): 1 is that of xmm, 2 of the high halves.
 */
#define YMM(n)                                                                                     \
	{                                                                                          \
		.name = "ymm" #n, .set = REGSET_EXTENDED, .offset = 160 + 16 * (n), .size = 16,    \
		.dwarf = -1, .upper = 576 + 16 * (n), .within = 17 + (n), .in_use = 3 << 1         \
	}

/* Places of the rows that "struct arch" points at. */
enum {
	ROW_RAX = 0,
	ROW_RBX = 1,
	ROW_RCX = 2,
	ROW_RDX = 3,
	ROW_RSI = 4,
	ROW_RDI = 5,
	ROW_RBP = 6,
	ROW_RSP = 7,
	ROW_R8 = 8,
	ROW_R9 = 9,
	ROW_R10 = 10,
	ROW_RIP = 16,
	ROW_FS_BASE = 24,
	ROW_ORIG_RAX = 26,
};

static const struct reg regs[] = {
	[ROW_RAX] = GENERAL(rax, 0),
	[ROW_RBX] = GENERAL(rbx, 3),
	[ROW_RCX] = GENERAL(rcx, 2),
	[ROW_RDX] = GENERAL(rdx, 1),
	[ROW_RSI] = GENERAL(rsi, 4),
	[ROW_RDI] = GENERAL(rdi, 5),
	[ROW_RBP] = GENERAL(rbp, 6),
	[ROW_RSP] = GENERAL(rsp, 7),
	[ROW_R8] = GENERAL(r8, 8),
	[ROW_R9] = GENERAL(r9, 9),
	[ROW_R10] = GENERAL(r10, 10),
	GENERAL(r11, 11),
	GENERAL(r12, 12),
	GENERAL(r13, 13),
	GENERAL(r14, 14),
	GENERAL(r15, 15),
	[ROW_RIP] = GENERAL(rip, 16),
	GENERAL(eflags, 49),
	GENERAL(cs, 51),
	GENERAL(ss, 52),
	GENERAL(ds, 53),
	GENERAL(es, 50),
	GENERAL(fs, 54),
	GENERAL(gs, 55),
	[ROW_FS_BASE] = GENERAL(fs_base, 58),
	GENERAL(gs_base, 59),
	[ROW_ORIG_RAX] = GENERAL(orig_rax, -1),
	/* clang-format off */
	ST(0), ST(1), ST(2), ST(3), ST(4), ST(5), ST(6), ST(7),
	FLOAT("fctrl", cwd, 65),
	FLOAT("fstat", swd, 66),
	FLOAT("ftw", ftw, -1), /* a bit for each register of x87 that is in use */
	XMM(0), XMM(1), XMM(2), XMM(3), XMM(4), XMM(5), XMM(6), XMM(7),
	XMM(8), XMM(9), XMM(10), XMM(11), XMM(12), XMM(13), XMM(14), XMM(15),
	FLOAT("mxcsr", mxcsr, 64),
	YMM(0), YMM(1), YMM(2), YMM(3), YMM(4), YMM(5), YMM(6), YMM(7),
	YMM(8), YMM(9), YMM(10), YMM(11), YMM(12), YMM(13), YMM(14), YMM(15),
	/* clang-format on */
};

_Static_assert(sizeof(struct user_regs_struct) <= ARCH_GENERAL_MAX, "ARCH_GENERAL_MAX");

/* syscall; test %rax,%rax */
static const uint8_t clone_code[] = { 0x0f, 0x05, 0x48, 0x85, 0xc0 };

/* mov $15,%rax; syscall: rt_sigreturn, as every C library has it for SA_RESTORER. */
static const uint8_t sigreturn_code[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };

/* As insn_x86_64.h numbers them. */
static const struct reg *const code_regs[] = {
	&regs[ROW_RAX],    &regs[ROW_RCX],    &regs[ROW_RDX],    &regs[ROW_RBX],
	&regs[ROW_RSP],    &regs[ROW_RBP],    &regs[ROW_RSI],    &regs[ROW_RDI],
	&regs[ROW_R8],     &regs[ROW_R8 + 1], &regs[ROW_R8 + 2], &regs[ROW_R8 + 3],
	&regs[ROW_R8 + 4], &regs[ROW_R8 + 5], &regs[ROW_R8 + 6], &regs[ROW_R8 + 7],
};

static const uint8_t syscall_insn[] = { 0x0f, 0x05 };
static const uint8_t int3_insn[] = { 0xcc };

/* The kernel's arch/x86/kernel/traps.c and mm/fault.c; exceptions by their numbers. */
static bool fault_of_signal(const uint8_t *frame, struct arch_fault *ret)
{
	enum { PAGE_FAULT = 14, NOT_ALLOWED = 1 << 0 };
	static const struct {
		int number, signal, code;
	} faults[] = {
		{ 0, SIGFPE, FPE_INTDIV },  { 6, SIGILL, ILL_ILLOPN },
		{ 13, SIGSEGV, SI_KERNEL }, { PAGE_FAULT, SIGSEGV, SEGV_MAPERR },
		{ 16, SIGFPE, FPE_FLTINV }, { 17, SIGBUS, BUS_ADRALN },
		{ 19, SIGFPE, FPE_FLTINV },
	};
	gregset_t saved;

	memcpy(saved, frame + offsetof(ucontext_t, uc_mcontext.gregs), sizeof(saved));
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		if (saved[REG_TRAPNO] != faults[i].number)
			continue;
		const bool page = faults[i].number == PAGE_FAULT;
		*ret = (struct arch_fault){
			.signal = faults[i].signal,
			.code = page && (saved[REG_ERR] & NOT_ALLOWED) ? SEGV_ACCERR
								       : faults[i].code,
			.address = (taddr)saved[page ? REG_CR2 : REG_RIP],
			.pc = (taddr)saved[REG_RIP],
		};
		return true;
	}
	return false;
}

const struct arch arch_x86_64 = {
	.name = "x86-64",
	.elf_machine = EM_X86_64,
	.elf_class = ELFCLASS64,
	.regs = regs,
	.nregs = sizeof(regs) / sizeof(*regs),
	.general_size = sizeof(struct user_regs_struct),
	.regset_note = {
		[REGSET_GENERAL] = NT_PRSTATUS,
		[REGSET_FLOAT] = NT_PRFPREG,
		[REGSET_EXTENDED] = NT_X86_XSTATE,
		[REGSET_SIGINFO] = NT_SIGINFO,
	},
	.in_use = 512,
	.pc = &regs[ROW_RIP],
	.sp = &regs[ROW_RSP],
	.fp = &regs[ROW_RBP],
	.thread_pointer = &regs[ROW_FS_BASE],
	.clone = clone_code,
	.clone_size = sizeof(clone_code),
	.sigreturn = sigreturn_code,
	.sigreturn_size = sizeof(sigreturn_code),
	/* The kernel's struct rt_sigframe (arch/x86/include/asm/sigframe.h) behind its first word:
	 * struct ucontext, with the mask of signals, then siginfo. */
	.signal_info = 304,
	.signal_sp = offsetof(ucontext_t, uc_mcontext.gregs[REG_RSP]),
	.signal_fault = fault_of_signal,
	.prstatus_size = sizeof(struct elf_prstatus),
	.prstatus_pid = offsetof(struct elf_prstatus, pr_pid),
	.prstatus_regs = offsetof(struct elf_prstatus, pr_reg),
	.trap = int3_insn,
	.trap_size = sizeof(int3_insn),
	.trap_behind = sizeof(int3_insn),
	.decode = insn_x86_64_decode,
	.emulate = emulate_x86_64,
	.copy = emulate_x86_64_copy,
	.access = accesses_x86_64,
	.shadow_note = 0x204, /* NT_X86_SHSTK, which older headers do not know */
	.code_regs = code_regs,
	.ncode_regs = sizeof(code_regs) / sizeof(*code_regs),
	/* rbx, rsp, rbp, r12 to r15: System V psABI, 3.2.1. */
	.kept_regs = 1u << 3 | 1u << 4 | 1u << 5 | 0xf000,
	.code_kept = 1 << 3 | 1 << 4 | 1 << 5 | 0xf << 12, /* rbx, rsp, rbp, r12 to r15 */
	.code_stub = 1u << 11, /* r11: mold numbers its stubs */
	.code_sp = 4,
	.code_result = 0,
	.code_arguments = { 7, 6, 2, 1, 8, 9 }, /* rdi, rsi, rdx, rcx, r8, r9 */
	.stack_slot = 8,
	.tls_module = R_X86_64_DTPMOD64,
	.tls_offset = R_X86_64_DTPOFF64,
	.tls_distance = R_X86_64_TPOFF64,
	.call_insn = syscall_insn,
	.call_insn_size = sizeof(syscall_insn),
	.call_number = &regs[ROW_ORIG_RAX],
	.call_select = 0, /* rax */
	.call_result = &regs[ROW_RAX],
	/* syscall(2): rcx is where the instruction keeps the return address. */
	.call_args = { &regs[ROW_RDI], &regs[ROW_RSI], &regs[ROW_RDX], &regs[ROW_R10],
		       &regs[ROW_R8], &regs[ROW_R9] },
	.call_pc = &regs[ROW_RCX],
	.call_flags = &regs[ROW_R8 + 3], /* r11 */
	.step_flag = 1 << 8,             /* TF  */
	.call_names = calls_x86_64,
	.ncall_names = CALLS_X86_64,
};
