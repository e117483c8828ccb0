/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Insn_x86_64: the decoder for x86-64 (Intel SDM volume 2, chapter 2 and appendix A).
 *
 * It knows the instructions that compilers write in 64-bit mode, up to AVX-512. Registers are
 * numbered as instructions do: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15. Bytes in, facts
 * out: the provider for libgomp (ompd/gomp/) has it, too.
 */
#ifndef TARGET_INSN_X86_64_H
#define TARGET_INSN_X86_64_H

#include "target/cpu/insn.h"

insn_decoder insn_x86_64_decode;

enum { INSN_X86_64_MAX = 15 }; /* bytes of one instruction */

#endif
