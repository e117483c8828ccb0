/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Globals that are written, read, written with the same value, and in functions of others. */
int counter;
int buffer[10];
long wide;
char tiny;
static int *through = &buffer[3];

static void set(int value)
{
	counter = value; /* MARK: set */
}

static int get(void)
{
	return counter; /* MARK: get */
}

static void by_pointer(int value)
{
	*through = value; /* MARK: by_pointer */
}

static void loop(int rounds)
{
	int i;

	for (i = 0; i < rounds; i++)
		counter += i; /* MARK: loop */
}

int main(void)
{
	int got;

	counter = 0; /* MARK: first */
	set(5);
	set(5);      /* MARK: again */
	got = get(); /* MARK: read */
	loop(6);     /* MARK: call_loop */
	by_pointer(7);
	by_pointer(8);
	wide = 1L << 40;
	wide++;
	tiny = 'a';
	tiny++;
	buffer[0] = got; /* MARK: buffer */
	return counter;  /* MARK: last */
}
