/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/settings.h"

#include <stdlib.h>

void settings_fini(struct settings *s)
{
	free(s->prompt);
	free(s->history_file);
	free(s->log_file);
	free(s->safe_path);
	free(s->debug_folder);
}
