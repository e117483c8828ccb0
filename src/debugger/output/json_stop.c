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
	[STOPPED_LEFT] = "left",
	[STOPPED_CALL_ENDED] = "call-returned",
	[STOPPED_TEAM] = "team",
	[STOPPED_STUCK] = "stuck",
};

void json_stop_place(struct json *j, const struct report_place *p)
{
	json_add_address(j, "pc", p->pc);
	json_add_string(j, "function", p->function);
	if (p->outlined)
		json_add_string(j, "outlined", p->outlined);
	json_add_string(j, "file", p->file);
	json_add_positive(j, "line", p->line);
	json_add_string(j, "module", p->module);
	if (p->made)
		json_add_bool(j, "called_by_debugger", true);
	if (p->signal)
		json_add_bool(j, "signal_handler_called", true);
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

void json_stop_watch(struct json *j, const struct report_watch *w)
{
	json_add_integer(j, "number", w->number);
	json_add_string(j, "expression", w->expression);
	json_add_positive(j, "copy_lwp", w->copy);
	if (w->copy)
		json_add_string(j, "copy_thread", w->whose);
	if (w->nothers)
		json_add_bool(j, "others", true);
}

static const char *const facts[NUM_EVENT_FACTS] = {
	[EVENT_FACT_OBJECT] = "object",
	[EVENT_FACT_FUNCTION] = "code",
	[EVENT_FACT_TEAM] = "requested_team_size",
	[EVENT_FACT_BEGIN] = "begin",
	[EVENT_FACT_END] = "end",
	[EVENT_FACT_CHUNK] = "chunk",
	[EVENT_FACT_SECTION] = "section",
	[EVENT_FACT_EXECUTES] = "executes",
	[EVENT_FACT_TASKS] = "tasks",
	[EVENT_FACT_DEPENDENCES] = "dependences",
	[EVENT_FACT_KIND] = "kind",
};

/* Of a catchpoint of OpenMP. */
static void add_event(struct json *j, const struct stop_report *r)
{
	const struct report_event *e = &r->event;

	if (!e->name)
		return;
	json_add_object(j, "event");
	json_add_string(j, "name", e->name);
	for (unsigned int i = 0; i < NUM_EVENT_FACTS; i++) {
		if (!facts[i] || !(e->known & UINT32_C(1) << i))
			continue;
		if (i == EVENT_FACT_OBJECT || i == EVENT_FACT_FUNCTION)
			json_add_address(j, facts[i], e->facts[i]);
		else
			json_add_integer(j, facts[i], (intmax_t)e->facts[i]);
	}
	json_add_string(j, "object_name", e->object);
	json_add_string(j, "schedule", e->schedule);
	json_add_string(j, "depends_on", e->dependences);
	if (e->dependences) {
		json_add_array(j, "waits_for");
		vec_for_each (task, &e->awaited)
			json_add_integer(j, NULL, *task);
		json_end(j);
		json_add_bool(j, "waits_for_known", e->awaits_known);
	}
	json_add_string(j, "file", e->file);
	json_add_positive(j, "line", e->line);
	json_end(j);
}

static void add_holds(struct json *j, const struct stop_report *r)
{
	if (!r->team)
		return;
	json_add_array(j, "holds");
	vec_for_each (h, &r->holds) {
		json_add_object(j, NULL);
		json_add_string(j, "kind", wait_kind_traits(h->kind)->name);
		json_add_string(j, "name", h->name);
		if (h->object)
			json_add_address(j, "object", h->object);
		json_add_bool(j, "certain", h->always);
		json_add_string(j, "file", h->file);
		json_add_positive(j, "line", h->line);
		json_end(j);
	}
	json_end(j);
	json_add_bool(j, "holds_complete", r->holds_complete);
}

/* What a step has met of constructs. */
static void add_construct(struct json *j, const struct report_construct *k)
{
	static const char *const told[] = {
		[TOLD_TASK] = "task",
		[TOLD_NO_STATEMENT] = "no_statement",
		[TOLD_PART_OVER] = "part_over",
		[TOLD_MOVED] = "moved",
		[TOLD_CREATOR] = "creator",
		[TOLD_NOT_WAITED] = "not_waited",
		[TOLD_NOT_EXECUTED] = "not_executed",
		[TOLD_NOT_FOLLOWED] = "not_followed",
	};

	if (!k->told)
		return;
	json_add_object(j, "construct");
	json_add_string(j, "met", told[k->told]);
	json_add_string(j, "file", k->file);
	json_add_positive(j, "line", k->line);
	json_add_string(j, "by", *k->by ? k->by : NULL);
	json_add_string(j, "now", *k->now ? k->now : NULL);
	json_end(j);
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
	add_holds(j, r);
	add_event(j, r);
	add_construct(j, &r->construct);
	json_add_string(j, "given_up", r->given_up);
	json_add_object(j, "place");
	json_stop_place(j, &r->place);
	json_end(j);
}

/* ---- meanwhile -------------------------------------------------------------------------- */

static const char *const notices[] = {
	[NOTICE_THREAD_NEW] = "thread-new",
	[NOTICE_THREAD_END] = "thread-end",
	[NOTICE_SIGNAL] = "signal",
	[NOTICE_PRINT] = "print",
	[NOTICE_FORK] = "fork",
	[NOTICE_FOLLOWED] = "followed",
	[NOTICE_CHOSEN] = "chosen",
	[NOTICE_LEFT] = "left",
	[NOTICE_RELEASED] = "released",
	[NOTICE_INFERIOR_NEW] = "inferior-new",
	[NOTICE_RESTS] = "rests",
	[NOTICE_EXEC] = "exec",
	[NOTICE_RESOLVED] = "breakpoint-resolved",
	[NOTICE_WARNING] = "warning",
	[NOTICE_TEAM] = "team",
};

void json_stop_notice(struct json *j, const struct notice *n)
{
	json_add_string(j, "what", notices[n->kind]);
	json_add_positive(j, "lwp", n->lwp);
	json_add_positive(j, "thread", n->thread);
	json_add_positive(j, "inferior", n->inferior);
	json_add_positive(j, "number", n->number);
	json_add_string(j, "text", n->text);
}

/* ---- breakpoints ------------------------------------------------------------------------ */

static const char *const kinds[] = {
	[BREAK_CODE] = "breakpoint", [BREAK_PRINT] = "dprintf", [BREAK_CHANGE] = "watch",
	[BREAK_READ] = "rwatch",     [BREAK_ACCESS] = "awatch", [BREAK_CATCH] = "catch",
};
static const char *const fates[] = { "keep", "disable", "delete" };

static void add_location(struct json *j, const struct breakpoint_location *l)
{
	json_add_object(j, NULL);
	json_add_address(j, "address", l->addr);
	json_add_string(j, "function", l->shown ? l->shown : l->function);
	json_add_string(j, "file", l->file);
	json_add_positive(j, "line", l->line);
	json_add_bool(j, "enabled", l->enabled);
	json_end(j);
}

void json_stop_breakpoint(struct json *j, const struct breakpoint *b)
{
	json_add_integer(j, "number", b->number);
	json_add_string(j, "kind", kinds[b->kind]);
	json_add_string(j, "text", b->text);
	json_add_string(j, "disposition", fates[b->fate]);
	json_add_bool(j, "enabled", b->enabled);
	json_add_bool(j, "temporary", b->temporary);
	json_add_bool(j, "hardware", b->hard);
	json_add_unsigned(j, "hits", b->hits);
	json_add_unsigned(j, "ignore", b->ignore);
	json_add_positive(j, "thread", b->thread);
	json_add_natural(j, "omp_thread", b->omp.is_thread ? b->omp.thread : -1);
	json_add_natural(j, "omp_team", b->omp.is_team ? b->omp.team : -1);
	json_add_bool(j, "once_per_region", b->omp.once);
	json_add_string(j, "condition", b->condition);
	if (b->commands)
		json_add_lines(j, "commands", b->commands);
	if (b->kind == BREAK_CATCH)
		json_add_string(j, "catches", catch_names[b->catches]);
	if (b->format)
		json_add_string(j, "format", b->format);
	json_add_array(j, "locations");
	vec_for_each (l, &b->locations)
		add_location(j, l);
	json_end(j);
}
