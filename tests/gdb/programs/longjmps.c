/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* longjmp() over frames, back into the same frame, and out of a handler: steps go with it. */
#include <setjmp.h>
#include <signal.h>

static jmp_buf place;
static sigjmp_buf signal_place;
static volatile int jumps;

static void jump_back(int value)
{
	jumps++;               /* MARK: jump_back */
	longjmp(place, value); /* MARK: longjmp */
}

static void hidden_jump(int depth)
{
	if (depth > 0)
		hidden_jump(depth - 1);
	else
		longjmp(place, 9); /* MARK: deep_longjmp */
}

static void handler(int number)
{
	jumps += number;             /* MARK: handler */
	siglongjmp(signal_place, 3); /* MARK: siglongjmp */
}

static int plain(void)
{
	volatile int result = 0;

	if (setjmp(place) == 0) { /* MARK: setjmp */
		result = 1;
		jump_back(4); /* MARK: jump_call */
		result = 2;   /* MARK: never */
	} else {
		result = 3; /* MARK: caught */
	}
	return result; /* MARK: plain_end */
}

static int from_depth(void)
{
	int got = setjmp(place); /* MARK: setjmp2 */

	if (got == 0)           /* MARK: depth_if */
		hidden_jump(5); /* MARK: hidden */
	return got;             /* MARK: depth_end */
}

static int in_frame(void)
{
	volatile int rounds = 0;

	setjmp(place);             /* MARK: setjmp3 */
	rounds++;                  /* MARK: round */
	if (rounds < 3)            /* MARK: rounds_if */
		longjmp(place, 1); /* MARK: same_frame */
	return rounds;             /* MARK: frame_end */
}

static int by_signal(void)
{
	int got = sigsetjmp(signal_place, 1); /* MARK: sigsetjmp */

	if (got == 0)           /* MARK: signal_if */
		raise(SIGUSR1); /* MARK: raise */
	return got;             /* MARK: signal_end */
}

int main(void)
{
	int a, b, c, d;

	signal(SIGUSR1, handler);
	a = plain();                  /* MARK: call_plain */
	b = from_depth();             /* MARK: call_depth */
	c = in_frame();               /* MARK: call_frame */
	d = by_signal();              /* MARK: call_signal */
	return a + b + c + d + jumps; /* MARK: last */
}
