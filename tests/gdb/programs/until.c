/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops, for until and advance. */
static int factorial(int n)
{
	int result = 1;

	while (n > 1) {      /* MARK: while */
		result *= n; /* MARK: multiply */
		n--;
	}
	return result; /* MARK: result */
}

static int marker(int n)
{
	return n + 1; /* MARK: marker */
}

int main(void)
{
	int i, sum = 0;

	for (i = 0; i < 5; i++)     /* MARK: for */
		sum += i;           /* MARK: body */
	sum += factorial(5);        /* MARK: call */
	sum += marker(marker(sum)); /* MARK: nested */
	do {
		sum /= 2;  /* MARK: halve */
	} while (sum > 3); /* MARK: condition */
	return sum;        /* MARK: last */
}
