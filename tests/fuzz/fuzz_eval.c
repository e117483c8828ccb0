/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_eval: any text as an expression about a program, evaluated, shown, and made a condition.
 */
#include <assert.h>
#include <string.h>

#include "debugger/output/format_value.h"
#include "debugger/values/compile.h"
#include "debugger/values/eval.h"
#include "fuzz.h"
#include "fuzz_program.h"

static taddr address_of_main(const struct eval_context *c)
{
	taddr at = 0;
	struct error *err = eval_address(c, "main", &at);

	assert(!err);
	return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scope scope = { .session = fuzz_session(NULL) };
	AUTO_FREE char *text = malloc(size + 1);
	struct convenience *values = convenience_new();
	const struct eval_context c = { &scope, values };
	AUTO_BUF out = { 0 }, program = { 0 };
	AUTO_SHOWN shown = { 0 };
	struct value v = { 0 };

	assert(text && values);
	memcpy(text, data, size);
	text[size] = '\0';
	scope.pc = address_of_main(&c);
	scope.exact = true;
	struct error *err = eval_text(&c, text, &v);
	assert(err || (v.type && v.size <= VALUE_BYTES_MAX));
	if (!err)
		err = shown_make(&scope, &v, &SHOWN_LIMITS, &shown);
	if (!err)
		format_value_top(&out, &shown, 0);
	error_free(err);
	struct compiled how;
	const char *const texts[] = { text, NULL };
	error_free(compile_conditions(scope.session, scope.pc, texts, &program, &how));
	convenience_free(values);
	return 0;
}
