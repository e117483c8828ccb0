/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Disassembly: machine code as text, as gdb writes it: "mov    %rsp,%rbp".
 *
 * The decoder is Zydis; in a build without it there are only the bytes of each instruction.
 */
#ifndef TARGET_DISASSEMBLY_H
#define TARGET_DISASSEMBLY_H

#include "base/buf.h"
#include "target/cpu/arch.h"

enum { DISASSEMBLY_INSN_MAX = 15 };

struct disassembly {
	const struct arch *arch;
	bool intel; /* Intel's syntax instead of AT&T's */
	/* Adds the name of an address, " <main+4>"; NULL: none are added. */
	void (*add_symbol)(void *context, struct buf *out, taddr addr);
	void *context;
};

/*
 * Adds the text of the instruction at addr, whose first "size" bytes are given. Returns its size:
 * 1, and "(bad)", if it is none.
 */
size_t disassembly_add(const struct disassembly *d, const uint8_t *bytes, size_t size, taddr addr,
		       struct buf *out);

#endif
