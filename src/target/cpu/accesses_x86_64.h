/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Accesses_x86_64: accesses.h for x86-64. */
#ifndef TARGET_ACCESSES_X86_64_H
#define TARGET_ACCESSES_X86_64_H

#include "target/cpu/accesses.h"

insn_access accesses_x86_64;

/* Of its operand in memory, or of what string instructions use; for tests. */
enum access accesses_x86_64_kind(const uint8_t *code, size_t size);

#endif
