/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The end of main() and what comes after it: exit handlers, destructors. */
#include <stdlib.h>

static int state;

static void last_words(void)
{
	state = 2; /* MARK: last_words */
}

__attribute__((constructor)) static void begin(void)
{
	state = 1; /* MARK: constructor */
}

__attribute__((destructor)) static void end(void)
{
	state = 3; /* MARK: destructor */
}

int main(void)
{
	atexit(last_words);
	state += 10;  /* MARK: body */
	return state; /* MARK: last */
} /* MARK: brace */
