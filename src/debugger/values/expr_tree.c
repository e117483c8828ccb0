/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/expr_tree.h"

#include <stdlib.h>
#include <string.h>

enum { NEAR_MAX = 60 };

struct error *expr_near(struct error *err, const char *at)
{
	if (error_is(err, ERROR_ABANDONED))
		return err;
	return error_place(err, "near `%.*s'", (int)strnlen(at, NEAR_MAX), at);
}

void expr_free(struct expr *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < 3; i++)
		expr_free(e->kids[i]);
	expr_type_fini(&e->cast);
	free(e->text);
	free(e->file);
	free(e);
}
