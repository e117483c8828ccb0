/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_expr: any text as an expression of C and of Fortran, parsed and evaluated without a program.
 */
#include <assert.h>
#include <string.h>

#include "debugger/values/eval.h"
#include "fuzz.h"

static void evaluate(const char *text, enum scope_language language)
{
	const struct scope nowhere = { .language = language };
	struct convenience *values = convenience_new();
	const struct eval_context c = { &nowhere, values };
	struct value v = { 0 };

	assert(values);
	struct error *err = eval_text(&c, text, &v);
	assert(err || (v.type && v.size <= VALUE_BYTES_MAX));
	error_free(err);
	convenience_free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = malloc(size + 1);

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	evaluate(text, SCOPE_C);
	evaluate(text, SCOPE_FORTRAN);
	return 0;
}
