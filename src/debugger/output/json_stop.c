/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json_stop.h"

static const char *const reasons[] = {
	[STOPPED_NOTHING] = "nothing",
	[STOPPED_STANDS] = "stands",
	[STOPPED_CORE] = "core",
	[STOPPED_BREAKPOINT] = "breakpoint",
	[STOPPED_WATCHPOINT] = "watchpoint",
	[STOPPED_SCOPE_END] = "watchpoint-scope",
	[STOPPED_CATCHPOINT] = "catchpoint",
	[STOPPED_STEPPED] = "step",
	[STOPPED_FINISHED] = "finish",
	[STOPPED_REACHED] = "location",
	[STOPPED_SIGNAL] = "signal",
	[STOPPED_INTERRUPTED] = "interrupt",
	[STOPPED_EXITED] = "exited",
	[STOPPED_KILLED] = "killed",
};

static void add_place(struct json *j, const struct report_place *p)
{
	json_add_object(j, "place");
	json_add_address(j, "pc", p->pc);
	json_add_string(j, "function", p->function);
	json_add_string(j, "file", p->file);
	json_add_positive(j, "line", p->line);
	json_add_string(j, "module", p->module);
	if (p->signal)
		json_add_bool(j, "signal_handler_called", true);
	json_end(j);
}

/* Where in OpenMP it stands, as far as that is known. */
static void add_team(struct json *j, const struct stop_report *r)
{
	if (r->team_size <= 0)
		return;
	json_add_natural(j, "region", r->region);
	json_add_integer(j, "team_number", r->team_number);
	json_add_integer(j, "team_size", r->team_size);
}

void json_stop_add(struct json *j, const struct stop_report *r)
{
	json_add_string(j, "reason", reasons[r->kind]);
	json_add_positive(j, "pid", r->pid);
	if (r->kind == STOPPED_EXITED)
		json_add_natural(j, "status", r->value);
	json_add_positive(j, "signal", r->signal);
	if (stop_report_is_end(r))
		return;
	json_add_positive(j, "lwp", r->lwp);
	json_add_positive(j, "thread", r->thread);
	json_add_positive(j, "number", r->number);
	json_add_array(j, "hits");
	for (size_t i = 0; i < r->hits.len; i++)
		json_add_integer(j, NULL, r->hits.items[i]);
	json_end(j);
	json_add_string(j, "text", r->text);
	json_add_string(j, "expression", r->expression);
	add_team(j, r);
	add_place(j, &r->place);
}
