/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/lsda.h"

#include "base/cursor.h"
#include "target/code/code.h"
#include "target/code/jump.h"

enum {
	BYTES_MAX = 8 << 10,
	BYTES_MIN = 64,
	OMITTED = 0xff,
	INSNS_MAX = 32, /* of a landing pad, up to its first call */
};

/* How numbers are encoded (DW_EH_PE). */
enum { ULEB128 = 0x01, DATA2 = 0x02, DATA4 = 0x03, DATA8 = 0x04, FORM = 0x07 };

static uint64_t read_number(struct cursor *c, uint8_t encoding)
{
	switch (encoding & FORM) {
	case ULEB128:
		return cursor_uleb128(c);
	case DATA2:
		return cursor_uint(c, 2);
	case DATA4:
		return cursor_uint(c, 4);
	case DATA8:
		return cursor_uint(c, 8);
	default:
		c->bad = true;
		return 0;
	}
}

/* One row for each piece of the code; with an action, something is caught at the landing pad that
 * the row leads to. 0: nothing is. */
static uint64_t find_pad(struct cursor *rows, uint8_t encoding, uint64_t offset)
{
	while (cursor_left(rows)) {
		uint64_t begin = read_number(rows, encoding), size = read_number(rows, encoding);
		uint64_t pad = read_number(rows, encoding), action = cursor_uleb128(rows);
		if (rows->bad)
			return 0;
		if (offset >= begin && offset - begin < size)
			return action ? pad : 0;
	}
	return 0;
}

/*
 * A handler begins with __cxa_begin_catch(), which is in a library. Around the code of constructs,
 * which no exception may leave, clang puts one that calls a function of the program, to end it.
 */
static bool is_handler(struct target *t, taddr pad)
{
	struct insn insn;

	for (unsigned int n = 0; n < INSNS_MAX && code_insn_at(t, pad, &insn); n++) {
		if (insn.kind == INSN_CALL)
			return jump_slot(t, &insn);
		pad += insn.size;
		if (insn.kind == INSN_JUMP && insn.via == INSN_VIA_ADDRESS)
			pad = insn.value;
	}
	return false;
}

bool lsda_catches(struct target *t, struct unwinder *u, taddr return_address)
{
	uint8_t bytes[BYTES_MAX];
	taddr start, table = unwind_lsda(u, return_address - 1, &start);
	size_t size = BYTES_MAX;

	while (table && size >= BYTES_MIN && !memory_try_read(t->memory, table, bytes, size))
		size /= 2;
	struct cursor c = cursor_of(bytes, table && size >= BYTES_MIN ? size : 0);
	if (cursor_uint(&c, 1) != OMITTED)
		return false; /* landing pads are elsewhere: no compiler does that */
	if (cursor_uint(&c, 1) != OMITTED)
		cursor_uleb128(&c); /* where the types are */
	uint8_t encoding = (uint8_t)cursor_uint(&c, 1);
	uint64_t len = cursor_uleb128(&c);
	struct cursor rows = cursor_of(c.p, len < cursor_left(&c) ? len : cursor_left(&c));
	uint64_t pad = c.bad ? 0 : find_pad(&rows, encoding, return_address - 1 - start);
	return pad && is_handler(t, start + pad);
}
