/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions that begin with a loop that has nothing in it. */
static volatile int made = 1;

static int waits(void)
{
	while (!made)
		; /* MARK: empty */
	return made;
}

static int waits_for(volatile int *what)
{
	for (; !*what;)
		;
	return *what;
}

static int waits_behind(void)
{
	do
		;
	while (!made);
	return made;
}

int main(void)
{
	return waits() + waits_for(&made) + waits_behind() - 3; /* MARK: waits_main */
}
