/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory of several kinds, at "pages": a page that ends in a string without an end, one that is
 * not there, one that may not be read, one that may, one that may not. Calls trap_here() for each
 * byte from stdin.
 */
#include <sys/mman.h>

#include "testprog.h"

enum { PAGE = 4096, PAGES = 5, LARGE = 1 << 20 };
unsigned char large[LARGE] = { 1 }; /* the tests read it */
const char words[] = "in read-only memory";

NOINLINE int trap_here(int n);
NOINLINE int trap_here(int n)
{
	return n + 1; /* MARK: trap */
}

int main(void)
{
	unsigned int next = 1;
	int calls = 0, bytes = 0;
	char c;
	unsigned char *pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	die_with_parent();
	if (pages == MAP_FAILED)
		FAIL("no memory");
	for (int i = 0; i < LARGE; i++) {
		next = next * 1103515245 + 12345;
		large[i] = (unsigned char)(next >> 16);
	}
	for (int i = 0; i < PAGES; i++)
		memset(pages + i * PAGE, 'a' + i, PAGE);
	memset(pages, 0, PAGE - 16);
	if (munmap(pages + PAGE, PAGE) < 0 || mprotect(pages + 2 * PAGE, PAGE, PROT_NONE) < 0 ||
	    mprotect(pages + 4 * PAGE, PAGE, PROT_NONE) < 0)
		FAIL("no pages");
	printf("pages %p large %p words %p\n", (void *)pages, (void *)large, (void *)words);
	fflush(stdout);
	ready();
	for (; read(0, &c, 1) == 1; bytes++)
		calls = trap_here(calls);
	if (calls != bytes)
		FAIL("%d calls for %d bytes", calls, bytes);
	return 0;
}
