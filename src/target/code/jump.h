/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Jump: where calls and jumps lead to, through the stubs of the PLT.
 */
#ifndef TARGET_JUMP_H
#define TARGET_JUMP_H

#include "target/process/target.h"

/*
 * Where a call or jump leads to in the end, through PLT stubs; 0: unknown, or by a stub that the
 * dynamic linker has not bound yet.
 */
taddr jump_target(struct target *t, const struct insn *insn);

/*
 * The slot of the dynamic linker's through which a call or jump leads, for whose relocation to be
 * looked up; 0: through none.
 */
taddr jump_slot(struct target *t, const struct insn *insn);

/*
 * Where execution gets from pc before it does anything: through a few PLT stubs (endbr64, bnd, jump
 * through a slot) and plain jumps. pc itself: it stands at neither; 0: a stub that the dynamic
 * linker has not bound yet.
 */
taddr jump_follow(struct target *t, taddr pc);

#endif
