/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A small interpreter, as real code has it: a table of functions, a switch, a computed goto. */
#include <stdio.h>
#include <string.h>

enum code { PUSH, ADD, MUL, DUP, SWAP, HALT };

struct machine {
	int stack[16];
	int depth;
	long steps;
};

static int pop(struct machine *m)
{
	return m->stack[--m->depth]; /* MARK: pop */
}

static void push(struct machine *m, int value)
{
	m->stack[m->depth++] = value; /* MARK: push */
}

static void add(struct machine *m)
{
	push(m, pop(m) + pop(m)); /* MARK: add */
}

static void multiply(struct machine *m)
{
	int b = pop(m), a = pop(m); /* MARK: multiply */

	push(m, a * b);
}

static int run(struct machine *m, const int *program)
{
	for (;;) { /* MARK: loop */
		m->steps++;
		switch ((enum code) * program++) { /* MARK: dispatch */
		case PUSH:
			push(m, *program++); /* MARK: case_push */
			break;
		case ADD:
			add(m); /* MARK: case_add */
			break;
		case MUL:
			multiply(m); /* MARK: case_multiply */
			break;
		case DUP:
			push(m, m->stack[m->depth - 1]); /* MARK: case_dup */
			break;
		case SWAP:
			break;
		case HALT:
			return pop(m); /* MARK: halt */
		}
	}
}

static int with_goto(int n)
{
	static const void *const labels[] = { &&even, &&odd, &&done };
	int steps = 0;

	goto *labels[n % 2]; /* MARK: goto */
even:
	n /= 2; /* MARK: even */
	steps++;
	goto *labels[n == 1 ? 2 : n % 2];
odd:
	n = 3 * n + 1; /* MARK: odd */
	steps++;
	goto even;
done:
	return steps; /* MARK: done */
}

int main(void)
{
	static const int program[] = { PUSH, 3, PUSH, 4, ADD, DUP, MUL, HALT };
	struct machine m;
	int got, steps;

	memset(&m, 0, sizeof(m));
	got = run(&m, program);                                 /* MARK: call */
	steps = with_goto(6);                                   /* MARK: call_goto */
	return got == 49 && m.steps == 6 && steps == 8 ? 0 : 1; /* MARK: last */
}
