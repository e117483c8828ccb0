/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Hex: machine code in tests, as disassemblers print it: "48 8d 3d 00 10 00 00".
 */
#ifndef UNIT_HEX_H
#define UNIT_HEX_H

#include <stdint.h>
#include <stdlib.h>

enum { HEX_MAX = 256 };

/* The bytes of a text; returns how many. */
static inline size_t hex_bytes(const char *text, uint8_t ret[HEX_MAX])
{
	size_t n = 0;
	char *end;

	for (; n < HEX_MAX; text = end) {
		unsigned long byte = strtoul(text, &end, 16);
		if (end == text)
			break;
		ret[n++] = (uint8_t)byte;
	}
	return n;
}

#endif
