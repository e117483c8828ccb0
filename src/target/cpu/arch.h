/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arch: what ompdb knows of a processor, as data.
 *
 * To add a processor: write arch_NAME.c with its register table and rows, insn_NAME.c that decodes
 * its instructions, calls_NAME.c with the names of system calls; list it in arch_find(), and give
 * unwind.c the libunwind library of that processor. Nothing else asks which processor it is.
 */
#ifndef TARGET_ARCH_H
#define TARGET_ARCH_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "target/cpu/accesses.h"
#include "target/cpu/emulate.h"
#include "target/cpu/insn.h"

/* An address in the target: never a pointer of ours. */
typedef uint64_t taddr;
#define PRIxTADDR PRIx64

/* Sets as the kernel hands them out (PTRACE_GETREGSET) and writes them to core notes. */
enum regset {
	REGSET_GENERAL,  /* NT_PRSTATUS: struct user_regs_struct               */
	REGSET_FLOAT,    /* NT_PRFPREG: struct user_fpregs_struct               */
	REGSET_EXTENDED, /* NT_X86_XSTATE: XSAVE area, standard (not compacted) */
	REGSET_SIGINFO,  /* no registers: siginfo_t of what the thread was stopped by */
	REGSET_SIGMASK,  /* nor are these: which signals it blocks, a bit each, 8 bytes */
	NUM_REGSETS
};

struct reg {
	const char *name;
	enum regset set;
	uint16_t offset; /* bytes from the start of the set                        */
	uint16_t size;   /* bytes, without the upper part                           */
	int16_t dwarf;   /* DWARF register number, -1: none                         */
	uint16_t upper;  /* offset of the upper part of equal size in the set, 0: none */
	uint16_t within; /* DWARF number of the register that is its lower part, 0: none */
	uint64_t in_use; /* bits of the set's word "in_use" without which it counts as zero */
};

enum { ARCH_ARGUMENTS = 6 };

/* A fault, in the words of siginfo_t; where it happened. */
struct arch_fault {
	int signal, code;
	taddr address, pc;
};

struct arch {
	const char *name;
	uint16_t elf_machine; /* EM_*                                   */
	uint8_t elf_class;    /* ELFCLASS*                              */
	const struct reg *regs;
	size_t nregs;
	size_t general_size;               /* bytes of REGSET_GENERAL                */
	uint32_t regset_note[NUM_REGSETS]; /* NT_* of each set                     */
	size_t in_use; /* offset of a word in REGSET_EXTENDED: see struct reg       */
	const struct reg *pc, *sp, *fp;   /* rows of regs                           */
	const struct reg *thread_pointer; /* base of thread-local storage          */
	const uint8_t *clone;     /* a system call, and what clone() of C libraries does behind it,
				     where it has no unwind tables, as in a child they would lie */
	size_t clone_size;        /* bytes */
	const uint8_t *sigreturn; /* code that the kernel lets handlers return to,  */
	size_t sigreturn_size;    /* bytes                                          */
	/* From where the stack pointer is then: siginfo_t of the signal, and the stack pointer
	 * that was interrupted. 0: not known. */
	size_t signal_info, signal_sp;
	/* The thread's last fault, by the bytes before siginfo, which the kernel writes only for
	 * handlers that ask for it (SA_SIGINFO). false: there was none. */
	bool (*signal_fault)(const uint8_t *frame, struct arch_fault *ret);
	size_t prstatus_size;               /* core note NT_PRSTATUS: whole,          */
	size_t prstatus_pid, prstatus_regs; /* and offsets in it (bytes)           */

	/* The instruction that stops a thread: what site.h plants. */
	const uint8_t *trap;
	size_t trap_size;   /* bytes, at most ARCH_TRAP_MAX                       */
	size_t trap_behind; /* bytes that pc stands behind it when it has executed */

	/* Code. Registers are those of struct insn, by their numbers there. */
	insn_decoder *decode;
	insn_emulator *emulate;
	insn_copier *copy;
	insn_access *access;
	uint32_t shadow_note; /* NT_*: a set that threads with shadow stacks have          */
	const struct reg *const *code_regs; /* rows of regs                                   */
	size_t ncode_regs;                  /* at most 32                                     */
	uint32_t kept_regs;                 /* of those, a bit each: what functions keep      */
	uint32_t code_kept;                 /* those that functions keep, a bit each          */
	uint32_t code_stub;                 /* those that stubs set before they jump, a bit each */
	uint8_t code_sp, code_result;       /* the stack pointer; what functions return       */
	uint8_t code_arguments[ARCH_ARGUMENTS]; /* what passes them to functions              */
	uint8_t stack_slot; /* bytes of what push and call put on the stack                 */

	/* Relocations of slots for thread-local storage (R_*): "ELF Handling For TLS". */
	uint32_t tls_module;   /* the number of the module                                    */
	uint32_t tls_offset;   /* of a variable in the module's block                         */
	uint32_t tls_distance; /* of a variable from the thread pointer                       */

	/* System calls: what blocked.h reads. */
	const uint8_t *call_insn;      /* the instruction that makes one,                */
	size_t call_insn_size;         /* bytes                                          */
	const struct reg *call_number; /* which one; negative: none                      */
	uint8_t call_select;           /* where programs put the number: see "Code"      */
	const struct reg *call_result, *call_args[6];
	/* Where the instruction leaves pc and flags, and the flag among them by which it steps. */
	const struct reg *call_pc, *call_flags;
	uint64_t step_flag;
	const char *const *call_names; /* by number; NULL: there is no such call         */
	size_t ncall_names;
};

extern const struct arch arch_x86_64;

/* The arch for an ELF header's e_machine and e_ident[EI_CLASS]; NULL: not supported. */
const struct arch *arch_find(uint16_t elf_machine, uint8_t elf_class);

/* "i386", "aarch64": a name for an e_machine, for messages. Never NULL. */
const char *arch_machine_name(uint16_t elf_machine, uint8_t elf_class);

/* The row with that name or DWARF number; NULL: there is none. */
const struct reg *arch_find_reg(const struct arch *a, const char *name);
const struct reg *arch_find_dwarf_reg(const struct arch *a, int dwarf);

/* The register of that DWARF number, or a wider one that it is the lower part of: the first that
 * holds so many bytes. NULL: there is none. */
const struct reg *arch_find_wide_reg(const struct arch *a, int dwarf, uint64_t size);

/* Value of an integer register (size at most 8) in a set's bytes. */
uint64_t arch_get(const struct reg *r, const void *set);
void arch_put(const struct reg *r, void *set, uint64_t value);

enum { ARCH_REGISTER_MAX = 64, ARCH_GENERAL_MAX = 512, ARCH_TRAP_MAX = 4, ARCH_INSN_MAX = 15 };

/*
 * Copies a register (both parts) out of a set of set_size bytes. BAD_DATA: this set, as the
 * kernel gave it, is too short to hold the register (a CPU without AVX, for instance).
 */
MUST_CHECK struct error *arch_copy(const struct reg *r, const void *set, size_t set_size,
				   uint8_t ret[ARCH_REGISTER_MAX], size_t *ret_size);
/* The other way round: its first "size" bytes, at most as many as it has. BAD_DATA as there. */
MUST_CHECK struct error *arch_store(const struct arch *a, const struct reg *r, void *set,
				    size_t set_size, const void *bytes, size_t size);

#endif
