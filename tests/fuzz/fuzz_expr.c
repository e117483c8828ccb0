/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_expr: any text as an expression, parsed and evaluated without a program.
 */
#include <assert.h>
#include <string.h>

#include "debugger/values/eval.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct scope nowhere;
	AUTO_FREE char *text = malloc(size + 1);
	struct convenience *values = convenience_new();
	const struct eval_context c = { &nowhere, values };
	struct value v = { 0 };

	assert(text && values);
	memcpy(text, data, size);
	text[size] = '\0';
	struct error *err = eval_text(&c, text, &v);
	assert(err || (v.type && v.size <= VALUE_BYTES_MAX));
	error_free(err);
	convenience_free(values);
	return 0;
}
