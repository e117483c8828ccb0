/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/stop_report.h"

void stop_report_fini(struct stop_report *r)
{
	free(r->text);
	free(r->expression);
	free(r->old_text);
	free(r->new_text);
	free(r->given_up);
	free(r->commands);
	free(r->place.function);
	free(r->place.file);
	free(r->place.module);
	vec_fini(&r->hits);
	*r = (struct stop_report){ 0 };
}
