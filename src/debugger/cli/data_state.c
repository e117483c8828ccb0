/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/data_state.h"

#include <stdlib.h>

void data_state_free(struct data *d)
{
	if (!d)
		return;
	vec_for_each (display, &d->displays) {
		free(display->text);
		free(display->function);
	}
	vec_fini(&d->displays);
	free(d->list_file);
	free(d);
}
