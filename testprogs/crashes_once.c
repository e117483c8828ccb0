/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Preloaded: the first of several processes that opens an ELF file dies of it, as by a defect. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/* There is one file to remove. */
static void crash_once(void)
{
	const char *file = getenv("CRASH_ONCE");

	if (file && !unlink(file))
		abort();
}

void *elf_begin(int fd, int command, void *of)
{
	void *(*real)(int, int, void *) = dlsym(RTLD_NEXT, "elf_begin");

	crash_once();
	return real(fd, command, of);
}

void *elf_memory(char *image, size_t len)
{
	void *(*real)(char *, size_t) = dlsym(RTLD_NEXT, "elf_memory");

	crash_once();
	return real(image, len);
}
