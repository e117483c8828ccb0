/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Emulate: an instruction done for a thread, and an instruction that does its work in another
 * place. Pure: registers are bytes of REGSET_GENERAL, memory is what the caller makes of it.
 */
#ifndef TARGET_EMULATE_H
#define TARGET_EMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The thread's memory, with its rights: false where it could not read or write. */
struct emulate_memory {
	bool (*read)(void *context, uint64_t from, void *ret, size_t len);
	bool (*write)(void *context, uint64_t to, const void *bytes, size_t len);
	void *context;
};

/*
 * Does what the instruction at pc does, whose bytes are given; "size" of them are known. false:
 * nothing is changed; it is one that has to be executed, or that would fault. With general NULL it
 * says whether it is one of those that can be emulated.
 */
typedef bool insn_emulator(const uint8_t *code, size_t size, uint64_t addr, uint8_t *general,
			   const struct emulate_memory *memory);

/*
 * Bytes of a copy: the instruction, and a jump back behind the original one, which may be 2 GiB
 * away.
 */
enum { INSN_COPY_MAX = 20 };

/*
 * Makes a copy, to lie at "to", of the instruction at addr. Returns the size of the instruction, in
 * *ret_size that of the whole; 0: it works only where it is, or there is no way back.
 */
typedef size_t insn_copier(const uint8_t *code, size_t size, uint64_t addr, uint64_t to,
			   uint8_t ret[INSN_COPY_MAX], size_t *ret_size);

#endif
