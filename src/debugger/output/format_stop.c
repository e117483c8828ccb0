/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_stop.h"

#include <string.h>

#include "debugger/control/signals.h"

void format_stop_place(struct buf *out, const struct report_place *p, const char *arguments,
		       const struct style *style)
{
	if (p->made) {
		buf_adds(out, "<function called from gdb>");
		return;
	}
	if (p->signal) {
		buf_adds(out, "<signal handler called>");
		return;
	}
	if ((p->mid_line || !p->file) && !style->no_addresses) {
		style_add_address(out, p->pc, style);
		buf_adds(out, " in ");
	}
	style_add_inked(out, INK_NAME, p->function ? p->function : "??", style);
	buf_addc(out, ' ');
	buf_adds(out, arguments ? arguments : "()");
	if (p->file) {
		buf_adds(out, " at ");
		style_begin(out, INK_WHERE, style);
		style_add_line(out, p->file, p->line);
		style_end(out, style);
	} else if (p->module) {
		style_add_between(out, " from ", p->module, "");
	}
}

void format_stop_source(struct buf *out, const struct report_place *p, const char *source,
			const struct style *style)
{
	(void)style;
	if (!p->file || !p->line || p->signal || p->made)
		return;
	buf_addf(out, "%d\t", p->line);
	if (source) {
		style_add_source(out, source);
	} else {
		buf_adds(out, "in ");
		style_add_last_part(out, p->file);
	}
	buf_addc(out, '\n');
}

void format_stop_thread(struct buf *out, const struct stop_report *r)
{
	if (r->team_size && r->region >= 0)
		buf_addf(out, "%ld.%ld", r->region, r->team_number);
	else
		buf_addf(out, "%d", r->thread);
}

/* "Thread 0.2 (LWP 4711)" */
static void add_thread(struct buf *out, const struct stop_report *r)
{
	if (r->ranked)
		buf_addc(out, FORMAT_RANK);
	buf_adds(out, "Thread ");
	format_stop_thread(out, r);
	buf_addf(out, " (LWP %d)", r->lwp);
}

static void add_team(struct buf *out, const struct stop_report *r)
{
	if (r->team_size && r->region >= 0)
		buf_addf(out, "  [parallel region %ld, team of %ld]", r->region, r->team_size);
	else if (r->team_size)
		buf_addf(out, "  [thread %ld of a team of %ld]", r->team_number, r->team_size);
}

static void add_subject(struct buf *out, const struct stop_report *r, const char *verb)
{
	if (r->many) {
		add_thread(out, r);
		buf_addf(out, " %s ", verb);
	}
}

static void add_hit(struct buf *out, const struct stop_report *r)
{
	buf_addc(out, '\n');
	add_subject(out, r, "hit");
	buf_adds(out, r->temporary ? "Temporary breakpoint " : "Breakpoint ");
	buf_addf(out, "%d", r->number);
	if (r->location)
		buf_addf(out, ".%d", r->location);
	buf_adds(out, ", ");
}

static const char *text_or(const struct buf *b, const char *otherwise)
{
	return b->len ? buf_text(b) : otherwise;
}

static void add_watch(struct buf *out, const struct stop_report *r, const struct report_watch *w)
{
	buf_addc(out, '\n');
	add_subject(out, r, "hit");
	buf_addf(out, "Hardware %swatchpoint %d: ",
		 !w->accessed                  ? ""
		 : w->has_old || !w->read_only ? "access (read/write) "
					       : "read ",
		 w->number);
	style_add_text(out, w->expression);
	if (w->copy && w->copy != r->lwp)
		buf_addf(out, ", the copy of %s (LWP %d)", w->whose ? w->whose : "another thread",
			 w->copy);
	else if (w->copy)
		buf_adds(out, ", its own copy");
	buf_adds(out, "\n\n");
}

static void add_values(struct buf *out, const struct report_watch *w,
		       const struct format_values *values)
{
	if (w->has_old)
		buf_addf(out, "Old value = %s\n", text_or(&values->was, "?"));
	buf_addf(out, "%s = %s\n", w->has_old || !w->accessed ? "New value" : "Value",
		 text_or(&values->is, "?"));
	if (w->nothers)
		buf_adds(out, "Other threads have written there at the same time: which change is "
			      "whose is not known.\n");
}

/* "critical 'ledger' (taken at a.c:31)" */
static void add_hold(struct buf *out, const struct report_hold *h)
{
	buf_adds(out, h->always ? "" : "perhaps ");
	buf_adds(out, wait_kind_traits(h->kind)->name);
	if (h->name)
		style_add_between(out, " '", h->name, "'");
	else if (h->object && h->kind != WAIT_CRITICAL)
		buf_addf(out, " 0x%" PRIxTADDR, h->object);
	if (!h->file)
		return;
	buf_adds(out, " (taken at ");
	style_add_line(out, h->file, h->line);
	buf_addc(out, ')');
}

/* Under which critical constructs and locks the thread has done it. */
static void add_holds(struct buf *out, const struct stop_report *r)
{
	if (!r->team)
		return;
	buf_adds(out, "Holding ");
	vec_for_each (h, &r->holds) {
		buf_adds(out, h == r->holds.items ? "" : ", ");
		add_hold(out, h);
	}
	if (!r->holds.len)
		buf_adds(out, "no critical construct and no lock");
	buf_adds(out, r->holds_complete ? "\n" : ", as far as the code was understood\n");
}

static void add_watches(struct buf *out, const struct stop_report *r,
			const struct format_values *values)
{
	for (size_t i = 0; r->kind == STOPPED_WATCHPOINT && i < r->watches.len; i++) {
		add_watch(out, r, &r->watches.items[i]);
		add_values(out, &r->watches.items[i], &values[i]);
	}
	if (r->kind == STOPPED_WATCHPOINT)
		add_holds(out, r);
}

static void add_scope_end(struct buf *out, const struct stop_report *r)
{
	buf_addc(out, '\n');
	add_subject(out, r, "hit");
	vec_for_each (number, &r->hits)
		buf_addf(out,
			 "%sWatchpoint %d deleted because the program has left the block in\n"
			 "which its expression is valid.\n",
			 number == r->hits.items ? "" : "\n", *number);
}

/* Several have a line each. */
static void add_libraries(struct buf *out, const char *text)
{
	buf_adds(out, "\n  Inferior ");
	for (size_t len; *text; text += len + (text[len] == '\n')) {
		AUTO_BUF line = { 0 };
		len = strcspn(text, "\n");
		buf_add(&line, text, len);
		style_add_between(out, "", buf_text(&line), "\n");
	}
}

/* Facts of events, in the order in which they are told. */
static const struct {
	enum event_fact fact;
	const char *format, *one; /* NULL: of 1 it is the same */
} fact_words[] = {
	{ EVENT_FACT_OBJECT, "object 0x%" PRIx64 },
	{ EVENT_FACT_TEAM, "%" PRIu64 " threads asked for", "1 thread asked for" },
	{ EVENT_FACT_SECTION, "section %" PRIu64 },
	{ EVENT_FACT_TASKS, "%" PRIu64 " tasks asked for", "1 task asked for" },
	{ EVENT_FACT_DEPENDENCES, "%" PRIu64 " dependences", "1 dependence" },
};

static bool knows(const struct report_event *e, enum event_fact fact)
{
	return e->known & UINT32_C(1) << fact;
}

/* "waits for tasks 4 5, " */
static void add_awaited(struct buf *out, const struct report_event *e)
{
	if (!e->dependences)
		return;
	if (e->awaited.len)
		buf_addf(out, "waits for task%s", e->awaited.len == 1 ? "" : "s");
	else
		buf_adds(out, e->awaits_known ? "waits for no task"
					      : "for which tasks it waits is not known");
	vec_for_each (task, &e->awaited)
		buf_addf(out, " %ld", *task);
	buf_adds(out, e->awaited.len && !e->awaits_known ? " and maybe others, " : ", ");
}

/* "(omp task-create), code at a.c:31, " */
static void add_event(struct buf *out, const struct stop_report *r)
{
	const struct report_event *e = &r->event;

	buf_addf(out, " (omp %s), ", e->name);
	if (e->file) {
		buf_adds(out, "code at ");
		style_add_line(out, e->file, e->line);
		buf_adds(out, ", ");
	}
	if (e->object) { /* "critical ledger, ", "lock queue, ": the event's first word says what */
		buf_add(out, e->name, strcspn(e->name, "-"));
		style_add_between(out, " ", e->object, ", ");
	}
	for (size_t i = 0; i < sizeof(fact_words) / sizeof(*fact_words); i++) {
		uint64_t number = e->facts[fact_words[i].fact];
		if (!knows(e, fact_words[i].fact) || !number)
			continue;
		if (number == 1 && fact_words[i].one)
			buf_adds(out, fact_words[i].one);
		else
			buf_addf(out, fact_words[i].format, number);
		buf_adds(out, ", ");
	}
	if (e->dependences)
		style_add_between(out, "depend(", e->dependences, "), ");
	add_awaited(out, e);
	if (e->schedule)
		buf_addf(out, "schedule(%s), ", e->schedule);
	if (knows(e, EVENT_FACT_BEGIN) && knows(e, EVENT_FACT_END))
		buf_addf(out, "iterations [%" PRId64 ", %" PRId64 "), ", e->facts[EVENT_FACT_BEGIN],
			 e->facts[EVENT_FACT_END]);
	if (knows(e, EVENT_FACT_EXECUTES))
		buf_adds(out, e->facts[EVENT_FACT_EXECUTES] ? "this thread executes it, "
							    : "another thread executes it, ");
}

static void add_catch(struct buf *out, const struct stop_report *r)
{
	buf_addc(out, '\n');
	add_subject(out, r, "hit");
	buf_addf(out, "%s %d", r->temporary ? "Temporary catchpoint" : "Catchpoint", r->number);
	if (r->library) {
		add_libraries(out, r->text ? r->text : "?");
		return;
	}
	if (r->event.name) {
		add_event(out, r);
		return;
	}
	buf_adds(out, " (");
	style_add_text(out, r->text ? r->text : r->expression ? r->expression : "?");
	buf_adds(out, "), ");
}

static void add_signal(struct buf *out, const struct stop_report *r)
{
	buf_addc(out, '\n');
	if (r->many)
		add_thread(out, r);
	else
		buf_adds(out, "Program");
	buf_addf(out, " received signal %s, %s.\n", signals_name(r->signal),
		 signals_text(r->signal));
}

static void add_core(struct buf *out, const struct stop_report *r)
{
	if (r->signal)
		buf_addf(out, "Program terminated with signal %s, %s.\n", signals_name(r->signal),
			 signals_text(r->signal));
}

static void add_exited(struct buf *out, const struct stop_report *r)
{
	buf_addf(out, "[Inferior %d (process %d) exited", r->inferior, r->pid);
	if (r->value < 0)
		buf_adds(out, "]\n");
	else if (r->value)
		buf_addf(out, " with code 0%lo]\n", r->value);
	else
		buf_adds(out, " normally]\n");
}

static void add_left(struct buf *out, const struct stop_report *r)
{
	buf_addf(out, "[Inferior %d (process %d) detached: it executes ", r->inferior, r->pid);
	style_add_text(out, r->text);
	buf_adds(out, "]\n");
}

static void add_killed(struct buf *out, const struct stop_report *r)
{
	buf_addf(out,
		 "\nProgram terminated with signal %s, %s.\n"
		 "The program no longer exists.\n",
		 signals_name(r->signal), signals_text(r->signal));
}

static void add_finished(struct buf *out, const struct stop_report *r)
{
	if (r->switched && r->many && !r->construct.told) {
		add_thread(out, r);
		buf_adds(out, " has finished, ");
	}
}

/* "a.c:12", the file as it is shown elsewhere. */
static void add_construct_place(struct buf *out, const struct report_construct *k)
{
	if (k->file)
		style_add_line(out, k->file, k->line);
	else
		buf_adds(out, "a place without lines");
}

static void add_thread_name(struct buf *out, const char *name)
{
	buf_addf(out, "thread %s", *name ? name : "?");
}

/* What a step has met of constructs: behind the place, or, of what did not happen, before it. */
static void add_task(struct buf *out, const struct stop_report *r)
{
	const struct report_construct *k = &r->construct;

	if (k->told != TOLD_TASK)
		return;
	buf_adds(out, "  [task created at ");
	add_construct_place(out, k);
	buf_adds(out, " by ");
	add_thread_name(out, k->by);
	/* "0.1"; or "of LWP 4711", outside regions. */
	buf_addf(out, ", executed by %s%s]", k->now[0] == 'o' ? "thread " : "",
		 *k->now ? k->now : "?");
}

static void add_made(struct buf *out, const struct report_construct *k)
{
	buf_addf(out, "The task that thread %s executed", *k->by ? k->by : "?");
}

static void add_construct(struct buf *out, const struct stop_report *r)
{
	const struct report_construct *k = &r->construct;

	switch (k->told) {
	case TOLD_NOTHING:
	case TOLD_TASK:
		return;
	case TOLD_NO_STATEMENT:
		buf_adds(out, "The thread has come to no statement of the construct at ");
		add_construct_place(out, k);
		break;
	case TOLD_NOT_EXECUTED:
		buf_adds(out, "The task created at ");
		add_construct_place(out, k);
		buf_adds(out, " was not executed");
		break;
	case TOLD_NOT_FOLLOWED:
		buf_adds(out, "The task created at ");
		add_construct_place(out, k);
		buf_adds(out, " cannot be followed, as its runtime is linked into the program: a "
			      "breakpoint in the task stops there");
		break;
	case TOLD_MOVED:
		buf_addf(out,
			 "Thread %s executes the next part of the untied task that thread %s began",
			 *k->now ? k->now : "?", *k->by ? k->by : "?");
		break;
	case TOLD_CREATOR:
		add_made(out, k);
		buf_adds(out, " is over; ");
		add_thread_name(out, k->now);
		buf_adds(out, " has waited for it here");
		break;
	case TOLD_NOT_WAITED:
		add_made(out, k);
		buf_adds(out,
			 " is over; its creator has not waited for it before the region's end");
		break;
	case TOLD_PART_OVER:
		buf_addf(out, "Thread %s has come to the end of the region; ",
			 *k->by ? k->by : "?");
		add_thread_name(out, k->now);
		buf_adds(out, " goes on behind it");
		break;
	}
	buf_adds(out, ".\n");
}

static void add_text(struct buf *out, const struct stop_report *r)
{
	style_add_between(out, "", r->text ? r->text : "?", ".\n");
}

static void add_nothing(struct buf *out, const struct stop_report *r)
{
	(void)out, (void)r;
}

static void (*const add_reason[])(struct buf *out, const struct stop_report *r) = {
	[STOPPED_NOTHING] = add_nothing,    [STOPPED_STANDS] = add_nothing,
	[STOPPED_CORE] = add_core,          [STOPPED_BREAKPOINT] = add_hit,
	[STOPPED_WATCHPOINT] = add_nothing, [STOPPED_SCOPE_END] = add_scope_end,
	[STOPPED_CATCHPOINT] = add_catch,   [STOPPED_STEPPED] = add_nothing,
	[STOPPED_FINISHED] = add_finished,  [STOPPED_REACHED] = add_nothing,
	[STOPPED_SIGNAL] = add_signal,      [STOPPED_INTERRUPTED] = add_signal,
	[STOPPED_EXITED] = add_exited,      [STOPPED_KILLED] = add_killed,
	[STOPPED_LEFT] = add_left,          [STOPPED_CALL_ENDED] = add_nothing,
	[STOPPED_TEAM] = add_text,          [STOPPED_STUCK] = add_text,
};

void format_stop(struct buf *out, const struct stop_report *r, const struct format_place *place,
		 const struct style *style)
{
	add_reason[r->kind](out, r);
	add_watches(out, r, place->values);
	if (stop_report_is_end(r) || !r->place.known)
		return;
	add_construct(out, r);
	if (r->new_frame || !r->place.file) {
		format_stop_place(out, &r->place, place->arguments, style);
		add_team(out, r);
		add_task(out, r);
		buf_addc(out, '\n');
	} else if (r->place.mid_line && !style->no_addresses) {
		style_add_address(out, r->place.pc, style);
		buf_addc(out, '\t');
	}
	format_stop_source(out, &r->place, place->source, style);
	if (r->given_up)
		style_add_between(out, "The ", r->given_up, " is given up.\n");
}

void format_stop_result(struct buf *out, const struct stop_report *r,
			const struct format_place *place)
{
	if (r->result)
		buf_addf(out, "Value returned is $%zu = %s\n", r->result,
			 place->result ? place->result : "?");
}

void format_stop_notice(struct buf *out, const struct notice *n, const struct style *style)
{
	(void)style;
	switch (n->kind) {
	case NOTICE_THREAD_NEW:
		buf_addf(out, "[New Thread (LWP %d)]\n", n->lwp);
		break;
	case NOTICE_THREAD_END:
		buf_addf(out, "[Thread (LWP %d) exited]\n", n->lwp);
		break;
	case NOTICE_SIGNAL:
		buf_addf(out, "\nProgram received signal %s, %s.\n", signals_name(n->number),
			 signals_text(n->number));
		break;
	case NOTICE_PRINT:
		buf_adds(out, n->text);
		break;
	case NOTICE_FORK:
		buf_addf(out, "[Detaching after %s from child process %d]\n", n->text, n->number);
		break;
	case NOTICE_FOLLOWED:
		buf_addf(out,
			 "[Attaching after process %d %s to child process %d]\n"
			 "[New inferior %d (process %d)]\n",
			 n->lwp, n->text, n->number, n->inferior, n->number);
		break;
	case NOTICE_CHOSEN:
		buf_addf(out, "[New inferior %d (process %d), which executes ", n->inferior,
			 n->number);
		style_add_text(out, n->text);
		buf_adds(out, "]\n");
		break;
	case NOTICE_LEFT:
		buf_addf(out, "[Detaching after %s from parent process %d]\n", n->text, n->number);
		buf_addf(out, "[Inferior %d (process %d) detached]\n", n->inferior, n->number);
		break;
	case NOTICE_RELEASED:
		buf_addf(out, "[Detaching vfork parent process %d after child %s]\n", n->number,
			 n->text);
		buf_addf(out, "[Inferior %d (process %d) detached]\n", n->inferior, n->number);
		break;
	case NOTICE_INFERIOR_NEW:
		buf_addf(out, "[New inferior %d (process %d)]\n", n->inferior, n->number);
		break;
	case NOTICE_RESTS:
		buf_addf(out,
			 "[Process %d is stopped by %s until it gets SIGCONT; Ctrl-C leads back to "
			 "the prompt]\n",
			 n->lwp, signals_name(n->number));
		break;
	case NOTICE_EXEC:
		buf_addf(out, "process %d is executing new program: ", n->lwp);
		style_add_text(out, n->text);
		buf_addc(out, '\n');
		break;
	case NOTICE_RESOLVED:
		break; /* the breakpoint itself is shown */
	case NOTICE_TEAM:
		style_add_between(out, "[", n->text, "]\n");
		break;
	case NOTICE_WARNING:
		style_add_between(out, "warning: ", n->text, "\n");
		break;
	}
}
