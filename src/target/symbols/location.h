/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Location: where a variable is: what DWARF's location descriptions come to in a frame (DWARF 5,
 * sections 2.5 and 2.6).
 *
 * A description is a row of operations, made by location_reader.h; here it is executed. Whatever it
 * says, it ends. What cannot be had is a part that is missing, with the reason, and no error.
 */
#ifndef TARGET_LOCATION_H
#define TARGET_LOCATION_H

#include "target/modules/module.h"
#include "target/symbols/location_value.h"

enum { LOCATION_OPS_MAX = 128, LOCATION_PARTS_MAX = 64 };

struct location_op {
	uint8_t atom; /* DW_OP_*; DW_OP_addrx and its like have become DW_OP_addr and const8u */
	uint64_t number, number2;
	uint64_t offset;           /* in the description: where jumps lead to                    */
	const uint8_t *block;      /* of implicit_value, entry_value and const_type, "number" bytes;
				      borrowed from the file                              */
	struct location_type type; /* that it names, of those that name one              */
};
struct location_code {
	struct location_op ops[LOCATION_OPS_MAX];
	size_t n;
	const char *missing; /* why there is none; NULL: there is */
};

/*
 * What a call has passed: in a register, by DWARF's number; or, where that is -1, for a parameter
 * that the function has lost by optimisation, by the offset of its entry in the file.
 */
struct location_passed {
	int dwarf_reg;
	uint64_t parameter;
};

/* What a description is executed in. Borrows all. */
struct location_frame {
	struct target *target;
	struct thread *thread;     /* NULL: none stands still                                */
	taddr pc, cfa;             /* 0: unknown                                            */
	const uint64_t *registers; /* as arch->code_regs                                    */
	uint32_t known;            /* which of them are                                     */
	/* What was passed when the function was entered; false: that is not known. NULL: it never
	 * is. */
	bool (*at_entry)(void *context, struct location_passed what, struct location_value *ret);
	void *entry_context;
};
struct location_context {
	const struct location_frame *frame;
	taddr bias;                             /* of the module                             */
	const struct location_code *frame_base; /* of the function; NULL: none               */
	/* Where a thread-local variable is; NULL: found, else why not. */
	const char *(*tls)(void *context, uint64_t offset, taddr *ret);
	void *tls_context;
	const taddr *initial; /* what is on the stack at first; NULL: nothing */
	const taddr *object;  /* of DW_OP_push_object_address; NULL: there is none */
};

enum location_kind {
	LOCATION_MISSING,
	LOCATION_MEMORY,
	LOCATION_REGISTER,
	LOCATION_VALUE,   /* in the target it is nowhere, but known */
	LOCATION_BLOCK,   /* the same, of any size                  */
	LOCATION_POINTER, /* it points to what has no address: another variable, or a constant */
};
struct location_part {
	enum location_kind kind;
	uint64_t bits;             /* how many there are of it; 0: all                */
	uint64_t bit_offset;       /* of the first one, in what lies there            */
	taddr addr;                /* MEMORY                                          */
	int dwarf_reg;             /* REGISTER: DWARF's number                        */
	struct location_type type; /* of what the stack held: VALUE, and MEMORY that is one */
	uint64_t value;            /* VALUE; POINTER: bytes behind the begin of that variable */
	uint64_t entry;            /* POINTER: of that variable, its offset in the file */
	const uint8_t *block;      /* BLOCK; borrowed from the file                  */
	uint64_t block_size;
	const char *why; /* MISSING, POINTER: "optimized out"                   */
};
struct location {
	struct location_part parts[LOCATION_PARTS_MAX];
	size_t n; /* at least 1 */
};

void location_run(const struct location_code *code, const struct location_context *c,
		  struct location *ret);

/* It is nowhere. */
struct location location_missing(const char *why);

/* The register, by DWARF's number, that the operations of an entry_value consist of; -1: they do
 * not. */
int location_entry_register(const struct location_op *op);

/* Index in arch->code_regs of a register by DWARF's number; -1: it is none of them. */
int location_code_reg(const struct arch *arch, uint64_t dwarf_reg);

/*
 * Where the frame's address (CFA) is while a function is at some pc: a register and what is added
 * to it.
 */
struct location_cfa {
	int reg; /* index in arch->code_regs; -1: not known */
	int64_t offset;
};

/*
 * The same description as instructions of a condition (condition.h), which are added to ret and
 * push the address, or the value. c->frame has only a target. UNSUPPORTED: why it cannot be.
 */
MUST_CHECK struct error *location_compile(const struct location_code *code,
					  const struct location_context *c,
					  const struct location_cfa *cfa, struct buf *ret,
					  enum location_kind *ret_kind);

/*
 * How many bytes DW_OP_deref or DW_OP_deref_size reads; 0: it makes no sense. More than an address
 * has is not allowed, but LLVM (15 on) writes it of vector registers that are spilled to memory:
 * what they held of a number is in the lowest 8 bytes.
 */
uint64_t location_load_size(const struct location_op *op);

#endif
