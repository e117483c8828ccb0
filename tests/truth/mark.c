/* SPDX-FileCopyrightText: The ompdb developers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What optimisers cannot look into: where the programs say what is true, and where they are looked
 * at. */
#include "truth.h"

#include <stdio.h>

static int threads;
static _Thread_local int number;

int me(void)
{
	if (!number)
		number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
	return number;
}

void mark(int id, int thread)
{
	(void)id;
	(void)thread;
}

/* A static variable here has nothing to do with another unit's of that name. */
void use(long value)
{
	static long constant = 90;

	constant += value;
}

void use_address(const void *address)
{
	(void)address;
}

/* What went before in a line: "TRUTH POSITION THREAD FRAME NAME", parted by tabs as names have
 * blanks. */
#define LINE "TRUTH\t%d\t%d\t%d\t%s\t"

void truth_int(int id, int frame, const char *name, long value)
{
	printf(LINE "%ld\n", id, me(), frame, name, value);
}

void truth_bool(int id, int frame, const char *name, bool value)
{
	printf(LINE "%s\n", id, me(), frame, name, value ? "true" : "false");
}

void truth_real(int id, int frame, const char *name, double value)
{
	printf(LINE "%.17g\n", id, me(), frame, name, value);
}

void truth_text(int id, int frame, const char *name, const char *value)
{
	printf(LINE "\"%s\"\n", id, me(), frame, name, value);
}
