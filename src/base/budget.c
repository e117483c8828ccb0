/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/budget.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define GIB (UINT64_C(1) << 30)

/* proc_meminfo(5); what MemFree says leaves out caches, which are most of the memory. */
uint64_t budget_of_machine(void)
{
	static const char key[] = "MemAvailable:";
	AUTO_BUF text = { 0 };

	error_ignore(buf_add_file(&text, "/proc/meminfo", 1 << 16));
	const char *line = strstr(buf_text(&text), key);
	uint64_t kib = line ? strtoull(line + strlen(key), NULL, 10) : GIB >> 10;
	return kib < 16 * GIB >> 10 ? kib << 8 : 4 * GIB;
}

bool budget_spend(struct spending *s, uint64_t bytes)
{
	struct budget *b = s->from;

	if (!bytes)
		return true;
	if (!b->left)
		b->left = budget_of_machine();
	if (bytes > b->left / 2)
		return false;
	b->left -= bytes;
	s->bytes += bytes;
	return true;
}

void budget_return(struct spending *s)
{
	if (s->from)
		s->from->left += s->bytes;
	s->bytes = 0;
}
