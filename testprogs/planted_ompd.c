/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An OMPD library that nobody has asked for: it makes the file PLANTED_FILE as soon as it is
 * loaded. */
#include <fcntl.h>
#include <stdlib.h>

__attribute__((constructor)) static void make_file(void)
{
	const char *path = getenv("PLANTED_FILE");

	if (path)
		open(path, O_WRONLY | O_CREAT, 0666);
}
