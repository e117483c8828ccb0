/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The plainest of programs: main calls alpha calls beta calls gamma, which blocks. */
#include "testprog.h"

static NOINLINE int gamma_leaf(int n)
{
	ready();
	block(); /* MARK: leaf */
	KEEP_FRAME();
	return n + 1;
}

static NOINLINE int beta(int n)
{
	int r = gamma_leaf(n + 1); /* MARK: beta */
	KEEP_FRAME();
	return r + 1;
}

static NOINLINE int alpha(int n)
{
	int r = beta(n + 1); /* MARK: alpha */
	KEEP_FRAME();
	return r + 1;
}

int main(void)
{
	die_with_parent();
	return alpha(0) == 5 ? 0 : 1; /* MARK: main */
}
