/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Globals of all base types, for print and x. */
#include <stdbool.h>

char v_char = 'x';
signed char v_signed_char = -100;
unsigned char v_unsigned_char = 250;
short v_short = -12345;
unsigned short v_unsigned_short = 54321;
int v_int = -123456789;
unsigned int v_unsigned_int = 3000000000u;
long v_long = -1234567890123L;
unsigned long v_unsigned_long = 12345678901234567890ul;
float v_float = 1.25f;
double v_double = -1e-3;
bool v_bool = true;
const char *v_string = "hello\tworld\n";
int v_array[5] = { 1, 2, 3, 4, 5 };
unsigned char v_bytes[16] = { 0, 1, 2, 3, 0x7f, 0x80, 0xff, 'A', 'B', 'C' };
static int v_static = 77;
int *v_pointer = &v_array[2];

int main(void)
{
	v_static++; /* MARK: first */
	v_array[0] = v_static;
	return *v_pointer; /* MARK: last */
}
