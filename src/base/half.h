/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Half: floating-point numbers of two bytes (IEEE 754 binary16), which not every compiler knows.
 */
#ifndef BASE_HALF_H
#define BASE_HALF_H

#include <stdint.h>

/* Exact. */
float half_value(uint16_t bits);
/* The nearest one; of two that are equally near, the even one. */
uint16_t half_of(float value);

#endif
