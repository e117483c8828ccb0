/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/wire.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

_Static_assert(offsetof(struct wire_message, bytes) == WIRE_HEAD, "no gaps: nothing leaks");

bool wire_send(int fd, const struct wire_message *m)
{
	size_t len = WIRE_HEAD + m->len;

	return TEMP_FAILURE_RETRY(write(fd, m, len)) == (ssize_t)len;
}

bool wire_receive(int fd, struct wire_message *ret)
{
	ssize_t n = TEMP_FAILURE_RETRY(read(fd, ret, sizeof(*ret)));

	if (n >= WIRE_HEAD && ret->len == (size_t)n - WIRE_HEAD)
		return true;
	if (n >= 0)
		errno = n ? EBADMSG : 0;
	return false;
}
