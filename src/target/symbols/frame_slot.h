/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Frame_slot: whether code has yet put anything where it keeps something in its function's frame.
 *
 * Code without optimisation has one place for each of what compilers make for themselves: where an
 * argument is that is passed by reference, the bounds of an array. DWARF tells of it as if it were
 * there from the first instruction on.
 *
 * For the files here that read DWARF, as die.h.
 */
#ifndef TARGET_FRAME_SLOT_H
#define TARGET_FRAME_SLOT_H

#include "target/process/target.h"
#include "target/symbols/location_reader.h"

/*
 * code: of something in the frame, or of where that leads to; bias: of the module, pc: in the
 * function, where the frame stands. false also where it cannot be told.
 */
bool frame_slot_is_empty(struct target *t, const struct location_code *code, Dwarf_Die *function,
			 taddr bias, taddr pc);

#endif
