/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Registers: registers as expressions name them: $rax, $eax, $ax, $al, $pc, $eflags, $xmm0, $st0.
 */
#ifndef DEBUGGER_REGISTERS_H
#define DEBUGGER_REGISTERS_H

#include "debugger/values/value.h"

struct register_view {
	const char *name;
	const char *row;         /* of arch->regs                                        */
	uint16_t offset;         /* bytes into it                                        */
	const struct type *type; /* of one that is whole; TYPE_OTHER: a vector           */
	enum register_group {
		REGISTERS_GENERAL, /* info registers                                    */
		REGISTERS_FLOAT,   /* info all-registers, info float                    */
		REGISTERS_VECTOR,
		REGISTERS_PART, /* of another one, or another name for it            */
	} group;
};

extern const struct register_view register_views[];
extern const size_t register_view_count;

/* name: without the $. NULL: there is none. */
const struct register_view *register_find(const char *name);

/* Its value in the frame of a scope. USAGE: there is no thread. */
MUST_CHECK struct error *register_value(const struct scope *s, const struct register_view *r,
					struct value *ret);

/* What a vector can be looked at as. */
struct register_part {
	const char *names[2];    /* in a vector of 16 bytes, of 32 bytes */
	const struct type *type; /* of an element                        */
};
extern const struct register_part register_parts[];
extern const size_t register_part_count;
bool register_is_vector(const struct type *t);
const char *register_part_name(const struct register_part *part, const struct type *vector);

#endif
