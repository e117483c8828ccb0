/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/expr_tree.h"

#include <stdlib.h>

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
