/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/kept_registers.h"

#include <stdlib.h>
#include <string.h>

void kept_registers_fini(struct kept_registers *k)
{
	vec_for_each (one, k)
		free(one->bytes);
	vec_fini(k);
}

struct error *kept_registers_add(struct kept_registers *k, pid_t lwp, enum regset set,
				 const void *bytes, size_t len)
{
	struct kept_set one = { .lwp = lwp, .set = set, .bytes = malloc(len + 1), .len = len };

	if (!one.bytes)
		return &error_nomem;
	memcpy(one.bytes, bytes, len);
	if (vec_push(k, one))
		return NULL;
	free(one.bytes);
	return &error_nomem;
}

void kept_registers_drop(struct kept_registers *k, pid_t lwp)
{
	size_t kept = 0;

	for (size_t i = 0; i < k->len; i++) {
		if (k->items[i].lwp == lwp)
			free(k->items[i].bytes);
		else
			k->items[kept++] = k->items[i];
	}
	k->len = kept;
}
