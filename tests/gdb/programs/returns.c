/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions that return a value of each base type: what does finish print? */
#include <stdbool.h>
#include <stddef.h>

enum colour { RED, GREEN, BLUE };

static int object = 11;

static char get_char(void)
{
	return 'q'; /* MARK: char */
}

static signed char get_signed_char(void)
{
	return -3;
}

static unsigned char get_unsigned_char(void)
{
	return 200;
}

static short get_short(void)
{
	return -300;
}

static unsigned short get_unsigned_short(void)
{
	return 65000;
}

static int get_int(void)
{
	return -70000;
}

static unsigned int get_unsigned_int(void)
{
	return 4000000000u;
}

static long get_long(void)
{
	return -5000000000L;
}

static unsigned long get_unsigned_long(void)
{
	return 18000000000000000000ul;
}

static long long get_long_long(void)
{
	return 1LL << 40;
}

static float get_float(void)
{
	return 3.25f;
}

static double get_double(void)
{
	return -0.1;
}

static long double get_long_double(void)
{
	return 2.5L;
}

static bool get_bool(void)
{
	return true;
}

static enum colour get_enum(void)
{
	return BLUE;
}

static int *get_pointer(void)
{
	return &object;
}

static const char *get_string(void)
{
	return "a string";
}

static void *get_null(void)
{
	return NULL;
}

static void get_nothing(void)
{
	object++;
}

int main(void)
{
	get_char(); /* MARK: calls */
	get_signed_char();
	get_unsigned_char();
	get_short();
	get_unsigned_short();
	get_int();
	get_unsigned_int();
	get_long();
	get_unsigned_long();
	get_long_long();
	get_float();
	get_double();
	get_long_double();
	get_bool();
	get_enum();
	get_pointer();
	get_string();
	get_null();
	get_nothing();
	return 0;
}
