/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_clauses: any bytes as a directive, and as a source text in each form, whose constructs
 * around some line are asked for.
 */
#include <assert.h>

#include "fuzz.h"
#include "ompd/enclosing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	int line = size ? data[size - 1] % 32 : 1;
	struct directive d;

	struct error *err = directive_parse(text, size, &d);
	assert(!err);
	directive_fini(&d);
	for (int form = SOURCE_C; form <= SOURCE_FIXED; form++) {
		AUTO_CONSTRUCTS found = { 0 };
		err = enclosing_find(text, size, form, line, &found);
		assert(!err);
		vec_for_each (c, &found.items)
			assert(c->line <= line && line <= c->end);
		vec_for_each (c, &found.conditions)
			assert(c->line > 0 && c->line <= line && c->text);
	}
	return 0;
}
