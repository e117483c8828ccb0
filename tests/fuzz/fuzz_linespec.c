/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_linespec: any text as a location, as an expression with what goes with it, and as a command.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "debugger/cli/command.h"
#include "debugger/control/linespec.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = malloc(size + 1);
	AUTO_LINESPEC place = { 0 }, expression = { 0 };
	struct command_list commands;
	const struct command *row = NULL;
	const char *args = NULL;

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	struct error *err = linespec_parse(text, &place);
	assert(err || place.kind <= LINESPEC_ADDRESS);
	error_free(err);
	error_free(linespec_split(text, &expression));
	err = command_list_init(&commands);
	assert(!err);
	err = command_find(&commands, text, &row, &args);
	assert(err || (row && args >= text && args <= text + size));
	error_free(err);
	command_list_fini(&commands);
	return 0;
}
