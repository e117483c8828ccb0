/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Emulate_x86_64: for x86-64 (Intel SDM volume 2). Emulated is what cannot be copied, since it uses
 * or changes pc: calls, jumps, returns; pushf, which would push the trap flag of a step; and the
 * simplest of those that functions begin with, for sites near which there is no room.
 */
#ifndef TARGET_EMULATE_X86_64_H
#define TARGET_EMULATE_X86_64_H

#include "target/cpu/emulate.h"

insn_emulator emulate_x86_64;
insn_copier emulate_x86_64_copy;

#endif
