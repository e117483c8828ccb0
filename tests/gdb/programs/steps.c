/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls, loops, branches and many statements in one line: where do step, next, finish lead? */
struct large {
	int values[200];
};

static int total;

static int callee(void)
{
	total++; /* MARK: callee */
	return total;
}

static int add(int a, int b)
{
	int sum = a + b; /* MARK: add */

	return sum;
}

static int take_large(struct large l)
{
	return l.values[0] + l.values[199]; /* MARK: take_large */
}

static void nothing(void)
{
}

int main(void)
{
	struct large l = { { 5 } };
	int i, w, x, y, z;

	w = 0; /* MARK: first */
	x = 1;
	y = 2;
	z = 3;
	w = w + 2; /* MARK: middle */
	x = x + 3;
	y = add(y, z);           /* MARK: call */
	z = callee() + callee(); /* MARK: two_calls */
	nothing();
	for (i = 0; i < 3; i++)        /* MARK: loop */
		w += add(i, callee()); /* MARK: nested_call */
	if (w > x)                     /* MARK: branch */
		y = take_large(l);     /* MARK: large */
	else
		y = 0;
	x = 1, y = 2, z = add(x, y); /* MARK: one_line */
	do {
		w--;
	} while (w > 10); /* MARK: do_while */
	switch (z) {      /* MARK: switch */
	case 1:
		return 1;
	case 3:
		x = 7; /* MARK: case */
		break;
	default:
		x = 9;
	}
	return x; /* MARK: last */
}
