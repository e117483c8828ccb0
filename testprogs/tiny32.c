/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A 32-bit program that needs no library: three calls deep in read(2). */
static int call(int number, int a, const void *b, int c)
{
	int result;
	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(a), "c"(b), "d"(c)
			 : "memory");
	return result;
}

enum { SYS_EXIT = 1, SYS_READ = 3, SYS_WRITE = 4 };

static __attribute__((noipa)) int sleep_here(void)
{
	char c;
	return call(SYS_READ, 0, &c, 1); /* MARK: stuck */
}

static __attribute__((noipa)) int work(void)
{
	return sleep_here() + 1; /* MARK: work */
}

void _start(void);
void _start(void)
{
	call(SYS_WRITE, 1, "ready\n", 6);
	call(SYS_EXIT, work() == 1 ? 0 : 1, 0, 0);
	for (;;)
		;
}
