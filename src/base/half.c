/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/half.h"

#include <string.h>

/* One bit of sign, five of exponent (15 is 2^0), ten of fraction: as in a float, but smaller. */
enum { FRACTION = 10, EXPONENT_MAX = 31, SINGLE_FRACTION = 23, CUT = SINGLE_FRACTION - FRACTION };

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static float float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

float half_value(uint16_t bits)
{
	uint32_t sign = (uint32_t)bits >> 15 << 31, rest = bits & 0x7fff;
	uint32_t exponent = rest >> FRACTION;

	if (exponent == 0) /* in units of the smallest one */
		return (float)rest * (sign ? -0x1p-24f : 0x1p-24f);
	uint32_t shift = exponent == EXPONENT_MAX ? 2 * (127 - 15) : 127 - 15;
	return float_of(sign | ((rest << CUT) + (shift << SINGLE_FRACTION)));
}

uint16_t half_of(float value)
{
	uint16_t sign = (uint16_t)(bits_of(value) >> 31 << 15);
	uint32_t rest = bits_of(value) & 0x7fffffff;

	if (rest > bits_of(__builtin_inff()))
		return sign | EXPONENT_MAX << FRACTION | 1 << (FRACTION - 1);
	if (rest >= bits_of(65520)) /* nearer to 2^16 than to the largest one */
		return sign | EXPONENT_MAX << FRACTION;
	/* The last bit of 0.5 is the smallest one: the processor rounds the rest away. */
	if (rest < bits_of(0x1p-14f))
		return (uint16_t)(sign | (bits_of(float_of(rest) + 0.5f) - bits_of(0.5f)));
	rest += (1u << (CUT - 1)) - 1 + (rest >> CUT & 1);
	return (uint16_t)(sign | ((rest - ((127u - 15) << SINGLE_FRACTION)) >> CUT));
}
